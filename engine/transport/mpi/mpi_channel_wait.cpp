// SPDX-License-Identifier: BSD-3-Clause
#include <vector>

#include "transport/mpi/mpi_call.hpp"
#include "transport/mpi/mpi_channel.hpp"

namespace fg::mpi {

void Channel::wait(PacketSink& sink, MPI_Request* other) {
  post_receives();
  std::vector<MPI_Request*> watched;
  watched.reserve(arrivals_.size() + 3);
  watched.push_back(&(*receives_)[oldest_].request);
  if (!sends_.empty()) watched.push_back(&sends_.front().request);
  for (Arrival& arrival : arrivals_) watched.push_back(&arrival.request);
  if (other) watched.push_back(other);
  std::vector<MPI_Request> requests;
  requests.reserve(watched.size());
  for (MPI_Request* const request : watched) requests.push_back(*request);
  int which = MPI_UNDEFINED;
  MPI_Status status;
  FG_MPI(MPI_Waitany, static_cast<int>(requests.size()), requests.data(), &which, &status);
  for (std::size_t i = 0; i < watched.size(); ++i) *watched[i] = requests[i];
  // `progress` recognises other requests that completed here: they are now null requests.
  if (which != 0) return;
  open_oldest(status.MPI_SOURCE, sink);
}

bool Channel::is_over(MPI_Request& request) const {
  return single_threaded_ ? request == MPI_REQUEST_NULL : done(request);
}

/// Takes in all that has arrived, without MPI_Test. SimGrid (3.32) keeps every message that
/// MPI_Test has completed in a list, which it goes through when a later one ends. MPI_Waitany takes
/// messages out of the list. So the process waits for what may come, or for an empty message to
/// itself, which is there at once. If that comes first, nothing else has arrived.
bool Channel::take_in_by_waiting(PacketSink& sink) {
  // On a simulated machine nothing arrives while its clock stands still.
  if (MPI_Wtime() == nothing_since_) return false;
  MPI_Request nothing_else = MPI_REQUEST_NULL, sent = MPI_REQUEST_NULL;
  FG_MPI(MPI_Irecv, nullptr, 0, MPI_BYTE, rank_, own_tag, packets_, &nothing_else);
  FG_MPI(MPI_Isend, nullptr, 0, MPI_BYTE, rank_, own_tag, packets_, &sent);
  bool moved = false;
  while (!sink.full()) {
    wait(sink, &nothing_else);
    if (nothing_else == MPI_REQUEST_NULL) break;
    take_bytes(sink);
    finish_sends();
    moved = true;
  }
  FG_MPI(MPI_Wait, &nothing_else, MPI_STATUS_IGNORE);
  FG_MPI(MPI_Wait, &sent, MPI_STATUS_IGNORE);
  if (!moved) nothing_since_ = MPI_Wtime();
  return moved;
}

}  // namespace fg::mpi

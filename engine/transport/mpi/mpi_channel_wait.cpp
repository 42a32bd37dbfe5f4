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

}  // namespace fg::mpi

// SPDX-License-Identifier: BSD-3-Clause
//
// Moves the parcels of one rank's part of a transform over MPI. A part has begin, done, sends,
// receives, unpack and proceed as a RankTransform has.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "fft/lines/line_batch.hpp"
#include "fft/mpi/communicator_copy.hpp"
#include "fft/mpi/travel.hpp"
#include "fft/parcel.hpp"
#include "transport/mpi/mpi_call.hpp"

namespace fg::fft {

template <class Real, class Part>
class ParcelDriver {
 public:
  ParcelDriver(std::shared_ptr<CommunicatorCopy> copy, int tag, Travel travel,
               std::unique_ptr<Part> part)
      : copy_(std::move(copy)), travel_(travel), tag_(tag), part_(std::move(part)) {
    int size = 0;
    FG_MPI(MPI_Comm_size, copy_->comm, &size);
    const auto ranks = static_cast<std::size_t>(size);
    for (Table* table : {&out_, &in_}) {
      table->counts.resize(ranks);
      table->places.resize(ranks);
    }
    receiving_.reserve(ranks);
    sending_.reserve(ranks);
    arrived_.resize(ranks);
  }

  void start(Direction direction, const void* from, void* to) {
    if (active_ || (travel_ == Travel::collective && copy_->in_collective))
      throw InternalError({.what = "a transform was started while another one goes on",
                           .hint = "wait for it, or use an object with messages for each"});
    active_ = true;
    copy_->in_collective = copy_->in_collective || travel_ == Travel::collective;
    part_->begin(direction, from, to);
    post();
  }

  bool test() {
    while (active_) {
      if (!take_arrivals()) return false;
      int left = 0;
      FG_MPI(MPI_Testall, static_cast<int>(sending_.size()), sending_.data(), &left,
             MPI_STATUSES_IGNORE);
      if (left == 0) return false;
      part_->proceed();
      post();
    }
    return true;
  }

  void wait() {
    mpi::Patience patience;
    while (!test()) patience.wait();
  }

  const Part& part() const noexcept { return *part_; }

 private:
  struct Table {  // of a collective call
    std::vector<int> counts, places;
  };

  MPI_Datatype type() const noexcept {
    return part_->bytes_of_number() == sizeof(float) ? MPI_FLOAT : MPI_DOUBLE;
  }
  int count_of(const Parcel& parcel) const noexcept {
    return static_cast<int>(parcel.bytes / part_->bytes_of_number());
  }

  void post() {
    if (part_->done()) {
      active_ = false;
      if (travel_ == Travel::collective) copy_->in_collective = false;
      return;
    }
    receiving_.clear();
    sending_.clear();
    missing_ = 0;
    travel_ == Travel::messages ? post_messages() : post_collective();
  }

  void post_messages() {
    for (const Parcel& parcel : part_->receives())
      FG_MPI(MPI_Irecv, parcel.data, count_of(parcel), type(), parcel.rank, tag_, copy_->comm,
             &receiving_.emplace_back(MPI_REQUEST_NULL));
    for (const Parcel& parcel : part_->sends())
      FG_MPI(MPI_Isend, parcel.data, count_of(parcel), type(), parcel.rank, tag_, copy_->comm,
             &sending_.emplace_back(MPI_REQUEST_NULL));
    missing_ = receiving_.size();
  }

  void post_collective() {
    const auto fill = [this](Table& table, std::span<const Parcel> parcels) {
      std::fill(table.counts.begin(), table.counts.end(), 0);
      std::fill(table.places.begin(), table.places.end(), 0);
      for (const Parcel& parcel : parcels) {
        const auto rank = static_cast<std::size_t>(parcel.rank);
        table.counts[rank] = count_of(parcel);
        table.places[rank] =
            static_cast<int>((parcel.data - parcels.front().data) /
                             static_cast<std::ptrdiff_t>(part_->bytes_of_number()));
      }
      return parcels.empty() ? nullptr : parcels.front().data;
    };
    std::byte* const from = fill(out_, part_->sends());
    std::byte* const to = fill(in_, part_->receives());
    FG_MPI(MPI_Ialltoallv, from, out_.counts.data(), out_.places.data(), type(), to,
           in_.counts.data(), in_.places.data(), type(), copy_->comm,
           &receiving_.emplace_back(MPI_REQUEST_NULL));
    missing_ = 1;
  }

  /// Unpacks what has arrived; whether that is all.
  bool take_arrivals() {
    if (missing_ == 0) return true;
    int count = 0;
    FG_MPI(MPI_Testsome, static_cast<int>(receiving_.size()), receiving_.data(), &count,
           arrived_.data(), MPI_STATUSES_IGNORE);
    if (count == MPI_UNDEFINED) count = 0;
    for (int i = 0; i < count; ++i) {
      if (travel_ == Travel::messages)
        part_->unpack(static_cast<std::size_t>(arrived_[static_cast<std::size_t>(i)]));
      else
        for (std::size_t k = 0; k < part_->receives().size(); ++k) part_->unpack(k);
    }
    missing_ -= static_cast<std::size_t>(count);
    return missing_ == 0;
  }

  std::shared_ptr<CommunicatorCopy> copy_;
  Travel travel_;
  int tag_;
  std::unique_ptr<Part> part_;
  bool active_ = false;
  std::vector<MPI_Request> receiving_, sending_;
  std::vector<int> arrived_;
  std::size_t missing_ = 0;
  Table out_, in_;
};

/// Throws InputError if numbers of the parcels of `part` could not be counted with an int, as MPI
/// does.
template <class Part>
void require_countable(const Part& part) {
  const std::size_t most = part.largest_exchange() / part.bytes_of_number();
  if (most <= static_cast<std::size_t>(std::numeric_limits<int>::max())) return;
  throw InputError({.what = "a rank would send too many numbers for one call of MPI",
                    .value = std::to_string(most),
                    .limit = std::to_string(std::numeric_limits<int>::max()),
                    .hint = "use a smaller batch or more ranks"});
}

}  // namespace fg::fft

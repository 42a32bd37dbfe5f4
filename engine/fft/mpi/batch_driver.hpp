// SPDX-License-Identifier: BSD-3-Clause
//
// Drives a batch of transforms over MPI as the groups of fields of batch_cut.hpp.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "fft/batch_cut.hpp"
#include "fft/mpi/parcel_driver.hpp"

namespace fg::fft {

template <class Real, class Part>
class BatchDriver {
 public:
  /// `parts`: one for the groups of each of `turns`. `apart`: the bytes from one field to the next
  /// in the array of points, and in that of waves.
  BatchDriver(const std::shared_ptr<CommunicatorCopy>& copy, Travel travel,
              const std::vector<BatchTurns>& turns, std::array<std::size_t, 2> apart,
              std::vector<std::unique_ptr<Part>> parts)
      : apart_(apart) {
    for (std::size_t k = 0; k < turns.size(); ++k)
      places_.push_back({std::make_unique<ParcelDriver<Real, Part>>(copy, take_tag(*copy), travel,
                                                                    std::move(parts[k])),
                         turns[k]});
  }

  bool one_group() const noexcept {
    return places_.size() == 1 && places_.front().turns.step >= places_.front().turns.end;
  }

  /// With several groups the numbers of one may not lie among those of another, unless `from` and
  /// `to` are two arrays.
  void start(Direction direction, const void* from, void* to) {
    if (active_)
      throw InternalError({.what = "a transform was started while another one goes on",
                           .hint = "wait for it, or use an object with messages for each"});
    direction_ = direction;
    from_ = static_cast<const std::byte*>(from);
    to_ = static_cast<std::byte*>(to);
    for (Place& place : places_) {
      place.next = place.turns.first;
      start_next(place);
    }
    active_ = true;
  }

  bool test() {
    if (!active_) return true;
    bool all = true;
    for (Place& place : places_) {
      bool done = place.driver->test();
      while (done && place.next < place.turns.end) {
        start_next(place);
        done = place.driver->test();
      }
      all = all && done;
    }
    active_ = !all;
    return all;
  }

  void wait() {
    mpi::Patience patience;
    while (!test()) patience.wait();
  }

  /// The part of one group.
  const Part& part() const noexcept { return places_.front().driver->part(); }

 private:
  struct Place {
    std::unique_ptr<ParcelDriver<Real, Part>> driver;
    BatchTurns turns;
    int next = 0;  // the field with which its next group begins
  };

  void start_next(Place& place) {
    const auto field = static_cast<std::size_t>(place.next);
    const bool forward = direction_ == Direction::forward;
    place.next += place.turns.step;
    place.driver->start(direction_, from_ + field * apart_[forward ? 0 : 1],
                        to_ + field * apart_[forward ? 1 : 0]);
  }

  std::array<std::size_t, 2> apart_;
  std::vector<Place> places_;
  bool active_ = false;
  Direction direction_ = Direction::forward;
  const std::byte* from_ = nullptr;
  std::byte* to_ = nullptr;
};

}  // namespace fg::fft

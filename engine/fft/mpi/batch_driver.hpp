// SPDX-License-Identifier: BSD-3-Clause
//
// Drives a batch of transforms over MPI as groups of fields. Some groups are under way at the same
// time, each at a place of its own: while the parcels of one travel, another is computed, and the
// numbers of a group stay in the cache between its passes. A place takes its groups one after the
// other, and the same ones on all ranks.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "fft/mpi/parcel_driver.hpp"

namespace fg::fft {

/// How many fields go together, and how many such groups are under way at the same time.
struct BatchCut {
  int together = 1;
  int places = 1;

  /// `bytes`: about those of a field on one rank; the same on all ranks, as the cut must be.
  static BatchCut of(int batch, std::size_t bytes, Travel travel) noexcept {
    // Only one collective call of a communicator may go on at a time.
    if (travel == Travel::collective) return {batch, 1};
    constexpr std::size_t room = 1 << 18;  // in a cache that also holds the parcels
    constexpr int most_places = 2;
    const int fit = static_cast<int>(std::min<std::size_t>(room / std::max<std::size_t>(bytes, 1),
                                                           static_cast<std::size_t>(batch)));
    const int together = std::max(fit, 1);
    return {together, std::min(most_places, batch / together)};
  }

  /// The fields of the groups that each need a part: one of each place, and what is left over.
  std::vector<int> groups(int batch) const {
    std::vector<int> fields(static_cast<std::size_t>(places), together);
    if (const int rest = batch % together; rest > 0) fields.push_back(rest);
    return fields;
  }
};

template <class Real, class Part>
class BatchDriver {
 public:
  /// `parts`: of the groups of each place, and then of what is left over, if anything is.
  /// `apart`: the bytes from one field to the next in the array of points, and in that of waves.
  BatchDriver(CommunicatorCopy& copy, Travel travel, int batch, BatchCut cut,
              std::array<std::size_t, 2> apart, std::vector<std::unique_ptr<Part>> parts)
      : apart_(apart) {
    const int rest = batch % cut.together;
    for (int k = 0; std::unique_ptr<Part> & part : parts) {
      auto driver =
          std::make_unique<ParcelDriver<Real, Part>>(copy, take_tag(copy), travel, std::move(part));
      const int first = k++ * cut.together;
      if (k > cut.places)
        places_.push_back({std::move(driver), batch - rest, rest, batch});
      else
        places_.push_back({std::move(driver), first, cut.places * cut.together, batch - rest});
    }
  }

  bool one_group() const noexcept {
    return places_.size() == 1 && places_.front().step >= places_.front().end;
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
      place.next = place.first;
      start_next(place);
    }
    active_ = true;
  }

  bool test() {
    if (!active_) return true;
    bool all = true;
    for (Place& place : places_) {
      bool done = place.driver->test();
      while (done && place.next < place.end) {
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

  /// Of one group.
  const Part& part() const noexcept { return places_.front().driver->part(); }

 private:
  struct Place {
    std::unique_ptr<ParcelDriver<Real, Part>> driver;
    int first, step, end;  // the fields with which its groups begin
    int next = 0;
  };

  void start_next(Place& place) {
    const auto field = static_cast<std::size_t>(place.next);
    const bool forward = direction_ == Direction::forward;
    place.next += place.step;
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

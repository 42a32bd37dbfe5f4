// SPDX-License-Identifier: BSD-3-Clause
//
// The parcels that a part of a transform awaits in an exchange. Others may be one exchange ahead;
// what comes too early is kept.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "fft/chares/transform_messages.hpp"
#include "fft/parcel.hpp"

namespace fg::fft {

class ParcelInbox {
 public:
  /// Exchanges that are over; the number of the one that goes on or comes next.
  std::int64_t& exchange() noexcept { return exchange_; }
  bool complete() const noexcept { return missing_ == 0; }
  bool awaiting() const noexcept { return awaiting_; }
  bool keeps_none() const noexcept { return early_.empty(); }

  /// Now `count` parcels, or other tidings, are awaited.
  void await(int count) noexcept {
    awaiting_ = true;
    missing_ = count;
  }
  void end_exchange() noexcept {
    awaiting_ = false;
    ++exchange_;
  }
  void all_here() noexcept { missing_ = 0; }

  /// Calls take(parcel) now, or keeps it for later. Returns whether it was taken.
  template <class Take>
  bool accept(Ref<const ParcelMessage> parcel, Take&& take) {
    if (!awaiting_ || parcel->exchange != exchange_) {
      early_.push_back(std::move(parcel));
      return false;
    }
    take(*parcel);
    --missing_;
    return true;
  }
  /// The same with what came before `await`.
  template <class Take>
  void accept_early_ones(Take&& take) {
    std::erase_if(early_, [&](const Ref<const ParcelMessage>& parcel) {
      if (parcel->exchange != exchange_) return false;
      take(*parcel);
      --missing_;
      return true;
    });
  }

  /// The one of `receives` of part `part` that comes from part `from`. They are in the order of
  /// their distance from this part, among `parts` in a ring.
  static std::size_t index_of(std::span<const Parcel> receives, int part, int parts,
                              const ParcelMessage& parcel) {
    const auto distance = [&](int from) { return (from - part + parts) % parts; };
    const auto found = std::partition_point(
        receives.begin(), receives.end(),
        [&](const Parcel& one) { return distance(one.rank) < distance(parcel.from); });
    FG_CHECK(found != receives.end() && found->rank == parcel.from &&
             found->bytes <= parcel.trailing_bytes());
    return static_cast<std::size_t>(found - receives.begin());
  }

 private:
  std::int64_t exchange_ = 0;
  bool awaiting_ = false;
  int missing_ = 0;
  std::vector<Ref<const ParcelMessage>> early_;
};

}  // namespace fg::fft

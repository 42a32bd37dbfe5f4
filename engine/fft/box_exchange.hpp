// SPDX-License-Identifier: BSD-3-Clause
//
// One exchange of a rank, from its box of one division of a grid to its box of another. Here are
// the parcels and their packing. A parcel holds the same piece of all fields of a batch, one after
// the other.
#pragma once

#include <span>
#include <vector>

#include "fft/parcel.hpp"
#include "fft/redistribution.hpp"
#include "fft/storage.hpp"
#include "fft/wire.hpp"

namespace fg::fft {

/// Copies a piece between two arrays of real or complex numbers.
template <class Real>
void copy_numbers(const GridBox& piece, bool real, const std::byte* from, const Layout& from_layout,
                  std::byte* to, const Layout& to_layout) noexcept;

template <class Real>
class BoxExchange {
 public:
  /// The boxes of all ranks on both sides; where this rank's numbers are before and after. `real`:
  /// they are real, else complex.
  BoxExchange(std::span<const GridBox> from, std::span<const GridBox> to, int rank,
              const Storage& before, const Storage& after, bool real, int batch,
              Wire wire = Wire::exact);

  const std::vector<Parcel>& sends() const noexcept { return sends_; }
  const std::vector<Parcel>& receives() const noexcept { return receives_; }
  /// The boxes of the parcels, and of what stays here.
  const Redistribution& pieces() const noexcept { return pieces_; }
  /// Each buffer has the room of its parcels.
  void place_parcels(std::byte* packed, std::byte* arrived) noexcept {
    place(sends_, packed);
    place(receives_, arrived);
  }

  /// `from` and `to` are the arrays of the first field, `parcel` has the bytes of sends()[k] or of
  /// receives()[k].
  void pack(std::size_t k, const std::byte* from, std::byte* parcel) const noexcept;
  void unpack(std::size_t k, const std::byte* parcel, std::byte* to) const noexcept;
  /// All of sends() to where they are placed.
  void pack(const std::byte* from) const noexcept {
    for (std::size_t k = 0; k < sends_.size(); ++k) pack(k, from, sends_[k].data);
  }
  /// Copies what stays here.
  void keep(const std::byte* from, std::byte* to) const noexcept;

 private:
  std::size_t distance(const Storage& storage, int field) const noexcept {
    return static_cast<std::size_t>(field) * storage.distance * element_size<Real>(real_);
  }
  std::size_t offset(const Parcel& parcel, int field) const noexcept {
    return static_cast<std::size_t>(field) * (parcel.bytes / static_cast<std::size_t>(batch_));
  }

  Storage before_, after_;
  bool real_;
  int batch_;
  Wire wire_;
  Redistribution pieces_;
  std::vector<Parcel> sends_, receives_;
};

extern template class BoxExchange<float>;
extern template class BoxExchange<double>;

}  // namespace fg::fft

// SPDX-License-Identifier: BSD-3-Clause
//
// A part of the points of a block of orbitals, R(s, p). It adds up their density. When the
// potential is there, it multiplies the orbitals by it. It keeps rows of the transforms, not
// points. Points are made turn by turn (fft/sphere/slab_points.hpp), for the density and again for
// the potential. They never leave the caches.
#pragma once

#include <complex>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "ab_initio/orders/messages.hpp"
#include "base/aligned_vector.hpp"
#include "fft/chares/transform_messages.hpp"
#include "fft/sphere/slab_points.hpp"
#include "runtime/runtime.hpp"

namespace fg::ab_initio {

struct OrbitalPointsSetup;

class OrbitalPoints final : public Chare<OrbitalPoints, 2> {
 public:
  static constexpr std::string_view array_name = "orbital-points";
  using Number = std::complex<double>;

  explicit OrbitalPoints(std::shared_ptr<const OrbitalPointsSetup> setup);

  /// The results of transforms: rows of two orbitals, or waves of them for the orbitals.
  void transformed(Ref<const fft::FieldMessage> result);
  void potential(Ref<const PotentialMessage> message);

 private:
  using Slab = fft::SlabPoints<double>;

  int block() const noexcept { return index()[0]; }
  int part() const noexcept { return index()[1]; }
  const Slab& slab() const noexcept;
  /// The d-th part of the density in this part.
  int density_part(std::size_t d) const noexcept;
  template <class Visit>
  void for_each_part(int turn, const Visit& visit) const;
  void add_up_density();
  void apply_potential();
  void charge_points(int transforms, double operations) const;

  std::shared_ptr<const OrbitalPointsSetup> setup_;
  int pairs_;
  int arrived_ = 0;
  std::int64_t next_ = 0;                     // number of the block's next transform
  std::int64_t evaluation_ = 0;               // the present one
  std::vector<Ref<fft::FieldMessage>> rows_;  // of each pair
  std::vector<Ref<const PotentialMessage>> potentials_;
  AlignedVector<double> turn_;  // density or potential of a turn, [y][x][width]
};

}  // namespace fg::ab_initio

// SPDX-License-Identifier: BSD-3-Clause
//
// A part of the points of a block of orbitals, R(s, p): adds up their density, keeps them until the
// potential is there, and multiplies them by it.
#pragma once

#include <complex>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "ab_initio/messages.hpp"
#include "base/aligned_vector.hpp"
#include "fft/chares/transform_messages.hpp"
#include "runtime/runtime.hpp"

namespace fg::ab_initio {

struct Setup;

class OrbitalPoints final : public Chare<OrbitalPoints, 2> {
 public:
  static constexpr std::string_view array_name = "orbital-points";
  using Number = std::complex<double>;

  explicit OrbitalPoints(std::shared_ptr<const Setup> setup);

  /// Of transforms: points of two orbitals, or waves of them for the orbitals.
  void transformed(Ref<const fft::FieldMessage> result);
  void potential(Ref<const PotentialMessage> message);

 private:
  int block() const noexcept { return index()[0]; }
  int part() const noexcept { return index()[1]; }
  void add_up_density();
  void apply_potential();

  std::shared_ptr<const Setup> setup_;
  int pairs_;
  int arrived_ = 0;
  std::int64_t next_ = 0;                             // number of the block's next transform
  std::int64_t evaluation_ = 0;                       // the present one
  std::vector<Ref<const fft::FieldMessage>> points_;  // of each pair
  std::vector<Ref<const PotentialMessage>> potentials_;
  AlignedVector<double> density_;
  AlignedVector<double> potential_;
  std::vector<std::int64_t> fixed_;
};

}  // namespace fg::ab_initio

// SPDX-License-Identifier: BSD-3-Clause
//
// A part of the points of a block of orbitals on the grid of splines. There orbitals meet the ions:
// these are the particle planes of the nonlocal part. From points it takes the products with
// projectors. When these have been summed over the parts, it makes points from them, which go back
// to the orbitals. With each product it keeps its gradient, from which forces follow without
// another transform.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "base/vec3.hpp"
#include "fft/chares/transform_messages.hpp"
#include "runtime/runtime.hpp"

namespace fg::ab_initio {

struct SplinePointsSetup;

/// Trailing: three numbers for each ion.
struct SplineForcesMessage : Message {};

class SplinePoints final : public Chare<SplinePoints, 2> {
 public:
  static constexpr std::string_view array_name = "spline-points";

  explicit SplinePoints(std::shared_ptr<const SplinePointsSetup> setup);

  /// The results of transforms: points of two orbitals, or waves for the orbitals.
  void transformed(Ref<const fft::FieldMessage> result);
  /// <projector|orbital>, summed over all parts.
  void projected(Ref<const ReductionMessage<double>> sums);
  /// Sends forces, and if it is wanted once more what the orbitals need for the virial.
  void forces(bool with_virial);

 private:
  int block() const noexcept { return index()[0]; }
  int part() const noexcept { return index()[1]; }
  void gather(const fft::FieldMessage& points);
  void start_back();
  void start_next();

  std::shared_ptr<const SplinePointsSetup> setup_;
  std::size_t orbitals_;
  int transforms_;               // of the block, in one direction
  int arrived_ = 0;              // points of this evaluation
  std::int64_t first_ = 0;       // transforms of the block before this round
  int started_ = 0;              // back
  std::int64_t evaluation_ = 0;  // the present one
  std::vector<double> z_;        // of these points [projectors][orbitals]
  std::vector<Vec3> gradients_;  // of z_ by the position of the ion
  std::vector<double> coupled_;  // D Z of all points
};

}  // namespace fg::ab_initio

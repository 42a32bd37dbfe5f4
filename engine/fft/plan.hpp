// SPDX-License-Identifier: BSD-3-Clause
//
// The stages of a distributed transform, without data. In each stage every rank has one box, whole
// along the axes that are transformed there. Between two stages points change rank. Forward goes
// from the first stage to the last one. It goes along z, y, x in this order whatever the boxes are.
// So the bits of the result do not depend on the boxes. Backward goes the other way.
//   forward   X(k) = sum_r x(r) exp(-2 pi i k.r / n)
//   backward  x(r) = sum_k X(k) exp(+2 pi i k.r / n)
// Both are unnormalised: forward and back multiply by the number of points.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "fft/decomposition.hpp"

namespace fg::fft {

/// `real`: numbers on one side are real. Only their waves with z = 0 .. n/2 are kept, since the
/// others are their conjugates.
enum class Kind { complex, real };

/// What all ranks agree on. `in` and `out` have one box a rank, in the grid of points and in the
/// grid of waves.
struct TransformBoxes {
  Grid grid{};
  Kind kind = Kind::complex;
  std::vector<GridBox> in;
  std::vector<GridBox> out;
  // At most one of these divides the boxes between them:
  std::optional<std::array<int, 2>> parts;  // pencils; a * b = ranks
  std::optional<std::array<int, 3>> mesh;   // lines_in_mesh; a * b * c = ranks
};

/// The grid of waves.
constexpr Grid waves_of(const Grid& grid, Kind kind) noexcept {
  return kind == Kind::real ? Grid{grid[0], grid[1], grid[2] / 2 + 1} : grid;
}

struct Stage {
  std::vector<GridBox> before;  // boxes of all ranks, of numbers as they arrive
  std::vector<GridBox> after;   // the same, but of waves after a transform of real numbers
  std::vector<int> axes;        // in the order of the forward transform
  bool arrives_real = false;    // numbers before are real
  bool leaves_real = false;     // numbers after are real
};

class TransformPlan {
 public:
  /// Throws InputError, the same on every rank. The reasons: the grid has no points, or more than
  /// 2^31 - 1 in a box; boxes do not cover it; parts do not fit the number of ranks.
  explicit TransformPlan(TransformBoxes boxes);

  const TransformBoxes& boxes() const noexcept { return boxes_; }
  int ranks() const noexcept { return static_cast<int>(boxes_.in.size()); }
  const std::vector<Stage>& stages() const noexcept { return stages_; }
  /// Arithmetic of a rank in a stage. A complex line of n points takes 5 n log2 n, and a real one
  /// half of it.
  double operations(std::size_t stage, int rank) const noexcept;
  /// The numbers of pencils between along two axes, if no mesh divides them.
  const std::array<int, 2>& parts() const noexcept { return parts_; }

 private:
  std::vector<GridBox> boxes_whole_along(int axis, bool real) const;

  TransformBoxes boxes_;
  std::array<int, 2> parts_{};
  std::vector<Stage> stages_;
};

}  // namespace fg::fft

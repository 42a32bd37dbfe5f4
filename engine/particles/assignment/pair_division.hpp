// SPDX-License-Identifier: BSD-3-Clause
//
// Which pair compute has which pairs of atoms, and the patches whose positions it needs for them.
// The computes are the elements of one array. Each has a home patch, in whose frame it works.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "particles/half_shell.hpp"
#include "particles/midpoints.hpp"
#include "particles/patch_grid.hpp"

namespace fg {

/// A pair of atoms belongs to the compute of one of their two patches, by the half shell
/// (half_shell_pairs.hpp), or to that of the cell of space with their midpoint
/// (midpoint_cells.hpp).
enum class PairAssignment { half_shell, midpoint };

/// A patch that a compute needs, as seen from its home patch.
struct PairSide {
  PatchIndex patch;
  PatchOffset offset;
};

/// The work of a compute.
struct PairPart {
  std::vector<PairSide> sides;  // the home patch first; none if the compute has nothing to do
  bool within_home = true;      // whether it has the pairs of atoms of the home patch
  /// All pairs of any sides whose midpoint is here. Without it, the home patch with the others.
  std::optional<MidpointCell> cell;
};

class PairDivision {
 public:
  using Element = std::array<int, 4>;

  virtual ~PairDivision() = default;

  /// The shape of the array of computes.
  const Element& shape() const noexcept { return shape_; }
  int computes() const noexcept { return shape_[0] * shape_[1] * shape_[2] * shape_[3]; }
  /// Row-major, as in the array.
  int number(const Element& e) const noexcept {
    return ((e[0] * shape_[1] + e[1]) * shape_[2] + e[2]) * shape_[3] + e[3];
  }
  Element element(int number) const noexcept {
    Element e{};
    for (std::size_t axis = e.size(); axis-- > 0; number /= shape_[axis])
      e[axis] = number % shape_[axis];
    return e;
  }

  /// Whether computes are cells of space. Then each PE should have about as much of them, near the
  /// patches that they need, and other objects of the row fill what is left.
  virtual bool in_space() const { return false; }
  virtual PatchIndex home(const Element& element) const = 0;
  virtual PairPart part(const Element& element) const = 0;
  /// The computes that need the positions of a patch, ascending, each once.
  virtual std::vector<Element> listeners(const PatchIndex& patch) const = 0;
  /// Whether a compute has anything to do. If not, it gets no messages.
  virtual bool exists(const Element& element) const = 0;

  /// The number of computes that have something to do, and so deposit energies.
  int depositors() const {
    int count = 0;
    for (int i = 0; i < computes(); ++i) count += exists(element(i)) ? 1 : 0;
    return count;
  }

 protected:
  PairDivision(const PatchGrid& grid, const Element& shape) : grid_(grid), shape_(shape) {}
  const PatchGrid& grid() const noexcept { return grid_; }

 private:
  PatchGrid grid_;
  Element shape_;
};

}  // namespace fg

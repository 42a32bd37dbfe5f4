// SPDX-License-Identifier: BSD-3-Clause
//
// A system that is one cell of atoms, repeated along the vectors of this cell. Some data do not
// change in a run: parameters, terms, fragments. They are stored for one copy and looked up by the
// number of an atom within its copy. So they take no more memory however many copies there are.
//
// Atoms are numbered copy by copy, and copies along z first, then y, then x. This is the order of
// ASE's `repeat` and of GROMACS's `genconf -nbox`.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <vector>

#include "base/box.hpp"
#include "base/vec3.hpp"

namespace fg {

class Copies {
 public:
  /// A system as it is: the number of an atom is that within its only copy.
  Copies() = default;
  /// `atoms`: the atoms of one copy.
  Copies(const Int3& repeat, int atoms) noexcept
      : repeat_(repeat), atoms_(atoms), count_(repeat.x * repeat.y * repeat.z) {}

  int count() const noexcept { return count_; }
  bool several() const noexcept { return count_ > 1; }
  const Int3& repeat() const noexcept { return repeat_; }

  int of_atom(int atom) const noexcept { return several() ? atom / atoms_ : 0; }
  int within(int atom) const noexcept { return several() ? atom % atoms_ : atom; }
  /// The first atom of the copy of this atom.
  int first_beside(int atom) const noexcept { return of_atom(atom) * atoms_; }

  /// Where a copy is, in vectors of the cell.
  Int3 place(int copy) const noexcept {
    const int row = copy / repeat_.z;
    return {row / repeat_.y, row % repeat_.y, copy % repeat_.z};
  }
  /// The copy that is so many cells away, round the box.
  int neighbour(int copy, const Int3& cells) const noexcept {
    const Int3 at = place(copy) + cells;
    const auto round = [](int i, int n) { return (i % n + n) % n; };
    return (round(at.x, repeat_.x) * repeat_.y + round(at.y, repeat_.y)) * repeat_.z +
           round(at.z, repeat_.z);
  }
  /// An atom of the copy that is so many cells away from that of `beside`.
  std::int32_t atom(std::int32_t beside, std::int32_t within, const Int3& cells) const noexcept {
    return neighbour(of_atom(beside), cells) * atoms_ + within;
  }

 private:
  Int3 repeat_{1, 1, 1};
  int atoms_ = 0;
  int count_ = 1;
};

/// The cell of all copies of a cell, reduced.
Box repeated(const Box& cell, const Int3& repeat) noexcept;

/// The cells from one position to the nearest image of another: 0 along each vector if none of its
/// images is nearer.
Int3 cells_between(const Box& cell, const Vec3& from, const Vec3& to) noexcept;

/// The cells of the atoms of a term, each counted from the first. Every atom is taken to be in the
/// cell where it is nearest to the atom before it.
template <std::size_t n>
std::array<Int3, n> cells_of_term(const Box& cell, std::span<const Vec3> positions,
                                  const std::array<std::int32_t, n>& atoms) noexcept {
  std::array<Int3, n> cells{};
  for (std::size_t k = 1; k < n; ++k)
    cells[k] = cells[k - 1] + cells_between(cell, positions[static_cast<std::size_t>(atoms[k - 1])],
                                            positions[static_cast<std::size_t>(atoms[k])]);
  return cells;
}

/// The numbers of some atoms of one copy: those within it, and the copy's first atom added.
class AtomsOfCopy {
 public:
  class Iterator {
   public:
    using value_type = std::int32_t;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::input_iterator_tag;
    using pointer = void;
    using reference = std::int32_t;

    Iterator() = default;
    Iterator(const std::int32_t* at, std::int32_t first) noexcept : at_(at), first_(first) {}
    std::int32_t operator*() const noexcept { return *at_ + first_; }
    Iterator& operator++() noexcept {
      ++at_;
      return *this;
    }
    Iterator operator++(int) noexcept { return {at_++, first_}; }
    bool operator==(const Iterator& other) const noexcept { return at_ == other.at_; }

   private:
    const std::int32_t* at_ = nullptr;
    std::int32_t first_ = 0;
  };

  AtomsOfCopy(std::span<const std::int32_t> within, std::int32_t first) noexcept
      : within_(within), first_(first) {}

  std::size_t size() const noexcept { return within_.size(); }
  std::int32_t operator[](std::size_t i) const noexcept { return within_[i] + first_; }
  Iterator begin() const noexcept { return {within_.data(), first_}; }
  Iterator end() const noexcept { return {within_.data() + within_.size(), first_}; }
  /// The same atoms by their numbers within the copy.
  std::span<const std::int32_t> within() const noexcept { return within_; }

 private:
  std::span<const std::int32_t> within_;
  std::int32_t first_;
};

}  // namespace fg

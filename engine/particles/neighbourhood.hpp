// SPDX-License-Identifier: BSD-3-Clause
//
// A home patch and some partners, copied into one frame and laid out for the pair kernels. A quad
// (four atoms) is one block of 36 numbers: four each of x, y, z, charge, half_sigma, root_epsilon
// and the three force components. So one offset addresses all of it. Lengths are multiplied by the
// kernel's scale when they are copied (half_sigma too), and are relative to the home patch's
// centre. The kernel adds forces in its own units. The quads lie in memory that the caller lends
// (lay_out). Many neighbourhoods can use the same memory, one after the other. Then it stays in a
// near cache.
#pragma once

#include <cstdint>
#include <span>

#include "base/aligned_vector.hpp"
#include "base/vec3.hpp"
#include "particles/patch_block.hpp"

namespace fg {

/// Numbers per quad, and the offset of each quantity in it.
namespace quad {
inline constexpr int lanes = 4, x = 0, y = 4, z = 8, charge = 12, half_sigma = 16,
                     root_epsilon = 20, force_x = 24, force_y = 28, force_z = 32, stride = 36;
/// Where a table gives the parameters of pairs, the atom's type is in this place.
inline constexpr int type = half_sigma;
}  // namespace quad

/// `shift` is the vector from the home patch's centre to that of the partner's image.
template <class Real>
struct Partner {
  PatchBlockView<Real> block;
  Vec3 shift;
};

template <class Real>
class Neighbourhood {
 public:
  /// partners[0] is the home patch. Charges and parameters of blocks must live until the next call,
  /// all else of them only until lists are built. `typed`: blocks hold types, which are no lengths.
  void set_partners(std::span<const Partner<Real>> partners, double length_scale,
                    bool typed = false);

  /// The quads lie in `data` until the next call; it grows if it has to. Their content is undefined
  /// until set_positions.
  void lay_out(AlignedVector<Real>& data);

  /// Copies the coordinates and parameters of the partner's quads that are in use, and sets their
  /// forces to zero.
  void set_positions(int partner, const Real* positions) noexcept;

  /// Selects the quads that set_positions copies: all by default, or only those that a list
  /// touches.
  void use_only(std::span<const std::uint8_t> quads) noexcept;
  /// Whether set_positions copies anything of the partner.
  bool uses(int partner) const noexcept { return partner_used_[partner] != 0; }

  int partners() const noexcept { return static_cast<int>(partners_.size()); }
  const Partner<Real>& partner(int p) const noexcept { return partners_[p]; }
  /// The quads of partner p are [first_quad(p), first_quad(p + 1)).
  std::int32_t first_quad(int p) const noexcept { return first_quad_[p]; }
  std::int32_t quads() const noexcept { return first_quad_.back(); }
  std::int32_t home_quads() const noexcept { return first_quad_[1]; }
  /// One more quad, far away and without charge, which fills up lists.
  std::int32_t blank_quad() const noexcept { return quads(); }

  double length_scale() const noexcept { return length_scale_; }
  Real* data() noexcept { return data_; }
  const Real* data() const noexcept { return data_; }

  /// The atoms in a quad, always in its first lanes, and those of them with epsilon != 0, also
  /// first.
  std::uint8_t atoms_in(std::int32_t quad) const noexcept { return atoms_in_[quad]; }
  std::uint8_t lennard_jones_in(std::int32_t quad) const noexcept {
    return lennard_jones_in_[quad];
  }

 private:
  std::vector<Partner<Real>> partners_;
  std::vector<std::int32_t> first_quad_{0, 0};
  Real* data_ = nullptr;  // [quads + 1][36]
  std::vector<std::uint8_t> atoms_in_;
  std::vector<std::uint8_t> lennard_jones_in_;
  std::vector<std::uint8_t> cluster_used_;  // [quads / 2]
  std::vector<std::uint8_t> partner_used_;  // [partners]
  double length_scale_ = 1, sigma_scale_ = 1;
};

}  // namespace fg

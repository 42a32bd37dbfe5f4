// SPDX-License-Identifier: BSD-3-Clause
//
// The phases by which messages between processes are counted.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace fg::ab_initio {

/// Orders of the leader to the objects. Rows of orbitals to their points, and back. The density of
/// each block. Rows and points of the density. The potential. Sums of products with projectors.
/// Splines of ions and of projectors. Blocks of orbitals to pair calculators. Their overlaps to the
/// tiles. What tiles send each other. Matrices to pair calculators. Products to orbitals. Sums to
/// the leader.
inline constexpr std::array<std::string_view, 13> phases_of_traffic{
    "orders", "orbital rows", "density sums", "density rows", "potential", "projectors", "splines",
    "blocks", "overlaps",     "tiles",        "matrices",     "products",  "sums"};

/// Their numbers.
namespace traffic {
enum Phase : std::size_t {
  to_objects,
  orbital_rows,
  density_sums,
  density_rows,
  potentials,
  projections,
  splines,
  blocks,
  overlaps,
  between_tiles,
  matrices,
  products,
  to_leader
};

}  // namespace traffic

}  // namespace fg::ab_initio

// SPDX-License-Identifier: BSD-3-Clause
//
// What pair calculators do with the blocks of each order. The numbers are those of the vectors that
// the block has.
#pragma once

#include "ab_initio/orders/messages.hpp"

namespace fg::ab_initio::block_work {

using enum Overlap::Tiles;

inline constexpr BlockWork matrix_only{};  // combine, turn, step
inline constexpr BlockWork own_overlaps{.count = 1, .overlaps = {{{0, 0, half}}}};  // psi or chi
inline constexpr BlockWork gradient{
    .count = 1, .overlaps = {{{0, 1, half}}}, .on_the_right = 1};  // psi, H psi
inline constexpr BlockWork direction{.count = 2,
                                     .overlaps = {{{0, 1, all}, {1, 1, half}}}};  // psi, d
inline constexpr BlockWork subspace{.count = 2,                                   // a, b, H b
                                    .overlaps = {{{0, 1, all}, {0, 2, all}}},
                                    .on_the_right = 2,
                                    .awaits_matrix = false};
// c / m, c moved: A, B and C of electrons/matrices/orthonormality_forces.hpp.
inline constexpr BlockWork drift{.count = 3,
                                 .overlaps = {{{1, 1, half}, {0, 1, all}, {0, 0, half}}}};
inline constexpr BlockWork free_force{.count = 1, .overlaps = {{{1, 0, half}}}};  // H psi, psi
inline constexpr BlockWork project{.count = 2,                                    // c, v, c / m
                                   .overlaps = {{{0, 1, all}, {0, 2, half}}},
                                   .on_the_right = 2,
                                   .awaits_matrix = false};
inline constexpr BlockWork reset{.count = 1, .overlaps = {{{1, 0, all}}}};  // v, chi

}  // namespace fg::ab_initio::block_work

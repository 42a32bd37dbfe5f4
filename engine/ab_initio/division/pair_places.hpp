// SPDX-License-Identifier: BSD-3-Clause
//
// The pair calculators that work at the same place. Calculators of a part of the waves are dealt
// out to as many places as there are blocks of orbitals, group by group. A place then has all
// products of its blocks with few groups. A block is wanted at the places of its group and at those
// of its columns. With 64 blocks and 4 groups these are 19 places. If a place had all groups of one
// block, it would be wanted at all 64.
#pragma once

namespace fg::ab_initio {

struct PairPlace {
  int place;   // below the number of blocks
  int number;  // among those of the place; below the number of groups
};

/// The place of block `block` against group `group`. With one group it is the place of the block.
constexpr PairPlace pair_place(int block, int group, int blocks, int groups) noexcept {
  const int number = group * blocks + block;
  return {number / groups, number % groups};
}

}  // namespace fg::ab_initio

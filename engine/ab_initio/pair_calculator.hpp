// SPDX-License-Identifier: BSD-3-Clause
//
// Products of orbitals: a pair calculator (b, c, p) has, of part p, block b and the blocks of group
// c. It computes the overlaps of these blocks with b, and multiplies them by the columns b of a
// matrix. With one group it has the blocks of all orbitals, which inside a process are shared and
// not copied.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "ab_initio/messages.hpp"
#include "runtime/runtime.hpp"

namespace fg::ab_initio {

struct Setup;

/// Of a symmetric matrix of overlaps only half of the tiles are computed: each block has the tiles
/// with about half of the others.
constexpr bool computes_tile(int a, int b, int blocks) noexcept {
  const int ahead = (b - a + blocks) % blocks;
  return 2 * ahead < blocks || (2 * ahead == blocks && a < b);
}

class PairCalculator final : public Chare<PairCalculator, 3> {
 public:
  static constexpr std::string_view array_name = "pair-calculators";

  explicit PairCalculator(std::shared_ptr<const Setup> setup);

  void block(Ref<const BlockMessage> message);
  void matrix(Ref<const MatrixMessage> message);

 private:
  void overlap();
  void multiply();
  void drop_blocks() noexcept;

  std::shared_ptr<const Setup> setup_;
  std::vector<Ref<const BlockMessage>> blocks_;  // of the group, then b if it is not among them
  int arrived_ = 0;
  Ref<const MatrixMessage> matrix_;
  std::vector<double> overlaps_;
  std::vector<const double*> rows_;  // of the blocks
};

}  // namespace fg::ab_initio

// SPDX-License-Identifier: BSD-3-Clause
//
// Matrices of all orbitals: collects their tiles, and sends back what the orbitals are to be
// multiplied with.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "ab_initio/messages.hpp"
#include "ab_initio/spin_blocks.hpp"
#include "electrons/inverse_square_root.hpp"
#include "runtime/runtime.hpp"

namespace fg::ab_initio {

struct Setup;

class Ortho final : public Chare<Ortho, 1> {
 public:
  static constexpr std::string_view array_name = "ortho";

  explicit Ortho(std::shared_ptr<const Setup> setup);

  void order(Ref<const OrderMessage> message);
  /// Tiles of one pair calculator, summed over all parts.
  void tiles(Ref<const ReductionMessage<double>> sums);

  /// After a run: the eigenvalues of the last <psi|H|psi>, rising for each spin.
  std::vector<double> eigenvalues() const;

 private:
  void work();
  void step();
  bool all_tiles_are_here() const noexcept;
  std::vector<double> eigenvalues_of(std::vector<double> matrix) const;
  double highest_of(const std::vector<double>& matrix) const;
  void send(std::span<const double> matrix, double top = 0);
  void take(std::span<const double> tiles, int column, int group);

  std::shared_ptr<const Setup> setup_;
  int n_;
  Ref<const OrderMessage> order_;
  int arrived_ = 0;
  std::vector<double> first_, second_;  // the matrices that arrive
  std::vector<double> lambda_;          // <psi|H|psi>
  std::vector<double> spread_;          // <direction|direction>
  SubspaceOfSpins subspace_;            // of atomic orbitals
  electrons::InverseSquareRoot inverse_root_;
};

}  // namespace fg::ab_initio

// SPDX-License-Identifier: BSD-3-Clause
//
// What the objects of this room get from the assembly: constants that they share, and the ways to
// other objects. These are filled in after all arrays have been created and before anything runs.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "ab_initio/division/basis.hpp"
#include "ab_initio/division/matrix_tiles.hpp"
#include "ab_initio/matrices/ortho.hpp"
#include "ab_initio/matrices/pair_calculator.hpp"
#include "ab_initio/orders/messages.hpp"
#include "runtime/runtime.hpp"

namespace fg::ab_initio {

struct PairCalculatorSetup {
  const Basis* basis = nullptr;
  MatrixPieces pieces;
  int matrices_of_order = 2;                  // that an order may need at once
  std::vector<Reduction<double>> piece_sums;  // by piece
  /// Sends a product to the orbitals of this block and part.
  std::function<void(int block, int part, Ref<const ProductMessage> product)> send_product;
};

/// How tile (0, 0) tells the leader what it has found, by the number of the order.
struct LeaderVoice {
  std::function<void(std::int64_t order, double value)> largest_spread;
  std::function<void(std::int64_t order, Ref<const MotionReport> report)> motion_report;
  std::function<void(std::int64_t order, Ref<const OrbitalEnergiesMessage> energies)>
      orbital_energies;
};

struct OrthoSetup {
  const Job* job = nullptr;
  const Basis* basis = nullptr;
  int atomic_orbitals = 0;
  MatrixTiles matrix_tiles{1, 0};
  MatrixPieces pieces;
  int matrices_of_order = 2;
  Section<PairCalculator> all_pairs;
  std::vector<Section<PairCalculator>> listeners_of_tile;  // by ordinal
  std::vector<Section<Ortho>> tile_rows, tile_columns;
  Reduction<double> residuals, deviations;  // of inverse square roots in tiles
  LeaderVoice leader;

  /// The start from atomic orbitals needs it.
  SubspaceOfSpins subspace() const { return {*basis, atomic_orbitals}; }
};

}  // namespace fg::ab_initio

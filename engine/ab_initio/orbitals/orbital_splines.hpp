// SPDX-License-Identifier: BSD-3-Clause
//
// The waves of a block of orbitals on their way to the grid of splines and back. This is the part
// of Orbitals in the nonlocal part by splines. What comes back is used in the order of its numbers,
// and not in the order of arrival. So sums have the same bits.
#pragma once

#include <complex>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/virial.hpp"
#include "fft/chares/transform_messages.hpp"

namespace fg::ab_initio {

struct OrbitalsSetup;

class OrbitalSplines {
 public:
  using Number = std::complex<double>;
  using Block = std::span<const Number>;

  OrbitalSplines(const OrbitalsSetup& setup, int block, int part);

  /// Starts the first transforms of an evaluation; the block is [orbitals][waves].
  void begin(Block block);
  /// Starts the next one, if there is one left.
  void go_on(Block block);

  /// Called before results of a virial arrive.
  void expect_virial();
  /// Whether the results are those of a virial, and not of an evaluation.
  bool finds_virial() const noexcept { return virial_; }
  /// Takes a result: adds it to H psi, or, of a virial, to its weights. Whether it was the last.
  bool take(Ref<const fft::FieldMessage> result, Block block, std::span<Number> applied);
  /// When all results have arrived.
  void add_virial(Virial& virial);

 private:
  void use(const fft::FieldMessage& result, Block block, std::span<Number> applied);
  void charge_waves(int k, double operations_each) const;

  const OrbitalsSetup* setup_;
  int block_, part_;
  int transforms_;  // of the block, in one direction
  std::size_t orbitals_;
  int started_ = 0;
  std::int64_t first_ = 0;  // transforms of the block before those that are on their way
  int used_ = 0;            // results
  bool virial_ = false;
  std::vector<Ref<const fft::FieldMessage>> early_;
  std::vector<double> weights_;  // of a virial [channels][waves]
};

}  // namespace fg::ab_initio

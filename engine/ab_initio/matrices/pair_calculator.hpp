// SPDX-License-Identifier: BSD-3-Clause
//
// Products of orbitals. A pair calculator (b, c, k) has block b and the blocks of group c, on the
// waves of chunk k. It computes the overlaps of these blocks with b, and multiplies them by the
// columns b of a matrix. With one group it has the blocks of all orbitals, which inside a process
// are shared and not copied. Chunks divide the parts of the waves (Basis::waves_of_chunk).
#pragma once

#include <complex>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "ab_initio/orders/messages.hpp"
#include "electrons/matrices/row_products.hpp"
#include "runtime/runtime.hpp"

namespace fg::ab_initio {

struct PairCalculatorSetup;

class PairCalculator final : public Chare<PairCalculator, 3> {
 public:
  static constexpr std::string_view array_name = "pair-calculators";

  explicit PairCalculator(std::shared_ptr<const PairCalculatorSetup> setup);

  void block(Ref<const BlockMessage> message);
  void matrix(Ref<const MatrixMessage> message);

 private:
  void overlap();
  const std::complex<double>* on_the_right(int which, std::size_t size) const;
  void find_left(const Overlap& one, double* to);
  void send_overlaps();
  void take_matrix();
  void find_rows(const fft::Range& blocks, int which);
  void multiply();
  void drop_blocks() noexcept;
  bool is_complete() const noexcept;
  const BlockWork& work() const noexcept { return blocks_.front()->work; }
  std::size_t waves() const noexcept;
  std::ptrdiff_t zero() const noexcept;

  std::shared_ptr<const PairCalculatorSetup> setup_;
  std::vector<Ref<const BlockMessage>> blocks_;  // of the group, then b if it is not among them
  Ref<const BlockMessage> on_the_right_;         // vectors of b for its columns only
  int arrived_ = 0;
  MatrixShare share_;                               // rows of the group, columns of b
  std::vector<Ref<const MatrixMessage>> matrices_;  // tiles, or one whole matrix
  std::size_t covered_ = 0;                         // numbers of the share that are in them
  std::vector<double> overlaps_;                    // shares of two or three matrices
  std::vector<const double*> rows_;                 // of the blocks
  std::vector<electrons::InnerRow> left_;           // of the blocks, with their overlaps
  std::vector<double> piece_;                       // with its number; as large as the largest
  std::vector<double> matrix_;                      // shares, put together from tiles
};

}  // namespace fg::ab_initio

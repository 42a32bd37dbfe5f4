// SPDX-License-Identifier: BSD-3-Clause
//
// Matrices of all orbitals, in tiles O(i, j). Each tile collects its overlaps from the pair
// calculators. It sends back the matrix with which the orbitals are to be multiplied. All tiles
// together compute products and the inverse square roots of an iteration (ortho_products.cpp).
//
// Tile (0, 0) alone computes eigenvalues, and what is needed only at the beginning; the others send
// it their numbers. LAPACK needs the whole matrix, and so far its share of the time is small. A
// single tile does everything without a message.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "ab_initio/division/matrix_tiles.hpp"
#include "ab_initio/division/spin_blocks.hpp"
#include "ab_initio/orders/messages.hpp"
#include "ab_initio/orders/orders.hpp"
#include "electrons/matrices/inverse_square_root.hpp"
#include "electrons/matrices/orthonormality_forces.hpp"
#include "electrons/orbitals/velocity_repair.hpp"
#include "runtime/runtime.hpp"

namespace fg::ab_initio {

struct OrthoSetup;

class Ortho final : public Chare<Ortho, 2> {
 public:
  static constexpr std::string_view array_name = "ortho";
  using Matrix = std::vector<double>;

  explicit Ortho(std::shared_ptr<const OrthoSetup> setup);

  /// Takes part in one order after the other. No order waits for a tile without a part in it. So
  /// the next order may come to this tile before this one has ended. So orders are tagged with the
  /// number of orders before them.
  Task life();

  // Orders of the leader.
  void subspace(Ref<const SubspaceOrder> order);
  void combine(Ref<const CombineOrder> order);
  void orthonormalise(std::int64_t number);
  void turn(std::int64_t number);
  void gradient(std::int64_t number);
  void direction(std::int64_t number);
  void step(Ref<const StepOrder> order);
  void drift(Ref<const DriftOrder> order);
  void free_drift(Ref<const DriftOrder> order);
  void free_force(Ref<const FreeForceOrder> order);
  void project(Ref<const MotionOrder> order);
  void reset(Ref<const MotionOrder> order);
  void finish() {}

  /// A piece of two matrices, summed over all parts; tagged with the number of the order.
  void sums(Ref<const ReductionMessage<double>> sums);

  /// Between tiles; tagged with their number, which is the same in all tiles.
  void left(Ref<const TileMessage> factor);
  void right(Ref<const TileMessage> factor);
  void across(Ref<const TileMessage> tile) { across_ = std::move(tile); }
  void gathered(Ref<const TileMessage> tile);
  void highest(double value) { top_ = value; }
  void residual(Ref<const ReductionMessage<double>> square);
  void deviation(Ref<const ReductionMessage<double>> largest);
  /// Called for tile (0, 0): sends its eigenvalues to the leader, tagged with this number.
  void tell_eigenvalues(std::int64_t number);

  /// The eigenvalues of the last <psi|H|psi>, which tile (0, 0) has after a run, rising for each
  /// spin.
  std::vector<double> eigenvalues() const;
  /// The matrix <psi|H|psi> itself, which tile (0, 0) has, by rows.
  std::span<const double> energies() const noexcept { return is_alone() ? lambda_ : whole_lambda_; }

 private:
  struct Product;
  struct Motion;

  bool is_corner() const noexcept { return ordinal() == 0; }
  bool is_alone() const noexcept { return setup_side_ == 1; }
  bool on_diagonal() const noexcept { return index()[0] == index()[1]; }
  std::vector<double> eigenvalues_of(const Matrix& matrix) const;
  double highest_of(const Matrix& matrix) const;
  void compute_root(const Matrix& of, Matrix& root);

  void begin(std::int64_t number, Task what);
  Task add_to_subspace(int set, int other);
  Task send_subspace(int set);
  Task send_root();
  Task send_eigenvectors();
  Task send_energies();
  Task project_direction();
  Task send_root_of_step(double length, double spread);

  // The steps of a dynamics (ortho_motion.cpp).
  std::shared_ptr<Motion> make_motion() const;
  Task find_constraint(std::int64_t step);
  Task find_root_of_free(std::int64_t step);
  Task find_free_force(bool orthonormal, std::int64_t step);
  Task find_kinetic_part(std::int64_t step);
  Task find_velocities(std::int64_t step);
  Task find_root_of_tiles(bool* found);
  Task send_free_force_of_tiles();
  template <class Find>
  void in_corner(std::int64_t step, const Find& find);
  void begin_motion();
  void make_whole(Matrix& matrix) const;
  void constrain(Matrix& a, const Matrix& b, Matrix& c);
  void find_kinetic(const Matrix& overlaps, Matrix& m);
  void find_root(Matrix& overlaps);
  void send_free_force(Matrix& energies, bool orthonormal);
  void repair_velocities(Matrix& overlaps);
  void report_motion(double deviation, int iterations, double kinetic);

  Task exchange(const Matrix* tile);
  Task make_symmetric(Matrix* tile);
  Task average(Matrix* tile);
  Task gather(const Matrix* tile, Matrix* whole);
  Task gather_sums(int matrices);
  // What has arrived, in tile (0, 0): of all orbitals.
  Matrix& whole_first() noexcept { return is_alone() ? first_ : whole_; }
  Matrix& whole_second() noexcept { return is_alone() ? second_ : whole_second_; }
  Matrix& whole_third() noexcept { return is_alone() ? third_ : whole_third_; }
  Task multiply(Product product);
  Task add_squares(const Matrix* tile);
  Task inverse_root(bool* found);
  void add_unit(double value, Matrix& tile) const noexcept;

  void send_tile(const Matrix& tile, double top = 0);
  void send_tiles(const Matrix& first, const Matrix& second);
  void send_whole(std::span<const double> whole, int matrices = 1);
  Ref<TileMessage> message_of(const Matrix& tile, int place) const;

  std::shared_ptr<const OrthoSetup> setup_;
  int setup_side_;  // tiles along a side
  int n_;           // orbitals
  MatrixShare share_;
  int pieces_;               // that arrive for an order
  Task what_;                // the present order asks for
  std::int64_t number_ = 0;  // of the present order
  std::int64_t orders_ = 0;
  Matrix first_, second_;  // what arrives, and results
  Matrix third_;           // of a dynamics
  Matrix lambda_;          // <psi|H|psi>
  Matrix spread_;          // <direction|direction>

  // Several tiles use these:
  std::int64_t turn_ = 0;       // number of what they do together
  Matrix y_, z_, r_, product_;  // of the iteration for inverse square roots
  std::vector<Ref<const TileMessage>> left_, right_;
  Ref<const TileMessage> across_;
  double top_ = 0, residual_ = 0, deviation_ = 0;
  // S and S^(-1/2) of free orbitals, once all tiles have found them.
  bool has_root_ = false;
  Matrix overlaps_tile_, root_tile_;

  // Whole matrices of tile (0, 0); the first three are only for several tiles.
  Matrix whole_, whole_second_, whole_third_, whole_lambda_;
  Matrix* gather_to_ = nullptr;
  SubspaceOfSpins subspace_;  // of atomic orbitals
  electrons::InverseSquareRoot inverse_root_;
  std::shared_ptr<Motion> motion_;
};

}  // namespace fg::ab_initio

// SPDX-License-Identifier: BSD-3-Clause
//
// Matrices of a dynamics. All tiles compute what free orbitals need in each step, as long as the
// overlaps are near 1. Tile (0, 0) computes all else, such as forces of constraint; the others send
// it their numbers.
#include <algorithm>
#include <cmath>
#include <utility>

#include "ab_initio/division/costs.hpp"
#include "ab_initio/job/job.hpp"
#include "ab_initio/matrices/ortho.hpp"
#include "ab_initio/matrices/ortho_product.hpp"
#include "ab_initio/matrices/setups.hpp"
#include "ab_initio/results/dynamics_limits.hpp"
#include "electrons/matrices/blas.hpp"
#include "runtime/simulated/simulated_time.hpp"

namespace fg::ab_initio {

/// What only tile (0, 0) of a dynamics has.
struct Ortho::Motion {
  explicit Motion(int n)
      : constraint(n),
        repair(n),
        overlaps(static_cast<std::size_t>(n) * static_cast<std::size_t>(n)),
        root(overlaps.size()),
        result(2 * overlaps.size()) {}

  electrons::OrthonormalityForces constraint;
  electrons::VelocityRepair repair;
  Matrix overlaps, root;  // S and S^(-1/2) of free orbitals
  Matrix result;          // one matrix or two
};

std::shared_ptr<Ortho::Motion> Ortho::make_motion() const {
  const bool moves = setup_->job->dynamics.kind == DynamicsKind::car_parrinello;
  return moves && is_corner() ? std::make_shared<Motion>(n_) : nullptr;
}

void Ortho::begin_motion() {
  for (Matrix* one : {&motion_->overlaps, &motion_->root}) {
    std::fill(one->begin(), one->end(), 0.0);
    for (std::size_t i = 0; i < one->size(); i += static_cast<std::size_t>(n_) + 1) (*one)[i] = 1;
  }
}

void Ortho::drift(Ref<const DriftOrder> order) {
  begin(order->number, find_constraint(order->step));
}

void Ortho::free_drift(Ref<const DriftOrder> order) {
  begin(order->number, find_root_of_free(order->step));
}

void Ortho::free_force(Ref<const FreeForceOrder> order) {
  begin(order->number, find_free_force(order->orthonormal, order->step));
}

void Ortho::project(Ref<const MotionOrder> order) {
  begin(order->number, find_kinetic_part(order->step));
}

void Ortho::reset(Ref<const MotionOrder> order) {
  begin(order->number, find_velocities(order->step));
}

/// What tile (0, 0) alone finds from whole matrices.
template <class Find>
void Ortho::in_corner(std::int64_t step, const Find& find) {
  if (!is_corner()) return;
  const PhaseTimer timer(ortho_phase);
  try {
    find();
  } catch (const NumericsError& error) {
    throw at_step(error, step, *setup_->job, {});
  }
}

Task Ortho::find_constraint(std::int64_t step) {
  co_await when<&Ortho::sums>(number_, pieces_);
  co_await gather_sums(3);
  in_corner(step, [this] { constrain(whole_first(), whole_second(), whole_third()); });
}

Task Ortho::find_kinetic_part(std::int64_t step) {
  co_await when<&Ortho::sums>(number_, pieces_);
  co_await gather_sums(2);
  in_corner(step, [this] { find_kinetic(whole_first(), whole_second()); });
}

// All tiles find together what free orbitals need, if they can. What they decide is the same in all
// of them.

Task Ortho::find_root_of_free(std::int64_t step) {
  co_await when<&Ortho::sums>(number_, pieces_);
  if (!is_alone()) {
    co_await find_root_of_tiles(&has_root_);
    if (has_root_) co_return;
  }
  co_await gather_sums(1);
  in_corner(step, [this] { find_root(whole_first()); });
}

Task Ortho::find_free_force(bool orthonormal, std::int64_t step) {
  co_await when<&Ortho::sums>(number_, pieces_);
  if (!is_alone() && orthonormal) {
    has_root_ = true;
    for (Matrix* tile : {&overlaps_tile_, &root_tile_}) {
      std::fill(tile->begin(), tile->end(), 0.0);
      add_unit(1, *tile);
    }
  }
  if (has_root_) {
    co_await send_free_force_of_tiles();
    co_return;
  }
  co_await gather_sums(1);
  in_corner(step, [this, orthonormal] { send_free_force(whole_first(), orthonormal); });
}

Task Ortho::find_velocities(std::int64_t step) {
  co_await when<&Ortho::sums>(number_, pieces_);
  if (has_root_) {
    co_await gather(&overlaps_tile_, is_corner() ? &motion_->overlaps : nullptr);
    co_await gather(&root_tile_, is_corner() ? &motion_->root : nullptr);
  }
  co_await gather_sums(1);
  in_corner(step, [this] { repair_velocities(whole_first()); });
}

Task Ortho::find_root_of_tiles(bool* found) {
  *found = false;
  co_await make_symmetric(&first_);
  overlaps_tile_ = first_;
  add_unit(-1, first_);
  double deviation = 0;
  for (const double x : first_) deviation = std::max(deviation, std::abs(x));
  const std::int64_t turn = turn_++;
  setup_->deviations.contribute(*this, turn, {deviation});
  co_await when<&Ortho::deviation>(turn);
  co_await add_squares(&first_);
  if (residual_ < electrons::InverseSquareRoot::farthest) co_await inverse_root(found);
  if (!*found) {
    first_ = overlaps_tile_;
    co_return;
  }
  root_tile_ = second_;
  send_tile(root_tile_);
  if (is_corner()) report_motion(deviation_, 0, 0);
}

void Ortho::deviation(Ref<const ReductionMessage<double>> largest) {
  deviation_ = largest->values()[0];
}

/// H psi T - psi <psi|H psi> T.
Task Ortho::send_free_force_of_tiles() {
  co_await make_symmetric(&first_);
  lambda_ = first_;
  std::fill(second_.begin(), second_.end(), 0.0);
  co_await multiply({.factor = -1,
                     .a = &lambda_,
                     .reading = electrons::blas::Factor::Reading::as_stored,
                     .b = &root_tile_,
                     .to = &second_});
  send_tiles(root_tile_, second_);
}

void Ortho::make_whole(Matrix& matrix) const {
  fill_in(*setup_->basis, {{0, n_}, {0, n_}}, matrix, matrix);
}

/// The matrices A, B and C are those of electrons/matrices/orthonormality_forces.hpp.
void Ortho::constrain(Matrix& a, const Matrix& b, Matrix& c) {
  make_whole(a);
  make_whole(c);
  auto x = std::span(motion_->result).first(a.size());
  const electrons::ConstraintReport report =
      motion_->constraint.find(a, b, c, setup_->job->dynamics.constraint_tolerance, x);
  send_whole(x);
  report_motion(report.deviation, report.iterations, 0);
}

void Ortho::find_kinetic(const Matrix& overlaps, Matrix& m) {
  make_whole(m);
  report_motion(0, 0, motion_->constraint.kinetic_part(overlaps, m));
}

void Ortho::find_root(Matrix& overlaps) {
  make_whole(overlaps);
  motion_->overlaps = overlaps;
  compute_root(overlaps, motion_->root);
  double deviation = 0;
  const auto n = static_cast<std::size_t>(n_);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < n; ++k)
      deviation = std::max(deviation, std::abs(overlaps[i * n + k] - (i == k ? 1 : 0)));
  send_whole(motion_->root);
  report_motion(deviation, 0, 0);
}

/// H psi T - psi <psi|H psi> T.
void Ortho::send_free_force(Matrix& energies, bool orthonormal) {
  if (orthonormal) begin_motion();
  make_whole(energies);
  (is_alone() ? lambda_ : whole_lambda_) = energies;
  const Matrix& root = motion_->root;
  std::copy(root.begin(), root.end(), motion_->result.begin());
  electrons::blas::multiply(n_, -1, energies.data(), root.data(), 0,
                            motion_->result.data() + root.size());
  const auto n = static_cast<std::size_t>(n_);
  charge(Work::products, matrix_product(n, n, n));
  send_whole(motion_->result, 2);
}

/// v T + chi T'.
void Ortho::repair_velocities(Matrix& overlaps) {
  const auto n = static_cast<std::size_t>(n_);
  const Matrix& root = motion_->root;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k <= i; ++k)
      overlaps[i * n + k] = overlaps[k * n + i] = overlaps[i * n + k] + overlaps[k * n + i];
  std::copy(root.begin(), root.end(), motion_->result.begin());
  motion_->repair.compute(motion_->overlaps, overlaps,
                          std::span(motion_->result).subspan(root.size()));
  send_whole(motion_->result, 2);
}

void Ortho::tell_eigenvalues(std::int64_t number) {
  const std::vector<double> values = eigenvalues();
  auto message = make_message<OrbitalEnergiesMessage>(values.size() * sizeof(double));
  std::copy(values.begin(), values.end(), message->trailing<double>());
  setup_->leader.orbital_energies(number, std::move(message));
}

void Ortho::report_motion(double deviation, int iterations, double kinetic) {
  auto message = make_message<MotionReport>();
  message->deviation = deviation;
  message->iterations = iterations;
  message->kinetic = kinetic;
  setup_->leader.motion_report(number_, std::move(message));
}

}  // namespace fg::ab_initio

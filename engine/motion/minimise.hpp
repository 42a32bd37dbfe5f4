// SPDX-License-Identifier: BSD-3-Clause
//
// Energy minimisation for a system divided into patches. Vectors stay with their patch. After each
// energy evaluation one round of sums decides what all patches do next. Steepest descent has an
// adaptive step as in GROMACS. L-BFGS computes its two loops from dot products alone (Chen, Wang,
// Zhou, NIPS 2014, "Large-scale L-BFGS using MapReduce"). It uses mass-weighted coordinates, in
// which projection onto the constraints is orthogonal. Units: Hartree atomic units.
#pragma once

#include <array>

#include "base/aligned_vector.hpp"
#include "motion/atoms/moving_atoms.hpp"
#include "motion/constraints/constraints.hpp"

namespace fg {

enum class MinimiserKind { steepest_descent, l_bfgs };

inline constexpr int lbfgs_memory = 8;
inline constexpr int lbfgs_basis = 2 * lbfgs_memory + 1;  // s_1..s_m, y_1..y_m, gradient

/// Sums over patches after each evaluation; `largest_force` is a maximum.
struct MinimiserSums {
  /// Products of s, y and the new gradient (rows) with the old s_i, y_i and the new s, y, gradient.
  static constexpr int row = 2 * lbfgs_memory + 3;

  double energy = 0;
  double largest_force = 0;  // |force| of an atom after projection [hartree/bohr]
  std::array<double, 3 * row> dots{};

  void combine(const MinimiserSums& other) noexcept;
};

/// What every patch does next: first with its best point and its history, then with its positions.
struct MinimiserOrder {
  bool accept = false;    // the trial becomes the best point
  bool remember = false;  // with `accept`: its step and change of gradient are added to the history
  bool forget = false;    // the history is dropped
  bool done = false;      // positions return to the best point and stay there
  bool converged = false;   // whether it is done because of the tolerance
  bool along_force = true;  // trial = best + scale * force; else best + scale * direction
  double scale = 0;
  std::array<double, lbfgs_basis> coefficients{};  // of the direction
};

/// The scalar part: the same in all places, given the same sums.
class Minimiser {
 public:
  /// Stops if no atom's projected force exceeds `tolerance` [hartree/bohr], or after `steps`
  /// evaluations. Stops also if no step lowers the energy any more.
  Minimiser(MinimiserKind kind, double tolerance, int steps) noexcept;

  /// Takes the sums of the trial point; the first call takes those of the starting point.
  MinimiserOrder judge(const MinimiserSums& sums) noexcept;

  int evaluations() const noexcept { return evaluations_; }
  double best_energy() const noexcept { return best_energy_; }
  double best_force() const noexcept { return best_force_; }

 private:
  void drop_history() noexcept;
  void take_history(const MinimiserSums& sums, MinimiserOrder& order) noexcept;
  void shorten_step(MinimiserOrder& order) noexcept;
  void choose_step(MinimiserOrder& order) noexcept;
  bool solve_direction(std::array<double, lbfgs_basis>& direction) const noexcept;

  MinimiserKind kind_;
  double tolerance_;
  int steps_;
  bool start_ = true;  // there is no earlier point to compare with
  int evaluations_ = 0;
  int rejections_ = 0;  // since the last acceptance
  double best_energy_ = 0;
  double best_force_ = 0;
  double displacement_;  // of the atom with the largest force, along the force [bohr]
  double scale_ = 1;     // of the history's direction
  int pairs_ = 0;        // in the history, oldest first
  std::array<std::array<double, lbfgs_basis>, lbfgs_basis> gram_{};
};

/// The vector part of one patch. It uses the atoms' velocities as scratch space.
class MinimiserVectors {
 public:
  /// Called after atoms were placed again; the present positions become the best. Drops the
  /// history.
  void reset(const MovingAtoms& atoms);

  /// With forces at the present (trial) positions: projects them onto the constraints and computes
  /// the sums. `energy` is this patch's share. With steepest_descent the dot products are left out.
  MinimiserSums measure(MovingAtoms& atoms, const PatchConstraints& constraints, MinimiserKind kind,
                        double energy) noexcept;

  /// Accepts or rejects the trial and moves the atoms to the next one (when done: to the best
  /// point).
  ConstraintStatus follow(const MinimiserOrder& order, MovingAtoms& atoms,
                          const PatchConstraints& constraints) noexcept;

 private:
  // Indices of the vectors, each of 3 * slots numbers.
  enum Place { best_position, best_force, best_gradient, step, change, gradient, history };

  double* vector(int place) noexcept { return vectors_.data() + std::size_t(place) * length_; }
  /// Element i of the basis: s_i, y_i (oldest first) or the best point's gradient.
  const double* basis(int i) noexcept;
  void remember() noexcept;
  void move(const MinimiserOrder& order, MovingAtoms& atoms) noexcept;

  int length_ = 0;
  int pairs_ = 0;
  int oldest_ = 0;  // the history is a ring buffer
  AlignedVector<double> vectors_;
};

}  // namespace fg

// SPDX-License-Identifier: BSD-3-Clause
//
// Energy minimisation for a system cut into patches: vectors stay with their patch, and one round
// of sums per energy evaluation tells all patches what to do next. Steepest descent with an
// adaptive step as in GROMACS; L-BFGS with the two loops run on dot products alone (Chen, Wang,
// Zhou, NIPS 2014, "Large-scale L-BFGS using MapReduce") in mass-weighted coordinates, in which
// projection onto the constraints is orthogonal. Units: Hartree atomic units.
#pragma once

#include <array>

#include "base/aligned_vector.hpp"
#include "motion/constraints.hpp"
#include "motion/moving_atoms.hpp"

namespace fg {

enum class MinimiserKind { steepest_descent, l_bfgs };

inline constexpr int lbfgs_memory = 8;
inline constexpr int lbfgs_basis = 2 * lbfgs_memory + 1;  // s_1..s_m, y_1..y_m, gradient

/// What patches add up after each evaluation: `largest_force` is a maximum, the rest are sums.
struct MinimiserSums {
  /// Of s, y and the new gradient (rows) with the old s_i, y_i and the new s, y, gradient.
  static constexpr int row = 2 * lbfgs_memory + 3;

  double energy = 0;
  double largest_force = 0;  // |force| of an atom after projection [hartree/bohr]
  std::array<double, 3 * row> dots{};

  void combine(const MinimiserSums& other) noexcept;
};

/// What every patch does next: first to its best point and its history, then to its positions.
struct MinimiserOrder {
  bool accept = false;      // the trial becomes the best point
  bool remember = false;    // with it, its step and change of gradient join the history
  bool forget = false;      // the history is dropped
  bool done = false;        // positions go to the best point and stay there
  bool converged = false;   // why it is done
  bool along_force = true;  // trial = best + scale * force; else best + scale * direction
  double scale = 0;
  std::array<double, lbfgs_basis> coefficients{};  // of the direction
};

/// The scalar half: the same wherever it runs, given the same sums.
class Minimiser {
 public:
  /// Stops when no atom's projected force exceeds `tolerance` [hartree/bohr], or after `steps`
  /// evaluations, or when no step lowers the energy any more.
  Minimiser(MinimiserKind kind, double tolerance, int steps) noexcept;

  /// Takes the sums of the trial point (first call: of the starting point).
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
  bool start_ = true;  // nothing to compare with yet
  int evaluations_ = 0;
  int rejections_ = 0;  // since the last acceptance
  double best_energy_ = 0;
  double best_force_ = 0;
  double displacement_;  // of the atom with the largest force, along the force [bohr]
  double scale_ = 1;     // of the history's direction
  int pairs_ = 0;        // in the history, oldest first
  std::array<std::array<double, lbfgs_basis>, lbfgs_basis> gram_{};
};

/// The vector half of one patch. The atoms' velocities are scratch space meanwhile.
class MinimiserVectors {
 public:
  /// After atoms were placed anew; present positions count as best. The history is dropped.
  void reset(const MovingAtoms& atoms);

  /// With forces at the present (trial) positions: projects them onto the constraints and measures.
  /// `energy` is this patch's share. `kind` steepest_descent leaves the dot products out.
  MinimiserSums measure(MovingAtoms& atoms, const PatchConstraints& constraints, MinimiserKind kind,
                        double energy) noexcept;

  /// Accepts or rejects the trial and moves the atoms to the next one (when done: to the best
  /// point).
  ConstraintStatus follow(const MinimiserOrder& order, MovingAtoms& atoms,
                          const PatchConstraints& constraints) noexcept;

 private:
  // The places of vectors, each of 3 * slots numbers.
  enum Place { best_position, best_force, best_gradient, step, change, gradient, history };

  double* vector(int place) noexcept { return vectors_.data() + std::size_t(place) * length_; }
  /// Element i of the basis: s_i, y_i (oldest first) or the best point's gradient.
  const double* basis(int i) noexcept;
  void remember() noexcept;
  void move(const MinimiserOrder& order, MovingAtoms& atoms) noexcept;

  int length_ = 0;
  int pairs_ = 0;
  int oldest_ = 0;  // the history is a ring
  AlignedVector<double> vectors_;
};

}  // namespace fg

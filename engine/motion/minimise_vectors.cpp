// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>

#include "motion/minimise.hpp"
#include "motion/updates.hpp"

namespace fg {

namespace {

constexpr int vectors_kept = 6 + 2 * lbfgs_memory;
// Longest move of an atom in one trial [bohr]; a bad direction from the history must not break
// bonds.
constexpr double longest_move = 0.2;

double dot(const double* a, const double* b, int n) noexcept {
  double part[4] = {};
  for (int i = 0; i < n; i += 4)
    for (int k = 0; k < 4; ++k) part[k] += a[i + k] * b[i + k];
  return (part[0] + part[2]) + (part[1] + part[3]);
}

}  // namespace

void MinimiserVectors::reset(const MovingAtoms& atoms) {
  const int slots = atoms.slots();
  length_ = 3 * slots;
  pairs_ = oldest_ = 0;
  vectors_.assign(std::size_t{vectors_kept} * length_, 0.0);
  for (int axis = 0; axis < 3; ++axis)
    std::copy_n(atoms.position()[axis], slots, vector(best_position) + axis * slots);
}

const double* MinimiserVectors::basis(int i) noexcept {
  if (i == lbfgs_basis - 1) return vector(best_gradient);
  const int kind = i / lbfgs_memory, age = i % lbfgs_memory;
  return vector(history + kind * lbfgs_memory + (oldest_ + age) % lbfgs_memory);
}

MinimiserSums MinimiserVectors::measure(MovingAtoms& atoms, const PatchConstraints& constraints,
                                        MinimiserKind kind, double energy) noexcept {
  const int slots = atoms.slots();
  MinimiserSums sums;
  sums.energy = energy;

  // Projects accelerations onto the directions that constraints allow, using the velocity arrays.
  for (int axis = 0; axis < 3; ++axis) std::fill_n(atoms.velocity()[axis], slots, 0.0);
  kick(atoms, 1.0);
  static_cast<void>(constraints.apply_to_velocities(atoms));
  const double* mass = atoms.mass();
  const double* root_inverse_mass = atoms.root_inverse_mass();
  for (int axis = 0; axis < 3; ++axis) {
    double* f = atoms.force()[axis];
    const double* a = atoms.velocity()[axis];
    for (int i = 0; i < slots; ++i) f[i] = mass[i] * a[i];
  }
  for (int i = 0; i < slots; ++i)
    sums.largest_force = std::fmax(sums.largest_force, norm(atoms.force_of(i)));
  if (kind != MinimiserKind::l_bfgs) return sums;

  for (int axis = 0; axis < 3; ++axis) {
    const double* x = atoms.position()[axis];
    const double* f = atoms.force()[axis];
    const double* old_x = vector(best_position) + axis * slots;
    const double* old_g = vector(best_gradient) + axis * slots;
    double* s = vector(step) + axis * slots;
    double* y = vector(change) + axis * slots;
    double* g = vector(gradient) + axis * slots;
    for (int i = 0; i < slots; ++i) {
      s[i] = mass[i] * root_inverse_mass[i] * (x[i] - old_x[i]);
      g[i] = -root_inverse_mass[i] * f[i];
      y[i] = g[i] - old_g[i];
    }
  }
  const int rows[3] = {step, change, gradient};
  for (int r = 0; r < 3; ++r) {
    double* out = sums.dots.data() + r * MinimiserSums::row;
    for (int i = 0; i < 2 * lbfgs_memory; ++i)
      if (i % lbfgs_memory < pairs_) out[i] = dot(vector(rows[r]), basis(i), length_);
    for (int k = 0; k < 3; ++k)
      out[2 * lbfgs_memory + k] = dot(vector(rows[r]), vector(rows[k]), length_);
  }
  return sums;
}

void MinimiserVectors::remember() noexcept {
  if (pairs_ == lbfgs_memory) {
    oldest_ = (oldest_ + 1) % lbfgs_memory;
    --pairs_;
  }
  const int place = (oldest_ + pairs_) % lbfgs_memory;
  std::copy_n(vector(step), length_, vector(history + place));
  std::copy_n(vector(change), length_, vector(history + lbfgs_memory + place));
  ++pairs_;
}

ConstraintStatus MinimiserVectors::follow(const MinimiserOrder& order, MovingAtoms& atoms,
                                          const PatchConstraints& constraints) noexcept {
  const int slots = atoms.slots();
  if (order.accept) {
    if (order.remember) remember();
    for (int axis = 0; axis < 3; ++axis) {
      std::copy_n(atoms.position()[axis], slots, vector(best_position) + axis * slots);
      std::copy_n(atoms.force()[axis], slots, vector(best_force) + axis * slots);
    }
    std::copy_n(vector(gradient), length_, vector(best_gradient));
  }
  if (order.forget) pairs_ = 0;
  for (int axis = 0; axis < 3; ++axis)
    std::copy_n(vector(best_position) + axis * slots, slots, atoms.position()[axis]);
  if (order.done) return {};
  remember_positions(atoms);
  move(order, atoms);
  return constraints.apply_to_positions(atoms, 0.0);
}

void MinimiserVectors::move(const MinimiserOrder& order, MovingAtoms& atoms) noexcept {
  const int slots = atoms.slots();
  const Axes v = atoms.velocity();  // the direction, stored here to save memory
  if (order.along_force) {
    for (int axis = 0; axis < 3; ++axis)
      std::copy_n(vector(best_force) + axis * slots, slots, v[axis]);
  } else {
    const double* root_inverse_mass = atoms.root_inverse_mass();
    for (int axis = 0; axis < 3; ++axis) {
      std::fill_n(v[axis], slots, 0.0);
      for (int b = 0; b < lbfgs_basis; ++b) {
        if (order.coefficients[b] == 0) continue;
        const double* from = basis(b) + axis * slots;
        for (int i = 0; i < slots; ++i) v[axis][i] += order.coefficients[b] * from[i];
      }
      for (int i = 0; i < slots; ++i) v[axis][i] *= root_inverse_mass[i];
    }
  }
  for (int i = 0; i < slots; ++i) {
    const double length = order.scale * norm(atoms.velocity_of(i));
    const double scale =
        length > longest_move ? order.scale * (longest_move / length) : order.scale;
    for (int axis = 0; axis < 3; ++axis) atoms.position()[axis][i] += scale * v[axis][i];
  }
}

}  // namespace fg

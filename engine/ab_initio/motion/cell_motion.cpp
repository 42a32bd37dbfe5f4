// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/motion/cell_motion.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/error.hpp"
#include "base/shown.hpp"

namespace fg {

namespace {

/// The vectors b, without 2 pi.
CellVectors reciprocal(const CellVectors& a) noexcept {
  const double scale = 1 / dot(a[0], cross(a[1], a[2]));
  return {cross(a[1], a[2]) * scale, cross(a[2], a[0]) * scale, cross(a[0], a[1]) * scale};
}

double dot(const CellVectors& a, const CellVectors& b) noexcept {
  return fg::dot(a[0], b[0]) + fg::dot(a[1], b[1]) + fg::dot(a[2], b[2]);
}

CellVectors matrix(const Virial& of) noexcept {
  const auto [xx, yy, zz, xy, xz, yz] = of;
  return {Vec3{xx, xy, xz}, Vec3{xy, yy, yz}, Vec3{xz, yz, zz}};
}

/// The part that the cell may follow. Its vectors stay multiples of those of the start, so they
/// are their own directions.
CellVectors projected(const CellVectors& force, const CellVectors& start, MovingCell moves) {
  CellVectors part{};
  switch (moves) {
    case MovingCell::nothing:
      break;
    case MovingCell::isotropic: {
      const double factor = dot(force, start) / dot(start, start);
      for (std::size_t i = 0; i < 3; ++i) part[i] = start[i] * factor;
      break;
    }
    case MovingCell::lengths:
      for (std::size_t i = 0; i < 3; ++i)
        part[i] = start[i] * (fg::dot(force[i], start[i]) / fg::dot(start[i], start[i]));
      break;
    case MovingCell::full:
      part = force;
      break;
  }
  return part;
}

bool is_finite(const CellVectors& vectors) noexcept {
  return std::all_of(vectors.begin(), vectors.end(), [](const Vec3& v) {
    return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
  });
}

void refuse(const char* what, double value, const char* limit, const char* hint) {
  throw InputError(
      {.what = what, .where = "cell", .value = shown(value), .limit = limit, .hint = hint});
}

}  // namespace

double cell_mass_of_sound(double mass_of_ions) noexcept {
  return 3 * mass_of_ions / (4 * std::numbers::pi * std::numbers::pi);
}

double cell_period(double cell_mass, double edge, double bulk_modulus) noexcept {
  return 2 * std::numbers::pi * std::sqrt(cell_mass / (3 * bulk_modulus * edge));
}

CellMotion::CellMotion(const CellSettings& settings, const CellVectors& vectors)
    : settings_(settings), start_(vectors), vectors_(vectors) {
  if (!std::isfinite(settings.pressure))
    refuse("the outer pressure is not a number", settings.pressure, "a finite one",
           "give a pressure");
  if (!(settings.mass > 0) || !std::isfinite(settings.mass))
    refuse("the mass of the cell is not above 0", settings.mass, "above 0",
           "leave it out: a usual one is then taken");
  if (!(settings.friction >= 0) || !std::isfinite(settings.friction))
    refuse("the friction of the cell is below 0", settings.friction, "at least 0",
           "give a rate such as 1/ps");
}

void CellMotion::restore(const CellVectors& vectors, const CellMotionState& state) {
  if (!is_finite(vectors) || !is_finite(state.velocities) || !std::isfinite(state.heat))
    throw InputError({.what = "the saved cell or its velocity is not finite",
                      .hint = "continue from an earlier checkpoint"});
  vectors_ = vectors;
  state_ = state;
}

void CellMotion::add_force(const CellVectors& tensor, double time) noexcept {
  const CellVectors b = reciprocal(vectors_);
  CellVectors force{};
  for (std::size_t i = 0; i < 3; ++i)
    force[i] = Vec3{fg::dot(tensor[0], b[i]), fg::dot(tensor[1], b[i]), fg::dot(tensor[2], b[i])};
  const CellVectors part = projected(force, start_, settings_.moves);
  for (std::size_t i = 0; i < 3; ++i) state_.velocities[i] += part[i] * (time / settings_.mass);
}

void CellMotion::kick(const Virial& virial, double time) noexcept {
  CellVectors tensor = matrix(virial);
  const double work = settings_.pressure * volume();
  for (int axis = 0; axis < 3; ++axis) tensor[static_cast<std::size_t>(axis)][axis] -= work;
  add_force(tensor, time);
}

void CellMotion::push(const MovingIons& ions, double time) noexcept {
  add_force(matrix(kinetic_tensor(ions)), time);
}

void CellMotion::stretch(const MovingIons& ions, double time) noexcept {
  const CellVectors old = vectors_, old_b = reciprocal(vectors_);
  for (std::size_t i = 0; i < 3; ++i) vectors_[i] += state_.velocities[i] * time;
  const CellVectors b = reciprocal(vectors_);
  for (Vec3& r : ions.positions) {
    const Vec3 s{fg::dot(old_b[0], r), fg::dot(old_b[1], r), fg::dot(old_b[2], r)};
    r = vectors_[0] * s.x + vectors_[1] * s.y + vectors_[2] * s.z;
  }
  // The momenta of s are m a_i . v.
  for (Vec3& v : ions.velocities)
    v = b[0] * fg::dot(old[0], v) + b[1] * fg::dot(old[1], v) + b[2] * fg::dot(old[2], v);
}

void CellMotion::slow_down(double time) noexcept {
  if (settings_.friction == 0) return;
  const double before = kinetic_energy(), factor = std::exp(-settings_.friction * time);
  for (Vec3& v : state_.velocities) v = v * factor;
  state_.heat += before - kinetic_energy();
}

double CellMotion::volume() const noexcept {
  return std::abs(fg::dot(vectors_[0], cross(vectors_[1], vectors_[2])));
}

double CellMotion::kinetic_energy() const noexcept {
  return 0.5 * settings_.mass * dot(state_.velocities, state_.velocities);
}

double CellMotion::work() const noexcept {
  return settings_.pressure * volume();
}

Virial kinetic_tensor(const MovingIons& ions) noexcept {
  Virial sum{};
  for (std::size_t i = 0; i < ions.size(); ++i)
    add_virial(sum, ions.velocities[i], ions.velocities[i] * ions.masses[i]);
  return sum;
}

}  // namespace fg

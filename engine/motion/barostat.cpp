// SPDX-License-Identifier: BSD-3-Clause
#include "motion/barostat.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/elementary.hpp"
#include "base/philox.hpp"
#include "base/shown.hpp"
#include "base/units.hpp"

namespace fg {

namespace {

/// Three independent standard normals for a scaling.
Vec3 normals(std::uint64_t seed, std::int64_t step) noexcept {
  return normal_triple_reference({seed, static_cast<std::uint64_t>(step), RandomPurpose::barostat},
                                 0);
}

std::string setting(const char* name, double value, const char* unit) {
  return std::string(", ") + name + " " + shown(value) + " " + unit;
}

std::string name_of(BoxCoupling coupling) {
  for (const auto& [name, kind] : coupling_names)
    if (kind == coupling) return std::string(name);
  return {};
}

std::string common(const BarostatSettings& s) {
  return name_of(s.coupling) + setting("target", s.pressure * units::pressure_in_bar, "bar") +
         setting("compressibility", s.compressibility / units::pressure_in_bar, "1/bar") +
         ", every " + std::to_string(s.interval_steps) + " steps";
}

class StochasticRescaling final : public Barostat {
 public:
  explicit StochasticRescaling(const BarostatSettings& s) : s_(s) {}

  int lag() const noexcept override { return 1; }

  /// Each edge's logarithm drifts with rate compressibility / (3 tau) (P_aa - P), and diffuses with
  /// D = kT compressibility / (3 tau V). Edges that are scaled alike share the mean of both. Each
  /// interval's noise is the mean of its own and that of the interval before.
  Vec3 strain(BathState& state, const PressureSample& sample,
              std::int64_t step) const noexcept override {
    const double volume = state.box.volume();
    const double rate = s_.compressibility * s_.interval / (3 * s_.time_constant);
    const double spread = std::sqrt(2 * s_.temperature * rate / volume);
    const Vec3 pressure = sample.pressure(volume);
    const Vec3 noise = (normals(s_.seed, step) + normals(s_.seed, step - s_.interval_steps)) * 0.5;
    Vec3 strain;
    for (int axis = 0; axis < 3; ++axis)
      strain[axis] = rate * (pressure[axis] - s_.pressure) + spread * noise[axis];
    if (s_.coupling == BoxCoupling::isotropic)
      strain.x = strain.y = strain.z = (strain.x + strain.y + strain.z) / 3;
    if (s_.coupling == BoxCoupling::semi_isotropic)
      strain.x = strain.y = 0.5 * (strain.x + strain.y);
    return strain;
  }

  std::string description() const override {
    return "stochastic rescaling (Bernetti and Bussi), " + common(s_) +
           setting("time constant", s_.time_constant * units::time_in_ps, "ps");
  }

 private:
  BarostatSettings s_;
};

class LangevinPiston final : public Barostat {
 public:
  explicit LangevinPiston(const BarostatSettings& s) : s_(s) {
    const double frequency = 2 * std::numbers::pi / s.period;
    mass_ = 1 / (frequency * frequency * s.compressibility * s.volume);
  }

  /// So that the samples of an interval lie around its middle.
  int lag() const noexcept override { return std::max(1, s_.spacing_steps / 2); }

  /// Kick of the volume's rate by the pressure; the volume moves for one interval, with friction
  /// and noise in its middle.
  Vec3 strain(BathState& state, const PressureSample& sample,
              std::int64_t step) const noexcept override {
    const double volume = state.box.volume();
    const Vec3 p = sample.pressure(volume);
    const double kick = s_.interval * ((p.x + p.y + p.z) / 3 - s_.pressure) / mass_;
    const double keep = elementary::exp(-s_.interval / s_.time_constant);
    const double spread = std::sqrt((1 - keep * keep) * s_.temperature / mass_);
    const double before = state.volume_rate + kick;
    state.volume_rate = keep * before + spread * normals(s_.seed, step).x;
    const double change = 0.5 * s_.interval * (before + state.volume_rate);
    const double stretch = elementary::log1p(change / volume) / 3;  // NaN if the cell collapses
    return {stretch, stretch, stretch};
  }

  std::string description() const override {
    return "Langevin piston, " + common(s_) +
           setting("period", s_.period * units::time_in_ps, "ps") +
           setting("decay", s_.time_constant * units::time_in_ps, "ps");
  }

 private:
  BarostatSettings s_;
  double mass_;
};

}  // namespace

std::unique_ptr<const Barostat> make_barostat(const BarostatSettings& settings) {
  switch (settings.kind) {
    case BarostatKind::stochastic_rescaling:
      return std::make_unique<StochasticRescaling>(settings);
    case BarostatKind::langevin_piston:
      return std::make_unique<LangevinPiston>(settings);
    case BarostatKind::none:
    case BarostatKind::monte_carlo:
      break;
  }
  return nullptr;
}

Box scaled(const Box& box, const Vec3& factors) noexcept {
  Box result = box;
  for (int axis = 0; axis < 3; ++axis) result.edge[axis] *= factors[axis];
  result.tilt = {box.tilt.xy * factors.x, box.tilt.xz * factors.x, box.tilt.yz * factors.y};
  return result;
}

}  // namespace fg

// SPDX-License-Identifier: BSD-3-Clause
#include "motion/velocity_rescaling.hpp"

#include <cmath>

#include "base/elementary.hpp"
#include "base/philox.hpp"
#include "base/vec3.hpp"

namespace fg {

namespace {

/// Numbers of one step, one after the other.
class Draws {
 public:
  Draws(std::uint64_t seed, std::int64_t step) noexcept
      : stream_{seed, static_cast<std::uint64_t>(step), RandomPurpose::thermostat} {}

  double normal() noexcept { return normal_triple_reference(stream_, next_++).x; }
  double uniform() noexcept { return uniform_reference(stream_, next_++); }

  /// Source: Marsaglia, Tsang, ACM Trans. Math. Softw. 26, 363 (2000), for shape >= 1/2.
  double gamma(double shape) noexcept {
    if (shape < 1) return gamma(shape + 1) * elementary::pow(uniform(), 1 / shape);
    const double d = shape - 1.0 / 3, c = 1 / std::sqrt(9 * d);
    for (;;) {
      const double x = normal(), v = elementary::pow(1 + c * x, 3);
      if (v > 0 && elementary::log(uniform()) < 0.5 * x * x + d * (1 - v + elementary::log(v)))
        return d * v;
    }
  }

 private:
  RandomStream stream_;
  std::int32_t next_ = 0;
};

}  // namespace

double velocity_factor(const VelocityRescaling& t, double kinetic_energy,
                       std::int64_t step) noexcept {
  if (!(kinetic_energy > 0) || t.degrees_of_freedom < 1) return 1;
  Draws draws(t.seed, step);
  const double first = draws.normal();
  const double others =
      t.degrees_of_freedom > 1 ? 2 * draws.gamma(0.5 * (t.degrees_of_freedom - 1)) : 0;
  // The kinetic energy of one degree of freedom over the present one, eq. A7.
  const double keep = elementary::exp(-t.interval / t.time_constant);
  const double share = (1 - keep) * 0.5 * t.temperature / kinetic_energy;
  const double square =
      keep + share * (first * first + others) + 2 * first * std::sqrt(keep * share);
  const double sign = first + std::sqrt(keep / share) < 0 ? -1 : 1;  // eq. A8
  return sign * std::sqrt(square);
}

}  // namespace fg

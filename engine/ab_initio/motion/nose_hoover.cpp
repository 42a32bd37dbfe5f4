// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/motion/nose_hoover.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "base/shown.hpp"

namespace fg {

namespace {

constexpr double cube_root_of_2 = 1.2599210498948731648;
constexpr double cube_root_of_4 = 1.5874010519681994748;

constexpr std::array<double, 1> one_part = {1};
constexpr double three = 1 / (2 - cube_root_of_2);
constexpr std::array<double, 3> three_parts = {three, 1 - 2 * three, three};
constexpr double five = 1 / (4 - cube_root_of_4);
constexpr std::array<double, 5> five_parts = {five, five, 1 - 4 * five, five, five};
// Yoshida's solution A of sixth order.
constexpr double seven_1 = 0.784513610477560, seven_2 = 0.235573213359357,
                 seven_3 = -1.17767998417887;
constexpr std::array<double, 7> seven_parts = {
    seven_1, seven_2, seven_3, 1 - 2 * (seven_1 + seven_2 + seven_3), seven_3, seven_2, seven_1};

/// The largest exponent of the drag in a substep.
constexpr double largest_exponent = 0.1;

void check_positive(double value, const char* what, const char* hint) {
  if (!(value > 0) || !std::isfinite(value))
    throw InputError({.what = what, .value = shown(value), .limit = "above 0", .hint = hint});
}

void check_count(int value, const char* what, const char* hint) {
  if (value < 1)
    throw InputError(
        {.what = what, .value = std::to_string(value), .limit = "at least 1", .hint = hint});
}

bool all_finite(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
}

}  // namespace

NoseHooverSettings nose_hoover_of_orbitals(double kinetic_energy, double degrees_of_freedom,
                                           double time_constant, int links) {
  check_positive(kinetic_energy, "the fictitious kinetic energy of a bath is not above 0",
                 "give the mean that a run without a bath has, in hartree");
  check_positive(degrees_of_freedom, "the orbitals of a bath have no degree of freedom",
                 "leave out the bath");
  return {.temperature = 2 * kinetic_energy / degrees_of_freedom,
          .degrees_of_freedom = degrees_of_freedom,
          .time_constant = time_constant,
          .links = links};
}

std::span<const double> suzuki_yoshida_weights(int parts) {
  switch (parts) {
    case 1:
      return one_part;
    case 3:
      return three_parts;
    case 5:
      return five_parts;
    case 7:
      return seven_parts;
    default:
      throw InputError({.what = "there are no weights for steps in this number of parts",
                        .value = std::to_string(parts),
                        .limit = "1, 3, 5 or 7",
                        .hint = "3 will do for most runs"});
  }
}

NoseHooverChain::NoseHooverChain(const NoseHooverSettings& settings)
    : settings_(settings), weights_(suzuki_yoshida_weights(settings.weights)) {
  check_positive(settings.temperature,
                 "the temperature of a chain of Nose and Hoover is not above 0",
                 "give a temperature above 0, or leave out the bath");
  check_positive(settings.degrees_of_freedom,
                 "a chain of Nose and Hoover has no degree of freedom to act on",
                 "leave out the bath");
  check_positive(settings.time_constant,
                 "the time constant of a chain of Nose and Hoover is not above 0",
                 "give one period of the motion that the bath shall couple to");
  check_count(settings.links, "a chain of Nose and Hoover has no link", "4 links are usual");
  const std::size_t links = static_cast<std::size_t>(settings.links);
  const double unit = settings.temperature * settings.time_constant * settings.time_constant;
  masses_.assign(links, unit);
  masses_[0] *= settings.degrees_of_freedom;
  state_.positions.assign(links, 0);
  state_.velocities.assign(links, 0);
}

/// The velocity of one link over `time`: half the drag by the next link, the force, the other half.
void NoseHooverChain::push(std::size_t link, double kinetic_energy, double time) noexcept {
  std::vector<double>& u = state_.velocities;
  const double drag = link + 1 < u.size() ? std::exp(-0.5 * time * u[link + 1]) : 1;
  const double excess =
      link == 0 ? 2 * kinetic_energy - settings_.degrees_of_freedom * settings_.temperature
                : masses_[link - 1] * u[link - 1] * u[link - 1] - settings_.temperature;
  u[link] = drag * (drag * u[link] + time * excess / masses_[link]);
}

int NoseHooverChain::substeps(double interval) const noexcept {
  const double velocity = std::sqrt(2 * settings_.degrees_of_freedom) / settings_.time_constant;
  return std::max(1, static_cast<int>(std::ceil(std::abs(interval) * velocity / largest_exponent)));
}

double NoseHooverChain::advance(double kinetic_energy, double interval) {
  if (!std::isfinite(kinetic_energy) || kinetic_energy < 0)
    throw NumericsError({.what = "the kinetic energy in a bath of Nose and Hoover is not finite",
                         .value = shown(kinetic_energy),
                         .hint = "a shorter time step may help"});
  const std::size_t links = masses_.size();
  const int steps = substeps(interval);
  double factor = 1, kinetic = kinetic_energy;
  for (int step = 0; step < steps; ++step)
    for (const double weight : weights_) {
      const double time = weight * interval / steps;
      for (std::size_t link = links; link-- > 0;) push(link, kinetic, 0.5 * time);
      const double scale = std::exp(-time * state_.velocities[0]);
      factor *= scale;
      kinetic *= scale * scale;
      for (std::size_t link = 0; link < links; ++link)
        state_.positions[link] += time * state_.velocities[link];
      for (std::size_t link = 0; link < links; ++link) push(link, kinetic, 0.5 * time);
    }
  if (!std::isfinite(factor) || !all_finite(state_.velocities))
    throw NumericsError(
        {.what = "a bath of Nose and Hoover has lost its way",
         .value = "kinetic energy " + shown(kinetic_energy) + " hartree",
         .limit = "the bath expects " +
                  shown(0.5 * settings_.degrees_of_freedom * settings_.temperature) + " hartree",
         .hint = "a longer time constant, or a start nearer to the temperature, "
                 "may help"});
  return factor;
}

double NoseHooverChain::energy() const noexcept {
  double sum = 0;
  for (std::size_t link = 0; link < masses_.size(); ++link) {
    const double u = state_.velocities[link];
    const double freedom = link == 0 ? settings_.degrees_of_freedom : 1;
    sum += 0.5 * masses_[link] * u * u + freedom * settings_.temperature * state_.positions[link];
  }
  return sum;
}

void NoseHooverChain::restore(NoseHooverState state) {
  const std::size_t links = masses_.size();
  if (state.positions.size() != links || state.velocities.size() != links)
    throw InputError({.what = "the saved bath has another number of links",
                      .value = std::to_string(state.velocities.size()),
                      .limit = std::to_string(links),
                      .hint = "continue with the settings that the run began with"});
  if (!all_finite(state.positions) || !all_finite(state.velocities))
    throw InputError({.what = "the saved bath has a number that is not finite",
                      .hint = "continue from an earlier checkpoint"});
  state_ = std::move(state);
}

}  // namespace fg

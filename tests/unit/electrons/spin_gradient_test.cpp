// SPDX-License-Identifier: BSD-3-Clause
//
// Gradients of two spins at points: against twins, against those of one spin, and the flow as the
// derivative of a functional's energy by the gradients.
#include <gtest/gtest.h>

#include <vector>

#include "electrons/exchange_correlation/density_gradient.hpp"
#include "electrons/exchange_correlation/functional.hpp"
#include "support/random_values.hpp"
#include "support/references/electrons/gradient_references.hpp"
#include "support/strain.hpp"

namespace fg::electrons {
namespace {

using Points = std::vector<double>;
using Three = std::array<Points, 3>;

Three three(std::size_t count, unsigned seed) {
  Three made;
  for (std::size_t i = 0; i < 3; ++i)
    made[i] = test::random_values<double>(count, seed + static_cast<unsigned>(i));
  return made;
}
GradientAtPoints view(const Three& of) {
  return {of[0], of[1], of[2]};
}
std::array<std::span<double>, 3> writable(Three& of) {
  return {of[0], of[1], of[2]};
}

TEST(SpinGradient, IsThatOfTheTwin) {
  for (const std::size_t count : {0, 1, 7, 1000}) {
    const Three up = three(count, 1), down = three(count, 11), by = three(count, 21);
    Virial found{1, 2, 3, 4, 5, 6}, right = found;
    add_spin_gradient_products(view(by), view(up), view(down), found);
    reference::add_spin_gradient_products(view(by), view(up), view(down), right);
    // 1000 sums of products of up to 54, in another order.
    for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(found[k], right[k], 1e-9);
    Three u = up, d = down, u_right = up, d_right = down, sigma = by;
    spin_gradients_to_flows(view(by), writable(u), writable(d));
    reference::spin_gradients_to_flows(view(by), writable(u_right), writable(d_right));
    spin_products(view(up), view(down), writable(sigma));
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        EXPECT_DOUBLE_EQ(u[axis][i], u_right[axis][i]);
        EXPECT_DOUBLE_EQ(d[axis][i], d_right[axis][i]);
      }
      EXPECT_DOUBLE_EQ(sigma[1][i],
                       up[0][i] * down[0][i] + up[1][i] * down[1][i] + up[2][i] * down[2][i]);
    }
  }
}

TEST(SpinGradient, OfEqualSpinsIsThatOfOne) {
  const Three half = three(100, 1);
  Three whole = half;
  for (Points& points : whole)
    for (double& x : points) x *= 2;
  const Points by = test::random_values<double>(100, 9);
  // e(sigma) of the whole density: its derivatives by the three products are 1, 2 and 1 times by.
  Points twice = by;
  for (double& x : twice) x *= 2;
  Virial found{}, right{};
  add_spin_gradient_products({by, twice, by}, view(half), view(half), found);
  add_gradient_products(by, view(whole), right);
  for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(found[k], right[k], 1e-11);
}

TEST(SpinGradient, TheFlowIsTheDerivativeOfTheEnergyByTheGradient) {
  const auto functional = make_functional("PBE");
  const Three up = {Points{0.03}, {-0.02}, {0.05}}, down = {Points{0.01}, {0.04}, {-0.02}};
  const Points of_up{0.11}, of_down{0.06};
  const auto energy = [&](const Three& u, const Three& d, Three* by) {
    Three sigma = u;
    spin_products(view(u), view(d), writable(sigma));
    Points e(1), v(1), w(1);
    Three derivative = u;
    functional->evaluate_spins(
        {.density = {of_up, of_down}, .sigma = view(sigma)},
        {.energy = e, .by_density = {v, w}, .by_sigma = writable(derivative)});
    if (by) *by = derivative;
    return e[0];
  };
  Three by;
  energy(up, down, &by);
  Three flow_up = up, flow_down = down;
  spin_gradients_to_flows(view(by), writable(flow_up), writable(flow_down));
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (const bool of_first : {true, false}) {
      const auto moved = [&](double step) {
        Three u = up, d = down;
        (of_first ? u : d)[axis][0] += step;
        return energy(u, d, nullptr);
      };
      // Errors of sixth order in steps that are a tenth of the gradients; roundings over the step.
      EXPECT_NEAR(test::sixth_order_slope(moved, 1e-3), (of_first ? flow_up : flow_down)[axis][0],
                  1e-11);
    }
}

}  // namespace
}  // namespace fg::electrons

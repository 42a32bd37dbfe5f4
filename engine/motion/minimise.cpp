// SPDX-License-Identifier: BSD-3-Clause
#include "motion/minimise.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace fg {

namespace {

constexpr double first_displacement = 0.02;  // [bohr], about 0.01 angstrom as in GROMACS
// smaller moves hardly change positions in double precision
constexpr double least_displacement = 1e-10;
constexpr double growth = 1.2, shrinkage = 0.5;
constexpr int most_rejections = 6;  // rejections of one direction before the history is dropped

}  // namespace

void MinimiserSums::combine(const MinimiserSums& other) noexcept {
  energy += other.energy;
  largest_force = std::max(largest_force, other.largest_force);
  for (std::size_t i = 0; i < dots.size(); ++i) dots[i] += other.dots[i];
}

Minimiser::Minimiser(MinimiserKind kind, double tolerance, int steps) noexcept
    : kind_(kind), tolerance_(tolerance), steps_(steps), displacement_(first_displacement) {}

void Minimiser::drop_history() noexcept {
  pairs_ = 0;
  scale_ = 1;
}

MinimiserOrder Minimiser::judge(const MinimiserSums& sums) noexcept {
  MinimiserOrder order;
  ++evaluations_;
  const bool first = std::exchange(start_, false);
  // NaN never counts as lower.
  order.accept = first || sums.energy < best_energy_;
  if (order.accept) {
    if (!first) {
      take_history(sums, order);
      if (rejections_ == 0) displacement_ *= growth;
    }
    gram_[lbfgs_basis - 1][lbfgs_basis - 1] = sums.dots.back();
    best_energy_ = sums.energy;
    best_force_ = sums.largest_force;
    rejections_ = 0;
    scale_ = 1;
  } else {
    shorten_step(order);
  }
  order.converged = best_force_ <= tolerance_;
  order.done = order.converged || evaluations_ >= steps_ || displacement_ < least_displacement;
  if (!order.done) choose_step(order);
  return order;
}

void Minimiser::take_history(const MinimiserSums& sums, MinimiserOrder& order) noexcept {
  if (kind_ != MinimiserKind::l_bfgs) return;
  constexpr int m = lbfgs_memory, g = lbfgs_basis - 1;
  constexpr int new_s = 2 * m, new_y = 2 * m + 1;
  const auto dot = [&](int row, int column) {
    return sums.dots[row * MinimiserSums::row + column];
  };

  // Products of the gradient with the old history, before columns move.
  for (int i = 0; i < 2 * m; ++i) gram_[g][i] = gram_[i][g] = dot(2, i);

  // A pair without positive curvature would make the direction point uphill.
  const double curvature = dot(0, new_y);
  order.remember = curvature > 1e-10 * std::sqrt(dot(0, new_s) * dot(1, new_y));
  if (!order.remember) return;

  std::array<double, m> s_with_s{}, s_with_y{}, y_with_s{}, y_with_y{};
  for (int i = 0; i < m; ++i) {
    s_with_s[i] = dot(0, i), s_with_y[i] = dot(0, m + i);
    y_with_s[i] = dot(1, i), y_with_y[i] = dot(1, m + i);
  }
  if (pairs_ == m) {
    const auto old = gram_;
    const auto from = [](int i) { return i == g ? g : i + 1; };
    for (int i = 0; i < lbfgs_basis; ++i)
      for (int j = 0; j < lbfgs_basis; ++j) {
        const bool last_i = i == m - 1 || i == 2 * m - 1, last_j = j == m - 1 || j == 2 * m - 1;
        if (!last_i && !last_j) gram_[i][j] = old[from(i)][from(j)];
      }
    std::rotate(s_with_s.begin(), s_with_s.begin() + 1, s_with_s.end());
    std::rotate(s_with_y.begin(), s_with_y.begin() + 1, s_with_y.end());
    std::rotate(y_with_s.begin(), y_with_s.begin() + 1, y_with_s.end());
    std::rotate(y_with_y.begin(), y_with_y.begin() + 1, y_with_y.end());
    --pairs_;
  }
  const int s = pairs_, y = m + pairs_;
  for (int i = 0; i < pairs_; ++i) {
    gram_[s][i] = gram_[i][s] = s_with_s[i];
    gram_[s][m + i] = gram_[m + i][s] = s_with_y[i];
    gram_[y][i] = gram_[i][y] = y_with_s[i];
    gram_[y][m + i] = gram_[m + i][y] = y_with_y[i];
  }
  gram_[s][s] = dot(0, new_s);
  gram_[s][y] = gram_[y][s] = dot(0, new_y);
  gram_[y][y] = dot(1, new_y);
  gram_[g][s] = gram_[s][g] = dot(2, new_s);
  gram_[g][y] = gram_[y][g] = dot(2, new_y);
  ++pairs_;
}

void Minimiser::shorten_step(MinimiserOrder& order) noexcept {
  ++rejections_;
  if (pairs_ == 0) {
    displacement_ *= shrinkage;
    return;
  }
  scale_ *= shrinkage;
  if (rejections_ < most_rejections) return;
  drop_history();
  order.forget = true;
  displacement_ = std::min(displacement_, first_displacement);
}

void Minimiser::choose_step(MinimiserOrder& order) noexcept {
  if (pairs_ > 0 && solve_direction(order.coefficients)) {
    order.along_force = false;
    order.scale = scale_;
    return;
  }
  if (pairs_ > 0) {
    drop_history();
    order.forget = true;
  }
  order.along_force = true;
  order.scale = best_force_ > 0 ? displacement_ / best_force_ : 0.0;
}

bool Minimiser::solve_direction(std::array<double, lbfgs_basis>& direction) const noexcept {
  constexpr int m = lbfgs_memory, g = lbfgs_basis - 1;
  direction.fill(0.0);
  direction[g] = -1.0;
  const auto product = [&](int i) {
    double sum = 0;
    for (int j = 0; j < lbfgs_basis; ++j) sum += direction[j] * gram_[i][j];
    return sum;
  };
  std::array<double, m> alpha{};
  for (int i = pairs_ - 1; i >= 0; --i) {
    alpha[i] = product(i) / gram_[i][m + i];
    direction[m + i] -= alpha[i];
  }
  const int last = pairs_ - 1;
  const double scale = gram_[last][m + last] / gram_[m + last][m + last];
  for (double& c : direction) c *= scale;
  for (int i = 0; i < pairs_; ++i) direction[i] += alpha[i] - product(m + i) / gram_[i][m + i];
  return product(g) < 0;  // downhill, and not NaN
}

}  // namespace fg

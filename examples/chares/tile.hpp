// SPDX-License-Identifier: BSD-3-Clause
//
// Heat spreading over a square plate, cut into tiles that are chares. Each step a tile sends its
// edge columns and rows to its neighbours, awaits theirs, and updates its points; every tenth step
// the total heat is summed in index order. Half way every tile moves to the next PE, which may be
// in another process. Any number of PEs and processes prints the same digits.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <utility>
#include <vector>

#include "runtime/archive.hpp"
#include "runtime/runtime.hpp"

namespace heat {

constexpr int tiles = 6;    // per axis
constexpr int points = 32;  // of a tile, per axis
constexpr int steps = 200;
constexpr double rate = 0.2;  // share of the difference that flows to a neighbour in a step

struct EdgeMessage : fg::Message {
  std::int32_t side;  // of the receiver: 0 left, 1 right, 2 below, 3 above
};

class Tile : public fg::Chare<Tile, 2> {
 public:
  /// The reduction needs the array, which needs its tiles first; so the tiles share a pointer to
  /// it.
  using Sum = std::shared_ptr<const fg::Reduction<double>>;
  explicit Tile(Sum sum)
      : heat_((points + 2) * (points + 2), 0.0), next_(heat_), sum_(std::move(sum)) {
    // One hot corner, so that heat flows between tiles.
    if (ordinal() == 0)
      for (int y = 1; y <= points; ++y)
        for (int x = 1; x <= points; ++x) at(heat_, x, y) = 1.0;
  }

  /// Called when the life awaits the edges of this step; a message that arrives earlier is kept.
  void edge(fg::Ref<const EdgeMessage> m) {
    const double* values = m->trailing<double>();
    for (int i = 1; i <= points; ++i) {
      const double value = values[i - 1];
      if (m->side == 0) at(heat_, 0, i) = value;
      if (m->side == 1) at(heat_, points + 1, i) = value;
      if (m->side == 2) at(heat_, i, 0) = value;
      if (m->side == 3) at(heat_, i, points + 1) = value;
    }
  }

  void total(fg::Ref<const fg::ReductionMessage<double>> m) {
    std::printf("step %3lld  heat %.17g\n", static_cast<long long>(m->step), m->values()[0]);
    last_total = m->values()[0];
  }

  fg::Task life() {
    while (step_ < steps) {
      for (int side = 0; side < 4; ++side) send_edge(side, step_);
      co_await fg::when<&Tile::edge>(step_, 4);
      update();
      if (step_ % 10 == 9) sum_->contribute(*this, step_, {own_heat()});
      if (++step_ == steps / 2) {
        move_to((pe() + 1) % runtime().pes());
        co_return;  // an element that moves has no life; edges that arrive now are forwarded
      }
    }
  }
  void restart() override { self().send<&Tile::life>(); }
  void archive(fg::Archive& with) override { with(heat_, step_, last_total); }

  double last_total = 0;

 private:
  static double& at(std::vector<double>& field, int x, int y) {
    return field[static_cast<std::size_t>(y * (points + 2) + x)];
  }

  void send_edge(int side, std::int64_t step) {
    const fg::Ref<EdgeMessage> message = fg::make_message<EdgeMessage>(points * sizeof(double));
    double* values = message->trailing<double>();
    for (int i = 1; i <= points; ++i) {
      const int inner = side % 2 == 0 ? 1 : points;
      values[i - 1] = side < 2 ? at(heat_, inner, i) : at(heat_, i, inner);
    }
    message->side = side ^ 1;  // my left edge is the right border of my left neighbour
    Index neighbour = index();
    int& along = neighbour[side < 2 ? 0 : 1];
    along = (along + (side % 2 == 0 ? tiles - 1 : 1)) % tiles;
    array()[neighbour].send_at<&Tile::edge>(step, message);
  }

  void update() {
    for (int y = 1; y <= points; ++y)
      for (int x = 1; x <= points; ++x)
        at(next_, x, y) =
            (1 - 4 * rate) * at(heat_, x, y) + rate * (at(heat_, x - 1, y) + at(heat_, x + 1, y) +
                                                       at(heat_, x, y - 1) + at(heat_, x, y + 1));
    heat_.swap(next_);
  }

  double own_heat() {
    double sum = 0;
    for (int y = 1; y <= points; ++y)
      for (int x = 1; x <= points; ++x) sum += at(heat_, x, y);
    return sum;
  }

  std::vector<double> heat_, next_;  // with a border of one point
  std::int64_t step_ = 0;
  Sum sum_;
};

/// Whether the final sum is right, as far as this process knows.
inline bool spread(const fg::RuntimeOptions& how) {
  fg::Runtime rt(how);
  const auto sum = std::make_shared<fg::Reduction<double>>();
  const auto plate =
      rt.create_array<Tile>({tiles, tiles}, fg::block_map<2>({tiles, tiles}, rt.pes()),
                            [sum](const auto&) { return std::make_unique<Tile>(sum); });
  *sum = fg::Reduction<double>(plate, 1, fg::deliver_to<&Tile::total>(plate[{0, 0}]));
  if (rt.process() == 0) plate.broadcast<&Tile::life>();
  rt.run_until_quiescent();
  if (!plate.here({0, 0})) return true;
  // Heat is conserved; the sum of 36,864 rounded numbers is accurate to about 1e-12.
  const double expected = points * points;
  const double error = plate.object({0, 0}).last_total / expected - 1;
  return error < 1e-11 && error > -1e-11;
}

}  // namespace heat

// SPDX-License-Identifier: BSD-3-Clause
//
// Chares that use multicasts and reductions in every step.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/runtime.hpp"
#include "support/mixed.hpp"

namespace fg::test {

struct Numbers : Message {
  std::int64_t step;
  std::int32_t from;
};

inline Ref<const Numbers> numbers(std::int64_t step, int from, std::size_t count) {
  auto message = make_message<Numbers>(count * sizeof(double));
  message->step = step;
  message->from = from;
  for (std::size_t i = 0; i < count; ++i)
    message->trailing<double>()[i] = std::sin(static_cast<double>(i) + from);
  return message;
}

/// Cells on a ring. For some steps each cell sends its value to all others and adds up theirs in
/// order of arrival. The values are whole numbers, so the sum does not depend on the order.
class Cell : public Chare<Cell, 1> {
 public:
  Cell(std::int64_t steps, std::size_t width) : steps_(steps), width_(width) {}

  Task life() {
    for (std::int64_t step = 0; step < steps_; ++step) {
      const auto message = numbers(step, ordinal(), width_);
      array().broadcast_at<&Cell::accept>(step, message);
      co_await when<&Cell::accept>(step, array().size()).bind(*this);
      const double mine[] = {std::sqrt(static_cast<double>(sum_ % 1000003 + 1)),
                             1.0 / (ordinal() + 1)};
      total_.contribute(*this, step, mine);
      co_await when<&Cell::reduced>(step).bind(*this);
      std::vector<std::int64_t> wide(tally_width);
      for (std::size_t i = 0; i < wide.size(); ++i)
        wide[i] = (step + 1) * (ordinal() + 1) * static_cast<std::int64_t>(i + 1);
      tally_.contribute(*this, step, wide);
      co_await when<&Cell::tallied>(step).bind(*this);
    }
  }
  void accept(Ref<const Numbers> message) {
    sum_ += (message->step + 1) * (message->from + 1) * (ordinal() + 3);
    for (std::size_t i = 0; i < width_; i += 97)
      wrong_ += message->trailing<double>()[i] != std::sin(static_cast<double>(i) + message->from);
  }
  void reduced(Ref<const ReductionMessage<double>> message) {
    digest_ = mixed(digest_, std::llround(message->values()[0] * 1e6) % 1000003);
    last_ = message->values()[1];
  }

  void tallied(Ref<const ReductionMessage<std::int64_t>> message) {
    const std::int64_t cells = array().size();
    for (std::size_t i = 0; i < tally_width; ++i)
      wrong_ += message->values()[i] !=
                (message->step + 1) * static_cast<std::int64_t>(i + 1) * cells * (cells + 1) / 2;
  }

  void set_reductions(const Reduction<double>& total, const Reduction<std::int64_t>& tally) {
    total_ = total;
    tally_ = tally;
  }

  static constexpr std::size_t tally_width = 700;
  std::int64_t sum_ = 0, digest_ = 0, wrong_ = 0;
  double last_ = 0;

 private:
  Reduction<double> total_;
  Reduction<std::int64_t> tally_;
  std::int64_t steps_;
  std::size_t width_;
};

/// The results of the cells of this process, by ordinal; empty for those of other processes.
struct CellResult {
  std::int64_t sum = 0, digest = 0;
  double last = 0;
  bool operator==(const CellResult&) const = default;  // the same bits
};
using CellResults = std::vector<std::optional<CellResult>>;

inline CellResults run_cells(const RuntimeOptions& how, int cells, int steps, std::size_t width,
                             bool hashed) {
  Runtime runtime(how);
  const std::array<int, 1> shape{cells};
  const auto array = runtime.create_array<Cell>(
      shape,
      [&](const auto& index) {
        return hashed ? maps::hashed(index, shape, runtime.pes(), 7)
                      : maps::block(index, shape, runtime.pes());
      },
      [&](const auto&) { return std::make_unique<Cell>(steps, width); });
  const Reduction<double> total(array, 2, deliver_at<&Cell::reduced>(array));
  const Reduction<std::int64_t> tally(array, Cell::tally_width, deliver_at<&Cell::tallied>(array));
  for (int i = 0; i < cells; ++i)
    if (array.here_at(i)) array.object_at(i).set_reductions(total, tally);
  if (runtime.process() == 0) array.broadcast<&Cell::life>();
  runtime.run_until_quiescent();
  CellResults results(static_cast<std::size_t>(cells));
  for (int i = 0; i < cells; ++i) {
    if (!array.here_at(i)) continue;
    const Cell& cell = array.object_at(i);
    EXPECT_EQ(cell.wrong_, 0);
    results[static_cast<std::size_t>(i)] = {cell.sum_, cell.digest_, cell.last_};
  }
  return results;
}

}  // namespace fg::test

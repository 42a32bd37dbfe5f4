// SPDX-License-Identifier: BSD-3-Clause
//
// Multicasts of long messages by many senders to sections with a fan-out.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "runtime/archive.hpp"
#include "runtime/runtime.hpp"

namespace fg::test {

struct Potential : Message {
  std::int64_t step;
  std::int32_t from;
};

/// Each listener is a sender too, to its own section: every third element from itself on. In each
/// step it sends a vector, a number and a bare call, and awaits those that name it.
class Listener : public Chare<Listener, 1> {
 public:
  Listener(int steps, std::size_t numbers) : steps_(steps), numbers_(numbers) {}

  static std::vector<std::array<int, 1>> members(int sender, int size) {
    std::vector<std::array<int, 1>> indices;
    for (int i = sender % 3; i < size; i += 3) indices.push_back({i});
    return indices;
  }
  static double number(std::int64_t step, int from, std::size_t i) {
    return static_cast<double>((step * 131 + from) * 1000 + static_cast<std::int64_t>(i % 1000));
  }

  Task life() {
    const auto wanted = static_cast<std::int64_t>(senders());
    for (const std::int64_t end = step_ + steps_; step_ < end; ++step_) {
      auto message = make_message<Potential>(numbers_ * sizeof(double));
      message->step = step_;
      message->from = ordinal();
      for (std::size_t i = 0; i < numbers_; ++i)
        message->trailing<double>()[i] = number(step_, ordinal(), i);
      section.multicast_at<&Listener::potential>(step_, std::move(message));
      section.multicast_at<&Listener::value>(step_, std::int64_t{ordinal()}, Lane::high);
      section.multicast<&Listener::poke>(Lane::low);
      co_await all_of(expect<&Listener::potential>(step_, wanted),
                      expect<&Listener::value>(step_, wanted));
    }
  }
  void potential(Ref<const Potential> message) {
    wrong += message->step != step_ || (message->from - ordinal()) % 3 != 0;
    const double* const numbers = message->trailing<double>();
    wrong += message->trailing_bytes() != numbers_ * sizeof(double);
    for (std::size_t i = 0; i < numbers_; ++i)
      wrong += numbers[i] != number(step_, message->from, i);
    ++potentials;
  }
  void value(std::int64_t from) { sum += (step_ + 1) * from; }
  void poke() { ++pokes; }
  void archive(Archive& with) override { with(step_, wrong, potentials, sum, pokes); }
  int senders() const {
    int count = 0;
    for (int i = 0; i < array().size(); ++i) count += (i - ordinal()) % 3 == 0;
    return count;
  }

  Section<Listener> section;
  std::int64_t wrong = 0, potentials = 0, sum = 0, pokes = 0;

 private:
  std::int64_t step_ = 0;
  int steps_;
  std::size_t numbers_;
};

struct Listeners {
  Listeners(const RuntimeOptions& how, int size, int steps, std::size_t numbers,
            const Spread& spread)
      : runtime(how), size(size), steps(steps) {
    const std::array<int, 1> shape{size};
    array = runtime.create_array<Listener>(
        shape, hashed_map(shape, runtime.pes(), 3),
        [=](const auto&) { return std::make_unique<Listener>(steps, numbers); });
    for (int i = 0; i < size; ++i) sections.emplace_back(array, Listener::members(i, size), spread);
  }
  void run() {
    for (int i = 0; i < size; ++i)
      if (array.here_at(i)) array.object_at(i).section = sections[static_cast<std::size_t>(i)];
    runtime.agree_on_places();
    if (runtime.process() == 0) array.broadcast<&Listener::life>();
    runtime.run_until_quiescent();
    runs += 1;
  }
  void scatter(std::uint64_t seed) {
    std::vector<int> pes;
    for (int i = 0; i < size; ++i)
      pes.push_back(maps::hashed(std::array<int, 1>{i}, {size}, runtime.pes(), seed));
    const Runtime::Placement placement{array.core(), pes};
    runtime.relocate({&placement, 1});
  }
  /// Returns the number of elements here.
  std::int64_t check() const {
    std::int64_t here = 0;
    const std::int64_t all_steps = std::int64_t{runs} * steps;
    for (int i = 0; i < size; ++i) {
      if (!array.here_at(i)) continue;
      ++here;
      const Listener& one = array.object_at(i);
      std::int64_t senders = 0, sum = 0;
      for (int from = i % 3; from < size; from += 3) {
        ++senders;
        sum += from * all_steps * (all_steps + 1) / 2;
      }
      EXPECT_EQ(one.wrong, 0) << "element " << i;
      EXPECT_EQ(one.potentials, senders * all_steps);
      EXPECT_EQ(one.pokes, senders * all_steps);
      EXPECT_EQ(one.sum, sum);
    }
    return here;
  }

  Runtime runtime;
  int size, steps, runs = 0;
  Array<Listener> array;
  std::vector<Section<Listener>> sections;
};

/// Lines, wide trees and narrow ones; messages of one piece and of many, with a short last one.
inline const Spread spreads[] = {{.fan_out = 1, .piece_bytes = 1000},
                                 {.fan_out = 2},
                                 {.fan_out = 3, .piece_bytes = 20000},
                                 {.fan_out = 64, .piece_bytes = 8192}};

}  // namespace fg::test

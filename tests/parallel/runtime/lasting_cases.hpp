// SPDX-License-Identifier: BSD-3-Clause
//
// A runtime that stays while arrays are made and freed between its runs, and arrays that are bound
// to others.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "runtime/archive.hpp"
#include "runtime/runtime.hpp"

namespace fg::test {

/// Counts the elements of this process that exist.
class Guest : public Chare<Guest, 1> {
 public:
  explicit Guest(std::int64_t stay) : stay(stay) { ++present; }
  ~Guest() override { --present; }

  Task life() {
    everyone.multicast_at<&Guest::greet>(0, stay);
    co_await when<&Guest::greet>(0, array().size());
    *turn.place<std::int64_t>(*this, 0, 0) = stay + ordinal();
    turn.sent(*this, 0);
    sum.contribute(*this, stay, {greeted});
    co_await when<&Guest::total>(stay);
  }
  void greet(std::int64_t value) { greeted += value + ordinal(); }
  void total(Ref<const ReductionMessage<std::int64_t>> message) { all = message->values()[0]; }
  void turned(std::int64_t round) {
    from_neighbour = *turn.from<std::int64_t>(*this, 0, round);
    turn.release(*this, round);
  }

  static inline std::atomic<int> present{0};
  Section<Guest> everyone;
  Exchange<Guest, Guest> turn;
  Reduction<std::int64_t> sum;
  std::int64_t stay, greeted = 0, all = 0, from_neighbour = 0;
};

/// Makes guests, lets them work, and frees them; their number and what they compute depend on
/// `stay`.
inline void receive_guests(Runtime& runtime, int stay) {
  const int size = 3 + stay % 4;
  const std::array<int, 1> shape{size};
  const auto guests = runtime.create_array<Guest>(
      shape, hashed_map(shape, runtime.pes(), static_cast<std::uint64_t>(stay)),
      [=](const auto&) { return std::make_unique<Guest>(stay); });
  std::vector<std::array<int, 1>> all;
  for (int i = 0; i < size; ++i) all.push_back({i});
  const Section<Guest> everyone(guests, all, {.fan_out = stay % 3});
  const Reduction<std::int64_t> sum(guests, 1, deliver_at<&Guest::total>(guests));
  const auto turn = Exchange<Guest, Guest>::make<&Guest::turned>(guests, guests, [&](auto index) {
    return std::vector<ExchangeCore::Link>{{(index[0] + 1) % size, sizeof(std::int64_t)}};
  });
  for (int i = 0; i < size; ++i) {
    if (!guests.here_at(i)) continue;
    Guest& guest = guests.object_at(i);
    guest.everyone = everyone;
    guest.sum = sum;
    guest.turn = turn;
  }
  if (runtime.process() == 0) guests.broadcast<&Guest::life>();
  runtime.run_until_quiescent();
  for (int i = 0; i < size; ++i) {
    if (!guests.here_at(i)) continue;
    const Guest& guest = guests.object_at(i);
    // Each is greeted `size` times with `stay`, and adds its ordinal each time.
    EXPECT_EQ(guest.greeted, size * (stay + i));
    EXPECT_EQ(guest.all, size * (size * stay + size * (size - 1) / 2));
    EXPECT_EQ(guest.from_neighbour, stay + (i + size - 1) % size);
  }
  runtime.free_array(guests);
}

/// Works for as long as it is told, and knows its neighbour by ordinal only.
class Tied : public Chare<Tied, 2> {
 public:
  void work(std::int64_t rounds) {
    for (std::int64_t i = 0; i < rounds; ++i) state = state * 6364136223846793005u + 1;
    ++visits;
  }
  void archive(Archive& with) override { with(state, visits); }
  std::uint64_t state = 1;
  std::int64_t visits = 0;
};

/// Followers live where their leaders live, wherever these are put, and those bound to followers
/// too.
inline void follow_leaders(const RuntimeOptions& how) {
  RuntimeOptions measured = how;
  measured.profiling = Profiling::scheduling;
  Runtime runtime(measured);
  const auto make = [](const auto&) { return std::make_unique<Tied>(); };
  const std::array<int, 2> shape{7, 1};
  const auto leaders = runtime.create_array<Tied>(shape, hashed_map(shape, runtime.pes(), 1), make);
  const auto followers = runtime.create_array_beside<Tied>(
      leaders, {7, 3}, [](const auto& index) { return std::array<int, 2>{index[0], 0}; }, make);
  const auto last = runtime.create_array_beside<Tied>(
      followers, {3, 7}, [](const auto& index) { return std::array<int, 2>{index[1], index[0]}; },
      make);
  for (std::uint64_t seed = 2; seed < 6; ++seed) {
    if (runtime.process() == 0) {
      leaders.broadcast<&Tied::work>(std::int64_t{10});
      followers.broadcast<&Tied::work>(std::int64_t{10});
      last.broadcast<&Tied::work>(std::int64_t{1000});
    }
    runtime.run_until_quiescent();
    const auto loads = runtime.loads(*leaders.core());
    for (int i = 0; i < 7; ++i) {
      std::uint64_t here = 0;
      const auto add = [&](const Array<Tied>& array, const std::array<int, 2>& index) {
        if (array.here(index)) here += array.object(index).load();
      };
      add(leaders, {i, 0});
      for (int k = 0; k < 3; ++k) {
        add(followers, {i, k});
        add(last, {k, i});
      }
      const std::uint64_t load = loads[static_cast<std::size_t>(i)];
      EXPECT_GE(load, here);
      if (runtime.processes() == 1) {
        EXPECT_EQ(load, here);
      }
    }
    std::vector<int> pes;
    for (int i = 0; i < 7; ++i)
      pes.push_back(maps::hashed(std::array<int, 1>{i}, {7}, runtime.pes(), seed));
    const Runtime::Placement placement{leaders.core(), pes};
    runtime.relocate({&placement, 1});
    for (int i = 0; i < 7; ++i) {
      const int pe = pes[static_cast<std::size_t>(i)];
      EXPECT_EQ(leaders.pe_of({i, 0}), pe);
      for (int k = 0; k < 3; ++k) {
        EXPECT_EQ(followers.pe_of({i, k}), pe);
        EXPECT_EQ(last.pe_of({k, i}), pe);
        const bool here = runtime.process_of(pe) == runtime.process();
        ASSERT_EQ(followers.here({i, k}), here);
        if (here) {
          EXPECT_EQ(followers.object({i, k}).visits, static_cast<std::int64_t>(seed) - 1);
        }
      }
    }
  }
}

}  // namespace fg::test

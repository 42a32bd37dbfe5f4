// SPDX-License-Identifier: BSD-3-Clause
//
// Chares that move often, in one process or several.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/archive.hpp"
#include "runtime/runtime.hpp"

namespace fg::test {

inline std::uint64_t mixed(std::uint64_t z) noexcept {
  z += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/// Passes numbers on, and sometimes moves to an unpredictable PE.
class Nomad : public Chare<Nomad, 1> {
 public:
  struct Account {
    std::int64_t messages = 0;
    std::uint64_t sum = 0, exclusive_or = 0;
  };

  /// The high half identifies the number, the low half counts how often it is still to be passed
  /// on.
  void pass(std::uint64_t token) {
    ++account.messages;
    account.sum += mixed(token);
    account.exclusive_or ^= mixed(token);
    const std::uint64_t dice = mixed(token ^ static_cast<std::uint64_t>(account.messages) << 40);
    if (dice % 3 == 0) {
      ++departures;
      move_to(static_cast<int>(dice / 3 % static_cast<std::uint64_t>(runtime().pes())));
    }
    if ((token & 0xffffffffu) == 0) return;
    const auto next = mixed(token) % static_cast<std::uint64_t>(array().size());
    array().at_ordinal(static_cast<int>(next)).send<&Nomad::pass>(token - 1);
  }
  void restart() override { ++arrivals; }
  void archive(Archive& with) override { with(account, departures, arrivals, luggage); }

  Account account;
  std::int64_t departures = 0, arrivals = 0;
  std::vector<double> luggage = std::vector<double>(50, 1.5);
};

/// Results of the Nomads of this process.
inline Nomad::Account storm(const RuntimeOptions& how, int nomads, int tokens, int passes,
                            std::int64_t* moves = nullptr) {
  Runtime runtime(how);
  const std::array<int, 1> shape{nomads};
  const auto array = runtime.create_array<Nomad>(shape, block_map(shape, runtime.pes()));
  if (runtime.process() == 0)
    for (int token = 0; token < tokens; ++token)
      array.at_ordinal(token % nomads)
          .send<&Nomad::pass>(static_cast<std::uint64_t>(token) << 32 |
                              static_cast<std::uint64_t>(passes));
  runtime.run_until_quiescent();
  runtime.agree_on_places();
  Nomad::Account all;
  for (int i = 0; i < nomads; ++i) {
    if (!array.here_at(i)) continue;
    const Nomad& nomad = array.object_at(i);
    EXPECT_EQ(nomad.luggage, std::vector<double>(50, 1.5));
    all.messages += nomad.account.messages;
    all.sum += nomad.account.sum;
    all.exclusive_or ^= nomad.account.exclusive_or;
    EXPECT_GE(nomad.departures, nomad.arrivals);
    if (moves) *moves += nomad.arrivals;
  }
  return all;
}

/// Exchanges values with its neighbours on a ring and moves every few steps, between two lives.
class Settler : public Chare<Settler, 1> {
 public:
  struct Parcel : Message {
    double value;
  };
  Settler(std::int64_t steps, bool moves) : steps_(steps), moves_(moves) {}

  Task life() {
    while (step_ < steps_) {
      for (const int side : {-1, 1}) {
        auto parcel = make_message<Parcel>(2000);
        parcel->value = value * (side + 3);
        const int there = (ordinal() + side + array().size()) % array().size();
        array().at_ordinal(there).send_at<&Settler::accept>(step_, std::move(parcel));
      }
      co_await when<&Settler::accept>(step_, 2).bind(*this);
      // Ordered by value: the order of arrival must not matter.
      value = 0.5 * std::sin(std::min(got_[0], got_[1]) + 0.25 * std::max(got_[0], got_[1])) +
              0.1 * ordinal();
      got_.clear();
      ++step_;
      if (moves_ && step_ % 3 == 0) {
        move_to(static_cast<int>(mixed(static_cast<std::uint64_t>(ordinal() * 1000 + step_)) %
                                 static_cast<std::uint64_t>(runtime().pes())));
        co_return;
      }
    }
  }
  void accept(Ref<const Parcel> parcel) { got_.push_back(parcel->value); }
  void restart() override { self().send<&Settler::life>(); }
  void archive(Archive& with) override { with(value, step_, got_); }

  double value = 1;

 private:
  std::int64_t steps_;
  bool moves_;
  std::int64_t step_ = 0;
  std::vector<double> got_;
};

/// The values of all settlers after the steps; empty for those of other processes.
using SettlerValues = std::vector<std::optional<double>>;
inline SettlerValues settle_down(const RuntimeOptions& how, int settlers, std::int64_t steps,
                                 bool moves) {
  Runtime runtime(how);
  const std::array<int, 1> shape{settlers};
  const auto array = runtime.create_array<Settler>(
      shape, block_map(shape, runtime.pes()),
      [=](const auto&) { return std::make_unique<Settler>(steps, moves); });
  if (runtime.process() == 0) array.broadcast<&Settler::life>();
  runtime.run_until_quiescent();
  EXPECT_EQ(runtime.describe_waiting(), "");
  SettlerValues values(static_cast<std::size_t>(settlers));
  for (int i = 0; i < settlers; ++i)
    if (array.here_at(i)) values[static_cast<std::size_t>(i)] = array.object_at(i).value;
  return values;
}

}  // namespace fg::test

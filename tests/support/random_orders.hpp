// SPDX-License-Identifier: BSD-3-Clause
//
// Runs of one job with messages in orders drawn from seeds (runtime/disorder.hpp). A seed also
// draws the number of PEs and the map. All must have one digest. FINEGRAIN_ORDER_SEEDS says how
// many seeds, and FINEGRAIN_DELIVERY_SEED chooses a single one, to repeat a failure.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <functional>
#include <sstream>
#include <string>

#include "base/philox.hpp"
#include "runtime/disorder.hpp"

namespace fg::test {

/// What one seed draws.
struct RandomOrder {
  std::uint64_t seed = 0;  // 0: the usual order
  int pes = 1;             // 1 to 8
  const char* map = "block";
  const char* balancer = "none";

  static RandomOrder of(std::uint64_t seed) {
    static constexpr std::array maps{"block", "hashed", "round-robin"};
    const PhiloxCounter words =
        philox4x32({static_cast<std::uint32_t>(seed), 0, 0, 0}, {0x6f72646, 0});
    return {.seed = seed,
            .pes = 1 + static_cast<int>(words[0] % 8),
            .map = maps[words[1] % maps.size()],
            .balancer = words[2] % 4 == 0 ? "random" : "none"};
  }

  std::string text() const {
    std::ostringstream out;
    out << delivery_seed_variable << '=' << seed << ", " << pes << " PEs, map " << map
        << ", balancer " << balancer;
    return out.str();
  }
};

/// The environment of one run; afterwards it is as it was.
class DeliverySeed {
 public:
  explicit DeliverySeed(std::uint64_t seed) {
    if (const char* const text = std::getenv(delivery_seed_variable)) before_ = text;
    set(seed > 0 ? std::to_string(seed) : std::string());
  }
  DeliverySeed(const DeliverySeed&) = delete;
  DeliverySeed& operator=(const DeliverySeed&) = delete;
  ~DeliverySeed() { set(before_); }

 private:
  static void set(const std::string& text) {
    if (text.empty())
      unsetenv(delivery_seed_variable);
    else
      setenv(delivery_seed_variable, text.c_str(), 1);
  }
  std::string before_;
};

/// Two seeds, or as many as the environment says.
inline int seeds_of_orders() {
  const char* const text = std::getenv("FINEGRAIN_ORDER_SEEDS");
  return text ? std::atoi(text) : 2;
}

/// Calls `run` for each seed.
inline void for_each_seed(const std::function<void(const RandomOrder&)>& run) {
  const char* const chosen = std::getenv(delivery_seed_variable);
  if (chosen) return run(RandomOrder::of(std::strtoull(chosen, nullptr, 10)));
  for (int seed = 1; seed <= seeds_of_orders(); ++seed)
    run(RandomOrder::of(static_cast<std::uint64_t>(seed)));
}

/// Compares the digests of all orders with that of the usual one on one PE. If `repeats`, a seed
/// that fails is tried twice more, and the message says whether it fails again. Several processes
/// all call this, without repeats, because only the first has digests that are not empty.
inline void expect_one_digest_in_any_order(
    const std::function<std::string(const RandomOrder&)>& digest_of, bool repeats = true) {
  const auto run = [&](const RandomOrder& order) -> std::string {
    const DeliverySeed environment(order.seed);
    try {
      return digest_of(order);
    } catch (const std::exception& error) {
      return std::string("error: ") + error.what();
    }
  };
  const std::string usual = run({});
  for_each_seed([&](const RandomOrder& order) {
    SCOPED_TRACE(order.text());
    const std::string digest = run(order);
    EXPECT_TRUE(digest == usual) << digest << "\nis not\n" << usual;
    for (int again = 0; repeats && digest != usual && again < 2; ++again)
      ADD_FAILURE() << "again: " << (run(order) == usual ? "right" : "wrong");
  });
}

}  // namespace fg::test

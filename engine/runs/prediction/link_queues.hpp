// SPDX-License-Identifier: BSD-3-Clause
//
// When messages arrive, on links that carry one message at a time. A message waits at each link of
// its route until the messages before it have left. This is virtual cut-through with room for all
// that waits (Kermani and Kleinrock, Comput. Netw. 3, 267 (1979)). If several ways have the same
// length it takes one, by the number of the receiving node. Times are whole picoseconds.
#pragma once

#include <cstdint>
#include <vector>

#include "topology/machines/machine.hpp"

namespace fg {

class LinkQueues {
 public:
  explicit LinkQueues(const topology::Machine& machine);

  /// When the last byte is there. Calls with earlier times come before those with later ones.
  std::int64_t arrival(int from_node, int to_node, std::int64_t bytes, std::int64_t time);

  /// Links count what they carry from now on.
  void start_counting() { busy_.assign(busy_.size(), 0); }
  /// How long each link has been busy since [ps]. A torus has one more for each node, with which a
  /// node enters its router.
  const std::vector<std::int64_t>& busy() const noexcept { return busy_; }

 private:
  struct Rate {
    double picoseconds_a_byte;
    std::int64_t latency;  // [ps]
  };
  std::int64_t pass(std::size_t link, const Rate& rate, std::int64_t bytes, std::int64_t& longest,
                    std::int64_t time);
  static Rate rate_of(const topology::Speed& speed);

  const topology::Machine& machine_;
  std::vector<Rate> rates_;
  Rate injection_;
  std::vector<std::int64_t> free_, busy_;  // by link
  std::vector<int> way_;
};

}  // namespace fg

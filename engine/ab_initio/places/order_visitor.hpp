// SPDX-License-Identifier: BSD-3-Clause
//
// The steps of an order of the leader: what objects send each other, when they go on, and what they
// compute. Objects have the numbers of object_numbers.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "runtime/simulated/simulated_time.hpp"

namespace fg::ab_initio {

class OrderVisitor {
 public:
  enum class Sum : std::uint8_t { in_order, exact };

  OrderVisitor() = default;
  OrderVisitor(const OrderVisitor&) = delete;
  OrderVisitor& operator=(const OrderVisitor&) = delete;
  virtual ~OrderVisitor() = default;

  /// `count` messages, one after the other; phases are those of traffic_phases.hpp.
  virtual void send(std::size_t phase, int from, int to, std::size_t bytes, double count) = 0;
  /// To the processes of the members of a section; a process may be there several times. (A message
  /// to more than 1,024 members in one process would be two.)
  virtual void multicast(std::size_t phase, int from, std::span<const int> members,
                         std::size_t bytes) = 0;
  /// As a section with the spread of ways_of_objects.hpp.
  virtual void along_tree(std::size_t phase, int root, std::span<const int> members,
                          std::size_t bytes) = 0;
  /// A reduction of so many numbers, and the multicast of its result.
  virtual void reduce(std::size_t phase, std::span<const int> members, std::size_t numbers,
                      std::span<const int> to, Sum sum) = 0;

  /// What was sent to these objects so far is there before they compute and send what follows.
  virtual void go_on(std::span<const int> objects) = 0;
  /// Floating-point operations, as division/costs.hpp counts them.
  virtual void compute(int object, Work kind, double operations) = 0;
};

}  // namespace fg::ab_initio

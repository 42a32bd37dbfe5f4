// SPDX-License-Identifier: BSD-3-Clause
//
// Messages between processes as the runtime sends them: one to each process of a multicast, along
// trees in pieces. Also the vectors of a reduction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "runs/ways.hpp"
#include "topology/placement/pe_layout.hpp"
#include "transport/message.hpp"

namespace fg::ab_initio {

/// The bytes that travel of a message: its fields, the padding behind them, and what trails.
template <class M>
std::size_t body_bytes(std::size_t trailing) {
  static const std::size_t fields = make_message<M>(0)->body().size();
  return fields + trailing;
}

class ProcessMessages {
 public:
  enum class Sum : std::uint8_t { in_order, exact };

  ProcessMessages(std::size_t phases, const topology::PeLayout& layout);

  /// How often what follows is sent.
  void set_times(double times) noexcept { times_ = times; }

  void send(std::size_t phase, int from, int to, std::size_t bytes, double count = 1);
  /// To the processes of the members of a section; a process may be there several times. (A message
  /// to more than 1,024 members in one process would be two.)
  void multicast(std::size_t phase, int from, std::span<const int> members, std::size_t bytes);
  /// As a section with the spread of ways_of_objects.hpp.
  void along_tree(std::size_t phase, int root, std::span<const int> members, std::size_t bytes);
  /// A reduction of so many numbers, and the multicast of its result.
  void reduce(std::size_t phase, std::span<const int> members, std::size_t numbers,
              std::span<const int> to, Sum sum = Sum::in_order);

  std::vector<Way> take(std::size_t phase) { return sums_[phase].take(); }

 private:
  /// The processes of members, ascending, each once.
  const std::vector<int>& processes_of(std::span<const int> members);

  double times_ = 1;
  std::vector<int> hosts_;  // by process
  std::vector<WaySums> sums_;
  std::vector<bool> seen_;
  std::vector<int> found_;
};

}  // namespace fg::ab_initio

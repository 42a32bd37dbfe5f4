// SPDX-License-Identifier: BSD-3-Clause
//
// The shape of a reduction's tree: which node combines which vectors, and in which process.
#pragma once

#include <span>
#include <vector>

namespace fg {

struct ReductionTree {
  static constexpr int fan_in = 8;

  struct Node {
    int parent = -1;  // none: its result is that of the reduction
    int place = 0;    // among the inputs of the parent
    int inputs = 0;
    int process = 0;  // that combines it
  };
  struct Leaf {
    int node, place;  // where the vector of a member goes
  };
  std::vector<Node> nodes;   // each before its parent
  std::vector<Leaf> leaves;  // by member

  // `host_of_process`: the number of the host of each process.
  /// A tree over the members in the order of their numbers, whatever their processes. So sums of
  /// doubles have the same bits in any division. A node belongs to the host from which most of its
  /// inputs come. There it belongs to the process from which most come. Among equal ones it is the
  /// first.
  static ReductionTree in_order(std::span<const int> process_of_member,
                                std::span<const int> host_of_process);
  /// A tree for exact arithmetic. It combines all members of a process before anything travels, and
  /// all processes of a host before anything leaves it.
  static ReductionTree local_first(std::span<const int> process_of_member,
                                   std::span<const int> host_of_process);
};

}  // namespace fg

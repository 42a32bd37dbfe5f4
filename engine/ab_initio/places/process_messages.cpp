// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/places/process_messages.hpp"

#include <algorithm>

#include "ab_initio/places/ways_of_objects.hpp"
#include "runtime/network.hpp"
#include "runtime/reduction.hpp"
#include "runtime/trees/multicast_tree.hpp"
#include "runtime/trees/reduction_tree.hpp"

namespace fg::ab_initio {

ProcessMessages::ProcessMessages(std::size_t phases, const topology::PeLayout& layout)
    : sums_(phases), seen_(static_cast<std::size_t>(layout.processes)) {
  hosts_.reserve(seen_.size());
  for (int process = 0; process < layout.processes; ++process)
    hosts_.push_back(layout.host_of(process));
}

const std::vector<int>& ProcessMessages::processes_of(std::span<const int> members) {
  found_.clear();
  for (const int process : members) {
    const auto at = static_cast<std::size_t>(process);
    if (seen_[at]) continue;
    seen_[at] = true;
    found_.push_back(process);
  }
  for (const int process : found_) seen_[static_cast<std::size_t>(process)] = false;
  std::ranges::sort(found_);
  return found_;
}

void ProcessMessages::send(std::size_t phase, int from, int to, std::size_t bytes, double count) {
  sums_[phase].add(from, to, times_ * count * static_cast<double>(bytes), times_ * count);
}

void ProcessMessages::multicast(std::size_t phase, int from, std::span<const int> members,
                                std::size_t bytes) {
  for (const int process : processes_of(members)) send(phase, from, process, bytes);
}

void ProcessMessages::along_tree(std::size_t phase, int root, std::span<const int> members,
                                 std::size_t bytes) {
  const std::vector<int>& processes = processes_of(members);
  const HostGroups groups(processes, hosts_);
  const MulticastTree tree(groups, root, along_tree_spread.fan_out);
  const std::size_t piece = along_tree_spread.piece_bytes;
  const std::size_t whole = bytes > piece ? bytes / piece : 0, rest = bytes - whole * piece;
  const auto forward = [&](int from) {
    tree.for_each_child(from, [&](int to) {
      if (whole == 0) return send(phase, from, to, bytes);
      send(phase, from, to, body_bytes<BytesMessage>(piece), static_cast<double>(whole));
      if (rest > 0) send(phase, from, to, body_bytes<BytesMessage>(rest));
    });
  };
  if (!std::ranges::binary_search(processes, root)) forward(root);
  for (const int process : processes) forward(process);
}

void ProcessMessages::reduce(std::size_t phase, std::span<const int> members, std::size_t numbers,
                             std::span<const int> to, Sum sum) {
  static_assert(sizeof(double) == sizeof(std::int64_t));
  const std::size_t bytes = body_bytes<ReductionMessage<double>>(numbers * sizeof(double));
  const ReductionTree tree = sum == Sum::exact ? ReductionTree::local_first(members, hosts_)
                                               : ReductionTree::in_order(members, hosts_);
  const auto process_of = [&](int node) {
    return tree.nodes[static_cast<std::size_t>(node)].process;
  };
  for (std::size_t i = 0; i < members.size(); ++i)
    send(phase, members[i], process_of(tree.leaves[i].node), bytes);
  for (const ReductionTree::Node& node : tree.nodes)
    if (node.parent >= 0)
      send(phase, node.process, process_of(node.parent), bytes);
    else
      multicast(phase, node.process, to, bytes);
}

}  // namespace fg::ab_initio

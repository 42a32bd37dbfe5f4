// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/places/order_counter.hpp"

#include <algorithm>

#include "ab_initio/places/message_bytes.hpp"
#include "ab_initio/places/ways_of_objects.hpp"
#include "runtime/trees/reduction_tree.hpp"

namespace fg::ab_initio {

OrderCounter::OrderCounter(std::size_t phases, const std::vector<int>& pes,
                           const topology::PeLayout& layout)
    : pes_(pes),
      sums_(phases),
      operations_(static_cast<std::size_t>(layout.pes())),
      seen_(static_cast<std::size_t>(layout.processes)) {
  process_of_.reserve(pes.size());
  for (const int pe : pes) process_of_.push_back(layout.process_of(pe));
  hosts_.reserve(seen_.size());
  for (int process = 0; process < layout.processes; ++process)
    hosts_.push_back(layout.host_of(process));
}

const std::vector<int>& OrderCounter::processes_of(std::span<const int> members) {
  found_.clear();
  for (const int member : members) {
    const int process = process_of(member);
    const auto at = static_cast<std::size_t>(process);
    if (seen_[at]) continue;
    seen_[at] = true;
    found_.push_back(process);
  }
  for (const int process : found_) seen_[static_cast<std::size_t>(process)] = false;
  std::ranges::sort(found_);
  return found_;
}

void OrderCounter::add(std::size_t phase, int from, int to, std::size_t bytes, double count) {
  sums_[phase].add(from, to, times_ * count * static_cast<double>(bytes), times_ * count);
}

void OrderCounter::add_to_each(std::size_t phase, int from, std::span<const int> members,
                               std::size_t bytes) {
  for (const int process : processes_of(members)) add(phase, from, process, bytes);
}

void OrderCounter::send(std::size_t phase, int from, int to, std::size_t bytes, double count) {
  add(phase, process_of(from), process_of(to), bytes, count);
}

void OrderCounter::multicast(std::size_t phase, int from, std::span<const int> members,
                             std::size_t bytes) {
  add_to_each(phase, process_of(from), members, bytes);
}

void OrderCounter::along_tree(std::size_t phase, int root, std::span<const int> members,
                              std::size_t bytes) {
  const std::vector<int>& processes = processes_of(members);
  const HostGroups groups(processes, hosts_);
  const MulticastTree tree(groups, process_of(root), along_tree_spread.fan_out);
  const PiecesOfMessage pieces(bytes);
  const auto forward = [&](int from) {
    tree.for_each_child(from, [&](int to) {
      pieces.for_each(
          [&](std::size_t of_piece, double count) { add(phase, from, to, of_piece, count); });
    });
  };
  if (!std::ranges::binary_search(processes, process_of(root))) forward(process_of(root));
  for (const int process : processes) forward(process);
}

void OrderCounter::reduce(std::size_t phase, std::span<const int> members, std::size_t numbers,
                          std::span<const int> to, Sum sum) {
  of_members_.clear();
  for (const int member : members) of_members_.push_back(process_of(member));
  const std::size_t bytes = reduction_bytes(numbers);
  const ReductionTree tree = sum == Sum::exact ? ReductionTree::local_first(of_members_, hosts_)
                                               : ReductionTree::in_order(of_members_, hosts_);
  const auto combines = [&](int node) {
    return tree.nodes[static_cast<std::size_t>(node)].process;
  };
  for (std::size_t i = 0; i < members.size(); ++i)
    add(phase, of_members_[i], combines(tree.leaves[i].node), bytes);
  for (const ReductionTree::Node& node : tree.nodes)
    if (node.parent >= 0)
      add(phase, node.process, combines(node.parent), bytes);
    else
      add_to_each(phase, node.process, to, bytes);
}

void OrderCounter::compute(int object, Work, double operations) {
  operations_[static_cast<std::size_t>(pes_[static_cast<std::size_t>(object)])] +=
      times_ * operations;
}

}  // namespace fg::ab_initio

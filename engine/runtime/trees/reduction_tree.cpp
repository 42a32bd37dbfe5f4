// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/trees/reduction_tree.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

namespace fg {

namespace {

/// A vector on its way: that of a member, or the result of a node.
struct Vector {
  bool of_member;
  int number;
  int process;
};

class Builder {
 public:
  Builder(std::size_t members, std::span<const int> hosts) : hosts_(hosts) {
    tree_.leaves.resize(members, {-1, 0});
  }

  /// Combines vectors in groups, these again, and so on, until one is left.
  Vector combine(std::vector<Vector> vectors) {
    while (vectors.size() > 1) {
      std::vector<Vector> results;
      for (std::size_t first = 0; first < vectors.size(); first += ReductionTree::fan_in) {
        const std::size_t count =
            std::min<std::size_t>(ReductionTree::fan_in, vectors.size() - first);
        results.push_back(add_node(std::span(vectors).subspan(first, count)));
      }
      vectors = std::move(results);
    }
    return vectors.front();
  }

  /// A member that is alone has a node, too.
  ReductionTree finish(const Vector& last) {
    if (last.of_member) add_node({&last, 1});
    return std::move(tree_);
  }

 private:
  int host_of(int process) const noexcept { return hosts_[static_cast<std::size_t>(process)]; }

  /// The process that gets the fewest vectors from other hosts, and then from other processes.
  int place_of(std::span<const Vector> inputs) const {
    const auto nearness = [&](const Vector& to) {
      std::pair<std::ptrdiff_t, std::ptrdiff_t> same{};
      for (const Vector& from : inputs) {
        same.first += host_of(from.process) == host_of(to.process);
        same.second += from.process == to.process;
      }
      return same;
    };
    return std::ranges::max_element(inputs, {}, nearness)->process;
  }

  Vector add_node(std::span<const Vector> inputs) {
    const int node = static_cast<int>(tree_.nodes.size());
    for (int place = 0; const Vector& input : inputs) {
      const auto number = static_cast<std::size_t>(input.number);
      if (input.of_member) {
        tree_.leaves[number] = {node, place++};
      } else {
        tree_.nodes[number].parent = node;
        tree_.nodes[number].place = place++;
      }
    }
    const int process = place_of(inputs);
    tree_.nodes.push_back({.inputs = static_cast<int>(inputs.size()), .process = process});
    return {false, node, process};
  }

  std::span<const int> hosts_;
  ReductionTree tree_;
};

}  // namespace

ReductionTree ReductionTree::in_order(std::span<const int> process_of_member,
                                      std::span<const int> host_of_process) {
  Builder builder(process_of_member.size(), host_of_process);
  std::vector<Vector> all;
  for (int member = 0; const int process : process_of_member)
    all.push_back({true, member++, process});
  return builder.finish(builder.combine(std::move(all)));
}

ReductionTree ReductionTree::local_first(std::span<const int> process_of_member,
                                         std::span<const int> host_of_process) {
  Builder builder(process_of_member.size(), host_of_process);
  std::map<int, std::map<int, std::vector<Vector>>> by_host;
  for (int member = 0; const int process : process_of_member)
    by_host[host_of_process[static_cast<std::size_t>(process)]][process].push_back(
        {true, member++, process});
  std::vector<Vector> results;
  results.reserve(by_host.size());
  for (auto& [host, by_process] : by_host) {
    std::vector<Vector> here;
    here.reserve(by_process.size());
    for (auto& [process, members] : by_process) here.push_back(builder.combine(std::move(members)));
    results.push_back(builder.combine(std::move(here)));
  }
  return builder.finish(builder.combine(std::move(results)));
}

}  // namespace fg

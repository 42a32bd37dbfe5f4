// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/trees/reduction_tree.hpp"

#include <algorithm>
#include <cstddef>
#include <map>

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
  explicit Builder(std::size_t members) { tree_.leaves.resize(members, {-1, 0}); }

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
    const int process = inputs.front().process;
    tree_.nodes.push_back({.inputs = static_cast<int>(inputs.size()), .process = process});
    return {false, node, process};
  }

  ReductionTree tree_;
};

}  // namespace

ReductionTree ReductionTree::in_order(std::span<const int> process_of_member) {
  Builder builder(process_of_member.size());
  std::vector<Vector> all;
  for (int member = 0; const int process : process_of_member)
    all.push_back({true, member++, process});
  return builder.finish(builder.combine(std::move(all)));
}

ReductionTree ReductionTree::local_first(std::span<const int> process_of_member) {
  Builder builder(process_of_member.size());
  std::map<int, std::vector<Vector>> by_process;
  for (int member = 0; const int process : process_of_member)
    by_process[process].push_back({true, member++, process});
  std::vector<Vector> results;
  results.reserve(by_process.size());
  for (auto& [process, members] : by_process)
    results.push_back(builder.combine(std::move(members)));
  return builder.finish(builder.combine(std::move(results)));
}

}  // namespace fg

// SPDX-License-Identifier: BSD-3-Clause
//
// Adds up what processes send each other and what PEs compute. Messages are counted as the runtime
// sends them: one to each process of a multicast, along trees in pieces, and the vectors of a
// reduction.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "ab_initio/places/order_visitor.hpp"
#include "runs/ways.hpp"
#include "topology/placement/pe_layout.hpp"

namespace fg::ab_initio {

class OrderCounter final : public OrderVisitor {
 public:
  /// `pes`: of all objects, by number. Must outlive it.
  OrderCounter(std::size_t phases, const std::vector<int>& pes, const topology::PeLayout& layout);

  /// How often what follows happens.
  void set_times(double times) noexcept { times_ = times; }

  void send(std::size_t phase, int from, int to, std::size_t bytes, double count) override;
  void multicast(std::size_t phase, int from, std::span<const int> members,
                 std::size_t bytes) override;
  void along_tree(std::size_t phase, int root, std::span<const int> members,
                  std::size_t bytes) override;
  void reduce(std::size_t phase, std::span<const int> members, std::size_t numbers,
              std::span<const int> to, Sum sum) override;
  void go_on(std::span<const int>) override {}
  void compute(int object, Work kind, double operations) override;

  std::vector<Way> take(std::size_t phase) { return sums_[phase].take(); }
  /// By PE.
  const std::vector<double>& operations() const noexcept { return operations_; }

 private:
  int process_of(int object) const { return process_of_[static_cast<std::size_t>(object)]; }
  void add(std::size_t phase, int from, int to, std::size_t bytes, double count = 1);
  void add_to_each(std::size_t phase, int from, std::span<const int> members, std::size_t bytes);
  /// The processes of members, ascending, each once.
  const std::vector<int>& processes_of(std::span<const int> members);

  double times_ = 1;
  const std::vector<int>& pes_;  // by object
  std::vector<int> process_of_;  // by object
  std::vector<int> hosts_;       // by process
  std::vector<WaySums> sums_;    // by phase
  std::vector<double> operations_;
  std::vector<bool> seen_;
  std::vector<int> found_, of_members_;
};

}  // namespace fg::ab_initio

// SPDX-License-Identifier: BSD-3-Clause
//
// Adds up the energies that the force computes deposit, exactly, in whatever order they come.
#pragma once

#include <functional>
#include <vector>

#include "app/output_queue.hpp"
#include "forces/ports.hpp"

namespace fg::app {

class Ledger : public LedgerPort {
 public:
  /// `done` runs on the ledger's PE when a step is whole.
  explicit Ledger(std::function<void(const EnergyTotals&)> done) : done_(std::move(done)) {}

  /// So many objects deposit once each on every energy step. Before the run.
  void expect(int depositors) noexcept { depositors_ = depositors; }

  void deposit(Ref<const EnergyDeposit> message) override;

 private:
  struct Page {
    std::int64_t step = 0;
    int deposits = 0;
    std::array<std::int64_t, energy_term_count> terms{};
    std::array<std::int64_t, 6> virial{};
  };

  int depositors_ = 0;
  std::function<void(const EnergyTotals&)> done_;
  std::vector<Page> open_;  // steps not yet whole; at most as many as patches are apart
};

}  // namespace fg::app

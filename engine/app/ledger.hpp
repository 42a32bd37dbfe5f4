// SPDX-License-Identifier: BSD-3-Clause
//
// Adds up what the force computes deposit, exactly, in whatever order they come: energies, which
// leave in the order of steps, and the number of bonded terms, which must always be all of them.
#pragma once

#include <functional>
#include <vector>

#include "app/output_queue.hpp"
#include "app/schedule.hpp"
#include "forces/ports.hpp"

namespace fg::app {

struct LedgerSetup {
  int depositors = 0;             // objects that deposit once each on every energy step
  int bonded_computes = 0;        // objects that count their terms at every rebuild
  std::int64_t bonded_terms = 0;  // of the job
  /// Runs on the ledger's PE when a step is whole.
  std::function<void(const EnergyTotals&)> done;
};

class Ledger : public LedgerPort {
 public:
  /// Before the first run.
  void set_up(LedgerSetup setup) { setup_ = std::move(setup); }
  /// Before a run.
  void begin(const Schedule& schedule);

  void deposit(Ref<const EnergyDeposit> message) override;
  void bonded_terms(Ref<const BondedTermCount> message) override;

 private:
  struct Page {
    std::int64_t step = 0;
    int deposits = 0;
    std::array<std::int64_t, energy_term_count> terms{};
    std::array<std::int64_t, 6> virial{};
  };
  struct Count {
    std::int64_t step = 0;
    int computes = 0;
    std::int64_t terms = 0;
  };

  LedgerSetup setup_;
  Schedule schedule_;
  std::int64_t next_ = 0;   // the energy step that leaves next
  std::vector<Page> open_;  // steps not yet gone; at most as many as patches are apart
  std::vector<Count> counts_;
};

}  // namespace fg::app

// SPDX-License-Identifier: BSD-3-Clause
//
// Adds up the deposits of the force computes, exactly, in any order of arrival. The deposits are
// energies and the number of bonded terms. Energies leave in the order of steps. The number of
// bonded terms must always be complete.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "classical/job/molecules.hpp"
#include "classical/job/schedule.hpp"
#include "forces/ports.hpp"
#include "records/trajectory/output_queue.hpp"

namespace fg::classical {

struct LedgerSetup {
  int depositors = 0;             // objects that make one deposit each on every step with a virial
  int bonded_computes = 0;        // objects that count their terms at every rebuild
  std::int64_t bonded_terms = 0;  // of the job
  const MoleculeTable* molecules = nullptr;
  /// Called on the ledger's PE when a step is complete; with the centres of the molecules of
  /// several fragments.
  std::function<void(EnergyTotals, std::span<const MoleculeCentre>)> done;
};

class Ledger : public LedgerPort {
 public:
  /// Called before the first run.
  void set_up(LedgerSetup setup) { setup_ = std::move(setup); }
  /// Called before a run.
  void begin(const Schedule& schedule);

  void deposit(Ref<const EnergyDeposit> message) override;
  void bonded_terms(Ref<const BondedTermCount> message) override;

 private:
  struct Page {
    std::int64_t step = 0;
    int deposits = 0;
    std::array<std::int64_t, energy_term_count> terms{};
    std::array<std::int64_t, 6> virial{}, motion{}, inner_virial{};
    std::int64_t heat = 0;
    std::vector<MoleculeShare> molecules{};
  };
  struct Count {
    std::int64_t step = 0;
    int computes = 0;
    std::int64_t terms = 0;
  };

  void send(Page& page);

  LedgerSetup setup_;
  Schedule schedule_;
  std::int64_t next_ = 0;  // the next step to leave
  // steps that have not left; at most the number of steps between the fastest and the slowest patch
  std::vector<Page> open_;
  std::vector<std::vector<MoleculeShare>> spare_;  // of pages that have left
  std::vector<MoleculeCentre> centres_;            // of the page that leaves
  std::vector<Count> counts_;
};

}  // namespace fg::classical

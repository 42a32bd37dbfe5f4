// SPDX-License-Identifier: BSD-3-Clause
//
// The way of energies to the ledger. An array of objects joins the depositors before it runs, and
// gets its way to the ledger in return. So the ledger awaits a deposit of each object on every
// energy step, neither fewer nor more.
#pragma once

#include <utility>

#include "forces/ports.hpp"

namespace fg {

class Deposits {
 public:
  Deposits() = default;

  /// One deposit of each object that was announced, on every energy step.
  void make(Ref<EnergyDeposit> deposit) const {
    ledger_[{0}].template send<&LedgerPort::deposit>(std::move(deposit));
  }
  /// Called by each bonded compute at every rebuild.
  void count(Ref<BondedTermCount> count) const {
    ledger_[{0}].template send<&LedgerPort::bonded_terms>(std::move(count), Lane::low);
  }

 private:
  friend class Depositors;
  explicit Deposits(const Array<LedgerPort>& ledger) : ledger_(ledger) {}

  Array<LedgerPort> ledger_;
};

class Depositors {
 public:
  explicit Depositors(const Array<LedgerPort>& ledger) : ledger_(ledger) {}

  /// `objects`: the number of those that make a deposit on every energy step.
  Deposits join(int objects) {
    count_ += objects;
    return Deposits(ledger_);
  }
  int count() const noexcept { return count_; }

 private:
  Array<LedgerPort> ledger_;
  int count_ = 0;
};

}  // namespace fg

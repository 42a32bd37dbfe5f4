// SPDX-License-Identifier: BSD-3-Clause
#include "classical/ledger.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "base/fixed_point.hpp"

namespace fg::classical {

namespace {

/// Returns the entry of a step, and adds it if it is missing.
template <class T>
T& of_step(std::vector<T>& all, std::int64_t step) {
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const T& x) { return x.step == step; });
  return found != all.end() ? *found : all.emplace_back(T{.step = step});
}

}  // namespace

void Ledger::begin(const Schedule& schedule) {
  schedule_ = schedule;
  next_ =
      schedule.virial(schedule.first()) ? schedule.first() : schedule.next_virial(schedule.first());
}

void Ledger::deposit(Ref<const EnergyDeposit> message) {
  Page& mine = of_step(open_, message->step);
  for (std::size_t i = 0; i < mine.terms.size(); ++i) mine.terms[i] += message->terms[i];
  for (std::size_t i = 0; i < mine.virial.size(); ++i) {
    mine.virial[i] += message->virial[i];
    mine.motion[i] += message->motion[i];
    mine.inner_virial[i] += message->inner_virial[i];
  }
  mine.heat += message->heat;
  if (mine.molecules.empty() && setup_.molecules != nullptr && setup_.molecules->size() > 0) {
    if (!spare_.empty()) {
      mine.molecules = std::move(spare_.back());
      spare_.pop_back();
    }
    mine.molecules.assign(static_cast<std::size_t>(setup_.molecules->size()), {});
  }
  const auto* const shares = message->trailing<MoleculeShare>();
  for (std::int32_t i = 0; i < message->shares; ++i)
    mine.molecules[static_cast<std::size_t>(shares[i].molecule)].add(shares[i]);
  ++mine.deposits;

  // A step may be complete before an earlier one; it waits, so that rows leave in order.
  for (;;) {
    const auto page = std::find_if(open_.begin(), open_.end(), [&](const Page& p) {
      return p.step == next_ && p.deposits == setup_.depositors;
    });
    if (page == open_.end()) return;
    Page complete = std::move(*page);
    open_.erase(page);
    next_ = schedule_.next_virial(next_);
    send(complete);
  }
}

void Ledger::send(Page& page) {
  EnergyTotals totals{.step = page.step, .heat = page.heat};
  for (std::size_t i = 0; i < totals.terms.size(); ++i)
    totals.terms[i] = energy_scale.to_double(page.terms[i]);
  for (std::size_t i = 0; i < totals.virial.size(); ++i) {
    totals.virial[i] = energy_scale.to_double(page.virial[i]);
    totals.motion[i] = energy_scale.to_double(page.motion[i]);
    totals.inner_virial[i] = energy_scale.to_double(page.inner_virial[i]);
  }
  centres_.clear();
  for (const MoleculeShare& sum : page.molecules) centres_.push_back(sum.centre());
  if (!centres_.empty())
    add_centres(*setup_.molecules, centres_, totals.motion, totals.inner_virial);
  if (!page.molecules.empty()) spare_.push_back(std::move(page.molecules));
  setup_.done(totals, centres_);
}

void Ledger::bonded_terms(Ref<const BondedTermCount> message) {
  Count& count = of_step(counts_, message->step);
  count.terms += message->terms;
  if (++count.computes < setup_.bonded_computes) return;
  const std::int64_t terms = count.terms;
  std::erase_if(counts_, [&](const Count& c) { return c.step == message->step; });
  if (terms != setup_.bonded_terms)
    throw NumericsError(
        {.what = "some bonded atoms lie more than two patches apart",
         .where = "step " + std::to_string(message->step),
         .value = std::to_string(setup_.bonded_terms - terms) + " terms cannot be computed",
         .limit = "none of " + std::to_string(setup_.bonded_terms),
         .hint = "the molecule has broken up: minimise, or use a shorter timestep; a checkpoint "
                 "saved before is intact"});
}

}  // namespace fg::classical

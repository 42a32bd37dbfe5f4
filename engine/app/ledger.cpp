// SPDX-License-Identifier: BSD-3-Clause
#include "app/ledger.hpp"

#include <algorithm>

#include "base/fixed_point.hpp"

namespace fg::app {

void Ledger::deposit(Ref<const EnergyDeposit> message) {
  auto page = std::find_if(open_.begin(), open_.end(),
                           [&](const Page& p) { return p.step == message->step; });
  if (page == open_.end()) page = open_.insert(open_.end(), Page{.step = message->step});
  for (std::size_t i = 0; i < page->terms.size(); ++i) page->terms[i] += message->terms[i];
  for (std::size_t i = 0; i < page->virial.size(); ++i) page->virial[i] += message->virial[i];
  if (++page->deposits < depositors_) return;

  EnergyTotals totals{.step = page->step};
  for (std::size_t i = 0; i < totals.terms.size(); ++i)
    totals.terms[i] = energy_scale.to_double(page->terms[i]);
  for (std::size_t i = 0; i < totals.virial.size(); ++i)
    totals.virial[i] = energy_scale.to_double(page->virial[i]);
  open_.erase(page);
  done_(totals);
}

}  // namespace fg::app

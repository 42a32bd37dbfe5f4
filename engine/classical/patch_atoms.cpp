// SPDX-License-Identifier: BSD-3-Clause
#include "classical/patch_atoms.hpp"

#include <algorithm>

namespace fg::classical {

void PatchAtoms::settle(const std::vector<AtomRecord>& records) {
  const auto& fragments = system_.fragments();
  order_.clear();
  MotionLayout layout;
  for (std::size_t i = 0; i < records.size();) {
    const int fragment = fragments.of_atom(records[i].id);
    const auto size = fragments.atoms(fragment).size();
    order_.emplace_back(system_.storage_key(fragment), static_cast<std::int32_t>(i));
    if (fragments.kind(fragment) == FragmentKind::water)
      ++layout.waters;
    else
      layout.others += static_cast<int>(size);
    i += size;
  }
  std::sort(order_.begin(), order_.end());

  moving_.reset(layout, fragments.water());
  constraints_.clear(layout);
  slots_.clear();
  ids_.clear();
  images_.clear();
  const auto put = [&](const AtomRecord& record, int slot) {
    moving_.place(slot, record.id, system_.job().atoms.mass[record.id], record.position,
                  record.velocity);
    slots_.push_back(slot);
    ids_.push_back(record.id);
    images_.push_back(record.image);
  };
  int water = 0;
  int other = 0;
  for (const auto& [key, first] : order_) {
    const int fragment = fragments.of_atom(records[first].id);
    if (fragments.kind(fragment) == FragmentKind::water) {
      for (int k = 0; k < 3; ++k) put(records[first + k], layout.water_slot(water, k));
      ++water;
      continue;
    }
    constraints_.add(fragments, fragment, layout.other_slot(other));
    const auto size = static_cast<int>(fragments.atoms(fragment).size());
    for (int k = 0; k < size; ++k) put(records[first + k], layout.other_slot(other++));
  }
  constraints_.finish(moving_);
}

}  // namespace fg::classical

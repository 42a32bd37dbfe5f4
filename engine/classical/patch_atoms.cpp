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
    const auto sites = static_cast<int>(fragments.sites(fragment).size());
    order_.emplace_back(system_.storage_key(fragment), static_cast<std::int32_t>(i));
    layout.sites += sites;
    if (fragments.kind(fragment) == FragmentKind::water)
      ++layout.waters;
    else
      layout.others += static_cast<int>(size) - sites;
    i += size;
  }
  std::sort(order_.begin(), order_.end());

  moving_.reset(layout, fragments.water());
  constraints_.clear(layout);
  sites_.clear();
  slots_.clear();
  ids_.clear();
  images_.clear();
  const auto put = [&](const AtomRecord& record, int slot) {
    moving_.place(slot, record.id, system_.mass(record.id), record.position, record.velocity);
    remember(record, slot);
  };
  int water = 0;
  int other = 0;
  int site = 0;
  for (const auto& [key, first] : order_) {
    const AtomRecord* const fragment_records = &records[first];
    const int fragment = fragments.of_atom(fragment_records->id);
    const auto sites = static_cast<int>(fragments.sites(fragment).size());
    const auto real = static_cast<int>(fragments.atoms(fragment).size()) - sites;
    if (fragments.kind(fragment) == FragmentKind::water) {
      for (int k = 0; k < 3; ++k) put(fragment_records[k], layout.water_slot(water, k));
      ++water;
    } else {
      constraints_.add(fragments, fragment, layout.other_slot(other));
      for (int k = 0; k < real; ++k) put(fragment_records[k], layout.other_slot(other++));
    }
    if (sites == 0) continue;
    put_sites(fragment, fragment_records + real, layout.site_slot(site));
    site += sites;
  }
  constraints_.finish(moving_);
}

void PatchAtoms::remember(const AtomRecord& record, int slot) {
  slots_.push_back(slot);
  ids_.push_back(record.id);
  images_.push_back(record.image);
}

/// The other atoms of the fragment have just been put in.
void PatchAtoms::put_sites(int fragment, const AtomRecord* records, int first_slot) {
  const auto atoms = system_.fragments().atoms(fragment).within();
  const auto sites = system_.fragments().sites(fragment);
  const std::size_t first_atom = slots_.size() - (atoms.size() - sites.size());
  for (std::size_t k = 0; k < sites.size(); ++k) {
    const VirtualSite& site = system_.job().topology.virtual_sites[sites[k]];
    SiteSlots slots{.site = first_slot + static_cast<int>(k)};
    for (int p = 0; p < site.parent_count(); ++p) {
      const auto place = std::find(atoms.begin(), atoms.end(), site.parents[p]) - atoms.begin();
      slots.parents[p] = slots_[first_atom + static_cast<std::size_t>(place)];
    }
    moving_.place_site(slots.site, records[k].position);
    sites_.add(site, slots);
    remember(records[k], slots.site);
  }
}

}  // namespace fg::classical

// SPDX-License-Identifier: BSD-3-Clause
//
// Operations of all processes together on the places of elements, between runs.
#include <utility>

#include "base/bytes.hpp"
#include "runtime/migration.hpp"
#include "runtime/runtime.hpp"

namespace fg {

/// Returns the bytes of all processes, one after another, in every process.
std::vector<std::byte> Runtime::share(const std::vector<std::byte>& mine) {
  if (!network_) return mine;
  std::vector<std::byte> all;
  for (const auto& part : network_->transport().gather(mine))
    all.insert(all.end(), part.begin(), part.end());
  return network_->transport().broadcast(std::move(all));
}

void Runtime::agree_on_places() {
  struct Place {
    int array, ordinal, pe;
    std::uint32_t moves;
  };
  ByteWriter here;
  for (const auto& array : arrays_)
    for (const Location& location : array->locations)
      if (location.home) here.put(Place{array->id, location.ordinal, location.pe, location.moves});
  const std::vector<std::byte> all = share(std::move(here).take());
  for (ByteReader bytes(all); !bytes.empty();) {
    const auto place = bytes.get<Place>();
    Migration::learn(arrays_[static_cast<std::size_t>(place.array)]
                         ->locations[static_cast<std::size_t>(place.ordinal)],
                     place.pe, place.moves);
  }
  renew_sections();
}

void Runtime::renew_sections() {
  // Parcels point to the lists that are about to be made again.
  for (const auto& pe : pes_) pe->take_in_all();
  for (const auto& section : sections_) detail::sort_by_place(*section);
  for (const auto& exchange : exchanges_) exchange->renew();
}

void Runtime::relocate(std::span<const Placement> placements) {
  FG_CHECK(Pe::current() == nullptr);
  agree_on_places();
  for (const Placement& placement : placements) {
    ArrayCore& array = *placement.array;
    FG_CHECK(placement.pes.size() == array.locations.size());
    for (std::size_t i = 0; i < placement.pes.size(); ++i) {
      Location& location = array.locations[i];
      const int before = location.pe, after = placement.pes[i];
      pe_here(after);  // throws if there is no such PE
      if (before == after) continue;
      if (location.home) {
        Migration::place(*location.object, after);
      } else {
        const std::uint32_t moves = location.moves + (process_of(before) != process_of(after));
        Migration::set_place(location, after, moves);
      }
    }
  }
  if (network_) network_->settle();
  renew_sections();
  relocated_ = true;
}

std::vector<std::uint64_t> Runtime::loads(const ArrayCore& array) {
  struct Load {
    int ordinal;
    std::uint64_t ticks;
  };
  ByteWriter here;
  for (const auto& object : array.objects)
    if (object) here.put(Load{object->ordinal(), object->load()});
  const std::vector<std::byte> all = share(std::move(here).take());
  std::vector<std::uint64_t> loads(array.locations.size());
  for (ByteReader bytes(all); !bytes.empty();) {
    const auto one = bytes.get<Load>();
    loads[static_cast<std::size_t>(one.ordinal)] = one.ticks;
  }
  return loads;
}

}  // namespace fg

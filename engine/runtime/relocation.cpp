// SPDX-License-Identifier: BSD-3-Clause
//
// Operations of all processes together on arrays and the places of their elements, between runs.
#include <algorithm>
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
  for (const auto& array : arrays_) {
    if (!array) continue;
    for (const Location& location : array->locations)
      if (location.home) here.put(Place{array->id, location.ordinal, location.pe, location.moves});
  }
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
  for (const auto& exchange : exchanges_)
    if (exchange) exchange->renew();
}

void Runtime::place_all(ArrayCore& array, std::span<const int> pes) {
  FG_CHECK(pes.size() == array.locations.size());
  for (std::size_t i = 0; i < pes.size(); ++i) {
    Location& location = array.locations[i];
    const int before = location.pe, after = pes[i];
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

void Runtime::relocate(std::span<const Placement> placements) {
  FG_CHECK(Pe::current() == nullptr);
  for (const Placement& placement : placements)
    if (placement.array->bond.leader)
      throw InternalError(
          {.what = "an array that is bound to another one cannot be placed by itself",
           .where = placement.array->name,
           .value = "bound to " + placement.array->bond.leader->name,
           .hint = "place the array that it is bound to"});
  agree_on_places();
  for (const Placement& placement : placements) place_all(*placement.array, placement.pes);
  // An array may be bound to one that is itself bound.
  std::vector<const ArrayCore*> placed;
  const auto place_after_leader = [&](const auto& self, ArrayCore& array) -> void {
    if (!array.bond.leader || std::find(placed.begin(), placed.end(), &array) != placed.end())
      return;
    self(self, *array.bond.leader);
    std::vector<int> pes;
    pes.reserve(array.bond.to.size());
    for (const int to : array.bond.to)
      pes.push_back(array.bond.leader->locations[static_cast<std::size_t>(to)].pe);
    place_all(array, pes);
    placed.push_back(&array);
  };
  for (const auto& array : arrays_)
    if (array) place_after_leader(place_after_leader, *array);
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
  for (const auto& other : arrays_) {
    if (!other) continue;
    for (const auto& object : other->objects) {
      if (!object) continue;
      const ArrayCore* of = other.get();
      int ordinal = object->ordinal();
      for (; of != &array && of->bond.leader; of = of->bond.leader)
        ordinal = of->bond.to[static_cast<std::size_t>(ordinal)];
      if (of == &array) here.put(Load{ordinal, object->load()});
    }
  }
  const std::vector<std::byte> all = share(std::move(here).take());
  std::vector<std::uint64_t> loads(array.locations.size());
  for (ByteReader bytes(all); !bytes.empty();) {
    const auto one = bytes.get<Load>();
    loads[static_cast<std::size_t>(one.ordinal)] += one.ticks;
  }
  return loads;
}

void Runtime::end_array(ArrayCore& array) {
  FG_CHECK(Pe::current() == nullptr);
  const auto refuse = [&](const char* what, const std::string& value, const char* hint) {
    throw InternalError({.what = what, .where = array.name, .value = value, .hint = hint});
  };
  if (backlog() != 0 || !array.held.empty() || quiescence_.requests() != 0)
    refuse("an array cannot be freed while messages are queued",
           std::to_string(backlog()) + " messages", "free it after run_until_quiescent");
  for (const auto& other : arrays_)
    if (other && other->bond.leader == &array)
      refuse("an array cannot be freed while another one is bound to it", other->name,
             "free the other one first");
  for (auto& reduction : reductions_)
    if (reduction && reduction->concerns(array)) reduction.reset();
  for (auto& exchange : exchanges_)
    if (exchange && exchange->concerns(array)) exchange.reset();
  for (const SectionCore*& tree : trees_)
    if (tree && tree->array == &array) tree = nullptr;
  std::erase_if(sections_, [&](const auto& section) { return section->array == &array; });
  arrays_[static_cast<std::size_t>(array.id)].reset();
}

}  // namespace fg

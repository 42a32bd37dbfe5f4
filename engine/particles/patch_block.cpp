// SPDX-License-Identifier: BSD-3-Clause
#include "particles/patch_block.hpp"

#include <algorithm>
#include <cmath>

namespace fg {

namespace {

using Pairs = std::vector<std::array<std::int32_t, 2>>;

/// Both ways round, each once, sorted.
Pairs both_ways(std::span<const std::array<std::int32_t, 2>> pairs) {
  Pairs both;
  both.reserve(2 * pairs.size());
  for (const auto& [a, b] : pairs) {
    if (a == b) continue;
    both.push_back({a, b});
    both.push_back({b, a});
  }
  std::sort(both.begin(), both.end());
  both.erase(std::unique(both.begin(), both.end()), both.end());
  return both;
}

}  // namespace

std::span<const std::int32_t> ExclusionTable::of_copy(std::int32_t id, std::size_t first,
                                                      std::size_t end,
                                                      std::vector<std::int32_t>& room) const {
  room.assign(ids.begin() + static_cast<std::ptrdiff_t>(first),
              ids.begin() + static_cast<std::ptrdiff_t>(end));
  if (cells.empty()) {
    const std::int32_t beside = copies.first_beside(id);
    for (std::int32_t& other : room) other += beside;
    return room;
  }
  for (std::size_t i = 0; i < room.size(); ++i)
    room[i] = copies.atom(id, room[i], cells[first + i]);
  std::sort(room.begin(), room.end());
  return room;
}

bool ExclusionTable::holds(std::int32_t one, std::int32_t other) const noexcept {
  const int atom = copies.within(one);
  for (auto i = static_cast<std::size_t>(start[atom]);
       i < static_cast<std::size_t>(start[atom + 1]); ++i) {
    const std::int32_t there =
        copies.several() ? copies.atom(one, ids[i], cells.empty() ? Int3{} : cells[i]) : ids[i];
    if (there == other) return true;
  }
  return false;
}

ExclusionTable make_exclusion_table(int atoms, std::span<const std::array<std::int32_t, 2>> pairs,
                                    std::span<const std::array<std::int32_t, 2>> far,
                                    const RepeatedCell& repeated) {
  Pairs both = both_ways(pairs);
  if (!far.empty()) {
    const Pairs again = both_ways(far);
    both.insert(both.end(), again.begin(), again.end());
    std::sort(both.begin(), both.end());
  }

  ExclusionTable table;
  table.start.assign(atoms + 1, 0);
  table.ids.reserve(both.size());
  for (const auto& [a, b] : both) {
    ++table.start[a + 1];
    table.ids.push_back(b);
  }
  for (int a = 0; a < atoms; ++a) table.start[a + 1] += table.start[a];
  table.copies = repeated.copies;
  if (!repeated.copies.several()) return table;
  bool all_beside = true;
  table.cells.reserve(both.size());
  for (const auto& pair : both) {
    const Int3 cells = cells_of_term<2>(repeated.cell, repeated.positions, pair)[1];
    all_beside &= cells == Int3{};
    table.cells.push_back(cells);
  }
  if (all_beside) table.cells = {};
  return table;
}

template <class Real>
void make_patch_block(std::span<const std::int32_t> ids, const ClusterOrder& order,
                      const AtomParameters& parameters, const ExclusionTable& exclusions,
                      PatchBlock<Real>& block) {
  const int slots = order.clusters() * cluster_size;
  block.atoms = order.atoms();
  block.clusters = order.clusters();
  block.id.assign(slots, -1);
  block.charge.assign(slots, 0);
  block.half_sigma.assign(slots, 0);
  block.root_epsilon.assign(slots, 0);
  block.by_id.clear();
  for (std::int32_t slot = 0; slot < slots; ++slot) {
    const std::int32_t atom = order.atom_of_slot[slot];
    if (atom < 0) continue;
    const std::int32_t id = ids[atom];
    block.id[slot] = id;
    const int within = parameters.copies.within(id);
    block.charge[slot] = static_cast<Real>(parameters.charge[within]);
    if (parameters.types.count > 0) {
      block.half_sigma[slot] = static_cast<Real>(parameters.types.of_atom[within]);
      block.root_epsilon[slot] = parameters.has_lennard_jones(id) ? 1 : 0;
    } else {
      block.half_sigma[slot] = static_cast<Real>(0.5 * parameters.sigma[within]);
      block.root_epsilon[slot] = static_cast<Real>(2.0 * std::sqrt(parameters.epsilon[within]));
    }
    block.by_id.push_back({id, slot});
  }
  const auto by_id = [](const auto& a, const auto& b) {
    return a.id != b.id ? a.id < b.id : a.slot < b.slot;
  };
  std::sort(block.by_id.begin(), block.by_id.end(), by_id);

  block.inner_exclusions.clear();
  block.outer_exclusions.clear();
  std::vector<std::int32_t> room;
  for (const auto& [id, slot] : block.by_id) {
    auto from = block.by_id.begin();
    for (const std::int32_t other : exclusions.of(id, room)) {
      from =
          std::lower_bound(from, block.by_id.end(), other,
                           [](const auto& entry, std::int32_t value) { return entry.id < value; });
      if (from == block.by_id.end() || from->id != other) {
        block.outer_exclusions.push_back({other, slot});
      } else if (slot < from->slot) {
        block.inner_exclusions.push_back({slot, from->slot});
      }
    }
  }
  std::sort(block.outer_exclusions.begin(), block.outer_exclusions.end(), by_id);
}

namespace {

/// Calls visit(list, count) for every list of a packed block, in storage order.
template <class View, class Visit>
void for_each_list(View& block, const PatchBlockExtent& extent, Visit&& visit) {
  const auto slots = static_cast<std::size_t>(extent.clusters) * cluster_size;
  visit(block.charge, slots);
  visit(block.half_sigma, slots);
  visit(block.root_epsilon, slots);
  visit(block.id, slots);
  visit(block.by_id, static_cast<std::size_t>(extent.atoms));
  visit(block.inner_exclusions, static_cast<std::size_t>(extent.inner_exclusions));
  visit(block.outer_exclusions, static_cast<std::size_t>(extent.outer_exclusions));
}

}  // namespace

template <class Real>
PatchBlockExtent extent_of(const PatchBlock<Real>& block) noexcept {
  return {block.clusters, static_cast<std::int32_t>(block.by_id.size()),
          static_cast<std::int32_t>(block.inner_exclusions.size()),
          static_cast<std::int32_t>(block.outer_exclusions.size())};
}

template <class Real>
std::size_t packed_bytes(const PatchBlockExtent& extent) noexcept {
  std::size_t bytes = 0;
  PatchBlockView<Real> shape;
  for_each_list(shape, extent, [&](const auto& list, std::size_t count) {
    bytes += count * sizeof(*list.data());
  });
  return (bytes + 7) / 8 * 8;
}

template <class Real>
void pack(const PatchBlock<Real>& block, std::byte* to) noexcept {
  for_each_list(block, extent_of(block), [&](const auto& list, std::size_t count) {
    to = std::copy_n(reinterpret_cast<const std::byte*>(list.data()), count * sizeof(*list.data()),
                     to);
  });
}

template <class Real>
PatchBlockView<Real> unpack(const PatchBlockExtent& extent, const std::byte* from) noexcept {
  PatchBlockView<Real> block;
  for_each_list(block, extent, [&]<class T>(std::span<const T>& list, std::size_t count) {
    list = {reinterpret_cast<const T*>(from), count};
    from += count * sizeof(T);
  });
  return block;
}

template PatchBlockExtent extent_of(const PatchBlock<float>&) noexcept;
template PatchBlockExtent extent_of(const PatchBlock<double>&) noexcept;
template std::size_t packed_bytes<float>(const PatchBlockExtent&) noexcept;
template std::size_t packed_bytes<double>(const PatchBlockExtent&) noexcept;
template void pack(const PatchBlock<float>&, std::byte*) noexcept;
template void pack(const PatchBlock<double>&, std::byte*) noexcept;
template PatchBlockView<float> unpack(const PatchBlockExtent&, const std::byte*) noexcept;
template PatchBlockView<double> unpack(const PatchBlockExtent&, const std::byte*) noexcept;

template void make_patch_block(std::span<const std::int32_t>, const ClusterOrder&,
                               const AtomParameters&, const ExclusionTable&, PatchBlock<float>&);
template void make_patch_block(std::span<const std::int32_t>, const ClusterOrder&,
                               const AtomParameters&, const ExclusionTable&, PatchBlock<double>&);

}  // namespace fg

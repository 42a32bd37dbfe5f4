// SPDX-License-Identifier: BSD-3-Clause
#include "classical/atom_shares.hpp"

#include <algorithm>
#include <utility>

#include "base/bytes.hpp"

namespace fg::classical {

namespace {

constexpr int fragments_at_once = 1 << 15;  // some megabytes

bool is_first(const Transport* transport) noexcept {
  return transport == nullptr || transport->rank() == 0;
}

/// Gives all processes the lists of process 0.
template <class... Lists>
void share(Transport* transport, Lists&... lists) {
  if (transport == nullptr) return;
  ByteWriter bytes;
  (bytes.put(lists), ...);
  const auto all = transport->broadcast(std::move(bytes).take());
  ByteReader reader(all);
  (reader.get(lists), ...);
}

}  // namespace

void share_atoms(const System& system, const State& state, const PatchGrid& grid,
                 Transport* transport,
                 const std::function<void(int patch, std::span<const AtomRecord>)>& take) {
  const auto& fragments = system.fragments();
  for (int first = 0; first < fragments.size(); first += fragments_at_once) {
    const int end = std::min(first + fragments_at_once, fragments.size());
    std::vector<AtomRecord> records;
    if (is_first(transport)) records = records_of(system, state, first, end);
    share(transport, records);
    std::size_t at = 0;
    for (int f = first; f < end; ++f) {
      const auto fragment = std::span(records).subspan(at, fragments.atoms(f).size());
      at += fragment.size();
      const auto place = grid.place(fragment[0].position);
      const Vec3 offset = grid.box().position(place.image);
      for (AtomRecord& atom : fragment) {
        atom.image += place.image;
        atom.position -= offset;
      }
      take(grid.flat(place.patch), fragment);
    }
  }
}

std::vector<Int3> share_images_of_whole_molecules(const System& system, const State& state,
                                                  Transport* transport) {
  if (system.molecules().size() == 0) return {};
  std::vector<Int3> images;
  if (is_first(transport)) images = images_of_whole_molecules(system, state);
  share(transport, images);
  return images;
}

WorkEstimate share_work(const System& system, const PatchGrid& grid,
                        std::span<const Vec3> positions, ForceParts parts, Transport* transport) {
  WorkEstimate work;
  if (is_first(transport)) work = estimate_work(system, grid, positions, parts);
  share(transport, work.patches, work.spreaders, work.bonded, work.pairs, work.z_pencils,
        work.other_pencils);
  // A pointer of process 0 means nothing elsewhere.
  const WorkCounts* const times = &times_of_work(system.job().settings.precision);
  for (auto* const list : {&work.patches, &work.spreaders, &work.bonded, &work.pairs,
                           &work.z_pencils, &work.other_pencils})
    for (ObjectWork& object : *list) object.times = times;
  return work;
}

}  // namespace fg::classical

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

/// Returns the bytes of process 0 in all of them.
std::vector<std::byte> shared(ByteWriter bytes, Transport* transport) {
  std::vector<std::byte> own = std::move(bytes).take();
  return transport == nullptr ? std::move(own) : transport->broadcast(std::move(own));
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
    if (transport != nullptr) {
      ByteWriter bytes;
      bytes.put(records);
      const auto all = shared(std::move(bytes), transport);
      ByteReader(all).get(records);
    }
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
  if (transport == nullptr) return images;
  ByteWriter bytes;
  bytes.put(images);
  const auto all = shared(std::move(bytes), transport);
  ByteReader(all).get(images);
  return images;
}

WorkEstimate share_work(const System& system, const PatchGrid& grid,
                        std::span<const Vec3> positions, ForceParts parts, Transport* transport) {
  WorkEstimate work;
  if (is_first(transport)) work = estimate_work(system, grid, positions, parts);
  if (transport == nullptr) return work;
  const auto lists = {&work.patches, &work.spreaders, &work.bonded,
                      &work.pairs,   &work.z_pencils, &work.other_pencils};
  ByteWriter bytes;
  for (const auto* const list : lists) bytes.put(*list);
  const auto all = shared(std::move(bytes), transport);
  ByteReader reader(all);
  for (auto* const list : lists) {
    reader.get(*list);
    for (ObjectWork& object : *list) object.times = &times_of_work(system.job().settings.precision);
  }
  return work;
}

}  // namespace fg::classical

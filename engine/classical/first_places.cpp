// SPDX-License-Identifier: BSD-3-Clause
#include "classical/first_places.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>

#include "base/error.hpp"
#include "classical/patch.hpp"
#include "runtime/places/consecutive.hpp"

namespace fg::classical {

namespace {

using Sums = std::vector<std::int64_t>;

template <std::size_t D>
std::vector<int> mapped(const ArrayMaps& maps, std::string_view array,
                        const std::array<int, D>& shape, int pes) {
  std::vector<int> found;
  std::array<int, D> index{};
  for (std::int64_t i = 0; i < maps::volume(shape); ++i) {
    std::int64_t rest = i;
    for (std::size_t d = D; d-- > 0; rest /= shape[d]) index[d] = static_cast<int>(rest % shape[d]);
    found.push_back(maps.pe(array, index, shape, pes));
  }
  return found;
}

void add(const FirstPlaces::Placed& placed, Sums& sums) {
  for (std::size_t i = 0; i < placed.pes.size(); ++i)
    sums[static_cast<std::size_t>(placed.pes[i])] += placed.work[i].picoseconds();
}

}  // namespace

FirstPlaces::FirstPlaces(const WorkEstimate& work, const PatchGrid& grid,
                         const JobSettings& settings, const ArrayMaps& maps, int pes)
    : pes_(pes) {
  const auto add_to_row = [&](std::string_view array, const std::vector<ObjectWork>& of,
                              const auto& shape) {
    const bool in_row = maps.of(array) == cost_map;
    arrays_.push_back({array, of, in_row ? std::vector<int>() : mapped(maps, array, shape, pes)});
  };
  const auto& shape = grid.shape();
  add_to_row(Patch<float>::array_name, work.patches, shape);
  add_to_row(MeshSpreader<float>::array_name, work.spreaders, shape);
  add_to_row(BondedCompute<float>::array_name, work.bonded, shape);
  add_to_row(PairCompute<float>::array_name, work.pairs,
             std::array{shape[0], shape[1], shape[2], settings.pair_computes});
  const std::array pencils{settings.pencil_grid[0], settings.pencil_grid[1]};
  const auto add_pencils = [&](std::string_view array, const std::vector<ObjectWork>& of) {
    if (!of.empty()) arrays_.push_back({array, of, mapped(maps, array, pencils, pes)});
  };
  add_pencils(ZPencil<float>::array_name, work.z_pencils);
  add_pencils(YPencil<float>::array_name, work.other_pencils);
  add_pencils(XPencil<float>::array_name, work.other_pencils);

  Sums sums(static_cast<std::size_t>(pes));
  for (const Placed& placed : arrays_) add(placed, sums);
  place_in_a_row(static_cast<std::size_t>(grid.size()), sums);
  std::ranges::fill(sums, 0);
  for (const Placed& placed : arrays_) add(placed, sums);
  whole_ = std::accumulate(sums.begin(), sums.end(), std::int64_t{0});
  fullest_ = *std::ranges::max_element(sums);
}

void FirstPlaces::place_in_a_row(std::size_t patches, const Sums& already) {
  std::vector<Placed*> unplaced;
  for (Placed& placed : arrays_)
    if (placed.pes.empty()) unplaced.push_back(&placed);
  const auto along_row = [&](const auto& visit) {
    for (std::size_t p = 0; p < patches; ++p)
      for (Placed* const placed : unplaced) {
        const std::size_t each = placed->work.size() / patches;
        for (std::size_t i = p * each; i < (p + 1) * each; ++i) visit(*placed, i);
      }
  };
  Sums row;
  along_row(
      [&](const Placed& placed, std::size_t i) { row.push_back(placed.work[i].picoseconds()); });
  const std::vector<int> pes = balance::consecutive(row, already);
  for (Placed* const placed : unplaced) placed->pes.resize(placed->work.size());
  auto next = pes.begin();
  along_row([&](Placed& placed, std::size_t i) { placed.pes[i] = *next++; });
}

const std::vector<int>& FirstPlaces::pes_of(std::string_view array) const {
  const auto found = std::ranges::find(arrays_, array, &Placed::array);
  FG_CHECK(found != arrays_.end());
  return found->pes;
}

}  // namespace fg::classical

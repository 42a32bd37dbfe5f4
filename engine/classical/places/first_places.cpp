// SPDX-License-Identifier: BSD-3-Clause
#include "classical/places/first_places.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <numeric>

#include "base/error.hpp"
#include "classical/places/object_row.hpp"
#include "classical/places/patch_orders.hpp"
#include "classical/places/traffic.hpp"
#include "forces/bonded/bonded_compute.hpp"
#include "forces/mesh/create_mesh.hpp"
#include "forces/pair/pair_compute.hpp"
#include "processes/mesh_map.hpp"
#include "topology/placement/pencils.hpp"

namespace fg::classical {

std::span<const std::string_view> names_of_arrays() noexcept {
  using Real = float;  // the names are the same for double
  static constexpr std::array<std::string_view, 7> names{patches_array,
                                                         PairCompute<Real>::array_name,
                                                         BondedCompute<Real>::array_name,
                                                         MeshSpreader<Real>::array_name,
                                                         ZPencil<Real>::array_name,
                                                         YPencil<Real>::array_name,
                                                         XPencil<Real>::array_name};
  return names;
}

namespace {

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

/// [ps]
std::int64_t work_of(const FirstPlaces::Placed& placed) {
  std::int64_t sum = 0;
  for (const ObjectWork& work : placed.work) sum += work.picoseconds();
  return sum;
}

std::vector<int> homes(const PatchGrid& grid, const PairDivision& pairs) {
  std::vector<int> patches;
  patches.reserve(static_cast<std::size_t>(pairs.computes()));
  for (int i = 0; i < pairs.computes(); ++i)
    patches.push_back(grid.flat(pairs.home(pairs.element(i))));
  return patches;
}

}  // namespace

FirstPlaces::FirstPlaces(const WorkEstimate& work, const PatchGrid& grid, const PairDivision& pairs,
                         const JobSettings& settings, const ArrayMaps& maps,
                         const topology::PeLayout& layout)
    : pes_(layout.pes()) {
  if (const auto mesh = mesh_map_of(maps.of_all())) {
    if (settings.electrostatics != Electrostatics::pme)
      throw InputError({.what = "the job has no mesh that could have PEs of its own",
                        .where = "--map",
                        .value = maps.of_all(),
                        .hint = "the usual map is cost"});
    mesh_.emplace(*mesh, maps.of_all(), layout);
  }
  const auto add_to_row = [&](std::string_view array, const std::vector<ObjectWork>& of,
                              const auto& shape) {
    const bool in_row = by_cost(array, maps);
    arrays_.push_back({array, of, in_row ? std::vector<int>() : mapped(maps, array, shape, pes_)});
  };
  const auto& shape = grid.shape();
  add_to_row(patches_array, work.patches, shape);
  add_to_row(MeshSpreader<float>::array_name, work.spreaders, shape);
  add_to_row(BondedCompute<float>::array_name, work.bonded, shape);
  add_to_row(PairCompute<float>::array_name, work.pairs, pairs.shape());
  const std::array pencils{settings.pencil_grid[0], settings.pencil_grid[1]};
  const auto add_pencils = [&](std::string_view array, const std::vector<ObjectWork>& of,
                               const std::string& own_map) {
    if (of.empty()) return;
    const bool by_work = by_cost(array, maps), of_mesh = by_work && mesh_;
    const ArrayMaps own(by_work ? own_map : maps.of(array), {});
    arrays_.push_back({array, of, mapped(own, array, pencils, of_mesh ? mesh_->pes() : pes_)});
    if (of_mesh)
      for (int& pe : arrays_.back().pes) pe = mesh_->pe(pe);
  };
  // Pencils along y and x with the same z exchange their data.
  const std::string along_planes = layout.processes > 1 ? "plane" : "block";
  add_pencils(ZPencil<float>::array_name, work.z_pencils, "block");
  add_pencils(YPencil<float>::array_name, work.other_pencils, along_planes);
  add_pencils(XPencil<float>::array_name, work.other_pencils, along_planes);

  place_in_a_row(grid, pairs, settings, maps, layout);
  const Sums sums = sums_of_pes();
  whole_ = std::accumulate(sums.begin(), sums.end(), std::int64_t{0});
  fullest_ = *std::ranges::max_element(sums);
}

bool FirstPlaces::by_cost(std::string_view array, const ArrayMaps& maps) const {
  return maps.of(array) == cost_map || (mesh_ && maps.of(array) == maps.of_all());
}

FirstPlaces::Sums FirstPlaces::sums_of_pes() const {
  Sums sums(static_cast<std::size_t>(pes_));
  for (const Placed& placed : arrays_)
    for (std::size_t i = 0; i < placed.pes.size(); ++i)
      sums[static_cast<std::size_t>(placed.pes[i])] += placed.work[i].picoseconds();
  return sums;
}

void FirstPlaces::place_in_a_row(const PatchGrid& grid, const PairDivision& pairs,
                                 const JobSettings& settings, const ArrayMaps& maps,
                                 const topology::PeLayout& layout) {
  std::vector<int> pes_of_row = layout.pes_by_host();
  if (mesh_) std::erase_if(pes_of_row, [&](int pe) { return !mesh_->may_have_others(pe); });
  Sums already = sums_of_pes();
  ObjectRow row(grid.size()), cells(grid.size());
  Placed* spreaders = nullptr;  // that come after the row, on the PEs of the mesh
  for (Placed& placed : arrays_)
    if (placed.pes.empty()) {
      placed.pes.resize(placed.work.size());
      const bool of_mesh = mesh_ && placed.array == MeshSpreader<float>::array_name;
      if (of_mesh)
        spreaders = &placed;
      else if (placed.array == PairCompute<float>::array_name)
        (pairs.in_space() ? cells : row).add(placed.work, placed.pes, homes(grid, pairs));
      else
        row.add(placed.work, placed.pes, index_order(grid));
    }
  if (spreaders) {
    const std::int64_t share = work_of(*spreaders) / mesh_->pes();
    for (int i = 0; i < mesh_->pes(); ++i) already[static_cast<std::size_t>(mesh_->pe(i))] += share;
  }
  const auto place_row = [&](const std::vector<int>& order) {
    Sums so_far = already;
    cells.place(order, pes_of_row, so_far);
    row.place(order, pes_of_row, so_far);
    if (spreaders) spreaders->pes = mesh_->spreaders(pes_of(patches_array));
  };
  if (layout.processes == 1) return place_row(index_order(grid));
  const std::vector<int>* best = nullptr;
  std::int64_t fewest = 0;
  std::vector<std::int64_t> loads = row.loads();
  std::ranges::transform(loads, cells.loads(), loads.begin(), std::plus());
  const auto orders = patch_orders(grid, loads, already, layout);
  const auto columns = std::ranges::find(arrays_, ZPencil<float>::array_name, &Placed::array);
  const std::vector<int> chosen = columns == arrays_.end() ? std::vector<int>() : columns->pes;
  std::vector<topology::PePlace> pes;
  pes.reserve(static_cast<std::size_t>(pes_));
  for (int pe = 0; pe < pes_; ++pe)
    pes.push_back(
        {.host = layout.host_of(layout.process_of(pe)), .process = layout.process_of(pe)});
  const auto place = [&](const std::vector<int>& order) {
    place_row(order);
    if (columns != arrays_.end() && by_cost(columns->array, maps))
      columns->pes = topology::z_pencil_places({settings.pencil_grid[0], settings.pencil_grid[1]},
                                               grid.shape(), pes_of(patches_array), pes, chosen);
  };
  for (const auto& order : orders) {
    place(order);
    const std::int64_t sends = sends_of_rounds(grid, pairs, settings, layout);
    if (best && sends >= fewest) continue;
    best = &order;
    fewest = sends;
  }
  place(*best);
}

std::int64_t FirstPlaces::sends_of_rounds(const PatchGrid& grid, const PairDivision& pairs,
                                          const JobSettings& settings,
                                          const topology::PeLayout& layout) const {
  const auto processes = [&](std::string_view array) {
    std::vector<int> found = pes_of(array);
    for (int& pe : found) pe = layout.process_of(pe);
    return found;
  };
  const auto z_pencils = std::ranges::find(arrays_, ZPencil<float>::array_name, &Placed::array);
  const auto computes = std::ranges::find(arrays_, PairCompute<float>::array_name, &Placed::array);
  // The interval of the mesh is a multiple of that of the pairs.
  const std::int64_t rounds = z_pencils == arrays_.end() ? 1
                                                         : z_pencils->work.front().interval /
                                                               computes->work.front().interval;
  std::int64_t sends = rounds * position_sends(grid, pairs, processes(patches_array),
                                               processes(PairCompute<float>::array_name));
  if (z_pencils != arrays_.end())
    sends += charge_sends(grid, settings, processes(MeshSpreader<float>::array_name),
                          processes(ZPencil<float>::array_name));
  return sends;
}

bool FirstPlaces::has(std::string_view array) const noexcept {
  return std::ranges::find(arrays_, array, &Placed::array) != arrays_.end();
}

const std::vector<int>& FirstPlaces::pes_of(std::string_view array) const {
  const auto found = std::ranges::find(arrays_, array, &Placed::array);
  FG_CHECK(found != arrays_.end());
  return found->pes;
}

}  // namespace fg::classical

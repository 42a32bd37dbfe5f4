// SPDX-License-Identifier: BSD-3-Clause
#include "classical/division/cut_cells.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "base/error.hpp"
#include "classical/division/work_estimate.hpp"
#include "classical/job/pair_settings.hpp"
#include "classical/places/first_places.hpp"
#include "particles/assignment/midpoint_cells.hpp"
#include "processes/array_maps.hpp"
#include "support/classical/water_job.hpp"

namespace fg::classical {
namespace {

using test::water_job, test::WaterJobOptions;

/// Waters in the lower third of the box.
constexpr WaterJobOptions slab{.per_axis = 12,
                               .patches = {4, 4, 4},
                               .reach = {2, 2, 2},
                               .pair_computes = 1,
                               .pairs = PairAssignment::midpoint,
                               .slab = true};

Job cut(const WaterJobOptions& options, const std::array<int, 3>& shape) {
  Job job = water_job(options);
  job.cells = cut_cells(job, shape);
  return job;
}

WorkEstimate estimate(const System& system) {
  return estimate_work(system, system.grid(), system.job().atoms.position, ForceParts::all);
}

double pairs_of(const ObjectWork& work) {
  return static_cast<double>(work.counts[of_pair]);
}

/// The work of pairs in a cell, and of the atoms and terms there, for the fullest one over the
/// average.
double unevenness(const Job& job) {
  const System system(job);
  SpaceBins bins(system.grid());
  add_work_of_atoms(system, job.atoms.position, bins);
  const SpaceSums of_atoms(bins);
  const auto division = pair_division(system, system.grid());
  const auto& cells = dynamic_cast<const MidpointCells&>(*division);
  std::vector<double> work;
  for (const ObjectWork& of : estimate(system).pairs)
    work.push_back(pairs_of(of) * time_of_a_pair(job) +
                   of_atoms.in(cells.space(cells.element(static_cast<int>(work.size())))));
  const double all = std::accumulate(work.begin(), work.end(), 0.0);
  return *std::ranges::max_element(work) * static_cast<double>(work.size()) / all;
}

TEST(CutCells, HaveEqualWorkWhereThoseOfOneSizeHaveNot) {
  EXPECT_GT(unevenness(water_job(slab)), 1.5);
  for (const std::array<int, 3>& shape :
       {std::array{4, 4, 4}, std::array{2, 3, 8}, std::array{1, 1, 5}})
    EXPECT_LT(unevenness(cut(slab, shape)), 1.01) << shape[0];
}

TEST(CutCells, HaveAllPairsTogether) {
  const auto all = [](const Job& job) {
    const System system(job);
    double sum = 0;
    for (const ObjectWork& work : estimate(system).pairs) sum += pairs_of(work);
    return sum;
  };
  const double expected = all(water_job(slab));
  EXPECT_NEAR(all(cut(slab, {3, 2, 5})), expected, 1e-3 * expected);
}

TEST(CutCells, AreSpreadOverAllPesWhateverElseTheseHave) {
  const Job job = cut(slab, {4, 4, 8});
  const System system(job);
  const auto pairs = pair_division(system, system.grid());
  for (const int processes : {1, 4}) {
    const topology::PeLayout layout{.processes = processes, .pes_a_process = 32 / processes};
    const FirstPlaces places(
        estimate_work(system, system.grid(), job.atoms.position, ForceParts::pairs), system.grid(),
        *pairs, job.settings, ArrayMaps("cost", names_of_arrays()), layout);
    std::vector<int> cells(32);
    for (const int pe : places.pes_of("pairs")) ++cells[static_cast<std::size_t>(pe)];
    EXPECT_GE(std::ranges::min(cells), 3) << processes;
    EXPECT_LE(std::ranges::max(cells), 5) << processes;
    EXPECT_LT(places.imbalance(), 1.2) << processes;
  }
}

TEST(CutCells, AreRefusedIfThereAreTooMany) {
  const Job job = water_job(slab);
  EXPECT_THROW(cut_cells(job, {65, 1, 1}), InputError);
  EXPECT_THROW(cut_cells(job, {0, 1, 1}), InputError);
}

}  // namespace
}  // namespace fg::classical

// SPDX-License-Identifier: BSD-3-Clause
//
// The estimated work of objects adds up to what the job has, and the places by cost are even where
// those by count are not. Estimates are compared with measured times by
// bench/accuracy/work_estimate.py, and the pairs in them with all pairs in pair_counts_test.cpp.
#include "classical/places/first_places.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "base/error.hpp"
#include "classical/assembly.hpp"
#include "classical/job/pair_settings.hpp"
#include "support/classical/water_job.hpp"

namespace fg::test {
namespace {

using namespace fg::classical;

class Estimated {
 public:
  explicit Estimated(const WaterJobOptions& options, ForceParts parts = ForceParts::all)
      : job_(water_job(options)),
        system_(job_),
        work(estimate_work(system_, system_.grid(), job_.atoms.position, parts)) {}

  FirstPlaces places(const std::string& map, int pes) const {
    return places(map, topology::one_process(pes));
  }
  FirstPlaces places(const std::string& map, const topology::PeLayout& layout) const {
    return {work,
            system_.grid(),
            *pair_division(system_, system_.grid()),
            job_.settings,
            ArrayMaps(map, names_of_arrays()),
            layout};
  }
  const System& system() const { return system_; }

 private:
  Job job_;
  System system_;

 public:
  WorkEstimate work;
};

std::int64_t sum(const std::vector<ObjectWork>& objects, WorkKind kind) {
  return std::accumulate(
      objects.begin(), objects.end(), std::int64_t{0},
      [&](std::int64_t so_far, const ObjectWork& work) { return so_far + work.counts[kind]; });
}

constexpr WaterJobOptions water{.per_axis = 12, .patches = {3, 3, 3}, .pair_computes = 3};
constexpr WaterJobOptions slab{
    .per_axis = 12, .patches = {3, 3, 3}, .pair_computes = 3, .slab = true};

TEST(WorkEstimate, AddsUpToWhatTheJobHas) {
  const Estimated all(slab);
  const auto& work = all.work;
  EXPECT_EQ(work.patches.size(), 27u);
  EXPECT_EQ(work.pairs.size(), 81u);
  EXPECT_EQ(work.z_pencils.size(), 4u);
  const int atoms = all.system().atoms();
  EXPECT_EQ(sum(work.patches, of_patch_atom), atoms);
  EXPECT_EQ(sum(work.spreaders, of_mesh_atom), atoms);
  EXPECT_EQ(sum(work.bonded, of_bonded_term), all.system().terms().size());
  EXPECT_EQ(sum(work.z_pencils, of_z_point), 48 * 48 * 48);
  EXPECT_EQ(sum(work.other_pencils, of_line_point), 48 * 48 * 48);
  // A patch gets the sum of all computes on one PE.
  EXPECT_EQ(sum(work.patches, of_message), 27);
  EXPECT_EQ(sum(work.pairs, of_message), 0);
}

TEST(WorkEstimate, KnowsWhatIsLeftOut) {
  const Estimated pairs(slab, ForceParts::pairs);
  EXPECT_GT(sum(pairs.work.pairs, of_pair), 0);
  EXPECT_EQ(sum(pairs.work.bonded, of_object), 0);
  EXPECT_EQ(sum(pairs.work.spreaders, of_object), 0);
  EXPECT_TRUE(pairs.work.z_pencils.empty());
}

TEST(WorkEstimate, CountsAMeshOnEverySecondStepAsHalf) {
  WaterJobOptions options = water;
  options.long_range_interval = 2;
  const Estimated each(water), second(options);
  EXPECT_EQ(second.work.z_pencils[0].picoseconds(), each.work.z_pencils[0].picoseconds() / 2);
  EXPECT_EQ(second.work.pairs[0].picoseconds(), each.work.pairs[0].picoseconds());
}

TEST(WorkEstimate, CountsPairsOnEverySecondStepAsHalf) {
  WaterJobOptions options = water;
  options.pair_interval = 2;
  options.long_range_interval = 4;
  const Estimated each(water), second(options);
  const auto &all = each.work.patches[0], &half = second.work.patches[0];
  EXPECT_EQ(second.work.pairs[0].picoseconds(), each.work.pairs[0].picoseconds() / 2);
  EXPECT_EQ(second.work.z_pencils[0].picoseconds(), each.work.z_pencils[0].picoseconds() / 4);
  EXPECT_EQ(second.work.bonded[0].picoseconds(), each.work.bonded[0].picoseconds());
  // Half of the messages come, and all atoms move.
  EXPECT_EQ(half.counts, all.counts);
  EXPECT_EQ(all.picoseconds() - half.picoseconds(),
            all.counts[of_message] * (*all.times)[of_message] / 2);
}

TEST(FirstPlaces, ByCostAreEvenWhereThoseByCountAreNot) {
  const Estimated uneven(slab);
  for (const int pes : {2, 4, 8}) {
    const double by_cost = uneven.places("cost", pes).imbalance();
    EXPECT_LT(by_cost, 1.1) << pes;
    EXPECT_LT(by_cost, uneven.places("block", pes).imbalance()) << pes;
  }
  EXPECT_GT(uneven.places("block", 8).imbalance(), 1.2);
}

TEST(FirstPlaces, ByCostAreNotLessEvenInWater) {
  const Estimated even(water);
  for (int pes = 1; pes <= 12; ++pes)
    EXPECT_LE(even.places("cost", pes).imbalance(), even.places("block", pes).imbalance()) << pes;
}

TEST(FirstPlaces, KeepWhatTalksTogetherInOneRange) {
  const auto places = Estimated(slab).places("cost", 5);
  const auto& patches = places.pes_of("patches");
  const auto& pairs = places.pes_of("pairs");
  for (std::size_t p = 0; p < patches.size(); ++p) {
    int before = patches[p];
    for (const int pe : {places.pes_of("spreaders")[p], places.pes_of("bonded")[p], pairs[3 * p],
                         pairs[3 * p + 1], pairs[3 * p + 2]}) {
      EXPECT_GE(pe, before);
      before = pe;
    }
    if (p + 1 < patches.size()) {
      EXPECT_GE(patches[p + 1], before);
    }
  }
}

TEST(FirstPlaces, ArraysWithMapsOfTheirOwnKeepThem) {
  const Estimated uneven(slab);
  const auto all = uneven.places("block", 4), some = uneven.places("cost,pairs=block", 4);
  EXPECT_EQ(some.pes_of("pairs"), all.pes_of("pairs"));
  EXPECT_NE(some.pes_of("patches"), all.pes_of("patches"));
  EXPECT_LT(some.imbalance(), all.imbalance());
  std::vector<int> by_hand;
  by_hand.reserve(27);
  for (int i = 0; i < 27; ++i)
    by_hand.push_back(maps::round_robin(std::array{i}, std::array{27}, 4));
  EXPECT_EQ(uneven.places("round-robin", 4).pes_of("bonded"), by_hand);
}

TEST(FirstPlaces, AreMadeForMorePesThanObjectsToo) {
  const auto places = Estimated(slab).places("cost", 300);
  const auto& pes = places.pes_of("pairs");
  EXPECT_TRUE(std::ranges::is_sorted(pes));
  EXPECT_LT(pes.back(), 300);
}

constexpr std::string_view of_mesh[] = {"spreaders", "z-pencils", "y-pencils", "x-pencils"};
constexpr std::string_view others[] = {"patches", "bonded", "pairs"};

/// The number of elements of the arrays on these PEs of each of `processes` with 4 PEs.
std::int64_t on_pes(const FirstPlaces& places, std::span<const std::string_view> arrays, int first,
                    int last) {
  std::int64_t found = 0;
  for (const auto array : arrays)
    found += std::ranges::count_if(places.pes_of(array),
                                   [&](int pe) { return first <= pe % 4 && pe % 4 <= last; });
  return found;
}

TEST(FirstPlaces, GiveTheMeshPesOfItsOwn) {
  const Estimated even(water);
  for (const int processes : {1, 3}) {
    const topology::PeLayout layout{.processes = processes, .pes_a_process = 4};
    for (const int pes : {1, 2}) {
      const std::string name = "mesh-" + std::to_string(pes);
      const auto shared = even.places(name, layout), alone = even.places(name + "-alone", layout);
      for (const FirstPlaces* const places : {&shared, &alone}) {
        EXPECT_EQ(on_pes(*places, of_mesh, 0, 3 - pes), 0) << name << processes;
        for (int pe = 4 - pes; pe < 4; ++pe)
          EXPECT_GT(on_pes(*places, of_mesh, pe, pe), 0) << name << processes;
      }
      EXPECT_EQ(on_pes(alone, others, 4 - pes, 3), 0) << name << processes;
      // In water the mesh has less work than two of four PEs do.
      if (pes == 2) {
        EXPECT_GT(on_pes(shared, others, 4 - pes, 3), 0) << processes;
        EXPECT_LT(shared.imbalance(), alone.imbalance()) << processes;
      }
      // A spreader stays in the process of its patch.
      for (std::size_t i = 0; i < shared.pes_of("patches").size(); ++i)
        EXPECT_EQ(layout.process_of(shared.pes_of("spreaders")[i]),
                  layout.process_of(shared.pes_of("patches")[i]));
    }
  }
}

TEST(FirstPlaces, OfTheMeshLeaveArraysWithMapsOfTheirOwn) {
  const Estimated even(water);
  const auto places = even.places("mesh-1,spreaders=block,x-pencils=round-robin", 4);
  EXPECT_EQ(places.pes_of("spreaders"), even.places("block", 4).pes_of("spreaders"));
  EXPECT_EQ(places.pes_of("x-pencils"), even.places("round-robin", 4).pes_of("x-pencils"));
  EXPECT_TRUE(std::ranges::all_of(places.pes_of("z-pencils"), [](int pe) { return pe == 3; }));
}

TEST(FirstPlaces, RefuseMorePesForTheMeshThanThereAre) {
  const Estimated even(water);
  EXPECT_THROW(even.places("mesh-5", 4), InputError);
  EXPECT_THROW(even.places("mesh-4-alone", 4), InputError);
  EXPECT_NO_THROW(even.places("mesh-4", 4));
}

TEST(FirstPlaces, WithoutAMeshAreThoseByCost) {
  const Estimated pairs(water, ForceParts::pairs);
  EXPECT_EQ(pairs.places("mesh-1", 4).pes_of("pairs"), pairs.places("cost", 4).pes_of("pairs"));
}

}  // namespace
}  // namespace fg::test

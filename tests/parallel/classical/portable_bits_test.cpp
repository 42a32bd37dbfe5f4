// SPDX-License-Identifier: BSD-3-Clause
//
// Runs with portable bits: one trajectory on every SIMD target of this build and machine, for any
// number of PEs, over all kernels of a classical run. A run with fast bits shows that the targets
// differ.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/bits_of_run.hpp"
#include "classical/division/box_division.hpp"
#include "classical/evaluate.hpp"
#include "classical/machinery.hpp"
#include "support/classical/bonded_samples.hpp"
#include "support/classical/frames.hpp"
#include "support/classical/water_job.hpp"
#include "support/each_simd_target.hpp"

namespace fg::test {
namespace {

using namespace fg::classical;

constexpr std::int64_t steps = 30;

/// Every kind of bonded term on the chains of the job.
void add_every_term(Job& job) {
  BondedTerms& terms = job.terms;
  const auto take = [&]<class Term>(const auto& atoms) {
    const auto all = samples<Term>();
    Term term = all[terms.of<Term>().size() % all.size()];
    std::copy(atoms.begin(), atoms.end(), term.atoms.begin());
    terms.of<Term>().push_back(term);
  };
  for (const HarmonicBond& bond : terms.of<HarmonicBond>())
    take.template operator()<GromosBond>(bond.atoms);
  for (const HarmonicAngle& angle : terms.of<HarmonicAngle>())
    take.template operator()<GromosAngle>(angle.atoms);
  const auto torsions = terms.of<PeriodicTorsion>();
  for (std::size_t i = 0; i < torsions.size(); ++i) {
    const auto& [a, b, c, d] = torsions[i].atoms;
    take.template operator()<RyckaertBellemans>(torsions[i].atoms);
    take.template operator()<HarmonicTorsion>(torsions[i].atoms);
    if (i + 1 < torsions.size() && torsions[i + 1].atoms[0] == b)
      take.template operator()<Cmap>(std::array{a, b, c, d, torsions[i + 1].atoms[3]});
    terms.of<FarExclusion>().push_back({.atoms = {a, d},
                                        .charge_product = -0.01,
                                        .ewald_coefficient = job.settings.ewald_coefficient});
  }
  terms.shared<Cmap>() = shared_by_samples<Cmap>();
  for (const ExceptionPair& pair : terms.of<ExceptionPair>())
    ASSERT_NE(pair.atoms[0], pair.atoms[1]);
}

/// The first bond of each chain gets a fixed length: stars beside the rigid waters.
void hold_first_bonds(Job& job) {
  std::int32_t before = -1;
  for (const HarmonicBond& bond : job.terms.of<HarmonicBond>()) {
    const auto [a, b] = bond.atoms;
    if (a != before) {
      job.atoms.fragment[static_cast<std::size_t>(b)] =
          job.atoms.fragment[static_cast<std::size_t>(a)];
      const Vec3 d = job.atoms.position[static_cast<std::size_t>(a)] -
                     job.atoms.position[static_cast<std::size_t>(b)];
      job.topology.constraints.push_back({{a, b}, norm(d)});
    }
    before = b;
  }
}

/// A table of pairs of types in place of Lorentz and Berthelot.
void add_types(Job& job) {
  LennardJonesTypes& types = job.lennard_jones_types;
  std::map<std::pair<double, double>, std::int32_t> known;
  for (int i = 0; i < job.atoms.size(); ++i)
    types.of_atom.push_back(known
                                .try_emplace({job.atoms.sigma[static_cast<std::size_t>(i)],
                                              job.atoms.epsilon[static_cast<std::size_t>(i)]},
                                             static_cast<std::int32_t>(known.size()))
                                .first->second);
  types.count = static_cast<int>(known.size());
  std::vector<std::pair<double, double>> of_type(known.size());
  for (const auto& [parameters, type] : known) of_type[static_cast<std::size_t>(type)] = parameters;
  for (const auto& [sigma, epsilon] : of_type)
    for (const auto& [other_sigma, other_epsilon] : of_type) {
      types.sigma.push_back(std::sqrt(sigma * other_sigma));
      types.epsilon.push_back(std::sqrt(epsilon * other_epsilon));
    }
}

std::string digest_of_run(const Job& job, int pes) {
  const BitsOfRun bits(job.settings.bits);
  const System system(job);
  OutputQueue output;
  const auto machinery =
      make_machinery(system, {.pes = pes, .map = "block", .pin = false, .profile = false}, output);
  State state = state_of_job(job);
  prepare_for_dynamics(system, state);
  machinery->run(Schedule(job.settings, job.dynamics, 0, steps), state);
  return digest(last_frame(output, FramePurpose::last));
}

/// The potential energy, its virial and the forces at the start.
std::vector<double> numbers_of_evaluation(const Job& job) {
  const BitsOfRun bits(job.settings.bits);
  const System system(job);
  OutputQueue output;
  const auto machinery =
      make_machinery(system, {.pes = 2, .map = "block", .pin = false, .profile = false}, output);
  State state = state_of_job(job);
  place_virtual_sites(system, state);
  const EnergyResult result = energy_result(system, evaluate(*machinery, output, system, state));
  std::vector<double> numbers = result.forces;
  for (const auto& [name, value] : result.terms) numbers.push_back(value);
  numbers.insert(numbers.end(), result.virial.begin(), result.virial.end());
  return numbers;
}

struct Case {
  const char* name;
  WaterJobOptions options;
  void (*change)(Job&) = [](Job&) {};
};

class PortableBits : public ::testing::TestWithParam<Case> {};

Job job_of(const Case& c) {
  Job job = water_job(c.options);
  c.change(job);
  job.settings.bits = Bits::portable;
  job.dynamics.energy_interval = 6;
  return job;
}

TEST_P(PortableBits, AreTheSameOnEachTarget) {
  const Job job = job_of(GetParam());
  std::string first;
  int turn = 0;
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    const HeldTarget held(target);
    SimdTargetsThatRan::all().insert(simd_target_in_use());
    const std::string here = digest_of_run(job, 1 + turn++ % 3);
    if (first.empty()) first = here;
    EXPECT_EQ(here, first) << hwy::TargetName(target);
  }
}

TEST_P(PortableBits, GiveTheSameEnergiesForcesAndVirialOnEachTarget) {
  const Job job = job_of(GetParam());
  std::vector<double> first;
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    const HeldTarget held(target);
    const std::vector<double> here = numbers_of_evaluation(job);
    if (first.empty()) first = here;
    EXPECT_EQ(here, first) << hwy::TargetName(target);
  }
}

void reaction_field(Job& job) {
  job.settings.electrostatics = Electrostatics::reaction_field;
}
void switched(Job& job) {
  job.settings.switch_distance = 0.85 * job.settings.cutoff;
}
void force_switched_types(Job& job) {
  add_types(job);
  switched(job);
  job.settings.switching = Switching::force;
}
template <int order>
void spline_order(Job& job) {
  job.settings.spline_order = order;
}
void optimal_influence(Job& job) {
  job.settings.influence = InfluenceFunction::optimal;
}
void mesh_every_second_step(Job& job) {
  job.dynamics.long_range_interval = 2;
}
void every_term(Job& job) {
  add_every_term(job);
  hold_first_bonds(job);
}

constexpr Precision in_double = Precision::double_precision;
constexpr IntegratorKind langevin = IntegratorKind::langevin;

INSTANTIATE_TEST_SUITE_P(
    Jobs, PortableBits,
    ::testing::Values(
        Case{"Mixed", {}}, Case{"Double", {.precision = in_double}},
        Case{"MixedLangevin", {.integrator = langevin}},
        Case{"EveryTerm", {.integrator = langevin}, every_term},
        Case{"EveryTermDouble", {.precision = in_double}, every_term}, Case{"Types", {}, add_types},
        Case{"TypesDouble", {.precision = in_double}, add_types}, Case{"Switched", {}, switched},
        Case{"ForceSwitchedTypes", {}, force_switched_types},
        Case{"ReactionField", {}, reaction_field},
        Case{"ReactionFieldDouble", {.precision = in_double}, reaction_field},
        Case{"OrderFive", {}, spline_order<5>}, Case{"OrderSix", {}, spline_order<6>},
        Case{"OrderEight", {}, spline_order<8>},
        Case{"OrderSixDouble", {.precision = in_double}, spline_order<6>},
        Case{"OrderEightDoubleTilted", {.precision = in_double, .tilted = true}, spline_order<8>},
        Case{"SitesRestraintsTilted",
             {.integrator = langevin, .sites = true, .restraints = true, .tilted = true}},
        Case{"OptimalInfluence", {.rescaling = true}, optimal_influence},
        Case{"OptimalInfluencePistonTilted",
             {.tilted = true, .rescaling = true, .barostat = BarostatKind::langevin_piston},
             optimal_influence},
        Case{"MeshEverySecondStep", {.integrator = langevin}, mesh_every_second_step},
        Case{"OnePairCompute", {.pair_computes = 1}},
        Case{"VelocityRescaling", {.rescaling = true}},
        Case{"StochasticRescaling",
             {.integrator = langevin, .barostat = BarostatKind::stochastic_rescaling}},
        Case{"Piston", {.rescaling = true, .barostat = BarostatKind::langevin_piston}},
        Case{"VolumeTrials", {.integrator = langevin, .trials = true}}),
    [](const auto& info) { return info.param.name; });

TEST(PortableBitsOnPes, DoNotDependOnTheirNumber) {
  const Job job = job_of({"", {.integrator = langevin}, every_term});
  std::set<std::string> digests;
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    const HeldTarget held(target);
    for (const int pes : {1, 2, 3}) digests.insert(digest_of_run(job, pes));
  }
  EXPECT_EQ(digests.size(), 1u);
}

TEST(FastBits, AreThoseOfTheTarget) {
  const Job job = water_job({});
  std::set<std::string> digests;
  const auto targets = hwy::SupportedAndGeneratedTargets();
  for (const std::int64_t target : targets) {
    const HeldTarget held(target);
    digests.insert(digest_of_run(job, 2));
  }
  // If a target has the bits of another by chance, this test says less, but is not wrong.
  EXPECT_TRUE(targets.size() == 1 || digests.size() > 1);
}

}  // namespace
}  // namespace fg::test

// SPDX-License-Identifier: BSD-3-Clause
//
// The messages and bytes that are counted from the places of objects, beside those that processes
// send in iterations of a search and in steps of a dynamics. Started by mpiexec.
#include "ab_initio/places/traffic.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "ab_initio/assembly.hpp"
#include "ab_initio/leader/leader.hpp"
#include "ab_initio/matrices/ortho.hpp"
#include "ab_initio/matrices/pair_calculator.hpp"
#include "ab_initio/orbitals/orbital_points.hpp"
#include "ab_initio/orbitals/projector_writer.hpp"
#include "ab_initio/orbitals/spline_points.hpp"
#include "electrons/nonlocal/projector_coupling.hpp"
#include "fft/chares/sphere_part.hpp"
#include "support/ab_initio/gth_jobs.hpp"
#include "support/counting_transport.hpp"
#include "support/this_process.hpp"

namespace fg::test {
namespace {

using namespace fg::ab_initio;
using ab_initio::Job;
using Count = CountingTransport::Count;
using Sent = std::map<CountingTransport::Packets, Count>;

/// Kinds of packets of the runtime (Network::Kind).
constexpr int of_entry = 0, of_multicast = 1, of_reduction = 4, of_tree = 6, of_control = 7;

Sent sent_in(const Job& job, const std::string& map) {
  CountingTransport counting(transport());
  MachineOptions options = shared(1, map);
  options.transport = &counting;
  ProgressQueue progress;
  {
    const auto assembly = make_assembly(job, options, progress);
    if (!is_first())
      assembly->serve();
    else if (job.dynamics.kind == DynamicsKind::none)
      assembly->find_ground_state();
    else
      assembly->run_dynamics();
  }
  return counting.sent;
}

template <auto... Entries>
std::set<int> ids() {
  return {EntryOf<Entries>::info.id...};
}

/// What the packets of a run are for.
class Sorter {
 public:
  Sorter(const Job& job, const Basis& basis, const MatrixTiles& tiles, const ObjectPlaces& places) {
    // In the order in which objects.cpp makes them.
    int next = 0;
    const auto reductions = [&](const char* phase, int count) {
      for (int i = 0; i < count; ++i) reductions_[next++] = phase;
    };
    const IonTables tables(job);
    const bool projectors =
        electrons::ProjectorCoupling(tables.projectors(), job.species_of).rows() > 0;
    if (projectors)
      for (int process = 0; process < transport().processes(); ++process)
        for (int part = 0; part < basis.parts(); ++part)
          if (!places.blocks_in(process, part).empty()) reductions("none", 1);
    reductions("sums", 6);
    if (projectors) reductions("projectors", basis.blocks());
    const MatrixPieces pieces(basis, basis.pair_groups(), tiles);
    reductions("overlaps", static_cast<int>(pieces.all().size()));
    reductions("tiles", 2);
    reductions("density sums", basis.spins() * basis.density_parts());

    entries_["orders"] =
        ids<&Orbitals::evaluate, &Orbitals::gradient, &Orbitals::direction, &Orbitals::step,
            &Orbitals::accept, &Orbitals::drift, &Orbitals::free_drift, &Orbitals::free_force,
            &Orbitals::kick, &Orbitals::project, &Orbitals::forces, &Ortho::gradient,
            &Ortho::direction, &Ortho::step, &Ortho::drift, &Ortho::free_drift, &Ortho::free_force,
            &Ortho::project, &Density::place, &Density::evaluate, &Density::forces,
            &ProjectorWriter::place>();
    entries_["density sums"] = ids<&Density::density>();
    entries_["potential"] = ids<&OrbitalPoints::potential>();
    entries_["projectors"] = ids<&Orbitals::projected, &SplinePoints::projected>();
    entries_["blocks"] = ids<&PairCalculator::block>();
    entries_["overlaps"] = ids<&Ortho::sums>();
    entries_["tiles"] = ids<&Ortho::left, &Ortho::right, &Ortho::across, &Ortho::gathered,
                            &Ortho::highest, &Ortho::residual, &Ortho::deviation>();
    entries_["matrices"] = ids<&PairCalculator::matrix>();
    entries_["products"] = ids<&Orbitals::product>();
    entries_["sums"] = ids<&Leader::orbital_sums, &Leader::largest, &Leader::search_products,
                           &Leader::density_sums, &Leader::orbital_forces, &Leader::density_forces,
                           &Leader::largest_spread, &Leader::motion_report>();
    // Arrays of transforms, in the order in which they are made.
    transforms_ = {"orbital rows"};
    if (projectors && job.nonlocal.method == IonMethod::splines) transforms_.push_back("splines");
    if (job.local.method == IonMethod::splines) transforms_.push_back("splines");
    transforms_.push_back("density rows");
  }

  static bool is_transform(const CountingTransport::Packets& packets) {
    return packets.kind == of_entry &&
           packets.id == EntryOf<&fft::SpherePart<double>::parcel>::info.id;
  }
  /// The number of the last array of transforms; arrays are numbered in the order in which they are
  /// made.
  void set_last_transform(int array) {
    first_transform_ = array + 1 - static_cast<int>(transforms_.size());
  }

  std::string phase_of(const CountingTransport::Packets& packets) const {
    if (packets.kind == of_reduction) return reductions_.at(packets.array);
    if (is_transform(packets))
      return transforms_.at(static_cast<std::size_t>(packets.array - first_transform_));
    for (const auto& [phase, ids] : entries_)
      if (ids.contains(packets.id)) return phase;
    return "unknown entry " + std::to_string(packets.id);
  }

 private:
  std::map<int, std::string> reductions_;
  std::map<std::string, std::set<int>> entries_;
  std::vector<std::string> transforms_;
  int first_transform_ = 0;
};

int highest_of_all(int number) {
  int highest = number;
  const auto all = transport().gather(std::as_bytes(std::span(&number, 1)));
  for (const auto& one : all) {
    int other = 0;
    std::memcpy(&other, one.data(), sizeof other);
    highest = std::max(highest, other);
  }
  const auto bytes = std::as_bytes(std::span(&highest, 1));
  const auto told = transport().broadcast({bytes.begin(), bytes.end()});
  std::memcpy(&highest, told.data(), sizeof highest);
  return highest;
}

/// How often the leader gave each order: it is in process 0, whose packets to process 1 these are.
OrderCounts orders_in(const Sent& sent) {
  using enum CountedOrder;
  const auto to_other = [&](int kind, int id) {
    double count = 0;
    for (const auto& [packets, seen] : sent)
      if (packets.kind == kind && packets.id == id && packets.to == 1) count += seen.messages;
    return count;
  };
  const auto given = [&]<auto Entry>() { return to_other(of_tree, EntryOf<Entry>::info.id); };
  OrderCounts orders{{place, given.operator()<&Density::place>()},
                     {evaluate, given.operator()<&Orbitals::evaluate>()},
                     {gradient, given.operator()<&Orbitals::gradient>()},
                     {direction, given.operator()<&Orbitals::direction>()},
                     {step, given.operator()<&Orbitals::step>()},
                     {accept, given.operator()<&Orbitals::accept>()},
                     {drift, given.operator()<&Orbitals::drift>()},
                     {free_drift, given.operator()<&Orbitals::free_drift>()},
                     {free_force, given.operator()<&Orbitals::free_force>()},
                     {kick, given.operator()<&Orbitals::kick>()},
                     {project, given.operator()<&Orbitals::project>()},
                     {forces, given.operator()<&Orbitals::forces>()}};
  // Norms: one before the first round, one in each, and one more of free orbitals.
  const double norms = to_other(of_multicast, EntryOf<&Ortho::residual>::info.id);
  const auto times = [&](CountedOrder order) {
    return std::ranges::find(orders, order, &OrderCounts::value_type::first)->second;
  };
  if (norms > 0) orders.emplace_back(round, norms - times(step) - 2 * times(free_drift));
  std::vector<std::byte> bytes(orders.size() * sizeof(double));
  for (std::size_t i = 0; i < orders.size(); ++i)
    std::memcpy(bytes.data() + i * sizeof(double), &orders[i].second, sizeof(double));
  const auto told = transport().broadcast(std::move(bytes));
  orders.resize(told.size() / sizeof(double), {round, 0});
  for (std::size_t i = 0; i < orders.size(); ++i)
    std::memcpy(&orders[i].second, told.data() + i * sizeof(double), sizeof(double));
  return orders;
}

struct Case {
  const char* name;
  DivisionSettings division;
  DynamicsKind dynamics = DynamicsKind::none;
  Orthonormality orthonormality = Orthonormality::constrained;
  IonMethod ions = IonMethod::exact;
  bool spin = false, core = false;
  const char* functional = "PBE";
  const char* map = "cost";
  std::vector<CountedOrder> given{};  // at least

  /// "torus" is a row of all processes.
  std::string map_here() const {
    if (std::string(map) != "torus") return map;
    return "torus-" + std::to_string(transport().processes()) + "x1x1-1";
  }

  Job job() const {
    Job job = spin ? spin_job(functional) : gth_job(functional);
    if (core) job = with_core(job);
    job.division = division;
    job.nonlocal.method = job.local.method = ions;
    job.ground_state.start = StartKind::atomic;
    if (dynamics == DynamicsKind::none) return job;
    job.ground_state.tolerance = 0.05;
    for (std::size_t i = 0; i < job.positions.size(); ++i)
      job.velocities.push_back(Vec3{1e-4, -2e-4, 5e-5} * (static_cast<double>(i % 3) - 1));
    job.dynamics = {.kind = dynamics,
                    .timestep = 5.0,
                    .seed = 3,
                    .orthonormality = orthonormality,
                    .fictitious_mass = 400,
                    .mass_cutoff = 1.5,
                    .constraint_tolerance = 1e-12,
                    .reset_above = 1,
                    .predictor_order = 1};
    return job;
  }
  friend std::ostream& operator<<(std::ostream& out, const Case& one) { return out << one.name; }
};

class SeveralProcesses : public ::testing::TestWithParam<Case> {};

TEST_P(SeveralProcesses, SendWhatIsCounted) {
  Job job = GetParam().job();
  std::int64_t& length =
      job.dynamics.kind == DynamicsKind::none ? job.ground_state.iterations : job.dynamics.steps;
  // What begins and ends a run is in both.
  length = 6;
  Sent sent = sent_in(job, GetParam().map_here());
  length = 3;
  for (const auto& [packets, count] : sent_in(job, GetParam().map_here())) {
    sent[packets].messages -= count.messages;
    sent[packets].bytes -= count.bytes;
  }

  const Basis basis(job);
  const MatrixTiles tiles(basis.orbitals(), job.division.tile_grain);
  const topology::PeLayout layout{.processes = transport().processes()};
  const ObjectPlaces places(basis, tiles, ArrayMaps(GetParam().map_here(), ObjectPlaces::names),
                            layout);
  Sorter sorter(job, basis, tiles, places);
  // Parts of the density are in all processes.
  int last = 0;
  for (const auto& [packets, count] : sent)
    if (Sorter::is_transform(packets)) last = std::max(last, packets.array);
  sorter.set_last_transform(highest_of_all(last));

  const OrderCounts orders = orders_in(sent);
  for (const CountedOrder order : GetParam().given)
    EXPECT_GT(std::ranges::find(orders, order, &OrderCounts::value_type::first)->second, 0);
  std::map<std::pair<std::string, int>, Count> seen;
  for (const auto& [packets, count] : sent) {
    if (packets.kind == of_control || count.messages == 0) continue;
    Count& sum = seen[{sorter.phase_of(packets), packets.to}];
    sum.messages += count.messages;
    sum.bytes += count.bytes;
  }
  std::map<std::pair<std::string, int>, Way> counted;
  const OrderTraffic traffic = traffic_of(orders, job, basis, tiles, places, layout);
  for (const PhaseTraffic& phase : traffic.phases)
    for (const Way& way : phase.ways)
      if (way.from == transport().rank()) counted[{std::string(phase.name), way.to}] = way;
  for (const auto& [what, count] : seen) {
    EXPECT_EQ(count.messages, counted[what].messages) << what.first << " to " << what.second;
    EXPECT_EQ(static_cast<double>(count.bytes), counted[what].bytes)
        << what.first << " to " << what.second;
  }
  for (const auto& [what, way] : counted)
    if (way.messages > 0) {
      EXPECT_TRUE(seen.contains(what)) << what.first << " to " << what.second;
    }
}

using enum CountedOrder;
constexpr auto free_orbitals = Orthonormality::free;

INSTANTIATE_TEST_SUITE_P(, SeveralProcesses,
                         ::testing::Values(Case{.name = "Search",
                                                .division = {2, 2, 4},
                                                .given = {direction, step, accept}},
                                           Case{.name = "SearchWithSpinAndCore",
                                                .division = {2, 1, 3, 2, 3},
                                                .spin = true,
                                                .core = true,
                                                .given = {gradient, round}},
                                           Case{.name = "SearchInChunksAndPieces",
                                                .division = {1, 2, 6, 2, 2, 2, 3},
                                                .functional = "PW92",
                                                .map = "hashed",
                                                .given = {evaluate, round}},
                                           Case{.name = "SearchBySplines",
                                                .division = {2, 2, 4, 1, 0, 1, 4},
                                                .ions = IonMethod::splines,
                                                .given = {evaluate}},
                                           Case{.name = "Constrained",
                                                .division = {2, 2, 4},
                                                .dynamics = DynamicsKind::car_parrinello,
                                                .given = {drift, place, forces, kick, project}},
                                           Case{.name = "ConstrainedInGroupsAndTiles",
                                                .division = {1, 1, 2, 3, 3},
                                                .dynamics = DynamicsKind::car_parrinello,
                                                .spin = true,
                                                .map = "torus",
                                                .given = {drift, project}},
                                           Case{.name = "FreeInGroupsAndTiles",
                                                .division = {1, 1, 2, 3, 3},
                                                .dynamics = DynamicsKind::car_parrinello,
                                                .orthonormality = free_orbitals,
                                                .given = {free_drift, free_force, round}},
                                           Case{.name = "FreeBySplines",
                                                .division = {2, 3, 3, 1, 0, 1, 2},
                                                .dynamics = DynamicsKind::car_parrinello,
                                                .orthonormality = free_orbitals,
                                                .ions = IonMethod::splines,
                                                .core = true,
                                                .map = "hashed",
                                                .given = {free_drift, free_force}}),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace fg::test

// SPDX-License-Identifier: BSD-3-Clause
#include "classical/assembly.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <new>
#include <vector>

#include "base/error.hpp"
#include "classical/atom_shares.hpp"
#include "classical/bath.hpp"
#include "classical/conductor.hpp"
#include "classical/division/mesh_division.hpp"
#include "classical/job/pair_settings.hpp"
#include "classical/ledger.hpp"
#include "classical/patch.hpp"
#include "classical/places/first_places.hpp"
#include "forces/mesh/create_mesh.hpp"
#include "processes/array_maps.hpp"
#include "processes/placement.hpp"
#include "processes/profiles.hpp"
#include "processes/ranks.hpp"
#include "records/job/job_motion.hpp"
#include "records/options/run_options.hpp"

namespace fg::classical {

namespace {

std::array<int, 3> shape_of(const BoxDivision& division) {
  return {division.patches.x, division.patches.y, division.patches.z};
}

/// How far heat moves an atom between two rebuilds, times the root of its mass. This is eight
/// standard deviations of a flight at the temperature of the lists. One in 1e13 goes farther.
double thermal_reach(const Job& job) {
  const double time = job.settings.rebuild_interval * job.dynamics.timestep;
  return 8 * std::sqrt(job.settings.list_temperature) * time;
}

template <class Real>
class AssemblyOf final : public Assembly {
 public:
  AssemblyOf(const System& system, const MachineOptions& options, const BoxDivision& division,
             const Box& box, std::span<const Vec3> positions, OutputQueue& output)
      : system_(system),
        grid_(division.box, shape_of(division)),
        pairs_(pair_division(system, grid_)),
        runtime_(runtime_options(options)),
        options_(options),
        maps_(options.map, names_of_arrays()),
        layout_(layout_of_pes(runtime_)),
        places_(first_places(box, positions)) {
    const auto& job = system.job();
    const auto& grid = grid_;

    setup_ = std::make_shared<PatchSetup<Real>>(PatchSetup<Real>{
        .system = &system,
        .thermal_reach = thermal_reach(job),
        .grid = grid,
        .integrator = make_integrator(integrator_settings(job.dynamics)),
        .mesh = job.settings.electrostatics == Electrostatics::pme && !options.pairs_only,
        .bonded_terms = !options.pairs_only,
        .restraints = !options.pairs_only && !system.restraints().empty(),
        .output = &output});
    patches_ = create<Patch<Real>>(grid.shape(), [setup = setup_](const PatchIndex& index) {
      return std::make_unique<Patch<Real>>(setup, index);
    });
    const Array<PatchPort<Real>> ports(patches_.core());

    make_conductor(output);
    const auto ledger = create_first<Ledger>([] { return std::make_unique<Ledger>(); });
    if (ledger.here_at(0)) ledger_object_ = &ledger.object_at(0);
    Depositors depositors(Array<LedgerPort>(ledger.core()));
    setup_->patches = patches_;
    setup_->conductor = conductor_;
    setup_->deposits = depositors.join(grid.size());
    if (options.memory.on()) create_keepers();

    using Pair = PairCompute<Real>;
    const PairSettings pairs = pair_settings(job.settings);
    auto pair_setup = std::make_shared<const typename Pair::Setup>(typename Pair::Setup{
        .grid = grid,
        .pairs = pairs_,
        .settings = pairs,
        .list_steps = job.settings.rebuild_interval / job.dynamics.pair_interval,
        .kernel = std::make_shared<const PairKernel<Real>>(pairs, job.lennard_jones_types),
        .patches = ports,
        .deposits = depositors.join(pairs_->depositors()),
        .collectors = create_collectors(ports),
        .replies = setup_->replies,
        .shared = shared_pairs_});
    setup_->pairs = create<Pair>(pairs_->shape(), [pair_setup](const std::array<int, 4>& index) {
      return std::make_unique<Pair>(pair_setup, index);
    });

    const auto gates = runtime_.template create_array<PairGate<Real>>(
        {runtime_.pes()}, [](const auto& index) { return index[0]; },
        [grid, pairs = setup_->pairs, shared = shared_pairs_](const auto&) {
          return std::make_unique<PairGate<Real>>(grid, pairs, shared);
        });
    for (int i = 0; i < patches_.size(); ++i)
      setup_->pair_sections.emplace_back(gates, std::vector<std::array<int, 1>>());

    using Bonded = BondedCompute<Real>;
    auto bonded_setup = std::make_shared<const typename Bonded::Setup>(typename Bonded::Setup{
        .grid = grid,
        .reach = system.term_reach(),
        .terms = &job.terms,
        .index = &system.terms(),
        .patches = ports,
        .deposits = depositors.join(setup_->bonded_terms ? grid.size() : 0)});
    setup_->bonded = create<Bonded>(grid.shape(), [bonded_setup](const PatchIndex& index) {
      return std::make_unique<Bonded>(bonded_setup, index);
    });

    if (setup_->mesh) {
      mesh_setup_ = make_mesh_setup(ports);
      mesh_setup_->deposits = depositors.join(mesh_setup_->depositors());
      create_mesh(mesh_setup_, [&]<class C>(const auto& shape, auto&& factory) {
        return create<C>(shape, factory);
      });
      if (runtime_.processes() > 1) create_charge_collectors(mesh_setup_, runtime_);
      setup_->spreaders = mesh_setup_->spreaders;
    }
    if (ledger_object_)
      ledger_object_->set_up(
          {.depositors = depositors.count(),
           .bonded_computes = grid.size(),
           .bonded_terms = system.terms().size(),
           .molecules = &system.molecules(),
           .done = [this](const EnergyTotals& totals, std::span<const MoleculeCentre> centres) {
             conductor_.object_at(0).energies(totals, centres);
           }});
  }

  std::vector<ArrayLoads> loads() override {
    std::vector<ArrayLoads> loads;
    loads.reserve(movable_.size());
    for (const Movable& movable : movable_)
      loads.push_back({movable.name, runtime_.loads(*movable.array)});
    return loads;
  }

  void place_for(const State& state) override {
    places_ = first_places(state.bath.box, state.position);
    std::vector<Runtime::Placement> placements;
    placements.reserve(movable_.size());
    for (const Movable& movable : movable_)
      placements.push_back({movable.array, places_.pes_of(movable.name)});
    runtime_.relocate(placements);
  }

  void run(const Schedule& schedule, const State& state) override {
    try {
      run_all_stretches(schedule, state);
    } catch (...) {
      throw_known(options_.transport, &runtime_, std::current_exception());
    }
  }

  std::optional<State> next() override {
    auto frame = conductor_.object_at(0).take_break();
    if (!frame) return {};
    return State{
        .step = frame->step,
        .stage = make_integrator(integrator_settings(system_.job().dynamics))->between_steps(),
        .position = std::move(frame->position),
        .velocity = std::move(frame->velocity),
        .image = std::move(frame->image),
        .bath = frame->bath};
  }
  EnergyTotals weighed() const override { return conductor_.object_at(0).weighed(); }
  bool finished() const override { return conductor_.object({0}).finished(); }
  const Runtime& runtime() const override { return runtime_; }
  Profile profile() const override { return profile_; }

 private:
  void run_all_stretches(const Schedule& schedule, const State& state) {
    setup_->schedule = schedule;
    measure_for_baths(setup_->schedule, system_.job());
    if (options_.balance != "none") setup_->schedule.pause_every(options_.balance_steps);
    stretches_ = {};
    setup_->whole = share_images_of_whole_molecules(system_, state, options_.transport);
    setup_->starts_at_half = state.stage == VelocityStage::half;
    if (conductor_.here_at(0)) conductor_.object_at(0).begin(setup_->schedule, state.bath);
    if (ledger_object_) ledger_object_->begin(setup_->schedule);
    for (int i = 0; i < patches_.size(); ++i)
      if (patches_.here_at(i)) patches_.object_at(i).begin(state.bath);
    const PatchGrid grid(state.bath.box, shape_of(state.bath.division));
    share_atoms(system_, state, grid, options_.transport,
                [&](int patch, std::span<const AtomRecord> fragment) {
                  if (patches_.here_at(patch)) patches_.object_at(patch).take(fragment);
                });
    do {
      follow_places();
      if (runtime_.process() == 0) patches_.template broadcast<&Patch<Real>::life>();
      // The lives end by themselves; their last messages still have to arrive.
      runtime_.run_until_quiescent();
    } while (go_on_elsewhere());
    if (options_.profile) gather_profile();
  }

  void create_keepers() {
    const KeeperVoice voice{
        .kept =
            [to = conductor_](std::int64_t step) { to[{0}].template send<&Conductor::kept>(step); },
        .not_kept =
            [to = conductor_](Ref<const KeepFailureMessage> why) {
              to[{0}].template send<&Conductor::not_kept>(std::move(why));
            }};
    setup_->keepers = Keepers(runtime_, options_.memory, voice);
  }

  /// One for each patch in each process, spread over its PEs.
  Array<ForceCollector<Real>> create_collectors(const Array<PatchPort<Real>>& ports) {
    if (runtime_.processes() == 1) return {};
    const auto& grid = grid_.shape();
    const int pes = runtime_.pes_here();
    return runtime_.template create_array<ForceCollector<Real>>(
        {grid[0], grid[1], grid[2], runtime_.processes()},
        [=](const std::array<int, 4>& index) {
          const PatchIndex patch{index[0], index[1], index[2]};
          return index[3] * pes + maps::round_robin(patch, grid, pes);
        },
        [ports, replies = setup_->replies](const auto&) {
          return std::make_unique<ForceCollector<Real>>(replies, ports);
        });
  }

  /// The processes of the elements of an array.
  template <class C>
  std::vector<int> processes_of(const Array<C>& array) const {
    std::vector<int> processes;
    processes.reserve(static_cast<std::size_t>(array.size()));
    for (int i = 0; i < array.size(); ++i)
      processes.push_back(runtime_.process_of(array.pe_of(array.index(i))));
    return processes;
  }

  /// By patch: the PEs of the computes that need it, ascending, each once.
  std::vector<std::vector<int>> pes_of_patches() const {
    std::vector<std::vector<int>> pes(static_cast<std::size_t>(patches_.size()));
    for (int patch = 0; patch < patches_.size(); ++patch) {
      std::vector<int>& of = pes[static_cast<std::size_t>(patch)];
      for (const auto& element : pairs_->listeners(patches_.index(patch)))
        of.push_back(setup_->pairs.pe_of(element));
      std::ranges::sort(of);
      of.erase(std::unique(of.begin(), of.end()), of.end());
    }
    return pes;
  }

  /// Tells each PE of this process which computes it has, and which patches they need.
  void share_pairs() {
    for (SharedPairs<Real>& shared : *shared_pairs_) shared.reset(patches_.size());
    for (int compute = 0; compute < setup_->pairs.size(); ++compute) {
      if (!setup_->pairs.here_at(compute)) continue;
      const int pe = setup_->pairs.pe_of(setup_->pairs.index(compute));
      (*shared_pairs_)[static_cast<std::size_t>(pe - runtime_.first_pe_here())].add_compute(
          compute, setup_->pairs.object_at(compute).sources());
    }
  }

  /// Prepares for the present places of objects: the way of positions to pair computes, and the
  /// numbers of messages with sums.
  void follow_places() {
    share_pairs();
    const std::vector<std::vector<int>> pes = pes_of_patches();
    for (std::size_t patch = 0; patch < pes.size(); ++patch)
      setup_->pair_sections[patch].set_members(pes[patch]);
    setup_->replies->count(processes_of(patches_), pes, runtime_.process(), runtime_.pes_here());
    if (mesh_setup_)
      mesh_setup_->sums->count(processes_of(mesh_setup_->spreaders),
                               processes_of(mesh_setup_->pencils.z), runtime_.process());
  }

  /// Moves the objects between two stretches of steps. Returns false when the run has ended.
  bool go_on_elsewhere() {
    if (options_.balance == "none" || !all_know_unfinished()) return false;
    if (options_.profile) add_stretch(stretches_, runtime_.profile());
    std::vector<ArrayCore*> arrays;
    arrays.reserve(movable_.size());
    for (const Movable& movable : movable_) arrays.push_back(movable.array);
    runtime_.relocate(balanced(runtime_, arrays, options_.balance, ++rounds_));
    for (const ArrayCore* array : arrays)
      for (const auto& object : array->objects)
        if (object) object->forget_load();
    return true;
  }

  bool all_know_unfinished() {
    const bool unfinished = runtime_.process() == 0 && conductor_.object_at(0).take_pause();
    if (!options_.transport) return unfinished;
    return options_.transport->broadcast({std::byte{unfinished}}).front() != std::byte{0};
  }

  void gather_profile() {
    add_stretch(stretches_, runtime_.profile());
    profile_ = stretches_;
    fg::gather_profile(options_.transport, profile_);
  }

  FirstPlaces first_places(const Box& box, std::span<const Vec3> positions) const {
    const PatchGrid grid(box, grid_.shape());
    const ForceParts parts = options_.pairs_only ? ForceParts::pairs : ForceParts::all;
    return {share_work(system_, grid, positions, parts, options_.transport),
            grid,
            *pairs_,
            system_.job().settings,
            maps_,
            layout_};
  }

  template <class C, class Factory>
  Array<C> create(const std::array<int, C::dimensions>& shape, Factory&& factory) {
    const auto array = runtime_.template create_array<C>(
        shape,
        [&, &places = places_.pes_of(C::array_name)](const auto& index) {
          return places[static_cast<std::size_t>(maps::linear(index, shape))];
        },
        std::forward<Factory>(factory));
    movable_.push_back({array.core(), C::array_name});
    return array;
  }
  /// Creates the single object that receives results, in process 0.
  template <class C, class Factory>
  Array<C> create_first(Factory&& factory) {
    return runtime_.template create_array<C>(
        {1}, [](const auto&) { return 0; }, [&](const auto&) { return factory(); });
  }

  std::shared_ptr<MeshSetup<Real>> make_mesh_setup(const Array<PatchPort<Real>>& ports) {
    const auto& job = system_.job();
    return std::make_shared<MeshSetup<Real>>(MeshSetup<Real>{
        .division = mesh_division(system_, grid_),
        .constants = ewald_constants(job.atoms.charge, job.settings.ewald_coefficient,
                                     system_.copies().count()),
        .patches = ports,
        .deposits = {},
        .interval = job.dynamics.long_range_interval});
  }

  ListLimits list_limits() const {
    const auto& settings = system_.job().settings;
    const double buffer = settings.list_cutoff - settings.cutoff;
    if (buffer <= 0) return {};  // lists hold every pair, or are made in every step
    // Thermal motion occasionally comes near one buffer, which its limit includes; never near two.
    return {.temperature = settings.list_temperature,
            .displacement = 2 * buffer,
            .degrees_of_freedom = system_.degrees_of_freedom()};
  }

  void make_conductor(OutputQueue& output) {
    const PatchVoice voice{.announce_plan =
                               [this](std::int64_t step, Ref<const PlanMessage> plan) {
                                 patches_.template broadcast_at<&Patch<Real>::plan>(
                                     step, std::move(plan), Lane::high);
                               },
                           .announce_drift =
                               [this](std::int64_t step, const Vec3& drift) {
                                 auto message = make_message<DriftVelocityMessage>();
                                 message->velocity = drift;
                                 patches_.template broadcast_at<&Patch<Real>::drift_velocity>(
                                     step, std::move(message), Lane::high);
                               }};
    conductor_ = create_first<Conductor>([&] {
      return std::make_unique<Conductor>(ConductorSetup{
          .system = &system_,
          .patches = grid_.size(),
          .lists = list_limits(),
          .output = &output,
          .voice = voice,
          .memory_checkpoint_steps = options_.memory.on() ? options_.memory.every : 0,
          .memory_copies = options_.memory.copies()});
    });
  }

  const System& system_;
  PatchGrid grid_;  // in the box for which the division was made
  std::shared_ptr<const PairDivision> pairs_;
  Runtime runtime_;
  MachineOptions options_;
  ArrayMaps maps_;
  topology::PeLayout layout_;
  FirstPlaces places_;
  std::shared_ptr<PatchSetup<Real>> setup_;
  std::shared_ptr<MeshSetup<Real>> mesh_setup_;  // null without a mesh
  Array<Patch<Real>> patches_;
  Array<Conductor> conductor_;
  Ledger* ledger_object_ = nullptr;  // in process 0
  struct Movable {
    ArrayCore* array;
    std::string_view name;
  };
  std::shared_ptr<std::vector<SharedPairs<Real>>> shared_pairs_ =
      std::make_shared<std::vector<SharedPairs<Real>>>(runtime_.pes_here());
  std::vector<Movable> movable_;
  std::int64_t rounds_ = 0;  // rounds of balancing
  Profile stretches_;        // sum over stretches between two moves of objects, in this process
  Profile profile_;
};

}  // namespace

std::unique_ptr<Assembly> make_assembly(const System& system, const MachineOptions& options,
                                        const BoxDivision& division, const Box& box,
                                        std::span<const Vec3> positions, OutputQueue& output) {
  try {
    if (system.job().settings.precision == Precision::double_precision)
      return std::make_unique<AssemblyOf<double>>(system, options, division, box, positions,
                                                  output);
    return std::make_unique<AssemblyOf<float>>(system, options, division, box, positions, output);
  } catch (...) {
    throw_known(options.transport, nullptr, std::current_exception());
  }
}

}  // namespace fg::classical

// SPDX-License-Identifier: BSD-3-Clause
#include "app/machinery.hpp"

#include <cstdint>
#include <memory>
#include <vector>

#include "app/conductor.hpp"
#include "app/ledger.hpp"
#include "app/patch.hpp"
#include "base/error.hpp"
#include "forces/mesh/create_mesh.hpp"

namespace fg::app {

namespace {

/// Which of its PEs an element lives on. Decides where work happens, never what it computes.
template <std::size_t D>
int pe_of(const std::array<int, D>& index, const std::array<int, D>& shape,
          const MachineOptions& options) {
  if (options.map == "round-robin") return maps::round_robin(index, shape, options.pes);
  if (options.map == "hashed") return maps::hashed(index, shape, options.pes, 1);
  return maps::block(index, shape, options.pes);
}

PairSettings pair_settings(const JobSettings& settings) {
  const auto coulomb = [&] {
    switch (settings.electrostatics) {
      case Electrostatics::pme:
        return Coulomb::ewald;
      case Electrostatics::reaction_field:
        return Coulomb::reaction_field;
      case Electrostatics::plain:
        break;
    }
    return Coulomb::plain;
  };
  return {.cutoff = settings.cutoff,
          .switch_distance = settings.switch_distance,
          .coulomb = coulomb(),
          .ewald_coefficient = settings.ewald_coefficient,
          .reaction_field_dielectric = settings.reaction_field_dielectric,
          .list_cutoff = settings.list_cutoff,
          .inner_list_cutoff = settings.inner_list_cutoff};
}

/// The atoms of each patch, whole fragments brought into the box.
std::vector<std::vector<AtomRecord>> distribute(const System& system, const State& state) {
  std::vector<std::vector<AtomRecord>> patches(system.grid().size());
  const auto& fragments = system.fragments();
  for (int f = 0; f < fragments.size(); ++f) {
    const auto atoms = fragments.atoms(f);
    const auto place = system.place(state.position[atoms[0]]);
    const Vec3 offset = system.image_offset(place.image);
    auto& patch = patches[system.grid().flat(place.patch)];
    for (const auto id : atoms)
      patch.push_back({.id = id,
                       .image = state.image[id] + place.image,
                       .position = state.position[id] - offset,
                       .velocity = state.velocity[id]});
  }
  return patches;
}

template <class Real>
class MachineryOf final : public Machinery {
 public:
  MachineryOf(const System& system, const MachineOptions& options, OutputQueue& output)
      : system_(system),
        runtime_({.pes = options.pes,
                  .pin = options.pin,
                  .profiling = options.profile ? Profiling::scheduling : Profiling::off,
                  .trace = options.trace}),
        options_(options) {
    const auto& job = system.job();
    const auto& grid = system.grid();

    setup_ = std::make_shared<PatchSetup<Real>>(PatchSetup<Real>{
        .system = &system,
        .langevin = {.timestep = job.dynamics.timestep,
                     .temperature = job.dynamics.temperature,
                     .friction = job.dynamics.friction,
                     .seed = job.dynamics.seed},
        .mesh = job.settings.electrostatics == Electrostatics::pme && !options.pairs_only,
        .bonded_terms = !options.pairs_only,
        .output = &output});
    patches_ = create<Patch<Real>>(grid.shape(), [&](const PatchIndex& index) {
      return std::make_unique<Patch<Real>>(setup_, index);
    });
    const Array<PatchPort<Real>> ports(patches_.core());

    make_conductor(output);
    ledger_ = Array<LedgerPort>(create<Ledger>({1}, [&](const auto&) {
                                  auto ledger = std::make_unique<Ledger>();
                                  ledger_object_ = ledger.get();
                                  return ledger;
                                }).core());
    setup_->patches = patches_;
    setup_->conductor = conductor_;
    setup_->ledger = ledger_;

    using Pair = PairCompute<Real>;
    auto pair_setup = std::make_shared<const typename Pair::Setup>(
        typename Pair::Setup{.grid = grid,
                             .settings = pair_settings(job.settings),
                             .patches = ports,
                             .ledger = ledger_});
    setup_->pairs = create<Pair>(
        {grid.shape()[0], grid.shape()[1], grid.shape()[2], half_shell_size},
        [&](const std::array<int, 4>& index) { return std::make_unique<Pair>(pair_setup, index); });

    using Bonded = BondedCompute<Real>;
    auto bonded_setup = std::make_shared<const typename Bonded::Setup>(
        typename Bonded::Setup{.grid = grid,
                               .topology = &job.topology,
                               .terms = &system.terms(),
                               .patches = ports,
                               .ledger = ledger_});
    setup_->bonded = create<Bonded>(grid.shape(), [&](const PatchIndex& index) {
      return std::make_unique<Bonded>(bonded_setup, index);
    });

    int depositors = (setup_->bonded_terms ? 2 : 1) * grid.size() + setup_->pairs.size();
    if (setup_->mesh) {
      const auto mesh_setup = make_mesh_setup(ports);
      create_mesh(mesh_setup, [&]<class C>(const auto& shape, auto&& factory) {
        return create<C>(shape, factory);
      });
      setup_->spreaders = mesh_setup->spreaders;
      depositors += mesh_setup->depositors();
    }
    ledger_object_->set_up(
        {.depositors = depositors,
         .bonded_computes = grid.size(),
         .bonded_terms = system.terms().size(),
         .done = [&output](const EnergyTotals& totals) { output.push(totals); }});
  }

  void run(const Schedule& schedule, const State& state) override {
    setup_->schedule = schedule;
    setup_->starts_at_half = state.stage == VelocityStage::half;
    conductor_.object({0}).begin(schedule);
    ledger_object_->begin(schedule);
    auto atoms = distribute(system_, state);
    for (int i = 0; i < patches_.size(); ++i) patches_.object_at(i).begin(std::move(atoms[i]));
    patches_.template broadcast<&Patch<Real>::life>();
    // The lives end by themselves; what they sent last still has to arrive.
    runtime_.run_until_quiescent();
    if (!conductor_.object({0}).finished())
      throw InternalError({.what = "the simulation stands still",
                           .where = runtime_.describe_waiting(),
                           .hint = "this is a defect of finegrain: please report it with the job"});
  }

  Profile profile() const override { return runtime_.profile(); }
  Trace trace() const override { return runtime_.trace(); }

 private:
  template <class C, class Factory>
  Array<C> create(const std::array<int, C::dimensions>& shape, Factory&& factory) {
    return runtime_.template create_array<C>(
        shape, [&](const auto& index) { return pe_of(index, shape, options_); },
        std::forward<Factory>(factory));
  }

  std::shared_ptr<MeshSetup<Real>> make_mesh_setup(const Array<PatchPort<Real>>& ports) {
    const auto& job = system_.job();
    const auto& settings = job.settings;
    const MeshSettings mesh{.box = system_.grid().box(),
                            .mesh = {settings.mesh.x, settings.mesh.y, settings.mesh.z},
                            .order = settings.spline_order,
                            .alpha = settings.ewald_coefficient};
    // An atom may be as far out as its fragment reaches and as it moves between two rebuilds; the
    // list has room for that motion beyond the cutoff.
    const double reach = system_.fragments().reach() + settings.list_cutoff - settings.cutoff;
    return std::make_shared<MeshSetup<Real>>(MeshSetup<Real>{
        .cut = {.patches = system_.grid(),
                .settings = mesh,
                .pencils = fft::PencilGeometry(mesh.mesh,
                                               {settings.pencil_grid[0], settings.pencil_grid[1]}),
                .reach = reach},
        .constants =
            ewald_constants(job.atoms.charge, settings.ewald_coefficient, system_.grid().box()),
        .patches = ports,
        .ledger = ledger_});
  }

  void make_conductor(OutputQueue& output) {
    const PatchVoice voice{.announce_plan =
                               [this](std::int64_t step, RebuildPlan plan) {
                                 patches_.template broadcast_at<&Patch<Real>::plan>(step, plan,
                                                                                    Lane::high);
                               },
                           .announce_drift =
                               [this](std::int64_t step, const Vec3& drift) {
                                 auto message = make_message<DriftVelocityMessage>();
                                 message->velocity = drift;
                                 patches_.template broadcast_at<&Patch<Real>::drift_velocity>(
                                     step, std::move(message), Lane::high);
                               }};
    conductor_ = create<Conductor>({1}, [&](const auto&) {
      return std::make_unique<Conductor>(ConductorSetup{.patches = system_.grid().size(),
                                                        .atoms = system_.atoms(),
                                                        .total_mass = system_.total_mass(),
                                                        .output = &output,
                                                        .voice = voice});
    });
  }

  const System& system_;
  Runtime runtime_;
  MachineOptions options_;
  std::shared_ptr<PatchSetup<Real>> setup_;
  Array<Patch<Real>> patches_;
  Array<Conductor> conductor_;
  Array<LedgerPort> ledger_;
  Ledger* ledger_object_ = nullptr;
};

}  // namespace

std::unique_ptr<Machinery> make_machinery(const System& system, const MachineOptions& options,
                                          OutputQueue& output) {
  if (system.job().settings.precision == Precision::double_precision)
    return std::make_unique<MachineryOf<double>>(system, options, output);
  return std::make_unique<MachineryOf<float>>(system, options, output);
}

}  // namespace fg::app

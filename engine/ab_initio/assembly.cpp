// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/assembly.hpp"

#include <exception>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ab_initio/checkpoints/kept_orbitals.hpp"
#include "ab_initio/checkpoints/memory_copies.hpp"
#include "ab_initio/objects.hpp"
#include "ab_initio/places/object_places.hpp"
#include "ab_initio/results.hpp"
#include "base/bytes.hpp"
#include "base/error.hpp"
#include "processes/array_maps.hpp"
#include "processes/profiles.hpp"
#include "processes/ranks.hpp"

namespace fg::ab_initio {

namespace {

/// What process 0 orders between two runs.
constexpr std::byte next_run{1}, forget{2};

class AssemblyOfObjects final : public Assembly {
 public:
  AssemblyOfObjects(const Job& job, const MachineOptions& options, ProgressQueue& progress,
                    KeptOrbitals kept, std::shared_ptr<const FixedPotential> fixed = nullptr)
      : job_(job),
        options_(options),
        kept_(std::move(kept)),
        basis_(job),
        runtime_(runtime_options(options)),
        maps_(options.map, ObjectPlaces::names) {
    // Some of it is done by one process alone: the energy of the ions, the waves of a part.
    together(options.transport, [&] { set_up(progress, std::move(fixed)); });
  }

  ~AssemblyOfObjects() override {
    // Releases the other processes, which wait for the next run.
    if (options_.transport && options_.transport->rank() == 0 && !failed_)
      options_.transport->broadcast({});
  }

  GroundState find_ground_state() override {
    next().positions.clear();
    next().starts_from_last = false;
    next().wanted = RunSetup::Wanted::ground_state;
    return find();
  }

  GroundState run_dynamics() override {
    next().positions.clear();
    next().starts_from_last = false;
    next().wanted = RunSetup::Wanted::dynamics;
    return find();
  }

  GroundState continue_dynamics() override {
    next().wanted = RunSetup::Wanted::more_dynamics;
    return find();
  }

  GroundState find_ground_state(std::span<const Vec3> positions) override {
    return find_ground_state(positions, job_.cell);
  }

  GroundState find_ground_state(std::span<const Vec3> positions,
                                const electrons::Lattice& cell) override {
    FG_CHECK(positions.size() == job_.positions.size());
    if (job_.isolated && !(cell == job_.cell))
      throw InputError({.what = "a molecule without images has one cell, that of its job",
                        .where = "cell",
                        .hint = "make a job for each cell"});
    if (job_.dispersion && job_.dispersion->companion.empty())
      throw InputError(
          {.what = "the energy of dispersion is known only at the positions of the job",
           .where = "dispersion",
           .value = job_.dispersion->model,
           .hint = "leave the dispersion out, or make a job for each geometry"});
    next().positions.assign(positions.begin(), positions.end());
    next().cell = cell;
    next().starts_from_last = has_orbitals_;
    next().wanted = RunSetup::Wanted::ground_state;
    return find();
  }

  void save_orbitals(const std::string& path) override {
    FG_CHECK(!options_.transport && has_orbitals_ && !failed_);
    if (const auto failure = keep_orbitals(kept_parts(), path, objects_.course->state()))
      std::rethrow_exception(failure);
  }

  void serve() override {
    for (;;) {
      const auto order = options_.transport->broadcast({});
      if (order.empty()) return;
      if (order.front() == forget) {
        remove_memory();
        continue;
      }
      try {
        run_here();
      } catch (...) {
        if (who_knows(&runtime_, std::current_exception()) != Known::everywhere) throw;
        return;
      }
    }
  }

  void forget_memory() override {
    if (!options_.memory.on()) return;
    if (options_.transport) options_.transport->broadcast({forget});
    remove_memory();
  }
  Profile profile() const override { return profile_; }
  Trace trace() const override { return runtime_.trace(); }

 private:
  GroundState find() {
    for (;;) {
      failed_ = true;
      if (options_.transport) options_.transport->broadcast({next_run});
      const RunEnd end = run_here();
      failed_ = false;
      if (end.failure) std::rethrow_exception(end.failure);
      if (end.paused) continue;
      has_orbitals_ = true;
      return std::move(result_);
    }
  }

  void set_up(ProgressQueue& progress, std::shared_ptr<const FixedPotential> fixed) {
    objects_ = make_objects({.job = job_,
                             .basis = basis_,
                             .options = options_,
                             .kept = kept_,
                             .progress = progress,
                             .fixed = std::move(fixed)},
                            runtime_, maps_);
    if (options_.memory.on())
      memory_ = std::make_unique<MemoryCopies>(runtime_, options_.memory,
                                               MemoryCopiesSetup{.job = &job_,
                                                                 .progress = &progress,
                                                                 .orbitals = objects_.orbitals,
                                                                 .turns = next().memory},
                                               kept_.dynamics ? kept_.dynamics->step : 0);
  }

  /// What process 0 wants of the next run.
  RunSetup& next() const noexcept { return *objects_.run; }
  const Leader& leader() const { return objects_.leader.object({0}); }
  const Ortho& corner() const { return objects_.ortho.object({0, 0}); }

  /// The objects are at rest until the next run.
  struct RunEnd {
    bool paused = false, wants_gap = false;
    std::exception_ptr failure;  // of the file of orbitals, in process 0
  };

  RunEnd run_here() {
    try {
      if (runtime_.process() == 0) {
        objects_.density.broadcast<&Density::life>();
        objects_.ortho.broadcast<&Ortho::life>();
        objects_.leader[{0}].send<&Leader::life>();
      }
      runtime_.run_until_quiescent(Runtime::Quiet::as_announced);
      RunEnd end = keep();
      if (end.wants_gap) find_gap();
      if (end.paused) return end;
      gather_results();
      if (wants_empty_orbitals()) result_.empty = find_empty_orbitals();
      return end;
    } catch (...) {
      throw_known(options_.transport, &runtime_, std::current_exception());
    }
  }

  RunEnd keep() {
    SearchState state;
    std::optional<DynamicsState> dynamics;
    bool paused = false, wants_gap = false, keeps = false, in_memory = false;
    if (runtime_.process() == 0) {
      const Course& course = *objects_.course;
      state = course.state();
      dynamics = course.dynamics_state();
      paused = course.paused();
      wants_gap = course.wants_empty_orbitals();
      in_memory = next().memory->take_started();
      keeps =
          !wants_gap && !in_memory && !kept_.path.empty() && results_are_safe(dynamics.has_value());
    }
    if (options_.transport) {
      ByteWriter bytes;
      for (const bool one : {paused, wants_gap, keeps, in_memory, dynamics.has_value()})
        bytes.put(one);
      bytes.put(std::int32_t{state.pairs});
      bytes.put(std::int32_t{dynamics ? dynamics->past : 0});
      const std::vector<std::byte> agreed = options_.transport->broadcast(std::move(bytes).take());
      ByteReader reader(agreed);
      paused = reader.get<bool>();
      wants_gap = reader.get<bool>();
      keeps = reader.get<bool>();
      in_memory = reader.get<bool>();
      if (reader.get<bool>() && !dynamics) dynamics.emplace();
      state.pairs = reader.get<std::int32_t>();
      const auto past = reader.get<std::int32_t>();
      if (dynamics) dynamics->past = past;
    }
    if (in_memory) {
      if (runtime_.process() == 0) memory_->send(state, *dynamics, corner().energies());
      runtime_.run_until_quiescent();
    }
    if (!keeps) return {paused, wants_gap, {}};
    return {paused, wants_gap, keep_orbitals(kept_parts(), kept_.path, state, dynamics)};
  }

  KeptParts kept_parts() const {
    KeptParts parts{.job = &job_,
                    .basis = &basis_,
                    .transport = options_.transport,
                    .orbitals = objects_.orbitals,
                    .ions = nullptr,
                    .energies = {}};
    if (runtime_.process() == 0) {
      parts.ions = &leader().ions();
      parts.energies = corner().energies();
    }
    return parts;
  }

  void remove_memory() const { remove_memory_of(options_.memory.folder, runtime_.process()); }

  /// A checkpoint counts on the results of the steps before it. If they cannot be written the run
  /// ends with that error.
  bool results_are_safe(bool moves) const {
    return !moves || !kept_.after_results || next().progress->make_safe();
  }

  void gather_results() {
    GroundState result;
    if (runtime_.process() == 0) {
      result = leader().result();
      result.eigenvalues = corner().eigenvalues();
      if (job_.isolated) result.stress = {};
    }
    share_places(result);
    ab_initio::gather_results(objects_, options_.transport, result);
    gather_profile();
    result_ = std::move(result);
  }

  /// Only process 0 knows where the ions are, and in which cell.
  void share_places(GroundState& result) const {
    if (!options_.transport) return;
    ByteWriter bytes;
    bytes.put(result.positions);
    bytes.put(result.cell);
    const auto all = options_.transport->broadcast(std::move(bytes).take());
    ByteReader reader(all);
    reader.get(result.positions);
    result.cell = reader.get<electrons::Lattice>();
  }

  bool wants_empty_orbitals() const {
    return job_.electrons.empty() > 0 && job_.dynamics.kind == DynamicsKind::none &&
           !stopped_early();
  }

  /// Finds the gap of the ground state from which a dynamics starts.
  void find_gap() {
    result_ = {};
    if (runtime_.process() == 0) {
      result_.positions = leader().ions().positions();
      result_.cell = leader().ions().cell();
      result_.eigenvalues = corner().eigenvalues();
    }
    share_places(result_);
    const auto empty = find_empty_orbitals();
    if (runtime_.process() == 0) next().gap = empty->gap;
  }

  /// Finds them by objects of their own, in the potential of the end; in process 0 only.
  std::optional<EmptyOrbitals> find_empty_orbitals() {
    auto fixed = std::make_shared<FixedPotential>();
    fixed->parts.resize(static_cast<std::size_t>(basis_.density_parts()));
    for (int part = 0; part < basis_.density_parts(); ++part)
      if (objects_.density.here_at(part))
        fixed->parts[static_cast<std::size_t>(part)] = objects_.density.object_at(part).potential();
    Job more = job_of_more_orbitals(job_);
    more.cell_of_waves = job_.wave_cell();
    more.cell = result_.cell;
    more.positions = result_.positions;
    MachineOptions options = options_;
    options.profile = false;
    options.trace = 0;
    options.memory = {};
    ProgressQueue unseen;
    AssemblyOfObjects objects(more, options, unseen, {}, std::move(fixed));
    if (is_first(options_.transport))
      return empty_orbitals(job_, result_.eigenvalues, objects.find_ground_state());
    objects.serve();
    return std::nullopt;
  }

  /// Known to process 0, and agreed on by all.
  bool stopped_early() const {
    if (!options_.transport) return !result_.converged;
    const std::byte mine{static_cast<unsigned char>(result_.converged ? 1 : 0)};
    return options_.transport->broadcast({mine}).front() == std::byte{0};
  }

  void gather_profile() {
    if (!options_.profile) return;
    profile_ = runtime_.profile();
    fg::gather_profile(options_.transport, profile_);
  }

  const Job& job_;
  MachineOptions options_;
  KeptOrbitals kept_;
  Basis basis_;
  Runtime runtime_;
  ArrayMaps maps_;
  Objects objects_;
  std::unique_ptr<MemoryCopies> memory_;  // null: no checkpoints in memory
  GroundState result_;
  Profile profile_;
  bool failed_ = false;        // failed, or a run is in progress
  bool has_orbitals_ = false;  // of a run that has ended
};

}  // namespace

std::unique_ptr<Assembly> make_assembly(const Job& job, const MachineOptions& options,
                                        ProgressQueue& progress, KeptOrbitals kept) {
  try {
    return std::make_unique<AssemblyOfObjects>(job, options, progress, std::move(kept));
  } catch (...) {
    throw_known(options.transport, nullptr, std::current_exception());
  }
}

}  // namespace fg::ab_initio

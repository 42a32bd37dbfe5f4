// SPDX-License-Identifier: BSD-3-Clause
#include "classical/calculation.hpp"

#include <cmath>
#include <optional>
#include <utility>
#include <variant>

#include "base/bits_of_run.hpp"
#include "base/units.hpp"
#include "classical/assembly.hpp"
#include "classical/job/pair_settings.hpp"
#include "classical/machinery.hpp"
#include "classical/memory_rescue.hpp"
#include "classical/minimisation.hpp"
#include "classical/run_output.hpp"
#include "classical/step_estimate.hpp"
#include "records/checkpoints/output_reach.hpp"
#include "records/checkpoints/resumption.hpp"
#include "records/checkpoints/state_digest.hpp"
#include "records/trajectory/energy_rows.hpp"

namespace fg::classical {

namespace {

constexpr EntryWording entry_wordings[] = {
    {"PairCompute", "pair forces"},
    {"PairGate", "pair forces"},
    {"BondedCompute", "bonded forces"},
    {"MeshSpreader", "mesh: spread and gather"},
    {"Pencil", "mesh: transforms"},
    {"pair_forces", "sum of pair forces"},
    {"ChargeCollector", "sum of charges"},
    {"ForceCollector", "sum of pair forces"},
    {"mesh_forces", "sum of mesh forces"},
    {"bonded_forces", "sum of bonded forces"},
    {"Patch", "patches: move, constrain, publish"},
    {"Conductor", "conductor and ledger"},
    {"Ledger", "conductor and ledger"},
};

Job job_for(const JobFile& file, const RunOptions& options) {
  Job job = read_job(file);
  if (options.steps >= 0) {
    job.dynamics.steps = options.steps;
    check_steps(job.dynamics, "the option --steps");
  }
  return job;
}

class ClassicalCalculation final : public Calculation {
 public:
  ClassicalCalculation(const JobFile& file, const RunOptions& options)
      : options_(options), job_(job_for(file, options)), bits_(job_.settings.bits), system_(job_) {}

  JobFacts facts() const override {
    return {.title = job_.title,
            .atoms = system_.atoms(),
            .steps = job_.dynamics.steps,
            .checkpoint_seconds = job_.dynamics.checkpoint_seconds,
            .memory = job_.memory,
            .bits = job_.settings.bits};
  }
  std::vector<std::pair<std::string, std::string>> settings() const override {
    return describe_job(job_);
  }
  std::span<const EntryWording> wordings() const noexcept override { return entry_wordings; }

  MemoryStart begin_memory() override {
    const auto rescue = make_memory_rescue(options_, job_);
    return fg::begin_memory(options_, *rescue);
  }
  RunObjects& make_objects(const MachineOptions& machine) override {
    map_ = machine.map;
    machinery_ = make_machinery(system_, machine, queue_);
    layout_ = machinery_->layout();
    return *machinery_;
  }

  EnergyResult energy() override {
    State state = state_of_job(job_);
    place_virtual_sites(system_, state);
    return energy_result(system_, evaluate(*machinery_, queue_, system_, state));
  }

  RunStart begin(RunLog& log, const OnProgress& go_on) override {
    log_ = &log;
    if (!options_.resume.empty()) {
      resume(log);
      note_places(log);
      return state_.step == job_.dynamics.steps ? RunStart::all_done : RunStart::ready;
    }
    state_ = state_of_job(job_);
    note_places(log);
    if (job_.dynamics.minimise != Minimisation::none && !minimise_first(log, go_on))
      return RunStart::stopped;
    prepare_for_dynamics(system_, state_);
    return RunStart::ready;
  }

  void open_outputs() override {
    noted_division_ = state_.bath.division;
    output_.emplace(system_, options_.out, state_, resumption_ ? &*resumption_ : nullptr,
                    queue_.written_before);
  }
  void run() override {
    Schedule schedule(job_.settings, job_.dynamics, state_.step, job_.dynamics.steps);
    schedule.stop_after(options_.stop_after);
    machinery_->run(schedule, state_);
  }
  OutputSignals& signals() noexcept override { return queue_; }
  void write_outputs(std::chrono::milliseconds patience) override {
    for (auto& item : queue_.take(patience)) {
      if (const auto* frame = std::get_if<Frame>(&item)) note_division(*frame);
      std::visit([&](auto& x) { output_->write(std::move(x)); }, item);
    }
  }
  void drop_outputs(std::chrono::milliseconds patience) override { queue_.take(patience); }
  void finish_outputs() override { output_->finish(); }

  std::int64_t first_step() const noexcept override { return state_.step; }
  std::int64_t saved_step() const noexcept override { return output_->saved_step(); }
  void describe(Progress& progress) const override { output_->describe(progress); }

  void complete(RunResult& result) const override {
    result.bits = name_of_bits();
    Progress latest;
    output_->describe(latest);
    result.energy_drift = latest.energy_drift;
    result.temperature_kelvin = latest.temperature_kelvin;
    result.potential = latest.potential;
    result.kinetic = latest.kinetic;
    result.pressure = latest.pressure;
    result.volume = latest.volume;
    result.density = latest.density;
    result.ns_per_day =
        job_.dynamics.timestep * units::time_in_fs * 1e-6 * 86400.0 / result.seconds_per_step;
    result.state_digest = digest_of(load_checkpoint(output_->checkpoint_path()));
  }

  void complete_from_files(RunResult& result) const override {
    result.bits = name_of_bits();
    const Checkpoint& last = resumption_->checkpoint;
    secure_outputs(options_.out, output_reach(options_.out, job_, last.outputs.begin));
    DriftSums drift = last.drift;
    add_rows(drift, options_.out, job_, last.step, last.step + 1);
    result.state_digest = digest_of(last);
    result.energy_drift = drift_per_atom(drift, system_.atoms());
    if (const auto rows = stored_rows(options_.out + "/energies.csv"); !rows.empty()) {
      const auto& values = rows.back().values;
      result.potential = values.at(StoredRow::potential);
      result.kinetic = values.at(StoredRow::kinetic);
      result.temperature_kelvin = values.at(StoredRow::temperature);
      if (job_.box.periodic) {
        result.pressure = values.at(StoredRow::pressure);
        result.volume = values.at(StoredRow::volume);
        result.density = values.at(StoredRow::density);
      }
    }
  }

 private:
  std::string name_of_bits() const {
    return job_.settings.bits == Bits::portable ? "portable" : "fast";
  }
  static std::string digest_of(const Checkpoint& at) {
    return state_digest(at.positions, at.velocities, at.bath.box);
  }

  void resume(RunLog& log) {
    resumption_ = find_start(options_, job_);
    state_ = state_of_checkpoint(resumption_->checkpoint);
    BathState& bath = state_.bath;
    bath.box.periodic = bath.division.box.periodic = job_.box.periodic;
    log.line("Continues from step " + std::to_string(state_.step) + " of " + options_.resume);
    if (!resumption_->warning.empty()) log.warning(resumption_->warning);
  }

  /// What a step is expected to take, and how even the first places of objects are. Both count only
  /// work that can be known.
  void note_places(RunLog& log) const {
    const Int3& patches = state_.bath.division.patches;
    const PatchGrid grid(state_.bath.box, {patches.x, patches.y, patches.z});
    const WorkEstimate work = estimate_work(system_, grid, state_.position, ForceParts::all);
    const auto places = [&](const std::string& map) {
      return FirstPlaces(work, grid, *pair_division(system_, grid), job_.settings,
                         ArrayMaps(map, names_of_arrays()), layout_);
    };
    const FirstPlaces own = places(map_);
    const StepEstimate step = estimate_step(system_, grid, state_.position, work, own);
    log.entry("estimated step", work_in_words(step));
    log.entry("estimated pace", pace_in_words(step, job_.dynamics.timestep, layout_.pes()));
    if (layout_.pes() == 1) return;
    const auto fullest = [](const FirstPlaces& found) {
      return quantity(std::round(1000 * found.imbalance()) / 1000, "of the average");
    };
    std::string text = "fullest PE " + fullest(own);
    if (map_ != "block") text += " (with the map block " + fullest(places("block")) + ")";
    log.entry("estimated work", text);
  }

  /// Notes it in the log.
  void note_division(const Frame& frame) {
    const BoxDivision& division = frame.bath.division;
    if (frame.purpose == FramePurpose::trajectory || division == noted_division_) return;
    const auto nm = [](double x) { return quantity(x * units::bohr_in_nm, "nm"); };
    const auto three = [](const auto& x, const auto& y, const auto& z) {
      return x + " x " + y + " x " + z;
    };
    const auto patches = [&](const Int3& p) {
      return three(std::to_string(p.x), std::to_string(p.y), std::to_string(p.z));
    };
    const Vec3& edge = division.box.edge;
    log_->line("Step " + std::to_string(frame.step) + ": the box has shrunk to " +
               three(nm(edge.x), nm(edge.y), nm(edge.z)) + "; it is cut into " +
               patches(division.patches) + " patches, before " + patches(noted_division_.patches));
    noted_division_ = division;
  }

  /// False if a stop was requested meanwhile.
  bool minimise_first(RunLog& log, const OnProgress& go_on) {
    const auto summary =
        minimise(*machinery_, queue_, system_, state_, [&](const MinimisationSummary& so_far) {
          Progress progress;
          progress.potential = so_far.energy * units::hartree_in_kj_per_mol;
          progress.evaluations = so_far.evaluations;
          progress.largest_force = so_far.largest_force * units::force_in_kj_per_mol_nm;
          return go_on(progress);
        });
    if (summary.stopped) return false;
    if (summary.parting_steps > 0)
      log.line("Atoms overlapped at the start: separated in " +
               std::to_string(summary.parting_steps) + " steps before the minimisation");
    log.line("Minimised in " + std::to_string(summary.evaluations) + " evaluations to " +
             quantity(summary.energy * units::hartree_in_kj_per_mol, "kJ/mol") +
             ", largest force " +
             quantity(summary.largest_force * units::force_in_kj_per_mol_nm, "kJ/mol/nm") +
             (summary.converged ? "" : " (not converged)"));
    if (!summary.converged) log.warning("the minimisation did not reach its tolerance");
    return true;
  }

  RunOptions options_;
  topology::PeLayout layout_;
  std::string map_;
  Job job_;
  BitsOfRun bits_;  // before all that computes
  System system_;
  OutputQueue queue_;
  std::unique_ptr<Machinery> machinery_;
  State state_;
  BoxDivision noted_division_;
  RunLog* log_ = nullptr;
  std::optional<Resumption> resumption_;
  std::optional<RunOutput> output_;
};

}  // namespace

std::unique_ptr<Calculation> load(const JobFile& file, const RunOptions& options) {
  return std::make_unique<ClassicalCalculation>(file, options);
}

}  // namespace fg::classical

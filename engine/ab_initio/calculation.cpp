// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/calculation.hpp"

#include <algorithm>
#include <deque>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "ab_initio/assembly.hpp"
#include "ab_initio/checkpoints/kept_orbitals.hpp"
#include "ab_initio/checkpoints/memory_rescue.hpp"
#include "ab_initio/dynamics_output.hpp"
#include "ab_initio/job/job.hpp"
#include "ab_initio/job/job_dynamics.hpp"
#include "ab_initio/results.hpp"
#include "base/error.hpp"
#include "base/units.hpp"
#include "electrons/ions/molecule.hpp"
#include "processes/ranks.hpp"
#include "records/checkpoints/output_reach.hpp"

namespace fg::ab_initio {

namespace {

constexpr EntryWording entry_wordings[] = {
    {"Orbitals", "orbitals"},
    {"OrbitalPoints", "orbitals on the grid"},
    {"SplinePoints", "splines at ions"},
    {"ProjectorWriter", "projectors of ions"},
    {"SpherePart", "transforms"},
    {"PairCalculator", "products of orbitals"},
    {"Ortho", "matrices of all orbitals"},
    {"Density", "density and potentials"},
    {"Leader", "orders and sums"},
};

/// On a simulated machine only the time of an iteration counts; nobody uses its
/// orbitals.
#ifdef FG_SIMULATED
constexpr bool measures_only = true;
#else
constexpr bool measures_only = false;
#endif

/// Two equal energies, each found to this [hartree].
constexpr double gap_noise = 1e-5;

class AbInitioCalculation final : public Calculation {
 public:
  AbInitioCalculation(const JobFile& file, const RunOptions& options)
      : options_(options), job_(ab_initio::read_job(file)) {
    if (options.out.empty()) job_.dynamics = {};  // one evaluation, at the job's positions
    if (options.steps >= 0)
      (moves() ? job_.dynamics.steps : job_.ground_state.iterations) = options.steps;
    if (options.resume.empty() && job_.ground_state.start == StartKind::orbitals) {
      kept_.source = options.job;
      kept_.group = "/start";
    }
    kept_.stop_after = options.stop_after;
    kept_.after_results = moves() && !measures_only;
    if (job_.keeps_orbitals && !options.out.empty()) kept_.path = options.out + "/checkpoint.h5";
  }

  JobFacts facts() const override {
    return {.title = job_.title,
            .atoms = job_.ions(),
            .steps = moves() ? job_.dynamics.steps : job_.ground_state.iterations,
            .checkpoint_seconds = job_.keeps_orbitals ? job_.checkpoint_seconds : 0,
            .memory = job_.memory() + memory_of_checkpoints()};
  }
  std::vector<std::pair<std::string, std::string>> settings() const override {
    return ab_initio::describe(job_);
  }
  std::span<const EntryWording> wordings() const noexcept override { return entry_wordings; }

  /// Only a dynamics keeps states; one that goes on begins with what is found.
  MemoryStart begin_memory() override {
    const auto rescue = make_memory_rescue(options_, job_);
    RunOptions options = options_;
    if (!moves()) options.memory_checkpoint_steps = 0;
    MemoryStart start = fg::begin_memory(options, *rescue);
    if (!moves() && options_.memory_checkpoint_steps > 0)
      start.warnings.emplace_back(
          "no checkpoints in memory: a search for the ground state keeps its state on disk only, "
          "as often as the input says (output.checkpoint_interval)");
    together(options_.transport, [this] { load_state(); });
    return start;
  }
  RunObjects& make_objects(const MachineOptions& machine) override {
    assembly_ = make_assembly(job_, machine, queue_, kept_);
    return *assembly_;
  }

  EnergyResult energy() override {
    result_ = assembly_->find_ground_state();
    return energy_of_result();
  }
  EnergyResult energy_at(std::span<const Vec3> positions) override {
    if (positions.size() != job_.positions.size())
      throw InputError({.what = "the number of positions is not that of the ions",
                        .value = std::to_string(positions.size()),
                        .limit = std::to_string(job_.positions.size())});
    if (job_.isolated) electrons::check_room_for_isolated(job_.cell, positions);
    result_ = assembly_->find_ground_state(positions);
    queue_.take(std::chrono::milliseconds(0));  // iterations are not reported
    return energy_of_result();
  }
  void save_for_another(const std::string& path) override { assembly_->save_orbitals(path); }

  RunStart begin(RunLog& log, const OnProgress&) override {
    log_ = &log;
    const auto advice = advise(job_.dynamics, known_orbitals(job_), job_.masses);
    for (const std::string& warning : advice.warnings) log.warning(warning);
    return RunStart::ready;
  }
  void open_outputs() override {
    if (moves()) output_.emplace(job_, options_.out, gone_before(), queue_.written_before);
  }
  void run() override {
    result_ = moves() ? assembly_->run_dynamics() : assembly_->find_ground_state();
  }
  OutputSignals& signals() noexcept override { return queue_; }
  void write_outputs(std::chrono::milliseconds patience) override {
    const auto reports = queue_.take(patience);
    try {
      for (const ProgressReport& report : reports)
        std::visit([this](const auto& one) { write(one); }, report);
    } catch (...) {
      refuse_safety(reports);
      throw;
    }
  }
  void drop_outputs(std::chrono::milliseconds patience) override {
    refuse_safety(queue_.take(patience));
  }
  void finish_outputs() override {
    write_outputs(std::chrono::milliseconds(0));
    save_ground_state(options_.out + "/ground_state.h5", job_, result_);
    if (result_.empty) write(*result_.empty);
    if (!result_.forces.empty()) write_net_force();
    if (result_.broken_off) throw NumericsError(*result_.broken_off);
    if (result_.stopped) return;
    require_convergence();
    require_room();
  }

  std::int64_t first_step() const noexcept override { return first_step_; }
  std::int64_t saved_step() const noexcept override {
    return moves() ? result_.step : result_.history.back().number;
  }
  bool finished() const override {
    return result_.converged && (!moves() || saved_step() == job_.dynamics.steps);
  }
  void describe(Progress& progress) const override {
    if (output_ && output_->last_step() >= 0) return output_->describe(progress);
    if (moves()) progress.evaluations = latest_.number + 1;  // on the way to the first step
    progress.total_energy = latest_.energy;
    progress.residual = latest_.residual;
  }
  void complete(RunResult& result) const override {
    const std::int64_t iterations = result_.history.back().number;
    result.iterations = iterations;
    result.seconds_per_step =
        result_.history.back().seconds / static_cast<double>(std::max<std::int64_t>(iterations, 1));
    result.converged = result_.converged;
    result.total_energy = result_.energies.total();
    result.residual = result_.residual();
    if (moves()) complete_dynamics(result);
    result.state_digest = result_.digest;
  }
  void complete_from_files(RunResult&) const override {}

 private:
  double memory_of_checkpoints() const {
    if (!moves() || options_.memory_checkpoint_steps == 0) return 0;
    return job_.memory_of_checkpoints(options_.transport ? options_.transport->processes() : 1);
  }

  void load_state() {
    if (options_.resume.empty()) return;
    kept_.search = load_search(options_.resume, job_);
    kept_.source = options_.resume;
    kept_.dynamics = load_dynamics(options_.resume, job_);
    first_step_ = kept_.dynamics ? kept_.dynamics->step : moves() ? 0 : kept_.search->iteration();
    if (kept_.dynamics) seconds_before_ = kept_.dynamics->seconds;
  }

  EnergyResult energy_of_result() const {
    require_convergence();
    require_room();
    EnergyResult energy;
    energy.iterations = result_.history.back().number;
    for (const auto& [name, value] : result_.energies.terms())
      energy.terms.emplace_back(name, value * units::hartree_in_kj_per_mol);
    energy.terms.emplace_back("total", result_.energies.total() * units::hartree_in_kj_per_mol);
    const auto& s = result_.stress;
    const double scale = -result_.cell.volume() * units::hartree_in_kj_per_mol;
    energy.virial = {scale * s[0], scale * s[4], scale * s[8],
                     scale * s[1], scale * s[2], scale * s[5]};
    if (job_.isolated) energy.virial.fill(std::numeric_limits<double>::quiet_NaN());
    if (const auto& dipole = result_.dipole) energy.dipole = {dipole->x, dipole->y, dipole->z};
    energy.net_force = {result_.net_force.x, result_.net_force.y, result_.net_force.z};
    for (const Vec3& force : result_.forces)
      for (int axis = 0; axis < 3; ++axis)
        energy.forces.push_back(force[axis] * units::force_in_kj_per_mol_nm);
    return energy;
  }

  void write(const Iteration& one) {
    latest_ = one;
    if (!moves()) queue_.step = one.number;
    log_->line("iteration " + std::to_string(one.number) + ": energy " +
               quantity(one.energy, "hartree") + ", residual " + quantity(one.residual, "hartree") +
               ", " + quantity(one.seconds, "s"));
  }
  void write(const DynamicsAdvice& advice) {
    for (const auto& [name, text] : advice.lines) log_->line(name + ": " + text);
    for (const std::string& warning : advice.warnings) log_->warning(warning);
  }
  void write(const DynamicsStep& step) {
    queue_.step = step.number;
    output_->write(step, *log_);
  }

  void write_net_force() {
    const Vec3& net = result_.net_force;
    log_->line("net force: " + std::to_string(net.x) + ", " + std::to_string(net.y) + ", " +
               std::to_string(net.z) + " hartree/bohr, " +
               (job_.electrons.removes_net_force ? "removed" : "kept"));
  }

  void write(const EmptyOrbitals& empty) {
    log_->line("empty orbitals: " + std::to_string(empty.energies.size()) + " in " +
               std::to_string(empty.iterations) + " iterations, gap " +
               quantity(empty.gap, "hartree"));
    if (!empty.converged)
      log_->warning("the empty orbitals did not converge: their energies are too high");
    if (empty.gap < -gap_noise)
      log_->warning("an empty orbital is " + quantity(-empty.gap, "hartree") +
                    " below the highest occupied one: this is not the ground state; try another "
                    "start or seed, or with spin another multiplicity");
  }

  void write(const SafetyRequest& request) {
    output_->sync();
    queue_.say_safe(request, true);
  }
  void refuse_safety(const std::deque<ProgressReport>& reports) {
    for (const ProgressReport& report : reports)
      if (const auto* request = std::get_if<SafetyRequest>(&report))
        queue_.say_safe(*request, false);
  }

  /// What a dynamics did before. Throws InputError if the results do not reach its checkpoint.
  std::optional<GoneBefore> gone_before() const {
    if (!kept_.dynamics) return std::nullopt;
    const std::int64_t step = kept_.dynamics->step;
    const OutputPlan plan = DynamicsRow(job_).plan();
    const OutputReach reach = output_reach(options_.out, plan, 0);
    if (reach.step <= step)
      throw InputError({.what = "the results do not reach the checkpoint: " + reach.missing,
                        .where = options_.out,
                        .value = "checkpoint of step " + std::to_string(step),
                        .hint = "put the files back, or start the run again in another folder"});
    secure_outputs(options_.out, reach);
    GoneBefore before{.kept_up_to = step, .with_journal = reach.with_journal};
    add_rows(before.drift, options_.out, plan, 0, step + 1);
    return before;
  }

  bool moves() const noexcept { return job_.dynamics.kind != DynamicsKind::none; }

  void complete_dynamics(RunResult& result) const {
    Progress latest;
    output_->describe(latest);
    result.energy_drift = latest.energy_drift;
    result.temperature_kelvin = latest.temperature_kelvin;
    result.total_energy = latest.total_energy;
    result.fictitious_kinetic = latest.fictitious_kinetic;
    result.conserved_energy = latest.conserved_energy;
    result.pressure = latest.pressure;
    result.volume = latest.volume;
    const auto steps = static_cast<double>(std::max<std::int64_t>(result.steps - first_step_, 1));
    result.seconds_per_step = (output_->seconds() - seconds_before_) / steps;
    result.ns_per_day =
        job_.dynamics.timestep * units::time_in_fs * 1e-6 * 86400.0 / result.seconds_per_step;
  }

  void require_convergence() const {
    if (result_.converged || measures_only) return;
    throw NumericsError(
        {.what = "the orbitals did not converge",
         .where = "after " + std::to_string(result_.history.back().number) + " iterations",
         .value = quantity(result_.residual(), "hartree"),
         .limit = quantity(job_.ground_state.tolerance, "hartree"),
         .hint = "allow more iterations" + way_to_more_iterations() +
                 ", or look at the residuals in run.log: if they do not fall, the gap between "
                 "occupied and empty orbitals may be small"});
  }

  /// The steps of a resumed search are its iterations, those of a dynamics are not.
  std::string way_to_more_iterations() const {
    if (options_.out.empty() || !job_.keeps_orbitals) return "";
    if (!moves())
      return " (finegrain resume " + options_.out + " --steps " +
             std::to_string(2 * job_.ground_state.iterations) + ")";
    return " (in the input [ground_state] iterations = " +
           std::to_string(2 * job_.ground_state.iterations) + ", with start = \"" + options_.out +
           "\" from where it ended, into another folder)";
  }

  /// What the check of the job takes for granted.
  void require_room() const {
    if (!job_.isolated || result_.outside <= electrons::most_electrons_outside) return;
    throw NumericsError(
        {.what = "the electrons reach too far for a molecule without images",
         .where = "cell",
         .value = quantity(result_.outside, "electrons") + " outside its middle half",
         .limit = quantity(electrons::most_electrons_outside, "electrons") +
                  ", which change the energy by 1e-4 hartree",
         .hint = "make the cell larger"});
  }

  RunOptions options_;
  Job job_;
  ProgressQueue queue_;
  KeptOrbitals kept_;
  std::int64_t first_step_ = 0;
  double seconds_before_ = 0;  // of a dynamics, up to the first step
  std::unique_ptr<Assembly> assembly_;
  RunLog* log_ = nullptr;
  Iteration latest_;
  GroundState result_;
  std::optional<DynamicsOutput> output_;  // of a dynamics
};

}  // namespace

std::unique_ptr<Calculation> load(const JobFile& file, const RunOptions& options) {
  return std::make_unique<AbInitioCalculation>(file, options);
}

}  // namespace fg::ab_initio

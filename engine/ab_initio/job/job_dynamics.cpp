// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/job/job_dynamics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "ab_initio/job/ion_distances.hpp"
#include "ab_initio/job/job_values.hpp"
#include "ab_initio/job/job_words.hpp"
#include "base/error.hpp"
#include "base/units.hpp"
#include "records/log/run_log.hpp"

namespace fg::ab_initio {

namespace {

constexpr std::array<Word<MovingCell>, 4> moving_cells{{{"fixed", MovingCell::nothing},
                                                        {"isotropic", MovingCell::isotropic},
                                                        {"lengths", MovingCell::lengths},
                                                        {"full", MovingCell::full}}};

constexpr auto cell_keys() {
  using C = CellSettings;
  constexpr auto moving = [](const C& cell) { return cell.moves != MovingCell::nothing; };
  return std::tuple{key("cell", &C::moves, moving_cells,
                        {.meaning = "what changes of the cell",
                         .given = Given::optional,
                         .digest = InDigest::word}),
                    key("pressure", &C::pressure,
                        {.meaning = "from outside",
                         .unit = "hartree/bohr³",
                         .least = -1,  // -29421 GPa
                         .most = 1,
                         .given = Given::where_used,
                         .used = moving}),
                    key("cell_mass", &C::mass,
                        {.meaning = "inertia of the cell",
                         .unit = "electron masses",
                         .least = 1,
                         .most = 1e15,
                         .given = Given::where_used,
                         .used = moving}),
                    key("cell_friction", &C::friction,
                        {.meaning = "of the cell",
                         .unit = "1/au time",
                         .least = 0,
                         .most = 1,
                         .given = Given::where_used,
                         .used = moving})};
}

constexpr const char* at = "/dynamics";
constexpr double most_speed = 1;  // 2188 nm/ps; protons have 5e-3 at 10 000 K

class DynamicsReader : JobValues {
 public:
  using JobValues::JobValues;

  void read(Job& job) const {
    DynamicsSettings& dynamics = job.dynamics;
    take(at, dynamics, DynamicsSettings::keys());
    take(at, dynamics, DynamicsSettings::orbital_keys());
    if (dynamics.kind == DynamicsKind::car_parrinello)
      take(at, dynamics.electron_bath, ElectronBathSettings::keys());
    take(at, dynamics.ion_bath, IonBathSettings::keys());
    read_moving_cell(job);
    check_step(job);
    check_ions(job);
    read_velocities(job);
    read_distances(job);
  }

 private:
  void read_moving_cell(Job& job) const {
    CellSettings& cell = job.dynamics.cell;
    take(at, cell, cell_keys());
    if (cell.moves == MovingCell::nothing) return;
    if (job.isolated)
      refuse("a molecule without images has no pressure, so its cell cannot move", at,
             "cell " + std::string(word_of(moving_cells, cell.moves)), "'fixed'");
    if (job.dynamics.ions_rest)
      refuse("the cell moves with its ions only", at, "ions_rest 1", "0, or a fixed cell");
  }

  void check_step(const Job& job) const {
    try {
      check_timestep(job.dynamics, known_orbitals(job));
    } catch (const InputError& error) {
      ErrorParts parts = error.parts();
      parts.where = file_.path() + ":" + at;
      throw InputError(parts);
    }
  }

  void check_ions(const Job& job) const {
    const DynamicsSettings& dynamics = job.dynamics;
    if (dynamics.ions_rest && dynamics.kind == DynamicsKind::born_oppenheimer)
      refuse("nothing moves: ions at rest, and electrons in their ground state", at, "ions_rest 1",
             "'car-parrinello', or ions that move");
    if (dynamics.ions_rest && dynamics.ion_bath.kind != IonBathKind::none)
      refuse("ions at rest have no bath", at,
             std::string(word_of(ion_bath_names, dynamics.ion_bath.kind)), "'none'");
    if (dynamics.ions_rest && dynamics.trajectory_steps > 0)
      refuse("ions at rest have no frames", at,
             "trajectory_steps " + std::to_string(dynamics.trajectory_steps), "0");
    if (job.dispersion && job.dispersion->companion.empty() && !dynamics.ions_rest)
      refuse("the job names no program that finds the dispersion where its ions move to",
             "/dispersion", job.dispersion->model, "/dispersion/companion, or ions at rest");
  }

  void read_distances(Job& job) const {
    if (!file_.has_attribute(at, "kept_distances")) return;
    const auto count = static_cast<std::size_t>(
        number<std::int32_t>(at, "kept_distances", 1, 3 * static_cast<int>(job.positions.size())));
    const std::string ions = std::string(at) + "/distance_ions";
    const std::string lengths = std::string(at) + "/distances";
    const auto pairs = file_.array<std::int32_t>(ions, {2});
    const auto distances = file_.array<double>(lengths);
    require_finite(distances, lengths);
    for (const auto& [object, size] :
         {std::pair(ions, pairs.size() / 2), {lengths, distances.size()}})
      if (size != count)
        refuse("has another length than the number of kept distances", object, std::to_string(size),
               std::to_string(count));
    if (job.dynamics.ions_rest)
      refuse("ions at rest have no constraints", ions, std::to_string(distances.size()), "0");
    for (std::size_t i = 0; i < distances.size(); ++i)
      job.dynamics.distances.push_back({pairs[2 * i], pairs[2 * i + 1], distances[i]});
    try {
      make_ion_constraints(job);
    } catch (const InputError& error) {
      ErrorParts parts = error.parts();
      parts.where = file_.path() + ":" + ions + (parts.where.empty() ? "" : ", " + parts.where);
      throw InputError(parts);
    }
  }

  void read_velocities(Job& job) const {
    const char* object = "/ions/velocity";
    if (job.dynamics.ions_rest) {
      job.velocities.assign(job.positions.size(), Vec3{});
      return;
    }
    job.velocities = vectors(object);
    require_one_each(job.velocities, object, job.positions);
    for (const Vec3& v : job.velocities)
      for (int axis = 0; axis < 3; ++axis)
        if (std::abs(v[axis]) > most_speed)
          refuse("a velocity is beyond its limits", object, quantity(v[axis], "bohr/au"),
                 quantity(most_speed, "bohr/au"));
  }
};

std::string in_fs(double time) {
  return quantity(time * units::time_in_fs, "fs");
}

std::string in_words(const IonBathSettings& bath) {
  if (bath.kind == IonBathKind::none) return "none";
  const std::string name(word_of(ion_bath_names, bath.kind));
  const std::string target = quantity(bath.temperature * units::hartree_in_kelvin, "K");
  std::string text = words(name, ", ", target, ", time constant ", in_fs(bath.time_constant));
  if (bath.kind == IonBathKind::nose_hoover) text += words(", chain of ", bath.chain_length);
  return text;
}

std::string in_words(const ElectronBathSettings& bath) {
  if (bath.kind == ElectronBathKind::none) return "none";
  return words(word_of(electron_bath_names, bath.kind), ", ", quantity(bath.kinetic, "hartree"),
               ", time constant ", in_fs(bath.time_constant), ", chain of ", bath.chain_length);
}

/// Bulk moduli between which most materials are [hartree/bohr^3]: water and silicon.
constexpr double soft_modulus = 2.2e4 / units::pressure_in_bar;
constexpr double hard_modulus = 9.8e5 / units::pressure_in_bar;

std::string in_words(const CellSettings& cell) {
  std::string text = words(word_of(moving_cells, cell.moves), ", outer pressure ",
                           quantity(cell.pressure * units::pressure_in_bar, "bar"), ", mass ",
                           quantity(cell.mass * units::electron_mass_in_dalton, "Da"));
  if (cell.friction > 0) text += words(", friction over ", in_fs(1 / cell.friction));
  return text;
}

std::string period_in_words(const CellSettings& cell, double volume) {
  const double edge = std::cbrt(volume);
  return words("about ", in_fs(cell_period(cell.mass, edge, soft_modulus)), " if it is as soft as ",
               "water (bulk modulus 2.2 GPa), ", in_fs(cell_period(cell.mass, edge, hard_modulus)),
               " if it is as hard as silicon (98 GPa)");
}

std::string in_words(const DynamicsSettings& dynamics, double tolerance) {
  return dynamics.orthonormality == Orthonormality::constrained
             ? words("constrained, to ", tolerance)
             : words("free, made orthonormal above ", dynamics.reset_above);
}

std::string every(std::int64_t steps) {
  return steps == 0 ? "never" : words("every ", steps, " steps");
}

}  // namespace

KnownOrbitals known_orbitals(const Job& job) {
  const double cutoff = job.electrons.cutoff;
  const double squares[] = {2 * cutoff};
  return {.occupation = job.occupation(),
          .cutoff = cutoff,
          .largest = job.kinetic_squares(squares).front() / 2,
          .finds_gap = job.electrons.empty() > 0,
          .eigenvalues = {}};
}

void read_dynamics(const h5::Reader& file, Job& job) {
  if (file.has(at)) DynamicsReader(file).read(job);
}

std::vector<std::pair<std::string, std::string>> describe_dynamics(const Job& job) {
  const DynamicsSettings& dynamics = job.dynamics;
  if (dynamics.kind == DynamicsKind::none) return {};
  std::vector<std::pair<std::string, std::string>> all{
      {"dynamics", std::string(word_of(dynamics_names, dynamics.kind))},
      {"timestep", words(in_fs(dynamics.timestep), " (", quantity(dynamics.timestep, "au"), ")")},
      {"steps", std::to_string(dynamics.steps)},
      {"ions", dynamics.ions_rest ? "rest" : "move"}};
  if (dynamics.kind == DynamicsKind::car_parrinello) {
    all.emplace_back("fictitious mass",
                     words(quantity(dynamics.fictitious_mass, "electron masses"), ", more above ",
                           quantity(2 * dynamics.mass_cutoff, "Ry")));
    all.emplace_back("orthonormality", in_words(dynamics, dynamics.constraint_tolerance));
    all.emplace_back("electron bath", in_words(dynamics.electron_bath));
  } else {
    all.emplace_back("predictor", dynamics.predictor_order < 0
                                      ? "orbitals of the last step"
                                      : words("of order ", dynamics.predictor_order, ", from ",
                                              dynamics.predictor_order + 2, " steps"));
  }
  if (!dynamics.distances.empty())
    all.emplace_back("distances between ions", words(dynamics.distances.size(), " kept"));
  all.emplace_back("ion bath", in_words(dynamics.ion_bath));
  if (moves_cell(dynamics)) {
    all.emplace_back("moving cell", in_words(dynamics.cell));
    all.emplace_back("period of the cell", period_in_words(dynamics.cell, job.cell.volume()));
  }
  for (auto& line : advise(dynamics, known_orbitals(job), job.masses).lines)
    all.push_back(std::move(line));
  all.emplace_back("seed of baths", std::to_string(dynamics.seed));
  all.emplace_back("energies", every(dynamics.energy_steps));
  all.emplace_back("frames", every(dynamics.trajectory_steps));
  return all;
}

std::vector<KeyDescription> dynamics_keys() {
  const DynamicsSettings standard;
  std::vector<KeyDescription> keys;
  describe_keys(keys, standard, DynamicsSettings::keys());
  describe_keys(keys, standard, DynamicsSettings::orbital_keys());
  describe_keys(keys, standard.electron_bath, ElectronBathSettings::keys());
  describe_keys(keys, standard.ion_bath, IonBathSettings::keys());
  describe_keys(keys, standard.cell, cell_keys());
  return keys;
}

void add_dynamics(Sha256& sum, const Job& job) {
  const DynamicsSettings& dynamics = job.dynamics;
  if (dynamics.kind == DynamicsKind::none) return;
  const auto add_whole = [&](std::int64_t value) { sum.add(static_cast<std::uint64_t>(value)); };
  add_keys(sum, dynamics, DynamicsSettings::keys());
  for (const Vec3& v : job.velocities) sum.add(v.x), sum.add(v.y), sum.add(v.z);
  for (const double mass : job.masses) sum.add(mass);
  add_keys(sum, dynamics, DynamicsSettings::orbital_keys());
  if (moves_cell(dynamics)) add_keys(sum, dynamics.cell, cell_keys());
  add_keys(sum, dynamics.ion_bath, IonBathSettings::keys());
  add_keys(sum, dynamics.electron_bath, ElectronBathSettings::keys());
  for (const IonDistance& one : dynamics.distances)
    add_whole(one.a), add_whole(one.b), sum.add(one.distance);
  // The ground state that it starts from, and with Born-Oppenheimer dynamics that of each step.
  add_keys(sum, job.ground_state, GroundStateSettings::goal_keys());
}

}  // namespace fg::ab_initio

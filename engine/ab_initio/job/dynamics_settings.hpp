// SPDX-License-Identifier: BSD-3-Clause
//
// How electrons and ions move, as the job says. Units: Hartree atomic units.
#pragma once

#include <array>
#include <cstdint>
#include <tuple>
#include <vector>

#include "ab_initio/motion/cell_motion.hpp"
#include "ab_initio/motion/ion_constraints.hpp"
#include "records/job/job_key.hpp"

namespace fg::ab_initio {

/// In Car-Parrinello dynamics the coefficients of orbitals move as particles with a fictitious
/// mass. In Born-Oppenheimer dynamics the ground state is found at each step.
enum class DynamicsKind { none, car_parrinello, born_oppenheimer };
inline constexpr std::array<Word<DynamicsKind>, 2> dynamics_names{
    {{"car-parrinello", DynamicsKind::car_parrinello},
     {"born-oppenheimer", DynamicsKind::born_oppenheimer}}};

/// What keeps moving orbitals orthonormal. Constrained: forces of constraint at each step. Free:
/// nothing. Then the energy is that of the orbitals made orthonormal, and its derivatives are the
/// forces.
enum class Orthonormality { constrained, free };
inline constexpr std::array<Word<Orthonormality>, 2> orthonormality_names{
    {{"constrained", Orthonormality::constrained}, {"free", Orthonormality::free}}};

enum class IonBathKind { none, nose_hoover, rescaling, langevin };
inline constexpr std::array<Word<IonBathKind>, 4> ion_bath_names{
    {{"none", IonBathKind::none},
     {"nose-hoover", IonBathKind::nose_hoover},
     {"rescaling", IonBathKind::rescaling},
     {"langevin", IonBathKind::langevin}}};
enum class ElectronBathKind { none, nose_hoover };
inline constexpr std::array<Word<ElectronBathKind>, 2> electron_bath_names{
    {{"none", ElectronBathKind::none}, {"nose-hoover", ElectronBathKind::nose_hoover}}};

inline constexpr double most_bath_time = 1e9;  // 24 ns
inline constexpr double longest_chain = 20;

struct IonBathSettings {
  IonBathKind kind = IonBathKind::none;
  double temperature = 0;
  double time_constant = 0;
  int chain_length = 4;

  static constexpr auto keys() {
    using B = IonBathSettings;
    constexpr auto is_there = [](const B& bath) { return bath.kind != IonBathKind::none; };
    return std::tuple{
        key("ion_bath", &B::kind, ion_bath_names,
            {.meaning = "heat bath of the ions", .digest = InDigest::word}),
        key("ion_temperature", &B::temperature,
            {.meaning = "k_B T",
             .unit = "hartree",
             .least = 1e-12,
             .most = 10,
             .given = Given::where_used,
             .used = is_there}),
        key("ion_time_constant", &B::time_constant,
            {.meaning = "of this bath; of langevin one over the friction",
             .unit = "au time",
             .least = 1e-3,
             .most = most_bath_time,
             .given = Given::where_used,
             .used = is_there}),
        key("ion_chain_length", &B::chain_length,
            {.meaning = "thermostats in a chain of nose-hoover",
             .least = 1,
             .most = longest_chain,
             .given = Given::where_used,
             .used = [](const B& bath) { return bath.kind == IonBathKind::nose_hoover; }})};
  }
};

/// A chain of Nose and Hoover on all orbitals.
struct ElectronBathSettings {
  ElectronBathKind kind = ElectronBathKind::none;
  double kinetic = 0;
  double time_constant = 0;
  int chain_length = 4;

  static constexpr auto keys() {
    using B = ElectronBathSettings;
    constexpr auto is_there = [](const B& bath) { return bath.kind != ElectronBathKind::none; };
    return std::tuple{key("electron_bath", &B::kind, electron_bath_names,
                          {.meaning = "bath of moving orbitals", .digest = InDigest::word}),
                      key("electron_kinetic", &B::kinetic,
                          {.meaning = "fictitious kinetic energy that it keeps",
                           .unit = "hartree",
                           .least = 1e-12,
                           .most = 1e6,
                           .given = Given::where_used,
                           .used = is_there}),
                      key("electron_time_constant", &B::time_constant,
                          {.meaning = "of this bath",
                           .unit = "au time",
                           .least = 1e-3,
                           .most = most_bath_time,
                           .given = Given::where_used,
                           .used = is_there}),
                      key("electron_chain_length", &B::chain_length,
                          {.meaning = "thermostats in its chain",
                           .least = 1,
                           .most = longest_chain,
                           .given = Given::where_used,
                           .used = is_there})};
  }
};

struct DynamicsSettings {
  DynamicsKind kind = DynamicsKind::none;
  double timestep = 0;
  std::int64_t steps = 0;
  bool ions_rest = false;  // only the orbitals move
  std::uint64_t seed = 0;  // of random numbers of baths

  // Car-Parrinello: the mass of a coefficient of the wave G is fictitious_mass up to
  // |G|^2/2 = mass_cutoff, and fictitious_mass (|G|^2/2) / mass_cutoff above.
  Orthonormality orthonormality = Orthonormality::constrained;
  double fictitious_mass = 0;
  double mass_cutoff = 0;
  double constraint_tolerance = 0;  // largest component of <psi|psi> - 1
  /// Free orbitals are made orthonormal if a component of <chi|chi> - 1 is larger than this.
  double reset_above = 0;

  // Born-Oppenheimer: the first orbitals are extrapolated from predictor_order + 2 steps, by
  // Kolafa's always stable predictor; negative: those of the last step.
  int predictor_order = 0;

  std::vector<IonDistance> distances;  // between ions, that stay as they are
  CellSettings cell;
  IonBathSettings ion_bath;
  ElectronBathSettings electron_bath;

  // Steps between two rows of energies, two frames of the trajectory; 0: none.
  std::int64_t energy_steps = 1, trajectory_steps = 0;

  /// What every kind has. The digest has velocities and masses of the ions between these and those
  /// of the orbitals.
  static constexpr auto keys() {
    using D = DynamicsSettings;
    constexpr double most_interval = 1e9;
    return std::tuple{
        key("kind", &D::kind, dynamics_names,
            {.meaning = "what moves, and how", .digest = InDigest::word}),
        key("timestep", &D::timestep,
            {.meaning = "length of a step", .unit = "au time", .least = 1e-6, .most = 1000}),
        key("ions_rest", &D::ions_rest, {.meaning = "whether only the orbitals move"}),
        key("seed", &D::seed, {.meaning = "of random numbers of baths"}),
        key("steps", &D::steps,
            {.meaning = "number of steps", .least = 0, .most = 1e15, .digest = InDigest::nothing}),
        key("energy_steps", &D::energy_steps,
            {.meaning = "between rows of energies; 0: none",
             .unit = "steps",
             .least = 0,
             .most = most_interval,
             .digest = InDigest::nothing}),
        key("trajectory_steps", &D::trajectory_steps,
            {.meaning = "between frames; 0: none",
             .unit = "steps",
             .least = 0,
             .most = most_interval,
             .digest = InDigest::nothing})};
  }
  /// How orbitals move.
  static constexpr auto orbital_keys() {
    using D = DynamicsSettings;
    constexpr auto moving = [](const D& d) { return d.kind == DynamicsKind::car_parrinello; };
    constexpr auto held = [](const D& d) {
      return d.kind == DynamicsKind::car_parrinello &&
             d.orthonormality == Orthonormality::constrained;
    };
    constexpr auto free = [](const D& d) {
      return d.kind == DynamicsKind::car_parrinello && d.orthonormality == Orthonormality::free;
    };
    return std::tuple{
        key("orthonormality", &D::orthonormality, orthonormality_names,
            {.meaning = "what keeps orbitals of car-parrinello orthonormal",
             .given = Given::where_used,
             .used = moving,
             .digest = InDigest::word}),
        key("fictitious_mass", &D::fictitious_mass,
            {.meaning = "of a coefficient of an orbital",
             .unit = "electron masses",
             .least = 1e-3,
             .most = 1e6,
             .given = Given::where_used,
             .used = moving}),
        key("mass_cutoff", &D::mass_cutoff,
            {.meaning = "|G|²/2 above which coefficients are heavier",
             .unit = "hartree",
             .least = 1e-3,
             .most = 1e4,
             .given = Given::where_used,
             .used = moving}),
        key("constraint_tolerance", &D::constraint_tolerance,
            {.meaning = "largest component of the overlaps less one, of constrained orbitals",
             .least = 1e-15,
             .most = 1e-2,
             .given = Given::where_used,
             .used = held}),
        key("reset_above", &D::reset_above,
            {.meaning = "such a component above which free orbitals are made orthonormal",
             .least = 1e-12,
             .most = 0.5,
             .given = Given::where_used,
             .used = free}),
        key("predictor_order", &D::predictor_order,
            {.meaning = "of born-oppenheimer: orbitals are predicted from two steps more; -1: none",
             .least = -1,
             .most = 8,
             .given = Given::where_used,
             .used = [](const D& d) { return d.kind == DynamicsKind::born_oppenheimer; }})};
  }
};

/// Whether the cell moves; then every step needs the stress.
constexpr bool moves_cell(const DynamicsSettings& settings) noexcept {
  return settings.cell.moves != MovingCell::nothing;
}

/// Whether a step has a frame; whether anything is reported of it, as of the last one.
constexpr bool has_frame(const DynamicsSettings& settings, std::int64_t step) noexcept {
  return settings.trajectory_steps > 0 && step % settings.trajectory_steps == 0;
}
constexpr bool is_due(const DynamicsSettings& settings, std::int64_t step) noexcept {
  return step == settings.steps || has_frame(settings, step) ||
         (settings.energy_steps > 0 && step % settings.energy_steps == 0);
}

}  // namespace fg::ab_initio

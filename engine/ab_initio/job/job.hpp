// SPDX-License-Identifier: BSD-3-Clause
//
// The job of an ab initio run: cell, ions, tables of their pseudopotentials, settings. The file is
// described in docs/reference/job-file.md. Units: hartree, bohr, electron masses.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ab_initio/job/dynamics_settings.hpp"
#include "base/vec3.hpp"
#include "electrons/waves/effective_cutoff.hpp"
#include "electrons/waves/lattice.hpp"
#include "records/job/job_file.hpp"

namespace fg::ab_initio {

inline constexpr std::string_view kind_name = "ab-initio";

/// A function of |G|, at the multiples of the spacing that all tables of a job share.
using Table = std::vector<double>;

struct Projector {
  int l = 0;
  Table values;
};
/// An orbital of an atom, for the first orbitals.
struct AtomicOrbital {
  int l = 0;
  double occupation = 0;
  Table values;
};

struct Species {
  std::string symbol, file, sha256;
  double charge = 0;  // of the ion: its valence electrons
  double width = 0;   // of the smeared charge that the local table leaves out
  Table local;
  Table core;     // empty: no core correction
  Table density;  // of the atom; may be empty
  std::vector<Projector> projectors;
  std::vector<double> coupling;  // [projectors][projectors]
  std::vector<AtomicOrbital> orbitals;
};

struct ElectronSettings {
  double cutoff = 0;  // of the kinetic energy of a wave
  /// It changes the kinetic energy; none: that is |G|^2 / 2.
  std::optional<electrons::EffectiveCutoff> effective_cutoff;
  std::array<int, 3> grid{};
  int spins = 1;               // 2: collinear spin, orbitals with one electron each; 1: with two
  int bands = 0;               // orbitals of all spins
  int bands_up = 0;            // with spin: the first ones; the others have spin down
  std::array<int, 2> empty{};  // orbitals of each spin that are found after the ground state
  std::string functional;
  /// The thresholds of the gradient; none if negative.
  double gradient_density_threshold = -1, gradient_sigma_threshold = -1;
  /// A negative density has the energy of its absolute value with the other sign, instead of none.
  bool mirrors_negative_density = false;
  /// Whether the sum of forces of a ground state is taken from them, in equal parts.
  bool removes_net_force = false;

  /// Orbitals before those of spin down.
  int up() const noexcept { return spins == 1 ? bands : bands_up; }
};

/// How waves meet ions: by an exponential for each wave and ion, or by splines on a grid
/// (electrons/splines). The choice is made with the job, by estimates of the time.
enum class IonMethod { exact, splines };
struct IonSettings {
  IonMethod method = IonMethod::exact;
  int order = 8;  // of the splines
  std::array<int, 3> grid{};
  /// Processor time of both methods [s], of the nonlocal part in an iteration, of the local one
  /// for these positions; for the log.
  double exact_seconds = 0, spline_seconds = 0;
};

enum class MinimiserKind { l_bfgs, conjugate_gradients, steepest_descent };
/// Takes the name in a job; read_job has refused others.
MinimiserKind minimiser_kind(std::string_view name);

struct GroundStateSettings {
  std::string minimiser;
  double tolerance = 0;         // largest residual of a coefficient
  double energy_tolerance = 0;  // to which the energy is known
  std::int64_t iterations = 0;  // at most
  std::string start;            // "atomic", "random" or "orbitals": those in the job
  std::uint64_t seed = 0;
};

/// Energy of dispersion between ions, which depends on their positions alone; at those of the job
/// found by the program that wrote it.
struct Dispersion {
  std::string model;  // in words
  double energy = 0;
  std::vector<Vec3> forces;
  std::array<double, 9> strain{};  // derivative of the energy by the strain [hartree]
  /// The program that finds it elsewhere (ion_dispersion.hpp), and the atomic numbers of the ions.
  /// Empty: there is none.
  std::vector<std::string> companion;
  std::vector<std::int32_t> elements;
};

/// The division into objects. It is part of the job, because sums depend on it.
struct CutSettings {
  int state_grain = 0;    // orbitals of a block
  int wave_parts = 0;     // of each orbital, in waves and in points
  int density_parts = 0;  // of the density, in whole planes; a multiple of wave_parts
  int pair_groups = 1;    // of blocks, with which a block has its overlaps
  int tile_grain = 0;     // orbitals along a side of a tile of their matrices; 0: all
  int pair_chunks = 1;    // of the waves of each part, for products of orbitals
  int plane_pieces = 1;   // along y, of each part of the density
};

struct Job {
  std::string title;
  std::string finegrain_version, input_text;  // of the program that wrote the job
  electrons::Lattice cell;
  /// The cell in which the waves below the cutoff were chosen, if it is another one: the indices of
  /// waves stay when a cell changes.
  std::optional<electrons::Lattice> cell_of_waves;
  /// A molecule without periodic images (electrons/coulomb/isolated_coulomb.hpp). It has no stress.
  bool isolated = false;
  std::vector<Vec3> positions;
  std::vector<std::int32_t> species_of;
  std::vector<Vec3> velocities;  // of ions; with dynamics
  std::vector<double> masses;
  std::vector<double> moments;  // of ions at the start, up less down electrons; empty without spin
  std::vector<Species> species;
  double table_spacing = 0;
  ElectronSettings electrons;
  std::optional<Dispersion> dispersion;
  IonSettings nonlocal, local;
  GroundStateSettings ground_state;
  DynamicsSettings dynamics;
  CutSettings cut;
  bool writes_density = false;
  bool keeps_orbitals = false;
  double checkpoint_seconds = 0;  // between two of them; 0: only at the end

  const electrons::Lattice& wave_cell() const noexcept {
    return cell_of_waves ? *cell_of_waves : cell;
  }
  int ions() const noexcept { return static_cast<int>(positions.size()); }
  /// Electrons in each orbital.
  double occupation() const noexcept { return electrons.spins == 1 ? 2 : 1; }
  double electrons_count() const noexcept { return occupation() * electrons.bands; }
  const Species& species_of_ion(std::size_t ion) const {
    return species[static_cast<std::size_t>(species_of[ion])];
  }
  /// The valence electrons of each ion.
  std::vector<double> charges() const;
  /// Twice the kinetic energies of waves with these |G|^2, and the derivatives of them by |G|^2
  /// [waves]; no derivatives if all of them are 1.
  std::vector<double> kinetic_squares(std::span<const double> squares) const;
  std::vector<double> kinetic_slopes(std::span<const double> squares) const;
  /// The largest |G| of a wave of an orbital; a density has twice as much.
  double largest_wave() const noexcept;
  /// Roughly, in bytes, of all processes together.
  double memory() const noexcept;
  /// The same, of the objects for so many orbitals.
  double memory_of_objects(double orbitals) const noexcept;
  /// Besides, with checkpoints in memory of a dynamics in so many processes.
  double memory_of_checkpoints(int processes) const noexcept;

 private:
  /// Waves of one orbital, roughly.
  double waves() const noexcept;
  int vectors_of_dynamics() const noexcept;
};

/// Throws InputError that names file and object if something is missing, of the wrong size, or
/// beyond its limits.
Job read_job(const JobFile& file);

/// The words for the log.
std::vector<std::pair<std::string, std::string>> describe(const Job& job);

}  // namespace fg::ab_initio

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
#include <tuple>
#include <utility>
#include <vector>

#include "ab_initio/job/dynamics_settings.hpp"
#include "ab_initio/job/electron_settings.hpp"
#include "base/vec3.hpp"
#include "electrons/waves/lattice.hpp"
#include "records/job/job_file.hpp"
#include "records/job/job_key.hpp"

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

  static constexpr auto keys() {
    using S = Species;
    return std::tuple{
        key("symbol", &S::symbol, {.meaning = "of the element", .digest = InDigest::nothing}),
        key("file", &S::file,
            {.meaning = "the pseudopotential's file", .digest = InDigest::nothing}),
        key("sha256", &S::sha256, {.meaning = "of this file"}),
        key("charge", &S::charge,
            {.meaning = "valence electrons",
             .unit = "e",
             .least = 0,
             .most = 200,
             .digest = InDigest::nothing}),
        key("width", &S::width,
            {.meaning = "of the smeared charge that `local` leaves out: charge · erf(r/width)/r",
             .unit = "bohr",
             .least = 1e-6,
             .most = 100,
             .digest = InDigest::nothing})};
  }

  Table local;
  Table core;     // empty: no core correction
  Table density;  // of the atom; may be empty
  std::vector<Projector> projectors;
  std::vector<double> coupling;  // [projectors][projectors]
  std::vector<AtomicOrbital> orbitals;
};

/// Energy of dispersion between ions, which depends on their positions alone. At the positions of
/// the job, the program that wrote the job has computed it.
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

struct Job {
  std::string title;
  std::string finegrain_version, input_text;  // of the program that wrote the job
  electrons::Lattice cell;
  /// The cell in which the waves below the cutoff were chosen, if it is another one. The indices of
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
  DivisionSettings division;
  bool writes_density = false;
  bool keeps_orbitals = false;
  double checkpoint_seconds = 0;  // between two of them; 0: only at the end

  static constexpr auto output_keys() {
    using J = Job;
    return std::tuple{
        key("density", &J::writes_density,
            {.meaning = "whether the density is written", .digest = InDigest::nothing}),
        key("orbitals", &J::keeps_orbitals,
            {.meaning = "whether the orbitals are written", .digest = InDigest::nothing}),
        key("checkpoint_seconds", &J::checkpoint_seconds,
            {.meaning = "between two checkpoints; 0: only at the end",
             .unit = "s",
             .least = 0,
             .most = 1e9,
             .digest = InDigest::nothing})};
  }

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
  /// Twice the kinetic energies of waves with these |G|^2, and their derivatives by |G|^2 [waves].
  /// No derivatives if all of them are 1.
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

/// The attributes of each object of a job, for pages and for Python.
std::vector<KeyGroup> job_keys();

/// The words for the log.
std::vector<std::pair<std::string, std::string>> describe(const Job& job);

}  // namespace fg::ab_initio

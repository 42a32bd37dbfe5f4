// SPDX-License-Identifier: BSD-3-Clause
//
// A job: everything that the engine needs for one classical calculation. It is read from one HDF5
// file that Python wrote, and checked before anything starts. Units: Hartree atomic units.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/box.hpp"
#include "forces/restraints/position_restraint.hpp"
#include "forces/terms/terms.hpp"
#include "particles/assignment/cell_cut.hpp"
#include "particles/atom_parameters.hpp"
#include "particles/copies.hpp"
#include "particles/patch_block.hpp"
#include "particles/topology.hpp"
#include "records/job/job_file.hpp"
#include "records/job/job_settings.hpp"

namespace fg {

/// One entry per atom of one copy, in the input's order.
struct JobAtoms {
  std::vector<Vec3> position;  // [bohr], fragments whole
  std::vector<Vec3> velocity;  // [bohr per au time]
  std::vector<double> mass;    // [electron mass], zero for virtual sites only
  std::vector<double> charge;  // [e]
  std::vector<double> sigma;   // of a pair of equal atoms, as epsilon
  std::vector<double> epsilon;
  std::vector<std::int32_t> fragment;  // the same number for atoms that move together; any numbers
  std::vector<std::int32_t> residue;   // index into JobResidues
  std::vector<std::string> name;
  std::vector<std::string> element;

  int size() const noexcept { return static_cast<int>(mass.size()); }
};

struct JobResidues {
  std::vector<std::string> name;
  std::vector<std::string> chain;
  std::vector<std::int32_t> number;
};

/// Where a stage that follows another begins, if its job is of several copies. One entry for each
/// atom of all copies; without velocities those of JobAtoms count.
struct JobStart {
  std::vector<Vec3> position, velocity;
};

struct Job {
  std::string path;
  std::string title;
  std::string input_text;
  std::string finegrain_version;
  double memory = 0;  ///< bytes that a run takes, roughly; 0 if the job does not give it
  Box box;            ///< of all copies
  /// How often the cell is there along each of its vectors; atoms, residues and terms are of one.
  Int3 repeat{1, 1, 1};
  Box cell;  ///< of one copy, if there are several
  JobAtoms atoms;
  std::optional<JobStart> start;
  JobResidues residues;
  LennardJonesTypes lennard_jones_types;
  /// Pairs of atoms that viewers connect, one after the other: bonds without Urey-Bradley terms,
  /// and sites with a parent.
  std::vector<std::int32_t> connectivity;
  BondedTerms terms;
  std::vector<PositionRestraint> restraints;
  Topology topology;
  JobSettings settings;
  /// Where space is cut for pairs by midpoints; without it there is a cell for each patch.
  std::optional<CellCut> cells;
  JobDynamics dynamics;

  Copies copies() const noexcept { return {repeat, atoms.size()}; }
  /// Atoms of all copies.
  int all_atoms() const noexcept { return atoms.size() * copies().count(); }
  const Box& one_cell() const noexcept { return copies().several() ? cell : box; }
  /// The box that belongs to the positions of the atoms and to the references of restraints.
  Box first_box() const noexcept { return copies().several() ? repeated(cell, repeat) : box; }
  RepeatedCell repeated_cell() const noexcept { return {copies(), one_cell(), atoms.position}; }
  /// What is added to the number of each residue of a copy, so that numbers go on.
  std::int64_t residue_numbers_before(int copy) const noexcept;
};

/// Positions and velocities of all atoms at the start of the job.
std::vector<Vec3> start_positions(const Job& job);
std::vector<Vec3> start_velocities(const Job& job);

/// The kind of such jobs, as their files name it.
inline constexpr std::string_view classical_kind = "classical";

/// Reads and checks a job file; an InputError names the file, the place in it and the remedy.
Job load_job(const std::string& path);
Job read_job(const JobFile& file);

/// The attributes of /settings and /dynamics.
std::vector<KeyGroup> job_keys();

/// The checks of load_job beyond the form of the file; also for jobs made in memory.
void check_job(const Job& job);

/// Refuses numbers of midpoint cells along each axis that the patches of a job do not allow.
void check_number_of_cells(const Job& job, const std::array<int, 3>& shape);

/// Refuses a number of steps that does not end where the mesh is evaluated; `where` gave the
/// number.
void check_steps(const JobDynamics& dynamics, const std::string& where);

/// SHA-256 (hex) of everything that decides the trajectory. The title, the number of steps and the
/// output intervals are left out. So a stopped run can be continued for longer.
std::string job_digest(const Job& job);

/// "atom 17 (H1 of HOH 5, chain B)"; users count atoms from 1.
std::string describe_atom(const Job& job, int atom);

}  // namespace fg

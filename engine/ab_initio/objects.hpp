// SPDX-License-Identifier: BSD-3-Clause
//
// Makes all objects of an ab initio run, tells each what it has to know, and connects them.
#pragma once

#include <memory>

#include "ab_initio/assembly.hpp"
#include "ab_initio/density/density.hpp"
#include "ab_initio/division/basis.hpp"
#include "ab_initio/division/more_orbitals.hpp"
#include "ab_initio/dynamics/course.hpp"
#include "ab_initio/leader/leader.hpp"
#include "ab_initio/leader/setups.hpp"
#include "ab_initio/matrices/ortho.hpp"
#include "ab_initio/orbitals/orbitals.hpp"
#include "processes/array_maps.hpp"
#include "runtime/runtime.hpp"

namespace fg::ab_initio {

/// What the objects are made for. All but the potential must outlive them.
struct ObjectsOf {
  const Job& job;
  const Basis& basis;
  const MachineOptions& options;
  const KeptOrbitals& kept;
  ProgressQueue& progress;
  /// The potential of a ground state, if orbitals do not change it.
  std::shared_ptr<const FixedPotential> fixed;
};

/// The objects that somebody starts, or asks for results.
struct Objects {
  const Job* job = nullptr;
  const Basis* basis = nullptr;
  Array<Orbitals> orbitals;
  Array<Density> density;
  Array<Ortho> ortho;
  Array<Leader> leader;
  Course* course = nullptr;  // in process 0; it belongs to the leader
  std::shared_ptr<RunSetup> run;
};

/// Called by all processes. Runtime and maps must outlive the objects.
Objects make_objects(const ObjectsOf& of, Runtime& runtime, const ArrayMaps& maps);

}  // namespace fg::ab_initio

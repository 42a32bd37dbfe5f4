// SPDX-License-Identifier: BSD-3-Clause
//
// A job whose cell is repeated, and the same system written out: with an entry for every atom and
// term, as a file of that size would give it.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "records/job/job.hpp"

namespace fg::test {

inline Job repeated_job(Job job, const Int3& repeat) {
  job.repeat = repeat;
  job.cell = job.box;
  job.box = job.first_box();
  auto& s = job.settings;
  for (int axis = 0; axis < 3; ++axis) {
    s.mesh[axis] *= repeat[axis];
    s.patch_grid[axis] *= repeat[axis];
  }
  return job;
}

/// Moves whole fragments by `shift`, and back into the cell.
inline void fold(Job& job, const Vec3& shift) {
  const FragmentTable fragments(job.topology, job.atoms.fragment, job.atoms.mass,
                                job.atoms.position);
  for (int f = 0; f < fragments.size(); ++f) {
    const auto atoms = fragments.atoms(f);
    const Vec3 back = job.box.position(job.box.image_of(job.atoms.position[atoms[0]] + shift));
    for (const std::int32_t atom : atoms) job.atoms.position[atom] += shift - back;
  }
}

inline Job written_out(const Job& one) {
  Job job = one;
  job.repeat = {1, 1, 1};
  job.atoms = {};
  job.residues = {};
  job.terms = {};
  job.topology = {};
  job.restraints.clear();
  job.lennard_jones_types.of_atom.clear();
  job.atoms.position = start_positions(one);
  job.atoms.velocity = start_velocities(one);
  BondedTerms::for_each_kind(
      [&]<class Term>() { job.terms.shared<Term>() = one.terms.shared<Term>(); });
  const Copies copies = one.copies();
  const int atoms = one.atoms.size();
  const std::span<const Vec3> positions(one.atoms.position);
  const auto place = [&](auto term, int copy) {
    const auto cells = cells_of_term(one.cell, positions, term.atoms);
    for (std::size_t k = 0; k < term.atoms.size(); ++k)
      term.atoms[k] += copies.neighbour(copy, cells[k]) * atoms;
    return term;
  };
  const int fragments = 1 + *std::max_element(one.atoms.fragment.begin(), one.atoms.fragment.end());
  for (int copy = 0; copy < copies.count(); ++copy) {
    const auto add = [](auto& to, const auto& from) {
      to.insert(to.end(), from.begin(), from.end());
    };
    add(job.atoms.mass, one.atoms.mass);
    add(job.atoms.charge, one.atoms.charge);
    add(job.atoms.sigma, one.atoms.sigma);
    add(job.atoms.epsilon, one.atoms.epsilon);
    add(job.atoms.name, one.atoms.name);
    add(job.atoms.element, one.atoms.element);
    add(job.lennard_jones_types.of_atom, one.lennard_jones_types.of_atom);
    for (int i = 0; i < atoms; ++i) {
      job.atoms.fragment.push_back(one.atoms.fragment[i] + copy * fragments);
      job.atoms.residue.push_back(copy);
    }
    job.residues.name.emplace_back("TST");
    job.residues.chain.emplace_back("A");
    job.residues.number.push_back(1 + copy);
    BondedTerms::for_each_kind([&]<class Term>() {
      for (const Term& term : one.terms.of<Term>())
        job.terms.of<Term>().push_back(place(term, copy));
    });
    for (const Constraint& c : one.topology.constraints)
      job.topology.constraints.push_back(place(c, copy));
    for (const Water& w : one.topology.waters) job.topology.waters.push_back(place(w, copy));
    for (VirtualSite site : one.topology.virtual_sites) {
      site.site += copy * atoms;
      for (auto& parent : site.parents)
        if (parent >= 0) parent += copy * atoms;
      job.topology.virtual_sites.push_back(site);
    }
    const Vec3 offset = one.cell.position(copies.place(copy));
    for (PositionRestraint restraint : one.restraints) {
      const Vec3 near = one.cell.position(cells_between(
          one.cell, positions[static_cast<std::size_t>(restraint.atom)], restraint.reference));
      restraint.atom += copy * atoms;
      restraint.reference += near;
      restraint.reference += offset;
      if (restraint.follows) {
        restraint.anchor += near;
        restraint.anchor += offset;
      }
      job.restraints.push_back(restraint);
    }
  }
  return job;
}

}  // namespace fg::test

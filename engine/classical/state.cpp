// SPDX-License-Identifier: BSD-3-Clause
#include "classical/state.hpp"

#include "base/error.hpp"
#include "classical/division/box_division.hpp"
#include "classical/patch_atoms.hpp"
#include "motion/barostat.hpp"
#include "motion/constraints/far_projection.hpp"
#include "motion/initial_velocities.hpp"
#include "motion/kinetic.hpp"
#include "motion/updates.hpp"

namespace fg::classical {

State state_of_job(const Job& job) {
  return {.position = start_positions(job),
          .velocity = start_velocities(job),
          .image = std::vector<Int3>(static_cast<std::size_t>(job.all_atoms())),
          .bath = {.box = job.box, .division = first_division(job)}};
}

State state_of_checkpoint(const Checkpoint& checkpoint) {
  return {.step = checkpoint.step,
          .stage = checkpoint.stage,
          .position = checkpoint.positions,
          .velocity = checkpoint.velocities,
          .image = checkpoint.images,
          .bath = checkpoint.bath};
}

std::vector<AtomRecord> all_records(const System& system, const State& state) {
  return records_of(system, state, 0, system.fragments().size());
}

std::vector<AtomRecord> records_of(const System& system, const State& state, int first, int end) {
  const auto& fragments = system.fragments();
  std::size_t atoms = 0;
  for (int f = first; f < end; ++f) atoms += fragments.atoms(f).size();
  std::vector<AtomRecord> records;
  records.reserve(atoms);
  for (int f = first; f < end; ++f)
    for (const auto id : fragments.atoms(f))
      records.push_back({.id = id,
                         .image = state.image[id],
                         .position = state.position[id],
                         .velocity = state.velocity[id]});
  return records;
}

namespace {

// SETTLE and SHAKE converge quickly from a start with a smaller error.
constexpr double near_enough = 0.02;

void require(const ConstraintStatus& status, const Job& job, const PatchAtoms& atoms) {
  if (status.ok()) return;
  int i = 0;
  while (i + 1 < atoms.size() && atoms.slot(i) != status.failed_slot) ++i;
  throw NumericsError({.what = "the constraints of " + describe_atom(job, atoms.id(i)) +
                               " cannot be satisfied from its starting position",
                       .where = "before the first step",
                       .hint = "check the geometry of its residue, and the lengths of its "
                               "constraints"});
}

/// Calls visit(atoms) for the atoms of one copy after the other. All at once would take several
/// times the memory of their state. What they have become then is in the state.
template <class Visit>
void for_each_copy(const System& system, State& state, Visit&& visit) {
  PatchAtoms atoms(system);
  const int fragments = system.fragments().size_of_copy();
  for (int copy = 0; copy < system.copies().count(); ++copy) {
    atoms.settle(records_of(system, state, copy * fragments, (copy + 1) * fragments));
    visit(atoms);
    for (int i = 0; i < atoms.size(); ++i) {
      state.position[atoms.id(i)] = atoms.position(i);
      state.velocity[atoms.id(i)] = atoms.velocity(i);
    }
  }
}

void settle_onto_constraints(const System& system, PatchAtoms& atoms) {
  remember_positions(atoms.moving());
  require(atoms.constraints().apply_to_positions(atoms.moving(), 0.0), system.job(), atoms);
  atoms.place_sites();
}

void bring_near_constraints(const System& system, State& state) {
  project_far_fragments(system.fragments(), system.job().atoms.mass, near_enough, state.position);
}

}  // namespace

void place_virtual_sites(const System& system, State& state) {
  if (system.job().topology.virtual_sites.empty()) return;
  PatchAtoms all(system);
  all.settle(all_records(system, state));
  all.place_sites();
  for (int i = 0; i < all.size(); ++i) state.position[all.id(i)] = all.position(i);
}

std::vector<Int3> images_of_whole_molecules(const System& system, const State& state) {
  return system.molecules().whole(system.fragments(), state.bath.box, state.position, state.image);
}

std::vector<MoleculeCentre> centres_of_molecules(const System& system, const State& state,
                                                 std::span<const Int3> images) {
  const auto& molecules = system.molecules();
  const auto& fragments = system.fragments();
  std::vector<MoleculeCentre> centres(static_cast<std::size_t>(molecules.size()));
  for (int id = 0; id < system.atoms(); ++id) {
    const int fragment = fragments.of_atom(id);
    const int molecule = molecules.of_fragment(fragment);
    if (molecule < 0) continue;
    const double share = system.mass(id) / molecules.mass(molecule);
    const Vec3 offset = state.bath.box.position(state.image[id] + images[fragment]);
    MoleculeCentre& centre = centres[static_cast<std::size_t>(molecule)];
    centre.position += (state.position[id] + offset) * share;
    centre.velocity += state.velocity[id] * share;
  }
  return centres;
}

State scaled(const System& system, State state, double factor) {
  PatchAtoms all(system);
  all.settle(all_records(system, state));
  std::vector<Vec3> unused(static_cast<std::size_t>(all.size()));
  const Vec3 factors{factor, factor, factor};
  const std::vector<Int3> images = images_of_whole_molecules(system, state);
  const auto centres = centres_of_molecules(system, state, images);
  all.scale({.length = factors}, {.box = state.bath.box, .images = images, .centres = centres},
            unused);
  for (int i = 0; i < all.size(); ++i) state.position[all.id(i)] = all.position(i);
  state.bath.box = fg::scaled(state.bath.box, factors);
  return state;
}

void meet_constraints(const System& system, State& state) {
  bring_near_constraints(system, state);
  for_each_copy(system, state, [&](PatchAtoms& atoms) { settle_onto_constraints(system, atoms); });
}

void prepare_for_dynamics(const System& system, State& state) {
  const auto& job = system.job();
  Vec3 total;
  bring_near_constraints(system, state);
  for_each_copy(system, state, [&](PatchAtoms& atoms) {
    settle_onto_constraints(system, atoms);
    auto& moving = atoms.moving();
    const auto& held = atoms.constraints();
    if (job.dynamics.velocities == StartVelocities::drawn)
      require(draw_velocities(moving, held, job.dynamics.temperature, job.dynamics.seed), job,
              atoms);
    else
      require(held.apply_to_velocities(moving), job, atoms);
    total += momentum(moving);
  });
  if (job.dynamics.com_interval == 0) return;
  for_each_copy(system, state, [&](PatchAtoms& atoms) {
    shift_velocities(atoms.moving(), total * (-1.0 / system.total_mass()));
  });
}

}  // namespace fg::classical

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
  const auto& fragments = system.fragments();
  std::vector<AtomRecord> records;
  records.reserve(system.atoms());
  for (int f = 0; f < fragments.size(); ++f)
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

void settle_onto_constraints(const System& system, State& state, PatchAtoms& all) {
  project_far_fragments(system.fragments(), system.job().atoms.mass, near_enough, state.position);
  all.settle(all_records(system, state));
  remember_positions(all.moving());
  require(all.constraints().apply_to_positions(all.moving(), 0.0), system.job(), all);
  all.place_sites();
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
  PatchAtoms all(system);
  settle_onto_constraints(system, state, all);
  for (int i = 0; i < all.size(); ++i) state.position[all.id(i)] = all.position(i);
}

void prepare_for_dynamics(const System& system, State& state) {
  const auto& job = system.job();
  PatchAtoms all(system);
  settle_onto_constraints(system, state, all);
  auto& moving = all.moving();
  if (job.dynamics.velocities == StartVelocities::drawn)
    require(draw_velocities(moving, all.constraints(), job.dynamics.temperature, job.dynamics.seed),
            job, all);
  else
    require(all.constraints().apply_to_velocities(moving), job, all);
  if (job.dynamics.com_interval > 0)
    shift_velocities(moving, momentum(moving) * (-1.0 / system.total_mass()));

  for (int i = 0; i < all.size(); ++i) {
    state.position[all.id(i)] = all.position(i);
    state.velocity[all.id(i)] = all.velocity(i);
  }
}

}  // namespace fg::classical

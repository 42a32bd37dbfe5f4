// SPDX-License-Identifier: BSD-3-Clause
#include "classical/minimisation.hpp"

#include <limits>
#include <numeric>
#include <optional>

#include "base/error.hpp"
#include "base/units.hpp"
#include "classical/patch_atoms.hpp"
#include "forces/bonded/bonded_workset.hpp"
#include "forces/pair/contacts.hpp"
#include "motion/minimise.hpp"
#include "records/log/run_log.hpp"

namespace fg::classical {

namespace {

// Fractions of the contact distance (forces/pair/contacts.cpp). Atoms closer than `overlap` are
// separated first, until no distance is below `parted`. Below `least` no energy is computed. Above
// it, a pair force is at least five orders of magnitude below the limit of a sum of forces.
constexpr double overlap = 0.7, parted = 0.9, least = 0.45;
constexpr int most_parting_steps = 2000;

using Tell = std::function<bool(const MinimisationSummary&)>;
/// Writes the forces at state.position into its argument and returns the energy; returns nothing if
/// there is no energy.
using Evaluate = std::function<std::optional<double>(std::vector<Vec3>& forces)>;

struct Goal {
  MinimiserKind kind;
  double tolerance;
  int steps;
};

/// `state` is the start, on the constraints, and then each trial; at the end the lowest point.
MinimisationSummary descend(const System& system, State& state, const Goal& goal,
                            const Evaluate& evaluate, const Tell& tell) {
  PatchAtoms all(system);
  all.settle(all_records(system, state));
  Minimiser judge(goal.kind, goal.tolerance, goal.steps);
  MinimiserVectors vectors;
  vectors.reset(all.moving());
  std::vector<Vec3> forces(state.position.size());

  MinimisationSummary summary;
  for (bool on_constraints = true;;) {
    for (int i = 0; i < all.size(); ++i) state.position[all.id(i)] = all.position(i);
    const auto energy = on_constraints ? evaluate(forces) : std::nullopt;
    MinimiserSums sums{.energy = std::numeric_limits<double>::infinity()};
    if (energy) {
      for (int i = 0; i < all.size(); ++i) all.moving().set_force(all.slot(i), forces[all.id(i)]);
      all.share_site_forces();
      sums = vectors.measure(all.moving(), all.constraints(), goal.kind, *energy);
    }
    const auto order = judge.judge(sums);
    summary = {.evaluations = judge.evaluations(),
               .converged = order.converged,
               .energy = judge.best_energy(),
               .largest_force = judge.best_force()};
    summary.stopped = !tell(summary) && !order.done;
    if (summary.stopped) return summary;
    // If the constraints cannot follow a trial, it is one step too far: the next is shorter.
    on_constraints = vectors.follow(order, all.moving(), all.constraints()).ok();
    all.place_sites();
    if (order.done) break;
  }
  for (int i = 0; i < all.size(); ++i) state.position[all.id(i)] = all.position(i);
  return summary;
}

/// Separates overlapping atoms with a soft repulsion and the covalent terms. Exceptions are among
/// the contacts: their own energy has no lower bound where charges meet. False if `tell` asked to
/// stop.
bool part(const System& system, State& state, const Contacts& contacts, int& steps,
          const Tell& tell) {
  const Job& job = system.job();
  BondedTerms covalent = job.terms;
  covalent.of<ExceptionPair>().clear();
  covalent.of<FarExclusion>().clear();
  const TermIndex index(covalent, job.atoms.size(), job.repeated_cell());
  BondedWorkset bonded(covalent, index, {0, 0, 0}, {1, 1, 1});
  std::vector<std::int32_t> ids(state.position.size());
  std::iota(ids.begin(), ids.end(), 0);
  const BlockPart everything{.patch = {0, 0, 0}, .ids = ids};
  bonded.rebuild({&everything, 1}, state.bath.box);

  const auto soft = [&](std::vector<Vec3>& forces) -> std::optional<double> {
    std::fill(forces.begin(), forces.end(), Vec3{});
    const BondedSums sums = bonded.add_forces_and_sums(state.position, forces);
    return sums.total() + contacts.add_repulsion(state.position, forces);
  };
  bool wanted = true;
  const auto ready = [&](const MinimisationSummary& so_far) {
    steps = so_far.evaluations;
    wanted = tell({.parting_steps = steps});
    return wanted && contacts.closest(state.position, 1.0).ratio < parted;
  };
  descend(system, state, {MinimiserKind::l_bfgs, 0.0, most_parting_steps}, soft, ready);
  return wanted;
}

void require_apart(const Job& job, const ClosestContact& contact) {
  if (contact.ratio >= least) return;
  throw NumericsError(
      {.what = "overlapping atoms cannot be separated: " + describe_atom(job, contact.a) + " and " +
               describe_atom(job, contact.b),
       .where = "minimisation",
       .value = quantity(contact.distance * units::bohr_in_nm, "nm apart"),
       .limit = "at least " +
                quantity(least / contact.ratio * contact.distance * units::bohr_in_nm, "nm"),
       .hint = "there is no room between them: are molecules doubled, or the box too small?"});
}

}  // namespace

MinimisationSummary minimise(Machinery& machinery, OutputQueue& output, const System& system,
                             State& state, const Tell& tell) {
  const auto& job = system.job();
  meet_constraints(system, state);

  const Contacts contacts(system.parameters(), system.exclusions(), job.terms.of<ExceptionPair>(),
                          state.bath.box, job.repeated_cell());
  int parting_steps = 0;
  if (contacts.closest(state.position, overlap).ratio < overlap) {
    if (!part(system, state, contacts, parting_steps, tell))
      return {.stopped = true, .parting_steps = parting_steps};
    require_apart(job, contacts.closest(state.position, overlap));
  }

  const PotentialTerms terms(system);
  const auto exact = [&](std::vector<Vec3>& forces) -> std::optional<double> {
    if (contacts.closest(state.position, least).ratio < least) return std::nullopt;
    auto evaluation = evaluate(machinery, output, system, state);
    forces = std::move(evaluation.frame.force);
    return sum(terms.of(evaluation.totals));
  };
  const Goal goal{job.dynamics.minimise == Minimisation::l_bfgs ? MinimiserKind::l_bfgs
                                                                : MinimiserKind::steepest_descent,
                  job.dynamics.minimise_tolerance, job.dynamics.minimise_steps};
  auto summary = descend(system, state, goal, exact, tell);
  summary.parting_steps = parting_steps;
  return summary;
}

}  // namespace fg::classical

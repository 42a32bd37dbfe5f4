// SPDX-License-Identifier: BSD-3-Clause
#include "app/minimisation.hpp"

#include "app/patch_atoms.hpp"
#include "base/error.hpp"
#include "motion/minimise.hpp"

namespace fg::app {

MinimisationSummary minimise(Machinery& machinery, OutputQueue& output, const System& system,
                             State& state,
                             const std::function<bool(const MinimisationSummary&)>& tell) {
  const auto& job = system.job();
  const auto kind = job.dynamics.minimise == Minimiser::l_bfgs ? MinimiserKind::l_bfgs
                                                               : MinimiserKind::steepest_descent;
  PatchAtoms all(system);
  all.settle(all_records(system, state));
  fg::Minimiser judge(kind, job.dynamics.minimise_tolerance, job.dynamics.minimise_steps);
  MinimiserVectors vectors;
  vectors.reset(all.moving());
  const PotentialTerms terms(system);

  MinimisationSummary summary;
  for (;;) {
    for (int i = 0; i < all.size(); ++i) state.position[all.id(i)] = all.position(i);
    const auto evaluation = evaluate(machinery, output, system, state);
    for (int i = 0; i < all.size(); ++i)
      all.moving().set_force(all.slot(i), evaluation.frame.force[all.id(i)]);
    const auto order = judge.judge(
        vectors.measure(all.moving(), all.constraints(), kind, sum(terms.of(evaluation.totals))));
    summary = {.evaluations = judge.evaluations(),
               .converged = order.converged,
               .energy = judge.best_energy(),
               .largest_force = judge.best_force()};
    summary.stopped = !tell(summary) && !order.done;
    if (summary.stopped) return summary;
    const auto status = vectors.follow(order, all.moving(), all.constraints());
    if (!status.ok())
      throw NumericsError({.what = "the constraints cannot be met during minimisation",
                           .where = "evaluation " + std::to_string(summary.evaluations),
                           .hint = "check the starting geometry, or use steepest descent"});
    if (order.done) break;
  }
  for (int i = 0; i < all.size(); ++i) state.position[all.id(i)] = all.position(i);
  return summary;
}

}  // namespace fg::app

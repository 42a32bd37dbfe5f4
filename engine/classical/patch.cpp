// SPDX-License-Identifier: BSD-3-Clause
#include "classical/patch.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/fixed_point.hpp"
#include "base/units.hpp"
#include "forces/costs/charge_work.hpp"
#include "motion/kinetic.hpp"
#include "motion/updates.hpp"

namespace fg::classical {

template <class Real>
Patch<Real>::Patch(std::shared_ptr<const PatchSetup<Real>> setup, PatchIndex index)
    : setup_(std::move(setup)),
      system_(*setup_->system),
      here_(index),
      atoms_(system_),
      bonded_computes_(BondedCompute<Real>::listeners(setup_->grid, system_.term_reach(), index)),
      bonded_active_(bonded_computes_.size(), 1),
      grid_(setup_->grid) {}

template <class Real>
void Patch<Real>::begin(const BathState& bath) {
  incoming_.clear();  // keeps the room that an earlier run has needed
  plan_ = RebuildPlan::go_on;
  bath_ = bath;
  heat_ = 0;
  start_ = setup_->schedule.first();
}

template <class Real>
Task Patch<Real>::life() {
  const auto& schedule = setup_->schedule;
  for (std::int64_t step = start_;; ++step) {
    const StepKind kind = schedule.kind(step);
    if (kind.rebuild) {
      if (step > start_) {
        if (schedule.couples(step)) {
          const auto plan = when<&Patch::plan>(step, 1);
          co_await plan;
          scale(step);
          send_leavers(step);
          const auto arrivals = when<&Patch::arrivals>(step, 26);
          co_await arrivals;
        } else {
          send_leavers(step);
          const auto arrivals = expect<&Patch::arrivals>(step, 26);
          const auto plan = expect<&Patch::plan>(step, 1);
          co_await all_of(arrivals, plan);
        }
        if (schedule.pauses(step)) {
          start_ = step;
          setup_->conductor[{0}].template send<&Conductor::pauses>(step);
          co_return;
        }
      }
      settle_in();
      if (plan_ == RebuildPlan::keep)
        keep(step);
      else if (plan_ != RebuildPlan::go_on)
        send_frame(step, FramePurpose::checkpoint);
      if (plan_ == RebuildPlan::save_and_stop) co_return;
      stand(step);
    }

    publish(step, kind);
    publish_bonded(step, kind);
    add_restraints(step);
    const auto me = static_cast<std::size_t>(this->ordinal());
    const auto pairs =
        expect<&Port::pair_forces>(step, schedule.pairs(step) ? setup_->replies->sums[me] : 0);
    const auto bonded = expect<&Port::bonded_forces>(step, bonded_replies(kind));
    const auto mesh = expect<&Port::mesh_forces>(step, mesh_weight(step) > 0 ? 1 : 0);
    co_await all_of(pairs, bonded, mesh);

    finish_velocities(step, kind);
    report(step, kind);
    if (step == schedule.last()) {
      if (!schedule.weighs()) send_frame(step, FramePurpose::last);
      co_return;
    }
    if (schedule.remove_momentum(step)) {
      const auto drift = when<&Patch::drift_velocity>(step, 1);
      co_await drift;
    }
    if (schedule.sum_momentum(step)) send_momentum(step);
    move(step);
  }
}

template <class Real>
void Patch<Real>::plan(Ref<const PlanMessage> message) {
  plan_ = message->plan;
  bath_ = message->bath;
  coupling_ = std::move(message);
}

template <class Real>
void Patch<Real>::scale(std::int64_t step) {
  const auto& integrator = *setup_->integrator;
  const double before = integrator.kinetic_energy(atoms_.moving(), atoms_.constraints());
  const Ref<const PlanMessage> plan = std::exchange(coupling_, {});
  const WholeMolecules molecules{
      .box = grid_.box(),
      .images = setup_->whole,
      .centres = {plan->trailing<MoleculeCentre>(), static_cast<std::size_t>(plan->centres)}};
  atoms_.scale(plan->scaling, molecules, settled_);
  add_heat(integrator.kinetic_energy(atoms_.moving(), atoms_.constraints()) - before, step);
  grid_ = PatchGrid(bath_.box, grid_.shape());
}

template <class Real>
void Patch<Real>::add_heat(double energy, std::int64_t step) {
  if (!energy_scale.fits(energy)) blame(-1, step, "heat");
  heat_ += energy_scale.to_fixed(energy);
}

template <class Real>
void Patch<Real>::stand(std::int64_t step) {
  auto message = make_message<StandingMessage>();
  message->step = step;
  const double heat = kinetic_energy(atoms_.moving());
  if (!energy_scale.fits(heat)) blame(-1, step, "kinetic energy");
  message->kinetic_energy = energy_scale.to_fixed(heat);
  message->displacement = std::exchange(displacement_, 0.0);
  setup_->conductor[{0}].template send<&Conductor::stands_at>(std::move(message));
}

template <class Real>
void Patch<Real>::arrivals(Ref<const AtomsMessage> message) {
  const auto* const records = message->trailing<AtomRecord>();
  incoming_.insert(incoming_.end(), records, records + message->atoms);
}

template <class Real>
void Patch<Real>::drift_velocity(Ref<const DriftVelocityMessage> message) {
  const double before = kinetic_energy(atoms_.moving());
  shift_velocities(atoms_.moving(), -message->velocity);
  heat_ += energy_scale.to_fixed(kinetic_energy(atoms_.moving()) - before);
}

template <class Real>
void Patch<Real>::pair_forces(Ref<const SummedForcesMessage> message) {
  if (message->bad_slot >= 0)
    blame(clusters_.atom_of_slot[message->bad_slot], message->step, "pair force");
  FG_CHECK((pair_impulses() ? pair_forces_ : forces_).add_sums(message->sums()));
  charge_work<Real>({{of_message, 1}});
}

template <class Real>
void Patch<Real>::mesh_forces(Ref<const ClusterForcesMessage<Real>> message) {
  auto& sums = mesh_impulses() ? mesh_forces_ : forces_;
  const int bad = sums.add_clusters(message->forces(), message->cluster_index(), message->clusters);
  if (bad >= 0) blame(clusters_.atom_of_slot[bad], message->step, "mesh force");
}

template <class Real>
void Patch<Real>::bonded_forces(Ref<const BondedForcesMessage> message) {
  const auto compute =
      std::find(bonded_computes_.begin(), bonded_computes_.end(), message->compute);
  bonded_active_[compute - bonded_computes_.begin()] = message->atoms > 0 ? 1 : 0;
  const auto forces = message->forces();
  const auto places = message->places();
  for (std::size_t i = 0; i < forces.size(); ++i) {
    const std::int32_t atom = bonded_[places[i]];
    if (!forces_.add(clusters_.slot_of_atom[atom], forces[i]))
      blame(atom, message->step, "bonded force");
  }
}

template <class Real>
void Patch<Real>::publish(std::int64_t step, StepKind kind) {
  if (here_ == PatchIndex{0, 0, 0}) setup_->output->step.store(step, std::memory_order_relaxed);
  if (!setup_->schedule.pairs(step)) return;
  if (kind.rebuild) order_clusters();
  auto message =
      make_positions_message(step, here_, clusters_.clusters(), kind, block_, grid_.box());
  cluster_slots_.pack_positions(atoms_.moving(), grid_.centre(here_),
                                message->template trailing<Real>());
  // The mesh has the longest path of messages, so it gets its message first.
  if (mesh_weight(step) > 0)
    setup_->spreaders[here_].template send<&MeshSpreader<Real>::positions>(message, Lane::high);
  setup_->pair_sections[static_cast<std::size_t>(this->ordinal())]
      .template multicast<&PairGate<Real>::positions>(message);
}

template <class Real>
void Patch<Real>::order_clusters() {
  // Atoms are where they settled.
  make_cluster_order(settled_, has_lennard_jones_, clusters_);
  cluster_slots_.set(clusters_, atoms_.slots(), atoms_.moving());
  make_patch_block<Real>(atoms_.ids(), clusters_, system_.parameters(), system_.exclusions(),
                         block_);
  forces_.reset(clusters_.clusters());
  if (pair_impulses()) pair_forces_.reset(clusters_.clusters());
  if (mesh_impulses()) mesh_forces_.reset(clusters_.clusters());
}

template <class Real>
void Patch<Real>::publish_bonded(std::int64_t step, StepKind kind) {
  if (bonded_replies(kind) == 0) return;
  auto message = make_message<BondedPositionsMessage>(
      BondedPositionsMessage::trailing_bytes(bonded_.size(), kind));
  message->step = step;
  message->patch = here_;
  message->atoms = static_cast<std::int32_t>(bonded_.size());
  message->kind = kind;
  message->box = grid_.box();
  Vec3* const positions = message->template trailing<Vec3>();
  auto* const ids = reinterpret_cast<std::int32_t*>(positions + bonded_.size());
  for (std::size_t i = 0; i < bonded_.size(); ++i) {
    positions[i] = atoms_.position(bonded_[i]);
    if (kind.rebuild) ids[i] = atoms_.id(bonded_[i]);
  }
  for (std::size_t c = 0; c < bonded_computes_.size(); ++c)
    if (bonded_active_[c] || kind.rebuild || kind.virial)
      setup_->bonded[bonded_computes_[c]].template send<&BondedCompute<Real>::positions>(message);
}

template <class Real>
int Patch<Real>::bonded_replies(StepKind kind) const noexcept {
  if (!setup_->bonded_terms) return 0;
  if (kind.rebuild || kind.virial) return static_cast<int>(bonded_computes_.size());
  return static_cast<int>(std::count(bonded_active_.begin(), bonded_active_.end(), 1));
}

/// The atoms are in this patch, so no other object has a part in it.
template <class Real>
void Patch<Real>::add_restraints(std::int64_t step) {
  if (!setup_->restraints) return;
  restraint_energy_ = 0;
  restraint_virial_ = {};
  for (const std::int32_t i : restrained_) {
    const RestraintPull pulled = pull(system_.restraints().of(atoms_.id(i)), atoms_.position(i),
                                      system_.job().first_box().edge, grid_.box());
    if (!forces_.add(clusters_.slot_of_atom[i], pulled.force)) blame(i, step, "restraint force");
    restraint_energy_ += pulled.energy;
    add_virial(restraint_virial_, pulled.lever, pulled.force);
  }
}

template <class Real>
bool Patch<Real>::pair_impulses() const noexcept {
  return setup_->schedule.pair_interval() > 1;
}

template <class Real>
bool Patch<Real>::mesh_impulses() const noexcept {
  return setup_->schedule.long_range_interval() > 1;
}

template <class Real>
int Patch<Real>::pair_weight(std::int64_t step) const noexcept {
  const auto& schedule = setup_->schedule;
  return schedule.pairs(step) ? schedule.pair_interval() : 0;
}

template <class Real>
int Patch<Real>::mesh_weight(std::int64_t step) const noexcept {
  const auto& schedule = setup_->schedule;
  return setup_->mesh && schedule.long_range(step) ? schedule.long_range_interval() : 0;
}

template <class Real>
void Patch<Real>::add_impulses(int pairs, int mesh) noexcept {
  if (pair_impulses() && pairs != 0) forces_.add_times(pair_forces_, pairs);
  if (mesh_impulses() && mesh != 0) forces_.add_times(mesh_forces_, mesh);
}

template <class Real>
Virial Patch<Real>::take_forces() {
  cluster_slots_.give_forces(forces_.sums(), atoms_.moving());
  return atoms_.share_site_forces();
}

/// Bonded terms and restraints vary fastest, and the forces of the mesh slowest. Pair forces are
/// evaluated on every k-th step and those of the mesh on every n-th, a multiple of k. They count k
/// and n times in the kicks of this step. In the pressure each counts once. Source: Tuckerman,
/// Berne, Martyna, J. Chem. Phys. 97, 1990 (1992), doi:10.1063/1.463137.
template <class Real>
void Patch<Real>::finish_velocities(std::int64_t step, StepKind kind) {
  if (!pair_impulses() && !mesh_impulses()) {
    site_virial_ = take_forces();
    if (kind.virial) sum_forces(step);
  } else {
    int pairs = pair_weight(step), mesh = mesh_weight(step);
    if (kind.virial) {
      add_impulses(1, 1);
      site_virial_ = take_forces();
      sum_forces(step);
      --pairs, --mesh;
    }
    add_impulses(pairs, mesh);
    take_forces();
    if (setup_->schedule.pairs(step)) {
      pair_forces_.clear();
      mesh_forces_.clear();
    }
  }
  forces_.clear();
  if (step == setup_->schedule.first() && !setup_->starts_at_half) return;
  check(setup_->integrator->complete(atoms_.moving(), atoms_.constraints()), step);
}

template <class Real>
void Patch<Real>::sum_forces(std::int64_t step) {
  const WholeMolecules molecules{.box = grid_.box(), .images = setup_->whole};
  const int failed = atoms_.sum_forces(molecules, centre_sums_);
  if (failed >= 0) blame(failed, step, "position");
}

template <class Real>
void Patch<Real>::report(std::int64_t step, StepKind kind) {
  if (kind.virial) {
    if (const int failed = atoms_.sum_motion(centre_sums_); failed >= 0)
      blame(failed, step, "velocity");
    const auto& shares = centre_sums_.shares;
    auto deposit = make_message<EnergyDeposit>(shares.size() * sizeof(MoleculeShare));
    deposit->step = step;
    deposit->shares = static_cast<std::int32_t>(shares.size());
    std::copy(shares.begin(), shares.end(), deposit->template trailing<MoleculeShare>());
    // Other samples are for the pressure, which does not need it.
    const bool measures = kind.energies || setup_->schedule.decides(step);
    const double energy = measures ? setup_->integrator->measured_kinetic_energy(
                                         atoms_.moving(), atoms_.constraints())
                                   : 0;
    if (!energy_scale.fits(energy)) blame(-1, step, "kinetic energy");
    deposit->terms[energy_term("kinetic")] = energy_scale.to_fixed(energy);
    if (!energy_scale.fits(restraint_energy_)) blame(-1, step, "restraint energy");
    deposit->terms[energy_term("restraint")] = energy_scale.to_fixed(restraint_energy_);
    const auto put = [&](const Virial& from, std::array<std::int64_t, 6>& to) {
      for (std::size_t c = 0; c < from.size(); ++c) {
        if (!energy_scale.fits(from[c])) blame(-1, step, "virial");
        to[c] = energy_scale.to_fixed(from[c]);
      }
    };
    Virial own = site_virial_;
    for (std::size_t c = 0; c < own.size(); ++c) own[c] += restraint_virial_[c];
    put(own, deposit->virial);
    put(centre_sums_.motion, deposit->motion);
    put(centre_sums_.inner_virial, deposit->inner_virial);
    deposit->heat = heat_;
    if (kind.energies) {
      const double sharpest =
          setup_->integrator->sharpest_kinetic_energy(atoms_.moving(), atoms_.constraints());
      deposit->heat -= energy_scale.to_fixed(sharpest - energy);
    }
    setup_->deposits.make(std::move(deposit));
  }
  if (setup_->schedule.frame(step)) send_frame(step, FramePurpose::trajectory);
}

template <class Real>
void Patch<Real>::send_frame(std::int64_t step, FramePurpose purpose) {
  auto message = make_message<FrameMessage>(atoms_.size() * sizeof(FrameRecord));
  message->step = step;
  message->purpose = purpose;
  message->atoms = atoms_.size();
  message->bath = bath_;
  message->heat = heat_;
  auto* records = message->template trailing<FrameRecord>();
  for (int i = 0; i < atoms_.size(); ++i)
    records[i] = {.id = atoms_.id(i),
                  .image = atoms_.image(i),
                  .position = atoms_.position(i),
                  .velocity = atoms_.velocity(i),
                  .force = atoms_.force(i)};
  setup_->conductor[{0}].template send<&Conductor::frame>(std::move(message), Lane::low);
}

template <class Real>
void Patch<Real>::send_momentum(std::int64_t step) {
  const Vec3 sum = momentum(atoms_.moving());
  auto message = make_message<MomentumMessage>();
  message->step = step;
  for (int axis = 0; axis < 3; ++axis) message->momentum[axis] = momentum_scale.to_fixed(sum[axis]);
  setup_->conductor[{0}].template send<&Conductor::momentum>(std::move(message), Lane::high);
}

template <class Real>
void Patch<Real>::move(std::int64_t step) {
  double heat = 0;
  check(setup_->integrator->advance(atoms_.moving(), atoms_.constraints(), step, heat), step);
  add_heat(heat, step);
  atoms_.place_sites();
  charge_work<Real>({{of_object, 1}, {of_patch_atom, static_cast<double>(atoms_.size())}});
}

template <class Real>
void Patch<Real>::check(const ConstraintStatus& status, std::int64_t step) const {
  if (status.ok()) return;
  int i = 0;
  while (i + 1 < atoms_.size() && atoms_.slot(i) != status.failed_slot) ++i;
  blame(i, step, "constraint");
}

template <class Real>
void Patch<Real>::blame(int i, std::int64_t step, const char* what) const {
  if (i < 0) {
    double worst = -1;
    for (int candidate = 0; candidate < atoms_.size(); ++candidate) {
      const double speed = norm(atoms_.velocity(candidate));
      if (!(speed <= worst)) worst = speed, i = candidate;
      if (std::isnan(speed)) break;
    }
  }
  const auto id = atoms_.id(i);
  const Vec3 nm = atoms_.position(i) * units::bohr_in_nm;
  const Vec3 speed = atoms_.velocity(i) * units::speed_in_nm_per_ps;
  throw NumericsError(
      {.what = std::string("the simulation exploded: the ") + what + " of " +
               describe_atom(system_.job(), id) + " is beyond all bounds",
       .where = "step " + std::to_string(step),
       .value = "position " + std::to_string(nm.x) + " " + std::to_string(nm.y) + " " +
                std::to_string(nm.z) + " nm, speed " + std::to_string(norm(speed)) + " nm/ps",
       .limit = "forces below " +
                std::to_string(force_scale.limit() * units::force_in_kj_per_mol_nm) +
                " kJ/mol/nm, constraints that can be met, less than half a patch between rebuilds",
       .hint =
           "minimise first, shorten the time step, or look for overlapping atoms near this one; "
           "a checkpoint saved before is intact"});
}

template class Patch<float>;
template class Patch<double>;

}  // namespace fg::classical

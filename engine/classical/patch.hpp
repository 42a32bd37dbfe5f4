// SPDX-License-Identifier: BSD-3-Clause
//
// A patch: a cell of space and the atoms in it. Its life is the simulation of this cell: send
// positions, await forces, move. At a rebuild it exchanges atoms with the 26 patches around. Units:
// Hartree atomic units.
#pragma once

#include <array>
#include <memory>
#include <string_view>
#include <vector>

#include "base/virial.hpp"
#include "classical/conductor.hpp"
#include "classical/job/schedule.hpp"
#include "classical/job/system.hpp"
#include "classical/patch_atoms.hpp"
#include "classical/patch_forces.hpp"
#include "classical/places/first_places.hpp"
#include "forces/bonded/bonded_compute.hpp"
#include "forces/deposits.hpp"
#include "forces/mesh/mesh_spreader.hpp"
#include "forces/pair/pair_gate.hpp"
#include "forces/ports.hpp"
#include "motion/atoms/cluster_slots.hpp"
#include "motion/integrator.hpp"
#include "particles/cluster_order.hpp"
#include "particles/patch_block.hpp"
#include "processes/keeper.hpp"
#include "runtime/archive.hpp"

namespace fg::classical {

template <class Real>
class Patch;

/// Data that all patches share: constants, and proxies of all other objects. The proxies are filled
/// in after all arrays have been created and before anything runs.
template <class Real>
struct PatchSetup {
  const System* system = nullptr;
  // An atom of mass m may move by this over the root of m between two rebuilds. Heat explains a
  // motion up to this, and it outruns no list [bohr sqrt(electron mass)].
  double thermal_reach = 0;
  PatchGrid grid;  // in the box for which the division was made
  Schedule schedule;
  std::unique_ptr<const Integrator> integrator;
  std::vector<Int3> whole;      // MoleculeTable::whole, of this run
  bool starts_at_half = false;  // velocities at the start are half a step behind (Verlet restart)
  bool mesh = true;
  bool bonded_terms = true;
  bool restraints = false;
  OutputQueue* output = nullptr;
  Array<Patch<Real>> patches;
  Array<PairCompute<Real>> pairs;
  std::shared_ptr<PairReplies> replies = std::make_shared<PairReplies>();
  // by patch: the PEs that need its positions
  std::vector<Section<PairGate<Real>>> pair_sections;
  Array<BondedCompute<Real>> bonded;
  Array<MeshSpreader<Real>> spreaders;
  Array<Conductor> conductor;
  Deposits deposits;
  Keepers keepers;  // none without checkpoints in memory
};

template <class Real>
class Patch final : public PatchPort<Real> {
 public:
  static constexpr std::string_view array_name = patches_array;
  using Port = PatchPort<Real>;

  Patch(std::shared_ptr<const PatchSetup<Real>> setup, PatchIndex index);

  /// Called before a run, without atoms so far.
  void begin(const BathState& bath);
  /// Then for each of its fragments: all atoms, in the table's order.
  void take(std::span<const AtomRecord> fragment) {
    incoming_.insert(incoming_.end(), fragment.begin(), fragment.end());
  }

  Task life();
  /// Between two lives the state of a patch is the atoms that it is about to take in.
  void archive(Archive& with) override {
    with(incoming_, plan_, start_, displacement_, bath_, heat_);
  }
  /// Atoms from a neighbour; one message from each of the 26 directions.
  void arrivals(Ref<const AtomsMessage> message);
  void plan(Ref<const PlanMessage> message);
  void drift_velocity(Ref<const DriftVelocityMessage> message);
  void pair_forces(Ref<const SummedForcesMessage> message) override;
  void mesh_forces(Ref<const ClusterForcesMessage<Real>> message) override;
  void bonded_forces(Ref<const BondedForcesMessage> message) override;

 private:
  void scale(std::int64_t step);
  void add_heat(double energy, std::int64_t step);
  void send_leavers(std::int64_t step);
  void settle_in();
  void stand(std::int64_t step);
  void order_clusters();
  void publish(std::int64_t step, StepKind kind);
  void publish_bonded(std::int64_t step, StepKind kind);
  int bonded_replies(StepKind kind) const noexcept;
  void add_restraints(std::int64_t step);
  /// Whether the pair forces, or those of the mesh, are kept apart, because they count several
  /// times in a kick.
  bool pair_impulses() const noexcept;
  bool mesh_impulses() const noexcept;
  /// How many times they count in the kicks of this step.
  int pair_weight(std::int64_t step) const noexcept;
  int mesh_weight(std::int64_t step) const noexcept;
  /// Adds what is kept apart to the other forces.
  void add_impulses(int pairs, int mesh) noexcept;
  /// Gives the sums to the atoms; returns what moving forces from virtual sites adds to the virial.
  Virial take_forces();
  /// What the forces of this step have in the pressure.
  void sum_forces(std::int64_t step);
  void finish_velocities(std::int64_t step, StepKind kind);
  void report(std::int64_t step, StepKind kind);
  void send_frame(std::int64_t step, FramePurpose purpose);
  void keep(std::int64_t step);
  void send_momentum(std::int64_t step);
  void move(std::int64_t step);
  void check(const ConstraintStatus& status, std::int64_t step) const;
  /// Ends the run with an error that names the i-th atom (or the fastest, if negative).
  [[noreturn]] void blame(int i, std::int64_t step, const char* what) const;

  std::shared_ptr<const PatchSetup<Real>> setup_;
  const System& system_;
  PatchIndex here_;

  PatchAtoms atoms_;
  std::vector<AtomRecord> incoming_;  // fragments that are in this patch from this rebuild on
  std::array<std::vector<AtomRecord>, 27> leaving_;
  std::vector<Vec3> settled_;                    // [atoms] positions at the last rebuild
  std::vector<std::uint8_t> has_lennard_jones_;  // [atoms]
  std::vector<std::int32_t> bonded_;             // atoms in bonded terms
  std::vector<std::int32_t> restrained_;         // atoms with a position restraint
  ClusterOrder clusters_;
  ClusterSlots cluster_slots_;
  PatchBlock<Real> block_;
  PatchForces<Real> forces_;
  PatchForces<Real> pair_forces_, mesh_forces_;  // of impulses; without them all are in forces_
  Virial site_virial_{};  // of this step, because forces moved from virtual sites to their parents
  CentreSums centre_sums_;       // of the latest step with a virial
  double restraint_energy_ = 0;  // of this step, as the next
  Virial restraint_virial_{};

  std::vector<PatchIndex> bonded_computes_;
  std::vector<std::uint8_t> bonded_active_;  // [bonded_computes_]
  RebuildPlan plan_ = RebuildPlan::go_on;
  Ref<const PlanMessage> coupling_;  // of this rebuild, if it is a coupling step
  BathState bath_;                   // with the present box
  PatchGrid grid_;                   // in the present box
  std::int64_t heat_ = 0;            // as in EnergyDeposit
  double displacement_ = 0;          // the largest of a fragment since the last rebuild [bohr]
  std::int64_t start_ = 0;           // first step of this life, a rebuild
};

extern template class Patch<float>;
extern template class Patch<double>;

}  // namespace fg::classical

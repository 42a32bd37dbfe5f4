// SPDX-License-Identifier: BSD-3-Clause
//
// Patches that only ask the mesh for forces, and random charges for them: the whole reciprocal sum
// as objects, without the rest of a simulation.
// Units: bohr, hartree.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "base/fixed_point.hpp"
#include "forces/mesh/create_mesh.hpp"
#include "particles/cluster_order.hpp"
#include "particles/patch_block.hpp"

namespace fg::test {

struct Charges {
  std::vector<Vec3> positions;
  std::vector<double> charges;
};

/// Uniform in the box, charges in (-0.5, 0.5).
inline Charges random_charges(const Box& box, int atoms, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> unit(0, 1);
  Charges result;
  for (int i = 0; i < atoms; ++i) {
    const double x = unit(random), y = unit(random), z = unit(random);
    result.positions.push_back(box.position(Vec3{x, y, z}));
    result.charges.push_back(unit(random) - 0.5);
  }
  return result;
}

/// The atoms of one patch in clusters, in the order of their ids.
template <class Real>
struct PatchContents {
  std::vector<int> ids;
  std::vector<Real> positions;  // [clusters][3][8]
  PatchBlock<Real> block;

  PatchContents(const PatchGrid& grid, const PatchIndex& patch, const Charges& all) {
    for (int i = 0; i < static_cast<int>(all.positions.size()); ++i)
      if (grid.holding(all.positions[i]) == patch) ids.push_back(i);
    const int atoms = static_cast<int>(ids.size()), clusters = (atoms + 7) / 8;
    // Far away, as in real patches: these slots hold no atom.
    positions.assign(24 * clusters, Real(1e6));
    block.atoms = atoms;
    block.clusters = clusters;
    block.charge.assign(8 * clusters, Real(0));
    block.half_sigma.assign(8 * clusters, Real(0));
    block.root_epsilon.assign(8 * clusters, Real(0));
    block.id.assign(8 * clusters, -1);
    for (int slot = 0; slot < atoms; ++slot) {
      block.id[slot] = ids[slot];
      block.charge[slot] = static_cast<Real>(all.charges[ids[slot]]);
    }
    place(grid, patch, all);
  }

  void place(const PatchGrid& grid, const PatchIndex& patch, const Charges& all) {
    const Vec3 centre = grid.centre(patch);
    for (std::size_t slot = 0; slot < ids.size(); ++slot)
      for (int a = 0; a < 3; ++a)
        positions[number_of_slot(static_cast<int>(slot)) + cluster_size * a] =
            static_cast<Real>(all.positions[ids[slot]][a] - centre[a]);
  }
};

/// Sends its positions and waits for the forces, `steps` times.
template <class Real>
class MeshPatch final : public PatchPort<Real> {
 public:
  MeshPatch(std::shared_ptr<const MeshSetup<Real>> setup, PatchContents<Real> contents, int steps,
            bool energies)
      : setup_(std::move(setup)),
        contents_(std::move(contents)),
        steps_(steps),
        energies_(energies) {}

  Task life() {
    for (int step = 0; step < steps_; ++step) {
      auto message = make_positions_message<Real>(
          step, this->index(), contents_.block.clusters,
          {.rebuild = step == 0, .prune = false, .energies = energies_, .virial = energies_},
          contents_.block, setup_->division.settings.box);
      std::copy(contents_.positions.begin(), contents_.positions.end(),
                message->template trailing<Real>());
      setup_->spreaders[this->index()].template send<&MeshSpreader<Real>::positions>(
          std::move(message), Lane::high);
      co_await when<&PatchPort<Real>::mesh_forces>(step, 1);
    }
  }

  void mesh_forces(Ref<const ClusterForcesMessage<Real>> message) override {
    forces_.assign(message->forces(), message->forces() + 24 * message->clusters);
  }
  void pair_forces(Ref<const SummedForcesMessage>) override {}
  void bonded_forces(Ref<const BondedForcesMessage>) override {}

  const PatchContents<Real>& contents() const { return contents_; }
  const std::vector<Real>& forces() const { return forces_; }

 private:
  std::shared_ptr<const MeshSetup<Real>> setup_;
  PatchContents<Real> contents_;
  int steps_;
  bool energies_;
  std::vector<Real> forces_;
};

class MeshLedger final : public LedgerPort {
 public:
  void bonded_terms(Ref<const BondedTermCount> /*message*/) override {}
  void deposit(Ref<const EnergyDeposit> message) override {
    ++deposits;
    energy += message->terms[energy_term("mesh")];
    for (int c = 0; c < 6; ++c) virial[c] += message->virial[c];
  }
  int deposits = 0;
  std::int64_t energy = 0;
  std::array<std::int64_t, 6> virial{};
};

struct MeshOutcome {
  std::vector<Vec3> forces;  // by id
  std::int64_t energy = 0;   // of all steps together, fixed point
  std::array<std::int64_t, 6> virial{};
  int deposits = 0;
  Profile profile;
};

struct MeshRun {
  MeshSettings settings;
  std::array<int, 3> patches{2, 2, 2};
  std::array<int, 2> pencils{2, 2};
  double reach = 1.0;
  int pes = 1;
  int steps = 1;
  bool energies = true;
  bool scattered = false;  // scatter the elements over the PEs instead of placing them in runs
  Profiling profiling = Profiling::off;
};

/// The mesh of `run` on `pes` PEs, without the constants of the Ewald sum.
template <class Real>
MeshOutcome run_mesh(const MeshRun& run, const Charges& charges) {
  const PatchGrid grid(run.settings.box, run.patches);
  Runtime runtime({.pes = run.pes, .profiling = run.profiling});
  const auto create = [&]<class C>(const auto& shape, auto&& factory) {
    return runtime.create_array<C>(
        shape,
        [&](const auto& index) {
          return run.scattered ? maps::hashed(index, shape, run.pes, 7)
                               : maps::block(index, shape, run.pes);
        },
        factory);
  };
  auto setup = std::make_shared<MeshSetup<Real>>(
      MeshSetup<Real>{.division = {grid, run.settings, {run.settings.mesh, run.pencils}, run.reach},
                      .constants = {},
                      .patches = {},
                      .deposits = {}});
  const auto patches =
      create.template operator()<MeshPatch<Real>>(run.patches, [&](const PatchIndex& index) {
        return std::make_unique<MeshPatch<Real>>(setup, PatchContents<Real>(grid, index, charges),
                                                 run.steps, run.energies);
      });
  const auto ledger = create.template operator()<MeshLedger>(
      std::array<int, 1>{1}, [](const auto&) { return std::make_unique<MeshLedger>(); });
  setup->patches = Array<PatchPort<Real>>(patches.core());
  setup->deposits = Depositors(Array<LedgerPort>(ledger.core())).join(setup->depositors());
  create_mesh<Real>(setup, create);

  patches.template broadcast<&MeshPatch<Real>::life>();
  runtime.run_until_quiescent();

  MeshOutcome outcome;
  outcome.forces.resize(charges.positions.size());
  for (int p = 0; p < patches.size(); ++p) {
    const auto& patch = patches.object_at(p);
    const auto& ids = patch.contents().ids;
    for (std::size_t slot = 0; slot < ids.size(); ++slot)
      for (int a = 0; a < 3; ++a)
        outcome.forces[ids[slot]][a] =
            patch.forces()[number_of_slot(static_cast<int>(slot)) + cluster_size * a];
  }
  const auto& sums = ledger.object_at(0);
  outcome.energy = sums.energy;
  outcome.virial = sums.virial;
  outcome.deposits = sums.deposits;
  outcome.profile = runtime.profile();
  return outcome;
}

/// sqrt(sum |a - b|^2 / sum |b|^2)
inline double relative_rms(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Vec3 d = a[i] - b[i];
    difference += dot(d, d);
    size += dot(b[i], b[i]);
  }
  return std::sqrt(difference / size);
}

}  // namespace fg::test

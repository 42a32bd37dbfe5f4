// SPDX-License-Identifier: BSD-3-Clause
//
// The interfaces through which force computes send results: forces go to a patch, energies to a
// ledger. So force computes need to know neither the patch nor the ledger. Units: hartree atomic
// units; fixed-point values as in base/fixed_point.hpp.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "base/box.hpp"
#include "forces/energy_terms.hpp"
#include "particles/cluster_order.hpp"
#include "particles/patch_block.hpp"
#include "particles/step_kind.hpp"
#include "runtime/runtime.hpp"

namespace fg {

/// Coordinates of one patch, the same buffer for all receivers. Trailing: Real [clusters][3][8],
/// relative to the patch centre, in cluster order. Lanes without an atom hold far-away positions.
/// On rebuild steps the patch's packed block follows.
template <class Real>
struct PositionsMessage : Message {
  std::int64_t step;
  std::array<int, 3> patch;
  std::int32_t clusters;
  StepKind kind;
  PatchBlockExtent extent;  // on rebuild steps
  Box box;                  // changes only on rebuild steps

  const Real* positions() const noexcept { return this->template trailing<Real>(); }
  /// Charges, parameters and ids, which are valid until the next rebuild. They exist only on
  /// rebuild steps, and only as long as the message does.
  PatchBlockView<Real> block() const noexcept {
    return unpack<Real>(
        extent, reinterpret_cast<const std::byte*>(positions() + cluster_numbers * clusters));
  }
};

/// A message with room for the coordinates; on a rebuild step `block` is the patch's block, which
/// is packed in.
template <class Real>
Ref<PositionsMessage<Real>> make_positions_message(std::int64_t step,
                                                   const std::array<int, 3>& patch, int clusters,
                                                   StepKind kind, const PatchBlock<Real>& block,
                                                   const Box& box) {
  const std::size_t coordinates =
      static_cast<std::size_t>(clusters) * cluster_numbers * sizeof(Real);
  const PatchBlockExtent extent = kind.rebuild ? extent_of(block) : PatchBlockExtent{};
  auto message = make_message<PositionsMessage<Real>>(
      coordinates + (kind.rebuild ? packed_bytes<Real>(extent) : 0));
  message->step = step;
  message->patch = patch;
  message->clusters = clusters;
  message->kind = kind;
  message->extent = extent;
  message->box = box;
  if (kind.rebuild) pack(block, message->template trailing<std::byte>() + coordinates);
  return message;
}

/// Forces on some clusters of one patch.
/// Trailing: Real [clusters][3][8], then int32 [clusters] with the index of each cluster.
template <class Real>
struct ClusterForcesMessage : Message {
  std::int64_t step;
  std::int32_t clusters;

  const Real* forces() const noexcept { return this->template trailing<Real>(); }
  const std::int32_t* cluster_index() const noexcept {
    return reinterpret_cast<const std::int32_t*>(forces() + cluster_numbers * clusters);
  }
  static std::size_t trailing_bytes(std::size_t clusters) noexcept {
    return clusters * (cluster_numbers * sizeof(Real) + sizeof(std::int32_t));
  }
};

/// Forces on the clusters of one patch, already added up in fixed point (force_scale). Trailing:
/// int64 [clusters][3][8].
struct SummedForcesMessage : Message {
  std::int64_t step;
  std::int32_t clusters;
  std::int32_t bad_slot;  // of a force that is NaN or too large; -1: there is none

  std::span<const std::int64_t> sums() const noexcept {
    return {trailing<std::int64_t>(), numbers()};
  }
  std::span<std::int64_t> sums() noexcept { return {trailing<std::int64_t>(), numbers()}; }

  void add(const SummedForcesMessage& more) noexcept {
    const auto from = more.sums();
    const auto to = sums();
    for (std::size_t i = 0; i < to.size(); ++i) to[i] += from[i];
    if (more.bad_slot >= 0) bad_slot = more.bad_slot;
  }

 private:
  std::size_t numbers() const noexcept {
    return static_cast<std::size_t>(clusters) * cluster_numbers;
  }
};

inline Ref<SummedForcesMessage> zero_sums(std::int64_t step, int clusters) {
  auto message = make_message<SummedForcesMessage>(static_cast<std::size_t>(clusters) *
                                                   cluster_numbers * sizeof(std::int64_t));
  message->step = step;
  message->clusters = clusters;
  message->bad_slot = -1;
  std::ranges::fill(message->sums(), 0);
  return message;
}

/// The atoms of one patch that any bonded term contains, in double precision. Trailing: Vec3
/// [atoms], on rebuild steps followed by int32 [atoms] with their ids.
struct BondedPositionsMessage : Message {
  std::int64_t step;
  std::array<int, 3> patch;
  std::int32_t atoms;
  StepKind kind;
  Box box;  // changes only on rebuild steps

  std::span<const Vec3> positions() const noexcept {
    return {trailing<Vec3>(), static_cast<std::size_t>(atoms)};
  }
  std::span<const std::int32_t> ids() const noexcept {
    return {reinterpret_cast<const std::int32_t*>(trailing<Vec3>() + atoms),
            kind.rebuild ? static_cast<std::size_t>(atoms) : 0};
  }
  static std::size_t trailing_bytes(std::size_t atoms, StepKind kind) noexcept {
    return atoms * (sizeof(Vec3) + (kind.rebuild ? sizeof(std::int32_t) : 0));
  }
};

/// Forces on those atoms of a patch that a bonded compute's terms contain. Trailing: Vec3 [atoms],
/// int32 [atoms] with their places in the message of positions. A compute without such atoms on a
/// rebuild step gets and sends messages only on energy steps until the next rebuild.
struct BondedForcesMessage : Message {
  std::int64_t step;
  std::array<int, 3> compute;
  std::int32_t atoms;

  std::span<const Vec3> forces() const noexcept {
    return {trailing<Vec3>(), static_cast<std::size_t>(atoms)};
  }
  std::span<const std::int32_t> places() const noexcept {
    return {reinterpret_cast<const std::int32_t*>(trailing<Vec3>() + atoms),
            static_cast<std::size_t>(atoms)};
  }
  static std::size_t trailing_bytes(std::size_t atoms) noexcept {
    return atoms * (sizeof(Vec3) + sizeof(std::int32_t));
  }
};

/// A patch as the force computes see it.
template <class Real>
class PatchPort : public Chare<PatchPort<Real>, 3> {
 public:
  virtual void pair_forces(Ref<const SummedForcesMessage> message) = 0;
  virtual void mesh_forces(Ref<const ClusterForcesMessage<Real>> message) = 0;
  virtual void bonded_forces(Ref<const BondedForcesMessage> message) = 0;
};

/// One object's share of the energies and the virial of a step, in fixed point (energy_scale).
struct EnergyDeposit : Message {
  std::int64_t step;
  std::array<std::int64_t, energy_term_count> terms;  // by energy_term(name)
  /// xx yy zz xy xz yz of sum r_a f_b over pairs, with r from the partner.
  std::array<std::int64_t, 6> virial;
  /// Patches send the sum of mass * v_a v_b over the centres that a barostat scales. They also send
  /// what is to be added to the virial so that it is that of these centres. The part of molecules
  /// of several fragments is found from the shares of their centres, which follow.
  std::array<std::int64_t, 6> motion, inner_virial;
  std::int32_t shares;  // classical::MoleculeShare, trailing
  /// Patches send the energy that their atoms have got from heat baths since the run began. The
  /// correction of the kinetic energy (motion/integrator.hpp) is subtracted from it.
  std::int64_t heat;
};

/// The number of bonded terms that one compute has taken on at a rebuild.
struct BondedTermCount : Message {
  std::int64_t step;
  std::int64_t terms;
};

/// Adds up energies and checks that no bonded term was left out; element {0} of a one-element
/// array.
class LedgerPort : public Chare<LedgerPort, 1> {
 public:
  virtual void deposit(Ref<const EnergyDeposit> message) = 0;
  virtual void bonded_terms(Ref<const BondedTermCount> message) = 0;
};

}  // namespace fg

// SPDX-License-Identifier: BSD-3-Clause
#include "forces/bonded/bonded_compute.hpp"

#include <algorithm>

#include "base/fixed_point.hpp"

namespace fg {

template <class Real>
BondedCompute<Real>::BondedCompute(std::shared_ptr<const Setup> setup, PatchIndex index)
    : setup_(std::move(setup)),
      index_(index),
      block_(bonded_block(index, setup_->grid.shape())),
      workset_(*setup_->terms, *setup_->index, index, setup_->grid.shape()),
      held_(block_.size) {}

template <class Real>
std::vector<PatchIndex> BondedCompute<Real>::listeners(const PatchGrid& grid,
                                                       const PatchIndex& patch) {
  std::vector<PatchIndex> computes;
  computes.reserve(8);
  for (int code = 0; code < 8; ++code)
    computes.push_back(grid.neighbour(patch, {-(code >> 2), -(code >> 1 & 1), -(code & 1)}));
  std::sort(computes.begin(), computes.end());
  computes.erase(std::unique(computes.begin(), computes.end()), computes.end());
  return computes;
}

template <class Real>
void BondedCompute<Real>::positions(Ref<const BondedPositionsMessage> message) {
  const auto step = message->step;
  const auto kind = message->kind;
  if (kind.rebuild) {
    const auto part =
        std::find(block_.patches.begin(), block_.patches.begin() + block_.size, message->patch) -
        block_.patches.begin();
    held_[part] = std::move(message);
  } else {
    take(*message);
  }
  if (++arrived_ < (kind.rebuild || kind.virial ? block_.size : active_)) return;
  arrived_ = 0;
  if (kind.rebuild) rebuild(step);
  work(step, kind);
  answer(step, kind);
}

template <class Real>
void BondedCompute<Real>::take(const BondedPositionsMessage& message) noexcept {
  for (int part = 0; part < block_.size; ++part)
    if (block_.patches[part] == message.patch)
      std::copy(message.positions().begin(), message.positions().end(),
                positions_.begin() + first_atom_[part]);
}

template <class Real>
void BondedCompute<Real>::rebuild(std::int64_t step) {
  std::array<BlockPart, 8> parts;
  for (int part = 0; part < block_.size; ++part) {
    parts[part] = {.patch = block_.patches[part], .ids = held_[part]->ids()};
    first_atom_[part + 1] = first_atom_[part] + held_[part]->atoms;
  }
  workset_.rebuild({parts.data(), static_cast<std::size_t>(block_.size)}, held_[0]->box);
  positions_.resize(first_atom_[block_.size]);
  forces_.resize(first_atom_[block_.size]);
  active_ = 0;
  for (int part = 0; part < block_.size; ++part) {
    active_ += workset_.active(part) ? 1 : 0;
    take(*held_[part]);
    held_[part] = nullptr;
  }
  auto count = make_message<BondedTermCount>();
  count->step = step;
  count->terms = workset_.size();
  setup_->deposits.count(std::move(count));
}

template <class Real>
void BondedCompute<Real>::work(std::int64_t step, StepKind kind) {
  std::fill(forces_.begin(), forces_.end(), Vec3{});
  if (!kind.virial) {
    workset_.add_forces(positions_, forces_);
    return;
  }
  const BondedSums sums = workset_.add_forces_and_sums(positions_, forces_);
  auto deposit = make_message<EnergyDeposit>();
  deposit->step = step;
  for (int i = 0; i < energy_term_count; ++i)
    deposit->terms[i] = energy_scale.to_fixed(sums.energy[i]);
  for (int i = 0; i < 6; ++i) deposit->virial[i] = energy_scale.to_fixed(sums.virial[i]);
  setup_->deposits.make(std::move(deposit));
}

template <class Real>
void BondedCompute<Real>::answer(std::int64_t step, StepKind kind) {
  for (int part = 0; part < block_.size; ++part) {
    if (!workset_.active(part) && !kind.rebuild && !kind.virial) continue;
    const int atoms = first_atom_[part + 1] - first_atom_[part];
    auto message = make_message<BondedForcesMessage>(atoms * sizeof(Vec3));
    message->step = step;
    message->compute = index_;
    message->atoms = atoms;
    message->active = workset_.active(part);
    std::copy_n(forces_.begin() + first_atom_[part], atoms, message->template trailing<Vec3>());
    setup_->patches[block_.patches[part]].template send_at<&PatchPort<Real>::bonded_forces>(
        step, std::move(message));
  }
}

template class BondedCompute<float>;
template class BondedCompute<double>;

}  // namespace fg

// SPDX-License-Identifier: BSD-3-Clause
#include "forces/bonded/bonded_compute.hpp"

#include <algorithm>

#include "base/fixed_point.hpp"
#include "forces/costs/charge_work.hpp"

namespace fg {

template <class Real>
BondedCompute<Real>::BondedCompute(std::shared_ptr<const Setup> setup, PatchIndex index)
    : setup_(std::move(setup)),
      index_(index),
      block_(bonded_block(index, setup_->grid.shape(), setup_->reach)),
      workset_(*setup_->terms, *setup_->index, index, setup_->grid.shape(), setup_->reach),
      held_(block_.size()),
      parts_(block_.size()),
      first_atom_(block_.size() + 1) {}

template <class Real>
std::vector<PatchIndex> BondedCompute<Real>::listeners(const PatchGrid& grid,
                                                       const std::array<int, 3>& reach,
                                                       const PatchIndex& patch) {
  std::vector<PatchIndex> computes;
  computes.reserve(static_cast<std::size_t>((reach[0] + 1) * (reach[1] + 1) * (reach[2] + 1)));
  for (int x = 0; x <= reach[0]; ++x)
    for (int y = 0; y <= reach[1]; ++y)
      for (int z = 0; z <= reach[2]; ++z) computes.push_back(grid.neighbour(patch, {-x, -y, -z}));
  std::sort(computes.begin(), computes.end());
  computes.erase(std::unique(computes.begin(), computes.end()), computes.end());
  return computes;
}

/// A patch without atoms in our terms does not wait for us on most steps. On some steps all patches
/// send. Then its message may come before other patches have sent those of the step before. The
/// step and its kind are those of the patches that we need.
template <class Real>
void BondedCompute<Real>::positions(Ref<const BondedPositionsMessage> message) {
  const auto part =
      static_cast<std::size_t>(std::ranges::find(block_, message->patch) - block_.begin());
  if (active(part) || active_ == 0) {
    step_ = message->step;
    kind_ = message->kind;
  }
  ++(active(part) ? arrived_ : others_arrived_);
  if (message->kind.rebuild)
    held_[part] = std::move(message);
  else
    take(part, *message);
  const bool all = kind_.rebuild || kind_.virial;
  if (arrived_ < active_ || (all && others_arrived_ < static_cast<int>(block_.size()) - active_))
    return;
  arrived_ = 0;
  if (all) others_arrived_ = 0;
  if (kind_.rebuild) rebuild(step_);
  work(step_, kind_);
  charge_work<Real>({{of_object, 1}, {of_bonded_term, static_cast<double>(workset_.size())}});
  answer(step_, kind_);
}

template <class Real>
void BondedCompute<Real>::take(std::size_t part, const BondedPositionsMessage& message) noexcept {
  const auto positions = message.positions();
  for (std::int32_t i = first_atom_[part]; i < first_atom_[part + 1]; ++i)
    positions_[i] = positions[place_[i]];
}

template <class Real>
void BondedCompute<Real>::rebuild(std::int64_t step) {
  for (std::size_t part = 0; part < block_.size(); ++part)
    parts_[part] = {.patch = block_[part], .ids = held_[part]->ids()};
  workset_.rebuild(parts_, held_[0]->box);
  find_atoms(workset_.leave_out_others());
  active_ = 0;
  for (std::size_t part = 0; part < block_.size(); ++part) {
    active_ += active(part) ? 1 : 0;
    take(part, *held_[part]);
    held_[part] = nullptr;
  }
  auto count = make_message<BondedTermCount>();
  count->step = step;
  count->terms = workset_.size();
  setup_->deposits.count(std::move(count));
}

template <class Real>
void BondedCompute<Real>::find_atoms(std::span<const std::int32_t> in_block) {
  place_.clear();
  auto atom = in_block.begin();
  std::int32_t begin = 0;
  for (std::size_t part = 0; part < block_.size(); ++part) {
    const std::int32_t end = begin + held_[part]->atoms;
    for (; atom != in_block.end() && *atom < end; ++atom) place_.push_back(*atom - begin);
    first_atom_[part + 1] = static_cast<std::int32_t>(place_.size());
    begin = end;
  }
  positions_.resize(place_.size());
  forces_.resize(place_.size());
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
  for (std::size_t part = 0; part < block_.size(); ++part) {
    if (!active(part) && !kind.rebuild && !kind.virial) continue;
    const std::int32_t first = first_atom_[part], atoms = first_atom_[part + 1] - first;
    auto message = make_message<BondedForcesMessage>(BondedForcesMessage::trailing_bytes(atoms));
    message->step = step;
    message->compute = index_;
    message->atoms = atoms;
    Vec3* const forces = message->template trailing<Vec3>();
    std::copy_n(forces_.begin() + first, atoms, forces);
    std::copy_n(place_.begin() + first, atoms, reinterpret_cast<std::int32_t*>(forces + atoms));
    setup_->patches[block_[part]].template send_at<&PatchPort<Real>::bonded_forces>(
        step, std::move(message));
  }
}

template class BondedCompute<float>;
template class BondedCompute<double>;

}  // namespace fg

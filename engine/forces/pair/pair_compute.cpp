// SPDX-License-Identifier: BSD-3-Clause
#include "forces/pair/pair_compute.hpp"

#include <algorithm>

#include "base/fixed_point.hpp"

namespace fg {

namespace {

/// The home patch, then the partner in each direction of the part; images of one patch apart.
std::vector<std::array<int, 3>> offsets_of_part(int part, int parts) {
  std::vector<std::array<int, 3>> offsets{{0, 0, 0}};
  const auto range = directions_of_part(part, parts);
  for (int d = std::max(range.begin, 1); d < range.end; ++d) offsets.push_back(half_shell[d]);
  return offsets;
}

}  // namespace

template <class Real>
std::vector<PatchIndex> PairCompute<Real>::sources(const PatchGrid& grid, std::array<int, 4> index,
                                                   int parts) {
  std::vector<PatchIndex> patches;
  for (const auto& offset : offsets_of_part(index[3], parts))
    patches.push_back(grid.neighbour({index[0], index[1], index[2]}, offset));
  std::sort(patches.begin(), patches.end());
  patches.erase(std::unique(patches.begin(), patches.end()), patches.end());
  return patches;
}

template <class Real>
std::vector<std::array<int, 4>> PairCompute<Real>::listeners(const PatchGrid& grid,
                                                             const PatchIndex& patch, int parts) {
  std::vector<std::array<int, 4>> elements;
  for (int part = 0; part < parts; ++part)
    for (const auto& [dx, dy, dz] : offsets_of_part(part, parts)) {
      const auto home = grid.neighbour(patch, {-dx, -dy, -dz});
      elements.push_back({home[0], home[1], home[2], part});
    }
  std::sort(elements.begin(), elements.end());
  elements.erase(std::unique(elements.begin(), elements.end()), elements.end());
  return elements;
}

template <class Real>
PairCompute<Real>::PairCompute(std::shared_ptr<const Setup> setup, std::array<int, 4> index)
    : setup_(std::move(setup)), work_(setup_->settings) {
  const auto& grid = setup_->grid;
  for (const auto& offset : offsets_of_part(index[3], setup_->parts))
    sides_.push_back({grid.neighbour({index[0], index[1], index[2]}, offset), grid.shift(offset)});
  within_home_ = directions_of_part(index[3], setup_->parts).begin == 0;
  sources_ = static_cast<int>(sources(grid, index, setup_->parts).size());
  held_.reserve(sources_);
  partners_.resize(sides_.size());
}

template <class Real>
void PairCompute<Real>::positions(Ref<const PositionsMessage<Real>> message) {
  const auto step = message->step;
  const auto kind = message->kind;
  // Lists need all blocks before the first position, so a rebuild step waits for everything.
  if (kind.rebuild)
    held_.push_back(std::move(message));
  else
    take(*message);
  if (++arrived_ < sources_) return;
  arrived_ = 0;
  if (kind.rebuild) rebuild();
  work(step, kind);
  answer(step);
}

template <class Real>
void PairCompute<Real>::take(const PositionsMessage<Real>& message) noexcept {
  for (std::size_t i = 0; i < sides_.size(); ++i)
    if (sides_[i].patch == message.patch)
      work_.set_positions(static_cast<int>(i), message.template trailing<Real>());
}

template <class Real>
void PairCompute<Real>::rebuild() {
  for (std::size_t i = 0; i < sides_.size(); ++i)
    for (const auto& message : held_)
      if (sides_[i].patch == message->patch)
        partners_[i] = Partner<Real>{.block = message->block, .shift = sides_[i].shift};
  work_.set_partners(partners_, within_home_);
  for (const auto& message : held_) take(*message);
  held_.clear();
  work_.build_list();
}

template <class Real>
void PairCompute<Real>::work(std::int64_t step, StepKind kind) {
  if (kind.prune && !kind.rebuild) work_.prune();
  if (!kind.energies) {
    work_.forces();
    return;
  }
  const PairEnergies energies = work_.energies();
  auto deposit = make_message<EnergyDeposit>();
  deposit->step = step;
  deposit->terms[static_cast<int>(EnergyTerm::lennard_jones)] =
      energy_scale.to_fixed(energies.lennard_jones);
  deposit->terms[static_cast<int>(EnergyTerm::coulomb)] = energy_scale.to_fixed(energies.coulomb);
  for (int i = 0; i < 6; ++i) deposit->virial[i] = energy_scale.to_fixed(energies.virial[i]);
  setup_->ledger[{0}].template send<&LedgerPort::deposit>(std::move(deposit));
}

template <class Real>
void PairCompute<Real>::answer(std::int64_t step) {
  for (std::size_t i = 0; i < sides_.size(); ++i) {
    const auto touched = work_.touched(static_cast<int>(i));
    auto message = make_message<ClusterForcesMessage<Real>>(
        ClusterForcesMessage<Real>::trailing_bytes(touched.size()));
    message->step = step;
    message->clusters = static_cast<std::int32_t>(touched.size());
    Real* const forces = message->template trailing<Real>();
    work_.copy_forces(static_cast<int>(i), forces);
    std::copy(touched.begin(), touched.end(),
              reinterpret_cast<std::int32_t*>(forces + 24 * touched.size()));
    setup_->patches[sides_[i].patch].template send_at<&PatchPort<Real>::pair_forces>(
        step, std::move(message));
  }
}

template class PairCompute<float>;
template class PairCompute<double>;

}  // namespace fg

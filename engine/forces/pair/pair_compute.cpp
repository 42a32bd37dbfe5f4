// SPDX-License-Identifier: BSD-3-Clause
#include "forces/pair/pair_compute.hpp"

#include <algorithm>

#include "base/fixed_point.hpp"

namespace fg {

template <class Real>
std::vector<std::array<int, 4>> PairCompute<Real>::listeners(const PatchGrid& grid,
                                                             const PatchIndex& patch) {
  std::vector<std::array<int, 4>> elements;
  for (int direction = 0; direction < half_shell_size; ++direction) {
    const auto& [dx, dy, dz] = half_shell[direction];
    if (grid.reaches(patch, {dx, dy, dz}))
      elements.push_back({patch[0], patch[1], patch[2], direction});
    if (!grid.reaches(patch, {-dx, -dy, -dz})) continue;
    const auto home = grid.neighbour(patch, {-dx, -dy, -dz});
    elements.push_back({home[0], home[1], home[2], direction});
  }
  std::sort(elements.begin(), elements.end());
  elements.erase(std::unique(elements.begin(), elements.end()), elements.end());
  return elements;
}

template <class Real>
int PairCompute<Real>::depositors(const PatchGrid& grid) noexcept {
  int count = 0;
  for (int patch = 0; patch < grid.size(); ++patch)
    for (const auto& offset : half_shell) count += grid.reaches(grid.unflat(patch), offset) ? 1 : 0;
  return count;
}

template <class Real>
int PairCompute<Real>::replies(const PatchGrid& grid, const std::array<int, 4>& element,
                               const PatchIndex& patch) noexcept {
  const PatchIndex home{element[0], element[1], element[2]};
  if (element[3] == 0) return home == patch ? 1 : 0;
  return (home == patch ? 1 : 0) + (grid.neighbour(home, half_shell[element[3]]) == patch ? 1 : 0);
}

template <class Real>
PairCompute<Real>::PairCompute(std::shared_ptr<const Setup> setup, std::array<int, 4> index)
    : setup_(std::move(setup)), work_(setup_->settings, setup_->kernel) {
  const auto& grid = setup_->grid;
  const PatchIndex home{index[0], index[1], index[2]};
  sides_.push_back({home, half_shell[0]});
  if (index[3] != 0) {
    const auto& offset = half_shell[index[3]];
    sides_.push_back({grid.neighbour(home, offset), offset});
  }
  sources_ = sides_.back().patch == home ? 1 : 2;
  held_.reserve(sources_);
  partners_.resize(sides_.size());
}

template <class Real>
void PairCompute<Real>::positions(Ref<const PositionsMessage<Real>> message) {
  const auto step = message->step;
  const auto kind = message->kind;
  held_.push_back(std::move(message));
  if (static_cast<int>(held_.size()) < sources_) return;
  if (kind.rebuild) {
    rebuild();
    this->drive_network();  // this is the longest entry of all
  } else {
    place();
  }
  work(step, kind);
  answer(step);
  held_.clear();
}

template <class Real>
PairMemory<Real>& PairCompute<Real>::memory() const noexcept {
  return (*setup_->memory)[static_cast<std::size_t>(this->pe())];
}

template <class Real>
void PairCompute<Real>::place() {
  work_.lay_out(memory().quads());
  for (std::size_t i = 0; i < sides_.size(); ++i)
    for (const auto& message : held_)
      if (sides_[i].patch == message->patch)
        work_.set_positions(static_cast<int>(i), message->positions());
}

template <class Real>
void PairCompute<Real>::rebuild() {
  const PatchGrid grid(held_.front()->box, setup_->grid.shape());
  for (std::size_t i = 0; i < sides_.size(); ++i)
    for (const auto& message : held_)
      if (sides_[i].patch == message->patch)
        partners_[i] =
            Partner<Real>{.block = memory().keep(grid.flat(message->patch), message->block()),
                          .shift = grid.shift(sides_[i].offset)};
  work_.set_partners(partners_, sides_.size() == 1);
  place();
  work_.build_list();
}

template <class Real>
void PairCompute<Real>::work(std::int64_t step, StepKind kind) {
  if (kind.prune && !kind.rebuild) work_.prune();
  PairEnergies energies;
  if (kind.energies) {
    energies = work_.energies();
  } else {
    work_.forces();
    if (!kind.virial) return;
    energies.virial = work_.virial();
  }
  auto deposit = make_message<EnergyDeposit>();
  deposit->step = step;
  deposit->terms[energy_term("lennard-jones")] = energy_scale.to_fixed(energies.lennard_jones);
  deposit->terms[energy_term("coulomb")] = energy_scale.to_fixed(energies.coulomb);
  for (int i = 0; i < 6; ++i) deposit->virial[i] = energy_scale.to_fixed(energies.virial[i]);
  setup_->deposits.make(std::move(deposit));
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
    const auto& patch = sides_[i].patch;
    const auto owner = setup_->patches[patch];
    if (owner.here()) {
      owner.template send_at<&PatchPort<Real>::pair_forces>(step, std::move(message));
    } else {
      setup_->collectors[{patch[0], patch[1], patch[2], this->runtime().process()}]
          .template send<&ForceCollector<Real>::add>(std::move(message), Lane::high);
    }
  }
}

template class PairCompute<float>;
template class PairCompute<double>;

}  // namespace fg

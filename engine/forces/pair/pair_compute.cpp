// SPDX-License-Identifier: BSD-3-Clause
#include "forces/pair/pair_compute.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/fixed_point.hpp"
#include "forces/costs/charge_work.hpp"

namespace fg {

template <class Real>
auto PairCompute<Real>::sides_of(const PatchGrid& grid, const HalfShellRuns& runs,
                                 const std::array<int, 4>& element) -> std::vector<Side> {
  const PatchIndex home{element[0], element[1], element[2]};
  constexpr PatchOffset itself{};
  std::vector<Side> sides{{.patch = home, .offset = itself}};
  for (const PatchOffset& offset : runs.run(element[3]))
    if (offset != itself && grid.reaches(home, offset))
      sides.push_back({.patch = grid.neighbour(home, offset), .offset = offset});
  if (sides.size() == 1 && element[3] != 0) sides.clear();
  return sides;
}

template <class Real>
std::vector<std::array<int, 4>> PairCompute<Real>::listeners(const PatchGrid& grid,
                                                             const HalfShellRuns& runs,
                                                             const PatchIndex& patch) {
  std::vector<std::array<int, 4>> elements;
  const auto add = [&](const PatchIndex& home, int run) {
    const std::array element{home[0], home[1], home[2], run};
    if (exists(grid, runs, element)) elements.push_back(element);
  };
  for (int run = 0; run < runs.count(); ++run) {
    add(patch, run);
    for (const auto& [dx, dy, dz] : runs.run(run))
      if (grid.reaches(patch, {-dx, -dy, -dz})) add(grid.neighbour(patch, {-dx, -dy, -dz}), run);
  }
  std::sort(elements.begin(), elements.end());
  elements.erase(std::unique(elements.begin(), elements.end()), elements.end());
  return elements;
}

template <class Real>
bool PairCompute<Real>::exists(const PatchGrid& grid, const HalfShellRuns& runs,
                               const std::array<int, 4>& element) {
  return !sides_of(grid, runs, element).empty();
}

template <class Real>
int PairCompute<Real>::depositors(const PatchGrid& grid, const HalfShellRuns& runs) {
  int count = 0;
  for (int i = 0; i < grid.size(); ++i) {
    const PatchIndex patch = grid.unflat(i);
    for (int run = 0; run < runs.count(); ++run)
      count += exists(grid, runs, {patch[0], patch[1], patch[2], run}) ? 1 : 0;
  }
  return count;
}

template <class Real>
int PairCompute<Real>::replies(const PatchGrid& grid, const HalfShellRuns& runs,
                               const std::array<int, 4>& element, const PatchIndex& patch) {
  const auto sides = sides_of(grid, runs, element);
  return static_cast<int>(
      std::ranges::count_if(sides, [&](const Side& side) { return side.patch == patch; }));
}

template <class Real>
PairCompute<Real>::PairCompute(std::shared_ptr<const Setup> setup, std::array<int, 4> index)
    : setup_(std::move(setup)),
      work_(setup_->settings, setup_->kernel),
      sides_(sides_of(setup_->grid, setup_->runs, index)),
      within_home_(index[3] == 0) {
  for (const Side& side : sides_) sources_.push_back(side.patch);
  std::ranges::sort(sources_);
  sources_.erase(std::unique(sources_.begin(), sources_.end()), sources_.end());
  for (Side& side : sides_) side.source = source_of(side.patch);
  held_.resize(sources_.size());
  partners_.resize(sides_.size());
}

template <class Real>
std::size_t PairCompute<Real>::source_of(const PatchIndex& patch) const noexcept {
  return static_cast<std::size_t>(std::ranges::lower_bound(sources_, patch) - sources_.begin());
}

template <class Real>
void PairCompute<Real>::positions(Ref<const PositionsMessage<Real>> message) {
  const auto step = message->step;
  const auto kind = message->kind;
  auto& held = held_[source_of(message->patch)];
  FG_CHECK(held == nullptr);  // each patch waits for an answer, so none can be a step ahead
  held = std::move(message);
  if (++arrived_ < held_.size()) return;
  arrived_ = 0;
  if (kind.rebuild) {
    rebuild();
    this->drive_network();  // this is the longest entry of all
  } else {
    if (kind.prune) work_.use_outer_list();
    place();
  }
  work(step, kind);
  charge(kind);
  answer(step);
  for (auto& message : held_) message = nullptr;
}

template <class Real>
void PairCompute<Real>::charge(StepKind kind) {
  if constexpr (work_is_charged) {
    if (kind.rebuild || kind.prune)
      counted_ = {.pairs = static_cast<double>(work_.listed_pairs()),
                  .atoms = static_cast<double>(work_.atoms())};
    charge_work<Real>({{of_object, 1},
                       {of_message, static_cast<double>(sides_.size())},
                       {of_pair, counted_.pairs},
                       {of_pair_atom, counted_.atoms}});
  }
}

template <class Real>
PairMemory<Real>& PairCompute<Real>::memory() const noexcept {
  return (*setup_->memory)[static_cast<std::size_t>(this->pe())];
}

template <class Real>
void PairCompute<Real>::place() {
  work_.lay_out(memory().quads());
  for (std::size_t i = 0; i < sides_.size(); ++i)
    work_.set_positions(static_cast<int>(i), held_[sides_[i].source]->positions());
}

template <class Real>
void PairCompute<Real>::rebuild() {
  const PatchGrid grid(held_.front()->box, setup_->grid.shape());
  for (std::size_t i = 0; i < sides_.size(); ++i) {
    const PositionsMessage<Real>& message = *held_[sides_[i].source];
    partners_[i] = Partner<Real>{.block = memory().keep(grid.flat(message.patch), message.block()),
                                 .shift = grid.shift(sides_[i].offset)};
  }
  work_.set_partners(partners_, within_home_);
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
              reinterpret_cast<std::int32_t*>(forces + cluster_numbers * touched.size()));
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

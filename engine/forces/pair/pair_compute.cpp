// SPDX-License-Identifier: BSD-3-Clause
#include "forces/pair/pair_compute.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/fixed_point.hpp"
#include "forces/costs/charge_work.hpp"

namespace fg {

template <class Real>
PairCompute<Real>::PairCompute(std::shared_ptr<const Setup> setup, std::array<int, 4> index)
    : setup_(std::move(setup)),
      work_(setup_->settings, setup_->kernel),
      part_(setup_->pairs->part(index)) {
  for (std::size_t i = 0; i < part_.sides.size(); ++i) sources_.push_back(number_of(i));
  std::ranges::sort(sources_);
  sources_.erase(std::unique(sources_.begin(), sources_.end()), sources_.end());
  partners_.resize(part_.sides.size());
}

template <class Real>
SharedPairs<Real>& PairCompute<Real>::shared() const noexcept {
  return (*setup_->shared)[static_cast<std::size_t>(this->pe() - this->runtime().first_pe_here())];
}

template <class Real>
void PairCompute<Real>::work(std::int64_t step) {
  const StepKind kind = shared().positions(sources_.front()).kind;
  if (kind.rebuild) {
    rebuild();
    this->drive_network();  // this is the longest entry of all
  } else {
    if (kind.prune) work_.use_outer_list();
    place();
  }
  evaluate(step, kind);
  charge(kind);
  add_forces();
  leave(step);
}

template <class Real>
void PairCompute<Real>::charge(StepKind kind) {
  if constexpr (work_is_charged) {
    if (kind.rebuild || kind.prune) {
      counted_ = {.pairs = static_cast<double>(work_.listed_pairs()),
                  .atoms = static_cast<double>(work_.atoms()),
                  .patches = 0,
                  .rows = static_cast<double>(work_.inner_list().rows.size())};
      for (int side = 0; side < static_cast<int>(part_.sides.size()); ++side)
        counted_.patches += work_.touched(side).empty() ? 0 : 1;
    }
    charge_work<Real>({{of_object, 1},
                       {of_pair, counted_.pairs},
                       {of_pair_atom, counted_.atoms},
                       {of_list_patch, counted_.patches},
                       {of_list_row, counted_.rows},
                       {of_midpoint_atom, part_.cell ? counted_.atoms / setup_->list_steps : 0}});
  }
}

template <class Real>
void PairCompute<Real>::place() {
  work_.lay_out(shared().quads());
  const SharedPairs<Real>& here = shared();
  for (std::size_t i = 0; i < part_.sides.size(); ++i)
    if (const int side = static_cast<int>(i); work_.uses(side))
      work_.set_positions(side, here.positions(number_of(i)).positions());
}

template <class Real>
void PairCompute<Real>::rebuild() {
  const PatchGrid grid(shared().positions(sources_.front()).box, setup_->grid.shape());
  for (std::size_t i = 0; i < part_.sides.size(); ++i)
    partners_[i] = Partner<Real>{.block = shared().block(number_of(i)),
                                 .shift = grid.shift(part_.sides[i].offset)};
  work_.set_partners(partners_, part_.within_home);
  place();
  if (!part_.cell) return work_.build_list();
  midpoint_sides_.clear();
  for (std::size_t i = 0; i < part_.sides.size(); ++i)
    midpoint_sides_.push_back(
        {.offset = part_.sides[i].offset, .quads = shared().quad_places(number_of(i), grid)});
  work_.build_list_of_midpoints(*part_.cell, midpoint_sides_, grid.widths());
}

template <class Real>
void PairCompute<Real>::evaluate(std::int64_t step, StepKind kind) {
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
void PairCompute<Real>::add_forces() {
  SharedPairs<Real>& here = shared();
  for (std::size_t i = 0; i < part_.sides.size(); ++i) {
    const int side = static_cast<int>(i);
    if (!work_.uses(side)) continue;
    SummedForcesMessage& sum = here.sum(number_of(i));
    const int bad = work_.add_forces(side, sum.sums().data());
    if (bad >= 0) sum.bad_slot = bad;
  }
}

/// The last compute on this PE that has forces for a patch sends their sum.
template <class Real>
void PairCompute<Real>::leave(std::int64_t step) {
  for (const int source : sources_) {
    auto sum = shared().leave(source);
    if (!sum) continue;
    const auto patch = setup_->patches.at_ordinal(source);
    if (patch.here() || setup_->replies->pes_here[static_cast<std::size_t>(source)] == 1) {
      patch.template send_at<&PatchPort<Real>::pair_forces>(step, std::move(sum));
    } else {
      const auto& [x, y, z] = setup_->grid.unflat(source);
      setup_->collectors[{x, y, z, this->runtime().process()}]
          .template send<&ForceCollector<Real>::add>(std::move(sum), Lane::high);
    }
  }
}

template class PairCompute<float>;
template class PairCompute<double>;

}  // namespace fg

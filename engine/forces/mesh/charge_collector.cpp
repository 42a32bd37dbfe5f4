// SPDX-License-Identifier: BSD-3-Clause
#include "forces/mesh/charge_collector.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "base/error.hpp"
#include "fft/pencils/common_rows.hpp"
#include "forces/costs/charge_work.hpp"
#include "forces/mesh/charge_lines.hpp"
#include "forces/mesh/mesh_client.hpp"
#include "forces/mesh/mesh_setup.hpp"
#include "forces/mesh/mesh_spreader.hpp"

namespace fg {

namespace {

const Phase sum_phase("mesh: sum of charges");

}  // namespace

template <class Real>
ChargeCollector<Real>::ChargeCollector(std::shared_ptr<const MeshSetup<Real>> setup)
    : setup_(std::move(setup)),
      sums_(static_cast<std::size_t>(setup_->division.pencils.pencils()) /
                static_cast<std::size_t>(setup_->pes_a_process) +
            1) {}

template <class Real>
typename ChargeCollector<Real>::Sum& ChargeCollector<Real>::sum_for(int pencil) noexcept {
  return sums_[static_cast<std::size_t>(pencil / setup_->pes_a_process)];
}

template <class Real>
void ChargeCollector<Real>::add(Ref<const ChargeBlockMessage<Real>> block) {
  for (const int pencil : setup_->sums->pencils[static_cast<std::size_t>(block->spreader)]) {
    const int collected = setup_->sums->collected[static_cast<std::size_t>(pencil)];
    if (collected == 0 ||
        setup_->collector_of(pencil, this->runtime().process()) != this->ordinal())
      continue;
    Sum& sum = sum_for(pencil);
    // A spreader sends again only when it has the potential of all pencils.
    FG_CHECK(sum.spreaders.size() < static_cast<std::size_t>(collected));
    FG_CHECK(sum.blocks.empty() || sum.blocks.front()->round == block->round);
    sum.blocks.push_back(block);
    sum.spreaders.push_back(block->spreader);
    charge_work<Real>({{of_message, 1}});
    if (sum.blocks.size() == static_cast<std::size_t>(collected)) send(pencil, sum);
  }
}

template <class Real>
void ChargeCollector<Real>::send(int pencil, Sum& sum) {
  const PhaseTimer timer(sum_phase);
  const auto& geometry = setup_->division.pencils;
  const auto to = setup_->pencils.z.at_ordinal(pencil);
  boxes_.clear();
  for (const auto& block : sum.blocks) boxes_.push_back(block->box);
  const fft::GridBox box = fft::covering_block(geometry, setup_->pencils.z.index(pencil), boxes_);
  const std::size_t size = box.volume() + line_tail;
  auto message = make_charges_like(*sum.blocks.front(), box, size * sizeof(ChargeSum<Real>));
  message->collector = this->ordinal();
  auto* const charges = message->template trailing<ChargeSum<Real>>();
  std::fill_n(charges, size, ChargeSum<Real>(0));
  for (const auto& block : sum.blocks) {
    const Real* const values = block->template trailing<Real>();
    fft::for_each_common(block->box, box, geometry.mesh(), [&](const fft::CommonRows& s) {
      add_charges<Real>({values + s.in_one, block->box.size(2)}, s.rows, s.length,
                        {charges + s.in_other, box.size(2)});
    });
  }
  sum.blocks.clear();
  to.template send<&ZPencil<Real>::points>(std::move(message), Lane::high);
}

template <class Real>
void ChargeCollector<Real>::potential(Ref<const PotentialBlockMessage<Real>> message) {
  Sum& sum = sum_for(setup_->pencils.z.ordinal(message->pencil));
  for (const std::int32_t spreader : sum.spreaders)
    setup_->spreaders.at_ordinal(spreader).template send<&MeshSpreader<Real>::potential>(
        message, Lane::high);
  sum.spreaders.clear();
}

template class ChargeCollector<float>;
template class ChargeCollector<double>;

}  // namespace fg

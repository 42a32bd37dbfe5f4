// SPDX-License-Identifier: BSD-3-Clause
#include "forces/mesh/mesh_charges.hpp"

#include <algorithm>
#include <utility>

#include "fft/pencils/line_rows.hpp"
#include "forces/mesh/mesh_setup.hpp"
#include "forces/mesh/mesh_spreader.hpp"
#include "forces/mesh/potential_rows.hpp"

namespace fg {

namespace {

/// The gap between two lines of charges. Without it, successive rows of a block along y would often
/// be 4 kB apart, in the same few places of the nearest cache.
constexpr int line_gap = 16;

const Phase add_phase("mesh: add charges");
const Phase copy_phase("mesh: copy potential");

}  // namespace

template <class Real>
MeshCharges<Real>::MeshCharges(const MeshClient<Real>& client, fft::PencilIndex index)
    : setup_(client.setup),
      place_(index),
      rows_(setup_->division.pencils, index, line_gap),
      potential_rows_(setup_->division.pencils, index, line_halo) {
  senders_.reserve(static_cast<std::size_t>(spreaders_of(setup_->division, index)));
  charges_.resize(rows_.stored_points() + line_tail);
  begin_potential();
}

/// Written here, so that it is sent as it is.
template <class Real>
void MeshCharges<Real>::begin_potential() {
  potential_ =
      make_message<PotentialLinesMessage<Real>>(potential_rows_.stored_points() * sizeof(Real));
  potential_->rows = potential_rows_;
}

template <class Real>
int MeshCharges<Real>::awaited() const noexcept {
  const auto [i, j] = place_;
  return setup_->sums
      ->awaited[static_cast<std::size_t>(i * setup_->division.pencils.grid()[1] + j)];
}

template <class Real>
void MeshCharges<Real>::add(Ref<const ChargeBlockMessage<Real>> message) {
  {
    const PhaseTimer timer(add_phase);
    if (message->collector >= 0)
      add_sums(message->box, message->template trailing<ChargeSum<Real>>());
    else
      add_block(message->box, message->template trailing<Real>());
  }
  senders_.push_back({message->spreader, message->collector, message->box});
}

template <class Real>
void MeshCharges<Real>::add_sums(const fft::GridBox& block, const ChargeSum<Real>* sums) noexcept {
  rows_.for_each(block, [&](const fft::BlockRows::Stretch& s) {
    for (int row = 0; row < s.rows; ++row) {
      const ChargeSum<Real>* const from = sums + s.in_block + row * block.size(2);
      ChargeSum<Real>* const to = charges_.data() + s.in_lines + row * rows_.next_y();
      for (int k = 0; k < s.length; ++k) to[k] += from[k];
    }
  });
}

template <class Real>
void MeshCharges<Real>::add_block(const fft::GridBox& block, const Real* values) noexcept {
  rows_.for_each(block, [&](const fft::BlockRows::Stretch& s) {
    add_charges<Real>({values + s.in_block, block.size(2)}, s.rows, s.length,
                      {charges_.data() + s.in_lines, rows_.next_y()});
  });
}

template <class Real>
void MeshCharges<Real>::copy_block(const fft::GridBox& block, Real* values) const noexcept {
  const Real* const lines = std::as_const(*potential_).template trailing<Real>();
  potential_rows_.for_each(block, [&](const fft::BlockRows::Stretch& s) {
    fft::copy_rows<Real>({lines + s.in_lines, potential_rows_.next_y()}, s.rows, s.length,
                         {values + s.in_share, block.size(2)});
  });
}

template <class Real>
void MeshCharges<Real>::read_pair(int a, int b, Complex* line) noexcept {
  const std::ptrdiff_t room = rows_.room();
  take_line_pair<Real>(charges_.data() + a * room, charges_.data() + b * room, rows_.length(),
                       line);
}

template <class Real>
void MeshCharges<Real>::write_pair(const Complex* line, int a, int b) noexcept {
  const std::ptrdiff_t room = potential_rows_.room();
  Real* const first = potential_->template trailing<Real>() + a * room;
  Real* const second = potential_->template trailing<Real>() + b * room;
  fft::part_line_pair(line, rows_.length(), first, second);
  repeat_begin(first);
  repeat_begin(second);
}

/// A line shorter than its halo is repeated more than once.
template <class Real>
void MeshCharges<Real>::repeat_begin(Real* line) const noexcept {
  Real* const behind = line + rows_.length();
  for (int k = 0; k < line_halo; ++k) behind[k] = line[k];
}

template <class Real>
void MeshCharges<Real>::answer(std::int64_t round) {
  const PhaseTimer timer(copy_phase);
  potential_->round = round;
  const Ref<const PotentialLinesMessage<Real>> shared = potential_;
  for (const Sender& sender : senders_) {
    const auto spreader = setup_->spreaders.at_ordinal(std::max(sender.spreader, 0));
    if (sender.spreader >= 0 && spreader.here()) {
      spreader.template send<&MeshSpreader<Real>::potential_lines>(shared, Lane::high);
      continue;
    }
    auto block = make_message<PotentialBlockMessage<Real>>(points_of(sender.box) * sizeof(Real));
    block->round = round;
    block->pencil = place_;
    block->box = sender.box;
    copy_block(sender.box, block->template trailing<Real>());
    if (sender.spreader >= 0)
      spreader.template send<&MeshSpreader<Real>::potential>(std::move(block), Lane::high);
    else
      setup_->collectors.at_ordinal(sender.collector)
          .template send<&ChargeCollector<Real>::potential>(std::move(block), Lane::high);
  }
  senders_.clear();
  begin_potential();
}

template class MeshCharges<float>;
template class MeshCharges<double>;

}  // namespace fg

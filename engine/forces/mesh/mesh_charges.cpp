// SPDX-License-Identifier: BSD-3-Clause
#include "forces/mesh/mesh_charges.hpp"

#include "fft/pencils/line_rows.hpp"
#include "forces/mesh/mesh_setup.hpp"
#include "forces/mesh/mesh_spreader.hpp"

namespace fg {

namespace {

const Phase add_phase("mesh: add charges");
const Phase copy_phase("mesh: copy potential");

}  // namespace

template <class Real>
MeshCharges<Real>::MeshCharges(const MeshClient<Real>& client, fft::PencilIndex index)
    : setup_(client.setup),
      place_(index),
      rows_(setup_->cut.pencils, index),
      spreaders_(spreaders_of(setup_->cut, index)) {
  senders_.reserve(spreaders_);
  charges_.resize(rows_.stored_points() + line_tail);
  potential_.resize(rows_.stored_points());
}

template <class Real>
void MeshCharges<Real>::add(Ref<const ChargeBlockMessage<Real>> message) {
  {
    const PhaseTimer timer(add_phase);
    add_block(message->box, message->template trailing<Real>());
  }
  senders_.push_back({message->spreader, message->box});
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
  rows_.for_each(block, [&](const fft::BlockRows::Stretch& s) {
    fft::copy_rows<Real>({potential_.data() + s.in_lines, rows_.next_y()}, s.rows, s.length,
                         {values + s.in_share, block.size(2)});
  });
}

template <class Real>
void MeshCharges<Real>::read_pair(int a, int b, Complex* line) noexcept {
  const std::ptrdiff_t length = rows_.length();
  take_line_pair<Real>(charges_.data() + a * length, charges_.data() + b * length, rows_.length(),
                       line);
}

template <class Real>
void MeshCharges<Real>::write_pair(const Complex* line, int a, int b) noexcept {
  const std::ptrdiff_t length = rows_.length();
  fft::part_line_pair(line, rows_.length(), potential_.data() + a * length,
                      potential_.data() + b * length);
}

template <class Real>
void MeshCharges<Real>::answer(std::int64_t round) {
  const PhaseTimer timer(copy_phase);
  for (const Sender& sender : senders_) {
    auto block = make_message<PotentialBlockMessage<Real>>(points_of(sender.box) * sizeof(Real));
    block->round = round;
    block->pencil = place_;
    copy_block(sender.box, block->template trailing<Real>());
    setup_->spreaders.at_ordinal(sender.spreader)
        .template send<&MeshSpreader<Real>::potential>(std::move(block), Lane::high);
  }
  senders_.clear();
}

template class MeshCharges<float>;
template class MeshCharges<double>;

}  // namespace fg

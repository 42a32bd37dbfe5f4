// SPDX-License-Identifier: BSD-3-Clause
#include "forces/mesh/mesh_pencils.hpp"

#include <cmath>
#include <string>

#include "base/error.hpp"
#include "base/fixed_point.hpp"
#include "forces/mesh/charge_lines.hpp"
#include "forces/mesh/mesh_spreader.hpp"

namespace fg {

namespace {

const Phase add_phase("mesh: add charges");
const Phase transform_phase("mesh: transforms");
const Phase convolution_phase("mesh: convolution");
const Phase exchange_phase("mesh: transposes");
const Phase copy_phase("mesh: copy potential");

/// A fragment for somebody else; `fill` writes its values.
template <class Real, class Fill>
Ref<SpectrumMessage<Real>> fragment(std::int64_t step, StepKind kind, int from, std::size_t size,
                                    Fill&& fill) {
  auto message = make_message<SpectrumMessage<Real>>(size * sizeof(std::complex<Real>));
  message->step = step;
  message->kind = kind;
  message->from = from;
  fill(message->template trailing<std::complex<Real>>());
  return message;
}

}  // namespace

// ----- z -----

template <class Real>
ZPencil<Real>::ZPencil(std::shared_ptr<const MeshSetup<Real>> setup, fft::PencilIndex index)
    : setup_(std::move(setup)),
      place_(index),
      lines_(setup_->cut.pencils, index),
      spreaders_(spreaders_of(setup_->cut, index)) {
  senders_.reserve(spreaders_);
}

template <class Real>
void ZPencil<Real>::charges(Ref<const ChargeBlockMessage<Real>> message) {
  FG_DCHECK(senders_.empty() || message->step == step_);
  step_ = message->step;
  kind_ = message->kind;
  {
    const PhaseTimer timer(add_phase);
    lines_.add_block(message->box, message->template trailing<Real>());
  }
  senders_.push_back({message->spreader, message->box});
  if (static_cast<int>(senders_.size()) == spreaders_) send_spectrum();
}

template <class Real>
void ZPencil<Real>::send_spectrum() {
  {
    const PhaseTimer timer(transform_phase);
    lines_.forward();
  }
  const PhaseTimer timer(exchange_phase);
  for (int j = 0; j < setup_->cut.pencils.grid()[1]; ++j)
    setup_->y_pencils[{place_[0], j}].template send<&YPencil<Real>::charges>(
        fragment<Real>(step_, kind_, place_[1], lines_.fragment_size(j),
                       [&](auto* to) { lines_.give(j, to); }),
        Lane::high);
}

template <class Real>
void ZPencil<Real>::potential(Ref<const SpectrumMessage<Real>> message) {
  FG_DCHECK(message->step == step_);
  {
    const PhaseTimer timer(exchange_phase);
    lines_.take(message->from, message->values());
  }
  if (++fragments_ < setup_->cut.pencils.grid()[1]) return;
  fragments_ = 0;
  {
    const PhaseTimer timer(transform_phase);
    lines_.backward();
  }
  answer_spreaders();
}

template <class Real>
void ZPencil<Real>::answer_spreaders() {
  const PhaseTimer timer(copy_phase);
  for (const Sender& sender : senders_) {
    auto block =
        make_message<PotentialBlockMessage<Real>>(lines_.points_of(sender.box) * sizeof(Real));
    block->step = step_;
    block->pencil = place_;
    lines_.copy_block(sender.box, block->template trailing<Real>());
    setup_->spreaders.at_ordinal(sender.spreader)
        .template send<&MeshSpreader<Real>::potential>(std::move(block), Lane::high);
  }
  senders_.clear();
}

// ----- y -----

template <class Real>
YPencil<Real>::YPencil(std::shared_ptr<const MeshSetup<Real>> setup, fft::PencilIndex index)
    : setup_(std::move(setup)), place_(index), lines_(setup_->cut.pencils, index) {}

template <class Real>
void YPencil<Real>::charges(Ref<const SpectrumMessage<Real>> message) {
  {
    const PhaseTimer timer(exchange_phase);
    lines_.take_from_z(message->from, message->values());
  }
  if (++charges_ < setup_->cut.pencils.grid()[1]) return;
  charges_ = 0;
  {
    const PhaseTimer timer(transform_phase);
    lines_.forward();
  }
  const PhaseTimer timer(exchange_phase);
  for (int i = 0; i < setup_->cut.pencils.grid()[0]; ++i)
    setup_->x_pencils[{i, place_[1]}].template send<&XPencil<Real>::charges>(
        fragment<Real>(message->step, message->kind, place_[0], lines_.x_fragment_size(i),
                       [&](auto* to) { lines_.give_to_x(i, to); }),
        Lane::high);
}

template <class Real>
void YPencil<Real>::potential(Ref<const SpectrumMessage<Real>> message) {
  {
    const PhaseTimer timer(exchange_phase);
    lines_.take_from_x(message->from, message->values());
  }
  if (++potentials_ < setup_->cut.pencils.grid()[0]) return;
  potentials_ = 0;
  {
    const PhaseTimer timer(transform_phase);
    lines_.backward();
  }
  const PhaseTimer timer(exchange_phase);
  for (int j = 0; j < setup_->cut.pencils.grid()[1]; ++j)
    setup_->z_pencils[{place_[0], j}].template send<&ZPencil<Real>::potential>(
        fragment<Real>(message->step, message->kind, place_[1], lines_.z_fragment_size(j),
                       [&](auto* to) { lines_.give_to_z(j, to); }),
        Lane::high);
}

// ----- x -----

template <class Real>
XPencil<Real>::XPencil(std::shared_ptr<const MeshSetup<Real>> setup, fft::PencilIndex index)
    : setup_(std::move(setup)),
      place_(index),
      lines_(setup_->cut.pencils, index, setup_->cut.settings) {}

template <class Real>
void XPencil<Real>::charges(Ref<const SpectrumMessage<Real>> message) {
  {
    const PhaseTimer timer(exchange_phase);
    lines_.take(message->from, message->values());
  }
  if (++fragments_ < setup_->cut.pencils.grid()[0]) return;
  fragments_ = 0;
  {
    const PhaseTimer timer(transform_phase);
    lines_.forward();
  }
  {
    const PhaseTimer timer(convolution_phase);
    if (message->kind.energies) deposit(message->step);
    lines_.convolve();
  }
  {
    const PhaseTimer timer(transform_phase);
    lines_.backward();
  }
  const PhaseTimer timer(exchange_phase);
  for (int i = 0; i < setup_->cut.pencils.grid()[0]; ++i)
    setup_->y_pencils[{i, place_[1]}].template send<&YPencil<Real>::potential>(
        fragment<Real>(message->step, message->kind, place_[0], lines_.fragment_size(i),
                       [&](auto* to) { lines_.give(i, to); }),
        Lane::high);
}

template <class Real>
void XPencil<Real>::deposit(std::int64_t step) const {
  const auto sums = lines_.energies();
  if (!energy_scale.fits(sums.energy))
    throw NumericsError({.what = "the mesh energy is out of bounds",
                         .where = "step " + std::to_string(step),
                         .value = std::to_string(sums.energy) + " hartree",
                         .hint = "the system may be exploding"});
  auto deposit = make_message<EnergyDeposit>();
  deposit->step = step;
  std::int64_t& energy = deposit->terms[static_cast<int>(EnergyTerm::mesh)];
  energy = energy_scale.to_fixed(sums.energy);
  for (int c = 0; c < 6; ++c) deposit->virial[c] = energy_scale.to_fixed(sums.virial[c]);
  if (place_ == fft::PencilIndex{0, 0}) {
    // A whole system's self energy may be beyond the limit of to_fixed, but not of the sum.
    const auto fixed = [](double x) -> std::int64_t { return std::llrint(x * energy_scale.scale); };
    energy += fixed(setup_->constants.self) + fixed(setup_->constants.background);
    for (int c = 0; c < 3; ++c) deposit->virial[c] += fixed(setup_->constants.background);
  }
  setup_->ledger[{0}].template send<&LedgerPort::deposit>(std::move(deposit));
}

template class ZPencil<float>;
template class ZPencil<double>;
template class YPencil<float>;
template class YPencil<double>;
template class XPencil<float>;
template class XPencil<double>;

}  // namespace fg

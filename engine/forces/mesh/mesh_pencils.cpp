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

using fft::PencilIndex;

/// Sends the fragments of a round: `give(k, values)` writes the k-th one.
template <class Real, class Source, class Target, class Give>
void send_all(const Exchange<Source, Target>& exchange, const Source& self, std::int64_t step,
              const FragmentHead& head, Give&& give) {
  const PhaseTimer timer(exchange_phase);
  for (int k = 0; k < exchange.links(self); ++k) {
    auto* const fragment = exchange.template place<FragmentHead>(self, k, step);
    *fragment = head;
    give(k, values_of<Real>(fragment));
  }
  exchange.sent(self, step);
}

/// Takes in the fragments of a round, with `take(k, values)` for each; returns their head.
template <class Real, class Source, class Target, class Take>
FragmentHead take_all(const Exchange<Source, Target>& exchange, const Target& self,
                      std::int64_t step, Take&& take) {
  const PhaseTimer timer(exchange_phase);
  FragmentHead head{};
  for (int k = 0; k < exchange.sources(self); ++k) {
    const auto* const fragment = exchange.template from<FragmentHead>(self, k, step);
    head = *fragment;
    take(k, values_of<Real>(fragment));
  }
  exchange.release(self, step);
  return head;
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
  head_ = {.kind = message->kind, .cell = message->cell};
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
  send_all<Real>(setup_->exchanges.z_to_y, *this, step_, head_,
                 [&](int j, auto* to) { lines_.give(j, to); });
}

template <class Real>
void ZPencil<Real>::potential(std::int64_t step) {
  FG_DCHECK(step == step_);
  take_all<Real>(setup_->exchanges.y_to_z, *this, step,
                 [&](int j, const auto* from) { lines_.take(j, from); });
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
void YPencil<Real>::charges(std::int64_t step) {
  const FragmentHead head =
      take_all<Real>(setup_->exchanges.z_to_y, *this, step,
                     [&](int j, const auto* from) { lines_.take_from_z(j, from); });
  {
    const PhaseTimer timer(transform_phase);
    lines_.forward();
  }
  send_all<Real>(setup_->exchanges.y_to_x, *this, step, head,
                 [&](int i, auto* to) { lines_.give_to_x(i, to); });
}

template <class Real>
void YPencil<Real>::potential(std::int64_t step) {
  const FragmentHead head =
      take_all<Real>(setup_->exchanges.x_to_y, *this, step,
                     [&](int i, const auto* from) { lines_.take_from_x(i, from); });
  {
    const PhaseTimer timer(transform_phase);
    lines_.backward();
  }
  send_all<Real>(setup_->exchanges.y_to_z, *this, step, head,
                 [&](int j, auto* to) { lines_.give_to_z(j, to); });
}

// ----- x -----

template <class Real>
XPencil<Real>::XPencil(std::shared_ptr<const MeshSetup<Real>> setup, fft::PencilIndex index)
    : setup_(std::move(setup)),
      place_(index),
      lines_(setup_->cut.pencils, index, setup_->cut.settings) {}

template <class Real>
void XPencil<Real>::charges(std::int64_t step) {
  const FragmentHead head = take_all<Real>(setup_->exchanges.y_to_x, *this, step,
                                           [&](int i, const auto* from) { lines_.take(i, from); });
  if (head.kind.rebuild) lines_.set_box(head.cell);
  {
    const PhaseTimer timer(transform_phase);
    lines_.forward();
  }
  {
    const PhaseTimer timer(convolution_phase);
    if (head.kind.virial) deposit(step);
    lines_.convolve();
  }
  {
    const PhaseTimer timer(transform_phase);
    lines_.backward();
  }
  send_all<Real>(setup_->exchanges.x_to_y, *this, step, head,
                 [&](int i, auto* to) { lines_.give(i, to); });
}

template <class Real>
void XPencil<Real>::deposit(std::int64_t step) {
  const auto sums = lines_.energies();
  if (!energy_scale.fits(sums.energy))
    throw NumericsError({.what = "the mesh energy is out of bounds",
                         .where = "step " + std::to_string(step),
                         .value = std::to_string(sums.energy) + " hartree",
                         .hint = "the system may be unstable"});
  auto deposit = make_message<EnergyDeposit>();
  deposit->step = step;
  std::int64_t& energy = deposit->terms[energy_term("mesh")];
  energy = energy_scale.to_fixed(sums.energy);
  for (int c = 0; c < 6; ++c) deposit->virial[c] = energy_scale.to_fixed(sums.virial[c]);
  if (place_ == fft::PencilIndex{0, 0}) {
    // A whole system's self energy may exceed the limit of to_fixed, but not that of the sum.
    const auto fixed = [](double x) -> std::int64_t { return std::llrint(x * energy_scale.scale); };
    const double background = setup_->constants.background_in(lines_.box());
    energy += fixed(setup_->constants.self) + fixed(background);
    for (int c = 0; c < 3; ++c) deposit->virial[c] += fixed(background);
  }
  setup_->deposits.make(std::move(deposit));
}

// ----- partners in the exchanges -----

namespace {

/// Connects each pencil of `from` with all pencils of `to` that differ from it only in the index
/// number `along`. `numbers(from, to)` is the length of a fragment.
template <class Real, auto Entry, class From, class To, class Numbers>
Exchange<From, To> transpose(const Array<From>& from, const Array<To>& to, std::size_t along,
                             int pencils, Numbers&& numbers) {
  const auto links = [&](const PencilIndex& source) {
    std::vector<ExchangeCore::Link> result;
    PencilIndex target = source;
    for (int k = 0; k < pencils; ++k) {
      target[along] = k;
      result.push_back({to.ordinal(target),
                        fragment_head + numbers(source, target) * sizeof(std::complex<Real>)});
    }
    return result;
  };
  return Exchange<From, To>::template make<Entry>(from, to, links, Lane::high);
}

}  // namespace

template <class Real>
void MeshExchanges<Real>::make(const fft::PencilGeometry& geometry, const Array<ZPencil<Real>>& z,
                               const Array<YPencil<Real>>& y, const Array<XPencil<Real>>& x) {
  const auto between_zy = [&](const PencilIndex& of_z, const PencilIndex& of_y) {
    return zy_fragment(geometry, of_z[0], of_z[1], of_y[1]);
  };
  const auto between_yz = [&](const PencilIndex& of_y, const PencilIndex& of_z) {
    return between_zy(of_z, of_y);
  };
  const auto between_yx = [&](const PencilIndex& of_y, const PencilIndex& of_x) {
    return yx_fragment(geometry, of_y[1], of_y[0], of_x[0]);
  };
  const auto between_xy = [&](const PencilIndex& of_x, const PencilIndex& of_y) {
    return between_yx(of_y, of_x);
  };
  const auto& [columns, rows] = geometry.grid();
  z_to_y = transpose<Real, &YPencil<Real>::charges>(z, y, 1, rows, between_zy);
  y_to_z = transpose<Real, &ZPencil<Real>::potential>(y, z, 1, rows, between_yz);
  y_to_x = transpose<Real, &XPencil<Real>::charges>(y, x, 0, columns, between_yx);
  x_to_y = transpose<Real, &YPencil<Real>::potential>(x, y, 0, columns, between_xy);
}

template struct MeshExchanges<float>;
template struct MeshExchanges<double>;
template class ZPencil<float>;
template class ZPencil<double>;
template class YPencil<float>;
template class YPencil<double>;
template class XPencil<float>;
template class XPencil<double>;

}  // namespace fg

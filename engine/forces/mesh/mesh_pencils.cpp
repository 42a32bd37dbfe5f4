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

/// Sends a round's fragments: `give(k, values)` writes the k-th.
template <class Real, class Source, class Target, class Give>
void send_all(const Exchange<Source, Target>& exchange, const Source& self, std::int64_t step,
              StepKind kind, Give&& give) {
  const PhaseTimer timer(exchange_phase);
  for (int k = 0; k < exchange.links(self); ++k) {
    auto* const head = exchange.template place<FragmentHead>(self, k, step);
    head->kind = kind;
    give(k, values_of<Real>(head));
  }
  exchange.sent(self, step);
}

/// Takes a round's fragments in, `take(k, values)` each; what kind of step it is.
template <class Real, class Source, class Target, class Take>
StepKind take_all(const Exchange<Source, Target>& exchange, const Target& self, std::int64_t step,
                  Take&& take) {
  const PhaseTimer timer(exchange_phase);
  StepKind kind{};
  for (int k = 0; k < exchange.sources(self); ++k) {
    const auto* const head = exchange.template from<FragmentHead>(self, k, step);
    kind = head->kind;
    take(k, values_of<Real>(head));
  }
  exchange.release(self, step);
  return kind;
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
  send_all<Real>(setup_->exchanges.z_to_y, *this, step_, kind_,
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
  const StepKind kind =
      take_all<Real>(setup_->exchanges.z_to_y, *this, step,
                     [&](int j, const auto* from) { lines_.take_from_z(j, from); });
  {
    const PhaseTimer timer(transform_phase);
    lines_.forward();
  }
  send_all<Real>(setup_->exchanges.y_to_x, *this, step, kind,
                 [&](int i, auto* to) { lines_.give_to_x(i, to); });
}

template <class Real>
void YPencil<Real>::potential(std::int64_t step) {
  const StepKind kind =
      take_all<Real>(setup_->exchanges.x_to_y, *this, step,
                     [&](int i, const auto* from) { lines_.take_from_x(i, from); });
  {
    const PhaseTimer timer(transform_phase);
    lines_.backward();
  }
  send_all<Real>(setup_->exchanges.y_to_z, *this, step, kind,
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
  const StepKind kind = take_all<Real>(setup_->exchanges.y_to_x, *this, step,
                                       [&](int i, const auto* from) { lines_.take(i, from); });
  {
    const PhaseTimer timer(transform_phase);
    lines_.forward();
  }
  {
    const PhaseTimer timer(convolution_phase);
    if (kind.energies) deposit(step);
    lines_.convolve();
  }
  {
    const PhaseTimer timer(transform_phase);
    lines_.backward();
  }
  send_all<Real>(setup_->exchanges.x_to_y, *this, step, kind,
                 [&](int i, auto* to) { lines_.give(i, to); });
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

// ----- who exchanges with whom -----

template <class Real>
void MeshExchanges<Real>::make(const fft::PencilGeometry& geometry, const Array<ZPencil<Real>>& z,
                               const Array<YPencil<Real>>& y, const Array<XPencil<Real>>& x) {
  using Links = std::vector<ExchangeCore::Link>;
  const auto bytes = [](std::size_t numbers) {
    return fragment_head + numbers * sizeof(std::complex<Real>);
  };
  const auto& grid = geometry.grid();
  z_to_y = Exchange<ZPencil<Real>, YPencil<Real>>::template make<&YPencil<Real>::charges>(
      z, y,
      [&](const PencilIndex& from) {
        Links links;
        for (int j = 0; j < grid[1]; ++j)
          links.push_back(
              {y.ordinal({from[0], j}), bytes(zy_fragment(geometry, from[0], from[1], j))});
        return links;
      },
      Lane::high);
  y_to_z = Exchange<YPencil<Real>, ZPencil<Real>>::template make<&ZPencil<Real>::potential>(
      y, z,
      [&](const PencilIndex& from) {
        Links links;
        for (int j = 0; j < grid[1]; ++j)
          links.push_back(
              {z.ordinal({from[0], j}), bytes(zy_fragment(geometry, from[0], j, from[1]))});
        return links;
      },
      Lane::high);
  y_to_x = Exchange<YPencil<Real>, XPencil<Real>>::template make<&XPencil<Real>::charges>(
      y, x,
      [&](const PencilIndex& from) {
        Links links;
        for (int i = 0; i < grid[0]; ++i)
          links.push_back(
              {x.ordinal({i, from[1]}), bytes(yx_fragment(geometry, from[1], from[0], i))});
        return links;
      },
      Lane::high);
  x_to_y = Exchange<XPencil<Real>, YPencil<Real>>::template make<&YPencil<Real>::potential>(
      x, y,
      [&](const PencilIndex& from) {
        Links links;
        for (int i = 0; i < grid[0]; ++i)
          links.push_back(
              {y.ordinal({i, from[1]}), bytes(yx_fragment(geometry, from[1], i, from[0]))});
        return links;
      },
      Lane::high);
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

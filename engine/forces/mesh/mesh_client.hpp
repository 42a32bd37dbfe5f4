// SPDX-License-Identifier: BSD-3-Clause
//
// The mesh as a client of the pencils of fft/chares. It knows what the points of a z-pencil and the
// waves of an x-pencil mean. A round is a time step on which the mesh is evaluated; rounds have
// consecutive numbers, as exchanges need them.
#pragma once

#include <cstdint>
#include <memory>

#include "fft/chares/pencils.hpp"
#include "forces/costs/charge_work.hpp"
#include "forces/mesh/mesh_charges.hpp"
#include "forces/mesh/mesh_messages.hpp"
#include "forces/mesh/mesh_waves.hpp"

namespace fg {

template <class Real>
struct MeshSetup;

template <class Number>
struct MeshClient {
  using Real = Number;
  using Message = ChargeBlockMessage<Real>;
  using Points = MeshCharges<Real>;
  using Waves = MeshWaves<Real>;
  using Head = MeshHead;

  static constexpr Lane lane = Lane::high;
  static std::int64_t round(const Message& message) noexcept { return message.round; }
  static Head head(const Message& message) noexcept {
    return {message.step, message.kind, message.cell};
  }
  static const Phase& phase() noexcept;
  static void worked(fft::PencilAxis axis, double points, double share)
    requires work_is_charged;

  std::shared_ptr<const MeshSetup<Real>> setup;
};

template <class Real>
using ZPencil = fft::ZPencil<MeshClient<Real>>;
template <class Real>
using YPencil = fft::YPencil<MeshClient<Real>>;
template <class Real>
using XPencil = fft::XPencil<MeshClient<Real>>;

}  // namespace fg

extern template struct fg::MeshClient<float>;
extern template struct fg::MeshClient<double>;
extern template class fg::fft::ZPencil<fg::MeshClient<float>>;
extern template class fg::fft::ZPencil<fg::MeshClient<double>>;
extern template class fg::fft::YPencil<fg::MeshClient<float>>;
extern template class fg::fft::YPencil<fg::MeshClient<double>>;
extern template class fg::fft::XPencil<fg::MeshClient<float>>;
extern template class fg::fft::XPencil<fg::MeshClient<double>>;
extern template struct fg::fft::PencilExchanges<fg::MeshClient<float>>;
extern template struct fg::fft::PencilExchanges<fg::MeshClient<double>>;

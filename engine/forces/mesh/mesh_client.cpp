// SPDX-License-Identifier: BSD-3-Clause
#include "forces/mesh/mesh_client.hpp"

#include "fft/chares/pencils-inl.hpp"
#include "forces/mesh/mesh_setup.hpp"

namespace fg {

namespace {

const Phase transform_phase("mesh: transforms");

}  // namespace

template <class Number>
const Phase& MeshClient<Number>::phase() noexcept {
  return transform_phase;
}

/// A z-pencil also adds up the grids of spreaders.
template <class Number>
void MeshClient<Number>::worked(fft::PencilAxis axis, double points, double share)
  requires work_is_charged
{
  const WorkKind kind = axis == fft::PencilAxis::z ? of_z_point : of_line_point;
  charge_work<Real>({{of_object, 1}, {kind, points}}, share);
}

template struct MeshClient<float>;
template struct MeshClient<double>;

}  // namespace fg

template class fg::fft::ZPencil<fg::MeshClient<float>>;
template class fg::fft::ZPencil<fg::MeshClient<double>>;
template class fg::fft::YPencil<fg::MeshClient<float>>;
template class fg::fft::YPencil<fg::MeshClient<double>>;
template class fg::fft::XPencil<fg::MeshClient<float>>;
template class fg::fft::XPencil<fg::MeshClient<double>>;
template struct fg::fft::PencilExchanges<fg::MeshClient<float>>;
template struct fg::fft::PencilExchanges<fg::MeshClient<double>>;

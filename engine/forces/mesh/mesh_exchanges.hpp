// SPDX-License-Identifier: BSD-3-Clause
//
// The four transposes of the mesh as exchanges, with one round per step: z-pencils to the y-pencils
// of their row, y-pencils to the x-pencils of their column, and back.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/box.hpp"
#include "fft/pencil_geometry.hpp"
#include "particles/step_kind.hpp"
#include "runtime/runtime.hpp"

namespace fg {

template <class Real>
class ZPencil;
template <class Real>
class YPencil;
template <class Real>
class XPencil;

/// The head of a part of the spectrum that is sent between pencils. Its values (see
/// pencil_lines.hpp) begin `fragment_head` bytes after the head.
struct FragmentHead {
  StepKind kind;
  Box cell;
};
inline constexpr std::size_t fragment_head = 64;
static_assert(sizeof(FragmentHead) <= fragment_head);

template <class Real>
std::complex<Real>* values_of(FragmentHead* head) noexcept {
  return reinterpret_cast<std::complex<Real>*>(reinterpret_cast<std::byte*>(head) + fragment_head);
}
template <class Real>
const std::complex<Real>* values_of(const FragmentHead* head) noexcept {
  return values_of<Real>(const_cast<FragmentHead*>(head));
}

/// Numbers in a fragment between z-pencil (i, z) and y-pencil (i, y), in both directions.
inline std::size_t zy_fragment(const fft::PencilGeometry& geometry, int i, int z, int y) {
  const auto lines =
      static_cast<std::size_t>(geometry.x_part(i).size()) * geometry.y_part_of_z(z).size();
  return (lines + 1) / 2 * 2 * geometry.kz_part(y).size();
}
/// Numbers in a fragment between y-pencil (y, j) and x-pencil (x, j), in both directions.
inline std::size_t yx_fragment(const fft::PencilGeometry& geometry, int j, int y, int x) {
  return static_cast<std::size_t>(geometry.kz_part(j).size()) * geometry.x_part(y).size() *
         geometry.y_part_of_x(x).size();
}

template <class Real>
struct MeshExchanges {
  Exchange<ZPencil<Real>, YPencil<Real>> z_to_y{};
  Exchange<YPencil<Real>, XPencil<Real>> y_to_x{};
  Exchange<XPencil<Real>, YPencil<Real>> x_to_y{};
  Exchange<YPencil<Real>, ZPencil<Real>> y_to_z{};

  /// Called by all processes, after the pencils have been created.
  void make(const fft::PencilGeometry& geometry, const Array<ZPencil<Real>>& z,
            const Array<YPencil<Real>>& y, const Array<XPencil<Real>>& x);
};

}  // namespace fg

// SPDX-License-Identifier: BSD-3-Clause
#include "fft/sphere/slab_points.hpp"

#include <string>

#include "base/aligned_vector.hpp"
#include "base/error.hpp"
#include "fft/thread_scratch.hpp"

namespace fg::fft {

void require_slabs(const SpherePlan& plan) {
  if (plan.y_boxes() == plan.x_boxes() && plan.full_boxes() == plan.points()) return;
  throw InputError({.what = "a transform that ends in rows needs slabs of whole planes along z",
                    .value = std::to_string(plan.ranks()) + " other boxes",
                    .hint = "divide the points by fft::slabs(grid, 2, ranks)"});
}

template <class Real>
SlabPoints<Real>::SlabPoints(const SpherePlan& plan, int rank, int fields) {
  require_slabs(plan);
  const GridBox& box = plan.points()[static_cast<std::size_t>(rank)];
  if (box.empty()) return;
  const ColumnRows columns(plan, rank, fields, SphereEnd::rows, sizeof(Complex));
  turns_ = columns.turns();
  size_ = box.size(2);
  nx_ = box.size(0);
  ny_ = box.size(1);
  planes_ = columns.rows().size();
  // Planes a power of two apart would compete for few lines of the cache.
  constexpr auto lanes = static_cast<std::ptrdiff_t>(simd_alignment / sizeof(Real));
  apart_ = std::ptrdiff_t{width()} * ny_ + lanes;
  rows_.reserve(static_cast<std::size_t>(turns()) * planes_);
  for (int turn = 0; turn < turns(); ++turn)
    for (const auto& of_plane : columns.rows()) {
      Places& places = rows_.emplace_back();
      places.reserve(of_plane.size());
      for (const ColumnRows::Row& row : of_plane)
        places.push_back(row.place < 0 ? -1 : row.place + turn * row.apart);
    }
  places_.reserve(static_cast<std::size_t>(nx_));
  for (int x = 0; x < nx_; ++x) {
    const int plane = plan.plane_at(x);
    places_.push_back(plane < 0 ? -1 : plane * apart_);
  }
  const LineBatch along_y{ny_, width(), 1, {width(), 1, 0}, {width(), 1, 0}};
  const LineBatch along_x{nx_, width(), 1, {width(), 1, 0}, {width(), 1, 0}};
  y_back_.emplace_back(along_y, Direction::backward);
  y_forth_.emplace_back(along_y, Direction::forward);
  x_back_.emplace_back(along_x, Direction::backward);
  x_forth_.emplace_back(along_x, Direction::forward);
}

template <class Real>
auto SlabPoints<Real>::scratch() const -> Work {
  const std::size_t planes = planes_ * static_cast<std::size_t>(apart_);
  const std::size_t points = static_cast<std::size_t>(nx_) * static_cast<std::size_t>(width());
  Complex* const memory = thread_scratch<Real>(planes + points);
  return {memory, memory + planes};
}

template <class Real>
auto SlabPoints<Real>::to_planes(const Complex* rows, int turn, int field) const -> Work {
  const Work work = scratch();
  Complex* plane = work.planes;
  for (std::size_t p = 0; p < planes_; ++p, plane += apart_)
    y_back_[0].execute(rows + std::ptrdiff_t{field} * width(), plane,
                       {rows_of(turn, p).data(), nullptr});
  return work;
}

template <class Real>
void SlabPoints<Real>::from_planes(Complex* rows, int turn, int field,
                                   const Work& work) const noexcept {
  const Complex* plane = work.planes;
  for (std::size_t p = 0; p < planes_; ++p, plane += apart_)
    y_forth_[0].execute(plane, rows + std::ptrdiff_t{field} * width(),
                        {nullptr, rows_of(turn, p).data()});
}

template <class Real>
void SlabPoints<Real>::to_line(int y, const Work& work) const noexcept {
  x_back_[0].execute(work.planes + std::ptrdiff_t{y} * width(), work.points,
                     {places_.data(), nullptr});
}

template <class Real>
void SlabPoints<Real>::from_line(int y, const Work& work) const noexcept {
  x_forth_[0].execute(work.points, work.planes + std::ptrdiff_t{y} * width(),
                      {nullptr, places_.data()});
}

template class SlabPoints<float>;
template class SlabPoints<double>;

}  // namespace fg::fft

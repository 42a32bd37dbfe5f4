// SPDX-License-Identifier: BSD-3-Clause
//
// The points of a slab of planes along z, from the rows with which a transform ends
// (RankSphere::to_rows), and back to rows. Points are made for some z at a time, row of x by row of
// x. They are given to a function while they are in the nearest cache. No array has all of them. If
// they are needed again they are made again, which takes less time than memory does.
//
//   for (int turn = 0; turn < slab.turns(); ++turn)
//     slab.to_points(rows, turn, [&](int y, const Complex* points) { ... });  // [x][width]
//
// Planes and points of a turn are in memory of the thread (thread_scratch.hpp).
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "fft/lines/line_transform.hpp"
#include "fft/sphere/column_rows.hpp"
#include "fft/sphere/sphere_plan.hpp"

namespace fg::fft {

/// Throws InputError unless the points of all ranks are slabs of whole planes along z.
void require_slabs(const SpherePlan& plan);

/// Can be used by several threads at the same time.
template <class Real>
class SlabPoints {
 public:
  using Complex = std::complex<Real>;

  /// Takes the plan of a transform of `fields` fields. Throws InputError as require_slabs does, or
  /// if the slab has too many numbers for 32-bit places.
  SlabPoints(const SpherePlan& plan, int rank, int fields = 1);

  int turns() const noexcept { return turns_.turns; }
  /// The z of a turn, counted from the first one of the slab.
  Range z(int turn) const noexcept { return turns_.z(turn, size_); }
  /// Numbers of a row of points. They are the z of a turn, and as many without a meaning as are
  /// missing in the last turn.
  int width() const noexcept { return turns_.width; }
  int x_size() const noexcept { return nx_; }
  int y_size() const noexcept { return ny_; }
  /// The points of a turn, with those that have no meaning.
  std::size_t points() const noexcept {
    return static_cast<std::size_t>(nx_) * static_cast<std::size_t>(ny_) *
           static_cast<std::size_t>(turns_.width);
  }

  /// Calls visit(y, points [x][width]) for each y; it begins no other transform. `rows` are those
  /// of the first field.
  template <class Visit>
  void to_points(const Complex* rows, int turn, const Visit& visit, int field = 0) const {
    const Work work = to_planes(rows, turn, field);
    for (int y = 0; y < ny_; ++y) {
      to_line(y, work);
      visit(y, static_cast<const Complex*>(work.points));
    }
  }

  /// The same; visit may change the points, and they become rows again, unnormalised.
  template <class Visit>
  void there_and_back(Complex* rows, int turn, const Visit& visit, int field = 0) const {
    const Work work = to_planes(rows, turn, field);
    for (int y = 0; y < ny_; ++y) {
      to_line(y, work);
      visit(y, work.points);
      from_line(y, work);
    }
    from_planes(rows, turn, field, work);
  }

  /// Points to rows: fill(y, points [x][width]) writes them.
  template <class Fill>
  void to_rows(Complex* rows, int turn, const Fill& fill, int field = 0) const {
    const Work work = scratch();
    for (int y = 0; y < ny_; ++y) {
      fill(y, work.points);
      from_line(y, work);
    }
    from_planes(rows, turn, field, work);
  }

 private:
  using Places = std::vector<std::int64_t>;
  struct Work {
    Complex *planes, *points;
  };

  Work scratch() const;
  Work to_planes(const Complex* rows, int turn, int field) const;
  void from_planes(Complex* rows, int turn, int field, const Work& work) const noexcept;
  void to_line(int y, const Work& work) const noexcept;
  void from_line(int y, const Work& work) const noexcept;
  const Places& rows_of(int turn, std::size_t plane) const noexcept {
    return rows_[static_cast<std::size_t>(turn) * planes_ + plane];
  }

  int size_ = 0, nx_ = 0, ny_ = 0;
  SlabTurns turns_;
  std::size_t planes_ = 0;
  std::ptrdiff_t apart_ = 0;  // of planes
  std::vector<Places> rows_;  // of each turn and plane: for each y, or -1
  Places places_;             // of the planes of each x, or -1
  std::vector<LineTransform<Real>> y_back_, y_forth_, x_back_, x_forth_;  // one each, or none
};

extern template class SlabPoints<float>;
extern template class SlabPoints<double>;

}  // namespace fg::fft

// SPDX-License-Identifier: BSD-3-Clause
//
// One rank's part of a transform between the waves of a sphere and points, driven as a
// RankTransform is (rank_transform.hpp). Forward takes points to waves, exponent -, unnormalised:
//   c(G) = sum_r psi(r) exp(-i G.r),   backward  psi(r) = sum_G c(G) exp(+i G.r)
// Lines are transformed along z, y, x backward and along x, y, z forward. This is the other way
// round than in a RankTransform, since waves are pruned along z.
//
// In a full sphere each orbital is a field. In a half sphere orbitals are real. Orbitals 2 k and 2
// k + 1 are the real and the imaginary part of field k. The last one of an odd number is alone.
//
// A transform can also end in rows (SphereEnd). Then slab_points.hpp has the rest of it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/aligned_vector.hpp"
#include "fft/box_exchange.hpp"
#include "fft/sphere/column_exchange.hpp"
#include "fft/sphere/column_lines.hpp"
#include "fft/sphere/plane_lines.hpp"

namespace fg::fft {

/// The number of fields in real space.
constexpr int fields_of(SphereKind kind, int batch) noexcept {
  return kind == SphereKind::half ? (batch + 1) / 2 : batch;
}

template <class Real>
class RankSphere {
 public:
  using Complex = std::complex<Real>;

  /// A rank's waves are packed in the order of the plan, orbitals `distance` numbers apart, or one
  /// behind the other if it is 0. `points` describes the array of fields. Takes all memory but that
  /// of thread_scratch.hpp. Throws InputError if the box is another than the plan's, or if numbers
  /// overlap. Throws it if the batch is below 1, or too large for 2^31 - 1 numbers of columns in
  /// one rank.
  RankSphere(std::shared_ptr<const SpherePlan> plan, int rank, const Storage& points, int batch = 1,
             std::size_t distance = 0);
  /// Between waves and rows instead of points. Throws InputError also if the points of a rank are
  /// no slab of whole planes along z.
  static RankSphere to_rows(std::shared_ptr<const SpherePlan> plan, int rank, int batch) {
    const Storage points = dense_storage(plan->points()[static_cast<std::size_t>(rank)]);
    return RankSphere(std::move(plan), rank, points, batch, 0, SphereEnd::rows);
  }

  /// Arithmetic up to the first exchange. `from` and `to` are points and waves if forward, waves
  /// and points if backward, and do not overlap. In a half sphere the imaginary part of c(0) is
  /// taken as zero. Large arrays of points are written fastest if they begin with a cache line, and
  /// so do their rows along z.
  void begin(Direction direction, const void* from, void* to) noexcept;
  bool done() const noexcept { return step_ == steps_.size(); }
  std::span<const Parcel> sends() const noexcept;
  std::span<const Parcel> receives() const noexcept;
  void unpack(std::size_t k) noexcept;
  void proceed() noexcept;

  const SpherePlan& plan() const noexcept { return *plan_; }
  int rank() const noexcept { return rank_; }
  int exchanges() const noexcept;
  /// The bytes that this rank sends in one transform backward.
  std::size_t sent_bytes() const noexcept;
  /// The most bytes that this rank sends, or gets, in one exchange.
  std::size_t largest_exchange() const noexcept {
    return std::max(packed_.size(), arrived_.size());
  }
  std::size_t bytes_of_number() const noexcept { return sizeof(Real); }  // as it travels
  std::size_t memory() const noexcept;

 private:
  /// The steps in the order of the transform backward.
  enum class Step { columns, column_exchange, planes, plane_exchange, lines, point_exchange };

  RankSphere(std::shared_ptr<const SpherePlan> plan, int rank, const Storage& points, int batch,
             std::size_t distance, SphereEnd end);

  struct Exchange {  // of boxes, in both directions
    BoxExchange<Real> backward, forward;
  };

  Exchange exchange_between(const std::vector<GridBox>& from, const std::vector<GridBox>& to,
                            const Storage& before, const Storage& after) const;
  void set_points();
  void set_planes(const GridBox& box);
  void set_lines(const Storage& full);
  void set_exchanges(const Storage& points);

  bool forward() const noexcept { return direction_ == Direction::forward; }
  Step step() const noexcept { return steps_[forward() ? steps_.size() - 1 - step_ : step_]; }
  const Exchange& exchange() const noexcept {
    return step() == Step::plane_exchange ? *plane_exchange_ : *point_exchange_;
  }
  void go_on() noexcept;
  void pack() noexcept;
  void run_columns() noexcept;
  void run_planes() noexcept;
  void run_planes_and_lines() noexcept;
  void run_lines() noexcept;
  Complex* points_of(int field) noexcept;

  std::shared_ptr<const SpherePlan> plan_;
  int rank_, fields_;
  SphereEnd end_;
  Storage points_;
  std::vector<Step> steps_;
  ColumnLines<Real> column_lines_;
  ColumnExchange<Real> columns_;
  // If there is no exchange between planes and lines, they work on some z of a box at a time. So
  // these z stay in the second cache. Otherwise they work on all z.
  int width_ = 0;
  std::ptrdiff_t apart_ = 0;           // of planes
  std::vector<int> starts_;            // the first z of each turn
  std::vector<YLines<Real>> y_lines_;  // at most one: none if the rank has no points
  std::vector<XLines<Real>> x_lines_;
  std::optional<Exchange> plane_exchange_, point_exchange_;
  Storage planes_, before_x_, full_;  // arrays of boxes; unused ones are empty
  AlignedVector<Complex> planes_array_, before_x_array_, full_array_;
  AlignedVector<std::byte> packed_, arrived_;
  Direction direction_ = Direction::forward;
  std::size_t step_;
  Complex* waves_ = nullptr;           // of the user; only one of the two is written
  std::byte* points_array_ = nullptr;  // or rows
};

extern template class RankSphere<float>;
extern template class RankSphere<double>;

}  // namespace fg::fft

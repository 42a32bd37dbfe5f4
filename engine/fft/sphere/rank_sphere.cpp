// SPDX-License-Identifier: BSD-3-Clause
#include "fft/sphere/rank_sphere.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "base/error.hpp"
#include "fft/sphere/slab_points.hpp"
#include "fft/thread_scratch.hpp"

namespace fg::fft {

namespace {

/// Points that take more do not stay in the caches of one core. Below, writing them past the caches
/// costs the transform forward, which reads them, more than it saves.
constexpr std::size_t bytes_of_cached_points = std::size_t{8} << 20;

std::size_t distance_of(const SpherePlan& plan, int rank, int batch, std::size_t distance) {
  require_rank_and_batch(rank, plan.ranks(), batch);
  const std::size_t waves = plan.waves_of(rank);
  if (distance != 0 && distance < waves)
    throw InputError({.what = "the waves of two orbitals overlap",
                      .value = "a distance of " + std::to_string(distance),
                      .limit = "at least " + std::to_string(waves) + ", the waves of rank " +
                               std::to_string(rank),
                      .hint = "use 0 for orbitals one behind the other"});
  return distance == 0 ? waves : distance;
}

/// A table of places may reach so far.
void require_places(const Storage& storage) {
  if (storage.layout.extent() <= static_cast<std::size_t>(std::numeric_limits<int>::max())) return;
  throw InputError({.what = "the box of a rank has too many points",
                    .value = std::to_string(storage.layout.extent()),
                    .limit = std::to_string(std::numeric_limits<int>::max()),
                    .hint = "use more ranks"});
}

}  // namespace

template <class Real>
RankSphere<Real>::RankSphere(std::shared_ptr<const SpherePlan> plan, int rank,
                             const Storage& points, int batch, std::size_t distance)
    : RankSphere(std::move(plan), rank, points, batch, distance, SphereEnd::points) {}

template <class Real>
RankSphere<Real>::RankSphere(std::shared_ptr<const SpherePlan> plan, int rank,
                             const Storage& points, int batch, std::size_t distance, SphereEnd end)
    : plan_(std::move(plan)),
      rank_(rank),
      fields_(fields_of(plan_->sphere().kind(), batch)),
      end_(end),
      points_(points),
      column_lines_(*plan_, rank, batch, distance_of(*plan_, rank, batch, distance)),
      columns_(*plan_, rank, fields_, end) {
  columns_.add_stretches_to(column_lines_);
  steps_.push_back(Step::columns);
  if (plan_->ranks() > 1) steps_.push_back(Step::column_exchange);
  if (end == SphereEnd::rows)
    require_slabs(*plan_);
  else
    set_points();
  step_ = steps_.size();
}

/// The way between rows and points.
template <class Real>
void RankSphere<Real>::set_points() {
  const auto mine = static_cast<std::size_t>(rank_);
  require_storage(points_, plan_->points()[mine], fields_, "points");
  const bool together = plan_->y_boxes() == plan_->x_boxes();
  const bool end_in_points = plan_->full_boxes() == plan_->points();
  if (!together) {
    planes_ = dense_storage(plan_->y_boxes()[mine]);
    before_x_ = dense_storage(plan_->x_boxes()[mine]);
  }
  if (!end_in_points) full_ = dense_storage(plan_->full_boxes()[mine]);
  set_planes(plan_->y_boxes()[mine]);
  set_lines(end_in_points ? points_ : full_);
  steps_.push_back(Step::planes);
  if (!together) steps_.insert(steps_.end(), {Step::plane_exchange, Step::lines});
  if (!end_in_points) steps_.push_back(Step::point_exchange);
  set_exchanges(points_);
}

/// The lines along y, and how many of them go together.
template <class Real>
void RankSphere<Real>::set_planes(const GridBox& box) {
  const auto fields = static_cast<std::size_t>(fields_);
  if (plan_->y_boxes() != plan_->x_boxes()) {
    require_places(planes_);
    planes_array_.resize(fields * planes_.distance);
    before_x_array_.resize(fields * before_x_.distance);
    width_ = box.size(2);
    apart_ = planes_.layout.stride[0];
    starts_ = {0};
  } else if (!box.empty()) {
    constexpr int lanes = static_cast<int>(simd_alignment / sizeof(Real));
    const std::size_t column = static_cast<std::size_t>(box.size(0)) *
                               static_cast<std::size_t>(box.size(1)) * sizeof(Complex);
    const auto most = static_cast<int>(bytes_of_planes / (column * lanes));
    width_ = std::min(box.size(2), std::max(1, most) * lanes);
    // Planes a power of two apart would compete for few lines of the cache.
    apart_ = std::ptrdiff_t{width_} * box.size(1) + lanes;
    // The last turn may do some lines again.
    for (int z = 0; z < box.size(2); z += width_)
      starts_.push_back(std::min(z, box.size(2) - width_));
  }
  if (!box.empty()) y_lines_.emplace_back(box.size(1), width_, apart_, columns_.places());
}

/// The lines along x, to points with this storage.
template <class Real>
void RankSphere<Real>::set_lines(const Storage& full) {
  const GridBox& box = full.layout.box;
  if (box.empty()) return;
  const bool together = plan_->y_boxes() == plan_->x_boxes();
  const int width = together ? width_ : box.size(2);
  const std::ptrdiff_t apart = together ? apart_ : before_x_.layout.stride[0];
  require_places(before_x_);
  std::vector<std::int64_t> planes;
  for (int x = 0; x < box.size(0); ++x) {
    const int plane = plan_->plane_at(x);
    planes.push_back(plane < 0 ? -1 : plane * apart);
  }
  // Not if they are read again at once, to be packed.
  const std::size_t bytes = static_cast<std::size_t>(fields_) * box.volume() * sizeof(Complex);
  const bool stays =
      !together || bytes <= bytes_of_cached_points || plan_->full_boxes() != plan_->points();
  const PointStores stores = stays ? PointStores::cached : PointStores::streamed;
  const auto stride = [&](int axis) { return static_cast<int>(full.layout.stride[axis]); };
  x_lines_.emplace_back(LineBatch{box.size(0),
                                  width,
                                  box.size(1),
                                  {static_cast<int>(apart), 1, width},
                                  {stride(0), stride(2), stride(1)}},
                        std::move(planes), stores);
}

template <class Real>
auto RankSphere<Real>::exchange_between(const std::vector<GridBox>& from,
                                        const std::vector<GridBox>& to, const Storage& before,
                                        const Storage& after) const -> Exchange {
  return {BoxExchange<Real>(from, to, rank_, before, after, false, fields_),
          BoxExchange<Real>(to, from, rank_, after, before, false, fields_)};
}

template <class Real>
void RankSphere<Real>::set_exchanges(const Storage& points) {
  const SpherePlan& plan = *plan_;
  if (plan.y_boxes() != plan.x_boxes())
    plane_exchange_ = exchange_between(plan.y_boxes(), plan.x_boxes(), planes_, before_x_);
  if (plan.full_boxes() != plan.points()) {
    full_array_.resize(static_cast<std::size_t>(fields_) * full_.distance);
    point_exchange_ = exchange_between(plan.full_boxes(), plan.points(), full_, points);
  }
  std::size_t room[2] = {};
  for (const auto* exchange : {&plane_exchange_, &point_exchange_})
    if (*exchange)
      for (const auto* way : {&(*exchange)->backward, &(*exchange)->forward}) {
        room[0] = std::max(room[0], room_for(way->sends()));
        room[1] = std::max(room[1], room_for(way->receives()));
      }
  packed_.resize(room[0]);
  arrived_.resize(room[1]);
  for (auto* exchange : {&plane_exchange_, &point_exchange_})
    if (*exchange)
      for (auto* way : {&(*exchange)->backward, &(*exchange)->forward})
        way->place_parcels(packed_.data(), arrived_.data());
}

// ----- steps -----

template <class Real>
void RankSphere<Real>::begin(Direction direction, const void* from, void* to) noexcept {
  direction_ = direction;
  auto* const source = const_cast<void*>(from);  // only read
  waves_ = static_cast<Complex*>(forward() ? to : source);
  points_array_ = static_cast<std::byte*>(forward() ? source : to);
  if (end_ == SphereEnd::rows) columns_.set_rows(points_array_);
  step_ = 0;
  go_on();
}

template <class Real>
void RankSphere<Real>::proceed() noexcept {
  ++step_;
  go_on();
}

template <class Real>
void RankSphere<Real>::go_on() noexcept {
  for (; step_ < steps_.size(); ++step_) switch (step()) {
      case Step::columns:
        run_columns();
        break;
      case Step::planes:
        plane_exchange_ ? run_planes() : run_planes_and_lines();
        break;
      case Step::lines:
        run_lines();
        break;
      case Step::plane_exchange:
      case Step::point_exchange:
        pack();
        return;
      case Step::column_exchange:
        return;
    }
}

template <class Real>
void RankSphere<Real>::run_columns() noexcept {
  Complex* const rows =
      end_ == SphereEnd::rows ? reinterpret_cast<Complex*>(points_array_) : columns_.rows();
  for (int field = 0; field < fields_; ++field)
    forward() ? column_lines_.to_waves(waves_, field, rows, columns_.lines())
              : column_lines_.to_points(waves_, field, rows, columns_.lines());
}

/// The points of lines along x, with which the arithmetic ends or begins, from this field on.
template <class Real>
auto RankSphere<Real>::points_of(int field) noexcept -> Complex* {
  const bool own = point_exchange_.has_value();
  return (own ? full_array_.data() : reinterpret_cast<Complex*>(points_array_)) +
         static_cast<std::size_t>(field) * (own ? full_ : points_).distance;
}

template <class Real>
void RankSphere<Real>::run_planes_and_lines() noexcept {
  if (y_lines_.empty()) return;
  const std::ptrdiff_t z_stride = (point_exchange_ ? full_ : points_).layout.stride[2];
  const std::ptrdiff_t row = plan_->y_boxes()[static_cast<std::size_t>(rank_)].size(2);
  Complex* const planes = thread_scratch<Real>(
      static_cast<std::size_t>(apart_) *
      static_cast<std::size_t>(plan_->y_boxes()[static_cast<std::size_t>(rank_)].size(0)));
  for (int field = 0; field < fields_; ++field)
    for (const int z : starts_) {
      Complex* const rows = columns_.rows() + field * row + z;
      Complex* const points = points_of(field) + z * z_stride;
      if (forward()) {
        x_lines_[0].to_waves(points, planes);
        y_lines_[0].to_waves(planes, rows);
      } else {
        y_lines_[0].to_points(rows, planes);
        x_lines_[0].to_points(planes, points);
      }
    }
}

template <class Real>
void RankSphere<Real>::run_planes() noexcept {
  if (y_lines_.empty()) return;
  for (int field = 0; field < fields_; ++field) {
    Complex* const rows = columns_.rows() + std::ptrdiff_t{field} * width_;
    Complex* const planes =
        planes_array_.data() + static_cast<std::size_t>(field) * planes_.distance;
    forward() ? y_lines_[0].to_waves(planes, rows) : y_lines_[0].to_points(rows, planes);
  }
}

template <class Real>
void RankSphere<Real>::run_lines() noexcept {
  if (x_lines_.empty()) return;
  for (int field = 0; field < fields_; ++field) {
    Complex* const planes =
        before_x_array_.data() + static_cast<std::size_t>(field) * before_x_.distance;
    forward() ? x_lines_[0].to_waves(points_of(field), planes)
              : x_lines_[0].to_points(planes, points_of(field));
  }
}

// ----- exchanges -----

template <class Real>
void RankSphere<Real>::pack() noexcept {
  std::byte *before = nullptr, *after = nullptr;  // in the order of the transform backward
  if (step() == Step::plane_exchange) {
    before = reinterpret_cast<std::byte*>(planes_array_.data());
    after = reinterpret_cast<std::byte*>(before_x_array_.data());
  } else {
    before = reinterpret_cast<std::byte*>(full_array_.data());
    after = points_array_;
  }
  if (forward()) std::swap(before, after);
  const BoxExchange<Real>& way = forward() ? exchange().forward : exchange().backward;
  way.pack(before);
  way.keep(before, after);
}

template <class Real>
void RankSphere<Real>::unpack(std::size_t k) noexcept {
  if (step() == Step::column_exchange) return;  // columns are read where they are
  const bool planes = step() == Step::plane_exchange;
  const std::byte* const parcel = receives()[k].data;
  if (forward())
    exchange().forward.unpack(
        k, parcel, reinterpret_cast<std::byte*>((planes ? planes_array_ : full_array_).data()));
  else
    exchange().backward.unpack(
        k, parcel, planes ? reinterpret_cast<std::byte*>(before_x_array_.data()) : points_array_);
}

template <class Real>
std::span<const Parcel> RankSphere<Real>::sends() const noexcept {
  if (step() == Step::column_exchange) return forward() ? columns_.of_rows() : columns_.of_lines();
  return (forward() ? exchange().forward : exchange().backward).sends();
}

template <class Real>
std::span<const Parcel> RankSphere<Real>::receives() const noexcept {
  if (step() == Step::column_exchange) return forward() ? columns_.of_lines() : columns_.of_rows();
  return (forward() ? exchange().forward : exchange().backward).receives();
}

// ----- figures -----

template <class Real>
int RankSphere<Real>::exchanges() const noexcept {
  return static_cast<int>(std::count_if(steps_.begin(), steps_.end(), [](Step step) {
    return step == Step::column_exchange || step == Step::plane_exchange ||
           step == Step::point_exchange;
  }));
}

template <class Real>
std::size_t RankSphere<Real>::sent_bytes() const noexcept {
  std::size_t bytes = bytes_of(columns_.of_lines());
  for (const auto* exchange : {&plane_exchange_, &point_exchange_})
    if (*exchange) bytes += bytes_of((*exchange)->backward.sends());
  return bytes;
}

template <class Real>
std::size_t RankSphere<Real>::memory() const noexcept {
  const std::size_t numbers = planes_array_.size() + before_x_array_.size() + full_array_.size();
  return columns_.memory() + packed_.size() + arrived_.size() + numbers * sizeof(Complex);
}

template class RankSphere<float>;
template class RankSphere<double>;

}  // namespace fg::fft

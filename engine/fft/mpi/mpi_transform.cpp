// SPDX-License-Identifier: BSD-3-Clause
#include "fft/mpi/mpi_transform.hpp"

#include <limits>
#include <utility>

#include "fft/mpi/agreement.hpp"
#include "fft/mpi/parcel_driver.hpp"

namespace fg::fft {

namespace {

/// The plan of all ranks' boxes, if they agree on everything else.
std::shared_ptr<const TransformPlan> agreed_plan(MPI_Comm comm, const MpiTransformSettings& s,
                                                 int digits) {
  const std::array<int, 2> parts = s.parts.value_or(std::array{0, 0});
  const std::array<NamedNumber, 9> common{{{"grid (x)", static_cast<double>(s.grid[0])},
                                           {"grid (y)", static_cast<double>(s.grid[1])},
                                           {"grid (z)", static_cast<double>(s.grid[2])},
                                           {"kind", static_cast<double>(s.kind)},
                                           {"digits", static_cast<double>(digits)},
                                           {"batch", static_cast<double>(s.batch)},
                                           {"parts (a)", static_cast<double>(parts[0])},
                                           {"parts (b)", static_cast<double>(parts[1])},
                                           {"travel", static_cast<double>(s.travel)}}};
  require_same(comm, common);
  return std::make_shared<const TransformPlan>(
      TransformBoxes{s.grid, s.kind, gather_boxes(comm, s.points.layout.box),
                     gather_boxes(comm, s.waves.layout.box), s.parts});
}

}  // namespace

template <class Real>
struct MpiTransform<Real>::Driver : ParcelDriver<Real, RankTransform<Real>> {
  using ParcelDriver<Real, RankTransform<Real>>::ParcelDriver;
};

template <class Real>
MpiTransform<Real>::MpiTransform(MPI_Comm comm, const MpiTransformSettings& settings) {
  CommunicatorCopy& copy = copy_of(comm);
  const int tag = take_tag(copy);
  const auto plan = agreed_plan(copy.comm, settings, std::numeric_limits<Real>::digits);
  int rank = 0;
  FG_MPI(MPI_Comm_rank, copy.comm, &rank);
  std::unique_ptr<RankTransform<Real>> part;
  together(copy.comm, [&] {
    part = std::make_unique<RankTransform<Real>>(plan, rank, settings.points, settings.waves,
                                                 settings.batch);
    require_countable<Real>(*part);
  });
  driver_ = std::make_unique<Driver>(copy, tag, settings.travel, std::move(part));
}

template <class Real>
MpiTransform<Real>::~MpiTransform() {
  if (driver_) wait();
}

template <class Real>
MpiTransform<Real>::MpiTransform(MpiTransform&&) noexcept = default;

template <class Real>
void MpiTransform<Real>::start(Direction direction, const void* from, void* to) {
  driver_->start(direction, from, to);
}

template <class Real>
bool MpiTransform<Real>::test() {
  return driver_->test();
}

template <class Real>
void MpiTransform<Real>::wait() {
  driver_->wait();
}

template <class Real>
void MpiTransform<Real>::forward(const void* points, void* waves) {
  start(Direction::forward, points, waves);
  wait();
}

template <class Real>
void MpiTransform<Real>::backward(const void* waves, void* points) {
  start(Direction::backward, waves, points);
  wait();
}

template <class Real>
const RankTransform<Real>& MpiTransform<Real>::part() const noexcept {
  return driver_->part();
}

template class MpiTransform<float>;
template class MpiTransform<double>;

}  // namespace fg::fft

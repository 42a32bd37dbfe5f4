// SPDX-License-Identifier: BSD-3-Clause
#include "fft/mpi/mpi_sphere.hpp"

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "fft/mpi/agreement.hpp"
#include "fft/mpi/parcel_driver.hpp"

namespace fg::fft {

namespace {

std::shared_ptr<const SpherePlan> agreed_plan(MPI_Comm comm, const MpiSphereSettings& s,
                                              int digits) {
  std::vector<NamedNumber> common{
      {"grid (x)", static_cast<double>(s.grid[0])},    {"grid (y)", static_cast<double>(s.grid[1])},
      {"grid (z)", static_cast<double>(s.grid[2])},    {"cut-off", s.cutoff},
      {"kind of sphere", static_cast<double>(s.kind)}, {"digits", static_cast<double>(digits)},
      {"batch", static_cast<double>(s.batch)},         {"travel", static_cast<double>(s.travel)}};
  for (std::size_t k = 0; k < 3; ++k)
    for (const double component : s.vectors[k])
      common.push_back({"reciprocal vector b" + std::to_string(k + 1), component});
  require_same(comm, common);
  return std::make_shared<const SpherePlan>(WaveSphere(s.grid, s.vectors, s.cutoff, s.kind),
                                            gather_boxes(comm, s.points.layout.box));
}

}  // namespace

template <class Real>
struct MpiSphere<Real>::Driver : ParcelDriver<Real, RankSphere<Real>> {
  using ParcelDriver<Real, RankSphere<Real>>::ParcelDriver;
};

template <class Real>
MpiSphere<Real>::MpiSphere(MPI_Comm comm, const MpiSphereSettings& settings) {
  const std::shared_ptr<CommunicatorCopy> copy = copy_of(comm);
  const int tag = take_tag(*copy);
  const auto plan = agreed_plan(copy->comm, settings, std::numeric_limits<Real>::digits);
  int rank = 0;
  FG_MPI(MPI_Comm_rank, copy->comm, &rank);
  std::unique_ptr<RankSphere<Real>> part;
  together(copy->comm, [&] {
    part = std::make_unique<RankSphere<Real>>(plan, rank, settings.points, settings.batch,
                                              settings.distance);
    require_countable(*part);
  });
  driver_ = std::make_unique<Driver>(copy, tag, settings.travel, std::move(part));
}

template <class Real>
MpiSphere<Real>::~MpiSphere() {
  if (driver_) wait();
}

template <class Real>
MpiSphere<Real>::MpiSphere(MpiSphere&&) noexcept = default;

template <class Real>
void MpiSphere<Real>::start(Direction direction, const Complex* from, Complex* to) {
  driver_->start(direction, from, to);
}

template <class Real>
bool MpiSphere<Real>::test() {
  return driver_->test();
}

template <class Real>
void MpiSphere<Real>::wait() {
  driver_->wait();
}

template <class Real>
void MpiSphere<Real>::forward(const Complex* points, Complex* waves) {
  start(Direction::forward, points, waves);
  wait();
}

template <class Real>
void MpiSphere<Real>::backward(const Complex* waves, Complex* points) {
  start(Direction::backward, waves, points);
  wait();
}

template <class Real>
const RankSphere<Real>& MpiSphere<Real>::part() const noexcept {
  return driver_->part();
}

template class MpiSphere<float>;
template class MpiSphere<double>;

}  // namespace fg::fft

// SPDX-License-Identifier: BSD-3-Clause
#include "fft/mpi/mpi_transform.hpp"

#include <limits>
#include <utility>

#include "fft/mpi/agreed_boxes.hpp"
#include "fft/mpi/agreement.hpp"
#include "fft/mpi/exchange_choice.hpp"
#include "fft/mpi/parcel_driver.hpp"

namespace fg::fft {

template <class Real>
struct MpiTransform<Real>::Driver : ParcelDriver<Real, RankTransform<Real>> {
  using Base = ParcelDriver<Real, RankTransform<Real>>;
  Driver(CommunicatorCopy& copy, int tag, Exchanging how, std::unique_ptr<RankTransform<Real>> part)
      : Base(copy, tag, how.travel, std::move(part)), exchanging(std::move(how)) {}

  Exchanging exchanging;
};

template <class Real>
MpiTransform<Real>::MpiTransform(MPI_Comm comm, const MpiTransformSettings& settings) {
  Exchanging how;
  MpiTransformSettings chosen = settings;
  if (settings.travel == Travel::measured) {
    ChosenExchange choice = choose_exchange<Real>(comm, settings);
    chosen = choice.settings;
    how = std::move(choice.exchanging);
  }
  CommunicatorCopy& copy = copy_of(comm);
  const auto plan = std::make_shared<const TransformPlan>(
      agreed_boxes(copy.comm, chosen, std::numeric_limits<Real>::digits));
  const int tag = take_tag(copy);  // not before all ranks agree, so that it is the same on all
  int rank = 0;
  FG_MPI(MPI_Comm_rank, copy.comm, &rank);
  std::unique_ptr<RankTransform<Real>> part;
  together(copy.comm, [&] {
    part = std::make_unique<RankTransform<Real>>(plan, rank, chosen.points, chosen.waves,
                                                 chosen.batch, chosen.wire);
    require_countable(*part);
  });
  how.travel = chosen.travel;
  how.parts = plan->parts();
  driver_ = std::make_unique<Driver>(copy, tag, std::move(how), std::move(part));
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

template <class Real>
const Exchanging& MpiTransform<Real>::exchanging() const noexcept {
  return driver_->exchanging;
}

template class MpiTransform<float>;
template class MpiTransform<double>;

}  // namespace fg::fft

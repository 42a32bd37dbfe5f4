// SPDX-License-Identifier: BSD-3-Clause
#include "fft/mpi/mpi_transform.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>
#include <vector>

#include "base/aligned_vector.hpp"
#include "fft/mpi/agreement.hpp"
#include "fft/mpi/batch_driver.hpp"
#include "fft/mpi/exchange_choice.hpp"

namespace fg::fft {

template <class Real>
struct MpiTransform<Real>::Driver {
  using Part = RankTransform<Real>;

  void start(Direction direction, const void* from, void* to) {
    if (from == to && !fields_apart && !batch.one_group()) {
      copy.resize(direction == Direction::forward ? points_bytes : waves_bytes);
      std::copy_n(static_cast<const std::byte*>(from), copy.size(), copy.data());
      from = copy.data();
    }
    batch.start(direction, from, to);
  }

  Exchanging exchanging;
  std::size_t points_bytes, waves_bytes;  // of the user's arrays
  bool fields_apart;  // a field has the same bytes in both arrays, and no other field has any
  BatchDriver<Real, Part> batch;
  AlignedVector<std::byte> copy{};  // of the user's first array, if it has to be one
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
  const std::shared_ptr<CommunicatorCopy> copy = copy_of(comm);
  const auto plan = std::make_shared<const TransformPlan>(
      agreed_boxes(copy->comm, chosen, std::numeric_limits<Real>::digits));
  int rank = 0;
  FG_MPI(MPI_Comm_rank, copy->comm, &rank);
  const std::size_t number = element_size<Real>(chosen.kind == Kind::real);
  const std::vector<BatchTurns> turns =
      turns_of(*plan, std::max(chosen.batch, 1), number, chosen.travel == Travel::collective);
  std::vector<std::unique_ptr<RankTransform<Real>>> parts;
  together(copy->comm, [&] {
    const auto mine = static_cast<std::size_t>(rank);
    require_rank_and_batch(rank, plan->ranks(), chosen.batch);
    require_storage(chosen.points, plan->boxes().in[mine], chosen.batch, "points");
    require_storage(chosen.waves, plan->boxes().out[mine], chosen.batch, "waves");
    for (const BatchTurns& one : turns) {
      parts.push_back(std::make_unique<RankTransform<Real>>(plan, rank, chosen.points, chosen.waves,
                                                            one.fields, chosen.wire));
      require_countable(*parts.back());
    }
  });
  how.travel = chosen.travel;
  how.parts = plan->parts();
  const std::size_t wave = element_size<Real>(false);
  const std::array apart{chosen.points.distance * number, chosen.waves.distance * wave};
  const bool fields_apart =
      (number == wave && chosen.points == chosen.waves) ||
      (apart[0] == apart[1] && extent_of(chosen.points, 1) * number <= apart[0] &&
       extent_of(chosen.waves, 1) * wave <= apart[1]);
  driver_ = std::unique_ptr<Driver>(new Driver{
      std::move(how), extent_of(chosen.points, chosen.batch) * number,
      extent_of(chosen.waves, chosen.batch) * wave, fields_apart,
      BatchDriver<Real, RankTransform<Real>>(copy, chosen.travel, turns, apart, std::move(parts))});
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
  return driver_->batch.test();
}

template <class Real>
void MpiTransform<Real>::wait() {
  driver_->batch.wait();
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
  return driver_->batch.part();
}

template <class Real>
const Exchanging& MpiTransform<Real>::exchanging() const noexcept {
  return driver_->exchanging;
}

template class MpiTransform<float>;
template class MpiTransform<double>;

}  // namespace fg::fft

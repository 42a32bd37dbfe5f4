// SPDX-License-Identifier: BSD-3-Clause
#include "fft/mpi/mpi_transform.hpp"

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "fft/mpi/agreement.hpp"
#include "fft/mpi/communicator_copy.hpp"
#include "fft/mpi/exchange_choice.hpp"
#include "transport/mpi/mpi_call.hpp"

namespace fg::fft {

namespace {

/// MPI counts with an int.
void require_countable(std::size_t bytes, std::size_t bytes_of_number) {
  const std::size_t numbers = bytes / bytes_of_number;
  if (numbers <= static_cast<std::size_t>(std::numeric_limits<int>::max())) return;
  throw InputError({.what = "a rank would send too many numbers for one call of MPI",
                    .value = std::to_string(numbers),
                    .limit = std::to_string(std::numeric_limits<int>::max()),
                    .hint = "use a smaller batch or more ranks"});
}

}  // namespace

template <class Real>
class MpiTransform<Real>::Driver {
 public:
  Driver(MPI_Comm comm, const MpiTransformSettings& settings, Exchanging exchanging)
      : copy_(copy_of(comm)), travel_(settings.travel), exchanging_(std::move(exchanging)) {
    auto plan = std::make_shared<const TransformPlan>(
        gather_boxes(copy_.comm, settings, std::numeric_limits<Real>::digits));
    tag_ = take_tag(copy_);  // not before all ranks agree, so that it is the same on all
    int rank = 0;
    FG_MPI(MPI_Comm_rank, copy_.comm, &rank);
    together(copy_.comm, [&] {
      part_ = std::make_unique<RankTransform<Real>>(plan, rank, settings.points, settings.waves,
                                                    settings.batch, settings.wire);
      bytes_of_number_ = size_on_wire<Real>(true, part_->wire());
      require_countable(part_->largest_exchange(), bytes_of_number_);
    });
    exchanging_.travel = travel_;
    exchanging_.parts = plan->parts();
    const auto ranks = static_cast<std::size_t>(plan->ranks());
    for (Table* table : {&out_, &in_}) {
      table->counts.resize(ranks);
      table->places.resize(ranks);
    }
    receiving_.reserve(ranks);
    sending_.reserve(ranks);
    arrived_.resize(ranks);
  }

  void start(Direction direction, const void* from, void* to) {
    if (active_ || (travel_ == Travel::collective && copy_.in_collective))
      throw InternalError({.what = "a transform was started while another one goes on",
                           .hint = "wait for it, or use an object with messages for each"});
    active_ = true;
    copy_.in_collective = copy_.in_collective || travel_ == Travel::collective;
    part_->begin(direction, from, to);
    post();
  }

  bool test() {
    while (active_) {
      if (!take_arrivals()) return false;
      int left = 0;
      FG_MPI(MPI_Testall, static_cast<int>(sending_.size()), sending_.data(), &left,
             MPI_STATUSES_IGNORE);
      if (left == 0) return false;
      part_->proceed();
      post();
    }
    return true;
  }

  RankTransform<Real>& part() noexcept { return *part_; }
  const Exchanging& exchanging() const noexcept { return exchanging_; }

 private:
  struct Table {  // of a collective call
    std::vector<int> counts, places;
  };

  MPI_Datatype type() const noexcept {
    return bytes_of_number_ == sizeof(float) ? MPI_FLOAT : MPI_DOUBLE;
  }
  int count_of(const Parcel& parcel) const noexcept {
    return static_cast<int>(parcel.bytes / bytes_of_number_);
  }

  void post() {
    if (part_->done()) {
      active_ = false;
      if (travel_ == Travel::collective) copy_.in_collective = false;
      return;
    }
    receiving_.clear();
    sending_.clear();
    missing_ = 0;
    travel_ == Travel::messages ? post_messages() : post_collective();
  }

  void post_messages() {
    for (const Parcel& parcel : part_->receives())
      FG_MPI(MPI_Irecv, parcel.data, count_of(parcel), type(), parcel.rank, tag_, copy_.comm,
             &receiving_.emplace_back(MPI_REQUEST_NULL));
    for (const Parcel& parcel : part_->sends())
      FG_MPI(MPI_Isend, parcel.data, count_of(parcel), type(), parcel.rank, tag_, copy_.comm,
             &sending_.emplace_back(MPI_REQUEST_NULL));
    missing_ = receiving_.size();
  }

  void post_collective() {
    const auto fill = [this](Table& table, std::span<const Parcel> parcels) {
      std::fill(table.counts.begin(), table.counts.end(), 0);
      std::fill(table.places.begin(), table.places.end(), 0);
      for (const Parcel& parcel : parcels) {
        const auto rank = static_cast<std::size_t>(parcel.rank);
        table.counts[rank] = count_of(parcel);
        table.places[rank] = static_cast<int>((parcel.data - parcels.front().data) /
                                              static_cast<std::ptrdiff_t>(bytes_of_number_));
      }
      return parcels.empty() ? nullptr : parcels.front().data;
    };
    std::byte* const from = fill(out_, part_->sends());
    std::byte* const to = fill(in_, part_->receives());
    FG_MPI(MPI_Ialltoallv, from, out_.counts.data(), out_.places.data(), type(), to,
           in_.counts.data(), in_.places.data(), type(), copy_.comm,
           &receiving_.emplace_back(MPI_REQUEST_NULL));
    missing_ = 1;
  }

  /// Unpacks what has arrived; whether that is all.
  bool take_arrivals() {
    if (missing_ == 0) return true;
    int count = 0;
    FG_MPI(MPI_Testsome, static_cast<int>(receiving_.size()), receiving_.data(), &count,
           arrived_.data(), MPI_STATUSES_IGNORE);
    if (count == MPI_UNDEFINED) count = 0;
    for (int i = 0; i < count; ++i) {
      if (travel_ == Travel::messages)
        part_->unpack(static_cast<std::size_t>(arrived_[static_cast<std::size_t>(i)]));
      else
        for (std::size_t k = 0; k < part_->receives().size(); ++k) part_->unpack(k);
    }
    missing_ -= static_cast<std::size_t>(count);
    return missing_ == 0;
  }

  CommunicatorCopy& copy_;
  Travel travel_;
  int tag_ = 0;
  Exchanging exchanging_;
  std::unique_ptr<RankTransform<Real>> part_;
  std::size_t bytes_of_number_ = sizeof(Real);  // as it travels
  bool active_ = false;
  std::vector<MPI_Request> receiving_, sending_;
  std::vector<int> arrived_;
  std::size_t missing_ = 0;
  Table out_, in_;
};

template <class Real>
MpiTransform<Real>::MpiTransform(MPI_Comm comm, const MpiTransformSettings& settings) {
  if (settings.travel == Travel::measured) {
    auto [chosen, exchanging] = choose_exchange<Real>(comm, settings);
    driver_ = std::make_unique<Driver>(comm, chosen, std::move(exchanging));
  } else {
    driver_ = std::make_unique<Driver>(comm, settings, Exchanging{});
  }
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
  mpi::Patience patience;
  while (!driver_->test()) patience.wait();
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
  return driver_->exchanging();
}

template class MpiTransform<float>;
template class MpiTransform<double>;

}  // namespace fg::fft

// SPDX-License-Identifier: BSD-3-Clause
#include "fft/chares/sphere_part.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "runtime/archive.hpp"

namespace fg::fft {

namespace {

const Phase arithmetic_phase("sphere transforms: arithmetic");
const Phase exchange_phase("sphere transforms: exchanges");

}  // namespace

template <class Real>
SpherePart<Real>::SpherePart(std::shared_ptr<const SphereSetup<Real>> setup)
    : setup_(std::move(setup)),
      transform_(setup_->settings.plan, part(), setup_->points(part()), setup_->settings.batch),
      starts_(place(), setup_->settings.window) {
  if (setup_->settings.on_points)
    points_.resize(setup_->bytes(part(), true) / sizeof(std::complex<Real>));
}

template <class Real>
void SpherePart<Real>::start(Ref<const FieldMessage> message) {
  const std::size_t bytes = setup_->bytes(part(), message->route == Route::forward);
  if (message->route == Route::there_and_back && !setup_->settings.on_points)
    throw InternalError({.what = "there and back needs a function of the points",
                         .where = "transform " + std::to_string(message->number) + " of part " +
                                  std::to_string(part()),
                         .hint = "set on_points"});
  starts_.add(std::move(message), bytes);
  if (!input_) work();
}

/// Goes on until parcels or a start are missing.
template <class Real>
void SpherePart<Real>::work() {
  for (;;) {
    if (!input_ && !take_up_next()) return;
    if (transform_.done()) {
      end_of_direction();
      continue;
    }
    if (!inbox_.complete()) return;
    inbox_.end_exchange();
    {
      const PhaseTimer timer(arithmetic_phase);
      transform_.proceed();
    }
    send_parcels();
  }
}

template <class Real>
bool SpherePart<Real>::take_up_next() {
  input_ = starts_.take();
  if (!input_) return false;
  const bool to_points = input_->route == Route::backward;
  output_ = make_message<FieldMessage>(setup_->bytes(part(), to_points));
  output_->number = input_->number;
  output_->part = input_->part;
  output_->route = input_->route;
  auto* const numbers = output_->template trailing<std::byte>();
  const bool through_points = input_->route == Route::there_and_back;
  begin(input_->route == Route::forward ? Direction::forward : Direction::backward,
        input_->template trailing<std::byte>(),
        through_points ? reinterpret_cast<std::byte*>(points_.data()) : numbers);
  return true;
}

template <class Real>
void SpherePart<Real>::begin(Direction direction, const void* from, void* to) {
  direction_ = direction;
  {
    const PhaseTimer timer(arithmetic_phase);
    transform_.begin(direction, from, to);
  }
  send_parcels();
}

/// If the transform has come to an exchange.
template <class Real>
void SpherePart<Real>::send_parcels() {
  if (transform_.done()) return;
  const PhaseTimer timer(exchange_phase);
  for (const Parcel& parcel : transform_.sends()) {
    auto message = make_message<ParcelMessage>(parcel.bytes);
    message->exchange = inbox_.exchange();
    message->from = part();
    std::copy_n(parcel.data, parcel.bytes, message->template trailing<std::byte>());
    Base::array()[{parcel.rank, place()}].template send<&SpherePart::parcel>(std::move(message),
                                                                             setup_->settings.lane);
  }
  inbox_.await(static_cast<int>(transform_.receives().size()));
  inbox_.accept_early_ones([&](const ParcelMessage& one) { take(one); });
}

template <class Real>
void SpherePart<Real>::parcel(Ref<const ParcelMessage> message) {
  bool taken = false;
  {
    const PhaseTimer timer(exchange_phase);
    taken = inbox_.accept(std::move(message), [&](const ParcelMessage& one) { take(one); });
  }
  if (taken && inbox_.complete()) work();
}

template <class Real>
void SpherePart<Real>::take(const ParcelMessage& parcel) {
  const std::span<const Parcel> receives = transform_.receives();
  const std::size_t k =
      ParcelInbox::index_of(receives, part(), setup_->settings.plan->ranks(), parcel);
  std::copy_n(parcel.template trailing<std::byte>(), receives[k].bytes, receives[k].data);
  transform_.unpack(k);
}

template <class Real>
void SpherePart<Real>::end_of_direction() {
  if (input_->route == Route::there_and_back && direction_ == Direction::backward) {
    setup_->settings.on_points(*input_, points_.data());
    return begin(Direction::forward, points_.data(), output_->template trailing<std::byte>());
  }
  input_ = {};
  setup_->reply.send(part(), setup_->settings.lane, std::move(output_));
}

template <class Real>
void SpherePart<Real>::archive(Archive& with) {
  if (input_ || !starts_.empty() || !inbox_.keeps_none())
    throw InternalError({.what = "a part of a transform cannot move while the transform goes on",
                         .where = "part " + std::to_string(part()),
                         .hint = "move objects when no transform is under way"});
  with(starts_.next(), inbox_.exchange());
}

template class SpherePart<float>;
template class SpherePart<double>;

}  // namespace fg::fft

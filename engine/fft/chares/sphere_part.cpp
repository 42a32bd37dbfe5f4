// SPDX-License-Identifier: BSD-3-Clause
#include "fft/chares/sphere_part.hpp"

#include <algorithm>
#include <utility>

#include "runtime/archive.hpp"

namespace fg::fft {

namespace {

const Phase arithmetic_phase("sphere transforms: arithmetic");
const Phase exchange_phase("sphere transforms: exchanges");

}  // namespace

template <class Real>
SpherePart<Real>::SpherePart(std::shared_ptr<const SphereSetup<Real>> setup)
    : Base(std::move(setup), arithmetic_phase, exchange_phase) {}

template <class Real>
int SpherePart<Real>::send_parcels() {
  for (const Parcel& parcel : this->transform_.sends()) {
    auto message = make_message<ParcelMessage>(parcel.bytes);
    message->exchange = this->inbox_.exchange();
    message->from = this->part();
    std::copy_n(parcel.data, parcel.bytes, message->template trailing<std::byte>());
    this->array()[{parcel.rank, this->place()}].template send<&SpherePart::parcel>(
        std::move(message), this->lane());
  }
  return static_cast<int>(this->transform_.receives().size());
}

template <class Real>
void SpherePart<Real>::take_early_ones() {
  this->inbox_.accept_early_ones([&](const ParcelMessage& one) { take(one); });
}

template <class Real>
void SpherePart<Real>::take(const ParcelMessage& parcel) {
  const std::span<const Parcel> receives = this->transform_.receives();
  const std::size_t k =
      ParcelInbox::index_of(receives, this->part(), this->setup_->settings.plan->ranks(), parcel);
  std::copy_n(parcel.template trailing<std::byte>(), receives[k].bytes, receives[k].data);
  this->transform_.unpack(k);
}

template <class Real>
void SpherePart<Real>::archive(Archive& with) {
  Base::require_at_rest();
  with(this->starts_.next(), this->inbox_.exchange());
}

template class SpherePart<float>;
template class SpherePart<double>;

}  // namespace fg::fft

// SPDX-License-Identifier: BSD-3-Clause
#include "fft/chares/transform_part.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "runtime/archive.hpp"

namespace fg::fft {

namespace {

const Phase arithmetic_phase("transforms: arithmetic");
const Phase exchange_phase("transforms: exchanges");

constexpr std::size_t index_of(Direction direction) noexcept {
  return direction == Direction::forward ? 0 : 1;
}

}  // namespace

template <class Real>
TransformPart<Real>::TransformPart(std::shared_ptr<const TransformSetup<Real>> setup)
    : Base(std::move(setup), arithmetic_phase, exchange_phase),
      exchanges_(static_cast<std::size_t>(this->transform_.exchanges())) {}

template <class Real>
void TransformPart<Real>::arithmetic_over() {
  const auto& settings = this->setup_->settings;
  if (!settings.charge) return;
  const std::size_t stage = this->direction_ == Direction::forward
                                ? this->stage_
                                : settings.plan->stages().size() - 1 - this->stage_;
  settings.charge(settings.plan->operations(stage, this->part()));
}

template <class Real>
void TransformPart<Real>::direction_over() noexcept {
  ++rounds_[index_of(this->direction_)];
}

template <class Real>
int TransformPart<Real>::send_parcels() {
  if (this->setup_->settings.sending == Sending::exchanges) {
    write_pieces();
    return exchange().sources(*this);
  }
  send_messages();
  return static_cast<int>(this->transform_.receives().size());
}

/// Takes what was here before this part came to the exchange.
template <class Real>
void TransformPart<Real>::take_early_ones() {
  if (this->setup_->settings.sending == Sending::exchanges) {
    if (std::erase(early_rounds_, awaited_round()) > 0) take_pieces();
  } else {
    this->inbox_.accept_early_ones([&](const ParcelMessage& one) { take(one); });
  }
}

// ----- by messages -----

template <class Real>
void TransformPart<Real>::send_messages() {
  for (std::size_t k = 0; k < this->transform_.sends().size(); ++k) {
    const Parcel& parcel = this->transform_.sends()[k];
    auto message = make_message<ParcelMessage>(parcel.bytes);
    message->exchange = this->inbox_.exchange();
    message->from = this->part();
    this->transform_.pack(k, message->template trailing<std::byte>());
    this->array()[{parcel.rank, this->place()}].template send<&TransformPart::parcel>(
        std::move(message), this->setup_->settings.lane);
  }
}

template <class Real>
void TransformPart<Real>::take(const ParcelMessage& parcel) {
  const int parts = this->setup_->settings.plan->ranks();
  this->transform_.unpack(
      ParcelInbox::index_of(this->transform_.receives(), this->part(), parts, parcel),
      parcel.template trailing<std::byte>());
}

// ----- by exchanges -----

template <class Real>
std::size_t TransformPart<Real>::exchange_index() const noexcept {
  return index_of(this->direction_) * exchanges_ + this->stage_;
}

template <class Real>
std::int64_t TransformPart<Real>::awaited_round() const noexcept {
  return round_number(rounds_[index_of(this->direction_)], exchange_index(), 2 * exchanges_);
}

template <class Real>
void TransformPart<Real>::write_pieces() {
  const auto& exchange = this->exchange();
  const std::int64_t round = awaited_round();
  for (std::size_t k = 0; k < this->transform_.sends().size(); ++k)
    this->transform_.pack(k, exchange.template place<std::byte>(*this, static_cast<int>(k), round));
  exchange.sent(*this, round);
}

template <class Real>
void TransformPart<Real>::exchanged(std::int64_t round) {
  if (!this->inbox_.awaiting() || round != awaited_round()) {
    early_rounds_.push_back(round);
    return;
  }
  {
    const PhaseTimer timer(exchange_phase);
    take_pieces();
  }
  Base::work();
}

/// The k-th of receives() is the k-th source in the order of distance, of those that send anything.
template <class Real>
void TransformPart<Real>::take_pieces() {
  const auto& exchange = this->exchange();
  const std::int64_t round = awaited_round();
  const int window = this->setup_->settings.window, sources = exchange.sources(*this);
  const auto receives = this->transform_.receives();
  // Sources are in the order of parts, receives in the same order from this part on.
  std::size_t k = static_cast<std::size_t>(
      std::partition_point(receives.begin(), receives.end(),
                           [&](const Parcel& one) { return one.rank > this->part(); }) -
      receives.begin());
  if (k == receives.size()) k = 0;
  for (int source = 0; source < sources && !receives.empty(); ++source) {
    const int from = exchange.source(*this, source) / window;
    if (receives[k].rank != from) continue;
    this->transform_.unpack(k, exchange.template from<std::byte>(*this, source, round));
    k = (k + 1) % receives.size();
  }
  exchange.release(*this, round);
  this->inbox_.all_here();
}

// ----- moves -----

template <class Real>
void TransformPart<Real>::archive(Archive& with) {
  Base::require_at_rest();
  FG_CHECK(early_rounds_.empty());
  with(this->starts_.next(), this->inbox_.exchange(), rounds_);
}

template class TransformPart<float>;
template class TransformPart<double>;

}  // namespace fg::fft

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
    : setup_(std::move(setup)),
      transform_(setup_->settings.plan, part(), setup_->storage(part(), true),
                 setup_->storage(part(), false), setup_->settings.batch, Wire::exact,
                 Packing::outside),
      exchanges_(static_cast<std::size_t>(transform_.exchanges())),
      starts_(place(), setup_->settings.window) {
  if (setup_->settings.on_waves)
    waves_.resize(setup_->field_bytes(part(), false) / sizeof(std::complex<Real>));
}

template <class Real>
void TransformPart<Real>::start(Ref<const FieldMessage> message) {
  const std::size_t bytes = setup_->field_bytes(part(), message->route != Route::backward);
  if (message->route == Route::there_and_back && !setup_->settings.on_waves)
    throw InternalError({.what = "there and back needs a function of the waves",
                         .where = "transform " + std::to_string(message->number) + " of part " +
                                  std::to_string(part()),
                         .hint = "set on_waves"});
  starts_.add(std::move(message), bytes);
  if (!input_) work();
}

/// Goes on until parcels or a start are missing.
template <class Real>
void TransformPart<Real>::work() {
  for (;;) {
    if (!input_ && !take_up_next()) return;
    if (transform_.done()) {
      end_of_direction();
      continue;
    }
    if (!inbox_.complete()) return;
    inbox_.end_exchange();
    ++stage_;
    {
      const PhaseTimer timer(arithmetic_phase);
      transform_.proceed();
    }
    after_arithmetic();
  }
}

template <class Real>
bool TransformPart<Real>::take_up_next() {
  input_ = starts_.take();
  if (!input_) return false;
  const bool to_points = input_->route != Route::forward;
  output_ = make_message<FieldMessage>(setup_->field_bytes(part(), to_points));
  output_->number = input_->number;
  output_->part = input_->part;
  output_->route = input_->route;
  auto* const numbers = output_->template trailing<std::byte>();
  const bool through_waves = input_->route == Route::there_and_back;
  begin(input_->route == Route::backward ? Direction::backward : Direction::forward,
        input_->template trailing<std::byte>(),
        through_waves ? reinterpret_cast<std::byte*>(waves_.data()) : numbers);
  return true;
}

template <class Real>
void TransformPart<Real>::begin(Direction direction, const void* from, void* to) {
  direction_ = direction;
  stage_ = 0;
  {
    const PhaseTimer timer(arithmetic_phase);
    transform_.begin(direction, from, to);
  }
  after_arithmetic();
}

template <class Real>
void TransformPart<Real>::after_arithmetic() {
  const auto& settings = setup_->settings;
  if (settings.charge) {
    const std::size_t stage =
        direction_ == Direction::forward ? stage_ : settings.plan->stages().size() - 1 - stage_;
    settings.charge(settings.plan->operations(stage, part()));
  }
  if (transform_.done()) return;
  const PhaseTimer timer(exchange_phase);
  if (settings.sending == Sending::exchanges) {
    write_fragments();
    inbox_.await(
        setup_->exchanges[static_cast<std::size_t>(place())][exchange_index()].sources(*this));
  } else {
    send_messages();
    inbox_.await(static_cast<int>(transform_.receives().size()));
  }
  take_early_ones();
}

/// At the end of forward or backward.
template <class Real>
void TransformPart<Real>::end_of_direction() {
  ++rounds_[index_of(direction_)];
  if (input_->route == Route::there_and_back && direction_ == Direction::forward) {
    setup_->settings.on_waves(*input_, waves_.data());
    return begin(Direction::backward, waves_.data(), output_->template trailing<std::byte>());
  }
  input_ = {};
  setup_->reply.send(part(), setup_->settings.lane, std::move(output_));
}

// ----- by messages -----

template <class Real>
void TransformPart<Real>::send_messages() {
  for (std::size_t k = 0; k < transform_.sends().size(); ++k) {
    const Parcel& parcel = transform_.sends()[k];
    auto message = make_message<ParcelMessage>(parcel.bytes);
    message->exchange = inbox_.exchange();
    message->from = part();
    transform_.pack(k, message->template trailing<std::byte>());
    Base::array()[{parcel.rank, place()}].template send<&TransformPart::parcel>(
        std::move(message), setup_->settings.lane);
  }
}

template <class Real>
void TransformPart<Real>::parcel(Ref<const ParcelMessage> message) {
  bool taken = false;
  {
    const PhaseTimer timer(exchange_phase);
    taken = inbox_.accept(std::move(message), [&](const ParcelMessage& one) { take(one); });
  }
  if (taken && inbox_.complete()) work();
}

template <class Real>
void TransformPart<Real>::take(const ParcelMessage& parcel) {
  const int parts = setup_->settings.plan->ranks();
  transform_.unpack(ParcelInbox::index_of(transform_.receives(), part(), parts, parcel),
                    parcel.template trailing<std::byte>());
}

/// Those that were here before this part came to the exchange.
template <class Real>
void TransformPart<Real>::take_early_ones() {
  if (setup_->settings.sending == Sending::exchanges) {
    if (std::erase(early_rounds_, awaited_round()) > 0) take_fragments();
    return;
  }
  inbox_.accept_early_ones([&](const ParcelMessage& one) { take(one); });
}

// ----- by exchanges -----

template <class Real>
std::size_t TransformPart<Real>::exchange_index() const noexcept {
  return index_of(direction_) * exchanges_ + stage_;
}

template <class Real>
std::int64_t TransformPart<Real>::awaited_round() const noexcept {
  return round_number(rounds_[index_of(direction_)], exchange_index(), 2 * exchanges_);
}

template <class Real>
void TransformPart<Real>::write_fragments() {
  const auto& exchange = setup_->exchanges[static_cast<std::size_t>(place())][exchange_index()];
  const std::int64_t round = awaited_round();
  for (std::size_t k = 0; k < transform_.sends().size(); ++k)
    transform_.pack(k, exchange.template place<std::byte>(*this, static_cast<int>(k), round));
  exchange.sent(*this, round);
}

template <class Real>
void TransformPart<Real>::exchanged(std::int64_t round) {
  if (!inbox_.awaiting() || round != awaited_round()) {
    early_rounds_.push_back(round);
    return;
  }
  {
    const PhaseTimer timer(exchange_phase);
    take_fragments();
  }
  work();
}

/// The k-th of receives() is the k-th source in the order of distance, of those that send anything.
template <class Real>
void TransformPart<Real>::take_fragments() {
  const auto& exchange = setup_->exchanges[static_cast<std::size_t>(place())][exchange_index()];
  const std::int64_t round = awaited_round();
  const int window = setup_->settings.window, sources = exchange.sources(*this);
  const auto receives = transform_.receives();
  // Sources are in the order of parts, receives in the same order from this part on.
  std::size_t k = static_cast<std::size_t>(
      std::partition_point(receives.begin(), receives.end(),
                           [&](const Parcel& one) { return one.rank > part(); }) -
      receives.begin());
  if (k == receives.size()) k = 0;
  for (int source = 0; source < sources && !receives.empty(); ++source) {
    const int from = exchange.source(*this, source) / window;
    if (receives[k].rank != from) continue;
    transform_.unpack(k, exchange.template from<std::byte>(*this, source, round));
    k = (k + 1) % receives.size();
  }
  exchange.release(*this, round);
  inbox_.all_here();
}

// ----- moves -----

template <class Real>
void TransformPart<Real>::archive(Archive& with) {
  if (input_ || !starts_.empty() || !inbox_.keeps_none() || !early_rounds_.empty())
    throw InternalError({.what = "a part of a transform cannot move while the transform goes on",
                         .where = "part " + std::to_string(part()),
                         .hint = "move objects when no transform is under way"});
  with(starts_.next(), inbox_.exchange(), rounds_);
}

template class TransformPart<float>;
template class TransformPart<double>;

}  // namespace fg::fft

// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/scheduler.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <span>

#include "runtime/chare.hpp"
#include "runtime/disorder.hpp"
#include "runtime/migration.hpp"
#include "runtime/runtime.hpp"
#include "transport/pool.hpp"

namespace fg {

namespace {
constexpr std::size_t inbox_capacity = 512;
constexpr std::size_t inbox_batch = 64;  // parcels taken in before the next message is processed
constexpr int messages_per_poll = 16;    // messages between two polls of the network, at most
constexpr int most_drives = 8;           // in a row, within an entry
constexpr std::chrono::microseconds drive_interval(50);  // within and between entries
}  // namespace

constinit thread_local Pe* Pe::current_ = nullptr;
constinit thread_local const Runtime* Pe::producer_of_ = nullptr;

Pe::Pe(Runtime& runtime, int rank, std::size_t producers, const IdlePolicy& idle,
       Profiling profiling, std::size_t trace_records)
    : runtime_(&runtime),
      rank_(rank),
      times_sends_(trace_records > 0 || profiling >= Profiling::scheduling),
      profiling_(trace_records > 0 ? Profiling::trace : std::min(profiling, Profiling::scheduling)),
      idle_policy_(idle),
      tracer_(trace_records > 0 ? std::make_unique<Tracer>(trace_records) : nullptr),
      inbox_(inbox_capacity, producers) {}

Pe::~Pe() = default;

void Pe::prepare(int entries) {
  if (profiling_ != Profiling::off) account_.prepare(entries);
}

void Pe::post_timed(Lane lane, Envelope envelope) {
  const SendTimer timer;
  envelope.cause = timer.cause();
  lanes_.push(lane, envelope);
}

void Pe::post_from_elsewhere(Pe* here, Parcel parcel, std::size_t messages) {
  const SendTimer timer;
  if (here && here->runtime_ == runtime_) [[likely]] {
    parcel.envelope.cause = timer.cause();
    here->counts_.sent(messages);
    here->sent_to_others_ += messages;
    inbox_.push(parcel);
  } else {
    runtime_->quiescence().sent_from_outside(messages);
    runtime_->queued_from_elsewhere(messages);
    inbox_.push_overflow(parcel);
  }
  sleep_flag_.wake();
}

void Pe::post_all(Lane lane, const Envelope& envelope, const FanOut& fan_out) {
  Pe* const here = current_;
  if (here == this) {
    const SendTimer timer;
    Parcel parcel{envelope, &fan_out, lane};
    parcel.envelope.cause = timer.cause();
    counts_.sent(fan_out.targets.size());
    unpack(parcel);
  } else {
    post_from_elsewhere(here, {envelope, &fan_out, lane}, fan_out.targets.size());
  }
}

void Pe::unpack(const Parcel& parcel) {
  if (!parcel.fan_out) {
    lanes_.push(parcel.lane, parcel.envelope);
    return;
  }
  Envelope envelope = parcel.envelope;
  for (Location* target : parcel.fan_out->targets) {
    envelope.target = target;
    lanes_.push(parcel.lane, envelope);
  }
}

bool Pe::receive() {
  return inbox_.drain(inbox_batch, [this](const Parcel& parcel) { unpack(parcel); }) != 0;
}

void Pe::deliver(ChareBase& chare, const Envelope& envelope) {
  for (detail::Suspension* who = chare.waiting_.first(); who; who = who->next)
    for (Expectation& wanted : std::span(who->wanted, who->wanted_count)) {
      if (!wanted.needs(envelope)) continue;
      if (who->any) return deliver_alternative(chare, *who, envelope);
      --wanted.remaining;
      if (--who->outstanding == 0) {
        chare.waiting_.remove(*who);
        chare.ready_.add(*who);
      }
      if (profiling_ != Profiling::off) account_.begin_entry(envelope.entry->id);
      if (tracer_) tracer_->begin_message(account_.last(), envelope);
      envelope.entry->invoke(chare, envelope.payload);
      return;
    }
  chare.mailbox_.keep(envelope);
}

/// The messages of an alternative are kept until all are there.
void Pe::deliver_alternative(ChareBase& chare, detail::Suspension& who, const Envelope& envelope) {
  chare.mailbox_.keep(envelope);
  const std::size_t first = detail::take_any(chare, {who.wanted, who.wanted_count});
  if (first == detail::none) return;
  *who.any = first;
  chare.waiting_.remove(who);
  chare.ready_.add(who);
}

void Pe::resume(ChareBase& chare) {
  if (profiling_ != Profiling::off)
    account_.switch_to(Account::first_entry + chare.life_entry_->id);
  if (tracer_) tracer_->begin_resume(account_.last(), chare, *chare.life_entry_);
  while (detail::Suspension* const next = chare.ready_.first()) {
    chare.ready_.remove(*next);
    next->resume();
  }
  if (chare.life_.done()) {
    const Task ended = std::exchange(chare.life_, Task());
    ended.rethrow();
  }
}

template <Profiling profiling>
void Pe::dispatch(Envelope envelope) {
  Location& location = *envelope.target;
  if (location.home.load(std::memory_order_acquire) != this) [[unlikely]]
    return forward(envelope);
  ChareBase& chare = *location.object;
  [[maybe_unused]] const std::uint64_t begin = account_.last();
  if (envelope.step == no_step) {
    if constexpr (profiling != Profiling::off) account_.begin_entry(envelope.entry->id);
    if constexpr (profiling == Profiling::trace) tracer_->begin_message(account_.last(), envelope);
    envelope.entry->invoke(chare, envelope.payload);
  } else {
    deliver(chare, envelope);
  }
  if (!chare.ready_.empty()) resume(chare);
  if constexpr (profiling >= Profiling::scheduling) {
    account_.switch_to(Account::scheduler);
    chare.load_ += account_.last() - begin;
  }
  if constexpr (profiling == Profiling::trace) tracer_->end(account_.last());
  if (chare.destination_ >= 0) [[unlikely]]
    Migration::depart(chare);
  counts_.processed();
}

/// Sends the envelope to the chare's new place.
void Pe::forward(const Envelope& envelope) {
  detail::send_to(*envelope.target, Lane::high, *envelope.entry, envelope.step, envelope.payload);
  counts_.processed();
}

Network* Pe::driven() const noexcept {
  return runtime_->comm_threads() > 0 ? nullptr : runtime_->network();
}

void Pe::drive_network_if_due() {
  Network* const network = driven();
  if (!network) return;
  if (RunClock::now() - driven_ < drive_interval) return;
  until_poll_ = messages_per_poll;
  // What arrived may have to be passed on.
  for (int i = 0; i < most_drives && network->progress(); ++i) {
  }
  driven_ = RunClock::now();
}

void Pe::drive_network() {
  Network* const network = driven();
  until_poll_ = network ? messages_per_poll : std::numeric_limits<int>::max();
  if (!network) return;
  network->progress();
  driven_ = RunClock::now();
}

void Pe::accept(Lane lane, const Envelope& envelope) {
  accept({envelope, nullptr, lane}, 1);
}

void Pe::accept_all(Lane lane, const Envelope& envelope, const FanOut& fan_out) {
  accept({envelope, &fan_out, lane}, fan_out.targets.size());
}

void Pe::accept(const Parcel& parcel, std::size_t messages) {
  runtime_->queued_from_elsewhere(messages);
  if (current_ == this) {
    unpack(parcel);
    return;
  }
  if (producer_of_ == runtime_) {
    inbox_.push(parcel);
  } else {
    inbox_.push_overflow(parcel);
  }
  sleep_flag_.wake();
}

template <Profiling profiling>
void Pe::wait() {
  if constexpr (profiling != Profiling::off) account_.switch_to(Account::idle);
  if constexpr (profiling == Profiling::trace) tracer_->begin_idle(account_.last());
  wait_for_work();
  if constexpr (profiling != Profiling::off) account_.switch_to(Account::scheduler);
  if constexpr (profiling == Profiling::trace) tracer_->end(account_.last());
}

/// The network is driven after some messages, and after some time. Entries may take milliseconds,
/// and what they have sent must not wait for the next ones.
template <Profiling profiling>
void Pe::loop() {
  const bool drives = driven() != nullptr;
  while (!runtime_->stopping()) {
    if (inbox_.ready()) receive();
    if (--until_poll_ <= 0) [[unlikely]] {
      drive_network();
    } else if (drives) {
      drive_network_if_due();
    }
    if (lanes_.empty()) {
      wait<profiling>();
    } else {
      dispatch<profiling>(lanes_.pop());
    }
  }
}

/// The same for tests, with messages in an order drawn from a seed.
template <Profiling profiling>
void Pe::loop_in_disorder(std::uint64_t seed) {
  const bool alone = runtime_->pes() == 1;
  // Every run of a runtime has another order, the same again on one PE.
  Disorder order(
      lanes_, seed + static_cast<std::uint64_t>(rank_) + counts_.processed_total() * 4096, alone);
  while (!runtime_->stopping()) {
    receive();
    if (--until_poll_ <= 0) drive_network();
    drive_network_if_due();
    if (order.ready()) {
      dispatch<profiling>(order.pop());
    } else if (order.empty()) {
      wait<profiling>();
    }
  }
}

template <Profiling profiling>
void Pe::loop_in_order_of(std::uint64_t delivery_seed) {
  if (delivery_seed == 0) {
    loop<profiling>();
  } else {
    loop_in_disorder<profiling>(delivery_seed);
  }
}

bool Pe::something_came() {
  if (Network* const network = driven()) network->progress();
  return inbox_.ready() || !lanes_.empty() || runtime_->stopping();
}

/// Without threads: no other thread can bring a message.
void Pe::wait_in_network() {
  Network* const network = runtime_->network();
  if (!network) {
    runtime_->on_idle();
    return;
  }
  if (something_came()) return;
  network->wait(network->look_for_quiet());
}

void Pe::wait_for_work() {
  if (runtime_->single_threaded()) return wait_in_network();
  if (runtime_->quiescence().requested() && runtime_->on_idle()) return;
  for (int i = 0; i < idle_policy_.spins; ++i) {
    pause_core();
    pause_core();
    if (something_came()) return;
  }
  sleep_flag_.announce();
  if (inbox_.may_hold_items() || runtime_->stopping_for_sleep() || runtime_->on_idle()) {
    sleep_flag_.withdraw();
    return;
  }
  if (driven()) {
    sleep_flag_.sleep_for(idle_policy_.nap);
  } else {
    sleep_flag_.sleep();
  }
}

void Pe::main() {
  try {
    Pool::attach();
  } catch (...) {
    return runtime_->fail(std::current_exception());  // no memory
  }
  current_ = this;
  set_producer(runtime_);
  try {
    if (profiling_ != Profiling::off) account_.start();
    if (tracer_) tracer_->start(account_.last());
    const std::uint64_t seed = runtime_->delivery_seed();
    if (profiling_ == Profiling::off) {
      loop_in_order_of<Profiling::off>(seed);
    } else if (profiling_ == Profiling::entries) {
      loop_in_order_of<Profiling::entries>(seed);
    } else if (profiling_ == Profiling::scheduling) {
      loop_in_order_of<Profiling::scheduling>(seed);
    } else {
      loop_in_order_of<Profiling::trace>(seed);
    }
    if (profiling_ != Profiling::off) account_.finish();
  } catch (...) {
    runtime_->fail(std::current_exception());
  }
  if (tracer_) tracer_->finish(ticks_now());
  current_ = nullptr;
  set_producer(nullptr);
  Pool::detach();
}

void Pe::discard_queued() noexcept {
  while (receive()) {
  }
  while (!lanes_.empty()) {
    const Envelope envelope = lanes_.pop();
    envelope.entry->release(envelope.payload);
  }
}

}  // namespace fg

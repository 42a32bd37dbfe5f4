// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/scheduler.hpp"

#include <sched.h>

#include <algorithm>

#include "runtime/chare.hpp"
#include "runtime/pinning.hpp"
#include "runtime/runtime.hpp"
#include "transport/pool.hpp"

namespace fg {

namespace {
constexpr std::size_t inbox_capacity = 512;
constexpr std::size_t inbox_batch = 64;  // parcels taken in before the next message is run
}  // namespace

constinit thread_local Pe* Pe::current_ = nullptr;

Pe::Pe(Runtime& runtime, int rank, int pes, Profiling profiling, std::size_t trace_records)
    : runtime_(&runtime),
      rank_(rank),
      times_sends_(trace_records > 0 || profiling >= Profiling::scheduling),
      profiling_(trace_records > 0 ? Profiling::trace : std::min(profiling, Profiling::scheduling)),
      idle_policy_(idle_policy(pes, runtime.cores())),
      tracer_(trace_records > 0 ? std::make_unique<Tracer>(trace_records) : nullptr),
      inbox_(inbox_capacity, static_cast<std::size_t>(pes)) {}

Pe::~Pe() = default;

void Pe::prepare(int entries) {
  if (profiling_ != Profiling::off) account_.prepare(entries);
  if (tracer_) tracer_->clear();
}

/// In a traced run, with the time at which the account was switched to sending.
void Pe::sign(Envelope& envelope) const noexcept {
  if (tracer_) envelope.cause = trace_cause(rank_, account_.last());
}

void Pe::post_timed(Lane lane, Envelope envelope) {
  const int before = account_.switch_to(Account::sending);
  sign(envelope);
  lanes_.push(lane, envelope);
  account_.switch_to(before);
}

void Pe::post_from_elsewhere(Pe* here, Parcel parcel, std::size_t messages) {
  const bool timed = here && here->times_sends_;
  const int before = timed ? here->account_.switch_to(Account::sending) : 0;
  if (here && here->runtime_ == runtime_) [[likely]] {
    if (timed) here->sign(parcel.envelope);
    here->counts_.sent(messages);
    here->sent_to_others_ += messages;
    inbox_.push(parcel);
  } else {
    runtime_->quiescence().sent_from_outside(messages);
    inbox_.push_overflow(parcel);
  }
  sleep_flag_.wake();
  if (timed) here->account_.switch_to(before);
}

void Pe::post_all(Lane lane, const Envelope& envelope, const FanOut& fan_out) {
  Pe* const here = current_;
  if (here == this) {
    const int before = times_sends_ ? account_.switch_to(Account::sending) : 0;
    Parcel parcel{envelope, &fan_out, lane};
    if (times_sends_) sign(parcel.envelope);
    counts_.sent(fan_out.targets.size());
    unpack(parcel);
    if (times_sends_) account_.switch_to(before);
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
  for (ChareBase* target : parcel.fan_out->targets) {
    envelope.target = target;
    lanes_.push(parcel.lane, envelope);
  }
}

bool Pe::receive() {
  return inbox_.drain(inbox_batch, [this](const Parcel& parcel) { unpack(parcel); }) != 0;
}

void Pe::deliver(ChareBase& chare, const EntryInfo& entry, std::int64_t step, std::uint64_t payload,
                 std::uint64_t cause) {
  for (std::size_t i = 0; i < chare.wanted_count_; ++i) {
    Expectation& wanted = chare.wanted_[i];
    if (wanted.entry != &entry || wanted.step != step || wanted.remaining <= 0) continue;
    --wanted.remaining;
    if (--chare.outstanding_ == 0) {
      chare.wanted_count_ = 0;
      chare.next_ = chare.waiting_;
    }
    if (profiling_ != Profiling::off) account_.begin_entry(entry.id);
    if (tracer_) tracer_->begin_message(account_.last(), {&chare, &entry, step, payload, cause});
    entry.invoke(chare, payload);
    return;
  }
  chare.mailbox_.keep({&chare, &entry, step, payload, cause});
}

void Pe::resume(ChareBase& chare) {
  if (profiling_ != Profiling::off)
    account_.switch_to(Account::first_entry + chare.life_entry_->id);
  if (tracer_) tracer_->begin_resume(account_.last(), chare, *chare.life_entry_);
  while (chare.next_) std::exchange(chare.next_, nullptr).resume();
  if (chare.life_.done()) {
    const Task ended = std::exchange(chare.life_, Task());
    ended.rethrow();
  }
}

template <Profiling profiling>
void Pe::dispatch(Envelope envelope) {
  ChareBase& chare = *envelope.target;
  if (envelope.step == no_step) {
    if constexpr (profiling != Profiling::off) account_.begin_entry(envelope.entry->id);
    if constexpr (profiling == Profiling::trace) tracer_->begin_message(account_.last(), envelope);
    envelope.entry->invoke(chare, envelope.payload);
  } else {
    deliver(chare, *envelope.entry, envelope.step, envelope.payload, envelope.cause);
  }
  if (chare.next_) resume(chare);
  if constexpr (profiling >= Profiling::scheduling) account_.switch_to(Account::scheduler);
  if constexpr (profiling == Profiling::trace) tracer_->end(account_.last());
  counts_.processed();
}

template <Profiling profiling>
void Pe::loop() {
  while (!runtime_->stopping()) {
    if (inbox_.ready()) receive();
    if (lanes_.empty()) {
      if constexpr (profiling != Profiling::off) account_.switch_to(Account::idle);
      if constexpr (profiling == Profiling::trace) tracer_->begin_idle(account_.last());
      wait_for_work();
      if constexpr (profiling != Profiling::off) account_.switch_to(Account::scheduler);
      if constexpr (profiling == Profiling::trace) tracer_->end(account_.last());
    } else {
      dispatch<profiling>(lanes_.pop());
    }
  }
}

void Pe::wait_for_work() {
  if (runtime_->quiescence().requested() && runtime_->on_idle()) return;
  for (int i = 0; i < idle_policy_.spins; ++i) {
    pause_core();
    pause_core();
    if (inbox_.ready() || runtime_->stopping()) return;
  }
  for (int i = 0; i < idle_policy_.yields; ++i) {
    sched_yield();
    if (receive() || runtime_->stopping()) return;
  }
  sleep_flag_.announce();
  if (inbox_.may_hold_items() || runtime_->stopping_for_sleep() || runtime_->on_idle()) {
    sleep_flag_.withdraw();
    return;
  }
  sleep_flag_.sleep();
}

void Pe::main(bool pinned) {
  if (pinned) pin_to_core(rank_);
  Pool::attach();
  current_ = this;
  try {
    if (tracer_) tracer_->touch();
    if (profiling_ != Profiling::off) account_.start();
    if (tracer_) tracer_->start(account_.last());
    if (profiling_ == Profiling::off) {
      loop<Profiling::off>();
    } else if (profiling_ == Profiling::entries) {
      loop<Profiling::entries>();
    } else if (profiling_ == Profiling::scheduling) {
      loop<Profiling::scheduling>();
    } else {
      loop<Profiling::trace>();
    }
    if (profiling_ != Profiling::off) account_.finish();
  } catch (...) {
    runtime_->fail(std::current_exception());
  }
  if (tracer_) tracer_->finish(ticks_now());
  current_ = nullptr;
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

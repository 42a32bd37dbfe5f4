// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/disorder.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "base/error.hpp"
#include "runtime/array.hpp"
#include "runtime/entry.hpp"

namespace fg {

namespace {

constexpr std::uint64_t deliveries_between_pauses = 512;  // on average
constexpr std::uint64_t most_looks = 32;                  // for other messages, before a wait ends
constexpr std::uint64_t one_is_slow_in = 8;
constexpr std::uint64_t slow_factor = 16;

/// The step of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014, doi:10.1145/2660193.2660195).
std::uint64_t mixed(std::uint64_t x) noexcept {
  x += 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

}  // namespace

std::uint64_t delivery_seed_of_environment() {
  const char* const text = std::getenv(delivery_seed_variable);
  if (!text) return 0;
  std::uint64_t seed = 0;
  const char* const end = text + std::strlen(text);
  const auto [stop, error] = std::from_chars(text, end, seed);
  if (error != std::errc() || stop != end || seed == 0)
    throw InputError({.what = "the seed of the order of messages is not a number",
                      .where = delivery_seed_variable,
                      .value = text,
                      .limit = "a whole number above 0",
                      .hint = "leave the variable unset: it is for tests only"});
  return seed;
}

Disorder::Disorder(Lanes& lanes, std::uint64_t seed, bool alone)
    : lanes_(lanes), seed_(mixed(seed)), alone_(alone), state_(seed_) {
  reach_ = std::uint64_t{2} << draw_below(10);
}

Disorder::~Disorder() {
  for (const Held& one : held_) lanes_.push(Lane::normal, one.envelope);
}

std::uint64_t Disorder::draw() noexcept {
  state_ += 0x9E3779B97F4A7C15u;
  return mixed(state_);
}

/// What is slow changes from time to time.
bool Disorder::is_slow(std::uint64_t what) const noexcept {
  const std::uint64_t epoch = now_ / (slow_factor * reach_);
  return mixed(mixed(what ^ seed_) + epoch) % one_is_slow_in == 0;
}

std::uint64_t Disorder::delay(const Envelope& envelope) noexcept {
  const auto entry = static_cast<std::uint64_t>(envelope.entry->id) + 1;
  const Location& target = *envelope.target;
  const std::uint64_t object = mixed((static_cast<std::uint64_t>(target.array->id) << 32) +
                                     static_cast<std::uint64_t>(target.ordinal));
  std::uint64_t most = draw_below(2) * reach_;
  if (is_slow(object) || is_slow(object + entry) || is_slow(entry)) most = slow_factor * reach_;
  return draw_below(most + 1);
}

/// It is as if the system had taken the core away.
void Disorder::pause() noexcept {
  std::this_thread::sleep_for(std::chrono::microseconds(std::uint64_t{8} << draw_below(7)));
}

bool Disorder::ready() {
  while (!lanes_.empty()) {
    const Envelope envelope = lanes_.pop();
    held_.push_back({now_ + delay(envelope), draw(), envelope});
    std::push_heap(held_.begin(), held_.end());
  }
  if (held_.empty()) return false;
  if (!alone_ && draw_below(deliveries_between_pauses) == 0) pause();
  if (held_.front().due <= now_ || looks_left_ == 0) return true;
  --looks_left_;
  return false;
}

Envelope Disorder::pop() noexcept {
  std::pop_heap(held_.begin(), held_.end());
  const Held first = held_.back();
  held_.pop_back();
  now_ = std::max(now_ + 1, first.due);
  looks_left_ = alone_ ? 0 : draw_below(most_looks);
  return first.envelope;
}

}  // namespace fg

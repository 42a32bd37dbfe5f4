// SPDX-License-Identifier: BSD-3-Clause
//
// What all parts of an array of transforms share.
#pragma once

#include <array>
#include <complex>
#include <functional>
#include <memory>
#include <vector>

#include "fft/chares/transform_messages.hpp"
#include "fft/rank_transform.hpp"
#include "runtime/runtime.hpp"

namespace fg::fft {

template <class Real>
class TransformPart;

/// How parcels travel: each as a message, or by the runtime's exchanges. Exchanges need no memory
/// but their own, and reach another process as one message for all parts there.
enum class Sending { messages, exchanges };

template <class Real>
struct TransformSettings {
  std::shared_ptr<const TransformPlan> plan;  // its ranks are the parts
  std::function<int(int part)> pe;            // the same in all processes
  int batch = 1;                              // fields of one transform
  int window = 1;                             // transforms that may go on at the same time
  Sending sending = Sending::messages;
  Lane lane = Lane::normal;  // of all messages of a transform
  // Where a part's numbers lie in a message; without a function dense, in row-major order.
  std::function<Storage(int part)> points{}, waves{};
  // Changes the waves of a part, with `there_and_back`; called for parts of several PEs at once.
  // `start` is the message with which the part started.
  std::function<void(const FieldMessage& start, std::complex<Real>* waves)> on_waves{};
  // Called after the arithmetic of a part's stage; for machines whose time is simulated.
  std::function<void(double operations)> charge{};
};

/// Where results go: to an element of an array.
struct Reply {
  ArrayCore* clients;
  const EntryInfo* entry;
  bool tagged;

  void send(int client, Lane lane, Ref<FieldMessage> result) const;
};

/// Throws InputError unless an array of transforms has a plan and a map, and a window. It also
/// needs one client for each part, unless a function chooses the clients.
void require_array(bool has_plan_and_map, int window, const Reply& reply, int parts,
                   bool chooses_clients = false);

/// A reply to an entry that takes a Ref<const FieldMessage>.
template <auto Member, class C>
Reply reply_to(const Array<C>& clients) {
  static_assert(EntryOf<Member>::takes_message, "a result is a message");
  return {clients.core(), &EntryOf<Member>::info, false};
}
/// The same for a life that awaits the entry with the number of the transform as its step.
template <auto Member, class C>
Reply reply_at(const Array<C>& clients) {
  Reply reply = reply_to<Member>(clients);
  reply.tagged = true;
  return reply;
}

/// The exchanges, those of forward first; places in the window are their strands. A round of one of
/// them has a number that tells which it is, since they all call the same entry.
template <class Real>
using TransformExchanges = std::vector<Exchange<TransformPart<Real>, TransformPart<Real>>>;

/// The number of a round of exchange `which` of `all`: as odd or even as the round.
constexpr std::int64_t round_number(std::int64_t round, std::size_t which, std::size_t all) {
  const auto pair = round / 2 * static_cast<std::int64_t>(all) + static_cast<std::int64_t>(which);
  return 2 * pair + round % 2;
}

template <class Real>
struct TransformSetup {
  TransformSettings<Real> settings;
  Reply reply;
  TransformExchanges<Real> exchanges{};  // or none

  Storage storage(int part, bool points) const;
  /// The bytes of a message with the points of a part, or its waves.
  std::size_t field_bytes(int part, bool points) const;

  // For PartArray and StagedPart: places, the bytes of messages, and what is done in the middle of
  // there and back.
  int pe(int part, int) const { return settings.pe(part); }
  int client(int part, int) const noexcept { return part; }
  static constexpr const char* turn_name = "on_waves";
  static Direction first_direction(Route route) noexcept {
    return route == Route::backward ? Direction::backward : Direction::forward;
  }
  std::size_t start_bytes(int part, Route route) const {
    return field_bytes(part, route != Route::backward);
  }
  std::size_t result_bytes(int part, Route route) const {
    return field_bytes(part, route != Route::forward);
  }
  bool has_turn() const noexcept { return settings.on_waves != nullptr; }
  std::size_t turn_bytes(int part) const { return field_bytes(part, false); }
  void turn(const FieldMessage& start, std::complex<Real>* waves) const {
    settings.on_waves(start, waves);
  }
};

}  // namespace fg::fft

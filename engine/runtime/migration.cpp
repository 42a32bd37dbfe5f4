// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/migration.hpp"

#include <algorithm>
#include <utility>

#include "runtime/archive.hpp"
#include "runtime/runtime.hpp"

namespace fg {

namespace {

/// Head of a kept message that travels with its chare.
struct KeptHead {
  int entry;
  std::int64_t step;
  std::uint64_t value;
};

}  // namespace

void Migration::set_place(Location& location, int pe, std::uint32_t moves) noexcept {
  location.pe.store(pe, std::memory_order_relaxed);
  location.moves.store(moves, std::memory_order_release);
}

void Migration::depart(ChareBase& chare) {
  if (chare.life_) return;  // the life will end itself
  const int pe = std::exchange(chare.destination_, -1);
  Runtime& runtime = chare.runtime();
  Location& location = *chare.location();
  Pe* const home = runtime.pe_here(pe);
  if (!home) return send_away(chare, pe, true);
  location.pe.store(pe, std::memory_order_relaxed);
  chare.home_ = home;
  location.home.store(home, std::memory_order_release);  // from now on it belongs to the other PE
  detail::send_to(location, Lane::high, EntryOf<&ChareBase::arrive>::info, no_step, 0);
}

void Migration::send_away(ChareBase& chare, int pe, bool restarts) {
  ArrayCore& array = *chare.array_;
  const int ordinal = chare.ordinal_;
  Location& location = *chare.location();
  const Ref<const Message> bytes = pack(chare);
  const std::uint32_t moves = location.moves.load(std::memory_order_relaxed) + 1;
  {
    const std::lock_guard lock(array.moving);
    location.object = nullptr;
    set_place(location, pe, moves);
    location.home.store(nullptr, std::memory_order_release);
  }
  array.objects[static_cast<std::size_t>(ordinal)].reset();
  array.runtime->network()->send_element(array, ordinal, pe, moves, restarts, bytes);
}

void Migration::arrive(ArrayCore& array, int ordinal, int pe, std::uint32_t moves, bool restarts,
                       const Message& bytes) {
  const auto place = static_cast<std::size_t>(ordinal);
  Location& location = array.locations[place];
  Pe* const home = array.runtime->pe_here(pe);
  FG_CHECK(home != nullptr && location.home.load() == nullptr);
  std::unique_ptr<ChareBase> object = array.make_element(ordinal, home);
  unpack(*object, bytes);
  std::vector<ArrayCore::Held> waited;
  {
    const std::lock_guard lock(array.moving);
    location.object = object.get();
    array.objects[place] = std::move(object);
    set_place(location, pe, moves);
    location.home.store(home, std::memory_order_release);
    const auto mine = std::stable_partition(
        array.held.begin(), array.held.end(),
        [&](const ArrayCore::Held& one) { return one.envelope.target != &location; });
    waited.assign(mine, array.held.end());
    array.held.erase(mine, array.held.end());
  }
  // Their senders have already counted them.
  for (const ArrayCore::Held& one : waited) home->accept(one.lane, one.envelope);
  if (restarts)
    detail::send_to(location, Lane::high, EntryOf<&ChareBase::arrive>::info, no_step, 0);
}

void Migration::learn(Location& location, int pe, std::uint32_t moves) {
  const std::lock_guard lock(location.array->moving);
  if (location.home.load(std::memory_order_relaxed) != nullptr) return;
  if (moves >= location.moves.load(std::memory_order_relaxed)) set_place(location, pe, moves);
}

void Migration::place(ChareBase& chare, int pe) {
  Location& location = *chare.location();
  if (chare.life_)
    throw InternalError(
        {.what = "a chare cannot be moved before its life has ended",
         .where = chare.array_->element_name(chare.ordinal_) + " " + chare.describe_wait()});
  if (Pe* const home = chare.runtime().pe_here(pe)) {
    location.pe = pe;
    location.home = home;
    chare.home_ = home;
  } else {
    send_away(chare, pe, false);
  }
}

Ref<const Message> Migration::pack(ChareBase& chare) {
  ByteWriter bytes;
  Archive archive(bytes);
  chare.archive(archive);
  std::uint64_t kept = chare.mailbox_.size();
  archive(kept, chare.load_);
  Envelope envelope;
  while (chare.mailbox_.take(envelope)) {
    const EntryInfo& entry = *envelope.entry;
    KeptHead head{entry.id, envelope.step, entry.carries_message ? 0 : envelope.payload};
    archive(head);
    if (!entry.carries_message) continue;
    auto message = Ref<const Message>::adopt(
        reinterpret_cast<const Message*>(static_cast<std::uintptr_t>(envelope.payload)));
    archive(message);
  }
  return message_of_bytes(std::move(bytes).take());
}

void Migration::unpack(ChareBase& chare, const Message& message) {
  ByteReader bytes(static_cast<const BytesMessage&>(message).bytes());
  Archive archive(bytes);
  chare.archive(archive);
  std::uint64_t kept = 0;
  archive(kept, chare.load_);
  for (; kept > 0; --kept) {
    KeptHead head{};
    archive(head);
    const EntryInfo& entry = entry_with_id(head.entry);
    std::uint64_t payload = head.value;
    if (entry.carries_message) {
      Ref<const Message> one;
      archive(one);
      payload = reinterpret_cast<std::uintptr_t>(one.detach());
    }
    chare.mailbox_.keep({chare.location(), &entry, head.step, payload});
  }
  FG_CHECK(bytes.empty());  // otherwise archive() reads less than it writes
}

}  // namespace fg

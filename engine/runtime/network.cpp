// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/network.hpp"

#include <algorithm>
#include <utility>

#include "base/carried_error.hpp"
#include "base/error.hpp"
#include "base/sha256.hpp"
#include "runtime/migration.hpp"
#include "runtime/runtime.hpp"

namespace fg {

namespace {

constexpr std::size_t spare_bytes = std::size_t{8} << 20;
constexpr std::size_t most_members = 1024;  // of a multicast packet

const Message* message_at(std::uint64_t payload) noexcept {
  return reinterpret_cast<const Message*>(static_cast<std::uintptr_t>(payload));
}

bool is_urgent(Lane lane) noexcept {
  return lane <= Lane::high;
}

Ref<const Message> message_of(const EntryInfo& entry, std::uint64_t payload) noexcept {
  return entry.carries_message ? Ref<const Message>::adopt(message_at(payload)) : nullptr;
}

}  // namespace

Ref<const Message> message_of_bytes(std::span<const std::byte> bytes) {
  auto message = make_message<BytesMessage>(bytes.size());
  std::copy(bytes.begin(), bytes.end(), message->trailing<std::byte>());
  return message;
}

Network::Network(Runtime& runtime, Transport& transport, int pes_here)
    : runtime_(runtime),
      transport_(transport),
      waves_(runtime, *this),
      spare_(std::make_unique_for_overwrite<std::byte[]>(spare_bytes)) {
  check_same_program(pes_here);
}

Network::~Network() = default;

void Network::number_all() {
  const int entries = number_entries();
  for (int id = static_cast<int>(entries_.size()); id < entries; ++id)
    entries_.push_back(&entry_with_id(id));
}

void Network::check_same_program(int pes_here) {
  number_all();
  std::string text = std::to_string(pes_here);
  for (const EntryInfo* entry : entries_) text.append("\n").append(entry->name);
  const auto bytes = std::as_bytes(std::span(text));
  const auto all = transport_.gather(bytes);
  std::vector<std::byte> verdict;
  const auto differs = std::find_if(all.begin(), all.end(), [&](const auto& other) {
    return !std::equal(other.begin(), other.end(), bytes.begin(), bytes.end());
  });
  if (differs != all.end()) {
    const auto rank = static_cast<int>(differs - all.begin());
    verdict = error_to_bytes(std::make_exception_ptr(
        InputError({.what = "the processes differ in their program or in their number of PEs",
                    .where = "process " + std::to_string(rank) + " against process 0",
                    .hint = "start the same executable with the same --pes in all processes"})));
  }
  verdict = transport_.broadcast(std::move(verdict));
  if (!verdict.empty()) std::rethrow_exception(error_from_bytes(verdict));
}

const EntryInfo& Network::entry(int id) const {
  return *entries_.at(static_cast<std::size_t>(id));
}

void Network::count_sent(std::uint64_t messages, bool urgent) {
  Pe* const here = Pe::current();
  if (here && &here->runtime() == &runtime_) {
    here->sent_away(messages, urgent);
  } else {
    runtime_.quiescence().sent_from_outside(messages);
  }
}

void Network::send(Location& to, Lane lane, const EntryInfo& entry, std::int64_t step,
                   std::uint64_t payload) {
  const SendTimer timer;
  const std::uint32_t moves = to.moves.load(std::memory_order_acquire);
  const int there = runtime_.process_of(to.pe.load(std::memory_order_relaxed));
  count_sent(1, is_urgent(lane));
  PacketWords words{.kind = static_cast<std::int32_t>(Kind::entry),
                    .lane = static_cast<std::int32_t>(lane),
                    .entry = entry.id,
                    .array = to.array->id,
                    .element = to.ordinal,
                    .other = static_cast<std::int32_t>(moves),
                    .step = step,
                    .payload = entry.carries_message ? 0 : payload,
                    .cause = timer.cause()};
  // it has arrived here, or will
  if (there == process()) return pass_on(there, to, words, payload);
  transport_.send(there, words, {}, message_of(entry, payload), is_urgent(lane));
}

/// For a message whose element was not here at the last look. Delivers it, keeps it until the
/// element arrives, or sends it to the element's new place.
void Network::pass_on(int from, Location& target, PacketWords words, std::uint64_t payload) {
  const Lane lane = static_cast<Lane>(words.lane);
  const Envelope envelope{&target, &entry(words.entry), words.step, payload, words.cause};
  int pe = 0;
  {
    const std::lock_guard lock(target.array->moving);
    if (Pe* const home = target.home.load(std::memory_order_acquire)) {
      home->accept(lane, envelope);
      return;
    }
    // The sender knows a later move, which was to this process.
    if (static_cast<std::uint32_t>(words.other) > target.moves.load(std::memory_order_relaxed)) {
      target.pe.store(runtime_.first_pe_here(), std::memory_order_relaxed);
      target.moves.store(static_cast<std::uint32_t>(words.other), std::memory_order_release);
    }
    pe = target.pe.load(std::memory_order_relaxed);
    words.other = static_cast<std::int32_t>(target.moves.load(std::memory_order_relaxed));
    if (runtime_.process_of(pe) == process()) {
      target.array->held.push_back({lane, envelope});
      return;
    }
  }
  words.kind = static_cast<std::int32_t>(Kind::entry);
  words.element = target.ordinal;
  const int there = runtime_.process_of(pe);
  transport_.send(there, words, {}, message_of(*envelope.entry, payload), is_urgent(lane));
  if (from != there && from != process())
    transport_.send(from,
                    {.kind = static_cast<std::int32_t>(Kind::whereabouts),
                     .array = words.array,
                     .element = words.element,
                     .other = words.other,
                     .payload = static_cast<std::uint64_t>(pe)},
                    {}, nullptr);
}

void Network::send_element(const ArrayCore& array, int ordinal, int pe, std::uint32_t moves,
                           bool restarts, Ref<const Message> bytes) {
  count_sent(1, true);
  transport_.send(runtime_.process_of(pe),
                  {.kind = static_cast<std::int32_t>(Kind::element),
                   .entry = restarts ? 1 : 0,
                   .array = array.id,
                   .element = ordinal,
                   .other = static_cast<std::int32_t>(moves),
                   .payload = static_cast<std::uint64_t>(pe)},
                  {}, std::move(bytes), true);
}

void Network::multicast(const ArrayCore& array, int process, std::span<const int> members,
                        Lane lane, const EntryInfo& entry, std::int64_t step,
                        std::uint64_t payload) {
  const SendTimer timer;
  const Ref<const Message> message = message_of(entry, payload);
  const bool urgent = is_urgent(lane);
  count_sent(members.size(), urgent);
  for (std::size_t at = 0; at < members.size(); at += most_members)
    transport_.send(process,
                    {.kind = static_cast<std::int32_t>(Kind::multicast),
                     .lane = static_cast<std::int32_t>(lane),
                     .entry = entry.id,
                     .array = array.id,
                     .step = step,
                     .payload = entry.carries_message ? 0 : payload,
                     .cause = timer.cause()},
                    members.subspan(at, std::min(most_members, members.size() - at)), message,
                    urgent);
}

void Network::contribute(int process, int reduction, int node, int place, std::int64_t step,
                         Ref<const Message> values) {
  count_sent(1, false);
  transport_.send(process,
                  {.kind = static_cast<std::int32_t>(Kind::contribution),
                   .entry = node,
                   .array = reduction,
                   .element = place,
                   .step = step},
                  {}, std::move(values));
}

void Network::send_round(int process, int exchange, int parcel, std::int64_t round,
                         Ref<const Message> pieces) {
  const SendTimer timer;
  count_sent(1, true);
  transport_.send(process,
                  {.kind = static_cast<std::int32_t>(Kind::round),
                   .array = exchange,
                   .element = parcel,
                   .step = round,
                   .cause = timer.cause()},
                  {}, std::move(pieces), true);
}

void Network::tell(int process, Word word, std::uint64_t number, int other,
                   Ref<const Message> message) {
  transport_.send(process,
                  {.kind = static_cast<std::int32_t>(Kind::word),
                   .entry = static_cast<std::int32_t>(word),
                   .element = other,
                   .step = run_.load(std::memory_order_relaxed),
                   .payload = number},
                  {}, std::move(message), true);
}

void Network::tell_all(Word word, Ref<const Message> message) {
  for (int other = 0; other < processes(); ++other)
    if (other != process()) tell(other, word, 0, 0, message);
}

bool Network::progress() {
  try {
    return transport_.progress(*this);
  } catch (...) {
    broken_ = true;
    throw;
  }
}

void Network::wait(double at_most) {
  try {
    transport_.wait(*this, at_most);
  } catch (...) {
    broken_ = true;
    throw;
  }
}

bool Network::full() const noexcept {
  if (runtime_.stopping()) return false;  // nobody would process it
  return runtime_.backlog() > backlog_per_pe * runtime_.pes_here();
}

std::uint64_t Network::payload_of(const EntryInfo& entry, const PacketWords& words,
                                  Ref<const Message> message) const {
  if (!entry.carries_message) return words.payload;
  return reinterpret_cast<std::uintptr_t>(message.detach());
}

void Network::receive(int from, const PacketWords& words, std::span<const std::int32_t> list,
                      Ref<const Message> message) {
  const auto location = [&](int ordinal) -> Location& {
    return runtime_.arrays()
        .at(static_cast<std::size_t>(words.array))
        ->locations.at(static_cast<std::size_t>(ordinal));
  };
  const auto accept = [&](int ordinal, std::uint64_t payload) {
    Location& target = location(ordinal);
    if (Pe* const home = target.home.load(std::memory_order_acquire)) {
      home->accept(static_cast<Lane>(words.lane),
                   {&target, &entry(words.entry), words.step, payload, words.cause});
    } else {
      pass_on(from, target, words, payload);
    }
  };
  switch (static_cast<Kind>(words.kind)) {
    case Kind::entry:
      accept(words.element, payload_of(entry(words.entry), words, std::move(message)));
      return;
    case Kind::multicast: {
      if (message) message->add_references(static_cast<std::uint32_t>(list.size() - 1));
      const std::uint64_t payload = payload_of(entry(words.entry), words, std::move(message));
      for (const std::int32_t ordinal : list) accept(ordinal, payload);
      return;
    }
    case Kind::element:
      Migration::arrive(*location(words.element).array, words.element,
                        static_cast<int>(words.payload), static_cast<std::uint32_t>(words.other),
                        words.entry != 0, *message);
      runtime_.quiescence().processed_outside(1);
      return;
    case Kind::whereabouts:
      return Migration::learn(location(words.element), static_cast<int>(words.payload),
                              static_cast<std::uint32_t>(words.other));
    case Kind::contribution:
      runtime_.reduction(words.array)
          .receive(words.entry, words.element, words.step, std::move(message));
      runtime_.quiescence().processed_outside(1);
      return;
    case Kind::round:
      runtime_.exchange(words.array).receive(from, words.element, words.step, message, words.cause);
      runtime_.quiescence().processed_outside(1);
      return;
    case Kind::spread:
      return receive_spread(words, list, std::move(message));
    case Kind::word:
      break;
  }
  if (words.step < run_.load(std::memory_order_relaxed)) return;
  if (words.step > run_.load(std::memory_order_relaxed)) {
    const std::lock_guard lock(early_mutex_);
    early_.push_back({from, words, std::move(message)});
    return;
  }
  hear(from, words, message);
}

void Network::hear(int from, const PacketWords& words, const Ref<const Message>& message) {
  const auto bytes = [&] { return static_cast<const BytesMessage&>(*message).bytes(); };
  const auto text = [&] {
    return std::string(reinterpret_cast<const char*>(bytes().data()), bytes().size());
  };
  Quiescence& quiescence = runtime_.quiescence();
  switch (static_cast<Word>(words.entry)) {
    case Word::stop:
      stop_told_ = true;
      return runtime_.stop_here();
    case Word::failure:
      failure_told_ = true;
      return runtime_.fail_here(error_from_bytes(bytes()));
    case Word::ask_processed:
      return tell(from, Word::tell_processed, quiescence.processed(runtime_.all_pes()));
    case Word::tell_processed:
      return waves_.processed(words.payload);
    case Word::ask_sent:
      return tell(from, Word::tell_sent, quiescence.sent(runtime_.all_pes()),
                  runtime_.stopping() ? Waves::stops : static_cast<int>(quiescence.requests()));
    case Word::tell_sent:
      return waves_.sent(words.payload, words.element);
    case Word::fire:
      runtime_.fire_requests();
      return tell(from, Word::fired);
    case Word::fired:
      return waves_.fired();
    case Word::ask_waiting: {
      const std::string who = runtime_.describe_waiting();
      return tell(from, Word::tell_waiting, 0, 0, message_of_bytes(std::as_bytes(std::span(who))));
    }
    case Word::tell_waiting:
      return waves_.waiting(text());
  }
}

void Network::begin_run() {
  stop_told_ = false;
  failure_told_ = false;
  waves_.begin_run();
  number_all();
  std::vector<Early> early;
  {
    const std::lock_guard lock(early_mutex_);
    ++run_;
    early.swap(early_);
  }
  for (const Early& one : early) hear(one.from, one.words, one.message);
}

void Network::end_run() {
  if (broken_) return;
  transport_.settle(*this);
}

void Network::announce_stop() noexcept {
  if (!stop_told_.exchange(true)) tell_all(Word::stop);
}

void Network::announce_failure(const std::exception_ptr& error) noexcept {
  if (failure_told_.exchange(true)) return;
  spare_.reset();  // frees memory, in case memory has run out
  const std::string where = "process " + std::to_string(process());
  tell_all(Word::failure, message_of_bytes(error_to_bytes(error, where)));
}

}  // namespace fg

// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/exchange.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "runtime/runtime.hpp"

namespace fg {

namespace {

constexpr std::size_t alignment = 64;
constexpr std::size_t aligned(std::size_t bytes) noexcept {
  return (bytes + alignment - 1) / alignment * alignment;
}
constexpr std::size_t generation(std::int64_t round) noexcept {
  return static_cast<std::size_t>(round) & 1u;
}

struct RoundMessage : Message {};

}  // namespace

/// What a target of this process gets.
struct ExchangeCore::Inbox {
  struct Round {
    AlignedVector<std::byte> stored;           // fragments from this process
    std::vector<const std::byte*> from;        // [sources]
    std::vector<Ref<const Message>> messages;  // that `from` points into
    std::mutex message_mutex;
    std::atomic<int> missing{0};
    std::atomic<bool> held{false};  // whole and not yet released
  };
  int target = 0;
  std::vector<int> sources;
  std::vector<std::size_t> bytes;  // [sources]
  std::size_t stored = 0;          // bytes from this process
  std::array<Round, 2> rounds;
};

/// What this process sends to another one in a round.
struct ExchangeCore::Wire {
  int process = 0;
  int fragments = 0;
  std::size_t bytes = 0;
  struct Round {
    Ref<RoundMessage> message;
    std::atomic<int> missing{0};
  };
  std::array<Round, 2> rounds;

  void prepare(Round& round) {
    round.message = make_message<RoundMessage>(bytes);
    round.missing.store(fragments, std::memory_order_release);
  }
};

ExchangeCore::ExchangeCore(ArrayCore& sources, ArrayCore& targets, const Plan& plan,
                           const EntryInfo& entry, Lane lane)
    : sources_(sources), targets_(targets), entry_(entry), lane_(lane) {
  for (int source = 0; source < static_cast<int>(sources.locations.size()); ++source) {
    plan_.push_back(plan(source));
    for (const Link& link : plan_.back())
      FG_CHECK(link.target >= 0 && link.target < static_cast<int>(targets.locations.size()));
  }
  renew();
}

ExchangeCore::~ExchangeCore() = default;

void ExchangeCore::renew() {
  const Runtime& runtime = *sources_.runtime;
  const auto process_of = [&](const ArrayCore& array, std::size_t ordinal) {
    return runtime.process_of(array.locations[ordinal].pe);
  };
  const int here = runtime.process();
  ways_.assign(plan_.size(), {});
  inboxes_.clear();
  inboxes_.resize(targets_.locations.size());
  wires_.clear();
  wires_.resize(static_cast<std::size_t>(runtime.processes()));
  landings_.assign(wires_.size(), {});
  // In the order of sources and links, which is the same in both processes of a wire.
  std::vector<std::size_t> incoming(wires_.size());
  for (std::size_t source = 0; source < plan_.size(); ++source) {
    const int from = process_of(sources_, source);
    for (const Link& link : plan_[source]) {
      const auto target = static_cast<std::size_t>(link.target);
      const int to = process_of(targets_, target);
      Way way{.link = link};
      if (to == here) {
        auto& inbox = inboxes_[target];
        if (!inbox) {
          inbox = std::make_unique<Inbox>();
          inbox->target = link.target;
        }
        way.inbox = inbox.get();
        way.k = static_cast<int>(inbox->sources.size());
        inbox->sources.push_back(static_cast<int>(source));
        inbox->bytes.push_back(link.bytes);
        if (from == here) {
          way.offset = inbox->stored;
          inbox->stored += aligned(link.bytes);
        } else {
          std::size_t& offset = incoming[static_cast<std::size_t>(from)];
          landings_[static_cast<std::size_t>(from)].push_back({inbox.get(), way.k, offset});
          offset += aligned(link.bytes);
        }
      } else if (from == here) {
        auto& wire = wires_[static_cast<std::size_t>(to)];
        if (!wire) {
          wire = std::make_unique<Wire>();
          wire->process = to;
        }
        way.wire = wire.get();
        way.offset = wire->bytes;
        wire->bytes += aligned(link.bytes);
        ++wire->fragments;
      }
      if (from == here) ways_[source].push_back(way);
    }
  }
  for (const auto& inbox : inboxes_) {
    if (!inbox) continue;
    for (Inbox::Round& round : inbox->rounds) {
      round.stored.resize(inbox->stored);
      round.from.assign(inbox->sources.size(), nullptr);
      round.missing = static_cast<int>(inbox->sources.size());
    }
  }
  for (const auto& ways : ways_)
    for (const Way& way : ways)
      if (way.inbox)
        for (Inbox::Round& round : way.inbox->rounds)
          round.from[static_cast<std::size_t>(way.k)] = round.stored.data() + way.offset;
  for (const auto& wire : wires_)
    if (wire)
      for (Wire::Round& round : wire->rounds) wire->prepare(round);
}

ExchangeCore::Way& ExchangeCore::way(int source, int link) noexcept {
  return ways_[static_cast<std::size_t>(source)][static_cast<std::size_t>(link)];
}

int ExchangeCore::links(int source) const noexcept {
  return static_cast<int>(plan_[static_cast<std::size_t>(source)].size());
}
int ExchangeCore::target(int source, int link) const noexcept {
  return plan_[static_cast<std::size_t>(source)][static_cast<std::size_t>(link)].target;
}

std::byte* ExchangeCore::place(int source, int link, std::int64_t round) {
  const Way& to = way(source, link);
  if (to.wire) return to.wire->rounds[generation(round)].message->trailing<std::byte>() + to.offset;
  Inbox::Round& there = to.inbox->rounds[generation(round)];
  if (there.held.load(std::memory_order_acquire))
    throw InternalError(
        {.what = "a source of an exchange is two rounds ahead of its target",
         .where = targets_.element_name(to.link.target),
         .value = "round " + std::to_string(round) + " of " + sources_.element_name(source),
         .hint = "the target has to answer before the round after the next"});
  return there.stored.data() + to.offset;
}

void ExchangeCore::sent(int source, int link, std::int64_t round) {
  const Way& to = way(source, link);
  if (to.inbox) return arrived(*to.inbox, round);
  Wire& wire = *to.wire;
  Wire::Round& out = wire.rounds[generation(round)];
  if (out.missing.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  Ref<const Message> message = std::move(out.message);
  wire.prepare(out);
  sources_.runtime->network()->send_round(wire.process, id_, round, std::move(message));
}

void ExchangeCore::receive(int process, std::int64_t round, Ref<const Message> message,
                           std::uint64_t cause) {
  const auto* const bytes = message->trailing<std::byte>();
  for (const Landing& landing : landings_[static_cast<std::size_t>(process)]) {
    Inbox::Round& in = landing.inbox->rounds[generation(round)];
    FG_CHECK(!in.held.load(std::memory_order_acquire));
    in.from[static_cast<std::size_t>(landing.k)] = bytes + landing.offset;
    {
      const std::lock_guard lock(in.message_mutex);
      if (in.messages.empty() || in.messages.back() != message) in.messages.push_back(message);
    }
    arrived(*landing.inbox, round, cause);
  }
}

void ExchangeCore::arrived(Inbox& inbox, std::int64_t round, std::uint64_t cause) {
  Inbox::Round& in = inbox.rounds[generation(round)];
  if (in.missing.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  in.missing.store(static_cast<int>(inbox.sources.size()), std::memory_order_relaxed);
  in.held.store(true, std::memory_order_release);
  Location& target = targets_.locations[static_cast<std::size_t>(inbox.target)];
  const auto payload = static_cast<std::uint64_t>(round);
  Pe* const home = target.home.load(std::memory_order_acquire);
  if (cause == 0 || !home) return detail::send_to(target, lane_, entry_, no_step, payload);
  // In a trace it is the sender of the last fragments, in another process, whom the target awaited.
  targets_.runtime->quiescence().sent_from_outside(1);
  home->accept(lane_, {&target, &entry_, no_step, payload, cause});
}

int ExchangeCore::sources(int target) const noexcept {
  const auto& inbox = inboxes_[static_cast<std::size_t>(target)];
  return inbox ? static_cast<int>(inbox->sources.size()) : 0;
}
int ExchangeCore::source(int target, int k) const noexcept {
  return inboxes_[static_cast<std::size_t>(target)]->sources[static_cast<std::size_t>(k)];
}

std::span<const std::byte> ExchangeCore::from(int target, int k,
                                              std::int64_t round) const noexcept {
  const Inbox& inbox = *inboxes_[static_cast<std::size_t>(target)];
  const auto i = static_cast<std::size_t>(k);
  return {inbox.rounds[generation(round)].from[i], inbox.bytes[i]};
}

void ExchangeCore::release(int target, std::int64_t round) noexcept {
  Inbox::Round& in = inboxes_[static_cast<std::size_t>(target)]->rounds[generation(round)];
  in.messages.clear();
  in.held.store(false, std::memory_order_release);
}

ExchangeCore* detail::make_exchange(ArrayCore* sources, ArrayCore* targets,
                                    const ExchangeCore::Plan& plan, const EntryInfo& entry,
                                    Lane lane) {
  auto core = std::make_unique<ExchangeCore>(*sources, *targets, plan, entry, lane);
  ExchangeCore* const raw = core.get();
  raw->set_id(sources->runtime->keep_exchange(std::move(core)));
  return raw;
}

}  // namespace fg

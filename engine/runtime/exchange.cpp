// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/exchange.hpp"

#include <limits>
#include <map>
#include <string>
#include <utility>

#include "base/round_up.hpp"
#include "runtime/runtime.hpp"

namespace fg {

namespace {

struct RoundMessage : Message {};

}  // namespace

/// The data that this process sends to another one in a round.
struct ExchangeCore::Wire {
  int process = 0;
  int feeds = 0;
  std::size_t bytes = 0;
  struct Round {
    Ref<RoundMessage> message;
    std::atomic<int> missing{0};  // feeds
  };
  std::array<Round, 2> rounds;
  bool shared = false;  // the data is in shared memory; no messages are sent

  void prepare(Round& round) const {
    if (!shared) round.message = make_message<RoundMessage>(bytes);
    round.missing.store(feeds, std::memory_order_release);
  }
};

ExchangeCore::ExchangeCore(ArrayCore& sources, ArrayCore& targets, const Plan& plan,
                           const EntryInfo& entry, Lane lane)
    : sources_(sources), targets_(targets), entry_(entry), lane_(lane) {
  for (int source = 0; source < static_cast<int>(sources.locations.size()); ++source) {
    plan_.push_back(plan(source));
    for (const Link& link : plan_.back()) {
      FG_CHECK(link.target >= 0 && link.target < static_cast<int>(targets.locations.size()));
      if (link.bytes >= 64) alignment_ = 64;
    }
  }
  renew();
}

ExchangeCore::~ExchangeCore() = default;

std::size_t ExchangeCore::aligned(std::size_t bytes) const noexcept {
  return round_up(bytes, alignment_);
}

void ExchangeCore::renew() {
  const Runtime& runtime = *sources_.runtime;
  const auto processes = static_cast<std::size_t>(runtime.processes());
  const auto process_of = [&](const ArrayCore& array, std::size_t ordinal) {
    return static_cast<std::size_t>(runtime.process_of(array.locations[ordinal].pe));
  };
  const auto here = static_cast<std::size_t>(runtime.process());
  first_way_.assign(plan_.size(), {});
  ways_.clear();
  outlets_.clear();
  feeds_.clear();
  inboxes_.clear();
  inboxes_.resize(targets_.locations.size());
  wires_.clear();
  wires_.resize(processes);
  landings_.assign(processes, {});
  std::vector<std::size_t> incoming(processes);  // bytes from each process
  // fragments of a process at a target
  std::map<std::pair<std::size_t, int>, std::size_t> landings;
  std::vector<Inside> inside;
  // In the order of sources and links, which is the same at both ends of a wire.
  for (std::size_t source = 0; source < plan_.size(); ++source) {
    const std::size_t from = process_of(sources_, source);
    std::vector<int> feeds(processes, -1);  // of this source
    if (from == here)
      first_way_[source] = {static_cast<int>(ways_.size()), static_cast<int>(plan_[source].size())};
    for (const Link& link : plan_[source]) {
      const std::size_t to = process_of(targets_, static_cast<std::size_t>(link.target));
      if (from == here && to == here) {
        inside.push_back(store_inside(static_cast<int>(source), link));
      } else if (to == here) {
        const auto [known, is_new] =
            landings.try_emplace({from, link.target}, landings_[from].size());
        if (is_new) begin_landing(from, link.target);
        land(landings_[from][known->second], static_cast<int>(source), incoming[from]);
        incoming[from] += aligned(link.bytes);
      } else if (from == here) {
        send_out(to, link, feeds[to]);
      }
    }
  }
  for (const auto& inbox : inboxes_) {
    if (!inbox) continue;
    inbox->stored.resize(2 * inbox->stored_bytes);
    for (std::size_t half = 0; half < 2; ++half) {
      inbox->from[half].assign(inbox->sources.size(), nullptr);
      inbox->messages[half].resize(inbox->processes);
      inbox->gates[half].inbox = inbox.get();
      inbox->gates[half].missing = static_cast<int>(inbox->sources.size());
    }
  }
  for (const Inside& it : inside) {
    Inbox& inbox = *it.inbox;
    Way& way = ways_[it.way];
    way.place = inbox.stored.data() + it.offset;
    way.gates = inbox.gates.data();
    FG_CHECK(inbox.stored_bytes <= std::numeric_limits<std::uint32_t>::max());
    way.apart = static_cast<std::uint32_t>(inbox.stored_bytes);
    for (std::size_t half = 0; half < 2; ++half)
      inbox.from[half][it.k] = way.place + half * way.apart;
  }
  for (Feed& feed : feeds_) feed.missing.fill(feed.fragments);
  if (runtime.network()) share_memory(incoming);
  for (const auto& wire : wires_)
    if (wire)
      for (Wire::Round& round : wire->rounds) wire->prepare(round);
}

ExchangeCore::Inbox& ExchangeCore::inbox_of(int target) {
  auto& inbox = inboxes_[static_cast<std::size_t>(target)];
  if (!inbox) {
    inbox = std::make_unique<Inbox>();
    inbox->target = target;
  }
  return *inbox;
}

ExchangeCore::Inside ExchangeCore::store_inside(int source, const Link& link) {
  Inbox& inbox = inbox_of(link.target);
  const Inside inside{.way = ways_.size(),
                      .inbox = &inbox,
                      .k = inbox.sources.size(),
                      .offset = inbox.stored_bytes};
  ways_.emplace_back();
  inbox.sources.push_back(source);
  inbox.stored_bytes += aligned(link.bytes);
  return inside;
}

void ExchangeCore::begin_landing(std::size_t from, int target) {
  Inbox& inbox = inbox_of(target);
  landings_[from].push_back({.inbox = &inbox, .slot = inbox.processes++});
}

void ExchangeCore::land(Landing& landing, int source, std::size_t offset) {
  landing.fragments.push_back({landing.inbox->sources.size(), offset});
  landing.inbox->sources.push_back(source);
}

void ExchangeCore::send_out(std::size_t to, const Link& link, int& feed) {
  auto& wire = wires_[to];
  if (!wire) {
    wire = std::make_unique<Wire>();
    wire->process = static_cast<int>(to);
  }
  if (feed < 0) {
    feed = static_cast<int>(feeds_.size());
    feeds_.push_back({.wire = wire.get()});
    ++wire->feeds;
  }
  ++feeds_[static_cast<std::size_t>(feed)].fragments;
  ways_.push_back({.outlet = static_cast<int>(outlets_.size())});
  outlets_.push_back({feed, wire->bytes});
  wire->bytes += aligned(link.bytes);
}

int ExchangeCore::target(int source, int link) const noexcept {
  return plan_[static_cast<std::size_t>(source)][static_cast<std::size_t>(link)].target;
}

/// The memory for both rounds between two processes of a host, one round after the other. A source
/// writes a round only after its targets have released the round before the previous one, so nobody
/// reads that memory any more.
void ExchangeCore::share_memory(std::span<const std::size_t> incoming) {
  shared_.reset();
  std::vector<std::size_t> outgoing(wires_.size());
  for (std::size_t to = 0; to < wires_.size(); ++to)
    if (wires_[to]) outgoing[to] = 2 * wires_[to]->bytes;
  shared_ = sources_.runtime->network()->transport().share(outgoing);
  if (!shared_) return;
  for (Way& way : ways_) {
    if (way.gates) continue;
    const Outlet& outlet = outlets_[static_cast<std::size_t>(way.outlet)];
    Wire& wire = *feeds_[static_cast<std::size_t>(outlet.feed)].wire;
    std::byte* const part = shared_->to(wire.process);
    if (!part) continue;
    wire.shared = true;
    FG_CHECK(wire.bytes <= std::numeric_limits<std::uint32_t>::max());
    way.place = part + outlet.offset;
    way.apart = static_cast<std::uint32_t>(wire.bytes);
  }
  for (std::size_t from = 0; from < landings_.size(); ++from) {
    const std::byte* const part = shared_->from(static_cast<int>(from));
    if (!part) continue;
    for (const Landing& landing : landings_[from])
      for (const auto& [k, offset] : landing.fragments)
        for (std::size_t half = 0; half < 2; ++half)
          landing.inbox->from[half][k] = part + half * incoming[from] + offset;
  }
}

std::byte* ExchangeCore::place_in_message(const Way& way, std::size_t half) const {
  const Outlet& outlet = outlets_[static_cast<std::size_t>(way.outlet)];
  const Wire& wire = *feeds_[static_cast<std::size_t>(outlet.feed)].wire;
  return wire.rounds[half].message->trailing<std::byte>() + outlet.offset;
}

void ExchangeCore::sent_elsewhere(const Way& way, std::int64_t round) {
  const Outlet& outlet = outlets_[static_cast<std::size_t>(way.outlet)];
  Feed& feed = feeds_[static_cast<std::size_t>(outlet.feed)];
  const std::size_t half = generation(round);
  if (--feed.missing[half] != 0) return;
  feed.missing[half] = feed.fragments;
  Wire& wire = *feed.wire;
  Wire::Round& out = wire.rounds[half];
  if (out.missing.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  Ref<const Message> message = std::move(out.message);
  wire.prepare(out);
  sources_.runtime->network()->send_round(wire.process, id_, round, std::move(message));
}

void ExchangeCore::receive(int process, std::int64_t round, const Ref<const Message>& message,
                           std::uint64_t cause) {
  const std::size_t half = generation(round);
  for (const Landing& landing : landings_[static_cast<std::size_t>(process)]) {
    Inbox& inbox = *landing.inbox;
    FG_CHECK(inbox.gates[half].missing.load(std::memory_order_acquire) > 0);
    if (message) {
      const auto* const bytes = message->trailing<std::byte>();
      for (const auto& [k, offset] : landing.fragments) inbox.from[half][k] = bytes + offset;
      inbox.messages[half][landing.slot] = message;
    }
    arrived(inbox.gates[half], static_cast<int>(landing.fragments.size()), round, cause);
  }
}

void ExchangeCore::is_whole(const Inbox& inbox, bool in_time, std::int64_t round,
                            std::uint64_t cause) {
  FG_CHECK(in_time);
  Location& target = targets_.locations[static_cast<std::size_t>(inbox.target)];
  const auto payload = static_cast<std::uint64_t>(round);
  Pe* const home = target.home.load(std::memory_order_acquire);
  if (cause == 0 || !home) return detail::send_to(target, lane_, entry_, no_step, payload);
  // In a trace the sender of the last fragments, in another process, is the cause.
  targets_.runtime->quiescence().sent_from_outside(1);
  home->accept(lane_, {&target, &entry_, no_step, payload, cause});
}

void ExchangeCore::refuse_a_source_too_early(int source, int link, std::int64_t round) const {
  throw InternalError(
      {.what = "a source of an exchange is two rounds ahead of its target",
       .where = targets_.element_name(target(source, link)),
       .value = "round " + std::to_string(round) + " of " + sources_.element_name(source),
       .hint = "the target has to call release before its source begins the round after the next"});
}

int ExchangeCore::sources(int target) const noexcept {
  const auto& inbox = inboxes_[static_cast<std::size_t>(target)];
  return inbox ? static_cast<int>(inbox->sources.size()) : 0;
}
int ExchangeCore::source(int target, int k) const noexcept {
  return inboxes_[static_cast<std::size_t>(target)]->sources[static_cast<std::size_t>(k)];
}

void ExchangeCore::release(int target, std::int64_t round) noexcept {
  Inbox& inbox = *inboxes_[static_cast<std::size_t>(target)];
  const std::size_t half = generation(round);
  for (auto& message : inbox.messages[half]) message = {};
  inbox.gates[half].missing.store(static_cast<int>(inbox.sources.size()),
                                  std::memory_order_release);
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

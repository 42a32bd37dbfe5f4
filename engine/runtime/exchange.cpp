// SPDX-License-Identifier: BSD-3-Clause
//
// The rounds of an exchange; exchange_layout.cpp decides where everything is.
#include "runtime/exchange.hpp"

#include <bit>
#include <string>
#include <utility>

#include "runtime/runtime.hpp"

namespace fg {

namespace {

struct ParcelMessage : Message {};

}  // namespace

void ExchangeCore::Parcel::prepare(Round& round) const {
  if (!shared) round.message = make_message<ParcelMessage>(bytes);
  round.missing.store(feeds, std::memory_order_release);
}

ExchangeCore::ExchangeCore(ArrayCore& sources, ArrayCore& targets, const Plan& plan,
                           const EntryInfo& entry, const ExchangeSettings& settings)
    : sources_(sources),
      targets_(targets),
      entry_(entry),
      settings_(settings),
      window_(static_cast<std::size_t>(settings.window)),
      mask_(std::has_single_bit(window_) ? window_ - 1 : 0) {
  FG_CHECK(settings.window >= 1 && settings.strands >= 1 && settings.parcel_bytes >= 1);
  for (int source = 0; source < static_cast<int>(sources.locations.size()); ++source) {
    plan_.push_back(plan(source));
    for (const Link& link : plan_.back()) {
      FG_CHECK(link.target >= 0 && link.target < static_cast<int>(targets.locations.size()));
      FG_CHECK(link.target % settings.strands == source % settings.strands);
      if (link.bytes >= 64) alignment_ = 64;
    }
  }
  renew();
}

ExchangeCore::~ExchangeCore() = default;

int ExchangeCore::target(int source, int link) const noexcept {
  return plan_[static_cast<std::size_t>(source)][static_cast<std::size_t>(link)].target;
}

std::byte* ExchangeCore::place_in_message(const Way& way, std::size_t slot) const {
  const Outlet& outlet = outlets_[static_cast<std::size_t>(way.outlet)];
  const Parcel& parcel = *feeds_[static_cast<std::size_t>(outlet.feed)].parcel;
  return parcel.rounds[slot].message->trailing<std::byte>() + outlet.offset;
}

void ExchangeCore::sent_elsewhere(const Way& way, std::size_t slot, std::int64_t round) {
  const Outlet& outlet = outlets_[static_cast<std::size_t>(way.outlet)];
  const auto which = static_cast<std::size_t>(outlet.feed);
  const Feed& feed = feeds_[which];
  int& missing = missing_of(which, slot);
  if (--missing != 0) return;
  missing = feed.pieces;
  const Parcel& parcel = *feed.parcel;
  Parcel::Round& out = parcel.rounds[slot];
  if (out.missing.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  Ref<const Message> message = std::move(out.message);
  parcel.prepare(out);
  sources_.runtime->network()->send_round(parcel.process, id_, parcel.number, round,
                                          std::move(message));
}

void ExchangeCore::receive(int process, int parcel, std::int64_t round,
                           const Ref<const Message>& message, std::uint64_t cause) {
  const std::size_t slot = slot_of(round);
  const Incoming& incoming =
      incoming_[static_cast<std::size_t>(process)].at(static_cast<std::size_t>(parcel));
  for (const Landing& landing : incoming.landings) {
    Inbox& inbox = *landing.inbox;
    FG_CHECK(inbox.gates[slot].missing.load(std::memory_order_acquire) > 0);
    if (message) {
      const auto* const bytes = message->trailing<std::byte>();
      for (const auto& [k, offset] : landing.pieces) inbox.from[slot][k] = bytes + offset;
      inbox.messages[slot * inbox.parcels + landing.at] = message;
    }
    arrived(inbox.gates[slot], static_cast<int>(landing.pieces.size()), round, cause);
  }
}

void ExchangeCore::is_whole(const Inbox& inbox, bool in_time, std::int64_t round,
                            std::uint64_t cause) {
  FG_CHECK(in_time);
  Location& target = targets_.locations[static_cast<std::size_t>(inbox.target)];
  const auto payload = static_cast<std::uint64_t>(round);
  Pe* const home = target.home.load(std::memory_order_acquire);
  if (cause == 0 || !home) return detail::send_to(target, settings_.lane, entry_, no_step, payload);
  // In a trace the sender of the last pieces, in another process, is the cause.
  targets_.runtime->quiescence().sent_from_outside(1);
  home->accept(settings_.lane, {&target, &entry_, no_step, payload, cause});
}

void ExchangeCore::refuse_a_source_too_early(int source, int link, std::int64_t round) const {
  const std::string window = std::to_string(window_);
  throw InternalError(
      {.what = "a source of an exchange is further ahead of its target than the window",
       .where = targets_.element_name(target(source, link)),
       .value = "round " + std::to_string(round) + " of " + sources_.element_name(source),
       .limit = window + " rounds from the first that the target has not released",
       .hint = "the target has to call release before a source begins the round " + window +
               " after, or make the exchange with a larger window"});
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
  const std::size_t slot = slot_of(round);
  for (std::size_t i = 0; i < inbox.parcels; ++i) inbox.messages[slot * inbox.parcels + i] = {};
  inbox.gates[slot].missing.store(static_cast<int>(inbox.sources.size()),
                                  std::memory_order_release);
}

ExchangeCore* detail::make_exchange(ArrayCore* sources, ArrayCore* targets,
                                    const ExchangeCore::Plan& plan, const EntryInfo& entry,
                                    const ExchangeSettings& settings) {
  auto core = std::make_unique<ExchangeCore>(*sources, *targets, plan, entry, settings);
  ExchangeCore* const raw = core.get();
  raw->set_id(sources->runtime->keep_exchange(std::move(core)));
  return raw;
}

}  // namespace fg

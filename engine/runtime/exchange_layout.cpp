// SPDX-License-Identifier: BSD-3-Clause
//
// Where the pieces of an exchange are written and read. They are in memory of this process, in
// parcels for other processes, or in memory shared with them. Both ends of a parcel go through the
// plan in the order of sources and links. So they agree without asking each other.
#include <limits>
#include <map>
#include <tuple>
#include <utility>

#include "base/round_up.hpp"
#include "runtime/exchange.hpp"
#include "runtime/runtime.hpp"

namespace fg {

class ExchangeCore::Layout {
 public:
  explicit Layout(ExchangeCore& core)
      : core_(core),
        strands_(static_cast<std::size_t>(core.settings_.strands)),
        open_out_(core.parcels_.size() * strands_, nullptr),
        open_in_(core.parcels_.size() * strands_, -1) {}

  void add_source(std::size_t source, std::size_t from, std::size_t here) {
    source_ = source;
    entered_ = false;
    feeds_.clear();
    auto& core = core_;
    const auto& links = core.plan_[source];
    if (from == here)
      core.first_way_[source] = {static_cast<int>(core.ways_.size()),
                                 static_cast<int>(links.size())};
    for (const Link& link : links) {
      const std::size_t to = process_of(core.targets_, static_cast<std::size_t>(link.target));
      if (from == here && to == here) {
        store_inside(link);
      } else if (to == here) {
        await(from, link);
      } else if (from == here) {
        send_out(to, link);
      }
    }
  }

  void finish() {
    const std::size_t window = core_.window_;
    for (const auto& inbox : core_.inboxes_) {
      if (!inbox) continue;
      inbox->stored.resize(window * inbox->stored_bytes);
      inbox->from.assign(window, std::vector<const std::byte*>(inbox->sources.size()));
      inbox->messages.resize(window * inbox->parcels);
      inbox->gates = std::make_unique<Gate[]>(window);
      for (std::size_t slot = 0; slot < window; ++slot) {
        inbox->gates[slot].inbox = inbox.get();
        inbox->gates[slot].missing = static_cast<int>(inbox->sources.size());
      }
    }
    for (const Inside& it : inside_) {
      Inbox& inbox = *it.inbox;
      Way& way = core_.ways_[it.way];
      way.place = inbox.stored.data() + it.offset;
      way.gates = inbox.gates.get();
      way.apart = distance(inbox.stored_bytes);
      for (std::size_t slot = 0; slot < window; ++slot)
        inbox.from[slot][it.k] = way.place + slot * way.apart;
    }
    // The counts of a feed fill cache lines of their own, because each source writes to its own.
    core_.feed_stride_ = round_up(window, 64 / sizeof(int));
    core_.feed_missing_.resize(core_.feeds_.size() * core_.feed_stride_);
    for (std::size_t feed = 0; feed < core_.feeds_.size(); ++feed)
      for (std::size_t slot = 0; slot < window; ++slot)
        core_.missing_of(feed, slot) = core_.feeds_[feed].pieces;
  }

  std::size_t process_of(const ArrayCore& array, std::size_t ordinal) const {
    const Runtime& runtime = *core_.sources_.runtime;
    return static_cast<std::size_t>(runtime.process_of(array.locations[ordinal].pe));
  }

  static std::uint32_t distance(std::size_t bytes) {
    FG_CHECK(bytes <= std::numeric_limits<std::uint32_t>::max());
    return static_cast<std::uint32_t>(bytes);
  }

 private:
  std::size_t aligned(std::size_t bytes) const noexcept {
    return round_up(bytes, core_.alignment_);
  }
  /// Index of the parcel that is filled now, between a process and this one.
  std::size_t open_of(std::size_t process) const noexcept {
    return process * strands_ + source_ % strands_;
  }

  Inbox& inbox_of(int target) {
    auto& inbox = core_.inboxes_[static_cast<std::size_t>(target)];
    if (!inbox) {
      inbox = std::make_unique<Inbox>();
      inbox->target = target;
    }
    return *inbox;
  }

  void store_inside(const Link& link) {
    Inbox& inbox = inbox_of(link.target);
    inside_.push_back({.way = core_.ways_.size(),
                       .inbox = &inbox,
                       .k = inbox.sources.size(),
                       .offset = inbox.stored_bytes});
    core_.ways_.emplace_back();
    inbox.sources.push_back(static_cast<int>(source_));
    inbox.stored_bytes += aligned(link.bytes);
  }

  void await(std::size_t from, const Link& link) {
    auto& parcels = core_.incoming_[from];
    int& open = open_in_[open_of(from)];
    if (!std::exchange(entered_, true) &&
        (open < 0 ||
         parcels[static_cast<std::size_t>(open)].bytes >= core_.settings_.parcel_bytes)) {
      open = static_cast<int>(parcels.size());
      parcels.emplace_back();
    }
    Incoming& parcel = parcels[static_cast<std::size_t>(open)];
    const auto [known, is_new] =
        landings_.try_emplace({from, open, link.target}, parcel.landings.size());
    if (is_new) {
      Inbox& inbox = inbox_of(link.target);
      parcel.landings.push_back({.inbox = &inbox, .at = inbox.parcels++});
    }
    Landing& landing = parcel.landings[known->second];
    landing.pieces.push_back({landing.inbox->sources.size(), parcel.bytes});
    landing.inbox->sources.push_back(static_cast<int>(source_));
    parcel.bytes += aligned(link.bytes);
  }

  void send_out(std::size_t to, const Link& link) {
    auto& parcels = core_.parcels_[to];
    Parcel*& open = open_out_[open_of(to)];
    const auto [feed, is_new] = feeds_.try_emplace(to, static_cast<int>(core_.feeds_.size()));
    if (is_new) {
      if (!open || open->bytes >= core_.settings_.parcel_bytes) {
        parcels.push_back(std::make_unique<Parcel>());
        open = parcels.back().get();
        open->process = static_cast<int>(to);
        open->number = static_cast<int>(parcels.size()) - 1;
      }
      core_.feeds_.push_back({.parcel = open});
      ++open->feeds;
    }
    ++core_.feeds_[static_cast<std::size_t>(feed->second)].pieces;
    core_.ways_.push_back({.outlet = static_cast<int>(core_.outlets_.size())});
    core_.outlets_.push_back({feed->second, open->bytes});
    open->bytes += aligned(link.bytes);
  }

  ExchangeCore& core_;
  const std::size_t strands_;
  std::size_t source_ = 0;
  std::vector<Parcel*> open_out_;       // [processes, strands]
  std::vector<int> open_in_;            // [processes, strands]
  bool entered_ = false;                // whether this source is in a parcel that arrives here
  std::map<std::size_t, int> feeds_{};  // of this source, by process
  std::map<std::tuple<std::size_t, int, int>, std::size_t>
      landings_{};  // by process, parcel, target
  std::vector<Inside> inside_{};
};

void ExchangeCore::renew() {
  const Runtime& runtime = *sources_.runtime;
  const auto processes = static_cast<std::size_t>(runtime.processes());
  first_way_.assign(plan_.size(), {});
  ways_.clear();
  outlets_.clear();
  feeds_.clear();
  inboxes_.clear();
  inboxes_.resize(targets_.locations.size());
  parcels_.clear();
  parcels_.resize(processes);
  incoming_.clear();
  incoming_.resize(processes);
  Layout layout(*this);
  for (std::size_t source = 0; source < plan_.size(); ++source)
    layout.add_source(source, layout.process_of(sources_, source),
                      static_cast<std::size_t>(runtime.process()));
  layout.finish();
  if (runtime.network()) share_memory();
  for (const auto& there : parcels_)
    for (const auto& parcel : there) {
      parcel->rounds = std::make_unique<Parcel::Round[]>(window_);
      for (std::size_t slot = 0; slot < window_; ++slot) parcel->prepare(parcel->rounds[slot]);
    }
}

/// The memory between two processes of a host: parcel after parcel, each with its window of rounds.
/// A source writes a round only after its targets have released the one a window before. So nobody
/// reads that memory any more.
void ExchangeCore::share_memory() {
  shared_.reset();
  std::vector<std::size_t> outgoing(parcels_.size());
  std::vector<std::vector<std::size_t>> begins(parcels_.size());  // by process and parcel
  for (std::size_t to = 0; to < parcels_.size(); ++to)
    for (const auto& parcel : parcels_[to]) {
      begins[to].push_back(outgoing[to]);
      outgoing[to] += window_ * parcel->bytes;
    }
  shared_ = sources_.runtime->network()->transport().share(outgoing);
  if (!shared_) return;
  for (Way& way : ways_) {
    if (way.gates) continue;
    const Outlet& outlet = outlets_[static_cast<std::size_t>(way.outlet)];
    Parcel& parcel = *feeds_[static_cast<std::size_t>(outlet.feed)].parcel;
    std::byte* const part = shared_->to(parcel.process);
    if (!part) continue;
    parcel.shared = true;
    const auto begin =
        begins[static_cast<std::size_t>(parcel.process)][static_cast<std::size_t>(parcel.number)];
    way.place = part + begin + outlet.offset;
    way.apart = Layout::distance(parcel.bytes);
  }
  for (std::size_t from = 0; from < incoming_.size(); ++from) {
    const std::byte* part = shared_->from(static_cast<int>(from));
    if (!part) continue;
    for (const Incoming& parcel : incoming_[from]) {
      for (const Landing& landing : parcel.landings)
        for (const auto& [k, offset] : landing.pieces)
          for (std::size_t slot = 0; slot < window_; ++slot)
            landing.inbox->from[slot][k] = part + slot * parcel.bytes + offset;
      part += window_ * parcel.bytes;
    }
  }
}

}  // namespace fg

// SPDX-License-Identifier: BSD-3-Clause
#include "topology/ranks/link_relief.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

namespace fg::topology {

namespace {

// All by trial on the traffic of bench/machines/classical_maps.py and bench/peers/mappings.py.
constexpr std::int64_t links_looked_at = 80'000'000;
constexpr double hot = 0.75;  // of the heaviest link
constexpr std::size_t partners_tried = 12, best_tried = 2;
constexpr std::size_t heavy_entries = 32, all_entries = static_cast<std::size_t>(-1);
constexpr int most_rounds = 8;
// With prices of ways:
constexpr double price_of_a_hop = 0.1;  // of the price of a byte on the heaviest link
constexpr std::size_t ranks_of_round = 80;
constexpr double worth_a_round = 0.03;  // of the bytes of the heaviest link

std::size_t as_index(int number) {
  return static_cast<std::size_t>(number);
}

/// Sums that are changed step by step differ by rounding.
bool is_less(double bytes, double than) {
  return bytes < (1 - 1e-9) * than;
}

double eighth_power(double value) {
  const double fourth = value * value * value * value;
  return fourth * fourth;
}

}  // namespace

LinkRelief::Entries::Entries(std::span<const Traffic> traffic, int Traffic::*rank,
                             std::size_t ranks)
    : traffic_(traffic), first_(ranks + 1), entry_(traffic.size()), is_sorted_(ranks) {
  for (const Traffic& one : traffic) ++first_[as_index(one.*rank) + 1];
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
  for (std::size_t i = 0; i < traffic.size(); ++i)
    entry_[next[as_index(traffic[i].*rank)]++] = static_cast<std::uint32_t>(i);
}

void LinkRelief::Entries::sort(std::span<std::uint32_t> entries) {
  sorted_.clear();
  sorted_.reserve(entries.size());
  for (const std::uint32_t entry : entries) sorted_.emplace_back(-traffic_[entry].bytes, entry);
  std::ranges::sort(sorted_);
  for (std::size_t i = 0; i < entries.size(); ++i) entries[i] = sorted_[i].second;
}

std::span<const std::uint32_t> LinkRelief::Entries::of(int rank, std::size_t most) {
  const std::size_t begin = first_[as_index(rank)], all = first_[as_index(rank) + 1] - begin;
  const std::span row = std::span(entry_).subspan(begin, all);
  if (!std::exchange(is_sorted_[as_index(rank)], char{1})) sort(row);
  return row.first(std::min(all, most));
}

LinkRelief::LinkRelief(std::span<const Traffic> traffic, const Machine& machine,
                       std::span<const int> node_of_slot, bool few)
    : traffic_(traffic),
      machine_(machine),
      node_of_slot_(node_of_slot),
      sent_(traffic, &Traffic::from, node_of_slot.size()),
      received_(traffic, &Traffic::to, node_of_slot.size()),
      change_(as_index(machine.links())),
      is_changed_(as_index(machine.links())) {
  if (few) prices_.emplace(traffic, machine, node_of_slot);
}

void LinkRelief::start(std::span<const int> slot_of_rank) {
  node_of_rank_.clear();
  node_of_rank_.reserve(slot_of_rank.size());
  for (const int slot : slot_of_rank) node_of_rank_.push_back(node_of_slot_[as_index(slot)]);
  bytes_ = link_loads(machine_, traffic_, node_of_rank_).bytes;
  hop_bytes_ = std::accumulate(bytes_.begin(), bytes_.end(), 0.0);
  links_left_ = links_looked_at;
}

int LinkRelief::heaviest_link() const {
  return static_cast<int>(std::ranges::max_element(bytes_) - bytes_.begin());
}

std::vector<int> LinkRelief::ranks_on_hot_links() {
  std::vector<double> is_hot(bytes_.size());
  for (std::size_t link = 0; link < bytes_.size(); ++link)
    is_hot[link] = bytes_[link] > hot * scale_ ? 1 : 0;
  const std::vector<double> there = sums_over_ways(machine_, traffic_, node_of_rank_, is_hot);
  links_left_ -= std::ssize(traffic_);
  std::vector<int> ranks(there.size());
  std::iota(ranks.begin(), ranks.end(), 0);
  std::erase_if(ranks, [&](int rank) { return there[as_index(rank)] == 0; });
  std::ranges::stable_sort(ranks, std::greater(), [&](int rank) { return there[as_index(rank)]; });
  return ranks;
}

std::vector<int> LinkRelief::ranks_near(int rank) {
  const int here = node_of_rank_[as_index(rank)];
  std::vector<std::pair<int, int>> near;  // hops and rank
  near.reserve(node_of_rank_.size());
  links_left_ -= std::ssize(node_of_rank_);
  for (std::size_t other = 0; other < node_of_rank_.size(); ++other)
    if (node_of_rank_[other] != here)
      near.emplace_back(machine_.hops(here, node_of_rank_[other]), static_cast<int>(other));
  const std::size_t count = std::min(partners_tried, near.size());
  std::ranges::partial_sort(near, near.begin() + static_cast<std::ptrdiff_t>(count));
  std::vector<int> ranks;
  ranks.reserve(count);
  for (std::size_t i = 0; i < count; ++i) ranks.push_back(near[i].second);
  return ranks;
}

void LinkRelief::change(int from, int to, double bytes) {
  if (from == to) return;
  way_.clear();
  machine_.route(from, to, way_);
  links_left_ -= static_cast<std::int64_t>(way_.size());
  for (const LinkShare& link : way_) {
    if (!std::exchange(is_changed_[as_index(link.link)], char{1})) changed_.push_back(link.link);
    change_[as_index(link.link)] += link.share * bytes;
  }
}

LinkRelief::Outcome LinkRelief::outcome_of(int one, int other, std::size_t entries) {
  const int here = node_of_rank_[as_index(one)], there = node_of_rank_[as_index(other)];
  const auto after = [&](int rank) {
    return rank == one ? there : rank == other ? here : node_of_rank_[as_index(rank)];
  };
  const auto move = [&](const Traffic& way) {
    const auto bytes = static_cast<double>(way.bytes);
    change(node_of_rank_[as_index(way.from)], node_of_rank_[as_index(way.to)], -bytes);
    change(after(way.from), after(way.to), bytes);
  };
  for (const int rank : {one, other}) {
    for (const std::uint32_t entry : sent_.of(rank, entries)) move(traffic_[entry]);
    for (const std::uint32_t entry : received_.of(rank, entries))
      if (const Traffic& way = traffic_[entry]; way.from != one && way.from != other)
        move(way);  // what the two send each other is among what they sent
  }
  Outcome outcome{};
  for (const int link : changed_) {
    const double before = bytes_[as_index(link)], change = change_[as_index(link)];
    outcome.gain += eighth_power(before / scale_) - eighth_power((before + change) / scale_);
    outcome.hop_bytes += change;
  }
  return outcome;
}

void LinkRelief::forget_change() {
  for (const int link : changed_) change_[as_index(link)] = is_changed_[as_index(link)] = 0;
  changed_.clear();
}

std::vector<int> LinkRelief::promising_partners(int rank) {
  std::vector<int> ranks;
  if (prices_) {
    for (const WayPrices::Partner& one : prices_->partners(rank, best_tried))
      ranks.push_back(one.rank);
    return ranks;
  }
  std::vector<std::pair<double, int>> promising;
  for (const int other : ranks_near(rank)) {
    if (const Outcome outcome = outcome_of(rank, other, heavy_entries); outcome.gain > 0)
      promising.emplace_back(-outcome.gain, other);
    forget_change();
  }
  std::ranges::sort(promising);
  promising.resize(std::min(promising.size(), best_tried));
  for (const auto& [negative, other] : promising) ranks.push_back(other);
  return ranks;
}

int LinkRelief::best_partner(int rank) {
  for (const int other : promising_partners(rank)) {
    const Outcome outcome = outcome_of(rank, other, all_entries);
    if (outcome.gain > 0 && hop_bytes_ + outcome.hop_bytes <= hop_bytes_limit_) return other;
    forget_change();
  }
  return -1;
}

/// As the sum of eighth powers grows with each byte, and a price for each link that is taken.
void LinkRelief::set_prices(std::span<const int> slot_of_rank) {
  std::vector<double> prices;
  prices.reserve(bytes_.size());
  for (const double bytes : bytes_) {
    const double share = bytes / scale_, cube = share * share * share;
    prices.push_back(cube * cube * share + price_of_a_hop);
  }
  prices_->start(slot_of_rank, prices);
}

bool LinkRelief::round(std::span<int> slot_of_rank) {
  bool any = false;
  if (prices_) set_prices(slot_of_rank);
  std::vector<int> ranks = ranks_on_hot_links();
  if (prices_) ranks.resize(std::min(ranks.size(), ranks_of_round));
  for (const int rank : ranks) {
    if (links_left_ <= 0) break;
    const int with = best_partner(rank);
    if (with < 0) continue;
    for (const int link : changed_) {
      bytes_[as_index(link)] += change_[as_index(link)];
      hop_bytes_ += change_[as_index(link)];
    }
    forget_change();
    std::swap(node_of_rank_[as_index(rank)], node_of_rank_[as_index(with)]);
    std::swap(slot_of_rank[as_index(rank)], slot_of_rank[as_index(with)]);
    if (prices_) prices_->exchange(rank, with);
    any = true;
  }
  return any;
}

bool LinkRelief::has_one_rank_a_node() const {
  std::vector<int> nodes = node_of_rank_;
  std::ranges::sort(nodes);
  return std::ranges::adjacent_find(nodes) == nodes.end();
}

bool LinkRelief::relieve(std::span<int> slot_of_rank, double share) {
  start(slot_of_rank);
  hop_bytes_limit_ = (1 + share) * hop_bytes_;
  const bool nodes_keep_theirs = machine_.nodes_have_links() && has_one_rank_a_node();
  std::vector<int> best(slot_of_rank.begin(), slot_of_rank.end());
  const double at_first = bytes_.empty() ? 0 : bytes_[as_index(heaviest_link())];
  double least = at_first;
  for (int i = 0; i < most_rounds && links_left_ > 0 && hop_bytes_ > 0; ++i) {
    const int heaviest = heaviest_link();
    // Alone on its node, a rank sends all that it sends over the link to the router.
    if (nodes_keep_theirs && heaviest < 2 * machine_.nodes()) break;
    scale_ = bytes_[as_index(heaviest)];
    const auto number_of_heaviest = [&] {
      return std::ranges::count_if(
          bytes_, [limit = (1 - worth_a_round) * scale_](double bytes) { return bytes > limit; });
    };
    const auto before = number_of_heaviest();
    if (!round(slot_of_rank)) break;
    const double most = bytes_[as_index(heaviest_link())];
    if (is_less(most, least)) {
      least = most;
      best.assign(slot_of_rank.begin(), slot_of_rank.end());
    }
    // Many links may be as heavy as the heaviest. Rounds with prices look at some ranks only.
    if (prices_ ? number_of_heaviest() >= before : !is_less(most, scale_)) break;
  }
  std::ranges::copy(best, slot_of_rank.begin());
  return least < at_first;
}

}  // namespace fg::topology

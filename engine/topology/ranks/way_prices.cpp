// SPDX-License-Identifier: BSD-3-Clause
#include "topology/ranks/way_prices.hpp"

#include <algorithm>
#include <numeric>

namespace fg::topology {

namespace {

constexpr std::size_t looked_at = 24;  // by trial

}  // namespace

WayPrices::Messages::Messages(std::span<const Traffic> traffic, std::size_t ranks,
                              int Traffic::*rank, int Traffic::*other)
    : first(ranks + 1) {
  for (const Traffic& one : traffic)
    if (one.from != one.to) ++first[as_index(one.*rank) + 1];
  std::partial_sum(first.begin(), first.end(), first.begin());
  all.resize(first.back());
  std::vector<std::size_t> next(first.begin(), first.end() - 1);
  for (const Traffic& one : traffic)
    if (one.from != one.to)
      all[next[as_index(one.*rank)]++] = {.rank = one.*other,
                                          .bytes = static_cast<float>(one.bytes)};
}

WayPrices::WayPrices(std::span<const Traffic> traffic, const Machine& machine,
                     std::span<const int> node_of_slot)
    : machine_(machine),
      slots_(node_of_slot),
      sent_(traffic, node_of_slot.size(), &Traffic::from, &Traffic::to),
      received_(traffic, node_of_slot.size(), &Traffic::to, &Traffic::from),
      from_(places() * places()),
      to_(from_.size()),
      costs_(places()),
      shared_(node_of_slot.size()) {
  for (const int node : slots_.nodes) routers_.push_back(machine.router(node));
  router_of_place_ = routers_;
  std::ranges::sort(routers_);
  routers_.erase(std::unique(routers_.begin(), routers_.end()), routers_.end());
  for (int& router : router_of_place_)
    router = static_cast<int>(std::ranges::lower_bound(routers_, router) - routers_.begin());
  of_routers_.resize(routers_.size() * routers_.size());
}

void WayPrices::start(std::span<const int> slot_of_rank, std::span<const double> price_of_link) {
  place_of_rank_.clear();
  place_of_rank_.reserve(slot_of_rank.size());
  for (const int slot : slot_of_rank)
    place_of_rank_.push_back(slots_.place_of_slot[as_index(slot)]);

  machine_.sums_of_ways(routers_, price_of_link, of_routers_);
  const auto price = [&](int link) {
    return static_cast<float>(price_of_link[static_cast<std::size_t>(link)]);
  };
  for (std::size_t a = 0; a < places(); ++a) {
    const float* const ways = of_routers_.data() + as_index(router_of_place_[a]) * routers_.size();
    float* const from = from_.data() + a * places();
    for (std::size_t b = 0; b < places(); ++b) from[b] = ways[as_index(router_of_place_[b])];
    if (!machine_.nodes_have_links()) continue;
    const float out = price(Machine::link_from(slots_.nodes[a]));
    for (std::size_t b = 0; b < places(); ++b)
      from[b] += out + price(Machine::link_to(slots_.nodes[b]));
    from[a] = 0;
  }
  constexpr std::size_t block = 16;  // so that both matrices stay in the cache
  for (std::size_t first = 0; first < places(); first += block)
    for (std::size_t a = 0; a < places(); ++a)
      for (std::size_t b = first; b < std::min(first + block, places()); ++b)
        to_[b * places() + a] = from_[a * places() + b];
}

float WayPrices::cost(int rank, int place) const noexcept {
  float sum = 0;
  for (const Message& one : sent_.of(rank))
    sum += one.bytes * row(from_, place)[place_of_rank_[as_index(one.rank)]];
  for (const Message& one : received_.of(rank))
    sum += one.bytes * row(to_, place)[place_of_rank_[as_index(one.rank)]];
  return sum;
}

void WayPrices::count_costs(int rank) {
  std::ranges::fill(costs_, 0.0f);
  const auto add = [&](const Message& one, const std::vector<float>& prices) {
    const float* const of = row(prices, place_of_rank_[as_index(one.rank)]);
    for (std::size_t place = 0; place < costs_.size(); ++place)
      costs_[place] += one.bytes * of[place];
  };
  for (const Message& one : sent_.of(rank)) add(one, to_);
  for (const Message& one : received_.of(rank)) add(one, from_);
}

std::span<const WayPrices::Partner> WayPrices::partners(int rank, std::size_t most) {
  const int here = place_of_rank_[as_index(rank)];
  count_costs(rank);
  partners_.clear();
  for (std::size_t other = 0; other < place_of_rank_.size(); ++other)
    if (const int there = place_of_rank_[other]; there != here)
      partners_.push_back({.gain = costs_[as_index(here)] - costs_[as_index(there)],
                           .rank = static_cast<int>(other)});
  const auto better = [](const Partner& a, const Partner& b) {
    return a.gain != b.gain ? a.gain > b.gain : a.rank < b.rank;
  };
  const std::size_t kept = std::min(looked_at, partners_.size());
  std::ranges::nth_element(partners_, partners_.begin() + static_cast<std::ptrdiff_t>(kept),
                           better);
  partners_.resize(kept);

  for (const Message& one : sent_.of(rank)) shared_[as_index(one.rank)] += one.bytes;
  for (const Message& one : received_.of(rank)) shared_[as_index(one.rank)] += one.bytes;
  for (Partner& one : partners_) {
    const int there = place_of_rank_[as_index(one.rank)];
    // What the two send each other goes between the same places, but both costs count it as gone.
    one.gain += cost(one.rank, there) - cost(one.rank, here) -
                shared_[as_index(one.rank)] * (row(from_, here)[there] + row(to_, here)[there]);
  }
  for (const Message& one : sent_.of(rank)) shared_[as_index(one.rank)] = 0;
  for (const Message& one : received_.of(rank)) shared_[as_index(one.rank)] = 0;
  std::erase_if(partners_, [](const Partner& one) { return one.gain <= 0; });
  std::ranges::sort(partners_, better);
  return std::span(partners_).first(std::min(most, partners_.size()));
}

}  // namespace fg::topology

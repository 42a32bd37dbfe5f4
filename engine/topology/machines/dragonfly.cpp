// SPDX-License-Identifier: BSD-3-Clause
#include "topology/machines/dragonfly.hpp"

#include <algorithm>
#include <utility>

namespace fg::topology {

namespace {

/// The place of another one in a list of all but oneself.
int among_others(int self, int other) {
  return other < self ? other : other - 1;
}

}  // namespace

Dragonfly::Dragonfly(MachineParts parts, const DragonflyDescription& description)
    : Machine(std::move(parts)),
      groups_(description.groups),
      routers_(description.routers_per_group),
      parallel_(description.links_per_pair_of_groups),
      first_local_(links()) {
  for (int group = 0; group < groups_; ++group)
    for (int from = 0; from < routers_; ++from)
      for (int to = 0; to < routers_; ++to)
        if (from != to)
          add_link({group * routers_ + from, group * routers_ + to, description.local});
  first_global_ = links();
  for (int group = 0; group < groups_; ++group)
    for (int other = 0; other < groups_; ++other)
      for (int i = 0; group != other && i < parallel_; ++i)
        add_link({ends_of(group, other, i), ends_of(other, group, i), description.global});
}

/// The router of a group that has a certain global link to another group.
int Dragonfly::ends_of(int group, int other, int number) const noexcept {
  return group * routers_ + (among_others(group, other) * parallel_ + number) % routers_;
}

int Dragonfly::local_link(int from, int to) const noexcept {
  const int group = from / routers_;
  const int inside = from % routers_;
  return first_local_ + (group * routers_ + inside) * (routers_ - 1) +
         among_others(inside, to % routers_);
}

int Dragonfly::first_global_link(int from_group, int to_group) const noexcept {
  return first_global_ +
         (from_group * (groups_ - 1) + among_others(from_group, to_group)) * parallel_;
}

int Dragonfly::hops_by(int from, int global_link, int to) const noexcept {
  const Link& by = link(global_link);
  return 1 + (from != by.from ? 1 : 0) + (by.to != to ? 1 : 0);
}

int Dragonfly::router_hops(int from, int to) const {
  if (from == to) return 0;
  const int group = from / routers_, other = to / routers_;
  if (group == other) return 1;
  int hops = 3;
  for (int i = 0, first = first_global_link(group, other); i < parallel_; ++i)
    hops = std::min(hops, hops_by(from, first + i, to));
  return hops;
}

void Dragonfly::router_route(int from, int to, std::vector<LinkShare>& out) const {
  if (from == to) return;
  const int group = from / routers_, other = to / routers_;
  if (group == other) {
    out.push_back({local_link(from, to), 1});
    return;
  }
  const int first = first_global_link(group, other), hops = router_hops(from, to);
  int ways = 0;
  for (int i = 0; i < parallel_; ++i) ways += hops_by(from, first + i, to) == hops ? 1 : 0;
  const double share = 1.0 / ways;
  for (int i = 0; i < parallel_; ++i) {
    if (hops_by(from, first + i, to) != hops) continue;
    const Link& by = link(first + i);
    if (from != by.from) out.push_back({local_link(from, by.from), share});
    out.push_back({first + i, share});
    if (by.to != to) out.push_back({local_link(by.to, to), share});
  }
}

std::vector<HopAxis> Dragonfly::hop_axes() const {
  HopAxis router{.positions = routers(), .apart = 1}, group{.positions = groups_, .apart = 2};
  for (int number = 0; number < routers(); ++number) {
    router.position_of_router.push_back(number);
    group.position_of_router.push_back(number / routers_);
  }
  return {std::move(router), std::move(group)};
}

std::string Dragonfly::router_name(int router) const {
  return "router " + std::to_string(router % routers_) + " of group " +
         std::to_string(router / routers_);
}

}  // namespace fg::topology

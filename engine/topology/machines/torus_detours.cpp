// SPDX-License-Identifier: BSD-3-Clause
#include "topology/machines/torus_detours.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"

namespace fg::topology {

namespace {

constexpr std::uint8_t none = 0xff;

}  // namespace

TorusDetours::TorusDetours(std::vector<Port> ports, int ports_of_router, std::size_t most_bytes)
    : ports_(std::move(ports)),
      ports_of_router_(as_index(ports_of_router)),
      most_columns_(std::max<std::size_t>(most_bytes / routers(), 1)),
      column_of_(routers(), -1),
      hops_(routers()) {
  FG_CHECK(ports_of_router_ < none);
}

const std::uint8_t* TorusDetours::column(int to) const {
  int& kept = column_of_[as_index(to)];
  if (kept < 0) {
    if (columns_.size() < most_columns_) {
      kept = static_cast<int>(columns_.size());
      columns_.emplace_back(routers());
      receiver_of_.push_back(to);
    } else {
      kept = static_cast<int>(oldest_);
      oldest_ = (oldest_ + 1) % most_columns_;
      column_of_[as_index(std::exchange(receiver_of_[as_index(kept)], to))] = -1;
    }
    fill(to, columns_[as_index(kept)].data());
  }
  return columns_[as_index(kept)].data();
}

void TorusDetours::fill(int to, std::uint8_t* next) const {
  std::ranges::fill(hops_, -1);
  hops_[as_index(to)] = 0;
  reached_.assign(1, to);
  for (std::size_t i = 0; i < reached_.size(); ++i) {
    const int here = reached_[i];
    for (std::size_t port = 0; port < ports_of_router_; ++port) {
      const int other = ports_[as_index(here) * ports_of_router_ + port].router;
      if (other < 0 || hops_[as_index(other)] >= 0) continue;
      hops_[as_index(other)] = hops_[as_index(here)] + 1;
      reached_.push_back(other);
    }
  }
  std::fill_n(next, routers(), none);
  // Both directions of an axis may be as long: by the receiver, so that each is taken as often.
  const std::size_t first_direction = as_index(to) % 2;
  for (const int here : reached_)
    for (std::size_t i = 0; i < ports_of_router_ && next[here] == none; ++i) {
      const std::size_t port = i ^ first_direction;
      const int other = ports_[as_index(here) * ports_of_router_ + port].router;
      if (other >= 0 && hops_[as_index(other)] + 1 == hops_[as_index(here)])
        next[here] = static_cast<std::uint8_t>(port);
    }
}

}  // namespace fg::topology

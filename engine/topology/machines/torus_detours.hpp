// SPDX-License-Identifier: BSD-3-Clause
//
// The shortest ways on a torus from which routers are gone. As on a machine with static routing,
// each router has a table: for each receiver the link that is next. Where several links are on a
// shortest way, the first axis is taken, as on a complete torus. A search in breadth from the
// receiver makes its column of all tables when it is first asked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace fg::topology {

class TorusDetours {
 public:
  /// A link from a router, and where it leads. Without one both are -1.
  struct Port {
    int link = -1, router = -1;
  };

  /// Of each router the same number of ports, at most 254. A link back belongs to each link. At
  /// most `most_bytes` are kept, then the oldest columns are forgotten.
  TorusDetours(std::vector<Port> ports, int ports_of_router,
               std::size_t most_bytes = std::size_t{1} << 28);

  /// Calls visit(link) for the links on the way. There is one.
  template <class Visit>
  void for_each_link(int from, int to, const Visit& visit) const {
    const std::lock_guard lock(mutex_);
    const std::uint8_t* const next = column(to);
    for (int router = from; router != to;) {
      const Port& port = ports_[as_index(router) * ports_of_router_ + next[router]];
      visit(port.link);
      router = port.router;
    }
  }

 private:
  static std::size_t as_index(int number) noexcept { return static_cast<std::size_t>(number); }
  std::size_t routers() const noexcept { return ports_.size() / ports_of_router_; }
  /// By router: the port that is next on the way to this one.
  const std::uint8_t* column(int to) const;
  void fill(int to, std::uint8_t* next) const;

  std::vector<Port> ports_;  // [router][port], two for each axis
  std::size_t ports_of_router_;
  std::size_t most_columns_;

  mutable std::mutex mutex_;  // of all below
  mutable std::vector<std::vector<std::uint8_t>> columns_;
  mutable std::vector<int> column_of_;    // of a router, -1 if it is not kept
  mutable std::vector<int> receiver_of_;  // of a column
  mutable std::size_t oldest_ = 0;        // column, once all are there
  mutable std::vector<int> hops_, reached_;
};

}  // namespace fg::topology

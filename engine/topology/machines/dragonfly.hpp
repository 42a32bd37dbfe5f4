// SPDX-License-Identifier: BSD-3-Clause
//
// A dragonfly (Kim, Dally, Scott and Abts, ISCA 2008). A message takes at most one global link.
// Inside its group it goes to a router with a link to the other group. It takes this link, and then
// the way inside the other group. All ways of the least number of hops carry equal shares. A way
// through a third group is never taken, even if it had fewer hops.
//
// The global links of a group are dealt out to its routers in turn, group after group.
#pragma once

#include <string>
#include <vector>

#include "topology/machines/description.hpp"
#include "topology/machines/machine.hpp"

namespace fg::topology {

class Dragonfly final : public Machine {
 public:
  /// The description has been checked (make_machine.hpp).
  Dragonfly(MachineParts parts, const DragonflyDescription& description);

  int router_hops(int from, int to) const override;
  void router_route(int from, int to, std::vector<LinkShare>& out) const override;
  /// Three hops between groups, as most routers have.
  std::vector<HopAxis> hop_axes() const override;
  std::string router_name(int router) const override;

 private:
  int local_link(int from, int to) const noexcept;
  int first_global_link(int from_group, int to_group) const noexcept;
  int ends_of(int group, int other, int number) const noexcept;
  int hops_by(int from, int global_link, int to) const noexcept;

  int groups_, routers_, parallel_;
  int first_local_, first_global_ = 0;
};

}  // namespace fg::topology

// SPDX-License-Identifier: BSD-3-Clause
//
// A fat tree (the XGFT of Ohring et al., IPPS 1995): leaf switches with nodes, and levels of
// switches above them. A message goes up until it reaches switches above both nodes, and down. All
// its shortest ways carry equal shares.
#pragma once

#include <string>
#include <vector>

#include "topology/machines/description.hpp"
#include "topology/machines/machine.hpp"

namespace fg::topology {

/// The number of switches of all levels; the numbers of the description are positive.
long long switches_of(const FatTreeDescription& description);

class FatTree final : public Machine {
 public:
  /// The description has been checked (make_machine.hpp).
  FatTree(MachineParts parts, const FatTreeDescription& description);

  /// Between leaf switches.
  int router_hops(int from, int to) const override;
  void router_route(int from, int to, std::vector<LinkShare>& out) const override;
  /// Up by the digits of `choice`, as static routing by destination does.
  void router_way(int from, int to, unsigned choice, std::vector<int>& out) const override;
  std::vector<HopAxis> hop_axes() const override;
  std::string router_name(int router) const override;

 private:
  /// Switches of one level. A branch is the switches with the same part of the machine below them.
  struct Level {
    int branches;        // of the level
    int width;           // switches of a branch
    int branches_above;  // how many branches of this level have the same one above
    int first_switch;
    int first_link;  // to the level above: up and down in turn
    int links;       // up from a branch
  };

  std::vector<Level> levels_;  // from the leaf switches
};

}  // namespace fg::topology

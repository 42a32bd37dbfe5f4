// SPDX-License-Identifier: BSD-3-Clause
#include "topology/machines/machine.hpp"

#include <utility>

#include "base/error.hpp"

namespace fg::topology {

Machine::Machine(MachineParts parts) : parts_(std::move(parts)) {
  FG_CHECK(parts_.coordinates.nodes() == nodes());
  if (!nodes_have_links()) return;
  reserve_links(2 * as_index(nodes()));
  for (int node = 0; node < nodes(); ++node) {
    add_link({vertex(node), router(node), parts_.injection});
    add_link({router(node), vertex(node), parts_.injection});
  }
}

Machine::~Machine() = default;

void Machine::router_way(int from, int to, unsigned choice, std::vector<int>& out) const {
  if (from == to) return;
  std::vector<LinkShare> all;
  router_route(from, to, all);
  std::vector<int> onward;
  for (int at = from; at != to; at = link(out.back()).to) {
    onward.clear();
    for (const LinkShare& one : all)
      if (link(one.link).from == at) onward.push_back(one.link);
    FG_CHECK(!onward.empty());
    out.push_back(onward[choice % onward.size()]);
  }
}

std::string Machine::vertex_name(int vertex) const {
  if (vertex < routers()) return router_name(vertex);
  return "node " + std::to_string(vertex - routers());
}

std::string Machine::link_name(int number) const {
  return vertex_name(link(number).from) + " to " + vertex_name(link(number).to);
}

}  // namespace fg::topology

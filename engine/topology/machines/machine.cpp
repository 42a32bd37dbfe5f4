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

std::string Machine::vertex_name(int vertex) const {
  if (vertex < routers()) return router_name(vertex);
  return "node " + std::to_string(vertex - routers());
}

std::string Machine::link_name(int number) const {
  return vertex_name(link(number).from) + " to " + vertex_name(link(number).to);
}

}  // namespace fg::topology

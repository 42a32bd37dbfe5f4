// SPDX-License-Identifier: BSD-3-Clause
//
// The shortest way around routers that are gone, by the search A*. The distance on the complete
// torus is its estimate of what remains, so that it looks at few routers beside the way.
#include <algorithm>
#include <limits>
#include <queue>
#include <tuple>

#include "base/error.hpp"
#include "topology/machines/torus.hpp"

namespace fg::topology {

std::vector<int> Torus::detour(int from, int to) const {
  constexpr int unknown = std::numeric_limits<int>::max();
  std::vector<int> hops(as_index(routers()), unknown), arrived_by(as_index(routers()), -1);
  // Least estimate first, then the longest way so far, then the lowest number.
  using Open = std::tuple<int, int, int>;
  std::priority_queue<Open, std::vector<Open>, std::greater<>> open;
  const auto reach = [&](int router, int after, int link) {
    if (after >= hops[as_index(router)]) return;
    hops[as_index(router)] = after;
    arrived_by[as_index(router)] = link;
    open.emplace(after + distance(router, to), -after, router);
  };
  reach(from, 0, -1);
  while (!open.empty()) {
    const auto [estimate, minus_after, router] = open.top();
    open.pop();
    if (router == to) break;
    if (-minus_after > hops[as_index(router)]) continue;  // reached by a shorter way since
    for (int axis = 0; axis < axes(); ++axis)
      for (const bool forward : {true, false})
        if (const int link = link_along(router, axis, forward); link >= 0)
          reach(this->link(link).to, 1 - minus_after, link);
  }
  FG_CHECK(hops[as_index(to)] !=
           unknown);  // make_machine has checked that the network is connected
  std::vector<int> links;
  for (int router = to; router != from; router = link(links.back()).from)
    links.push_back(arrived_by[as_index(router)]);
  std::reverse(links.begin(), links.end());
  return links;
}

}  // namespace fg::topology

// SPDX-License-Identifier: BSD-3-Clause
#include "topology/machines/graph.hpp"

#include <algorithm>
#include <utility>

namespace fg::topology {

namespace {

/// A switch on a shortest way, with the number of ways to it and from it.
struct Passed {
  int at;
  double ways_to = 0, ways_from = 0;
};
using Layer = std::vector<Passed>;  // switches at one distance, by number

Passed& find(Layer& layer, int at) {
  return *std::lower_bound(layer.begin(), layer.end(), at,
                           [](const Passed& one, int number) { return one.at < number; });
}

}  // namespace

Graph::Graph(MachineParts parts, const GraphDescription& description)
    : Machine(std::move(parts)), names_(description.names), neighbours_(as_index(routers())) {
  for (const Cable& cable : description.cables) {
    Speed speed = cable.speed;
    speed.bandwidth *= cable.number;
    for (const auto& [from, to] : {std::pair(cable.a, cable.b), std::pair(cable.b, cable.a)})
      neighbours_[as_index(from)].push_back(
          {to, add_link({from, to, speed}), static_cast<double>(cable.number)});
  }
  distances_.assign(as_index(routers()) * as_index(routers()), 0xffff);
  for (int start = 0; start < routers(); ++start) measure_from(start);
}

void Graph::measure_from(int start) {
  std::uint16_t* const row = distances_.data() + as_index(start) * as_index(routers());
  std::vector<int> reached{start};
  row[start] = 0;
  for (std::size_t i = 0; i < reached.size(); ++i)
    for (const Neighbour& next : neighbours_[as_index(reached[i])])
      if (row[next.other] == 0xffff) {
        row[next.other] = static_cast<std::uint16_t>(row[reached[i]] + 1);
        reached.push_back(next.other);
      }
}

void Graph::router_route(int from, int to, std::vector<LinkShare>& out) const {
  std::vector<Layer> layers{{{.at = from, .ways_to = 1}}};
  const auto for_next = [&](const Passed& here, const auto& work) {
    for (const Neighbour& next : neighbours_[as_index(here.at)])
      if (distance(next.other, to) + 1 == distance(here.at, to)) work(next);
  };
  for (int left = distance(from, to); left > 0; --left) {
    Layer next_layer;
    for (const Passed& here : layers.back())
      for_next(here, [&](const Neighbour& next) { next_layer.push_back({.at = next.other}); });
    std::sort(next_layer.begin(), next_layer.end(),
              [](const Passed& a, const Passed& b) { return a.at < b.at; });
    next_layer.erase(std::unique(next_layer.begin(), next_layer.end(),
                                 [](const Passed& a, const Passed& b) { return a.at == b.at; }),
                     next_layer.end());
    for (const Passed& here : layers.back())
      for_next(here, [&](const Neighbour& next) {
        find(next_layer, next.other).ways_to += here.ways_to * next.cables;
      });
    layers.push_back(std::move(next_layer));
  }
  const double all = layers.back().front().ways_to;
  layers.back().front().ways_from = 1;
  for (std::size_t i = layers.size() - 1; i-- > 0;)
    for (Passed& here : layers[i])
      for_next(here, [&](const Neighbour& next) {
        const double onward = next.cables * find(layers[i + 1], next.other).ways_from;
        here.ways_from += onward;
        out.push_back({next.link, here.ways_to * onward / all});
      });
}

std::string Graph::router_name(int router) const {
  return names_.empty() ? "switch " + std::to_string(router) : names_[as_index(router)];
}

}  // namespace fg::topology

// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <map>

#include "topology/machines/checks.hpp"
#include "topology/machines/make_machine.hpp"

namespace fg::topology {

namespace {

/// Whether a place is on the torus; a problem if not.
bool check_place(const std::vector<int>& place, const std::string& what, const TorusDescription& on,
                 Problems& problems) {
  if (place.size() != on.lengths.size()) {
    problems.add({.what = what + " has not one coordinate for each dimension",
                  .value = shown_place(place),
                  .limit = std::to_string(on.lengths.size()) + " coordinates",
                  .hint = "give one number for each length"});
    return false;
  }
  for (std::size_t axis = 0; axis < place.size(); ++axis)
    if (place[axis] < 0 || place[axis] >= on.lengths[axis]) {
      problems.add({.what = what + " is outside the torus",
                    .value = shown_place(place),
                    .limit = "0 to " + std::to_string(on.lengths[axis] - 1) + " in dimension " +
                             std::to_string(axis),
                    .hint = "count positions from 0"});
      return false;
    }
  return true;
}

void check_holes(const TorusDescription& torus, Problems& problems) {
  std::map<std::vector<int>, int> seen;
  for (const Hole& hole : torus.holes)
    if (check_place(hole.coordinates, "a hole", torus, problems) && ++seen[hole.coordinates] == 2)
      problems.add({.what = "two holes have the same coordinates",
                    .value = shown_place(hole.coordinates),
                    .hint = "name each hole once"});
  const bool all = static_cast<long long>(seen.size()) == [&] {
    long long places = 1;
    for (const int length : torus.lengths) places *= length;
    return places;
  }();
  if (all)
    problems.add({.what = "there is a hole at every place of the torus",
                  .value = "0 usable nodes",
                  .limit = "1 or more",
                  .hint = "name only places that the job cannot use"});
}

void check_job(const TorusDescription& torus, Problems& problems) {
  std::map<std::vector<int>, int> nodes;
  for (const std::vector<int>& place : torus.job)
    if (check_place(place, "a node of the job", torus, problems) &&
        ++nodes[place] == torus.nodes_per_router + 1)
      problems.add({.what = "too many nodes of the job have the same coordinates",
                    .value = shown_place(place),
                    .limit = std::to_string(torus.nodes_per_router) + " nodes a router",
                    .hint = "name each node once, or give the nodes of a router"});
  for (const Hole& hole : torus.holes)
    if (nodes.contains(hole.coordinates))
      problems.add({.what = "a node of the job is at a hole",
                    .value = shown_place(hole.coordinates),
                    .hint = "leave out the node or the hole"});
}

void check_axes(const TorusDescription& torus, Problems& problems) {
  const std::size_t dimensions = torus.lengths.size();
  if (!torus.wraps.empty() && torus.wraps.size() != dimensions)
    problems.add({.what = "it is not said of each dimension whether it wraps",
                  .value = std::to_string(torus.wraps.size()) + " answers",
                  .limit = std::to_string(dimensions),
                  .hint = "give one answer for each length, or none if all wrap"});
  std::string letters = torus.axes;
  std::sort(letters.begin(), letters.end());
  const bool repeated = std::adjacent_find(letters.begin(), letters.end()) != letters.end();
  if (!letters.empty() && (letters.size() != dimensions || repeated))
    problems.add({.what = "the names of the dimensions are not one letter each",
                  .value = "'" + torus.axes + "'",
                  .limit = std::to_string(dimensions) + " different letters",
                  .hint = "write for example XYZ"});
  check_speeds(torus.speeds, dimensions, "dimensions", problems);
}

}  // namespace

long long check(const TorusDescription& torus, Problems& problems) {
  constexpr std::size_t most_dimensions = 16;
  if (torus.lengths.empty() || torus.lengths.size() > most_dimensions) {
    problems.add({.what = "a torus cannot have this number of dimensions",
                  .value = std::to_string(torus.lengths.size()),
                  .limit = "1 to " + std::to_string(most_dimensions),
                  .hint = "give the length of each dimension"});
    return 0;
  }
  check_axes(torus, problems);
  bool good = check_positive(torus.nodes_per_router, "nodes of a router", problems);
  long long routers = 1;
  for (std::size_t axis = 0; axis < torus.lengths.size(); ++axis) {
    const int length = torus.lengths[axis];
    good &= check_positive(length, "routers along dimension " + std::to_string(axis), problems);
    if (routers <= most_nodes) routers *= std::max(length, 1);
  }
  if (!good) return 0;
  const long long dimensions = static_cast<long long>(torus.lengths.size());
  if (routers > most_nodes || torus.nodes_per_router > most_nodes)
    good = check_size(std::max<long long>(routers, torus.nodes_per_router), 0, problems);
  else
    good = check_size(routers * torus.nodes_per_router, 2 * dimensions * routers, problems);
  if (!good) return 0;
  check_holes(torus, problems);
  check_job(torus, problems);
  return routers * torus.nodes_per_router;
}

}  // namespace fg::topology

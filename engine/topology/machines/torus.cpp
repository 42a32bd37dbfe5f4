// SPDX-License-Identifier: BSD-3-Clause
#include "topology/machines/torus.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "topology/machines/torus_places.hpp"
#include "topology/machines/torus_ways.hpp"

namespace fg::topology {

Torus::Torus(MachineParts parts, const TorusDescription& description) : Machine(std::move(parts)) {
  const TorusPlaces places(description);
  const std::string names = places.axis_names();
  for (int axis = 0; axis < places.axes(); ++axis)
    axes_.push_back(
        {places.length(axis), places.wraps(axis), places.stride(axis), names[as_index(axis)]});
  positions_.reserve(as_index(routers()) * axes_.size());
  for (int router = 0; router < routers(); ++router)
    for (const Axis& axis : axes_) positions_.push_back(router / axis.stride % axis.length);

  std::vector<bool> gone(as_index(routers()));
  for (const Hole& hole : description.holes)
    if (hole.router_gone) {
      gone[as_index(places.router(hole.coordinates))] = true;
      any_gone_ = true;
    }
  std::vector<Speed> speeds = description.speeds;
  if (speeds.empty()) speeds.emplace_back();
  speeds.resize(axes_.size(), speeds.front());
  add_links(speeds, gone);
}

void Torus::add_links(const std::vector<Speed>& speeds, const std::vector<bool>& gone) {
  link_along_.assign(as_index(routers()) * axes_.size() * 2, -1);
  reserve_links(link_along_.size());
  for (int router = 0; router < routers(); ++router) {
    if (gone[as_index(router)]) continue;
    for (int axis = 0; axis < axes(); ++axis)
      for (const bool forward : {true, false}) {
        const int other = neighbour(router, axis, forward);
        if (other < 0 || gone[as_index(other)]) continue;
        link_along_[(as_index(router) * axes_.size() + as_index(axis)) * 2 + (forward ? 0 : 1)] =
            add_link({router, other, speeds[as_index(axis)]});
      }
  }
}

/// -1 at the end of an axis that does not wrap, and if there is no other router.
int Torus::neighbour(int router, int number, bool forward) const noexcept {
  const Axis& axis = axes_[as_index(number)];
  const int at = position(router, number), last = axis.length - 1;
  if (at == (forward ? last : 0)) {
    if (!axis.wraps || last == 0) return -1;
    return forward ? router - last * axis.stride : router + last * axis.stride;
  }
  return forward ? router + axis.stride : router - axis.stride;
}

int Torus::steps(int from, int to, const Axis& axis) const noexcept {
  const int direct = std::abs(to - from);
  return axis.wraps ? std::min(direct, axis.length - direct) : direct;
}

int Torus::distance(int from, int to) const noexcept {
  int sum = 0;
  for (int axis = 0; axis < axes(); ++axis)
    sum += steps(position(from, axis), position(to, axis), axes_[as_index(axis)]);
  return sum;
}

int Torus::router_hops(int from, int to) const {
  if (!any_gone_ || in_order_of_axes(from, to, Ties::both, [](int, double) {}))
    return distance(from, to);
  return static_cast<int>(detour(from, to).size());
}

void Torus::router_route(int from, int to, std::vector<LinkShare>& out) const {
  const std::size_t before = out.size();
  if (in_order_of_axes(from, to, Ties::both,
                       [&out](int link, double share) { out.push_back({link, share}); }))
    return;
  out.resize(before, {0, 0});
  for (const int link : detour(from, to)) out.push_back({link, 1});
}

void Torus::router_way(int from, int to, unsigned choice, std::vector<int>& out) const {
  if (any_gone_) return Machine::router_way(from, to, choice, out);
  const Ties ties = choice % 2 == 0 ? Ties::forward : Ties::back;
  in_order_of_axes(from, to, ties, [&out](int link, double) { out.push_back(link); });
}

std::vector<HopAxis> Torus::hop_axes() const {
  std::vector<HopAxis> all;
  for (int number = 0; number < axes(); ++number) {
    const Axis& axis = axes_[as_index(number)];
    HopAxis one{.positions = axis.length};
    one.position_of_router.reserve(as_index(routers()));
    for (int router = 0; router < routers(); ++router)
      one.position_of_router.push_back(position(router, number));
    for (int difference = 1 - axis.length; difference < axis.length; ++difference)
      one.by_difference.push_back(steps(0, std::abs(difference), axis));
    all.push_back(std::move(one));
  }
  return all;
}

std::string Torus::router_name(int router) const {
  std::string name = "(";
  for (int axis = 0; axis < axes(); ++axis)
    name += (axis == 0 ? "" : ",") + std::to_string(position(router, axis));
  return name + ")";
}

std::string Torus::link_name(int number) const {
  const int router = link(number).from;
  for (int axis = 0; axis < axes(); ++axis)
    for (const bool forward : {true, false})
      if (link_along(router, axis, forward) == number)
        return axes_[as_index(axis)].name + std::string(forward ? "+" : "-") + " of " +
               router_name(router);
  return Machine::link_name(number);
}

}  // namespace fg::topology

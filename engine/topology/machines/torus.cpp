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
        {.length = places.length(axis),
         .wraps = places.wraps(axis),
         .stride = places.stride(axis),
         .name = names[as_index(axis)],
         .places = as_index(routers() / places.length(axis) * (places.length(axis) + 1))});
  positions_.reserve(as_index(routers()) * axes_.size());
  for (int router = 0; router < routers(); ++router)
    for (const Axis& axis : axes_) positions_.push_back(router / axis.stride % axis.length);
  line_.resize(positions_.size());
  for (int number = 0; number < axes(); ++number) {
    const Axis& axis = axes_[as_index(number)];
    for (int router = 0; router < routers(); ++router)
      // Each line before this one has one place more than routers.
      line_[as_index(router) * axes_.size() + as_index(number)] =
          places_ + as_index(router - position(router, number) * axis.stride +
                             router / (axis.stride * axis.length) * axis.stride);
    places_ += 2 * axis.places;
  }

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
  if (!any_gone_) return;
  count_missing_links();
  list_ports();
}

void Torus::add_links(const std::vector<Speed>& speeds, const std::vector<bool>& gone) {
  link_at_.assign(places_, -1);
  reserve_links(places_);
  for (int router = 0; router < routers(); ++router) {
    if (gone[as_index(router)]) continue;
    for (int axis = 0; axis < axes(); ++axis)
      for (const bool forward : {true, false}) {
        const int other = neighbour(router, axis, forward);
        if (other < 0 || gone[as_index(other)]) continue;
        link_at_[place_of_line(router, axis, forward) +
                 as_index(position(router, axis) * axes_[as_index(axis)].stride)] =
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

void Torus::count_missing_links() {
  missing_before_.resize(places_);
  for_each_line([&](std::size_t place, std::size_t step, int length) {
    int missing = 0;
    for (int i = 0; i < length; ++i, place += step) {
      missing += link_at_[place] < 0 ? 1 : 0;
      missing_before_[place + step] = missing;
    }
  });
}

bool Torus::is_blocked(int from, int to) const noexcept {
  int missing = 0;
  for_each_stretch(from, to, Ties::both, [&](const Stretch& stretch) {
    missing += sum_over(stretch, std::span<const int>(missing_before_));
  });
  return missing > 0;
}

void Torus::list_ports() {
  std::vector<TorusDetours::Port> ports;
  ports.reserve(2 * line_.size());
  for (int router = 0; router < routers(); ++router)
    for (int axis = 0; axis < axes(); ++axis)
      for (const bool forward : {true, false}) {
        const int link = link_along(router, axis, forward);
        ports.push_back({.link = link, .router = link < 0 ? -1 : this->link(link).to});
      }
  detours_.emplace(std::move(ports), 2 * axes());
}

int Torus::router_hops(int from, int to) const {
  if (!any_gone_ || !is_blocked(from, to)) return distance(from, to);
  int hops = 0;
  detours_->for_each_link(from, to, [&](int) { ++hops; });
  return hops;
}

void Torus::router_route(int from, int to, std::vector<LinkShare>& out) const {
  if (any_gone_ && is_blocked(from, to)) {
    detours_->for_each_link(from, to, [&](int link) { out.push_back({link, 1}); });
    return;
  }
  for_each_link(from, to, Ties::both,
                [&out](int link, double share) { out.push_back({link, share}); });
}

void Torus::router_way(int from, int to, unsigned choice, std::vector<int>& out) const {
  if (any_gone_ && is_blocked(from, to)) {
    detours_->for_each_link(from, to, [&](int link) { out.push_back(link); });
    return;
  }
  const Ties ties = choice % 2 == 0 ? Ties::forward : Ties::back;
  for_each_link(from, to, ties, [&out](int link, double) { out.push_back(link); });
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

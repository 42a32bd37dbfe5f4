// SPDX-License-Identifier: BSD-3-Clause
//
// A torus or mesh of routers. A message goes dimension by dimension, in the order of the
// description, in each by the shorter way around. If both ways are equally long, half of the
// message takes each.
//
// The way passes routers whose nodes are down or do not belong to the job, as on a Cray Gemini. If
// it meets a router that is gone, the whole message takes one of the shortest ways around instead.
// It is always the same way (torus_detours.hpp). So the number of hops is always the distance
// between two routers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "topology/machines/description.hpp"
#include "topology/machines/machine.hpp"
#include "topology/machines/torus_detours.hpp"

namespace fg::topology {

class Torus final : public Machine {
 public:
  /// The description has been checked (make_machine.hpp).
  Torus(MachineParts parts, const TorusDescription& description);

  int router_hops(int from, int to) const override;
  void router_route(int from, int to, std::vector<LinkShare>& out) const override;
  double load_links(std::span<const Traffic> traffic, std::span<const int> node_of_rank,
                    std::span<double> bytes, std::span<double> messages) const override;
  std::vector<double> sums_over_ways(std::span<const Traffic> traffic,
                                     std::span<const int> node_of_rank,
                                     std::span<const double> value_of_link) const override;
  void sums_of_ways(std::span<const int> among, std::span<const double> value_of_link,
                    std::span<float> sums) const override;
  void router_way(int from, int to, unsigned choice, std::vector<int>& out) const override;
  std::vector<HopAxis> hop_axes() const override;
  std::string router_name(int router) const override;
  std::string link_name(int link) const override;

  int position(int router, int axis) const noexcept {
    return positions_[as_index(router) * axes_.size() + as_index(axis)];
  }

 private:
  struct Axis {
    int length;
    bool wraps;
    int stride;  // from a router to the next
    char name;
    std::size_t places;  // of all lines in one direction
  };

  /// Which way to go if both are as long.
  enum class Ties { both, forward, back };

  int axes() const noexcept { return static_cast<int>(axes_.size()); }
  int distance(int from, int to) const noexcept;
  int steps(int from, int to, const Axis& axis) const noexcept;
  /// -1 if there is none.
  int link_along(int router, int axis, bool forward) const noexcept {
    return link_at_[place_of_line(router, axis, forward) +
                    as_index(position(router, axis) * axes_[as_index(axis)].stride)];
  }
  int neighbour(int router, int axis, bool forward) const noexcept;
  void add_links(const std::vector<Speed>& speeds, const std::vector<bool>& gone);

  /// Links that follow each other along an axis in one direction. With `begin + number` beyond the
  /// length of the axis they go on at its position 0.
  struct Stretch {
    std::size_t first;  // the place of position 0 in a row of places (`place_of_line`)
    std::size_t step;   // from a place to the next
    int length;         // of the axis
    int begin, number;
    bool forward;
    double share;
  };

  std::size_t place_of_line(int router, int axis, bool forward) const noexcept {
    return line_[as_index(router) * axes_.size() + as_index(axis)] +
           (forward ? 0 : axes_[as_index(axis)].places);
  }
  /// Calls visit(stretch) for the parts of a way in the order of axes.
  template <class Visit>
  void for_each_stretch(int from, int to, Ties ties, const Visit& visit) const;
  /// Of the part along one axis, which begins at this router.
  template <class Visit>
  void for_each_stretch_on(int number, int router, int difference, Ties ties,
                           const Visit& visit) const;
  /// Calls visit(link, share) for the links of a way in the order of axes, in their order.
  template <class Visit>
  void for_each_link(int from, int to, Ties ties, const Visit& visit) const;
  /// Calls visit(place, step, length) for each line in each direction.
  template <class Visit>
  void for_each_line(const Visit& visit) const;
  void count_missing_links();
  /// Of each place the sum of the values of the links before it on its line.
  std::vector<double> sums_on_lines(std::span<const double> value_of_link) const;
  /// From one router to each: the sum on the way, from those on lines.
  void sums_to_all(int from, std::span<const double> before, std::span<double> sums,
                   std::vector<int>& reached) const;
  /// Whether a way in the order of axes meets a router that is gone.
  bool is_blocked(int from, int to) const noexcept;
  void list_ports();

  std::vector<Axis> axes_;
  std::vector<int> positions_;     // of routers along each axis
  std::vector<std::size_t> line_;  // of a router on each axis: the place of position 0, forward
  std::size_t places_ = 0;
  std::vector<int> link_at_;  // each place: the link from the router there, -1 if there is none
  std::vector<int> missing_before_;  // by place: missing links before it on its line
  bool any_gone_ = false;
  std::optional<TorusDetours> detours_;  // if any are gone
};

}  // namespace fg::topology

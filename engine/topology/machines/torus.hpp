// SPDX-License-Identifier: BSD-3-Clause
//
// A torus or mesh of routers. A message goes dimension by dimension, in the order of the
// description, in each by the shorter way around. If both ways are equally long, half of the
// message takes each.
//
// The way passes routers whose nodes are down or do not belong to the job, as on a Cray Gemini. If
// it meets a router that is gone, the whole message takes one of the shortest ways around instead.
// It is always the same way. So the number of hops is always the distance between two routers.
#pragma once

#include <string>
#include <vector>

#include "topology/machines/description.hpp"
#include "topology/machines/machine.hpp"

namespace fg::topology {

class Torus final : public Machine {
 public:
  /// The description has been checked (make_machine.hpp).
  Torus(MachineParts parts, const TorusDescription& description);

  int router_hops(int from, int to) const override;
  void router_route(int from, int to, std::vector<LinkShare>& out) const override;
  /// Messages that turn into another axis at the same router go on together.
  void load_links(int from, std::span<const Sent> sent, std::span<double> bytes,
                  std::span<double> messages) const override;
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
  };
  /// A way along one axis.
  struct Steps {
    bool forward;
    int number;
  };

  /// Which way to go if both are as long.
  enum class Ties { both, forward, back };

  int axes() const noexcept { return static_cast<int>(axes_.size()); }
  int distance(int from, int to) const noexcept;
  int steps(int from, int to, const Axis& axis) const noexcept;
  /// -1 if there is none.
  int link_along(int router, int axis, bool forward) const noexcept {
    return link_along_[(as_index(router) * axes_.size() + as_index(axis)) * 2 + (forward ? 0 : 1)];
  }
  int neighbour(int router, int axis, bool forward) const noexcept;
  void add_links(const std::vector<Speed>& speeds, const std::vector<bool>& gone);

  /// Calls visit(link, share); false if a router on the way is gone.
  template <class Visit>
  bool in_order_of_axes(int from, int to, Ties ties, const Visit& visit) const;
  template <class Visit>
  bool along_axis(int router, int axis, Steps steps, double share, const Visit& visit) const;
  /// The same to a position on this axis.
  template <class Visit>
  bool along_axis(int router, int axis, int to, Ties ties, const Visit& visit) const;
  /// The links of a shortest way around routers that are gone.
  std::vector<int> detour(int from, int to) const;

  std::vector<Axis> axes_;
  std::vector<int> positions_;   // of routers along each axis
  std::vector<int> link_along_;  // forward and backward along each axis
  bool any_gone_ = false;
};

}  // namespace fg::topology

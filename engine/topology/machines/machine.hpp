// SPDX-License-Identifier: BSD-3-Clause
//
// A machine: nodes, and the network between them. Each node belongs to a router (or switch), and
// links go from router to router. In a network of switches a node is also connected to its switch
// by a cable. The cable counts as two links of the machine, one in each direction. On a torus a
// node enters its router without a link: the speed of this step is `injection`.
//
// A link has one direction. The number of hops between two nodes is the number of links on the way.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "topology/coordinates.hpp"
#include "topology/machines/hop_axis.hpp"
#include "topology/machines/speed.hpp"
#include "topology/machines/traffic.hpp"

namespace fg::topology {

/// The share of a message that takes this link: 1 unless a message is split over several routes.
struct LinkShare {
  int link;
  double share;

  bool operator==(const LinkShare&) const = default;
};

/// A link in one direction, between vertices: routers, and after them the nodes if these have links
/// of their own.
struct Link {
  int from, to;
  Speed speed;
};

/// One dimension of the coordinates of nodes.
struct Dimension {
  int length;
  bool wraps;  // the last position is next to the first

  bool operator==(const Dimension&) const = default;
};

/// What all kinds of machines have.
struct MachineParts {
  std::string name{};
  int routers = 0;
  std::vector<int> router_of_node{};  // of usable nodes only
  bool nodes_have_links = false;
  Coordinates coordinates{};  // one row a node
  std::vector<Dimension> dimensions{};
  Speed injection{};
  NodeShape node{};
  Processor processor{};
};

class Machine {
 public:
  virtual ~Machine();
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  const std::string& name() const noexcept { return parts_.name; }
  /// Usable nodes, numbered from 0 in the machine's own order.
  int nodes() const noexcept { return static_cast<int>(parts_.router_of_node.size()); }
  int routers() const noexcept { return parts_.routers; }
  int router(int node) const noexcept { return parts_.router_of_node[as_index(node)]; }

  bool nodes_have_links() const noexcept { return parts_.nodes_have_links; }
  /// The vertex of a node: its router, or one of its own if nodes have links.
  int vertex(int node) const noexcept {
    return nodes_have_links() ? parts_.routers + node : router(node);
  }
  int vertices() const noexcept { return parts_.routers + (nodes_have_links() ? nodes() : 0); }

  int links() const noexcept { return static_cast<int>(links_.size()); }
  const Link& link(int number) const noexcept { return links_[as_index(number)]; }
  /// If nodes have links of their own: from the node to its router, and back.
  static int link_from(int node) noexcept { return 2 * node; }
  static int link_to(int node) noexcept { return 2 * node + 1; }

  /// 0 from a node to itself.
  int hops(int from, int to) const {
    if (from == to) return 0;
    return (nodes_have_links() ? 2 : 0) + router_hops(router(from), router(to));
  }
  /// Appends the links of the way. The shares add up to the number of hops.
  void route(int from, int to, std::vector<LinkShare>& out) const {
    if (from == to) return;
    if (nodes_have_links()) out.push_back({link_from(from), 1});
    router_route(router(from), router(to), out);
    if (nodes_have_links()) out.push_back({link_to(to), 1});
  }

  /// One way for all of a message.
  void way(int from, int to, unsigned choice, std::vector<int>& out) const {
    if (from == to) return;
    if (nodes_have_links()) out.push_back(link_from(from));
    router_way(router(from), router(to), choice, out);
    if (nodes_have_links()) out.push_back(link_to(to));
  }

  /// The way of all messages between two nodes where each pair has one only: by the receiver, as
  /// static routing by destination has it.
  void usual_way(int from, int to, std::vector<int>& out) const {
    way(from, to, static_cast<unsigned>(to), out);
  }

  /// The same between routers. All nodes of a router have the same routes.
  virtual int router_hops(int from, int to) const = 0;
  virtual void router_route(int from, int to, std::vector<LinkShare>& out) const = 0;
  /// Adds what ranks send each other to the links between routers, by the index of each link.
  /// Returns bytes times hops on these links.
  virtual double load_links(std::span<const Traffic> traffic, std::span<const int> node_of_rank,
                            std::span<double> bytes, std::span<double> messages) const;
  /// For each rank the sum over the messages that it sends or receives: their bytes times the sum
  /// of a value of each link on the way between routers.
  virtual std::vector<double> sums_over_ways(std::span<const Traffic> traffic,
                                             std::span<const int> node_of_rank,
                                             std::span<const double> value_of_link) const;
  /// For each pair of these routers, [from][to]: the sum of a value of each link on the way.
  virtual void sums_of_ways(std::span<const int> among, std::span<const double> value_of_link,
                            std::span<float> sums) const;
  /// Appends the links of one of these ways. `choice` picks it: equal choices take the same one,
  /// and consecutive ones different ones.
  virtual void router_way(int from, int to, unsigned choice, std::vector<int>& out) const;

  /// Axes whose hops add up to those between two routers. On a dragonfly, and on a torus with
  /// routers that are gone, the sum is near that number only. None: there are no such axes.
  virtual std::vector<HopAxis> hop_axes() const { return {}; }

  /// For placement. A network without coordinates has one, the node's number in the order of the
  /// machine, which goes switch by switch.
  const Coordinates& coordinates() const noexcept { return parts_.coordinates; }
  std::span<const Dimension> dimensions() const noexcept { return parts_.dimensions; }

  const Speed& injection() const noexcept { return parts_.injection; }
  const NodeShape& node() const noexcept { return parts_.node; }
  const Processor& processor() const noexcept { return parts_.processor; }

  /// For messages and tables.
  virtual std::string router_name(int router) const = 0;
  virtual std::string link_name(int link) const;
  std::string vertex_name(int vertex) const;

 protected:
  /// Adds the links of nodes, if they have any, with the speed of injection.
  explicit Machine(MachineParts parts);

  int add_link(const Link& link) {
    links_.push_back(link);
    return links() - 1;
  }
  void reserve_links(std::size_t number) { links_.reserve(number); }
  static std::size_t as_index(int number) noexcept { return static_cast<std::size_t>(number); }

 private:
  MachineParts parts_;
  std::vector<Link> links_;
};

}  // namespace fg::topology

// SPDX-License-Identifier: BSD-3-Clause
//
// Multicasts that processes forward to each other along a tree, instead of the sender sending to
// all. A message above a size travels in pieces. A process forwards each piece as it arrives, so
// that all levels of the tree work at the same time. It puts the pieces together to the one message
// that its elements share.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "transport/message.hpp"

namespace fg {

/// How the multicasts of a section reach other processes.
struct Spread {
  /// Processes to which a process forwards; 0: there is no tree, the sender sends to all.
  int fan_out = 0;
  std::size_t piece_bytes = std::size_t{256} << 10;
};

/// Processes by the hosts that they are on.
class HostGroups {
 public:
  HostGroups() = default;
  /// `processes`: ascending, each once. `hosts`: the number of the host of every process there is;
  /// must outlive this.
  HostGroups(std::span<const int> processes, std::span<const int> hosts);

  std::size_t size() const noexcept { return hosts_.size(); }
  /// The processes of a group, ascending.
  std::span<const int> group(std::size_t number) const noexcept {
    return std::span(processes_).subspan(first_[number], first_[number + 1] - first_[number]);
  }
  int host_of(int process) const noexcept {
    return host_of_process_[static_cast<std::size_t>(process)];
  }
  /// The number of the group of a host, or of the next higher host that has one.
  std::size_t group_of(int host) const noexcept {
    return static_cast<std::size_t>(std::ranges::lower_bound(hosts_, host) - hosts_.begin());
  }
  bool has_host(int host) const noexcept { return std::ranges::binary_search(hosts_, host); }

 private:
  std::span<const int> host_of_process_;
  std::vector<int> hosts_;  // of the groups, ascending
  std::vector<std::size_t> first_;
  std::vector<int> processes_;
};

/// The tree of a multicast. The message reaches each host once, at a leader, and spreads from there
/// inside the host. The hosts stand in a ring, behind that of the root. The processes of a host
/// also stand in a ring, behind the leader. Both are numbered level by level. So the trees of
/// different roots have different inner processes.
class MulticastTree {
 public:
  /// `groups`: of the processes of a section, with or without the root. Must outlive the tree.
  MulticastTree(const HostGroups& groups, int root, int fan_out) noexcept
      : groups_(groups),
        root_(root),
        fan_out_(static_cast<std::size_t>(fan_out)),
        first_(groups.group_of(groups.host_of(root))),
        root_has_group_(groups.has_host(groups.host_of(root))) {}

  /// Calls visit(process) for each process to which `process`, the root or one of the others,
  /// forwards. These are at most as many on other hosts as the fan-out, and as many on its own.
  template <class Visit>
  void for_each_child(int process, Visit&& visit) const {
    const int host = groups_.host_of(process);
    const bool at_root = host == groups_.host_of(root_);
    // hosts: the root's is node 0
    const std::size_t all = groups_.size(), number = groups_.group_of(host);
    const std::size_t begin = first_ + (root_has_group_ ? 1 : 0);
    if (process == (at_root ? root_ : leader(number)))
      for_each_child_of(at_root ? 0 : 1 + (number + all - begin % all) % all,
                        all - (root_has_group_ ? 1 : 0),
                        [&](std::size_t node) { visit(leader((begin + node - 1) % all)); });
    if (at_root && !root_has_group_) return;
    // processes of this host: the leader is node 0
    const std::span<const int> here = groups_.group(number);
    const int first = at_root ? root_ : leader(number);
    const std::size_t place = place_of(first, here);
    const bool member = place < here.size() && here[place] == first;
    const std::size_t next = place + (member ? 1 : 0);
    for_each_child_of(
        process == first ? 0 : 1 + (place_of(process, here) + here.size() - next) % here.size(),
        here.size() - (member ? 1 : 0),
        [&](std::size_t node) { visit(here[(next + node - 1) % here.size()]); });
  }

 private:
  /// The children of a node among nodes 1 to `others`.
  template <class Visit>
  void for_each_child_of(std::size_t node, std::size_t others, Visit&& visit) const {
    const std::size_t begin = fan_out_ * node + 1;
    for (std::size_t child = begin; child < begin + fan_out_ && child <= others; ++child)
      visit(child);
  }
  /// The process of a group that gets the message from another host.
  int leader(std::size_t number) const noexcept {
    const std::span<const int> group = groups_.group(number);
    return group[static_cast<std::size_t>(root_) % group.size()];
  }
  static std::size_t place_of(int process, std::span<const int> processes) noexcept {
    return static_cast<std::size_t>(std::ranges::lower_bound(processes, process) -
                                    processes.begin());
  }

  const HostGroups& groups_;
  int root_;
  std::size_t fan_out_;
  std::size_t first_;  // the group of the root's host, or the next one
  bool root_has_group_;
};

/// Messages of which some pieces have arrived; may be used by several threads.
class PieceAssembly {
 public:
  /// Takes bytes of a message of this number from `root`, at this offset in its body. Returns the
  /// message once all its bytes are there, else null.
  Ref<const Message> take(int root, std::uint64_t number, const MessageExtent& extent,
                          std::size_t offset, std::span<const std::byte> bytes);

 private:
  struct Partial {
    int root = 0;
    std::uint64_t number = 0;
    std::size_t missing = 0;  // bytes
    Ref<Message> message{};
  };
  Partial* find(int root, std::uint64_t number) noexcept;

  std::mutex mutex_;
  std::vector<Partial> partial_;
};

}  // namespace fg

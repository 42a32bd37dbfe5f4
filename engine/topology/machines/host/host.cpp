// SPDX-License-Identifier: BSD-3-Clause
#include "topology/machines/host/host.hpp"

#include <array>

namespace fg::topology {

namespace {

const Speed& speed_of(HostKind kind, const HostSpeeds& speeds) {
  switch (kind) {
    case HostKind::thread:
      return speeds.thread;
    case HostKind::core:
      return speeds.core;
    case HostKind::cache:
      return speeds.cache;
    case HostKind::memory:
      return speeds.memory;
    case HostKind::socket:
    case HostKind::host:
      break;
  }
  return speeds.socket;
}

/// Parts become switches, threads nodes.
class Network {
 public:
  explicit Network(const HostSpeeds& speeds) : speeds_(speeds) {}

  /// Adds a part, and returns its switch.
  int add(const HostPart& part) {
    // A part with only one part inside stands for it, unless this is a thread.
    if (part.parts.size() == 1 && part.parts.front().kind != HostKind::thread)
      return add(part.parts.front());
    static constexpr std::array names{"thread", "core", "cache", "memory", "socket", "host"};
    const auto kind = static_cast<std::size_t>(part.kind);
    const int here = graph_.switches++;
    graph_.names.push_back(std::string(names[kind]) + " " + std::to_string(counts_[kind]++));
    for (const HostPart& inside : part.parts) {
      if (inside.kind == HostKind::thread) {
        graph_.switch_of_node.push_back(here);
      } else {
        const int switch_inside = add(inside);
        graph_.cables.push_back(
            {.a = here, .b = switch_inside, .speed = speed_of(inside.kind, speeds_)});
      }
    }
    return here;
  }

  const GraphDescription& graph() const noexcept { return graph_; }

 private:
  const HostSpeeds& speeds_;
  GraphDescription graph_;
  std::array<int, 6> counts_{};
};

}  // namespace

HostPart regular_host(const HostShape& shape) {
  HostPart part{HostKind::thread};
  const auto several = [&](HostKind kind, int number) {
    HostPart around{kind};
    if (number > 0) around.parts.assign(static_cast<std::size_t>(number), part);
    part = std::move(around);
  };
  several(HostKind::core, shape.threads);
  several(HostKind::cache, shape.cores);
  several(HostKind::memory, shape.caches);
  several(HostKind::socket, shape.memories);
  several(HostKind::host, shape.sockets);
  return part;
}

MachineDescription host_machine(const std::string& name, const HostPart& host,
                                const HostSpeeds& speeds) {
  Network network(speeds);
  network.add(host);
  return {.name = name, .network = network.graph(), .injection = speeds.thread};
}

}  // namespace fg::topology

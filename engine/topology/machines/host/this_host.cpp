// SPDX-License-Identifier: BSD-3-Clause
#include <hwloc.h>

#include "base/error.hpp"
#include "topology/machines/host/host.hpp"

namespace fg::topology {

namespace {

/// The computer's parts, and the hardware threads that may be used.
class Computer {
 public:
  Computer() {
    if (hwloc_topology_init(&topology_) != 0) refuse();
    if (hwloc_topology_load(topology_) != 0) {
      hwloc_topology_destroy(topology_);
      refuse();
    }
    allowed_ = hwloc_bitmap_alloc();
    if (hwloc_get_cpubind(topology_, allowed_, HWLOC_CPUBIND_THREAD) != 0)
      hwloc_bitmap_copy(allowed_, hwloc_topology_get_allowed_cpuset(topology_));
  }
  ~Computer() {
    hwloc_bitmap_free(allowed_);
    hwloc_topology_destroy(topology_);
  }
  Computer(const Computer&) = delete;
  Computer& operator=(const Computer&) = delete;

  HostPart whole() const {
    HostPart host{HostKind::host};
    add(hwloc_get_root_obj(topology_), host);
    return host;
  }

 private:
  [[noreturn]] static void refuse() {
    throw ResourceError({.what = "hwloc cannot read the parts of this computer",
                         .hint = "describe them in a file of the machine"});
  }

  HostKind kind_of(hwloc_obj_t object) const {
    if (object->type == HWLOC_OBJ_PU) return HostKind::thread;
    if (object->type == HWLOC_OBJ_CORE) return HostKind::core;
    if (object->type == HWLOC_OBJ_PACKAGE) return HostKind::socket;
    return object->memory_arity > 0 ? HostKind::memory : HostKind::cache;
  }

  /// Adds what an object consists of, without the threads that may not be used.
  void add(hwloc_obj_t object, HostPart& part) const {
    for (unsigned i = 0; i < object->arity; ++i) {
      hwloc_obj_t const inside = object->children[i];
      if (!hwloc_bitmap_intersects(inside->cpuset, allowed_)) continue;
      part.parts.push_back({kind_of(inside)});
      add(inside, part.parts.back());
    }
  }

  hwloc_topology_t topology_ = nullptr;
  hwloc_bitmap_t allowed_ = nullptr;
};

}  // namespace

HostPart this_host() {
  return Computer().whole();
}

}  // namespace fg::topology

// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/threads/pinning.hpp"

#include <hwloc.h>
#include <hwloc/glibc-sched.h>
#include <sched.h>

#include <mutex>
#include <thread>
#include <vector>

namespace fg {

namespace {

/// The machine's topology from hwloc, read once, and the first allowed hardware thread of each
/// core.
class Cores {
 public:
  static const Cores& instance() {
    static const Cores* const cores = new Cores;
    return *cores;
  }

  const std::vector<int>& processors() const noexcept { return processors_; }
  int count() const noexcept { return static_cast<int>(units_.size()); }
  bool bind(int rank) const {
    if (rank < 0 || rank >= count()) return false;
    // Not by hwloc_set_cpubind, which needs memory and does not check whether it got it.
    cpu_set_t one;
    return hwloc_cpuset_to_glibc_sched_affinity(topology_, units_[static_cast<std::size_t>(rank)],
                                                &one, sizeof one) == 0 &&
           sched_setaffinity(0, sizeof one, &one) == 0;
  }

 private:
  Cores() {
    if (hwloc_topology_init(&topology_) != 0 || hwloc_topology_load(topology_) != 0) return;
    hwloc_bitmap_t allowed = hwloc_bitmap_alloc();
    // The process's own mask at the first use, before any of our threads is bound.
    if (hwloc_get_cpubind(topology_, allowed, HWLOC_CPUBIND_THREAD) != 0)
      hwloc_bitmap_copy(allowed, hwloc_topology_get_allowed_cpuset(topology_));
    for (int next = hwloc_bitmap_first(allowed); next >= 0; next = hwloc_bitmap_next(allowed, next))
      processors_.push_back(next);
    for (hwloc_obj_t core = nullptr;
         (core = hwloc_get_next_obj_by_type(topology_, HWLOC_OBJ_CORE, core)) != nullptr;) {
      hwloc_bitmap_t usable = hwloc_bitmap_alloc();
      hwloc_bitmap_and(usable, core->cpuset, allowed);
      if (hwloc_bitmap_iszero(usable)) {
        hwloc_bitmap_free(usable);
        continue;
      }
      hwloc_bitmap_singlify(usable);
      units_.push_back(usable);
    }
    hwloc_bitmap_free(allowed);
  }

  hwloc_topology_t topology_ = nullptr;
  std::vector<hwloc_bitmap_t> units_;
  std::vector<int> processors_;
};

}  // namespace

int available_cores() {
  const int cores = Cores::instance().count();
  return cores > 0 ? cores : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

bool pin_to_core(int rank) {
  return Cores::instance().bind(rank);
}

bool pin_to_processor(int processor) {
  if (processor < 0 || processor >= CPU_SETSIZE) return false;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(processor, &one);
  return sched_setaffinity(0, sizeof one, &one) == 0;
}

const std::vector<int>& usable_processors() {
  return Cores::instance().processors();
}

}  // namespace fg

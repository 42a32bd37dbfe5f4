// SPDX-License-Identifier: BSD-3-Clause
#include "processes/installation.hpp"

#include <fmt/core.h>
#include <hdf5.h>
#include <hwloc.h>

#include <memory>
#include <string>

#include "base/simd_targets.hpp"
// Must come after the line above.
#include <hwy/targets.h>

namespace fg {
namespace {

using Topology = std::unique_ptr<hwloc_topology, decltype(&hwloc_topology_destroy)>;

Topology load_topology() {
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) != 0) return {nullptr, &hwloc_topology_destroy};
  Topology topology(raw, &hwloc_topology_destroy);
  if (hwloc_topology_load(raw) != 0) topology.reset();
  return topology;
}

std::string hdf5_version() {
  unsigned major = 0, minor = 0, release = 0;
  H5get_libversion(&major, &minor, &release);
  return fmt::format("{}.{}.{}", major, minor, release);
}

}  // namespace

Installation describe_installation() {
  Installation here;
  here.version = FG_VERSION;
  here.compiler = fmt::format("{} {}", FG_COMPILER, __VERSION__);
  here.build_type = FG_BUILD_TYPE;
  for (const int64_t target : hwy::SupportedAndGeneratedTargets())
    here.simd_targets.emplace_back(hwy::TargetName(target));
  here.simd_target = hwy::TargetName(simd_target_in_use());
  here.portable_target =
      simd_target_rounds_once() ? here.simd_target : hwy::TargetName(HWY_STATIC_TARGET);
  here.libraries = {{"hdf5", hdf5_version()}, {"hwloc", HWLOC_VERSION}};
  if (const Topology topology = load_topology()) {
    here.cores = hwloc_get_nbobjs_by_type(topology.get(), HWLOC_OBJ_CORE);
    here.hardware_threads = hwloc_get_nbobjs_by_type(topology.get(), HWLOC_OBJ_PU);
    here.numa_nodes = hwloc_get_nbobjs_by_type(topology.get(), HWLOC_OBJ_NUMANODE);
    here.memory_bytes = static_cast<std::int64_t>(hwloc_get_root_obj(topology.get())->total_memory);
  }
  return here;
}

}  // namespace fg

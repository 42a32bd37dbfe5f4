// SPDX-License-Identifier: BSD-3-Clause
#include "processes/mesh_map.hpp"

#include <charconv>
#include <string_view>
#include <system_error>

#include "base/error.hpp"

namespace fg {

std::optional<MeshMap> mesh_map_of(const std::string& map) {
  static constexpr std::string_view prefix = "mesh-", alone = "-alone";
  if (!map.starts_with(prefix)) return {};
  MeshMap found{.alone = map.ends_with(alone)};
  const char* const first = map.data() + prefix.size();
  const char* const last = map.data() + map.size() - (found.alone ? alone.size() : 0);
  const auto [end, error] = std::from_chars(first, last, found.pes);
  if (first >= last || error != std::errc() || end != last)
    throw InputError({.what = "there is no whole number behind mesh-",
                      .where = "--map",
                      .value = map,
                      .hint = "such as mesh-1, or mesh-1-alone"});
  if (found.pes < 1)
    throw InputError({.what = "the mesh needs at least one PE of each process",
                      .where = "--map",
                      .value = map,
                      .hint = "such as mesh-1, or mesh-1-alone"});
  return found;
}

void require_pes(const MeshMap& mesh, const std::string& name, int pes_a_process) {
  const int needed = mesh.alone ? mesh.pes + 1 : mesh.pes;
  if (pes_a_process >= needed) return;
  throw InputError({.what = "each process has too few PEs for this map",
                    .where = "--map",
                    .value = name,
                    .limit = std::to_string(needed) + " PEs or more, and there " +
                             (pes_a_process == 1 ? "is 1" : "are " + std::to_string(pes_a_process)),
                    .hint = "add --pes " + std::to_string(needed)});
}

}  // namespace fg

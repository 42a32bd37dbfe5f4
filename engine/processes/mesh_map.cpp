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
  if (first >= last || error != std::errc() || end != last || found.pes < 1)
    throw InputError({.what = "the PEs of the mesh cannot be read from the name of a map",
                      .where = "--map",
                      .value = map,
                      .hint = "such as mesh-1, or mesh-1-alone"});
  return found;
}

void require_pes(const MeshMap& mesh, const std::string& name, int pes_a_process) {
  const int most = mesh.alone ? pes_a_process - 1 : pes_a_process;
  if (mesh.pes <= most) return;
  throw InputError({.what = "each process has too few PEs for such a map",
                    .where = "--map",
                    .value = name,
                    .limit = std::to_string(pes_a_process) + " PEs, " +
                             (mesh.alone ? "of which the mesh may have " + std::to_string(most)
                                         : "which the mesh may have"),
                    .hint = "give each process more with --pes"});
}

}  // namespace fg

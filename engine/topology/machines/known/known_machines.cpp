// SPDX-License-Identifier: BSD-3-Clause
#include "topology/machines/known/known_machines.hpp"

#include "base/error.hpp"
#include "topology/machines/known/kinds.hpp"

namespace fg::topology {

const std::vector<KnownMachine>& known_machines() {
  static const std::vector<KnownMachine> list{
      {"blue-gene-l", "IBM Blue Gene/L: 3-D torus", 65536, blue_gene_l},
      {"blue-gene-q", "IBM Blue Gene/Q: 5-D torus", 98304, blue_gene_q},
      {"titan", "Cray XK7 at Oak Ridge: Gemini torus with holes", 18688, titan},
      {"blue-waters", "Cray XE6 and XK7 at NCSA: Gemini torus with holes", 26864, blue_waters},
      {"tofu-d", "Fujitsu Tofu D, as in Fugaku: 6-D torus", 158976, tofu_d},
      {"slingshot", "HPE Slingshot: dragonfly", 279040, slingshot},
      {"fat-tree", "InfiniBand HDR: fat tree of three levels", 32000, fat_tree_hdr}};
  return list;
}

MachineDescription known_machine(const std::string& name, int nodes) {
  std::string names;
  for (const KnownMachine& known : known_machines()) {
    names += (names.empty() ? "" : ", ") + known.name;
    if (known.name != name) continue;
    if (nodes < 1 || nodes > known.most_nodes)
      throw InputError({.what = "the machine '" + name + "' has not this number of nodes",
                        .value = std::to_string(nodes),
                        .limit = "1 to " + std::to_string(known.most_nodes),
                        .hint = "choose another number, or describe the machine in a file"});
    return known.of(nodes);
  }
  throw InputError({.what = "no machine of this name is known",
                    .value = "'" + name + "'",
                    .limit = names,
                    .hint = "choose one of these, or describe the machine in a file"});
}

}  // namespace fg::topology

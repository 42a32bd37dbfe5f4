// SPDX-License-Identifier: BSD-3-Clause
#include "records/job/job_restraints.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace fg {

std::vector<PositionRestraint> read_restraints(const h5::Reader& file) {
  const std::string at = "/restraints";
  if (!file.has(at)) return {};
  const auto atoms = file.array<std::int32_t>(at + "/atoms");
  const auto column = [&](const char* name) {
    auto values = file.array<double>(at + "/" + name, {3});
    if (values.size() != 3 * atoms.size()) file.fail("the columns differ in length", at);
    return values;
  };
  const auto constants = column("constants"), reference = column("reference"),
             anchor = column("anchor");
  const auto row = [](const std::vector<double>& values, std::size_t i) {
    return Vec3{values[3 * i], values[3 * i + 1], values[3 * i + 2]};
  };
  // Only where a cell is repeated.
  std::vector<std::int32_t> follows(atoms.size(), 0);
  if (file.has(at + "/follows")) follows = file.array<std::int32_t>(at + "/follows");
  if (follows.size() != atoms.size()) file.fail("the columns differ in length", at);
  std::vector<PositionRestraint> restraints;
  restraints.reserve(atoms.size());
  for (std::size_t i = 0; i < atoms.size(); ++i)
    restraints.push_back({.atom = atoms[i],
                          .stiffness = row(constants, i),
                          .reference = row(reference, i),
                          .anchor = row(anchor, i),
                          .follows = follows[i] != 0});
  return restraints;
}

void add_restraints(Sha256& sum, const std::vector<PositionRestraint>& restraints) {
  if (restraints.empty()) return;
  sum.add(std::string_view("restraints"));
  sum.add(static_cast<std::uint64_t>(restraints.size()));
  for (const PositionRestraint& restraint : restraints) {
    sum.add(static_cast<std::uint64_t>(restraint.atom));
    for (const Vec3* column : {&restraint.stiffness, &restraint.reference, &restraint.anchor})
      for (int axis = 0; axis < 3; ++axis) sum.add((*column)[axis]);
  }
}

}  // namespace fg

// SPDX-License-Identifier: BSD-3-Clause
//
// What the pair lists of a classical job hold, as JSON: by compute, the pairs of atoms, the rows,
// the patches that the list touches, and the atoms of all its patches. Lists are made of the first
// positions, without exclusions. bench/accuracy/list_costs.py fits what they take. Usage:
// list_table JOB
#include <cstdint>
#include <cstdio>

#include "support/classical/lists_of_job.hpp"

int main(int argc, char** argv) {
  using namespace fg;
  if (argc != 2) return 1;
  const Job job = load_job(argv[1]);
  const test::PairSystem atoms = test::atoms_of(job);
  auto lists = test::lists_of(job, atoms);
  const char* comma = "[";
  lists.for_each_compute([&](const auto& work, const auto&) {
    int touched = 0;
    for (int p = 0; p < work.neighbourhood().partners(); ++p)
      touched += work.touched(p).empty() ? 0 : 1;
    std::printf("%s[%lld,%zu,%d,%lld]", comma, static_cast<long long>(work.listed_pairs()),
                work.inner_list().rows.size(), touched, static_cast<long long>(work.atoms()));
    comma = ",";
  });
  std::printf("]\n");
  return 0;
}

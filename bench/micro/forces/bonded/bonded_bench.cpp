// SPDX-License-Identifier: BSD-3-Clause
//
// Nanoseconds per bonded term of each kind, for a chain of atoms that is as long as the protein of
// the DHFR benchmark, whole and in pieces as long as the share of a patch. Each term is of
// neighbours along the chain, as in a molecule.
#include <benchmark/benchmark.h>

#include <array>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "forces/bonded/bonded_workset.hpp"
#include "support/classical/bonded_samples.hpp"

namespace fg::test {
namespace {

constexpr int whole = 2489, of_patch = 100;

template <class Term>
BondedTerms terms_along_chain(int atoms) {
  BondedTerms terms;
  const std::vector<Term> kinds = samples<Term>();
  terms.shared<Term>() = shared_by_samples<Term>();
  constexpr int count = atoms_in<Term>;
  for (int i = 0; i + count <= atoms; ++i) {
    Term term = kinds[static_cast<std::size_t>(i) % kinds.size()];
    for (int k = 0; k < count; ++k) term.atoms[static_cast<std::size_t>(k)] = i + k;
    terms.of<Term>().push_back(term);
  }
  return terms;
}

template <class Term, bool with_sums>
void run(benchmark::State& state) {
  const int atoms = static_cast<int>(state.range(0));
  const BondedTerms terms = terms_along_chain<Term>(atoms);
  const TermIndex index(terms, atoms);
  std::vector<std::int32_t> ids(static_cast<std::size_t>(atoms));
  std::iota(ids.begin(), ids.end(), 0);
  const BlockPart part{{0, 0, 0}, ids};
  BondedWorkset work(terms, index, {0, 0, 0}, {1, 1, 1});
  work.rebuild({&part, 1}, {{100, 110, 120}});

  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> range(-1, 1);
  std::vector<Vec3> positions, forces(static_cast<std::size_t>(atoms));
  Vec3 at{10, 10, 10};
  for (int i = 0; i < atoms; ++i) {
    const double x = range(random), y = range(random), z = range(random);
    at += Vec3{1.2 + 0.9 * x, 1.2 * y, 1.2 * z};
    positions.push_back(at);
  }
  for (auto _ : state) {
    if constexpr (with_sums)
      benchmark::DoNotOptimize(work.add_forces_and_sums(positions, forces));
    else
      work.add_forces(positions, forces);
    benchmark::ClobberMemory();
  }
  state.counters["ns_per_term"] =
      benchmark::Counter(1e-9 * work.size() * double(state.iterations()),
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void add_all() {
  BondedTerms::for_each_kind([]<class Term>() {
    for (const int atoms : {whole, of_patch}) {
      const std::string name(Term::names_of_many);
      benchmark::RegisterBenchmark(name.c_str(), run<Term, false>)->Arg(atoms);
      benchmark::RegisterBenchmark((name + ", with energies").c_str(), run<Term, true>)->Arg(atoms);
    }
  });
}

}  // namespace
}  // namespace fg::test

int main(int arguments, char** values) {
  fg::test::add_all();
  benchmark::Initialize(&arguments, values);
  benchmark::RunSpecifiedBenchmarks();
}

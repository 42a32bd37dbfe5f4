// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/places/work.hpp"

#include <algorithm>
#include <cstddef>
#include <span>

#include "ab_initio/density/density.hpp"
#include "ab_initio/division/costs.hpp"
#include "ab_initio/ions/ion_tables.hpp"
#include "ab_initio/orbitals/block_work.hpp"
#include "ab_initio/places/evaluation_counts.hpp"
#include "electrons/nonlocal/projector_coupling.hpp"

namespace fg::ab_initio {

namespace {

class Counter {
 public:
  Counter(const Job& job, const Basis& basis, const MatrixTiles& tiles, const ObjectPlaces& places,
          std::size_t pes)
      : job_(job), basis_(basis), tiles_(tiles), places_(places), operations_(pes) {}

  void count(CountedOrder order, double times) {
    times_ = times;
    switch (order) {
      case CountedOrder::evaluate:
        return evaluate();
      case CountedOrder::gradient:
        add(places_.pe_of_tile(0, 0), eigenvalues_of(basis_.orbitals()));
        return products(block_work::gradient, 1);
      case CountedOrder::direction:
        add(places_.pe_of_tile(0, 0), eigenvalues_of(basis_.orbitals()));
        multiply(1);
        return products(block_work::direction, 1);
      case CountedOrder::step:
        return products(block_work::matrix_only, 1);
      case CountedOrder::drift:
        return products(block_work::drift, 1);
      case CountedOrder::free_drift:
        return products(block_work::own_overlaps, 1);
      case CountedOrder::free_force:
        multiply(1);
        return products(block_work::free_force, 2);
      case CountedOrder::project:
        return products(block_work::project, 0);
      case CountedOrder::round:
        return multiply(3);
      case CountedOrder::place:
      case CountedOrder::accept:
      case CountedOrder::kick:
      case CountedOrder::forces:
        return;  // sums of vectors only, or of ions
    }
  }

  std::vector<double> take() { return std::move(operations_); }

 private:
  void add(int pe, double operations) {
    operations_[static_cast<std::size_t>(pe)] += times_ * operations;
  }

  void evaluate() {
    const IonTables tables(job_);
    const EvaluationCounts counts(job_, tables);
    const TransformCosts of_orbitals(*basis_.orbital_plan()), of_density(*basis_.density_plan());
    const bool exact = job_.nonlocal.method == IonMethod::exact;
    const int projectors =
        exact ? static_cast<int>(
                    electrons::ProjectorCoupling(tables.projectors(), job_.species_of).rows())
              : 0;
    for (int block = 0; block < basis_.blocks(); ++block)
      for (int part = 0; part < basis_.parts(); ++part) {
        const auto at = static_cast<std::size_t>(part);
        const double points = static_cast<double>(basis_.points(part).volume());
        // The points are made twice, and go back once.
        const double of_pair =
            2 * of_orbitals.columns[at] + 3 * of_orbitals.planes[at] +
            (operations::density_of_pair + operations::potential_of_pair) * points;
        add(places_.pe_of(block, part),
            basis_.pairs(block) * of_pair + 2 * block_product(projectors,
                                                              basis_.block(block).size(),
                                                              basis_.waves(part).size()));
      }
    const double functional =
        counts.has_gradient() ? operations::gradient_functional : operations::local_functional;
    for (int part = 0; part < basis_.density_parts(); ++part) {
      const auto at = static_cast<std::size_t>(part);
      add(places_.pe_of_density(part),
          (counts.to_points() + counts.to_waves()) *
                  (of_density.columns[at] + of_density.planes[at]) +
              job_.electrons.spins * functional *
                  static_cast<double>(basis_.density_points(part).volume()) +
              operations::hartree * static_cast<double>(basis_.density_plan()->waves_of(part)));
    }
  }

  /// Overlaps, and products with so many matrices.
  void products(const BlockWork& work, int matrices) {
    for (int b = 0; b < basis_.blocks(); ++b)
      for (int c = 0; c < basis_.pair_groups(); ++c) {
        int half = 0, all = 0;  // rows of the same spin
        const fft::Range group = basis_.group(c);
        for (int a = group.begin; a < group.end; ++a) {
          if (basis_.spin_of(a) != basis_.spin_of(b)) continue;
          all += basis_.block(a).size();
          if (computes_tile(a, b, basis_.blocks())) half += basis_.block(a).size();
        }
        int rows = matrices * all;
        for (const Overlap& one :
             std::span(work.overlaps).first(static_cast<std::size_t>(work.count)))
          rows += one.tiles == Overlap::Tiles::half ? half : all;
        for (int chunk = 0; chunk < basis_.chunks(); ++chunk)
          add(places_.pe_of_pairs(b, c, chunk),
              block_product(rows, basis_.block(b).size(),
                            static_cast<std::size_t>(basis_.waves_of_chunk(chunk).size())));
      }
  }

  /// So many products of matrices of all orbitals.
  void multiply(double count) {
    const auto n = static_cast<std::size_t>(tiles_.orbitals());
    for (int i = 0; i < tiles_.side(); ++i)
      for (int j = 0; j < tiles_.side(); ++j) {
        const MatrixShare share = tiles_.share(i, j);
        add(places_.pe_of_tile(i, j),
            count * matrix_product(static_cast<std::size_t>(share.rows.size()),
                                   static_cast<std::size_t>(share.columns.size()), n));
      }
  }

  const Job& job_;
  const Basis& basis_;
  const MatrixTiles& tiles_;
  const ObjectPlaces& places_;
  std::vector<double> operations_;
  double times_ = 1;
};

}  // namespace

std::vector<double> operations_of(const OrderCounts& orders, const Job& job, const Basis& basis,
                                  const MatrixTiles& tiles, const ObjectPlaces& places,
                                  const topology::PeLayout& layout) {
  Counter counter(job, basis, tiles, places, static_cast<std::size_t>(layout.pes()));
  for (const auto& [order, times] : orders) counter.count(order, times);
  return counter.take();
}

}  // namespace fg::ab_initio

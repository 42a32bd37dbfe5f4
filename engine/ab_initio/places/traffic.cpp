// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/places/traffic.hpp"

#include <algorithm>
#include <array>
#include <complex>
#include <cstddef>
#include <optional>
#include <span>
#include <type_traits>

#include "ab_initio/density/density.hpp"
#include "ab_initio/ions/ion_tables.hpp"
#include "ab_initio/ions/ion_transforms.hpp"
#include "ab_initio/orbitals/nonlocal_splines.hpp"
#include "ab_initio/orbitals/orbitals.hpp"
#include "ab_initio/orbitals/search_memory.hpp"
#include "ab_initio/orders/force_numbers.hpp"
#include "ab_initio/orders/messages.hpp"
#include "ab_initio/orders/orders.hpp"
#include "ab_initio/places/evaluation_counts.hpp"
#include "ab_initio/places/matrix_messages.hpp"
#include "ab_initio/places/object_processes.hpp"
#include "ab_initio/places/process_messages.hpp"
#include "ab_initio/places/traffic_phases.hpp"
#include "ab_initio/places/ways_of_objects.hpp"
#include "electrons/nonlocal/projector_coupling.hpp"
#include "fft/chares/transform_messages.hpp"
#include "fft/sphere/rank_sphere.hpp"
#include "fft/sphere/sphere_parcels.hpp"

namespace fg::ab_initio {

namespace {

using Complex = std::complex<double>;
using Processes = std::vector<int>;
using Parcels = std::vector<fft::SphereParcel>;

Parcels parcels_of(const fft::SpherePlan& plan, fft::SphereEnd end) {
  return fft::parcels_of(plan, fft::fields_of(plan.sphere().kind(), orbitals_of_transform), end,
                         sizeof(Complex));
}

class Counter {
 public:
  Counter(const Job& job, const Basis& basis, const MatrixTiles& tiles, const ObjectPlaces& places,
          const topology::PeLayout& layout)
      : job_(job),
        basis_(basis),
        tables_(job),
        counts_(job, tables_),
        at_(basis, places, layout),
        messages_(phases_of_traffic.size(), layout),
        matrices_(job, basis, tiles, at_, messages_) {
    projectors_ = electrons::ProjectorCoupling(tables_.projectors(), job.species_of).rows();
    if (projectors_ > 0 && job.nonlocal.method == IonMethod::splines)
      nonlocal_splines_.emplace(job, basis, tables_);
    if (job.local.method == IonMethod::splines)
      ion_parcels_ = parcels_of(*IonTransforms(job, basis).plan(), fft::SphereEnd::points);
  }

  void count(CountedOrder order, double times) {
    messages_.set_times(times);
    switch (order) {
      case CountedOrder::place:
        return place();
      case CountedOrder::evaluate:
        return evaluate();
      case CountedOrder::forces:
        return forces();
      case CountedOrder::accept:
        tell<AcceptOrder>(at_.orbitals);
        return sum(at_.orbitals, SearchProducts::count);
      case CountedOrder::kick:
        tell<KickOrder>(at_.orbitals);
        return answer();
      case CountedOrder::round:
        for (int product = 0; product < 3; ++product) matrices_.multiply(Reading::as_stored);
        return matrices_.sum_of_tiles();
      default:
        order_with_matrices(order);
        return answer();
    }
  }

  std::vector<PhaseTraffic> take() {
    std::vector<PhaseTraffic> all;
    all.reserve(phases_of_traffic.size());
    for (std::size_t phase = 0; phase < phases_of_traffic.size(); ++phase)
      all.push_back({phases_of_traffic[phase], messages_.take(phase)});
    return all;
  }

 private:
  static constexpr std::array<int, 1> leader{0};  // its process
  using Reading = MatrixMessages::Reading;
  /// An order without fields of its own is a number in the packet.
  struct NumberOnly {};

  std::size_t orbitals_of(int block) const {
    return static_cast<std::size_t>(basis_.block(block).size());
  }

  // ----- orders and answers -----

  template <class Order>
  void tell(const Processes& objects, std::size_t trailing = 0) {
    if constexpr (std::is_same_v<Order, NumberOnly>)
      messages_.along_tree(traffic::to_objects, leader[0], objects, 0);
    else
      messages_.along_tree(traffic::to_objects, leader[0], objects, body_bytes<Order>(trailing));
  }
  void sum(const Processes& objects, std::size_t numbers) {
    messages_.reduce(traffic::to_leader, objects, numbers, leader);
  }
  void answer() {
    sum(at_.orbitals, OrbitalSums::count);
    sum(at_.orbitals, 1);  // the largest residual
  }
  void report_motion() {
    messages_.send(traffic::to_leader, at_.tiles.front(), leader[0], body_bytes<MotionReport>(0));
  }

  void order_with_matrices(CountedOrder order) {
    switch (order) {
      case CountedOrder::gradient:
        tell<NumberOnly>(at_.tiles);
        tell<NumberOnly>(at_.orbitals);
        matrices_.send_blocks(1, 1);
        matrices_.sum_overlaps();
        matrices_.exchange();
        matrices_.gather(1);
        matrices_.tell_tiles();
        matrices_.send_tiles(1);
        return matrices_.send_products();
      case CountedOrder::direction:
        tell<NumberOnly>(at_.tiles);
        tell<DirectionOrder>(at_.orbitals);
        matrices_.send_blocks(2, 0);
        matrices_.sum_overlaps();
        matrices_.send_tiles(1);
        matrices_.exchange();
        matrices_.multiply(Reading::transposed);
        matrices_.exchange();
        matrices_.gather(1);
        messages_.send(traffic::to_leader, at_.tiles.front(), leader[0], 0);
        return matrices_.send_products();
      case CountedOrder::step:
        tell<StepOrder>(at_.tiles);
        tell<StepOrder>(at_.orbitals);
        matrices_.send_blocks(1, 0);
        matrices_.send_root();
        return matrices_.send_products();
      case CountedOrder::drift:
        tell<DriftOrder>(at_.tiles);
        tell<DriftOrder>(at_.orbitals);
        matrices_.send_blocks(2, 0);
        matrices_.sum_overlaps();
        matrices_.gather(3);
        matrices_.send_whole(1);
        report_motion();
        return matrices_.send_products();
      case CountedOrder::free_drift:
        tell<DriftOrder>(at_.tiles);
        tell<DriftOrder>(at_.orbitals);
        matrices_.send_blocks(1, 0);
        matrices_.sum_overlaps();
        matrices_.exchange();
        matrices_.sum_of_tiles();  // the largest deviation from 1
        matrices_.sum_of_tiles();  // and their norm
        matrices_.send_root();
        report_motion();
        return matrices_.send_products();
      case CountedOrder::free_force:
        tell<FreeForceOrder>(at_.tiles);
        tell<NumberOnly>(at_.orbitals);
        matrices_.send_blocks(2, 0);
        matrices_.sum_overlaps();
        matrices_.exchange();
        matrices_.multiply(Reading::as_stored);
        matrices_.is_alone() ? matrices_.send_whole(2) : matrices_.send_tiles(2);
        return matrices_.send_products();
      case CountedOrder::project:
        tell<MotionOrder>(at_.tiles);
        tell<NumberOnly>(at_.orbitals);
        matrices_.send_blocks(1, 2);
        matrices_.sum_overlaps();
        matrices_.gather(2);
        return report_motion();
      default:
        FG_CHECK(false);
    }
  }

  // ----- ions, density and H psi -----

  void place() {
    const std::size_t positions = job_.positions.size() * sizeof(Vec3);
    tell<PlaceOrder>(at_.density, positions);
    if (projectors_ > 0) tell<PlaceOrder>(at_.orbitals, positions);  // to the projector writers
    transform_density(traffic::splines, ion_parcels_, 0, counts_.of_ions());
  }

  /// Backward and forward.
  void transform_density(traffic::Phase phase, const Parcels& parcels, double to_points,
                         double to_waves) {
    for (const auto& [from, to, bytes] : parcels) {
      const int a = at_.density[static_cast<std::size_t>(from)];
      const int b = at_.density[static_cast<std::size_t>(to)];
      const std::size_t body = body_bytes<fft::ParcelMessage>(bytes);
      messages_.send(phase, a, b, body, to_points);
      messages_.send(phase, b, a, body, to_waves);
    }
  }
  void transform_orbitals(traffic::Phase phase, const Parcels& parcels, int block, double to_points,
                          double to_waves) {
    for (const auto& [from, to, bytes] : parcels) {
      const int a = at_.orbitals_at(block, from), b = at_.orbitals_at(block, to);
      const std::size_t body = body_bytes<fft::ParcelMessage>(bytes);
      messages_.send(phase, a, b, body, to_points);
      messages_.send(phase, b, a, body, to_waves);
    }
  }

  void evaluate() {
    tell<EvaluateOrder>(at_.density);
    tell<EvaluateOrder>(at_.orbitals);
    const Parcels rows = parcels_of(*basis_.orbital_plan(), fft::SphereEnd::rows);
    for (int block = 0; block < basis_.blocks(); ++block)
      transform_orbitals(traffic::orbital_rows, rows, block, basis_.pairs(block),
                         basis_.pairs(block));
    find_density();
    sum_projections();
    sum(at_.density, DensitySums::count);
    answer();
  }

  void find_density() {
    for (int spin = 0; spin < basis_.spins(); ++spin)
      for (int d = 0; d < basis_.density_parts(); ++d) {
        const int density = at_.density[static_cast<std::size_t>(d)];
        const int part = d / basis_.density_parts_in_part();
        const fft::Range of_spin = basis_.blocks_of_spin(spin);
        Processes points;
        points.reserve(static_cast<std::size_t>(of_spin.size()));
        for (int block = of_spin.begin; block < of_spin.end; ++block)
          points.push_back(at_.orbitals_at(block, part));
        const std::size_t numbers = basis_.density_points(d).volume();
        messages_.reduce(traffic::density_sums, points, numbers, std::array{density},
                         ProcessMessages::Sum::exact);
        messages_.multicast(traffic::potentials, density, points,
                            body_bytes<PotentialMessage>(numbers * sizeof(double)));
      }
    transform_density(traffic::density_rows,
                      parcels_of(*basis_.density_plan(), Density::end_of_transforms(basis_)),
                      counts_.to_points(), counts_.to_waves());
  }

  /// Adds products with projectors over the parts of each block; by splines, their transforms too.
  void sum_projections() {
    if (projectors_ == 0) return;
    const Parcels rows = nonlocal_splines_
                             ? parcels_of(*nonlocal_splines_->plan(), fft::SphereEnd::points)
                             : Parcels();
    for (int block = 0; block < basis_.blocks(); ++block) {
      const auto parts = std::span(at_.orbitals)
                             .subspan(static_cast<std::size_t>(block * basis_.parts()),
                                      static_cast<std::size_t>(basis_.parts()));
      messages_.reduce(traffic::projections, parts, projectors_ * orbitals_of(block), parts);
      if (!nonlocal_splines_) continue;
      const double transforms = nonlocal_splines_->transforms(block);
      transform_orbitals(traffic::splines, rows, block, transforms, transforms);
    }
  }

  void forces() {
    tell<ForcesOrder>(at_.density);
    tell<ForcesOrder>(at_.orbitals);
    const std::size_t numbers = count_of_force_numbers(job_.positions.size());
    sum(at_.density, numbers);
    sum(at_.orbitals, numbers);
    const bool virial = moves_cell(job_.dynamics);
    transform_density(traffic::splines, ion_parcels_, counts_.of_ions(),
                      virial ? counts_.of_ions() : 0);
    if (!virial || !nonlocal_splines_) return;
    const Parcels rows = parcels_of(*nonlocal_splines_->plan(), fft::SphereEnd::points);
    for (int block = 0; block < basis_.blocks(); ++block)
      transform_orbitals(traffic::splines, rows, block, 0, nonlocal_splines_->transforms(block));
  }

  const Job& job_;
  const Basis& basis_;
  IonTables tables_;
  EvaluationCounts counts_;
  ObjectProcesses at_;
  ProcessMessages messages_;
  MatrixMessages matrices_;
  std::size_t projectors_ = 0;  // rows of all ions
  std::optional<NonlocalSplines> nonlocal_splines_;
  Parcels ion_parcels_;  // empty without splines
};

}  // namespace

std::vector<PhaseTraffic> traffic_of(const OrderCounts& orders, const Job& job, const Basis& basis,
                                     const MatrixTiles& tiles, const ObjectPlaces& places,
                                     const topology::PeLayout& layout) {
  Counter counter(job, basis, tiles, places, layout);
  for (const auto& [order, times] : orders) counter.count(order, times);
  return counter.take();
}

}  // namespace fg::ab_initio

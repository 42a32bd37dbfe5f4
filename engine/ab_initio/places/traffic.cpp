// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/places/traffic.hpp"

#include <algorithm>
#include <array>
#include <complex>
#include <cstddef>
#include <numeric>
#include <optional>

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
#include "ab_initio/places/process_messages.hpp"
#include "ab_initio/places/ways_of_objects.hpp"
#include "electrons/nonlocal/projector_coupling.hpp"
#include "fft/chares/transform_messages.hpp"
#include "fft/sphere/rank_sphere.hpp"
#include "fft/sphere/sphere_parcels.hpp"

namespace fg::ab_initio {

namespace {

/// Overlaps of a step are so near 1 that so many rounds find their inverse square root.
constexpr double usual_rounds = 3;

enum Phase : std::size_t {
  to_objects,
  orbital_rows,
  density_sums,
  density_rows,
  potentials,
  projections,
  splines,
  blocks,
  overlaps,
  between_tiles,
  matrices,
  products,
  to_leader
};

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
        tiles_(tiles),
        pieces_(basis, basis.pair_groups(), tiles),
        tables_(job),
        counts_(job, tables_),
        messages_(phases_of_traffic.size(), layout.processes) {
    const auto processes = [&](const std::vector<int>& pes) {
      Processes found;
      found.reserve(pes.size());
      for (const int pe : pes) found.push_back(layout.process_of(pe));
      return found;
    };
    orbitals_ = processes(places.orbitals());
    pairs_ = processes(places.pairs());
    density_ = processes(places.density());
    ortho_ = processes(places.tiles());
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
        tell<AcceptOrder>(orbitals_);
        return sum(orbitals_, SearchProducts::count);
      case CountedOrder::kick:
        tell<KickOrder>(orbitals_);
        return answer();
      case CountedOrder::round:
        for (int product = 0; product < 3; ++product) multiply(Reading::as_stored);
        return sum_of_tiles();
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
  enum class Reading : std::uint8_t { as_stored, transposed };
  /// An order without fields of its own is a number in the packet.
  struct NumberOnly {};

  int orbitals_at(int block, int part) const {
    return orbitals_[static_cast<std::size_t>(block * basis_.parts() + part)];
  }
  int pairs_at(int block, int group, int chunk) const {
    return pairs_[static_cast<std::size_t>(
        (block * basis_.pair_groups() + group) * basis_.chunks() + chunk)];
  }
  std::size_t waves_of(int chunk) const {
    return static_cast<std::size_t>(basis_.waves_of_chunk(chunk).size());
  }
  std::size_t orbitals_of(int block) const {
    return static_cast<std::size_t>(basis_.block(block).size());
  }

  // ----- orders and answers -----

  template <class Order>
  void tell(const Processes& objects, std::size_t trailing = 0) {
    if constexpr (std::is_same_v<Order, NumberOnly>)
      messages_.along_tree(to_objects, leader[0], objects, 0);
    else
      messages_.along_tree(to_objects, leader[0], objects, body_bytes<Order>(trailing));
  }
  void sum(const Processes& objects, std::size_t numbers) {
    messages_.reduce(to_leader, objects, numbers, leader);
  }
  void answer() {
    sum(orbitals_, OrbitalSums::count);
    sum(orbitals_, 1);  // the largest residual
  }
  void report_motion() {
    messages_.send(to_leader, ortho_.front(), leader[0], body_bytes<MotionReport>(0));
  }

  void order_with_matrices(CountedOrder order) {
    switch (order) {
      case CountedOrder::gradient:
        tell<NumberOnly>(ortho_);
        tell<NumberOnly>(orbitals_);
        send_blocks(1, 1);
        sum_overlaps();
        exchange();
        gather(1);
        if (!is_alone()) messages_.multicast(between_tiles, ortho_.front(), ortho_, 0);
        send_tiles(1);
        return send_products();
      case CountedOrder::direction:
        tell<NumberOnly>(ortho_);
        tell<DirectionOrder>(orbitals_);
        send_blocks(2, 0);
        sum_overlaps();
        send_tiles(1);
        exchange();
        multiply(Reading::transposed);
        exchange();
        gather(1);
        messages_.send(to_leader, ortho_.front(), leader[0], 0);
        return send_products();
      case CountedOrder::step:
        tell<StepOrder>(ortho_);
        tell<StepOrder>(orbitals_);
        send_blocks(1, 0);
        send_root();
        return send_products();
      case CountedOrder::drift:
        tell<DriftOrder>(ortho_);
        tell<DriftOrder>(orbitals_);
        send_blocks(2, 0);
        sum_overlaps();
        gather(3);
        send_whole(1);
        report_motion();
        return send_products();
      case CountedOrder::free_drift:
        tell<DriftOrder>(ortho_);
        tell<DriftOrder>(orbitals_);
        send_blocks(1, 0);
        sum_overlaps();
        exchange();
        sum_of_tiles();  // the largest deviation from 1
        sum_of_tiles();  // and their norm
        send_root();
        report_motion();
        return send_products();
      case CountedOrder::free_force:
        tell<FreeForceOrder>(ortho_);
        tell<NumberOnly>(orbitals_);
        send_blocks(2, 0);
        sum_overlaps();
        exchange();
        multiply(Reading::as_stored);
        is_alone() ? send_whole(2) : send_tiles(2);
        return send_products();
      case CountedOrder::project:
        tell<MotionOrder>(ortho_);
        tell<NumberOnly>(orbitals_);
        send_blocks(1, 2);
        sum_overlaps();
        gather(2);
        return report_motion();
      default:
        FG_CHECK(false);
    }
  }

  // ----- ions, density and H psi -----

  void place() {
    const std::size_t positions = job_.positions.size() * sizeof(Vec3);
    tell<PlaceOrder>(density_, positions);
    if (projectors_ > 0) tell<PlaceOrder>(orbitals_, positions);  // to the projector writers
    transform_density(splines, ion_parcels_, 0, counts_.of_ions());
  }

  /// Backward and forward.
  void transform_density(Phase phase, const Parcels& parcels, double to_points, double to_waves) {
    for (const auto& [from, to, bytes] : parcels) {
      const int a = density_[static_cast<std::size_t>(from)];
      const int b = density_[static_cast<std::size_t>(to)];
      const std::size_t body = body_bytes<fft::ParcelMessage>(bytes);
      messages_.send(phase, a, b, body, to_points);
      messages_.send(phase, b, a, body, to_waves);
    }
  }
  void transform_orbitals(Phase phase, const Parcels& parcels, int block, double to_points,
                          double to_waves) {
    for (const auto& [from, to, bytes] : parcels) {
      const int a = orbitals_at(block, from), b = orbitals_at(block, to);
      const std::size_t body = body_bytes<fft::ParcelMessage>(bytes);
      messages_.send(phase, a, b, body, to_points);
      messages_.send(phase, b, a, body, to_waves);
    }
  }

  void evaluate() {
    tell<EvaluateOrder>(density_);
    tell<EvaluateOrder>(orbitals_);
    const Parcels rows = parcels_of(*basis_.orbital_plan(), fft::SphereEnd::rows);
    for (int block = 0; block < basis_.blocks(); ++block)
      transform_orbitals(orbital_rows, rows, block, basis_.pairs(block), basis_.pairs(block));
    find_density();
    sum_projections();
    sum(density_, DensitySums::count);
    answer();
  }

  void find_density() {
    for (int spin = 0; spin < basis_.spins(); ++spin)
      for (int d = 0; d < basis_.density_parts(); ++d) {
        const int density = density_[static_cast<std::size_t>(d)];
        const int part = d / basis_.density_parts_in_part();
        const fft::Range of_spin = basis_.blocks_of_spin(spin);
        Processes points;
        points.reserve(static_cast<std::size_t>(of_spin.size()));
        for (int block = of_spin.begin; block < of_spin.end; ++block)
          points.push_back(orbitals_at(block, part));
        const std::size_t numbers = basis_.density_points(d).volume();
        messages_.reduce(density_sums, points, numbers, std::array{density},
                         ProcessMessages::Sum::exact);
        messages_.multicast(potentials, density, points,
                            body_bytes<PotentialMessage>(numbers * sizeof(double)));
      }
    transform_density(density_rows,
                      parcels_of(*basis_.density_plan(), Density::end_of_transforms(basis_)),
                      counts_.to_points(), counts_.to_waves());
  }

  /// Of products with projectors, over the parts of each block; by splines, their transforms too.
  void sum_projections() {
    if (projectors_ == 0) return;
    const Parcels rows = nonlocal_splines_
                             ? parcels_of(*nonlocal_splines_->plan(), fft::SphereEnd::points)
                             : Parcels();
    for (int block = 0; block < basis_.blocks(); ++block) {
      const auto parts =
          std::span(orbitals_).subspan(static_cast<std::size_t>(block * basis_.parts()),
                                       static_cast<std::size_t>(basis_.parts()));
      messages_.reduce(projections, parts, projectors_ * orbitals_of(block), parts);
      if (!nonlocal_splines_) continue;
      const double transforms = nonlocal_splines_->transforms(block);
      transform_orbitals(splines, rows, block, transforms, transforms);
    }
  }

  void forces() {
    tell<ForcesOrder>(density_);
    tell<ForcesOrder>(orbitals_);
    const std::size_t numbers = count_of_force_numbers(job_.positions.size());
    sum(density_, numbers);
    sum(orbitals_, numbers);
    const bool virial = moves_cell(job_.dynamics);
    transform_density(splines, ion_parcels_, counts_.of_ions(), virial ? counts_.of_ions() : 0);
    if (!virial || !nonlocal_splines_) return;
    const Parcels rows = parcels_of(*nonlocal_splines_->plan(), fft::SphereEnd::points);
    for (int block = 0; block < basis_.blocks(); ++block)
      transform_orbitals(splines, rows, block, 0, nonlocal_splines_->transforms(block));
  }

  // ----- blocks, overlaps and products -----

  /// So many vectors to all pair calculators that need the block, and others to those of its
  /// columns only.
  void send_blocks(std::size_t vectors, std::size_t on_the_right) {
    Processes listening, own;
    for (int block = 0; block < basis_.blocks(); ++block)
      for (int chunk = 0; chunk < basis_.chunks(); ++chunk) {
        own.clear();
        for (int group = 0; group < basis_.pair_groups(); ++group)
          own.push_back(pairs_at(block, group, chunk));
        listening = own;
        const int group = basis_.group_of(block);
        for (int other = 0; other < basis_.blocks(); ++other)
          listening.push_back(pairs_at(other, group, chunk));
        const int from = orbitals_at(block, basis_.part_of_chunk(chunk));
        const std::size_t vector = orbitals_of(block) * waves_of(chunk) * sizeof(Complex);
        messages_.multicast(blocks, from, listening, body_bytes<BlockMessage>(vectors * vector));
        if (on_the_right > 0)
          messages_.multicast(blocks, from, own, body_bytes<BlockMessage>(on_the_right * vector));
      }
  }

  void sum_overlaps() {
    Processes shares;
    const auto most = static_cast<std::size_t>(matrices_of_order(job_));
    for (const MatrixPiece& piece : pieces_.all()) {
      shares.clear();
      for (int chunk = 0; chunk < basis_.chunks(); ++chunk)
        shares.push_back(pairs_at(piece.block, piece.group, chunk));
      messages_.reduce(overlaps, shares, most * piece.share.numbers() + 1,
                       std::array{tile_at(piece.tile_row, piece.tile_column)});
    }
  }

  void send_products() {
    for (int block = 0; block < basis_.blocks(); ++block)
      for (int group = 0; group < basis_.pair_groups(); ++group)
        for (int chunk = 0; chunk < basis_.chunks(); ++chunk)
          messages_.send(
              products, pairs_at(block, group, chunk),
              orbitals_at(block, basis_.part_of_chunk(chunk)),
              body_bytes<ProductMessage>(orbitals_of(block) *
                                         (waves_of(chunk) * sizeof(Complex) + sizeof(double))));
  }

  // ----- tiles -----

  int side() const noexcept { return tiles_.side(); }
  bool is_alone() const noexcept { return side() == 1; }
  int tile_at(int i, int j) const { return ortho_[static_cast<std::size_t>(i * side() + j)]; }
  std::size_t bytes_of_tile(int i, int j) const {
    return body_bytes<TileMessage>(tiles_.share(i, j).numbers() * sizeof(double));
  }
  template <class Visit>
  void for_each_tile(const Visit& visit) const {
    for (int i = 0; i < side(); ++i)
      for (int j = 0; j < side(); ++j) visit(i, j);
  }

  /// With the tile across the diagonal.
  void exchange() {
    for_each_tile([&](int i, int j) {
      if (i != j) messages_.send(between_tiles, tile_at(i, j), tile_at(j, i), bytes_of_tile(i, j));
    });
  }
  /// To the first tile.
  void gather(double count) {
    if (is_alone()) return;
    for_each_tile([&](int i, int j) {
      messages_.send(between_tiles, tile_at(i, j), ortho_.front(), bytes_of_tile(i, j), count);
    });
  }
  /// A number of each tile, for all of them.
  void sum_of_tiles() {
    if (!is_alone()) messages_.reduce(between_tiles, ortho_, 1, ortho_);
  }
  /// Each tile sends a factor along a row and one along its column.
  void multiply(Reading reading) {
    if (is_alone()) return;
    for_each_tile([&](int i, int j) {
      Processes row, column;
      for (int other = 0; other < side(); ++other) {
        row.push_back(tile_at(reading == Reading::transposed ? j : i, other));
        column.push_back(tile_at(other, j));
      }
      messages_.multicast(between_tiles, tile_at(i, j), row, bytes_of_tile(i, j));
      messages_.multicast(between_tiles, tile_at(i, j), column, bytes_of_tile(i, j));
    });
  }

  /// The inverse square root, whose rounds are counted apart; by the first tile if it is alone.
  void send_root() {
    if (is_alone()) return send_whole(1);
    sum_of_tiles();
    exchange();
    send_tiles(1);
  }

  /// To the pair calculators that need it.
  void send_tiles(std::size_t count) {
    if (listeners_of_tile_.empty()) {
      listeners_of_tile_.resize(ortho_.size());
      for (const MatrixPiece& piece : pieces_.all())
        for (int chunk = 0; chunk < basis_.chunks(); ++chunk)
          listeners_of_tile_[static_cast<std::size_t>(piece.tile_row * side() + piece.tile_column)]
              .push_back(pairs_at(piece.block, piece.group, chunk));
    }
    for_each_tile([&](int i, int j) {
      messages_.along_tree(
          matrices, tile_at(i, j), listeners_of_tile_[static_cast<std::size_t>(i * side() + j)],
          body_bytes<MatrixMessage>(count * tiles_.share(i, j).numbers() * sizeof(double)));
    });
  }
  void send_whole(std::size_t count) {
    const auto n = static_cast<std::size_t>(basis_.orbitals());
    messages_.along_tree(matrices, ortho_.front(), pairs_,
                         body_bytes<MatrixMessage>(count * n * n * sizeof(double)));
  }

  const Job& job_;
  const Basis& basis_;
  const MatrixTiles& tiles_;
  MatrixPieces pieces_;
  IonTables tables_;
  EvaluationCounts counts_;
  ProcessMessages messages_;
  Processes orbitals_, pairs_, density_, ortho_;
  std::vector<Processes> listeners_of_tile_;
  std::size_t projectors_ = 0;  // rows of all ions
  std::optional<NonlocalSplines> nonlocal_splines_;
  Parcels ion_parcels_;  // empty without splines
};

/// The share of steps with a row of energies or a frame.
double share_of_reports(const DynamicsSettings& settings) {
  const auto every = [](std::int64_t steps) {
    return steps > 0 ? 1.0 / static_cast<double>(steps) : 0;
  };
  const std::int64_t rows = settings.energy_steps, frames = settings.trajectory_steps;
  return every(rows) + every(frames) - every(std::lcm(rows, frames));
}

void add_rounds(const MatrixTiles& tiles, OrderCounts& orders) {
  if (tiles.side() > 1) orders.emplace_back(CountedOrder::round, usual_rounds);
}

}  // namespace

OrderCounts orders_of_evaluation() {
  using enum CountedOrder;
  return {{place, 1}, {evaluate, 1}, {forces, 1}};
}

OrderCounts orders_of_iteration(const MatrixTiles& tiles) {
  using enum CountedOrder;
  OrderCounts orders{{direction, 1}, {step, 1}, {evaluate, 1}, {gradient, 1}, {accept, 1}};
  add_rounds(tiles, orders);
  return orders;
}

OrderCounts orders_of_step(const Job& job, const MatrixTiles& tiles) {
  using enum CountedOrder;
  const DynamicsSettings& settings = job.dynamics;
  const bool is_free = settings.orthonormality == Orthonormality::free;
  OrderCounts orders{{is_free ? free_drift : drift, 1}, {evaluate, 1}, {kick, 1}};
  if (!settings.ions_rest) orders.insert(orders.end(), {{place, 1}, {forces, 1}});
  if (is_free) {
    orders.emplace_back(free_force, 1);
    add_rounds(tiles, orders);
  } else {
    const bool always = settings.electron_bath.kind != ElectronBathKind::none;
    orders.emplace_back(project, always ? 1 : share_of_reports(settings));
  }
  return orders;
}

std::vector<PhaseTraffic> traffic_of(const OrderCounts& orders, const Job& job, const Basis& basis,
                                     const MatrixTiles& tiles, const ObjectPlaces& places,
                                     const topology::PeLayout& layout) {
  Counter counter(job, basis, tiles, places, layout);
  for (const auto& [order, times] : orders) counter.count(order, times);
  return counter.take();
}

}  // namespace fg::ab_initio

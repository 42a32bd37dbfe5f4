// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/objects.hpp"

#include <array>
#include <utility>
#include <vector>

#include "ab_initio/density/setups.hpp"
#include "ab_initio/matrices/setups.hpp"
#include "ab_initio/orbitals/setups.hpp"
#include "ab_initio/orders/force_numbers.hpp"
#include "ab_initio/places/object_places.hpp"
#include "ab_initio/places/ways_of_objects.hpp"
#include "electrons/exchange_correlation/mirrored_functional.hpp"

namespace fg::ab_initio {

namespace {

template <class C>
Section<C> everyone_along_tree(const Array<C>& array) {
  std::vector<typename Array<C>::Index> all;
  all.reserve(static_cast<std::size_t>(array.size()));
  for (int i = 0; i < array.size(); ++i) all.push_back(array.index(i));
  return {array, all, along_tree_spread};
}

std::unique_ptr<const electrons::Functional> functional(const ElectronSettings& settings) {
  std::optional<electrons::GradientThresholds> thresholds;
  if (settings.gradient_density_threshold >= 0)
    thresholds = electrons::GradientThresholds{.density = settings.gradient_density_threshold,
                                               .sigma = settings.gradient_sigma_threshold};
  auto made = electrons::make_functional(settings.functional, {.thresholds = thresholds});
  return settings.mirrors_negative_density ? electrons::make_mirrored(std::move(made))
                                           : std::move(made);
}

class Maker {
 public:
  Maker(const ObjectsOf& of, Runtime& runtime, const ArrayMaps& maps)
      : of_(of),
        job_(of.job),
        basis_(of.basis),
        runtime_(runtime),
        tiles_(of.basis.orbitals(), of.job.division.tile_grain),
        places_(of.basis, tiles_, maps,
                {.processes = runtime.processes(), .pes_a_process = runtime.pes_here()}) {}

  Objects make() {
    objects_.job = &job_;
    objects_.basis = &basis_;
    make_setups();
    make_tables_of_parts();
    make_arrays();
    make_transforms();
    make_sections();
    make_sections_of_tiles();
    make_sums();
    make_sums_of_tiles();
    make_sums_of_density();
    make_voices();
    return std::move(objects_);
  }

 private:
  void make_setups() {
    const MatrixPieces pieces(basis_, basis_.pair_groups(), tiles_);
    const int matrices = matrices_of_order(job_);
    *density_ = {.job = &job_,
                 .basis = &basis_,
                 .functional = functional(job_.electrons),
                 .density_costs = TransformCosts(*basis_.density_plan())};
    density_->tables = leader_->tables = std::make_shared<const IonTables>(job_);
    density_->ion_costs = IonCosts(job_, *density_->tables);
    const int atomic = static_cast<int>(density_->tables->orbitals().count());
    *orbitals_ = {.job = &job_,
                  .basis = &basis_,
                  .tables = density_->tables,
                  .orbital_costs = TransformCosts(*basis_.orbital_plan()),
                  .ion_costs = density_->ion_costs};
    if (!of_.kept.source.empty())
      orbitals_->stored = std::make_shared<const StoredOrbitals>(of_.kept.source, of_.kept.group,
                                                                 basis_.orbitals());
    *points_ = {.job = &job_, .basis = &basis_, .orbital_costs = orbitals_->orbital_costs};
    *spline_points_ = {.job = &job_, .basis = &basis_};
    writers_->basis = &basis_;
    writers_->ion_costs = density_->ion_costs;
    *pairs_ = {.basis = &basis_, .pieces = pieces, .matrices_of_order = matrices};
    *ortho_ = {.job = &job_,
               .basis = &basis_,
               .atomic_orbitals = atomic,
               .matrix_tiles = tiles_,
               .pieces = pieces,
               .matrices_of_order = matrices};
    leader_->job = &job_;
    leader_->progress = &of_.progress;
    leader_->stop_after = of_.kept.stop_after;
    leader_->companion_seconds = of_.options.companion_seconds;
    objects_.run = std::make_shared<RunSetup>(RunSetup{.job = &job_,
                                                       .basis = &basis_,
                                                       .transport = of_.options.transport,
                                                       .progress = &of_.progress,
                                                       .atomic_orbitals = atomic,
                                                       .stored = orbitals_->stored != nullptr,
                                                       .goes_on = of_.kept.search,
                                                       .dynamics = of_.kept.dynamics});
  }

  void make_tables_of_parts() {
    const IonTables& tables = *orbitals_->tables;
    writers_->projector_rows = electrons::ProjectorCoupling(tables.projectors(), job_.species_of);
    orbitals_->projector_count = writers_->projector_rows.rows();
    if (orbitals_->projector_count > 0 && job_.nonlocal.method == IonMethod::splines)
      writers_->splines = std::make_shared<NonlocalSplines>(job_, basis_, tables);
    writers_->projectors.resize(static_cast<std::size_t>(basis_.parts()));
    writers_->projector_waves.resize(writers_->projectors.size());
    points_->slabs.resize(writers_->projectors.size());
    for (int part = 0; part < basis_.parts(); ++part) {
      if (places_.blocks_in(runtime_.process(), part).empty()) continue;
      const auto at = static_cast<std::size_t>(part);
      points_->slabs[at] =
          std::make_shared<const fft::SlabPoints<double>>(*basis_.orbital_plan(), part);
      writers_->projector_waves[at] = std::make_shared<CellWaves>(basis_.waves(part));
      if (writers_->splines) {
        writers_->splines->make_part(part, basis_.waves(part));
        continue;
      }
      writers_->projectors[at] = std::make_shared<electrons::Projectors>(
          basis_.waves(part), tables.projectors(), job_.species_of);
    }
    orbitals_->projectors = writers_->projectors;
    orbitals_->splines = spline_points_->splines = writers_->splines;
    spline_points_->projector_count = orbitals_->projector_count;
    if (job_.local.method == IonMethod::splines)
      density_->ion_splines = std::make_shared<const IonTransforms>(job_, basis_, tables);
  }

  template <class C, class Setup, class Map>
  Array<C> create(const std::array<int, C::dimensions>& shape, const Map& map,
                  const std::shared_ptr<Setup>& setup) {
    return runtime_.create_array<C>(shape, map,
                                    [setup](const auto&) { return std::make_unique<C>(setup); });
  }

  void make_arrays() {
    const auto blocks = basis_.blocks(), parts = basis_.parts();
    const auto by_block = [&](const auto& index) { return places_.pe_of(index[0], index[1]); };
    objects_.orbitals = create<Orbitals>({blocks, parts}, by_block, orbitals_);
    points_->orbitals = spline_points_->orbitals = objects_.orbitals;
    all_points_ = create<OrbitalPoints>({blocks, parts}, by_block, points_);
    if (has_splines())
      orbitals_->spline_points = create<SplinePoints>({blocks, parts}, by_block, spline_points_);
    objects_.density = runtime_.create_array<Density>(
        {basis_.density_parts()},
        [&](const auto& index) { return places_.pe_of_density(index[0]); },
        [setup = density_, fixed = of_.fixed](const auto& index) {
          return fixed ? make_fixed_potential_density(setup, *fixed, index[0])
                       : make_self_consistent_density(setup);
        });
    const int groups = basis_.pair_groups(), side = ortho_->matrix_tiles.side();
    all_pairs_ = create<PairCalculator>(
        {blocks, groups, basis_.chunks()},
        [&](const auto& index) { return places_.pe_of_pairs(index[0], index[1], index[2]); },
        pairs_);
    // The first tile has eigenvalues for the process that writes them.
    objects_.ortho = create<Ortho>(
        {side, side}, [&](const auto& index) { return places_.pe_of_tile(index[0], index[1]); },
        ortho_);
    leader_->ortho = objects_.ortho;
    objects_.leader = create<Leader>({1}, [](const auto&) { return 0; }, leader_);
    if (objects_.leader.here_at(0)) make_course(objects_.leader.object_at(0));
    if (orbitals_->projector_count > 0) make_projector_writers();
  }

  void make_course(Leader& leader) {
    auto course = std::make_unique<Course>(leader, objects_.run);
    objects_.course = course.get();
    leader.follow(std::move(course));
  }

  bool has_splines() const noexcept { return orbitals_->splines != nullptr; }

  /// One on each PE of a process for each part.
  void make_projector_writers() {
    const int processes = runtime_.processes(), parts = basis_.parts(), pes = runtime_.pes_here();
    const auto all = create<ProjectorWriter>(
        {processes, parts, pes}, [&](const auto& index) { return index[0] * pes + index[2]; },
        writers_);
    writers_->placed.resize(static_cast<std::size_t>(processes * parts));
    writers_->writers.resize(writers_->placed.size());
    std::vector<std::array<int, 3>> placing, first;
    for (int process = 0; process < processes; ++process)
      for (int part = 0; part < parts; ++part) {
        const auto blocks = places_.blocks_in(process, part);
        if (blocks.empty()) continue;
        std::vector<std::array<int, 3>> writers;
        writers.reserve(static_cast<std::size_t>(pes));
        for (int share = 0; share < pes; ++share) writers.push_back({process, part, share});
        placing.insert(placing.end(), writers.begin(), writers.end());
        first.push_back(writers.front());
        const auto at = static_cast<std::size_t>(process * parts + part);
        writers_->writers[at] = Section<ProjectorWriter>(all, writers);
        writers_->placed[at] = Reduction<double>(
            writers_->writers[at], 1,
            deliver_to<&Orbitals::placed>(Section<Orbitals>(objects_.orbitals, blocks)));
      }
    leader_->placing = Section<ProjectorWriter>(all, placing, along_tree_spread);
    leader_->changing_cell = Section<ProjectorWriter>(all, first, along_tree_spread);
  }

  void make_transforms() {
    const int blocks = basis_.blocks(), parts = basis_.parts();
    orbitals_->orbital_transforms = points_->orbital_transforms = fft::SphereArray<double>(
        runtime_,
        {.plan = basis_.orbital_plan(),
         .pe = [places = places_](int part, int place) { return places.pe_of(place, part); },
         .batch = orbitals_of_transform,
         .window = blocks,
         .client = [parts](int part, int block) { return block * parts + part; },
         .end = fft::SphereEnd::rows},
        fft::reply_to<&OrbitalPoints::transformed>(all_points_));
    if (has_splines())
      orbitals_->spline_transforms = spline_points_->spline_transforms = fft::SphereArray<double>(
          runtime_,
          {.plan = orbitals_->splines->plan(),
           .pe = [places = places_](int part, int place) { return places.pe_of(place, part); },
           .batch = orbitals_of_transform,
           .window = blocks,
           .client = [parts](int part, int block) { return block * parts + part; }},
          fft::reply_to<&SplinePoints::transformed>(orbitals_->spline_points));
    if (density_->ion_splines)
      density_->ion_transforms = fft::SphereArray<double>(
          runtime_,
          {.plan = density_->ion_splines->plan(),
           .pe = [places = places_](int part, int) { return places.pe_of_density(part); },
           .batch = orbitals_of_transform},
          fft::reply_at<&Density::met_ions>(objects_.density));
    density_->density_transforms = fft::SphereArray<double>(
        runtime_,
        {.plan = basis_.density_plan(),
         .pe = [places = places_](int part, int) { return places.pe_of_density(part); },
         .batch = orbitals_of_transform,
         .window = Density::window(job_),
         .end = Density::end_of_transforms(basis_)},
        fft::reply_at<&Density::transformed>(objects_.density));
  }

  void make_sections() {
    for (int block = 0; block < basis_.blocks(); ++block)
      for (int chunk = 0; chunk < basis_.chunks(); ++chunk) {
        std::vector<std::array<int, 3>> listeners;
        for (int b = 0; b < basis_.blocks(); ++b)
          for (int c = 0; c < basis_.pair_groups(); ++c)
            if (b == block || basis_.group(c).contains(block)) listeners.push_back({b, c, chunk});
        orbitals_->listeners.emplace_back(all_pairs_, listeners);
        std::erase_if(listeners, [block](const auto& pair) { return pair[0] != block; });
        orbitals_->own_pairs.emplace_back(all_pairs_, listeners);
      }
    for (int spin = 0; spin < basis_.spins(); ++spin)
      for (int part = 0; part < basis_.parts(); ++part)
        density_->points_of.emplace_back(all_points_, places_.blocks_of_spin(spin, part));
    leader_->all_orbitals = everyone_along_tree(objects_.orbitals);
    leader_->all_densities = everyone_along_tree(objects_.density);
    ortho_->all_pairs = everyone_along_tree(all_pairs_);
    leader_->all_tiles = everyone_along_tree(objects_.ortho);
  }

  void make_sections_of_tiles() {
    const int side = ortho_->matrix_tiles.side();
    std::vector<std::vector<std::array<int, 3>>> listeners(static_cast<std::size_t>(side * side));
    for (const MatrixPiece& piece : ortho_->pieces.all())
      for (int chunk = 0; chunk < basis_.chunks(); ++chunk)
        listeners[static_cast<std::size_t>(piece.tile_row * side + piece.tile_column)].push_back(
            {piece.block, piece.group, chunk});
    for (const auto& some : listeners)
      ortho_->listeners_of_tile.emplace_back(all_pairs_, some, along_tree_spread);
    for (int k = 0; k < side; ++k) {
      std::vector<std::array<int, 2>> row, column;
      row.reserve(static_cast<std::size_t>(side));
      column.reserve(static_cast<std::size_t>(side));
      for (int other = 0; other < side; ++other) {
        row.push_back({k, other});
        column.push_back({other, k});
      }
      ortho_->tile_rows.emplace_back(objects_.ortho, row);
      ortho_->tile_columns.emplace_back(objects_.ortho, column);
    }
  }

  void make_sums() {
    const auto leader = objects_.leader[{0}];
    const auto& orbitals = objects_.orbitals;
    const auto& density = objects_.density;
    const std::size_t force_numbers = count_of_force_numbers(job_.positions.size());
    orbitals_->orbital_sums =
        Reduction<double>(orbitals, OrbitalSums::count, deliver_at<&Leader::orbital_sums>(leader));
    orbitals_->largest =
        Reduction<double>(orbitals, 1, deliver_at<&Leader::largest>(leader), Combine::max);
    orbitals_->search = Reduction<double>(orbitals, SearchProducts::count,
                                          deliver_at<&Leader::search_products>(leader));
    density_->density_energies =
        Reduction<double>(density, DensitySums::count, deliver_at<&Leader::density_sums>(leader));
    orbitals_->orbital_forces =
        Reduction<double>(orbitals, force_numbers, deliver_at<&Leader::orbital_forces>(leader));
    density_->density_forces =
        Reduction<double>(density, force_numbers, deliver_at<&Leader::density_forces>(leader));
    if (orbitals_->projector_count == 0) return;
    for (int block = 0; block < basis_.blocks(); ++block)
      make_projections(block, places_.parts_of(block));
  }

  /// The sums of products with projectors over the parts of a block.
  void make_projections(int block, const std::vector<std::array<int, 2>>& parts) {
    const std::size_t numbers =
        orbitals_->projector_count * static_cast<std::size_t>(basis_.block(block).size());
    if (has_splines()) {
      const Section<SplinePoints> section(orbitals_->spline_points, parts);
      spline_points_->projections.emplace_back(section, numbers,
                                               deliver_to<&SplinePoints::projected>(section));
    } else {
      const Section<Orbitals> section(objects_.orbitals, parts);
      orbitals_->projections.emplace_back(section, numbers,
                                          deliver_to<&Orbitals::projected>(section));
    }
  }

  void make_sums_of_tiles() {
    const auto& ortho = objects_.ortho;
    for (const MatrixPiece& piece : pairs_->pieces.all()) {
      std::vector<std::array<int, 3>> shares;
      shares.reserve(static_cast<std::size_t>(basis_.chunks()));
      for (int chunk = 0; chunk < basis_.chunks(); ++chunk)
        shares.push_back({piece.block, piece.group, chunk});
      pairs_->piece_sums.emplace_back(
          Section<PairCalculator>(all_pairs_, shares),
          static_cast<std::size_t>(pairs_->matrices_of_order) * piece.share.numbers() + 1,
          deliver_at<&Ortho::sums>(ortho[{piece.tile_row, piece.tile_column}]));
    }
    ortho_->residuals = Reduction<double>(ortho, 1, deliver_at<&Ortho::residual>(ortho));
    ortho_->deviations =
        Reduction<double>(ortho, 1, deliver_at<&Ortho::deviation>(ortho), Combine::max);
  }

  void make_sums_of_density() {
    for (int spin = 0; spin < basis_.spins(); ++spin)
      for (int d = 0; d < basis_.density_parts(); ++d) {
        const Section<OrbitalPoints> blocks(
            all_points_, places_.blocks_of_spin(spin, d / basis_.density_parts_in_part()));
        points_->density_sums.emplace_back(blocks, basis_.density_points(d).volume(),
                                           deliver_at<&Density::density>(objects_.density[{d}]));
      }
  }

  /// How objects of the matrices reach objects that they do not know.
  void make_voices() {
    pairs_->send_product = [orbitals = objects_.orbitals](int block, int part,
                                                          Ref<const ProductMessage> product) {
      orbitals[{block, part}].send<&Orbitals::product>(std::move(product));
    };
    const auto leader = objects_.leader[{0}];
    ortho_->leader = {.largest_spread =
                          [leader](std::int64_t order, double value) {
                            leader.send_at<&Leader::largest_spread>(order, value);
                          },
                      .motion_report =
                          [leader](std::int64_t order, Ref<const MotionReport> report) {
                            leader.send_at<&Leader::motion_report>(order, std::move(report));
                          },
                      .orbital_energies =
                          [leader](std::int64_t order, Ref<const OrbitalEnergiesMessage> energies) {
                            leader.send_at<&Leader::orbital_energies>(order, std::move(energies));
                          }};
  }

  const ObjectsOf& of_;
  const Job& job_;
  const Basis& basis_;
  Runtime& runtime_;
  MatrixTiles tiles_;
  ObjectPlaces places_;
  std::shared_ptr<OrbitalsSetup> orbitals_ = std::make_shared<OrbitalsSetup>();
  std::shared_ptr<OrbitalPointsSetup> points_ = std::make_shared<OrbitalPointsSetup>();
  std::shared_ptr<SplinePointsSetup> spline_points_ = std::make_shared<SplinePointsSetup>();
  std::shared_ptr<ProjectorWriterSetup> writers_ = std::make_shared<ProjectorWriterSetup>();
  std::shared_ptr<DensitySetup> density_ = std::make_shared<DensitySetup>();
  std::shared_ptr<PairCalculatorSetup> pairs_ = std::make_shared<PairCalculatorSetup>();
  std::shared_ptr<OrthoSetup> ortho_ = std::make_shared<OrthoSetup>();
  std::shared_ptr<LeaderSetup> leader_ = std::make_shared<LeaderSetup>();
  Array<OrbitalPoints> all_points_;
  Array<PairCalculator> all_pairs_;
  Objects objects_;
};

}  // namespace

Objects make_objects(const ObjectsOf& of, Runtime& runtime, const ArrayMaps& maps) {
  return Maker(of, runtime, maps).make();
}

}  // namespace fg::ab_initio

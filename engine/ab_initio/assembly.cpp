// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/assembly.hpp"

#include <exception>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ab_initio/checkpoints/kept_orbitals.hpp"
#include "ab_initio/checkpoints/memory_copies.hpp"
#include "ab_initio/division/pair_places.hpp"
#include "ab_initio/results.hpp"
#include "ab_initio/setup.hpp"
#include "base/bytes.hpp"
#include "base/error.hpp"
#include "electrons/exchange_correlation/mirrored_functional.hpp"
#include "processes/array_maps.hpp"
#include "processes/profiles.hpp"
#include "processes/ranks.hpp"

namespace fg::ab_initio {

namespace {

constexpr std::string_view array_names[] = {Orbitals::array_name, Density::array_name};

/// What process 0 orders between two runs.
constexpr std::byte next_run{1}, forget{2};

/// The way of messages from one object to many. Processes that pass them on take less time than one
/// that sends to all: 512 nodes are five levels.
constexpr Spread along_tree{.fan_out = 4, .piece_bytes = std::size_t{64} << 10};

template <class C>
Section<C> everyone_along_tree(const Array<C>& array) {
  std::vector<typename Array<C>::Index> all;
  all.reserve(static_cast<std::size_t>(array.size()));
  for (int i = 0; i < array.size(); ++i) all.push_back(array.index(i));
  return {array, all, along_tree};
}

/// Two orbitals are one transform.
constexpr int orbitals_of_transform = 2;

class AssemblyOfObjects final : public Assembly {
 public:
  AssemblyOfObjects(const Job& job, const MachineOptions& options, ProgressQueue& progress,
                    KeptOrbitals kept, std::shared_ptr<const FixedPotential> fixed = nullptr)
      : job_(job),
        options_(options),
        kept_(std::move(kept)),
        basis_(job),
        runtime_(runtime_options(options)),
        maps_(options.map, array_names),
        setup_(std::make_shared<Setup>()) {
    setup_->fixed = std::move(fixed);
    // Some of it is done by one process alone: the energy of the ions, the waves of a part.
    together(options.transport, [&] { set_up(progress); });
  }

  ~AssemblyOfObjects() override {
    // Releases the other processes, which wait for the next run.
    if (options_.transport && options_.transport->rank() == 0 && !failed_)
      options_.transport->broadcast({});
  }

  GroundState find_ground_state() override {
    setup_->positions.clear();
    setup_->starts_from_last = false;
    setup_->wanted = Setup::Wanted::ground_state;
    return find();
  }

  GroundState run_dynamics() override {
    setup_->positions.clear();
    setup_->starts_from_last = false;
    setup_->wanted = Setup::Wanted::dynamics;
    return find();
  }

  GroundState continue_dynamics() override {
    setup_->wanted = Setup::Wanted::more_dynamics;
    return find();
  }

  GroundState find_ground_state(std::span<const Vec3> positions) override {
    return find_ground_state(positions, job_.cell);
  }

  GroundState find_ground_state(std::span<const Vec3> positions,
                                const electrons::Lattice& cell) override {
    FG_CHECK(positions.size() == job_.positions.size());
    if (job_.isolated && !(cell == job_.cell))
      throw InputError({.what = "a molecule without images has one cell, that of its job",
                        .where = "cell",
                        .hint = "make a job for each cell"});
    if (job_.dispersion && job_.dispersion->companion.empty())
      throw InputError(
          {.what = "the energy of dispersion is known only at the positions of the job",
           .where = "dispersion",
           .value = job_.dispersion->model,
           .hint = "leave the dispersion out, or make a job for each geometry"});
    setup_->positions.assign(positions.begin(), positions.end());
    setup_->cell = cell;
    setup_->starts_from_last = has_orbitals_;
    setup_->wanted = Setup::Wanted::ground_state;
    return find();
  }

  void save_orbitals(const std::string& path) override {
    FG_CHECK(!options_.transport && has_orbitals_ && !failed_);
    const SearchState state = setup_->leader.object({0}).state();
    if (const auto failure = keep_orbitals(*setup_, nullptr, path, state))
      std::rethrow_exception(failure);
  }

  void serve() override {
    for (;;) {
      const auto order = options_.transport->broadcast({});
      if (order.empty()) return;
      if (order.front() == forget) {
        remove_memory();
        continue;
      }
      try {
        run_here();
      } catch (...) {
        if (who_knows(&runtime_, std::current_exception()) != Known::everywhere) throw;
        return;
      }
    }
  }

  void forget_memory() override {
    if (!options_.memory.on()) return;
    if (options_.transport) options_.transport->broadcast({forget});
    remove_memory();
  }
  Profile profile() const override { return profile_; }
  Trace trace() const override { return runtime_.trace(); }

 private:
  GroundState find() {
    for (;;) {
      failed_ = true;
      if (options_.transport) options_.transport->broadcast({next_run});
      const RunEnd end = run_here();
      failed_ = false;
      if (end.failure) std::rethrow_exception(end.failure);
      if (end.paused) continue;
      has_orbitals_ = true;
      return std::move(result_);
    }
  }

  void set_up(ProgressQueue& progress) {
    setup_->job = &job_;
    setup_->basis = &basis_;
    setup_->orbital_costs = TransformCosts(*basis_.orbital_plan());
    setup_->density_costs = TransformCosts(*basis_.density_plan());
    setup_->matrix_tiles = MatrixTiles(basis_.orbitals(), job_.cut.tile_grain);
    setup_->pieces = MatrixPieces(basis_, job_.cut.pair_groups, setup_->matrix_tiles);
    setup_->progress = &progress;
    setup_->transport = options_.transport;
    setup_->functional = functional(job_.electrons);
    setup_->tables = IonTables(job_);
    if (!kept_.source.empty())
      setup_->stored =
          std::make_shared<StoredOrbitals>(kept_.source, kept_.group, basis_.orbitals());
    setup_->goes_on = kept_.search;
    setup_->dynamics = kept_.dynamics;
    setup_->stop_after = kept_.stop_after;
    setup_->companion_seconds = options_.companion_seconds;
    make_tables_of_parts();
    if (job_.local.method == IonMethod::splines)
      setup_->ion_splines = std::make_unique<IonTransforms>(job_, basis_);
    make_arrays();
    make_transforms();
    make_sections();
    make_sums();
    if (options_.memory.on())
      memory_ = std::make_unique<MemoryCopies>(runtime_, options_.memory, setup_,
                                               kept_.dynamics ? kept_.dynamics->step : 0);
  }

  static std::optional<electrons::GradientThresholds> gradient_thresholds(
      const ElectronSettings& settings) {
    if (settings.gradient_density_threshold < 0) return {};
    return electrons::GradientThresholds{.density = settings.gradient_density_threshold,
                                         .sigma = settings.gradient_sigma_threshold};
  }

  static std::unique_ptr<const electrons::Functional> functional(const ElectronSettings& settings) {
    auto made = electrons::make_functional(settings.functional,
                                           {.thresholds = gradient_thresholds(settings)});
    return settings.mirrors_negative_density ? electrons::make_mirrored(std::move(made))
                                             : std::move(made);
  }

  int pe_of(int block, int part) const {
    return maps_.pe(Orbitals::array_name, std::array{block, part},
                    std::array{basis_.blocks(), basis_.parts()}, runtime_.pes());
  }
  /// If there are more PEs than places, the pair calculators of a place are spread.
  int pe_of_pairs(int block, int group, int chunk) const {
    const int blocks = basis_.blocks(), parts = basis_.parts(), groups = setup_->pair_groups();
    const int chunks = basis_.chunks_in_part(), part = basis_.part_of_chunk(chunk);
    const auto [place, number] = pair_place(block, group, blocks, groups);
    if (runtime_.pes() <= blocks * parts) return pe_of(place, part);
    return maps::block<3>({place, part, number * chunks + chunk % chunks},
                          {blocks, parts, groups * chunks}, runtime_.pes());
  }
  int pe_of_density(int part) const {
    return maps_.pe(Density::array_name, std::array{part}, std::array{basis_.density_parts()},
                    runtime_.pes());
  }

  void make_tables_of_parts() {
    setup_->projector_rows =
        electrons::ProjectorCoupling(setup_->tables.projectors(), job_.species_of);
    setup_->projector_count = setup_->projector_rows.rows();
    if (setup_->projector_count > 0 && job_.nonlocal.method == IonMethod::splines)
      setup_->splines = std::make_unique<NonlocalSplines>(job_, basis_, setup_->tables);
    setup_->projectors.resize(static_cast<std::size_t>(basis_.parts()));
    setup_->projector_waves.resize(setup_->projectors.size());
    setup_->slabs.resize(setup_->projectors.size());
    for (int part = 0; part < basis_.parts(); ++part) {
      if (blocks_in(runtime_.process(), part).empty()) continue;
      setup_->slabs[static_cast<std::size_t>(part)] =
          std::make_shared<const fft::SlabPoints<double>>(*basis_.orbital_plan(), part);
      setup_->projector_waves[static_cast<std::size_t>(part)] =
          std::make_shared<CellWaves>(basis_.waves(part));
      if (setup_->splines) {
        setup_->splines->make_part(part, basis_.waves(part));
        continue;
      }
      setup_->projectors[static_cast<std::size_t>(part)] = std::make_shared<electrons::Projectors>(
          basis_.waves(part), setup_->tables.projectors(), job_.species_of);
    }
  }

  /// Blocks of which a process has this part: indices of their orbitals.
  std::vector<std::array<int, 2>> blocks_in(int process, int part) const {
    std::vector<std::array<int, 2>> all;
    for (int block = 0; block < basis_.blocks(); ++block)
      if (runtime_.process_of(pe_of(block, part)) == process) all.push_back({block, part});
    return all;
  }

  template <class C, class Map>
  Array<C> create(const std::array<int, C::dimensions>& shape, const Map& map) {
    return runtime_.create_array<C>(
        shape, map, [setup = setup_](const auto&) { return std::make_unique<C>(setup); });
  }

  void make_arrays() {
    const auto blocks = basis_.blocks(), parts = basis_.parts();
    const auto by_block = [&](const auto& index) { return pe_of(index[0], index[1]); };
    const auto first = [](const auto&) { return 0; };
    setup_->orbitals = create<Orbitals>({blocks, parts}, by_block);
    setup_->points = create<OrbitalPoints>({blocks, parts}, by_block);
    if (setup_->splines) setup_->spline_points = create<SplinePoints>({blocks, parts}, by_block);
    setup_->density = create<Density>({basis_.density_parts()},
                                      [&](const auto& index) { return pe_of_density(index[0]); });
    const int groups = setup_->pair_groups(), side = setup_->matrix_tiles.side();
    setup_->pairs = create<PairCalculator>(
        {blocks, groups, basis_.chunks()},
        [&](const auto& index) { return pe_of_pairs(index[0], index[1], index[2]); });
    // The first tile has eigenvalues for the process that writes them.
    setup_->ortho = create<Ortho>({side, side}, block_map<2>({side, side}, runtime_.pes()));
    setup_->leader = create<Leader>({1}, first);
    if (setup_->projector_count > 0) make_projector_writers();
  }

  /// One on each PE of a process for each part.
  void make_projector_writers() {
    const int processes = runtime_.processes(), parts = basis_.parts(), pes = runtime_.pes_here();
    setup_->projector_writers = create<ProjectorWriter>(
        {processes, parts, pes}, [&](const auto& index) { return index[0] * pes + index[2]; });
    setup_->placed.resize(static_cast<std::size_t>(processes * parts));
    setup_->writers.resize(setup_->placed.size());
    std::vector<std::array<int, 3>> placing, first;
    for (int process = 0; process < processes; ++process)
      for (int part = 0; part < parts; ++part) {
        const auto blocks = blocks_in(process, part);
        if (blocks.empty()) continue;
        std::vector<std::array<int, 3>> writers;
        writers.reserve(static_cast<std::size_t>(pes));
        for (int share = 0; share < pes; ++share) writers.push_back({process, part, share});
        placing.insert(placing.end(), writers.begin(), writers.end());
        first.push_back(writers.front());
        const auto at = static_cast<std::size_t>(process * parts + part);
        setup_->writers[at] = Section<ProjectorWriter>(setup_->projector_writers, writers);
        setup_->placed[at] = Reduction<double>(
            setup_->writers[at], 1,
            deliver_to<&Orbitals::placed>(Section<Orbitals>(setup_->orbitals, blocks)));
      }
    setup_->placing = Section<ProjectorWriter>(setup_->projector_writers, placing, along_tree);
    setup_->changing_cell = Section<ProjectorWriter>(setup_->projector_writers, first, along_tree);
  }

  void make_transforms() {
    const int blocks = basis_.blocks(), parts = basis_.parts();
    setup_->orbital_transforms = fft::SphereArray<double>(
        runtime_,
        {.plan = basis_.orbital_plan(),
         .pe = [this](int part, int place) { return pe_of(place, part); },
         .batch = orbitals_of_transform,
         .window = blocks,
         .client = [parts](int part, int block) { return block * parts + part; },
         .end = fft::SphereEnd::rows},
        fft::reply_to<&OrbitalPoints::transformed>(setup_->points));
    if (setup_->splines)
      setup_->spline_transforms = fft::SphereArray<double>(
          runtime_,
          {.plan = setup_->splines->plan(),
           .pe = [this](int part, int place) { return pe_of(place, part); },
           .batch = orbitals_of_transform,
           .window = blocks,
           .client = [parts](int part, int block) { return block * parts + part; }},
          fft::reply_to<&SplinePoints::transformed>(setup_->spline_points));
    if (setup_->ion_splines)
      setup_->ion_transforms =
          fft::SphereArray<double>(runtime_,
                                   {.plan = setup_->ion_splines->plan(),
                                    .pe = [this](int part, int) { return pe_of_density(part); },
                                    .batch = orbitals_of_transform},
                                   fft::reply_at<&Density::met_ions>(setup_->density));
    setup_->density_transforms =
        fft::SphereArray<double>(runtime_,
                                 {.plan = basis_.density_plan(),
                                  .pe = [this](int part, int) { return pe_of_density(part); },
                                  .batch = orbitals_of_transform,
                                  .window = Density::window(job_),
                                  .end = Density::end_of_transforms(basis_)},
                                 fft::reply_at<&Density::transformed>(setup_->density));
  }

  void make_sections() {
    for (int block = 0; block < basis_.blocks(); ++block)
      for (int chunk = 0; chunk < basis_.chunks(); ++chunk) {
        std::vector<std::array<int, 3>> listeners;
        for (int b = 0; b < basis_.blocks(); ++b)
          for (int c = 0; c < setup_->pair_groups(); ++c)
            if (b == block || setup_->group(c).contains(block)) listeners.push_back({b, c, chunk});
        setup_->listeners.emplace_back(setup_->pairs, listeners);
        std::erase_if(listeners, [block](const auto& pair) { return pair[0] != block; });
        setup_->own_pairs.emplace_back(setup_->pairs, listeners);
      }
    for (int spin = 0; spin < basis_.spins(); ++spin)
      for (int part = 0; part < basis_.parts(); ++part)
        setup_->points_of.emplace_back(setup_->points, blocks_of_spin(spin, part));
    setup_->all_orbitals = everyone_along_tree(setup_->orbitals);
    setup_->all_densities = everyone_along_tree(setup_->density);
    setup_->all_pairs = everyone_along_tree(setup_->pairs);
    setup_->all_tiles = everyone_along_tree(setup_->ortho);
    make_sections_of_tiles();
  }

  void make_sections_of_tiles() {
    const int side = setup_->matrix_tiles.side();
    std::vector<std::vector<std::array<int, 3>>> listeners(static_cast<std::size_t>(side * side));
    for (const MatrixPiece& piece : setup_->pieces.all())
      for (int chunk = 0; chunk < basis_.chunks(); ++chunk)
        listeners[static_cast<std::size_t>(piece.tile_row * side + piece.tile_column)].push_back(
            {piece.block, piece.group, chunk});
    for (const auto& some : listeners)
      setup_->listeners_of_tile.emplace_back(setup_->pairs, some, along_tree);
    for (int k = 0; k < side; ++k) {
      std::vector<std::array<int, 2>> row, column;
      row.reserve(static_cast<std::size_t>(side));
      column.reserve(static_cast<std::size_t>(side));
      for (int other = 0; other < side; ++other) {
        row.push_back({k, other});
        column.push_back({other, k});
      }
      setup_->tile_rows.emplace_back(setup_->ortho, row);
      setup_->tile_columns.emplace_back(setup_->ortho, column);
    }
  }

  std::vector<std::array<int, 2>> blocks_of_spin(int spin, int part) const {
    const fft::Range blocks = basis_.blocks_of_spin(spin);
    std::vector<std::array<int, 2>> all;
    all.reserve(static_cast<std::size_t>(blocks.size()));
    for (int block = blocks.begin; block < blocks.end; ++block) all.push_back({block, part});
    return all;
  }

  void make_sums() {
    const auto leader = setup_->leader[{0}];
    const std::size_t force_numbers = count_of_force_numbers(job_.positions.size());
    setup_->orbital_sums = Reduction<double>(setup_->orbitals, OrbitalSums::count,
                                             deliver_at<&Leader::orbital_sums>(leader));
    setup_->largest =
        Reduction<double>(setup_->orbitals, 1, deliver_at<&Leader::largest>(leader), Combine::max);
    setup_->search = Reduction<double>(setup_->orbitals, SearchProducts::count,
                                       deliver_at<&Leader::search_products>(leader));
    setup_->density_energies = Reduction<double>(setup_->density, DensitySums::count,
                                                 deliver_at<&Leader::density_sums>(leader));
    setup_->orbital_forces = Reduction<double>(setup_->orbitals, force_numbers,
                                               deliver_at<&Leader::orbital_forces>(leader));
    setup_->density_forces = Reduction<double>(setup_->density, force_numbers,
                                               deliver_at<&Leader::density_forces>(leader));
    for (int block = 0; block < basis_.blocks(); ++block) {
      std::vector<std::array<int, 2>> parts;
      parts.reserve(static_cast<std::size_t>(basis_.parts()));
      for (int part = 0; part < basis_.parts(); ++part) parts.push_back({block, part});
      if (setup_->projector_count > 0) make_projections(block, parts);
    }
    for (const MatrixPiece& piece : setup_->pieces.all()) {
      std::vector<std::array<int, 3>> shares;
      shares.reserve(static_cast<std::size_t>(basis_.chunks()));
      for (int chunk = 0; chunk < basis_.chunks(); ++chunk)
        shares.push_back({piece.block, piece.group, chunk});
      const auto tile = setup_->ortho[{piece.tile_row, piece.tile_column}];
      setup_->piece_sums.emplace_back(
          Section<PairCalculator>(setup_->pairs, shares),
          static_cast<std::size_t>(setup_->matrices_of_order()) * piece.share.numbers() + 1,
          deliver_at<&Ortho::sums>(tile));
    }
    setup_->residuals =
        Reduction<double>(setup_->ortho, 1, deliver_at<&Ortho::residual>(setup_->ortho));
    setup_->deviations = Reduction<double>(
        setup_->ortho, 1, deliver_at<&Ortho::deviation>(setup_->ortho), Combine::max);
    for (int spin = 0; spin < basis_.spins(); ++spin)
      for (int d = 0; d < basis_.density_parts(); ++d) {
        const Section<OrbitalPoints> blocks(
            setup_->points, blocks_of_spin(spin, d / basis_.density_parts_in_part()));
        const auto density = setup_->density[{d}];
        setup_->density_sums.emplace_back(blocks, basis_.density_points(d).volume(),
                                          spin == 0 ? deliver_at<&Density::density>(density)
                                                    : deliver_at<&Density::density_down>(density));
      }
  }

  /// The sums of products with projectors over the parts of a block.
  void make_projections(int block, const std::vector<std::array<int, 2>>& parts) {
    const std::size_t numbers =
        setup_->projector_count * static_cast<std::size_t>(basis_.block(block).size());
    if (setup_->splines) {
      const Section<SplinePoints> section(setup_->spline_points, parts);
      setup_->projections.emplace_back(section, numbers,
                                       deliver_to<&SplinePoints::projected>(section));
    } else {
      const Section<Orbitals> section(setup_->orbitals, parts);
      setup_->projections.emplace_back(section, numbers, deliver_to<&Orbitals::projected>(section));
    }
  }

  /// The objects are at rest until the next run.
  struct RunEnd {
    bool paused = false, wants_gap = false;
    std::exception_ptr failure;  // of the file of orbitals, in process 0
  };

  RunEnd run_here() {
    try {
      if (runtime_.process() == 0) {
        setup_->density.broadcast<&Density::life>();
        setup_->ortho.broadcast<&Ortho::life>();
        setup_->leader[{0}].send<&Leader::life>();
      }
      runtime_.run_until_quiescent(Runtime::Quiet::as_announced);
      RunEnd end = keep();
      if (end.wants_gap) find_gap();
      if (end.paused) return end;
      gather_results();
      if (wants_empty_orbitals()) result_.empty = find_empty_orbitals();
      return end;
    } catch (...) {
      throw_known(options_.transport, &runtime_, std::current_exception());
    }
  }

  RunEnd keep() {
    SearchState state;
    std::optional<DynamicsState> dynamics;
    bool paused = false, wants_gap = false, keeps = false, in_memory = false;
    if (runtime_.process() == 0) {
      const Leader& leader = setup_->leader.object({0});
      state = leader.state();
      dynamics = leader.dynamics_state();
      paused = leader.paused();
      wants_gap = leader.wants_empty_orbitals();
      in_memory = setup_->memory->take_started();
      keeps =
          !wants_gap && !in_memory && !kept_.path.empty() && results_are_safe(dynamics.has_value());
    }
    if (options_.transport) {
      ByteWriter bytes;
      for (const bool one : {paused, wants_gap, keeps, in_memory, dynamics.has_value()})
        bytes.put(one);
      bytes.put(std::int32_t{state.pairs});
      bytes.put(std::int32_t{dynamics ? dynamics->past : 0});
      const std::vector<std::byte> agreed = options_.transport->broadcast(std::move(bytes).take());
      ByteReader reader(agreed);
      paused = reader.get<bool>();
      wants_gap = reader.get<bool>();
      keeps = reader.get<bool>();
      in_memory = reader.get<bool>();
      if (reader.get<bool>() && !dynamics) dynamics.emplace();
      state.pairs = reader.get<std::int32_t>();
      const auto past = reader.get<std::int32_t>();
      if (dynamics) dynamics->past = past;
    }
    if (in_memory) {
      if (runtime_.process() == 0) memory_->send(state, *dynamics);
      runtime_.run_until_quiescent();
    }
    if (!keeps) return {paused, wants_gap, {}};
    return {paused, wants_gap,
            keep_orbitals(*setup_, options_.transport, kept_.path, state, dynamics)};
  }

  void remove_memory() const { remove_memory_of(options_.memory.folder, runtime_.process()); }

  /// A checkpoint counts on the results of the steps before it. If they cannot be written the run
  /// ends with that error.
  bool results_are_safe(bool moves) const {
    return !moves || !kept_.after_results || setup_->progress->make_safe();
  }

  void gather_results() {
    GroundState result;
    if (runtime_.process() == 0) {
      result = setup_->leader.object({0}).result();
      result.eigenvalues = setup_->ortho.object({0, 0}).eigenvalues();
      if (job_.isolated) result.stress = {};
    }
    share_places(result);
    ab_initio::gather_results(*setup_, options_.transport, result);
    gather_profile();
    result_ = std::move(result);
  }

  /// Only process 0 knows where the ions are, and in which cell.
  void share_places(GroundState& result) const {
    if (!options_.transport) return;
    ByteWriter bytes;
    bytes.put(result.positions);
    bytes.put(result.cell);
    const auto all = options_.transport->broadcast(std::move(bytes).take());
    ByteReader reader(all);
    reader.get(result.positions);
    result.cell = reader.get<electrons::Lattice>();
  }

  bool wants_empty_orbitals() const {
    return job_.electrons.empty != std::array{0, 0} && job_.dynamics.kind == DynamicsKind::none &&
           !stopped_early();
  }

  /// Finds the gap of the ground state from which a dynamics starts.
  void find_gap() {
    result_ = {};
    if (runtime_.process() == 0) {
      const Leader& leader = setup_->leader.object({0});
      result_.positions = leader.ions().positions();
      result_.cell = leader.ions().cell();
      result_.eigenvalues = setup_->ortho.object({0, 0}).eigenvalues();
    }
    share_places(result_);
    const auto empty = find_empty_orbitals();
    if (runtime_.process() == 0) setup_->gap = empty->gap;
  }

  /// Finds them by objects of their own, in the potential of the end; in process 0 only.
  std::optional<EmptyOrbitals> find_empty_orbitals() {
    auto fixed = std::make_shared<FixedPotential>();
    fixed->parts.resize(static_cast<std::size_t>(basis_.density_parts()));
    for (int part = 0; part < basis_.density_parts(); ++part)
      if (setup_->density.here_at(part))
        fixed->parts[static_cast<std::size_t>(part)] = setup_->density.object_at(part).potential();
    Job more = job_of_more_orbitals(job_);
    more.cell_of_waves = job_.wave_cell();
    more.cell = result_.cell;
    more.positions = result_.positions;
    MachineOptions options = options_;
    options.profile = false;
    options.trace = 0;
    options.memory = {};
    ProgressQueue unseen;
    AssemblyOfObjects objects(more, options, unseen, {}, std::move(fixed));
    if (is_first(options_.transport))
      return empty_orbitals(job_, result_.eigenvalues, objects.find_ground_state());
    objects.serve();
    return std::nullopt;
  }

  /// Known to process 0, and agreed on by all.
  bool stopped_early() const {
    if (!options_.transport) return !result_.converged;
    const std::byte mine{static_cast<unsigned char>(result_.converged ? 1 : 0)};
    return options_.transport->broadcast({mine}).front() == std::byte{0};
  }

  void gather_profile() {
    if (!options_.profile) return;
    profile_ = runtime_.profile();
    fg::gather_profile(options_.transport, profile_);
  }

  const Job& job_;
  MachineOptions options_;
  KeptOrbitals kept_;
  Basis basis_;
  Runtime runtime_;
  ArrayMaps maps_;
  std::shared_ptr<Setup> setup_;
  std::unique_ptr<MemoryCopies> memory_;  // null: no checkpoints in memory
  GroundState result_;
  Profile profile_;
  bool failed_ = false;        // failed, or a run is in progress
  bool has_orbitals_ = false;  // of a run that has ended
};

}  // namespace

std::unique_ptr<Assembly> make_assembly(const Job& job, const MachineOptions& options,
                                        ProgressQueue& progress, KeptOrbitals kept) {
  try {
    return std::make_unique<AssemblyOfObjects>(job, options, progress, std::move(kept));
  } catch (...) {
    throw_known(options.transport, nullptr, std::current_exception());
  }
}

}  // namespace fg::ab_initio

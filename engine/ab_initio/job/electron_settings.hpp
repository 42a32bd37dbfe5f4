// SPDX-License-Identifier: BSD-3-Clause
//
// How the ground state is found, and the division into objects, as the job says. Units: hartree,
// bohr.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include "electrons/splines/spline_phase.hpp"
#include "electrons/waves/effective_cutoff.hpp"
#include "records/job/job_key.hpp"

namespace fg::ab_initio {

inline constexpr int most_points = 10000;  // of a grid along an axis
inline constexpr int most_orbitals = 1000000;

struct ElectronSettings {
  double cutoff = 0;  // of the kinetic energy of a wave
  /// It changes the kinetic energy; none: that is |G|^2 / 2.
  std::optional<electrons::EffectiveCutoff> effective_cutoff;
  std::array<int, 3> grid{};
  int spins = 1;                     // 2: collinear spin, orbitals with one electron each
  int bands = 0;                     // orbitals of all spins
  int bands_up = 0;                  // with spin: the first ones; the others have spin down
  int empty_up = 0, empty_down = 0;  // orbitals that are found after the ground state
  std::string functional;
  /// The thresholds of the gradient; none if negative.
  double gradient_density_threshold = -1, gradient_sigma_threshold = -1;
  /// A negative density has the energy of its absolute value with the other sign, instead of none.
  bool mirrors_negative_density = false;
  /// Whether the sum of forces of a ground state is taken from them, in equal parts.
  bool removes_net_force = false;

  /// Orbitals before those of spin down.
  int up() const noexcept { return spins == 1 ? bands : bands_up; }
  int empty() const noexcept { return empty_up + empty_down; }

  static constexpr auto keys() {
    using E = ElectronSettings;
    constexpr auto with_spin = [](const E& electrons) { return electrons.spins == 2; };
    return std::tuple{
        key("cutoff", &E::cutoff,
            {.meaning = "of |G|²/2 of the waves of orbitals",
             .unit = "hartree",
             .least = 0.1,
             .most = 1e4}),
        key("grid", &E::grid,
            {.meaning = "points along each vector of the cell", .least = 1, .most = most_points}),
        key("spins", &E::spins,
            {.meaning = "1: two electrons in each orbital; 2: one", .least = 1, .most = 2}),
        key("bands", &E::bands, {.meaning = "orbitals", .least = 1, .most = most_orbitals}),
        key("bands_up", &E::bands_up,
            {.meaning = "with two spins: orbitals of spin up, which come first",
             .least = 1,
             .most = most_orbitals,
             .given = Given::where_used,
             .used = with_spin}),
        key("empty_up", &E::empty_up,
            {.meaning = "empty orbitals that are found after the ground state, of spin up",
             .least = 0,
             .most = most_orbitals,
             .given = Given::optional,
             .digest = InDigest::nothing}),
        key("empty_down", &E::empty_down,
            {.meaning = "the same of spin down; none without spin",
             .least = 0,
             .most = most_orbitals,
             .given = Given::optional,
             .digest = InDigest::nothing}),
        key("functional", &E::functional, {.meaning = "name of the density functional"}),
        key("gradient_density_threshold", &E::gradient_density_threshold,
            {.meaning = "the gradient counts where the density is above it; -1: everywhere",
             .unit = "1/bohr³",
             .least = -1,
             .most = 1}),
        key("gradient_sigma_threshold", &E::gradient_sigma_threshold,
            {.meaning = "the same for the squared gradient",
             .unit = "1/bohr⁸",
             .least = -1,
             .most = 1}),
        key("mirrors_negative_density", &E::mirrors_negative_density,
            {.meaning = "whether a negative density has the energy of its absolute value with the "
                        "other sign; it has none otherwise"}),
        key("removes_net_force", &E::removes_net_force,
            {.meaning = "whether the sum of all forces is taken from them in equal parts",
             .given = Given::optional,
             .digest = InDigest::nothing})};
  }
};

/// The attributes of an effective cutoff, of the same object.
constexpr auto effective_cutoff_keys() {
  using C = electrons::EffectiveCutoff;
  return std::tuple{key("effective_cutoff", &C::energy,
                        {.meaning = "|G|²/2 where the kinetic energy has a smooth step",
                         .unit = "hartree",
                         .least = 0.1,
                         .most = 1e4,
                         .given = Given::optional}),
                    key("effective_cutoff_height", &C::height,
                        {.meaning = "half the height of this step",
                         .unit = "hartree",
                         .least = 1e-3,
                         .most = 1e5,
                         .with = "effective_cutoff"}),
                    key("effective_cutoff_width", &C::width,
                        {.meaning = "its width",
                         .unit = "hartree",
                         .least = 1e-3,
                         .most = 1e3,
                         .with = "effective_cutoff"})};
}

/// How waves meet ions: by an exponential for each wave and ion, or by splines on a grid
/// (electrons/splines). The choice is made with the job, by estimates of the time.
enum class IonMethod { exact, splines };
inline constexpr std::array<Word<IonMethod>, 2> ion_methods{
    {{"exact", IonMethod::exact}, {"splines", IonMethod::splines}}};

struct IonSettings {
  IonMethod method = IonMethod::exact;
  int order = 8;  // of the splines
  std::array<int, 3> grid{};
  /// Processor time of both methods [s], for the log. It is that of the nonlocal part in an
  /// iteration, or of the local one for these positions.
  double exact_seconds = 0, spline_seconds = 0;

  static constexpr auto keys() {
    using I = IonSettings;
    constexpr double most_seconds = 1e12;
    return std::tuple{
        key("method", &I::method, ion_methods, {.meaning = "how waves meet ions"}),
        key("spline_order", &I::order,
            {.meaning = "order of the splines",
             .least = electrons::least_spline_order,
             .most = electrons::most_spline_order}),
        key("spline_grid", &I::grid,
            {.meaning = "points of the splines along each vector, as many as the order or more",
             .least = 1,
             .most = most_points}),
        key("exact_seconds", &I::exact_seconds,
            {.meaning = "estimate of the time without splines, by which the choice was made",
             .unit = "s",
             .least = 0,
             .most = most_seconds,
             .digest = InDigest::nothing}),
        key("spline_seconds", &I::spline_seconds,
            {.meaning = "the same with splines",
             .unit = "s",
             .least = 0,
             .most = most_seconds,
             .digest = InDigest::nothing})};
  }
};

enum class MinimiserKind { l_bfgs, conjugate_gradients, steepest_descent };
inline constexpr std::array<Word<MinimiserKind>, 3> minimiser_names{
    {{"l-bfgs", MinimiserKind::l_bfgs},
     {"conjugate-gradient", MinimiserKind::conjugate_gradients},
     {"steepest-descent", MinimiserKind::steepest_descent}}};

/// What the first orbitals are: those of atoms, random ones, or those in the job.
enum class StartKind { atomic, random, orbitals };
inline constexpr std::array<Word<StartKind>, 3> start_names{{{"atomic", StartKind::atomic},
                                                             {"random", StartKind::random},
                                                             {"orbitals", StartKind::orbitals}}};

struct GroundStateSettings {
  MinimiserKind minimiser = MinimiserKind::l_bfgs;
  double tolerance = 0;         // largest residual of a coefficient
  double energy_tolerance = 0;  // to which the energy is known
  std::int64_t iterations = 0;  // at most
  StartKind start = StartKind::atomic;
  std::uint64_t seed = 0;

  static constexpr auto keys() {
    using G = GroundStateSettings;
    return std::tuple{
        key("minimiser", &G::minimiser, minimiser_names,
            {.meaning = "method that finds the ground state", .digest = InDigest::word}),
        key("iterations", &G::iterations,
            {.meaning = "most iterations", .least = 0, .most = 1e6, .digest = InDigest::nothing})};
  }
  /// What the ground state depends on. The digest has it where a dynamics starts from it.
  static constexpr auto goal_keys() {
    using G = GroundStateSettings;
    return std::tuple{key("tolerance", &G::tolerance,
                          {.meaning = "largest residual of a coefficient of an orbital",
                           .unit = "hartree",
                           .least = 1e-14,
                           .most = 1}),
                      key("energy_tolerance", &G::energy_tolerance,
                          {.meaning = "to which the energy is known; 0: not asked for",
                           .unit = "hartree",
                           .least = 0,
                           .most = 1}),
                      key("seed", &G::seed, {.meaning = "of random numbers in the first orbitals"}),
                      key("start", &G::start, start_names,
                          {.meaning = "the first orbitals: of atoms, random, or those of `/start`",
                           .digest = InDigest::word})};
  }
};

/// The division into objects. It is part of the job, because sums depend on it.
struct DivisionSettings {
  int state_grain = 0;    // orbitals of a block
  int wave_parts = 0;     // of each orbital, in waves and in points
  int density_parts = 0;  // of the density, in whole planes; a multiple of wave_parts
  int pair_groups = 1;    // of blocks, with which a block has its overlaps
  int tile_grain = 0;     // orbitals along a side of a tile of their matrices; 0: all
  int pair_chunks = 1;    // of the waves of each part, for products of orbitals
  int plane_pieces = 1;   // along y, of each part of the density

  /// What is not divided further adds nothing to the digest.
  static constexpr auto keys() {
    using D = DivisionSettings;
    constexpr int most_parts = 1000000;
    return std::tuple{key("state_grain", &D::state_grain,
                          {.meaning = "orbitals of a block", .least = 1, .most = most_orbitals}),
                      key("wave_parts", &D::wave_parts,
                          {.meaning = "parts of each orbital", .least = 1, .most = 10000}),
                      key("density_parts", &D::density_parts,
                          {.meaning = "parts of the density, a multiple of `wave_parts`",
                           .least = 1,
                           .most = most_parts}),
                      key("pair_groups", &D::pair_groups,
                          {.meaning = "groups of blocks with which a block has its overlaps",
                           .least = 1,
                           .most = most_orbitals,
                           .given = Given::optional}),
                      key("tile_grain", &D::tile_grain,
                          {.meaning = "orbitals along a side of a tile of their matrices; 0: all",
                           .least = 0,
                           .most = most_orbitals,
                           .given = Given::optional}),
                      key("pair_chunks", &D::pair_chunks,
                          {.meaning = "of the waves of a part, for products of orbitals",
                           .least = 1,
                           .most = most_parts,
                           .given = Given::optional,
                           .counts = [](const D& d) { return d.pair_chunks != 1; },
                           .mark = "pair_chunks"}),
                      key("plane_pieces", &D::plane_pieces,
                          {.meaning = "of each part of the density along y",
                           .least = 1,
                           .most = most_points,
                           .given = Given::optional,
                           .counts = [](const D& d) { return d.plane_pieces != 1; },
                           .mark = "plane_pieces"})};
  }
};

}  // namespace fg::ab_initio

// SPDX-License-Identifier: BSD-3-Clause
//
// An ab initio job is read as it was written; damaged and contradictory jobs are refused, with file
// and object.
#include "ab_initio/job/job.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "ab_initio/checkpoints/kept_tables.hpp"
#include "base/error.hpp"
#include "gth_job_file.hpp"
#include "records/files/files.hpp"
#include "support/ab_initio/gth_jobs.hpp"
#include "unit/records/job_file.hpp"

namespace fg::test {
namespace {

using ab_initio::Job;
using test::refusal_of;

/// With all that a file may have: a core and the density of the atom.
Job full_job() {
  Job job = gth_job();
  job.ground_state.minimiser = ab_initio::MinimiserKind::conjugate_gradients;
  job.species[0].core = job.species[0].density = job.species[0].local;
  job.species[0].sha256 = "abc";
  job.electrons.gradient_density_threshold = 1e-6;
  job.electrons.mirrors_negative_density = true;
  job.electrons.removes_net_force = true;
  job.electrons.gradient_sigma_threshold = 1e-10;
  job.dispersion = {"of a test", -0.25, job.positions, {1, 2, 3, 4, 5, 6, 7, 8, 9}};
  job.ground_state.seed = 0xffffffffffffffff;
  job.nonlocal = {ab_initio::IonMethod::splines, 6, {12, 14, 16}, 2.5, 0.75};
  job.division = {2, 2, 6, 3, 4, 3, 5};
  job.writes_density = true;
  return job;
}

std::string refusal_of(const std::function<void(hid_t)>& change) {
  return refusal_of(full_job(), change);
}

TEST(AbInitioJob, IsReadAsItWasWritten) {
  const Job job = full_job(), read = read_again(job);
  EXPECT_EQ(read.title, job.title);
  EXPECT_EQ(read.cell.vectors, job.cell.vectors);
  EXPECT_EQ(read.positions, job.positions);
  EXPECT_EQ(read.species_of, job.species_of);
  EXPECT_EQ(read.masses, job.masses);
  EXPECT_EQ(read.table_spacing, 0.01);
  ASSERT_EQ(read.species.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    const auto &a = read.species[i], &b = job.species[i];
    EXPECT_EQ(a.symbol, b.symbol);
    EXPECT_EQ(a.sha256, b.sha256);
    EXPECT_EQ(a.charge, b.charge);
    EXPECT_EQ(a.width, b.width);
    EXPECT_EQ(a.local, b.local);
    EXPECT_EQ(a.core, b.core);
    EXPECT_EQ(a.density, b.density);
    EXPECT_EQ(a.coupling, b.coupling);
    ASSERT_EQ(a.projectors.size(), b.projectors.size());
    for (std::size_t p = 0; p < a.projectors.size(); ++p) {
      EXPECT_EQ(a.projectors[p].l, b.projectors[p].l);
      EXPECT_EQ(a.projectors[p].values, b.projectors[p].values);
    }
    ASSERT_EQ(a.orbitals.size(), b.orbitals.size());
    for (std::size_t o = 0; o < a.orbitals.size(); ++o) {
      EXPECT_EQ(a.orbitals[o].l, b.orbitals[o].l);
      EXPECT_EQ(a.orbitals[o].occupation, b.orbitals[o].occupation);
      EXPECT_EQ(a.orbitals[o].values, b.orbitals[o].values);
    }
  }
  EXPECT_EQ(read.species[0].projectors.size(), 3U);
  EXPECT_EQ(read.electrons.cutoff, 4);
  EXPECT_EQ(read.electrons.grid, job.electrons.grid);
  EXPECT_EQ(read.electrons.bands, 5);
  EXPECT_EQ(read.electrons.functional, "PW92");
  EXPECT_EQ(read.electrons.gradient_density_threshold, 1e-6);
  EXPECT_EQ(read.electrons.gradient_sigma_threshold, 1e-10);
  EXPECT_TRUE(read.electrons.mirrors_negative_density);
  EXPECT_TRUE(read.electrons.removes_net_force);
  ASSERT_TRUE(read.dispersion);
  EXPECT_EQ(read.dispersion->model, "of a test");
  EXPECT_EQ(read.dispersion->energy, -0.25);
  EXPECT_EQ(read.dispersion->forces, job.positions);
  EXPECT_EQ(read.dispersion->strain, job.dispersion->strain);
  EXPECT_FALSE(read_again(gth_job()).dispersion);
  EXPECT_EQ(read.nonlocal.method, ab_initio::IonMethod::splines);
  EXPECT_EQ(read.nonlocal.order, 6);
  EXPECT_EQ(read.local.method, ab_initio::IonMethod::exact);
  EXPECT_EQ(read.local.grid, job.local.grid);
  EXPECT_EQ(read.nonlocal.grid, (std::array{12, 14, 16}));
  EXPECT_EQ(read.nonlocal.exact_seconds, 2.5);
  EXPECT_EQ(read.nonlocal.spline_seconds, 0.75);
  EXPECT_EQ(read.ground_state.minimiser, ab_initio::MinimiserKind::conjugate_gradients);
  EXPECT_EQ(read.ground_state.tolerance, 1e-7);
  EXPECT_EQ(read.ground_state.energy_tolerance, 0);
  EXPECT_EQ(read.ground_state.iterations, 200);
  EXPECT_EQ(read.ground_state.start, ab_initio::StartKind::random);
  EXPECT_EQ(read.ground_state.seed, 0xffffffffffffffff);
  EXPECT_EQ(read.division.state_grain, 2);
  EXPECT_EQ(read.division.wave_parts, 2);
  EXPECT_EQ(read.division.density_parts, 6);
  EXPECT_EQ(read.division.pair_groups, job.division.pair_groups);
  EXPECT_EQ(read.division.tile_grain, job.division.tile_grain);
  EXPECT_EQ(read.division.pair_chunks, job.division.pair_chunks);
  EXPECT_EQ(read.division.plane_pieces, job.division.plane_pieces);
  EXPECT_EQ(read_again(gth_job()).division.plane_pieces, 1);
  EXPECT_TRUE(read.writes_density);
}

TEST(AbInitioJob, OfTwoSpinsIsReadAndChecked) {
  const Job read = read_again(spin_job());
  EXPECT_EQ(read.electrons.spins, 2);
  EXPECT_EQ(read.electrons.bands, 9);
  EXPECT_EQ(read.electrons.bands_up, 5);
  EXPECT_EQ(read.moments, spin_job().moments);
  EXPECT_EQ(read.occupation(), 1);
  EXPECT_EQ(read_again(gth_job()).electrons.up(), 5);
  EXPECT_GT(read.memory(), read_again(gth_job()).memory());
  const auto refused = [](const std::string& expected, const auto& change) {
    const std::string text = refusal_of(spin_job(), change);
    EXPECT_NE(text.find(expected), std::string::npos) << text;
  };
  refused("'spins'", [](hid_t f) { set_number(f, "/electrons", "spins", 3); });
  refused("'bands_up'", [](hid_t f) { set_number(f, "/electrons", "bands_up", 10); });
  refused("'bands_up'", [](hid_t f) { set_number(f, "/electrons", "bands_up", 0); });
  refused("do not neutralise", [](hid_t f) { set_number(f, "/electrons", "bands", 10); });
  refused("not finite", [](hid_t f) { set_value(f, "/ions/moment", 1, std::nan("")); });
  refused("/ions/moment", [](hid_t f) { remove_object(f, "/ions/moment"); });
  Job other = spin_job();
  other.moments.pop_back();
  EXPECT_NE(refusal_of(other).find("another length than positions"), std::string::npos);
}

/// The bytes of all orbitals: waves of half a sphere, from the volume of each in reciprocal space;
/// 16 bytes each.
double bytes_of_vector(const Job& job) {
  const double longest = job.largest_wave(), pi = std::acos(-1.0);
  const double sphere = 4 * pi / 3 * longest * longest * longest;
  const double waves = sphere * job.cell.volume() / (8 * pi * pi * pi) / 2;
  return 16 * waves * job.electrons.bands;
}

TEST(AbInitioJob, ADynamicsTakesMemoryForItsOwnVectors) {
  Job job = gth_job();
  const double search = job.memory();
  job.dynamics.kind = ab_initio::DynamicsKind::car_parrinello;
  job.dynamics.orthonormality = ab_initio::Orthonormality::constrained;
  const double of_vector = (job.memory() - search) / 2;
  EXPECT_NEAR(of_vector, bytes_of_vector(job), 1e-6 * search);
  job.dynamics.orthonormality = ab_initio::Orthonormality::free;
  EXPECT_NEAR(job.memory() - search, 4 * of_vector, 1e-6 * search);
  job.dynamics.kind = ab_initio::DynamicsKind::born_oppenheimer;
  job.dynamics.predictor_order = 3;
  EXPECT_NEAR(job.memory() - search, 5 * of_vector, 1e-6 * search);
}

TEST(AbInitioJob, CheckpointsInMemoryHaveAllThatIsKeptOfAStep) {
  Job job = gth_job();
  const auto tables = [&](int past) {
    return static_cast<double>(ab_initio::tables_of_dynamics(job.dynamics, past).size());
  };
  const auto of_one = [&] { return bytes_of_vector(job); };
  job.dynamics.kind = ab_initio::DynamicsKind::car_parrinello;
  job.dynamics.orthonormality = ab_initio::Orthonormality::constrained;
  EXPECT_NEAR(job.memory_of_checkpoints(1), 3 * tables(0) * of_one(), 1e-9 * of_one());
  job.dynamics.orthonormality = ab_initio::Orthonormality::free;
  EXPECT_NEAR(job.memory_of_checkpoints(1), 3 * tables(0) * of_one(), 1e-9 * of_one());
  EXPECT_EQ(job.memory_of_checkpoints(4), 2 * job.memory_of_checkpoints(1));
  job.dynamics.kind = ab_initio::DynamicsKind::born_oppenheimer;
  job.dynamics.predictor_order = 2;
  EXPECT_NEAR(job.memory_of_checkpoints(1), 3 * tables(2 + 2) * of_one(), 1e-9 * of_one());
}

TEST(AbInitioJob, WhatIsOptionalMayBeMissing) {
  Job job = gth_job();
  for (auto& species : job.species) {
    species.projectors.clear();
    species.coupling.clear();
    species.orbitals.clear();
  }
  const Job read = read_again(job);
  for (const auto& species : read.species) {
    EXPECT_TRUE(species.core.empty());
    EXPECT_TRUE(species.density.empty());
    EXPECT_TRUE(species.projectors.empty());
    EXPECT_TRUE(species.orbitals.empty());
  }
  EXPECT_FALSE(read.writes_density);
}

TEST(AbInitioJob, EveryObjectIsNeeded) {
  for (const char* object :
       {"/cell/vectors", "/ions/position", "/ions/species", "/ions/mass", "/species/0/local",
        "/species/1/local", "/species/0/projectors", "/species/0/coupling", "/species/0/orbitals",
        "/species/0/orbital_occupation"})
    EXPECT_NE(refusal_of([=](hid_t f) {
                remove_object(f, object);
              }).find(std::string("job.h5:") + object + ": the file lacks"),
              std::string::npos)
        << refusal_of([=](hid_t f) { remove_object(f, object); });
  for (const auto& [object, name] : std::vector<std::pair<const char*, const char*>>{
           {"/", "title"},
           {"/species", "count"},
           {"/species", "spacing"},
           {"/species/1", "symbol"},
           {"/species/1", "file"},
           {"/species/1", "sha256"},
           {"/species/1", "charge"},
           {"/species/1", "width"},
           {"/electrons", "cutoff"},
           {"/electrons", "grid"},
           {"/electrons", "bands"},
           {"/electrons", "functional"},
           {"/electrons", "gradient_density_threshold"},
           {"/electrons", "gradient_sigma_threshold"},
           {"/electrons", "mirrors_negative_density"},
           {"/dispersion", "model"},
           {"/dispersion", "energy"},
           {"/nonlocal", "method"},
           {"/nonlocal", "spline_order"},
           {"/nonlocal", "spline_grid"},
           {"/nonlocal", "exact_seconds"},
           {"/nonlocal", "spline_seconds"},
           {"/local", "method"},
           {"/local", "spline_order"},
           {"/local", "spline_grid"},
           {"/ground_state", "minimiser"},
           {"/ground_state", "tolerance"},
           {"/ground_state", "energy_tolerance"},
           {"/ground_state", "iterations"},
           {"/ground_state", "start"},
           {"/ground_state", "seed"},
           {"/division", "state_grain"},
           {"/division", "wave_parts"},
           {"/division", "density_parts"},
           {"/outputs", "density"},
           {"/outputs", "orbitals"},
           {"/outputs", "checkpoint_seconds"}}) {
    const std::string text =
        refusal_of([=](hid_t f) { H5Adelete_by_name(f, object, name, H5P_DEFAULT); });
    EXPECT_NE(text.find(std::string("job.h5:") + object), std::string::npos) << text;
    EXPECT_NE(text.find(std::string("'") + name + "' is missing"), std::string::npos) << text;
  }
}

struct Damage {
  const char* object;    // that the message names
  const char* expected;  // what it says
  std::function<void(hid_t)> change;
};

TEST(AbInitioJob, WhatCannotBeIsRefused) {
  const double nan = std::nan("");
  const std::vector<Damage> cases{
      {"/cell/vectors", "not finite", [=](hid_t f) { set_value(f, "/cell/vectors", 4, nan); }},
      {"/cell/vectors", "lie in a plane",
       [](hid_t f) {
         for (const std::size_t i : {0, 1, 2})
           set_value(f, "/cell/vectors", 3 + i, gth_job().cell.vectors[0][static_cast<int>(i)]);
       }},
      {"/ions/position", "not finite", [=](hid_t f) { set_value(f, "/ions/position", 20, nan); }},
      {"/ions/mass", "not positive", [](hid_t f) { set_value(f, "/ions/mass", 2, 0); }},
      {"/ions/mass", "not positive", [=](hid_t f) { set_value(f, "/ions/mass", 2, nan); }},
      {"/ions/species", "no such species", [](hid_t f) { set_value(f, "/ions/species", 1, 2); }},
      {"/ions/species", "no such species", [](hid_t f) { set_value(f, "/ions/species", 1, -1); }},
      {"/species", "'count'", [](hid_t f) { set_number(f, "/species", "count", 0); }},
      {"/species/2", "missing", [](hid_t f) { set_number(f, "/species", "count", 3); }},
      {"/species", "'spacing'", [](hid_t f) { set_number(f, "/species", "spacing", 0); }},
      {"/species", "'spacing'", [=](hid_t f) { set_number(f, "/species", "spacing", nan); }},
      {"/species/0/local", "ends before the largest |G|",
       [](hid_t f) { set_number(f, "/species", "spacing", 0.009); }},
      {"/species/1", "'charge'", [](hid_t f) { set_number(f, "/species/1", "charge", -1); }},
      {"/species/1", "'width'", [](hid_t f) { set_number(f, "/species/1", "width", 0); }},
      {"/species/1/local", "not finite",
       [=](hid_t f) { set_value(f, "/species/1/local", 3, nan); }},
      {"/species/0/core", "not finite", [=](hid_t f) { set_value(f, "/species/0/core", 3, nan); }},
      {"/species/0/density", "not finite",
       [=](hid_t f) { set_value(f, "/species/0/density", 3, nan); }},
      {"/species/0/projectors", "not finite",
       [=](hid_t f) { set_value(f, "/species/0/projectors", 3, nan); }},
      {"/species/0/projectors", "angular momentum",
       [](hid_t f) { set_value(f, "/species/0/projector_l", 0, 4); }},
      {"/species/0/projectors", "angular momentum",
       [](hid_t f) { set_value(f, "/species/0/projector_l", 0, -1); }},
      {"/species/0/coupling", "not finite",
       [=](hid_t f) { set_value(f, "/species/0/coupling", 0, nan); }},
      {"/species/0/coupling", "different angular momenta",
       [](hid_t f) { set_value(f, "/species/0/coupling", 2, 0.5); }},
      {"/species/0/orbital_occupation", "not finite",
       [=](hid_t f) { set_value(f, "/species/0/orbital_occupation", 0, nan); }},
      {"/electrons", "'cutoff'", [](hid_t f) { set_number(f, "/electrons", "cutoff", 0); }},
      {"/electrons", "'cutoff'", [=](hid_t f) { set_number(f, "/electrons", "cutoff", nan); }},
      {"/species/0/local", "ends before the largest |G|",
       [](hid_t f) { set_number(f, "/electrons", "cutoff", 8); }},
      {"/electrons", "'bands'", [](hid_t f) { set_number(f, "/electrons", "bands", 0); }},
      {"/electrons", "do not neutralise", [](hid_t f) { set_number(f, "/electrons", "bands", 6); }},
      {"/electrons", "do not neutralise",
       [](hid_t f) { set_number(f, "/species/1", "charge", 1.5); }},
      {"/electrons", "'gradient_density_threshold'",
       [](hid_t f) { set_number(f, "/electrons", "gradient_density_threshold", 2); }},
      {"/electrons", "'gradient_sigma_threshold'",
       [](hid_t f) { set_number(f, "/electrons", "gradient_sigma_threshold", -2); }},
      {"/electrons", "'mirrors_negative_density'",
       [](hid_t f) { set_number(f, "/electrons", "mirrors_negative_density", 2); }},
      {"/dispersion", "'energy'", [=](hid_t f) { set_number(f, "/dispersion", "energy", nan); }},
      {"/dispersion/forces", "not finite",
       [=](hid_t f) { set_value(f, "/dispersion/forces", 0, nan); }},
      {"/dispersion/strain", "not finite",
       [=](hid_t f) { set_value(f, "/dispersion/strain", 0, nan); }},
      {"/nonlocal", "'method'", [](hid_t f) { set_text(f, "/nonlocal", "method", "mesh"); }},
      {"/nonlocal", "'spline_order'",
       [](hid_t f) { set_number(f, "/nonlocal", "spline_order", 3); }},
      {"/nonlocal", "'spline_order'",
       [](hid_t f) { set_number(f, "/nonlocal", "spline_order", 11); }},
      {"/local", "'method'", [](hid_t f) { set_text(f, "/local", "method", "Splines"); }},
      {"/local", "'spline_seconds'",
       [](hid_t f) { set_number(f, "/local", "spline_seconds", -1); }},
      {"/nonlocal", "'exact_seconds'",
       [=](hid_t f) { set_number(f, "/nonlocal", "exact_seconds", nan); }},
      {"/ground_state", "'tolerance'",
       [](hid_t f) { set_number(f, "/ground_state", "tolerance", 0); }},
      {"/ground_state", "'energy_tolerance'",
       [](hid_t f) { set_number(f, "/ground_state", "energy_tolerance", -1); }},
      {"/ground_state", "'iterations'",
       [](hid_t f) { set_number(f, "/ground_state", "iterations", -1); }},
      {"/ground_state", "'start'", [](hid_t f) { set_text(f, "/ground_state", "start", "zero"); }},
      {"/start", "no orbitals to start from",
       [](hid_t f) { set_text(f, "/ground_state", "start", "orbitals"); }},
      {"/ground_state", "'minimiser'",
       [](hid_t f) { set_text(f, "/ground_state", "minimiser", "newton"); }},
      {"/division", "'state_grain'", [](hid_t f) { set_number(f, "/division", "state_grain", 0); }},
      {"/division", "'wave_parts'", [](hid_t f) { set_number(f, "/division", "wave_parts", 0); }},
      {"/division", "'density_parts'",
       [](hid_t f) { set_number(f, "/division", "density_parts", 0); }},
      {"/division", "a multiple of wave_parts",
       [](hid_t f) { set_number(f, "/division", "density_parts", 3); }},
      {"/division", "more parts of the density than planes",
       [](hid_t f) { set_number(f, "/division", "density_parts", 20); }},
      {"/division", "'pair_groups'", [](hid_t f) { set_number(f, "/division", "pair_groups", 9); }},
      {"/division", "'tile_grain'", [](hid_t f) { set_number(f, "/division", "tile_grain", 9); }},
      {"/division", "'pair_chunks'", [](hid_t f) { set_number(f, "/division", "pair_chunks", 0); }},
      {"/division", "'plane_pieces'",
       [](hid_t f) { set_number(f, "/division", "plane_pieces", 0); }},
      // The grid has 18 points along y.
      {"/division", "'plane_pieces'",
       [](hid_t f) { set_number(f, "/division", "plane_pieces", 19); }},
      {"/outputs", "'density'", [](hid_t f) { set_number(f, "/outputs", "density", 2); }},
      {"/outputs", "'orbitals'", [](hid_t f) { set_number(f, "/outputs", "orbitals", 2); }},
  };
  for (const Damage& one : cases) {
    const std::string text = refusal_of(one.change);
    EXPECT_NE(text.find(one.expected), std::string::npos) << one.expected << "\n got: " << text;
    EXPECT_NE(text.find(std::string("job.h5:") + one.object), std::string::npos)
        << one.object << "\n got: " << text;
  }
}

/// Replaces a table by zeros of another shape.
std::function<void(hid_t)> reshaped(const char* object, const h5::Shape& shape) {
  return [=](hid_t f) {
    remove_object(f, object);
    hsize_t count = 1;
    for (const hsize_t size : shape) count *= size;
    const std::vector<double> zeros(count);
    h5::write_array(f, object, zeros.data(), shape, "job");
  };
}

TEST(AbInitioJob, TablesOfAnotherShapeAreRefused) {
  const Job job = full_job();
  const hsize_t points = job.species[0].projectors[0].values.size();
  const std::vector<std::pair<const char*, h5::Shape>> cases{
      {"/cell/vectors", {2, 3}},
      {"/cell/vectors", {3, 2}},
      {"/cell/vectors", {9}},
      {"/ions/position", {7, 2}},
      {"/species/0/local", {2, 700}},
      {"/species/0/local", {20}},
      {"/species/0/core", {20}},
      {"/species/0/density", {20}},
      {"/species/0/projectors", {3 * points}},
      {"/species/0/projectors", {3, 20}},
      // As many numbers as three rows have.
      {"/species/0/projectors", {1, 3 * points}},
      {"/species/0/projectors", {6, points}},
      {"/species/0/orbitals", {1, 2 * points}},
      {"/species/0/orbitals", {4, points}},
      {"/species/0/coupling", {3, 2}},
      {"/species/0/coupling", {2, 3}},
      {"/species/0/orbital_occupation", {3}},
  };
  for (const auto& [object, shape] : cases) {
    const std::string text = refusal_of(reshaped(object, shape));
    EXPECT_NE(text.find(std::string("job.h5:") + object), std::string::npos)
        << object << "\n got: " << text;
  }
  for (const char* object : {"/ions/mass", "/ions/species", "/ions/position"}) {
    const h5::Shape six = std::string(object) == "/ions/position" ? h5::Shape{6, 3} : h5::Shape{6};
    const std::string text = refusal_of(reshaped(object, six));
    EXPECT_NE(text.find("has another length than positions"), std::string::npos) << text;
    EXPECT_NE(text.find("job.h5:/ions"), std::string::npos) << text;
  }
}

TEST(AbInitioJob, AGridBeyondItsLimitsIsRefused) {
  for (const int points : {0, -1, 10001}) {
    Job job = full_job();
    job.electrons.grid[1] = points;
    EXPECT_NE(refusal_of(job).find("'grid' is beyond its limits"), std::string::npos);
  }
}

TEST(AbInitioJob, EveryTruncationIsRefused) {
  const TestFolder folder;
  write_ab_initio_job(folder / "job.h5", full_job());
  const std::vector<std::byte> whole = read_whole_file(folder / "job.h5");
  for (std::size_t size = 0; size < whole.size(); size += 1 + whole.size() / 97) {
    replace_file(folder / "cut.h5", std::span(whole).first(size));
    EXPECT_THROW(ab_initio::read_job(JobFile(folder / "cut.h5")), InputError) << size << " bytes";
  }
}

TEST(AbInitioJob, SaysWhatItWillDo) {
  const auto lines = ab_initio::describe(full_job());
  const auto value = [&](const std::string& name) {
    for (const auto& [key, text] : lines)
      if (key == name) return text;
    return std::string("nothing");
  };
  EXPECT_EQ(value("cutoff"), "8 Ry");
  EXPECT_EQ(value("grid"), "18 x 18 x 18");
  EXPECT_EQ(value("orbitals"), "5, two electrons each");
  EXPECT_EQ(value("Si"), "Si, SHA-256 abc");
  EXPECT_NE(value("objects").find("blocks of 2 orbitals"), std::string::npos);
}

}  // namespace
}  // namespace fg::test

// SPDX-License-Identifier: BSD-3-Clause
//
// Trajectories, energy tables and logs: their content, what remains after a resumption, and that
// neither a kill nor a full disk removes what was written before.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <filesystem>

#include "base/error.hpp"
#include "base/units.hpp"
#include "job_file.hpp"
#include "records/files/files.hpp"
#include "records/log/run_log.hpp"
#include "records/trajectory/energies.hpp"
#include "records/trajectory/h5md.hpp"

namespace fg {
namespace {

using test::TestFolder;

const std::vector<std::string> terms{"bond", "mesh"};

Job sample_job(const TestFolder& folder) {
  test::write_job_file(folder / "job.h5");
  return load_job(folder / "job.h5");
}

EnergyRow row(std::int64_t step) {
  const double e = static_cast<double>(step);
  return {.step = step,
          .time = 10.0 * e,
          .potential = -e,
          .kinetic = 0.5 * e,
          .total = -0.5 * e,
          .conserved = -0.75 * e,
          .temperature = 1e-3,
          .volume = 1000 + e,
          .density = 2,
          .pressure = {e, 2 * e, 3 * e, 4 * e, 5 * e, 6 * e},
          .terms = {e, 2 * e}};
}

void write_frame(TrajectoryWriter& writer, const Job& job, std::int64_t step) {
  std::vector<Vec3> positions = job.atoms.position;
  for (Vec3& p : positions) p.x += static_cast<double>(step);
  const std::vector<Int3> images(positions.size(), Int3{1, 0, -1});
  writer.write_frame({.step = step,
                      .time = 10.0 * static_cast<double>(step),
                      .cell = job.box.vectors(),
                      .inside = wrapped(job.box, positions, images),
                      .velocities = job.atoms.velocity});
}

std::vector<std::int64_t> steps_of(const std::string& path, const std::string& series) {
  return h5::Reader(path).array<std::int64_t>(series + "/step");
}

std::string text_of(const std::string& path) {
  const std::vector<std::byte> bytes = read_whole_file(path);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Runs `body` under a limit on the size of files and returns what it threw.
template <class Body>
std::string resource_error_under_limit(std::size_t limit, Body&& body) {
  rlimit old{};
  ::getrlimit(RLIMIT_FSIZE, &old);
  const rlimit small{limit, old.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &small);
  std::string text = "no error";
  try {
    body();
  } catch (const ResourceError& error) {
    text = error.what();
  }
  ::setrlimit(RLIMIT_FSIZE, &old);
  return text;
}

TEST(Trajectory, HoldsFramesInTheFieldsUnits) {
  const TestFolder folder;
  const Job job = sample_job(folder);
  const std::string path = folder / "trajectory.h5";
  {
    TrajectoryWriter writer(path, job, terms, {.velocities = true});
    write_frame(writer, job, 0);
    write_frame(writer, job, 5);
    writer.write_energies(row(5));
    EXPECT_EQ(writer.frames(), 2);
  }
  const h5::Reader file(path);
  std::int32_t version[2];
  file.numbers<std::int32_t>("/h5md", "version", version);
  EXPECT_EQ(version[0], 1);
  EXPECT_EQ(version[1], 1);
  EXPECT_EQ(file.text("/h5md/creator", "name"), "finegrain");
  const std::string all = "/particles/all/";
  const auto position = file.array<double>(all + "position/value", {7, 3});
  ASSERT_EQ(position.size(), 42u);
  // Frames are single precision: half a unit in the 24th bit.
  EXPECT_NEAR(position[21], 10 * units::bohr_in_nm, 6e-8);
  EXPECT_EQ(file.text(all + "position/value", "unit"), "nm");
  const auto velocity = file.array<double>(all + "velocity/value", {7, 3});
  EXPECT_NEAR(velocity[1], 1e-4 * units::speed_in_nm_per_ps, 1e-7);
  EXPECT_EQ(file.text(all + "velocity/value", "unit"), "nm ps-1");
  EXPECT_EQ(file.array<std::int32_t>(all + "image/value", {7, 3})[2], -1);
  EXPECT_EQ(file.array<std::int64_t>(all + "image/step"), (std::vector<std::int64_t>{0, 5}));
  EXPECT_NEAR(file.array<double>(all + "position/time")[1], 50 * units::time_in_ps, 1e-18);
  EXPECT_NEAR(file.array<double>(all + "box/edges/value", {3})[5], 28 * units::bohr_in_nm, 1e-15);
  EXPECT_EQ(file.text(all + "box/edges/value", "unit"), "nm");
  EXPECT_EQ(file.array<std::int64_t>(all + "box/edges/step"), (std::vector<std::int64_t>{0, 5}));
  EXPECT_NEAR(file.array<double>(all + "mass")[0], 29156.9 * units::electron_mass_in_dalton, 1e-12);
  EXPECT_EQ(file.strings(all + "element")[6], "Ar");
  EXPECT_EQ(file.strings("/parameters/species_name").size(), 3u);
  EXPECT_EQ(file.strings("/parameters/provenance/input_text")[0], job.input_text);
  EXPECT_EQ(file.text("/parameters/provenance", "job_digest"), job_digest(job));
  EXPECT_EQ(file.number<std::uint64_t>("/parameters/provenance", "seed"), 42u);
  const auto mesh = file.array<double>("/parameters/energies/mesh_energy/value");
  ASSERT_EQ(mesh.size(), 1u);
  EXPECT_DOUBLE_EQ(mesh[0], 10 * units::hartree_in_kj_per_mol);
  EXPECT_EQ(file.text("/parameters/energies/mesh_energy/value", "unit"), "kJ mol-1");
  EXPECT_EQ(file.text("/parameters/energies/temperature/value", "unit"), "K");
  EXPECT_DOUBLE_EQ(file.array<double>("/parameters/energies/temperature/value")[0],
                   1e-3 * units::hartree_in_kelvin);
}

TEST(Trajectory, EveryAtomIsInsideTheBoxAndItsImageSaysWhereItWas) {
  const TestFolder folder;
  const Job job = sample_job(folder);
  const std::string path = folder / "trajectory.h5";
  std::vector<Vec3> outside(7);
  const Vec3 box = job.box.edge;
  outside[1] = {-1e-12, box.y, box.z * (1 - 1e-12)};  // all three are the edge in single precision
  outside[2] = {-2.5 * box.x, 1.25 * box.y, 0.5 * box.z};
  {
    TrajectoryWriter(path, job, terms)
        .write_frame({.step = 0,
                      .time = 0,
                      .cell = job.box.vectors(),
                      .inside = wrapped(job.box, outside, std::vector<Int3>(7, {1, 0, 0}))});
  }
  const h5::Reader file(path);
  const auto position = file.array<double>("/particles/all/position/value", {7, 3});
  const auto image = file.array<std::int32_t>("/particles/all/image/value", {7, 3});
  const auto edges = file.array<double>("/particles/all/box/edges/value", {3});
  for (std::size_t i = 0; i < position.size(); ++i) {
    const double edge = edges[i % 3];
    EXPECT_GE(position[i], 0) << i;
    EXPECT_LT(position[i], edge) << i;
    const double was = outside[i / 3][static_cast<int>(i % 3)] * units::bohr_in_nm;
    const double unwrapped = position[i] + (image[i] - (i % 3 == 0 ? 1 : 0)) * edge;
    EXPECT_NEAR(unwrapped, was, 1.2e-7 * edge * 3) << i;  // single precision of three boxes
  }
}

TEST(Trajectory, OfATiltedCellHasItsVectorsInRows) {
  const TestFolder folder;
  Job job = sample_job(folder);
  job.box.tilt = {12, -8, 5};
  const std::string path = folder / "trajectory.h5";
  std::vector<Vec3> outside;
  for (int i = 0; i < 7; ++i) outside.push_back({40.0 * i - 70, 90 - 35.0 * i, 21.0 * i - 60});
  {
    TrajectoryWriter(path, job, terms)
        .write_frame({.step = 0,
                      .time = 0,
                      .cell = job.box.vectors(),
                      .inside = wrapped(job.box, outside, std::vector<Int3>(7))});
    TrajectoryWriter again(path, job, terms, {.resume_after = 0});
    EXPECT_EQ(again.frames(), 1);
  }
  const h5::Reader file(path);
  const auto position = file.array<double>("/particles/all/position/value", {7, 3});
  const auto image = file.array<std::int32_t>("/particles/all/image/value", {7, 3});
  const auto rows = file.array<double>("/particles/all/box/edges/value", {3, 3});
  ASSERT_EQ(rows.size(), 9u);
  for (int axis = 0; axis < 3; ++axis)
    for (int k = 0; k < 3; ++k)
      EXPECT_DOUBLE_EQ(rows[3 * axis + k], job.box.vector(axis)[k] * units::bohr_in_nm);
  for (std::size_t i = 0; i < 7; ++i) {
    const Vec3 inside =
        Vec3{position[3 * i], position[3 * i + 1], position[3 * i + 2]} * (1 / units::bohr_in_nm);
    const Vec3 s = job.box.fractional(inside);
    for (int axis = 0; axis < 3; ++axis) {
      EXPECT_GT(s[axis], -1e-6);
      EXPECT_LT(s[axis], 1 + 1e-6);
    }
    const Vec3 was =
        inside + job.box.position(Int3{image[3 * i], image[3 * i + 1], image[3 * i + 2]});
    EXPECT_LT(norm(was - outside[i]), 1e-5);  // single precision of 170 bohr
  }
}

TEST(Trajectory, WithoutABoxThereAreNoEdges) {
  const TestFolder folder;
  Job job = sample_job(folder);
  job.box.periodic = false;
  const std::string path = folder / "trajectory.h5";
  {
    TrajectoryWriter writer(path, job, terms);
    write_frame(writer, job, 0);
  }
  {
    TrajectoryWriter writer(path, job, terms, {.resume_after = 0});
    EXPECT_EQ(writer.frames(), 1);
  }
  EXPECT_FALSE(h5::Reader(path).has("/particles/all/box/edges"));
}

TEST(Trajectory, ResumptionRemovesWhatCameAfterTheCheckpoint) {
  const TestFolder folder;
  const Job job = sample_job(folder);
  const std::string path = folder / "trajectory.h5";
  {
    TrajectoryWriter writer(path, job, terms);
    for (std::int64_t step = 0; step <= 40; step += 10) {
      write_frame(writer, job, step);
      writer.write_energies(row(step));
    }
  }
  {
    TrajectoryWriter writer(path, job, terms, {.resume_after = 20});
    EXPECT_EQ(writer.frames(), 3);
    write_frame(writer, job, 30);
    writer.write_energies(row(25));
  }
  EXPECT_EQ(steps_of(path, "/particles/all/position"), (std::vector<std::int64_t>{0, 10, 20, 30}));
  EXPECT_EQ(steps_of(path, "/parameters/energies/potential_energy"),
            (std::vector<std::int64_t>{0, 10, 20, 25}));
  const auto x = h5::Reader(path).array<double>("/particles/all/position/value", {7, 3});
  EXPECT_EQ(x.size(), 4u * 21u);
  EXPECT_EQ(h5::Reader(path).array<double>("/particles/all/box/edges/value", {3}).size(), 4u * 3u);
}

TEST(Trajectory, ADamagedOneIsNeitherContinuedNorReplaced) {
  const TestFolder folder;
  const Job job = sample_job(folder);
  const std::string path = folder / "trajectory.h5";
  const std::byte junk[100] = {};
  replace_file(path, junk);
  EXPECT_THROW(TrajectoryWriter(path, job, terms, {.resume_after = 20}), InputError);
  EXPECT_EQ(read_whole_file(path), std::vector<std::byte>(100));
}

TEST(Trajectory, AfterAKillEveryFrameAndRowIsThere) {
  const TestFolder folder;
  const Job job = sample_job(folder);
  const std::string path = folder / "trajectory.h5";
  const pid_t child = ::fork();
  if (child == 0) {
    TrajectoryWriter writer(path, job, terms);
    for (std::int64_t step = 0; step < 300; ++step) {
      write_frame(writer, job, step);
      writer.write_energies(row(step));
    }
    ::kill(::getpid(), SIGKILL);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_LE(steps_of(path, "/particles/all/position").size(), 300u);  // readable as it is
  { EXPECT_EQ(TrajectoryWriter(path, job, terms, {.resume_after = 1000}).frames(), 300); }
  EXPECT_EQ(steps_of(path, "/particles/all/position").size(), 300u);
  EXPECT_EQ(h5::Reader(path).array<double>("/parameters/energies/total_energy/value").size(), 300u);
  TrajectoryWriter writer(path, job, terms, {.resume_after = 100});
  EXPECT_EQ(writer.frames(), 101);
}

TEST(Trajectory, AFullDiskIsNamedAndEarlierFramesStay) {
  const TestFolder folder;
  const Job job = sample_job(folder);
  const std::string path = folder / "trajectory.h5";
  std::int64_t written = 0;
  std::string second = "no error";
  const std::string text = resource_error_under_limit(1'000'000, [&] {
    TrajectoryWriter writer(path, job, terms);
    try {
      for (; written < 100000; ++written) {
        write_frame(writer, job, written);
        writer.write_energies(row(written));
      }
    } catch (const ResourceError&) {
      try {
        write_frame(writer, job, written);
      } catch (const ResourceError& error) {
        second = error.what();
      }
      throw;
    }
  });
  EXPECT_NE(text.find(path), std::string::npos) << text;
  EXPECT_NE(text.find("cannot write"), std::string::npos) << text;
  EXPECT_NE(second.find("resume"), std::string::npos) << second;
  EXPECT_GT(written, 10);
  EXPECT_GE(static_cast<std::int64_t>(steps_of(path, "/particles/all/position").size()), written);
}

TEST(Trajectory, AFullDiskAtTheFirstWriteIsNamed) {
  const TestFolder folder;
  const Job job = sample_job(folder);
  const std::string text = resource_error_under_limit(
      512, [&] { TrajectoryWriter writer(folder / "trajectory.h5", job, terms); });
  EXPECT_NE(text.find("trajectory.h5"), std::string::npos) << text;
}

TEST(Trajectory, AFolderThatIsNotThereIsAResourceError) {
  const TestFolder folder;
  const Job job = sample_job(folder);
  EXPECT_THROW(TrajectoryWriter(folder / "no/trajectory.h5", job, terms), ResourceError);
}

TEST(EnergyTable, RowsInTheFieldsUnits) {
  const TestFolder folder;
  const std::string path = folder / "energies.csv";
  {
    EnergyTable table(path, true, terms);
    table.write(row(1));
  }
  const std::string text = text_of(path);
  EXPECT_EQ(text.substr(0, text.find('\n')),
            "step,time (ps),potential energy (kJ/mol),kinetic energy (kJ/mol),"
            "total energy (kJ/mol),temperature (K),conserved energy (kJ/mol),pressure (bar),"
            "volume (nm3),density (kg/m3),pressure xx (bar),pressure yy (bar),pressure zz (bar),"
            "pressure xy (bar),pressure xz (bar),pressure yz (bar),bond (kJ/mol),mesh (kJ/mol)");
  EXPECT_NE(text.find("\n1,0.000242,-2625.4996"), std::string::npos) << text;
}

TEST(EnergyTable, ResumptionKeepsRowsUpToTheCheckpoint) {
  const TestFolder folder;
  const std::string path = folder / "energies.csv";
  {
    EnergyTable table(path, true, terms);
    for (std::int64_t step = 0; step <= 50; step += 10) table.write(row(step));
  }
  const std::string before = text_of(path);
  {
    EnergyTable table(path, true, terms, 30);
    table.write(row(40));
    table.write(row(50));
  }
  EXPECT_EQ(text_of(path), before);
  // A last row without its end, as after a kill, is removed.
  replace_file(path, std::as_bytes(std::span(before)).first(before.size() - 4));
  { EnergyTable table(path, true, terms, 1000); }
  EXPECT_EQ(text_of(path).size(), before.find("\n50,") + 1);
}

TEST(EnergyTable, AnotherTableIsNotContinued) {
  const TestFolder folder;
  const std::string path = folder / "energies.csv";
  { EnergyTable table(path, true, {"bond"}); }
  EXPECT_THROW(EnergyTable(path, true, terms, 10), InputError);
}

TEST(EnergyTable, AFileBeyondItsLimitIsNamed) {
  const TestFolder folder;
  const std::string path = folder / "energies.csv";
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit none{0, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &none), 0);
  std::string where, hint;
  try {
    EnergyTable table(path, true, {});
  } catch (const ResourceError& error) {
    where = error.parts().where;
    hint = error.parts().hint;
  }
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_EQ(where, path) << "the heading cannot have been written";
  EXPECT_NE(hint.find("the limit on the size of files"), std::string::npos) << hint;
}

TEST(EnergyTable, IsNoDevice) {
  try {
    EnergyTable table("/dev/full", true, {});
    FAIL() << "a device was opened";
  } catch (const ResourceError& error) {
    EXPECT_EQ(error.parts().where, "/dev/full");
    EXPECT_NE(error.parts().hint.find("plain files only"), std::string::npos) << error.what();
  }
}

TEST(WriteFailure, NamesAFullDisk) {
  try {
    throw_write_failure("out/energies.csv", ENOSPC);
    FAIL() << "no error";
  } catch (const ResourceError& error) {
    EXPECT_EQ(error.parts().where, "out/energies.csv");
    EXPECT_NE(error.parts().hint.find("free some space"), std::string::npos) << error.what();
  }
}

TEST(RunLog, TablesWarningsAndAppending) {
  const TestFolder folder;
  const Job job = sample_job(folder);
  {
    RunLog log(folder / "run.log");
    log.heading("settings");
    for (const auto& [name, value] : describe_job(job)) log.entry(name, value);
    for (const auto& [name, value] : describe_machine()) log.entry(name, value);
    log.warning("water was read from the cupboard");
    log.table({{"phase", "seconds"}, {"pair", "10.5"}, {"mesh", "3"}});
    EXPECT_EQ(log.warnings().size(), 1u);
  }
  { RunLog log(folder / "run.log", true); }
  const std::string text = text_of(folder / "run.log");
  for (const char* expected :
       {"cutoff ......", "0.4762595 nm", "B-splines of order 5", "dispersion correction",
        "Langevin middle", "warning: water", "  pair      10.5\n  mesh         3\n", "resumed"})
    EXPECT_NE(text.find(expected), std::string::npos) << expected << "\n" << text;
}

}  // namespace
}  // namespace fg

// SPDX-License-Identifier: BSD-3-Clause
//
// A checkpoint is read back bit for bit; damage at any place is detected.
#include "records/checkpoints/checkpoint.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <filesystem>
#include <random>

#include "base/error.hpp"
#include "job_file.hpp"
#include "records/checkpoints/state_digest.hpp"
#include "records/files/files.hpp"

namespace fg {
namespace {

using test::TestFolder;

Checkpoint sample(std::int64_t step, std::size_t atoms = 50) {
  std::mt19937_64 random(static_cast<std::uint64_t>(step));
  std::normal_distribution<double> normal;
  Checkpoint c;
  c.step = step;
  c.stage = VelocityStage::half;
  for (std::size_t i = 0; i < atoms; ++i) {
    c.positions.push_back({normal(random), normal(random), normal(random)});
    c.velocities.push_back({normal(random), normal(random), normal(random)});
    c.images.push_back({static_cast<int>(i), -1, 0});
  }
  c.bath = {.box = {.edge = {20.1, 30.2, 40.3}, .tilt = {10, -5, 0.1}},
            .division = {.patches = {2, 3, 4}, .box = {.edge = {20, 30, 40}, .tilt = {10, -5, 0}}},
            .heat = -17,
            .work = 0.25,
            .strain = {1e-3, 2e-3, -1e-3},
            .virial_before = {0.1, 0.2, 0.3},
            .volume_rate = 4e-3};
  c.seed = 0xfedcba9876543210u;
  c.job_digest = std::string(64, 'a');
  c.drift.add(0, -10);
  c.drift.add(1, -10.5);
  return c;
}

std::string message_of_load(const std::string& path) {
  try {
    load_checkpoint(path);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Checkpoint, IsReadBackBitForBit) {
  const TestFolder folder;
  const Checkpoint c = sample(1234);
  save_checkpoint(folder / "checkpoint.h5", c);
  const Checkpoint r = load_checkpoint(folder / "checkpoint.h5");
  EXPECT_EQ(r.step, c.step);
  EXPECT_EQ(r.stage, c.stage);
  EXPECT_EQ(r.positions, c.positions);
  EXPECT_EQ(r.velocities, c.velocities);
  EXPECT_EQ(r.images, c.images);
  EXPECT_EQ(r.bath, c.bath);
  EXPECT_EQ(r.seed, c.seed);
  EXPECT_EQ(r.job_digest, c.job_digest);
  EXPECT_EQ(r.drift.rows, 2);
  EXPECT_EQ(r.drift.slope(), c.drift.slope());
  EXPECT_EQ(state_digest(r.positions, r.velocities, r.bath.box),
            state_digest(c.positions, c.velocities, c.bath.box));
}

TEST(Checkpoint, AnyHdf5ReaderOpensItDespiteTheSeal) {
  const TestFolder folder;
  save_checkpoint(folder / "checkpoint.h5", sample(3));
  const h5::Reader file(folder / "checkpoint.h5");
  EXPECT_EQ(file.number<std::int64_t>("/", "step"), 3);
}

TEST(Checkpoint, ThePreviousOneIsKept) {
  const TestFolder folder;
  const std::string path = folder / "checkpoint.h5";
  for (const std::int64_t step : {1, 2, 3}) save_checkpoint(path, sample(step));
  EXPECT_EQ(load_checkpoint(path).step, 3);
  EXPECT_EQ(previous_checkpoint(path), folder / "checkpoint_previous.h5");
  EXPECT_EQ(load_checkpoint(previous_checkpoint(path)).step, 2);
  EXPECT_FALSE(std::filesystem::exists(path + ".part"));
}

TEST(Checkpoint, AFlippedBitAnywhereIsFoundAndTheIntactOneNamed) {
  const TestFolder folder;
  const std::string path = folder / "checkpoint.h5";
  save_checkpoint(path, sample(1));
  save_checkpoint(path, sample(2));
  const std::vector<std::byte> whole = read_whole_file(path);
  std::mt19937_64 random(11);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<std::byte> damaged = whole;
    damaged[random() % damaged.size()] ^= static_cast<std::byte>(1u << (random() % 8));
    replace_file(path, damaged);
    const std::string text = message_of_load(path);
    EXPECT_NE(text.find("damaged"), std::string::npos) << text;
    EXPECT_NE(text.find("checkpoint_previous.h5"), std::string::npos) << text;
  }
}

TEST(Checkpoint, EveryTruncationIsDetected) {
  const TestFolder folder;
  const std::string path = folder / "checkpoint.h5";
  save_checkpoint(path, sample(1));
  const std::vector<std::byte> whole = read_whole_file(path);
  for (std::size_t size = 0; size < whole.size(); size += 1 + whole.size() / 53) {
    replace_file(path, std::span(whole).first(size));
    EXPECT_NE(message_of_load(path).find("no whole checkpoint"), std::string::npos);
  }
}

TEST(Checkpoint, ADamagedPreviousOneIsNotRecommended) {
  const TestFolder folder;
  const std::string path = folder / "checkpoint.h5";
  const std::byte junk[3] = {};
  replace_file(path, junk);
  replace_file(previous_checkpoint(path), junk);
  EXPECT_NE(message_of_load(path).find("start"), std::string::npos);
  EXPECT_EQ(message_of_load(path).find("mv "), std::string::npos);
}

TEST(Checkpoint, AFullDiskLeavesTheOldOne) {
  const TestFolder folder;
  const std::string path = folder / "checkpoint.h5";
  save_checkpoint(path, sample(1));
  // A limit on the file size simulates a full disk: the write fails half way.
  rlimit old{};
  ::getrlimit(RLIMIT_FSIZE, &old);
  const rlimit small{4096, old.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &small);
  std::string text, where;
  try {
    save_checkpoint(path, sample(2, 5000));
  } catch (const ResourceError& error) {
    text = error.what();
    where = error.parts().where;
    EXPECT_EQ(error.exit_status(), 2);
  }
  ::setrlimit(RLIMIT_FSIZE, &old);
  EXPECT_NE(where.find(path), std::string::npos) << text;
  EXPECT_EQ(load_checkpoint(path).step, 1);
  EXPECT_FALSE(std::filesystem::exists(path + ".part"));
}

TEST(Checkpoint, AMissingFolderIsNamed) {
  const TestFolder folder;
  try {
    save_checkpoint(folder / "no/checkpoint.h5", sample(1));
    FAIL();
  } catch (const ResourceError& error) {
    EXPECT_NE(error.parts().hint.find("make the folder"), std::string::npos) << error.what();
  }
}

TEST(Checkpoint, OfAnotherJobIsRefused) {
  const Checkpoint c = sample(1);
  EXPECT_NO_THROW(check_belongs(c, "checkpoint.h5", c.job_digest, 50));
  EXPECT_THROW(check_belongs(c, "checkpoint.h5", std::string(64, 'b'), 50), InputError);
  EXPECT_THROW(check_belongs(c, "checkpoint.h5", c.job_digest, 51), InputError);
}

TEST(DriftSums, SlopeOfALine) {
  DriftSums sums;
  EXPECT_TRUE(std::isnan(sums.slope()));
  sums.add(99.0, -1e5 - 0.25);
  EXPECT_TRUE(std::isnan(sums.slope()));
  for (int i = 0; i < 10; ++i) sums.add(100.0 + i, -1e5 + 0.25 * i);
  EXPECT_NEAR(sums.slope(), 0.25, 1e-12);  // rounding of ten products of order one hundred
}

TEST(StateDigest, OfATiltedCellHasItsTilts) {
  // As above, with 1.5, -2.5 and 3.5 after the edges.
  const Box box{.edge = {10, 10, 10}, .tilt = {1.5, -2.5, 3.5}};
  EXPECT_EQ(state_digest(std::vector<Vec3>{{1, 2, 3}}, std::vector<Vec3>{{0, 0, -0.5}}, box),
            "3607be61521603dc0559ec2e7c7e066a18dc27d16520f694c84ec9aefeaca7a0");
}

TEST(StateDigest, IsOfLittleEndianDoublesInOrder) {
  // printf of 1.0, 2.0, 3.0 (position), 0, 0, -0.5 (velocity), 10, 10, 10 (box) as little-endian
  // doubles through sha256sum; tests/unit/records/state_digest.py prints it.
  EXPECT_EQ(state_digest(std::vector<Vec3>{{1, 2, 3}}, std::vector<Vec3>{{0, 0, -0.5}},
                         Box{.edge = {10, 10, 10}}),
            "f10e6294a76ac3c9b21941d6042aa6a77075bca981f456ca8d134b2b8badcd3a");
}

}  // namespace
}  // namespace fg

// SPDX-License-Identifier: BSD-3-Clause
#include "records/job/job_repeat.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "records/job/box_numbers.hpp"

namespace fg {

namespace {

constexpr std::int64_t most_copies = 1 << 20;  // along a vector

/// The vectors of one copy, for all copies; if `moved`, each is moved to its place.
std::vector<Vec3> in_all_copies(const Job& job, const std::vector<Vec3>& of_one, bool moved) {
  const Copies copies = job.copies();
  std::vector<Vec3> all;
  all.reserve(of_one.size() * static_cast<std::size_t>(copies.count()));
  for (int copy = 0; copy < copies.count(); ++copy) {
    const Vec3 offset = moved ? job.one_cell().position(copies.place(copy)) : Vec3{};
    for (const Vec3& one : of_one) all.push_back(one + offset);
  }
  return all;
}

}  // namespace

std::vector<Vec3> read_vectors(const h5::Reader& file, const std::string& object) {
  const std::vector<double> flat = file.array<double>(object, {3});
  std::vector<Vec3> vectors(flat.size() / 3);
  for (std::size_t i = 0; i < vectors.size(); ++i)
    vectors[i] = {flat[3 * i], flat[3 * i + 1], flat[3 * i + 2]};
  return vectors;
}

void read_repeat(const h5::Reader& file, Job& job) {
  if (!file.has_attribute("/", "repeat")) return;
  std::array<std::int64_t, 3> repeat{};
  file.numbers<std::int64_t>("/", "repeat", repeat);
  for (const std::int64_t count : repeat)
    if (count < 1 || count > most_copies)
      file.fail("a cell is repeated " + std::to_string(count) + " times, not 1 to " +
                    std::to_string(most_copies) + " times",
                "/ repeat");
  job.repeat = {static_cast<int>(repeat[0]), static_cast<int>(repeat[1]),
                static_cast<int>(repeat[2])};
  if (job.repeat == Int3{1, 1, 1}) return;
  if (!job.box.periodic) file.fail("a system without a periodic box is repeated", "/ repeat");
  // The number of copies has to be a number; check_job has the limit of all atoms.
  if (static_cast<double>(repeat[0]) * static_cast<double>(repeat[1]) *
          static_cast<double>(repeat[2]) >
      most_copies * 64.0)
    file.fail("a cell is repeated too often: more than 67 million copies", "/ repeat");
  job.cell = job.box;
  job.box = job.first_box();
  if (!file.has("/start")) return;
  JobStart& start = job.start.emplace();
  start.position = read_vectors(file, "/start/position");
  if (file.has("/start/velocity")) start.velocity = read_vectors(file, "/start/velocity");
  if (!take_box(file.array<double>("/start/box"), job.box))
    file.fail(box_numbers_rule, "/start/box");
}

void add_repeat(Sha256& sum, const Job& job) {
  if (!job.copies().several()) return;
  sum.add(std::string_view("repeat"));
  for (int axis = 0; axis < 3; ++axis) sum.add(static_cast<std::uint64_t>(job.repeat[axis]));
  add_box(sum, job.cell);
  for (const PositionRestraint& one : job.restraints)
    sum.add(static_cast<std::uint64_t>(one.follows ? 1 : 0));
  if (!job.start) return;
  sum.add(std::string_view("start"));
  for (const auto* vectors : {&job.start->position, &job.start->velocity}) {
    sum.add(static_cast<std::uint64_t>(vectors->size()));
    for (const Vec3& v : *vectors)
      for (int axis = 0; axis < 3; ++axis) sum.add(v[axis]);
  }
}

std::int64_t Job::residue_numbers_before(int copy) const noexcept {
  if (copy == 0 || residues.number.empty()) return 0;
  const auto [least, most] = std::minmax_element(residues.number.begin(), residues.number.end());
  return copy * (std::int64_t{*most} - *least + 1);
}

std::vector<Vec3> start_positions(const Job& job) {
  if (!job.copies().several()) return job.atoms.position;
  return job.start ? job.start->position : in_all_copies(job, job.atoms.position, true);
}

std::vector<Vec3> start_velocities(const Job& job) {
  if (!job.copies().several()) return job.atoms.velocity;
  if (job.start && !job.start->velocity.empty()) return job.start->velocity;
  return in_all_copies(job, job.atoms.velocity, false);
}

}  // namespace fg

// SPDX-License-Identifier: BSD-3-Clause
#include "fft/mpi/agreement.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "transport/mpi/mpi_call.hpp"

namespace fg::fft {

namespace {

constexpr std::array<const char*, 10> common_names{"grid (x)", "grid (y)", "grid (z)",  "kind",
                                                   "digits",   "batch",    "parts (a)", "parts (b)",
                                                   "travel",   "wire"};
constexpr std::size_t common = common_names.size();
constexpr std::size_t numbers = common + 12;
using Entry = std::array<int, numbers>;

Entry entry_of(const MpiTransformSettings& s, int digits) {
  const std::array<int, 2> parts = s.parts.value_or(std::array{0, 0});
  Entry entry{
      s.grid[0], s.grid[1], s.grid[2], static_cast<int>(s.kind),   digits,
      s.batch,   parts[0],  parts[1],  static_cast<int>(s.travel), static_cast<int>(s.wire)};
  auto at = entry.begin() + common;
  for (const Storage* storage : {&s.points, &s.waves}) {
    at = std::copy_n(storage->layout.box.low.begin(), 3, at);
    at = std::copy_n(storage->layout.box.high.begin(), 3, at);
  }
  return entry;
}

GridBox box_in(const Entry& entry, std::size_t which) {
  GridBox box;
  const auto at = entry.begin() + static_cast<std::ptrdiff_t>(common + 6 * which);
  std::copy_n(at, 3, box.low.begin());
  std::copy_n(at + 3, 3, box.high.begin());
  return box.empty() ? GridBox{} : box;
}

}  // namespace

TransformBoxes gather_boxes(MPI_Comm comm, const MpiTransformSettings& settings, int digits) {
  int ranks = 0;
  FG_MPI(MPI_Comm_size, comm, &ranks);
  const Entry mine = entry_of(settings, digits);
  std::vector<Entry> all(static_cast<std::size_t>(ranks));
  FG_MPI(MPI_Allgather, mine.data(), static_cast<int>(numbers), MPI_INT, all.data(),
         static_cast<int>(numbers), MPI_INT, comm);
  for (std::size_t r = 1; r < all.size(); ++r)
    for (std::size_t k = 0; k < common; ++k)
      if (all[r][k] != all[0][k])
        throw InputError(
            {.what = std::string("ranks do not agree on the transform's ") + common_names[k],
             .where = "rank " + std::to_string(r),
             .value = std::to_string(all[r][k]),
             .limit = std::to_string(all[0][k]) + ", as on rank 0",
             .hint = "all but the boxes and layouts is the same on all ranks"});
  TransformBoxes boxes{settings.grid, settings.kind, {}, {}, settings.parts};
  for (const Entry& entry : all) {
    boxes.in.push_back(box_in(entry, 0));
    boxes.out.push_back(box_in(entry, 1));
  }
  return boxes;
}

void together(MPI_Comm comm, const std::function<void()>& work) {
  std::array<std::string, 5> text;
  int rank = 0, ranks = 0;
  FG_MPI(MPI_Comm_rank, comm, &rank);
  FG_MPI(MPI_Comm_size, comm, &ranks);
  int refused = ranks;
  try {
    work();
  } catch (const InputError& error) {
    const ErrorParts& parts = error.parts();
    text = {parts.what, parts.where, parts.value, parts.limit, parts.hint};
    if (text[1].empty()) text[1] = "rank " + std::to_string(rank);
    refused = rank;
  }
  int first = ranks;
  FG_MPI(MPI_Allreduce, &refused, &first, 1, MPI_INT, MPI_MIN, comm);
  if (first == ranks) return;
  for (std::string& part : text) {
    int size = static_cast<int>(part.size());
    FG_MPI(MPI_Bcast, &size, 1, MPI_INT, first, comm);
    part.resize(static_cast<std::size_t>(size));
    FG_MPI(MPI_Bcast, part.data(), size, MPI_CHAR, first, comm);
  }
  throw InputError({text[0], text[1], text[2], text[3], text[4]});
}

}  // namespace fg::fft

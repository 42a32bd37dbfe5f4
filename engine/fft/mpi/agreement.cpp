// SPDX-License-Identifier: BSD-3-Clause
#include "fft/mpi/agreement.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "base/error.hpp"
#include "transport/mpi/mpi_call.hpp"

namespace fg::fft {

namespace {

/// Whole numbers without a fraction.
std::string text_of(double value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return {text.data(), end};
}

/// Not a number is like itself, so that what is wrong on all ranks is refused for what it is.
bool same(double a, double b) noexcept {
  return a == b || (std::isnan(a) && std::isnan(b));
}

template <class T>
std::vector<T> gather(MPI_Comm comm, std::span<const T> mine, MPI_Datatype type) {
  int ranks = 0;
  FG_MPI(MPI_Comm_size, comm, &ranks);
  std::vector<T> all(static_cast<std::size_t>(ranks) * mine.size());
  const int count = static_cast<int>(mine.size());
  FG_MPI(MPI_Allgather, mine.data(), count, type, all.data(), count, type, comm);
  return all;
}

}  // namespace

void require_same(MPI_Comm comm, std::span<const NamedNumber> settings) {
  std::vector<double> mine;
  for (const NamedNumber& setting : settings) mine.push_back(setting.value);
  const std::vector<double> all = gather<double>(comm, mine, MPI_DOUBLE);
  for (std::size_t at = 0; at < all.size(); ++at) {
    const std::size_t k = at % settings.size();
    if (!same(all[at], all[k]))
      throw InputError({.what = "ranks do not agree on the transform's " + settings[k].name,
                        .where = "rank " + std::to_string(at / settings.size()),
                        .value = text_of(all[at]),
                        .limit = text_of(all[k]) + ", as on rank 0",
                        .hint = "all but the boxes and layouts is the same on all ranks"});
  }
}

std::vector<GridBox> gather_boxes(MPI_Comm comm, const GridBox& mine) {
  std::array<int, 6> corners{};
  std::copy_n(mine.low.begin(), 3, corners.begin());
  std::copy_n(mine.high.begin(), 3, corners.begin() + 3);
  const std::vector<int> all = gather<int>(comm, corners, MPI_INT);
  std::vector<GridBox> boxes(all.size() / corners.size());
  for (std::size_t r = 0; r < boxes.size(); ++r) {
    const auto at = all.begin() + static_cast<std::ptrdiff_t>(corners.size() * r);
    GridBox box;
    std::copy_n(at, 3, box.low.begin());
    std::copy_n(at + 3, 3, box.high.begin());
    if (!box.empty()) boxes[r] = box;
  }
  return boxes;
}

TransformBoxes agreed_boxes(MPI_Comm comm, const MpiTransformSettings& s, int digits) {
  const std::array<int, 2> parts = s.parts.value_or(std::array{0, 0});
  const std::array<NamedNumber, 10> common{{{"grid (x)", static_cast<double>(s.grid[0])},
                                            {"grid (y)", static_cast<double>(s.grid[1])},
                                            {"grid (z)", static_cast<double>(s.grid[2])},
                                            {"kind", static_cast<double>(s.kind)},
                                            {"digits", static_cast<double>(digits)},
                                            {"batch", static_cast<double>(s.batch)},
                                            {"parts (a)", static_cast<double>(parts[0])},
                                            {"parts (b)", static_cast<double>(parts[1])},
                                            {"travel", static_cast<double>(s.travel)},
                                            {"wire", static_cast<double>(s.wire)}}};
  require_same(comm, common);
  return {s.grid, s.kind, gather_boxes(comm, s.points.layout.box),
          gather_boxes(comm, s.waves.layout.box), s.parts};
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

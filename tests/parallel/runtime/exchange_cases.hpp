// SPDX-License-Identifier: BSD-3-Clause
//
// A transpose and back through two exchanges, for many rounds, in one process or several.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "runtime/archive.hpp"
#include "runtime/runtime.hpp"
#include "support/mixed.hpp"

namespace fg::test {

/// The settings of both exchanges of a transpose.
struct TransposeHow {
  int window = 2;   // of rounds, all in flight at the same time
  int strands = 1;  // independent transposes; strand s has s rounds more
  std::size_t parcel_bytes = ExchangeSettings{}.parcel_bytes;
};

class Column;

/// Holds one row of a square matrix; pieces have different lengths.
class Row : public Chare<Row, 2> {
 public:
  Row(std::int64_t rounds, int window) : rounds_(rounds + strand()), window_(window) {}
  static int length(int row, int column) { return 1 + (row * 7 + column * 3) % 5; }

  void begin() {
    for (int i = 0; i < window_; ++i) send(begun_ + i);
  }
  void back(std::int64_t round);
  void archive(Archive& with) override { with(begun_, done, rounds_, digest, wrong); }
  void prolong(std::int64_t rounds) {
    begun_ = rounds_;
    rounds_ += rounds;
    begin();
  }
  int row() const noexcept { return index()[0]; }
  int strand() const noexcept { return index()[1]; }

  Exchange<Row, Column> there;
  Exchange<Column, Row> home;
  std::uint64_t digest = 0;
  std::int64_t wrong = 0, done = 0;

 private:
  void send(std::int64_t round);
  std::int64_t number(std::int64_t round, int i) const noexcept {
    return round * 1000000 + ordinal() * 1000 + i;
  }
  std::int64_t rounds_;
  std::int64_t begun_ = 0;  // where it began last time
  int window_;
};

class Column : public Chare<Column, 2> {
 public:
  void forth(std::int64_t round) {
    for (int k = 0; k < there.sources(*this); ++k) {
      const auto* const numbers = there.from<std::int64_t>(*this, k, round);
      const int row = there.source(*this, k) / array().shape()[1];
      auto* const answer = home.place<std::int64_t>(*this, k, round);
      for (int i = 0; i < Row::length(row, index()[0]); ++i) answer[i] = 3 * numbers[i] + ordinal();
    }
    there.release(*this, round);
    home.sent(*this, round);
  }
  void archive(Archive&) override {}

  Exchange<Row, Column> there;
  Exchange<Column, Row> home;
};

inline void Row::send(std::int64_t round) {
  if (round >= rounds_) return;
  for (int k = 0; k < there.links(*this); ++k) {
    const int column = there.target(*this, k) / array().shape()[1];
    auto* const numbers = there.place<std::int64_t>(*this, k, round);
    for (int i = 0; i < length(row(), column); ++i) numbers[i] = number(round, i);
    there.sent(*this, k, round);
  }
}

/// Rounds may end in another order than they begin in, so each is followed by the one that takes
/// its place in the window.
inline void Row::back(std::int64_t round) {
  wrong += round < 0 || round >= rounds_;
  std::int64_t of_round = round;
  for (int k = 0; k < home.sources(*this); ++k) {
    const int column = home.source(*this, k);
    const auto* const numbers = home.from<std::int64_t>(*this, k, round);
    for (int i = 0; i < length(row(), column / array().shape()[1]); ++i) {
      wrong += numbers[i] != 3 * number(round, i) + column;
      of_round = mixed(of_round, numbers[i]);
    }
  }
  digest += static_cast<std::uint64_t>(of_round);
  ++done;
  home.release(*this, round);
  send(round + window_);
}

struct Transposer {
  Transposer(const RuntimeOptions& how, int size, std::int64_t rounds,
             const TransposeHow& exchanges = {})
      : runtime(how), size(size), strands(exchanges.strands) {
    const std::array<int, 2> shape{size, strands};
    rows = runtime.create_array<Row>(shape, block_map(shape, runtime.pes()), [=](const auto&) {
      return std::make_unique<Row>(rounds, exchanges.window);
    });
    columns = runtime.create_array<Column>(shape, hashed_map(shape, runtime.pes(), 5));
    const auto bytes = [](int row, int column) {
      return sizeof(std::int64_t) * static_cast<std::size_t>(Row::length(row, column));
    };
    const ExchangeSettings settings{
        .window = exchanges.window, .strands = strands, .parcel_bytes = exchanges.parcel_bytes};
    there = Exchange<Row, Column>::make<&Column::forth>(
        rows, columns,
        [&](const auto& row) {
          std::vector<ExchangeCore::Link> links;
          for (int column = 0; column < size; ++column)
            links.push_back({column * strands + row[1], bytes(row[0], column)});
          return links;
        },
        settings);
    home = Exchange<Column, Row>::make<&Row::back>(
        columns, rows,
        [&](const auto& column) {
          std::vector<ExchangeCore::Link> links;
          for (int row = 0; row < size; ++row)
            links.push_back({row * strands + column[1], bytes(row, column[0])});
          return links;
        },
        settings);
    tell();
  }

  /// Also called after elements have moved, because a new element does not know its exchanges.
  void tell() {
    for (int i = 0; i < rows.size(); ++i) {
      if (rows.here_at(i)) {
        rows.object_at(i).there = there;
        rows.object_at(i).home = home;
      }
      if (columns.here_at(i)) {
        columns.object_at(i).there = there;
        columns.object_at(i).home = home;
      }
    }
  }

  void run() {
    if (runtime.process() == 0) rows.broadcast<&Row::begin>();
    runtime.run_until_quiescent();
  }
  void prolong(std::int64_t rounds) {
    if (runtime.process() == 0) rows.broadcast<&Row::prolong>(rounds);
    runtime.run_until_quiescent();
  }

  void scatter(std::uint64_t seed) {
    const auto pes = [&](std::uint64_t salt) {
      std::vector<int> result;
      for (int i = 0; i < rows.size(); ++i)
        result.push_back(
            maps::hashed(std::array<int, 1>{i}, {rows.size()}, runtime.pes(), seed + salt));
      return result;
    };
    const std::vector<Runtime::Placement> placements{{rows.core(), pes(0)},
                                                     {columns.core(), pes(77)}};
    runtime.relocate(placements);
    tell();
  }

  /// Rounds done and digest of each row; zero for rows of other processes.
  std::vector<std::int64_t> digests() const {
    std::vector<std::int64_t> all(static_cast<std::size_t>(2 * rows.size()));
    for (int i = 0; i < rows.size(); ++i) {
      if (!rows.here_at(i)) continue;
      const Row& row = rows.object_at(i);
      EXPECT_EQ(row.wrong, 0);
      all[static_cast<std::size_t>(2 * i)] = row.done;
      all[static_cast<std::size_t>(2 * i + 1)] = static_cast<std::int64_t>(row.digest);
    }
    return all;
  }

  Runtime runtime;
  int size, strands;
  Array<Row> rows;
  Array<Column> columns;
  Exchange<Row, Column> there;
  Exchange<Column, Row> home;
};

/// Windows that are powers of two or not, parcels of one source and of all.
inline const TransposeHow transposes[] = {
    {},
    {.window = 1},
    {.window = 3, .strands = 2, .parcel_bytes = 1},
    {.window = 8, .parcel_bytes = 200},
    {.window = 5, .strands = 3, .parcel_bytes = 500},
    {.window = 2, .strands = 7, .parcel_bytes = 100},
};

}  // namespace fg::test

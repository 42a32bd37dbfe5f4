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

class Column;

/// Holds one row of a square matrix; fragments have different lengths.
class Row : public Chare<Row, 1> {
 public:
  explicit Row(std::int64_t rounds) : rounds_(rounds) {}
  static int length(int row, int column) { return 1 + (row * 7 + column * 3) % 5; }

  void begin() { send(round_); }
  void back(std::int64_t round);
  void archive(Archive& with) override { with(round_, rounds_, digest, wrong); }
  void prolong(std::int64_t rounds) {
    rounds_ += rounds;
    begin();
  }

  Exchange<Row, Column> there;
  Exchange<Column, Row> home;
  std::int64_t digest = 0;
  std::int64_t wrong = 0;

 private:
  void send(std::int64_t round);
  std::int64_t rounds_;
  std::int64_t round_ = 0;
};

class Column : public Chare<Column, 1> {
 public:
  void forth(std::int64_t round) {
    for (int k = 0; k < there.sources(*this); ++k) {
      const auto* const numbers = there.from<std::int64_t>(*this, k, round);
      const int row = there.source(*this, k);
      auto* const answer = home.place<std::int64_t>(*this, k, round);
      for (int i = 0; i < Row::length(row, ordinal()); ++i) answer[i] = 3 * numbers[i] + ordinal();
      home.sent(*this, k, round);
    }
    there.release(*this, round);
  }
  void archive(Archive&) override {}

  Exchange<Row, Column> there;
  Exchange<Column, Row> home;
};

inline void Row::send(std::int64_t round) {
  for (int k = 0; k < there.links(*this); ++k) {
    const int column = there.target(*this, k);
    auto* const numbers = there.place<std::int64_t>(*this, k, round);
    for (int i = 0; i < length(ordinal(), column); ++i)
      numbers[i] = round * 1000000 + ordinal() * 1000 + i;
    there.sent(*this, k, round);
  }
}

inline void Row::back(std::int64_t round) {
  wrong += round != round_;
  for (int k = 0; k < home.sources(*this); ++k) {
    const int column = home.source(*this, k);
    const auto* const numbers = home.from<std::int64_t>(*this, k, round);
    for (int i = 0; i < length(ordinal(), column); ++i) {
      wrong += numbers[i] != 3 * (round * 1000000 + ordinal() * 1000 + i) + column;
      digest = mixed(digest, numbers[i]);
    }
  }
  home.release(*this, round);
  if (++round_ < rounds_) send(round_);
}

struct Transposer {
  Transposer(const RuntimeOptions& how, int size, std::int64_t rounds) : runtime(how), size(size) {
    const std::array<int, 1> shape{size};
    rows = runtime.create_array<Row>(shape, block_map(shape, runtime.pes()),
                                     [=](const auto&) { return std::make_unique<Row>(rounds); });
    columns = runtime.create_array<Column>(shape, hashed_map(shape, runtime.pes(), 5));
    const auto bytes = [](int row, int column) {
      return sizeof(std::int64_t) * static_cast<std::size_t>(Row::length(row, column));
    };
    there = Exchange<Row, Column>::make<&Column::forth>(rows, columns, [&](const auto& row) {
      std::vector<ExchangeCore::Link> links;
      for (int column = 0; column < size; ++column)
        links.push_back({column, bytes(row[0], column)});
      return links;
    });
    home = Exchange<Column, Row>::make<&Row::back>(columns, rows, [&](const auto& column) {
      std::vector<ExchangeCore::Link> links;
      for (int row = 0; row < size; ++row) links.push_back({row, bytes(row, column[0])});
      return links;
    });
    tell();
  }

  /// Also called after elements have moved, because a new element does not know its exchanges.
  void tell() {
    for (int i = 0; i < size; ++i) {
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

  void scatter(std::uint64_t seed) {
    const auto pes = [&](std::uint64_t salt) {
      std::vector<int> result;
      const std::array<int, 1> shape{size};
      for (int i = 0; i < size; ++i)
        result.push_back(maps::hashed(std::array<int, 1>{i}, shape, runtime.pes(), seed + salt));
      return result;
    };
    const std::vector<Runtime::Placement> placements{{rows.core(), pes(0)},
                                                     {columns.core(), pes(77)}};
    runtime.relocate(placements);
    tell();
  }

  /// Zero for rows of other processes.
  std::vector<std::int64_t> digests() const {
    std::vector<std::int64_t> all(static_cast<std::size_t>(size));
    for (int i = 0; i < size; ++i) {
      if (!rows.here_at(i)) continue;
      EXPECT_EQ(rows.object_at(i).wrong, 0);
      all[static_cast<std::size_t>(i)] = rows.object_at(i).digest;
    }
    return all;
  }

  Runtime runtime;
  int size;
  Array<Row> rows;
  Array<Column> columns;
  Exchange<Row, Column> there;
  Exchange<Column, Row> home;
};

}  // namespace fg::test

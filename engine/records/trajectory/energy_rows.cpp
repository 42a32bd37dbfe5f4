// SPDX-License-Identifier: BSD-3-Clause
#include "records/trajectory/energy_rows.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

#include "base/error.hpp"
#include "records/files/files.hpp"

namespace fg {

namespace {

template <class Number>
bool take(std::string_view& line, Number& value) {
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), value);
  if (error != std::errc{}) return false;
  line.remove_prefix(static_cast<std::size_t>(end - line.data()));
  if (line.empty()) return true;
  if (line.front() != ',') return false;
  line.remove_prefix(1);
  return !line.empty();
}

std::optional<StoredRow> row_of(std::string_view line, std::size_t columns) {
  StoredRow row;
  if (!take(line, row.step) || !take(line, row.time)) return std::nullopt;
  while (!line.empty()) {
    row.values.emplace_back();
    if (!take(line, row.values.back())) return std::nullopt;
  }
  if (row.values.size() <= StoredRow::conserved || row.values.size() + 2 != columns)
    return std::nullopt;
  return row;
}

}  // namespace

std::vector<StoredRow> stored_rows(const std::string& path) {
  std::vector<StoredRow> rows;
  if (!file_exists(path)) return rows;
  const std::vector<std::byte> bytes = read_whole_file(path);
  std::string_view left(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  std::size_t columns = 0;
  for (std::size_t end; (end = left.find('\n')) != std::string_view::npos;
       left.remove_prefix(end + 1)) {
    const std::string_view line = left.substr(0, end);
    if (columns == 0) {
      columns = static_cast<std::size_t>(std::count(line.begin(), line.end(), ',')) + 1;
      continue;
    }
    auto row = row_of(line, columns);
    if (!row) break;
    rows.push_back(std::move(*row));
  }
  return rows;
}

}  // namespace fg

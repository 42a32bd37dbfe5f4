// SPDX-License-Identifier: BSD-3-Clause
#include "records/job/job_key.hpp"

#include "base/error.hpp"
#include "base/shown.hpp"

namespace fg::key_values {

namespace {

constexpr const char* again = "make the job again with this version of finegrain";

int as_int(std::int64_t value) {
  return static_cast<int>(std::clamp<std::int64_t>(value, std::numeric_limits<int>::min(),
                                                   std::numeric_limits<int>::max()));
}

}  // namespace

void refuse_word(const h5::Reader& file, const std::string& at, const std::string& name,
                 const std::string& text, std::vector<std::string> known) {
  std::sort(known.begin(), known.end());
  std::string all;
  for (const std::string& word : known) all += (all.empty() ? "'" : ", '") + word + "'";
  throw InputError({.what = "the attribute '" + name + "' has an unknown value",
                    .where = file.path() + ":" + at,
                    .value = "'" + text + "'",
                    .limit = "one of " + all,
                    .hint = again});
}

void read_value(const h5::Reader& file, const std::string& at, const std::string& name,
                double& value) {
  value = file.number<double>(at, name);
}

void read_value(const h5::Reader& file, const std::string& at, const std::string& name,
                int& value) {
  value = as_int(file.number<std::int64_t>(at, name));
}

void read_value(const h5::Reader& file, const std::string& at, const std::string& name,
                std::int64_t& value) {
  value = file.number<std::int64_t>(at, name);
}

void read_value(const h5::Reader& file, const std::string& at, const std::string& name,
                std::uint64_t& value) {
  value = file.number<std::uint64_t>(at, name);
}

void read_value(const h5::Reader& file, const std::string& at, const std::string& name,
                std::span<int> values) {
  std::vector<std::int64_t> read(values.size());
  file.numbers<std::int64_t>(at, name, read);
  std::transform(read.begin(), read.end(), values.begin(), as_int);
}

void read_value(const h5::Reader& file, const std::string& at, const std::string& name,
                Int3& value) {
  std::array<int, 3> values{};
  read_value(file, at, name, std::span<int>(values));
  value = {values[0], values[1], values[2]};
}

void read_value(const h5::Reader& file, const std::string& at, const std::string& name,
                bool& value) {
  const auto read = file.number<std::int64_t>(at, name);
  if (read != 0 && read != 1)
    throw InputError({.what = "the attribute '" + name + "' is beyond its limits",
                      .where = file.path() + ":" + at,
                      .value = std::to_string(read),
                      .limit = "0 or 1",
                      .hint = again});
  value = read == 1;
}

std::string shown_number(double number) {
  return shown(number, 10);
}

}  // namespace fg::key_values

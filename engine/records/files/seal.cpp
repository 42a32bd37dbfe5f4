// SPDX-License-Identifier: BSD-3-Clause
#include "records/files/seal.hpp"

#include <string_view>

#include "base/sha256.hpp"

namespace fg {

namespace {

constexpr std::string_view seal_mark = "finegrain-sha256:";
static_assert(seal_size == seal_mark.size() + 64);

std::string seal_of(std::span<const std::byte> contents) {
  Sha256 sum;
  sum.add(contents);
  return seal_text(sum.hex());
}

}  // namespace

std::string seal_text(const std::string& sha256) {
  return std::string(seal_mark) + sha256;
}

void add_seal(std::vector<std::byte>& contents) {
  const std::string seal = seal_of(contents);
  const auto tail = std::as_bytes(std::span(seal));
  contents.insert(contents.end(), tail.begin(), tail.end());
}

Sealed check_seal(std::span<const std::byte> file) {
  if (file.size() <= seal_size) return {SealState::missing, file};
  const auto contents = file.first(file.size() - seal_size);
  const std::string_view seal(reinterpret_cast<const char*>(file.data()) + contents.size(),
                              seal_size);
  if (!seal.starts_with(seal_mark)) return {SealState::missing, file};
  return {seal == seal_of(contents) ? SealState::whole : SealState::broken, contents};
}

}  // namespace fg

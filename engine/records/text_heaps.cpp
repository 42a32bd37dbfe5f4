// SPDX-License-Identifier: BSD-3-Clause
#include "records/text_heaps.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <string_view>
#include <vector>

namespace fg::h5 {

namespace {

constexpr std::string_view signature{"GCOL\1", 5};  // and three bytes that nobody reads
constexpr std::size_t header = 16;                  // bytes, of a heap and of an object in it
constexpr std::size_t smallest = 4096;
constexpr std::streamsize looked_at = 64 << 20;

std::uint64_t number_at(std::string_view bytes, std::size_t at) noexcept {
  std::array<unsigned char, 8> raw{};
  std::memcpy(raw.data(), bytes.data() + at, raw.size());
  std::uint64_t value = 0;
  for (std::size_t i = raw.size(); i-- > 0;) value = value << 8 | raw[i];
  return value;
}

bool is_sound(std::string_view heap) {
  while (heap.size() >= header) {
    const bool is_free = heap[0] == 0 && heap[1] == 0;
    const std::uint64_t size = number_at(heap, 8);
    if (is_free) return size == heap.size();
    const std::string_view rest = heap.substr(header);
    if (size > rest.size()) return false;
    // No text has a zero in it: one comes from the bytes beyond an object that claims too many.
    if (rest.substr(0, size).find('\0') != std::string_view::npos) return false;
    const std::size_t padded = (size + 7) / 8 * 8;
    if (padded > rest.size()) return false;
    heap = rest.substr(padded);
  }
  return true;
}

}  // namespace

std::string fault_of_text_heaps(std::span<const std::byte> bytes, bool whole) {
  const std::string_view all(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  for (std::size_t at = all.find(signature); at != std::string_view::npos;
       at = all.find(signature, at + 1)) {
    const std::size_t left = all.size() - at;
    if (left < header && !whole) return {};
    const std::uint64_t size = left < header ? 0 : number_at(all, at + 8);
    if (size > left && !whole && size < UINT32_MAX) return {};
    if (size < smallest || size > left ||
        !is_sound(all.substr(at + header, static_cast<std::size_t>(size) - header)))
      return "the texts at byte " + std::to_string(at) + " are damaged";
  }
  return {};
}

std::string fault_of_text_heaps(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  const std::streamsize size = file.tellg();
  if (size <= 0) return {};
  std::vector<std::byte> start(static_cast<std::size_t>(std::min(size, looked_at)));
  file.seekg(0);
  file.read(reinterpret_cast<char*>(start.data()), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
  return fault_of_text_heaps(start, size <= looked_at);
}

}  // namespace fg::h5

// SPDX-License-Identifier: BSD-3-Clause
//
// The map of each array of objects. There is one for all, and others for some of them, as in
// "block,pairs=round-robin,x-pencils=hashed".
#pragma once

#include <array>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "processes/placement.hpp"

namespace fg {

class ArrayMaps {
 public:
  /// Throws InputError for an unknown map, and for an array that is not among `arrays`.
  ArrayMaps(const std::string& text, std::span<const std::string_view> arrays);

  /// The name of the map of all arrays that have none of their own.
  const std::string& of_all() const noexcept { return of_all_; }
  /// The name of its map.
  const std::string& of(std::string_view array) const {
    const auto own = of_array_.find(std::string(array));
    return own != of_array_.end() ? own->second : of_all_;
  }
  template <std::size_t D>
  int pe(std::string_view array, const std::array<int, D>& index, const std::array<int, D>& shape,
         int pes) const {
    return mapped_pe(of(array), index, shape, pes);
  }

 private:
  std::string of_all_ = cost_map;
  std::map<std::string, std::string> of_array_;
};

/// The names of maps in such a text; without the names of arrays, which a kind of run knows.
void check_maps(const std::string& text);

}  // namespace fg

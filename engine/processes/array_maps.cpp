// SPDX-License-Identifier: BSD-3-Clause
#include "processes/array_maps.hpp"

#include <algorithm>
#include <iterator>
#include <sstream>
#include <vector>

#include "base/error.hpp"
#include "processes/mesh_map.hpp"

namespace fg {

namespace {

struct Part {
  std::string array, map;  // array empty: of all
};

std::vector<Part> parts_of(const std::string& text) {
  std::vector<Part> parts;
  std::istringstream words(text + ",");
  for (std::string word; std::getline(words, word, ',');) {
    const auto equal = word.find('=');
    parts.push_back(equal == std::string::npos
                        ? Part{.array = "", .map = word}
                        : Part{.array = word.substr(0, equal), .map = word.substr(equal + 1)});
    const std::string& map = parts.back().map;
    const bool of_mesh = mesh_map_of(map).has_value();
    if (of_mesh && !parts.back().array.empty())
      throw InputError({.what = "this is a map for all arrays, not for one",
                        .where = "--map",
                        .value = word,
                        .hint = "write it first, as in " + map + ",pairs=hashed"});
    if (!of_mesh && !torus_of(map) &&
        std::find(std::begin(map_names), std::end(map_names), map) == std::end(map_names))
      throw InputError(
          {.what = "unknown map",
           .where = "--map",
           .value = parts.back().map,
           .limit = "cost, block, plane, hybrid, round-robin, hashed, mesh-PES, mesh-PES-alone, "
                    "torus-XxYxZ-PRISMS",
           .hint = "one for all arrays, or such as block,pairs=hashed"});
  }
  return parts;
}

}  // namespace

ArrayMaps::ArrayMaps(const std::string& text, std::span<const std::string_view> arrays) {
  for (const Part& part : parts_of(text)) {
    if (part.array.empty()) {
      of_all_ = part.map;
      continue;
    }
    if (std::find(arrays.begin(), arrays.end(), part.array) == arrays.end()) {
      std::string known;
      for (const auto name : arrays) known += (known.empty() ? "" : ", ") + std::string(name);
      throw InputError({.what = "there is no array of objects of this name",
                        .where = "--map",
                        .value = part.array,
                        .limit = known});
    }
    of_array_[part.array] = part.map;
  }
}

void check_maps(const std::string& text) {
  parts_of(text);
}

}  // namespace fg

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <string>

namespace fg {

/// The sides and the number of prisms of a map that torus_of knows (placement.hpp).
std::array<int, 4> torus_numbers(const std::string& map);

}  // namespace fg

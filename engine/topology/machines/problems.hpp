// SPDX-License-Identifier: BSD-3-Clause
//
// All problems of one input, which are reported at once.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"

namespace fg::topology {

class Problems {
 public:
  /// `where` begins each message: "the machine 'gemini'".
  explicit Problems(std::string where) : where_(std::move(where)) {}

  void add(ErrorParts parts) { found_.push_back(std::move(parts)); }
  bool any() const noexcept { return !found_.empty(); }
  std::size_t count() const noexcept { return found_.size(); }

  /// One problem is reported as it is, several as a list with a line for each.
  void refuse_if_any() const;

 private:
  std::string where_;
  std::vector<ErrorParts> found_;
};

}  // namespace fg::topology

// SPDX-License-Identifier: BSD-3-Clause
#include "topology/machines/problems.hpp"

namespace fg::topology {

void Problems::refuse_if_any() const {
  if (found_.empty()) return;
  if (found_.size() == 1) {
    ErrorParts only = found_.front();
    only.where = only.where.empty() ? where_ : where_ + ", " + only.where;
    throw InputError(std::move(only));
  }
  constexpr std::size_t shown = 20;
  std::string list = std::to_string(found_.size()) + " problems";
  for (std::size_t i = 0; i < found_.size() && i < shown; ++i)
    list += "\n  " + std::string(InputError(found_[i]).what());
  if (found_.size() > shown) list += "\n  and " + std::to_string(found_.size() - shown) + " more";
  throw InputError({.what = std::move(list), .where = where_});
}

}  // namespace fg::topology

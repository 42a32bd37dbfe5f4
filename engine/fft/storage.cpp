// SPDX-License-Identifier: BSD-3-Clause
#include "fft/storage.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace fg::fft {

void require_storage(const Storage& storage, const GridBox& box, int batch, const char* name) {
  const auto refuse = [&](const char* what, const char* hint) {
    throw InputError({.what = std::string("the array of ") + name + " " + what, .hint = hint});
  };
  if (storage.layout.box != box && !(storage.layout.box.empty() && box.empty()))
    refuse("has another box than the plan", "make its layout from the plan's box for this rank");
  if (box.empty()) return;
  struct Loop {
    std::ptrdiff_t stride, count;
  };
  const auto& stride = storage.layout.stride;
  std::vector<Loop> loops{{stride[0], box.size(0)},
                          {stride[1], box.size(1)},
                          {stride[2], box.size(2)},
                          {static_cast<std::ptrdiff_t>(storage.distance), batch}};
  std::erase_if(loops, [](const Loop& loop) { return loop.count <= 1; });
  std::sort(loops.begin(), loops.end(),
            [](const Loop& a, const Loop& b) { return a.stride < b.stride; });
  std::ptrdiff_t reach = 0;  // of the loops so far
  for (const Loop& loop : loops) {
    if (loop.stride <= reach)
      refuse("has two numbers at one place",
             "strides are positive, and each is longer than what the shorter ones reach");
    reach += loop.stride * (loop.count - 1);
  }
  if (storage.layout.extent() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    refuse("is too long for one rank", "use more ranks: a box may extend over 2^31 - 1 numbers");
}

void require_rank_and_batch(int rank, int ranks, int batch) {
  if (rank < 0 || rank >= ranks)
    throw InputError({.what = "the plan has no such rank",
                      .value = std::to_string(rank),
                      .limit = "0 to " + std::to_string(ranks - 1),
                      .hint = "the plan has as many ranks as boxes"});
  if (batch < 1)
    throw InputError({.what = "a batch needs at least one field",
                      .value = std::to_string(batch),
                      .hint = "use 1 for a single transform"});
}

}  // namespace fg::fft

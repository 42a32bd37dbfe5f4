// SPDX-License-Identifier: BSD-3-Clause
//
// PEs work on the processors that the caller names.
#include "runtime/threads/pinning.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <memory>
#include <vector>

#include "base/error.hpp"
#include "runtime/runtime.hpp"

namespace fg {
namespace {

class Where : public Chare<Where, 1> {
 public:
  void look() { processor = ::sched_getcpu(); }
  int processor = -1;
};

std::vector<int> processors_of_pes(const std::vector<int>& processors) {
  const int pes = static_cast<int>(processors.size());
  Runtime runtime({.pes = pes, .processors = processors});
  const auto array = runtime.create_array<Where>({pes}, block_map<1>({pes}, pes));
  array.broadcast<&Where::look>();
  runtime.run_until_quiescent();
  std::vector<int> found;
  found.reserve(processors.size());
  for (int i = 0; i < pes; ++i) found.push_back(array.object_at(i).processor);
  return found;
}

TEST(Pinning, PesWorkOnTheNamedProcessors) {
  std::vector<int> processors = usable_processors();
  ASSERT_FALSE(processors.empty());
  EXPECT_EQ(processors_of_pes(processors), processors);
  const std::vector<int> backwards(processors.rbegin(), processors.rend());
  EXPECT_EQ(processors_of_pes(backwards), backwards);
  EXPECT_EQ(processors_of_pes({processors.back()}), std::vector{processors.back()});
}

TEST(Pinning, TooFewAndUnusableProcessorsAreRefused) {
  const int any = usable_processors().front();
  EXPECT_THROW(Runtime({.pes = 2, .processors = {any}}), InputError);
  EXPECT_THROW(Runtime({.pes = 1, .processors = {usable_processors().back() + 1}}), InputError);
}

}  // namespace
}  // namespace fg

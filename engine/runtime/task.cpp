// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/task.hpp"

#include "base/error.hpp"
#include "runtime/array.hpp"
#include "runtime/chare.hpp"
#include "transport/pool.hpp"

namespace fg::detail {

namespace {
/// Stands before each frame; keeps the frame aligned as operator new would.
struct alignas(16) FrameHeader {
  Pool* owner;
  std::uint32_t size_class;
};
}  // namespace

void* allocate_frame(std::size_t bytes) {
  const Block block = Pool::allocate(bytes + sizeof(FrameHeader));
  return new (block.memory) FrameHeader{block.owner, block.size_class} + 1;
}

void release_frame(void* frame) noexcept {
  FrameHeader* const header = static_cast<FrameHeader*>(frame) - 1;
  Pool::release({header, header->owner, header->size_class});
}

void resume_soon(Suspension& one) noexcept {
  one.chare->ready_.add(one);
}

void start_life(ChareBase& chare, Task&& life, const EntryInfo& entry) {
  if (chare.life_)
    throw InternalError(
        {.what = "a second life was started in a chare that has one",
         .where = chare.array_->element_name(chare.ordinal_),
         .value = std::string(entry.name),
         .hint = "await it inside the first life, or start it after the first has ended"});
  chare.life_entry_ = &entry;
  resume_soon(life.handle().promise());
  chare.life_ = std::move(life);
}

}  // namespace fg::detail

// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/trace.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <limits>

#include "runtime/runtime.hpp"

namespace fg {

namespace {

std::uint32_t bytes_of(const EntryInfo& entry, std::uint64_t payload) noexcept {
  if (!entry.carries_message || payload == 0) return 0;
  const auto* message = reinterpret_cast<const Message*>(static_cast<std::uintptr_t>(payload));
  constexpr std::size_t most = std::numeric_limits<std::uint32_t>::max();
  return static_cast<std::uint32_t>(std::min(message->body().size(), most));
}

/// Uses large pages if the system has them. Ten thousand faults on small pages would take longer
/// than a trace may cost a run of a hundred steps.
void ask_for_large_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
#ifdef MADV_HUGEPAGE
  constexpr std::uintptr_t page = std::uintptr_t{2} << 20;
  const auto begin = reinterpret_cast<std::uintptr_t>(memory);
  const std::uintptr_t first = (begin + page - 1) / page * page,
                       last = (begin + bytes) / page * page;
  if (first < last) ::madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
#endif
}

TraceRecord record_at(std::uint64_t now, TraceKind kind) noexcept {
  TraceRecord record{};
  record.begin = now;
  record.step = no_step;
  record.kind = kind;
  return record;
}

TraceRecord record_of(std::uint64_t now, TraceKind kind, const ChareBase& chare,
                      const EntryInfo& entry) noexcept {
  TraceRecord record = record_at(now, kind);
  record.element = static_cast<std::uint32_t>(chare.ordinal());
  record.array = static_cast<std::uint16_t>(chare.array_core()->id);
  record.entry = static_cast<std::uint16_t>(entry.id);
  return record;
}

}  // namespace

Tracer::Tracer(std::size_t records)
    : mask_(std::bit_ceil(std::max<std::size_t>(records, 2)) - 1),
      ring_(std::make_unique_for_overwrite<TraceRecord[]>(mask_ + 1)) {}

void Tracer::clear() noexcept {
  count_ = began_ = 0;
  open_ = false;
}

void Tracer::touch() noexcept {
  constexpr std::size_t smallest_page = 4096;
  const std::size_t size = (mask_ + 1) * sizeof(TraceRecord);
  ask_for_large_pages(ring_.get(), size);
  auto* const bytes = reinterpret_cast<volatile std::byte*>(ring_.get());
  for (std::size_t i = 0; i < size; i += smallest_page) bytes[i] = std::byte{0};
}

void Tracer::start(std::uint64_t now) noexcept {
  if (began_ == 0) began_ = now;
  ended_ = now;
  first_ = count_;
}

void Tracer::open(const TraceRecord& record) noexcept {
  end(record.begin);
  slot(count_) = record;
  open_ = true;
  // The ring is larger than any cache, so the line after the next is prefetched.
  __builtin_prefetch(&slot(count_ + 2), 1);
}

void Tracer::begin_message(std::uint64_t now, const Envelope& message) noexcept {
  TraceRecord record = record_of(now, TraceKind::entry, *message.target->object, *message.entry);
  record.cause = message.cause;
  record.step = message.step;
  record.bytes = bytes_of(*message.entry, message.payload);
  open(record);
}

void Tracer::begin_resume(std::uint64_t now, const ChareBase& chare,
                          const EntryInfo& life) noexcept {
  open(record_of(now, TraceKind::resume, chare, life));
}

void Tracer::begin_idle(std::uint64_t now) noexcept {
  end(now);
  // A PE that wakes and finds nothing continues to be idle: one record for all of it.
  if (count_ > first_ && slot(count_ - 1).kind == TraceKind::idle) {
    --count_;
    open_ = true;
    return;
  }
  open(record_at(now, TraceKind::idle));
}

void Tracer::close(std::uint64_t now) noexcept {
  TraceRecord& record = slot(count_);
  record.duration = now - record.begin;
  ++count_;
  open_ = false;
}

void Tracer::finish(std::uint64_t now) noexcept {
  end(now);
  ended_ = now;
}

std::uint64_t Tracer::lost() const noexcept {
  return count_ - std::min(count_, mask_ + 1);
}

std::array<std::span<const TraceRecord>, 2> Tracer::records() const noexcept {
  if (lost() == 0) return {{{ring_.get(), static_cast<std::size_t>(count_)}, {}}};
  const std::size_t oldest = count_ & mask_;
  return {{{ring_.get() + oldest, mask_ + 1 - oldest}, {ring_.get(), oldest}}};
}

Trace Runtime::trace() const {
  Trace trace{.seconds_per_tick = seconds_per_tick_,
              .start = std::chrono::duration<double>(start_.time_since_epoch()).count(),
              .start_ticks = start_ticks_,
              .entries = {},
              .arrays = {},
              .pes = {}};
  for (int id = 0; id < number_entries(); ++id) trace.entries.emplace_back(entry_with_id(id).name);
  for (const auto& array : arrays_) {
    if (!array) {
      trace.arrays.push_back({"freed", {}});
      continue;
    }
    trace.arrays.push_back(
        {array->name, {array->shape.begin(), array->shape.begin() + array->dimensions}});
  }
  for (const auto& pe : pes_)
    if (const Tracer* const tracer = pe->tracer())
      trace.pes.push_back(
          {pe->rank(), tracer->began(), tracer->ended(), tracer->lost(), tracer->records()});
  return trace;
}

}  // namespace fg

// SPDX-License-Identifier: BSD-3-Clause
//
// Multicasts along a tree of processes, as packets.
#include <array>
#include <bit>
#include <cstring>
#include <utility>

#include "base/error.hpp"
#include "runtime/network.hpp"
#include "runtime/runtime.hpp"

namespace fg {

namespace {

/// The list of a packet: what a receiver needs to know besides its words.
struct SpreadHead {
  std::uint64_t places;  // SectionCore::places
  std::uint64_t trailing_bytes;
  std::uint32_t trailing_offset;
  std::int32_t piece;  // number of the piece, or `whole`
  static constexpr std::int32_t whole = -1;
};
using SpreadList = std::array<std::int32_t, sizeof(SpreadHead) / sizeof(std::int32_t)>;

}  // namespace

void Network::spread(const SectionCore& section, Lane lane, const EntryInfo& entry,
                     std::int64_t step, std::uint64_t payload) {
  const SendTimer timer;
  const auto message = Ref<const Message>::adopt(
      entry.carries_message ? reinterpret_cast<const Message*>(static_cast<std::uintptr_t>(payload))
                            : nullptr);
  const bool urgent = lane <= Lane::high;
  count_sent(section.members.size() - section.members_here, urgent);
  PacketWords words{.kind = static_cast<std::int32_t>(Kind::spread),
                    .lane = static_cast<std::int32_t>(lane),
                    .entry = entry.id,
                    .array = section.tree,
                    .element = process(),
                    .step = step,
                    .payload = entry.carries_message ? 0 : payload,
                    .cause = timer.cause()};
  SpreadHead head{.places = section.places,
                  .trailing_bytes = 0,
                  .trailing_offset = 0,
                  .piece = SpreadHead::whole};
  const MulticastTree tree(section.processes, process(), section.spread.fan_out);
  const auto send_down = [&](const Ref<const Message>& bytes) {
    const auto list = std::bit_cast<SpreadList>(head);
    tree.for_each_child(process(),
                        [&](int child) { transport_.send(child, words, list, bytes, urgent); });
  };
  const std::size_t piece_bytes = section.spread.piece_bytes;
  if (!message || message->body().size() <= piece_bytes) return send_down(message);
  words.payload = next_spread_.fetch_add(1, std::memory_order_relaxed);
  head.trailing_bytes = message->extent().trailing_bytes;
  head.trailing_offset = message->extent().trailing_offset;
  std::span<const std::byte> rest = message->body();
  for (head.piece = 0; !rest.empty(); ++head.piece) {
    const auto piece = rest.first(std::min(piece_bytes, rest.size()));
    send_down(message_of_bytes(piece));
    rest = rest.subspan(piece.size());
  }
}

/// Passes on what has come down the tree, and hands the message to the members here once it is
/// whole.
void Network::receive_spread(const PacketWords& words, std::span<const std::int32_t> list,
                             Ref<const Message> message) {
  const SectionCore& section = runtime_.tree(words.array);
  SpreadHead head{};
  FG_CHECK(list.size_bytes() == sizeof head);
  std::memcpy(&head, list.data(), sizeof head);
  if (head.places != section.places)
    return runtime_.fail(std::make_exception_ptr(InternalError(
        {.what = "processes disagree on the members of a section, or on where they are",
         .where = "a section of " + section.array->name,
         .value = "process " + std::to_string(words.element) + " sends, process " +
                  std::to_string(process()) + " knows other places",
         .hint = "all processes have to make sections with a fan-out in the same order, with the "
                 "same members, and to call agree_on_places after elements have moved"})));
  const bool urgent = words.lane <= static_cast<std::int32_t>(Lane::high);
  MulticastTree(section.processes, words.element, section.spread.fan_out)
      .for_each_child(process(),
                      [&](int child) { transport_.send(child, words, list, message, urgent); });
  if (head.piece != SpreadHead::whole) {
    const auto& piece = static_cast<const BytesMessage&>(*message);
    message = assembly_.take(
        words.element, words.payload,
        {.trailing_offset = head.trailing_offset, .trailing_bytes = head.trailing_bytes},
        static_cast<std::size_t>(head.piece) * section.spread.piece_bytes, piece.bytes());
    if (!message) return;
  }
  const EntryInfo& entry = this->entry(words.entry);
  if (message) message->add_references(static_cast<std::uint32_t>(section.members_here - 1));
  const std::uint64_t payload = payload_of(entry, words, std::move(message));
  for (const FanOut& fan_out : section.fan_outs)
    fan_out.home->accept_all(static_cast<Lane>(words.lane),
                             {nullptr, &entry, words.step, payload, words.cause}, fan_out);
}

}  // namespace fg

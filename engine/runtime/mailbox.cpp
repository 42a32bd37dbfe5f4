// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/mailbox.hpp"

#include <algorithm>

#include "runtime/chare.hpp"
#include "runtime/scheduler.hpp"
#include "transport/pool.hpp"

namespace fg {

struct Mailbox::Node {
  Envelope envelope;
  Node* next;
  Pool* owner;
  std::uint32_t size_class;
};

void Mailbox::keep(const Envelope& envelope) {
  const Block block = Pool::allocate(sizeof(Node));
  Node* const node = new (block.memory) Node{envelope, nullptr, block.owner, block.size_class};
  *last_ = node;
  last_ = &node->next;
}

bool Mailbox::take(std::span<Expectation> wanted, Envelope& envelope) {
  for (Node** link = &first_; *link; link = &(*link)->next) {
    Node* const node = *link;
    for (Expectation& one : wanted) {
      if (!one.needs(node->envelope)) continue;
      --one.remaining;
      envelope = node->envelope;
      *link = node->next;
      if (last_ == &node->next) last_ = link;
      Pool::release({node, node->owner, node->size_class});
      return true;
    }
  }
  return false;
}

bool Mailbox::holds(const Expectation& wanted) const noexcept {
  std::int64_t missing = wanted.remaining;
  for (const Node* node = first_; node && missing > 0; node = node->next)
    missing -= wanted.needs(node->envelope);
  return missing <= 0;
}

bool Mailbox::take(Envelope& envelope) noexcept {
  Node* const node = first_;
  if (!node) return false;
  envelope = node->envelope;
  first_ = node->next;
  if (!first_) last_ = &first_;
  Pool::release({node, node->owner, node->size_class});
  return true;
}

void Mailbox::clear() noexcept {
  Envelope envelope;
  while (take(envelope)) envelope.entry->release(envelope.payload);
}

std::size_t Mailbox::size() const noexcept {
  std::size_t n = 0;
  for (const Node* node = first_; node; node = node->next) ++n;
  return n;
}

namespace detail {

std::int64_t take_messages(ChareBase& chare, std::span<Expectation> wanted) {
  Envelope envelope;
  while (!chare.mailbox_.empty() && chare.mailbox_.take(wanted, envelope)) {
    Account* const account = chare.home_->profiled_account();
    Tracer* const tracer = chare.home_->tracer();
    const int before = account ? account->switch_to(Account::scheduler) : 0;
    if (account) account->begin_entry(envelope.entry->id);
    if (tracer) tracer->begin_message(account->last(), envelope);
    envelope.entry->invoke(chare, envelope.payload);
    if (account) account->switch_to(before);
    if (tracer) tracer->begin_resume(account->last(), chare, *chare.life_entry_);
  }
  std::int64_t missing = 0;
  for (const Expectation& one : wanted) missing += std::max<std::int64_t>(0, one.remaining);
  return missing;
}

std::size_t take_any(ChareBase& chare, std::span<const Expectation> alternatives) {
  for (std::size_t i = 0; i < alternatives.size(); ++i) {
    if (!chare.mailbox_.holds(alternatives[i])) continue;
    Expectation wanted = alternatives[i];
    take_messages(chare, {&wanted, 1});
    return i;
  }
  return none;
}

void wait_for_messages(Suspension& one) noexcept {
  one.chare->waiting_.add(one);
}

}  // namespace detail

}  // namespace fg

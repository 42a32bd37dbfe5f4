// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/mailbox.hpp"

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

bool Mailbox::take(Expectation* wanted, std::size_t count, Envelope& envelope) {
  for (Node** link = &first_; *link; link = &(*link)->next) {
    Node* const node = *link;
    for (Expectation* w = wanted; w != wanted + count; ++w) {
      if (w->remaining <= 0 || w->entry != node->envelope.entry || w->step != node->envelope.step)
        continue;
      --w->remaining;
      envelope = node->envelope;
      *link = node->next;
      if (last_ == &node->next) last_ = link;
      Pool::release({node, node->owner, node->size_class});
      return true;
    }
  }
  return false;
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

bool await_messages(ChareBase& chare, Expectation* wanted, std::size_t count) {
  Envelope envelope;
  while (!chare.mailbox_.empty() && chare.mailbox_.take(wanted, count, envelope)) {
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
  for (std::size_t i = 0; i < count; ++i)
    missing += wanted[i].remaining > 0 ? wanted[i].remaining : 0;
  chare.outstanding_ = missing;
  return missing == 0;
}

void suspend_for_messages(ChareBase& chare, Expectation* wanted, std::size_t count,
                          std::coroutine_handle<> handle) noexcept {
  chare.wanted_ = wanted;
  chare.wanted_count_ = count;
  chare.waiting_ = handle;
}

}  // namespace detail

}  // namespace fg

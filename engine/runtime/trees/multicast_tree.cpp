// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/trees/multicast_tree.hpp"

#include <cstring>
#include <utility>

#include "base/error.hpp"

namespace fg {

HostGroups::HostGroups(std::span<const int> processes, std::span<const int> hosts)
    : host_of_process_(hosts), processes_(processes.begin(), processes.end()) {
  std::ranges::stable_sort(processes_, {}, [&](int process) { return host_of(process); });
  for (std::size_t place = 0; place < processes_.size(); ++place)
    if (const int host = host_of(processes_[place]); hosts_.empty() || hosts_.back() != host) {
      hosts_.push_back(host);
      first_.push_back(place);
    }
  first_.push_back(processes_.size());
}

PieceAssembly::Partial* PieceAssembly::find(int root, std::uint64_t number) noexcept {
  const auto known = std::find_if(partial_.begin(), partial_.end(), [&](const Partial& one) {
    return one.root == root && one.number == number;
  });
  return known == partial_.end() ? nullptr : &*known;
}

Ref<const Message> PieceAssembly::take(int root, std::uint64_t number, const MessageExtent& extent,
                                       std::size_t offset, std::span<const std::byte> bytes) {
  Ref<Message> message;
  {
    const std::lock_guard lock(mutex_);
    Partial* known = find(root, number);
    if (!known) {
      known = &partial_.emplace_back(Partial{.root = root, .number = number});
      known->message = Message::with_extent(extent);
      known->missing = known->message->body().size();
    }
    message = known->message;
  }
  const std::span<std::byte> body = message->writable_body();
  FG_CHECK(offset + bytes.size() <= body.size());
  std::memcpy(body.data() + offset, bytes.data(), bytes.size());
  const std::lock_guard lock(mutex_);
  Partial& known = *find(root, number);
  known.missing -= bytes.size();
  if (known.missing != 0) return nullptr;
  std::swap(known, partial_.back());
  partial_.pop_back();
  return message;
}

}  // namespace fg

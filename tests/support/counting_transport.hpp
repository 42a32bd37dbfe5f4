// SPDX-License-Identifier: BSD-3-Clause
//
// A transport that counts what this process sends to others.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "transport/transport.hpp"

namespace fg::test {

class CountingTransport final : public Transport {
 public:
  /// What the runtime writes into the words of a packet: its kind, then the entry, and the array of
  /// the receivers or, of some kinds, another list of the runtime.
  struct Packets {
    std::int32_t kind, id, array;
    int to;
    auto operator<=>(const Packets&) const = default;
  };
  struct Count {
    int messages = 0;
    std::size_t bytes = 0;  // of their messages
  };

  explicit CountingTransport(Transport& inner) : inner_(inner) {}

  int rank() const noexcept override { return inner_.rank(); }
  int processes() const noexcept override { return inner_.processes(); }
  int processes_here() const noexcept override { return inner_.processes_here(); }
  int rank_here() const noexcept override { return inner_.rank_here(); }
  std::string description() const override { return inner_.description(); }
  void send(int to, const PacketWords& words, std::span<const std::int32_t> list,
            Ref<const Message> message, bool urgent) override {
    {
      const std::lock_guard lock(mutex_);
      Count& count = sent[{words.kind, words.entry, words.array, to}];
      ++count.messages;
      if (message) count.bytes += message->body().size();
    }
    inner_.send(to, words, list, std::move(message), urgent);
  }
  bool progress(PacketSink& sink) override { return inner_.progress(sink); }
  std::size_t pending() const noexcept override { return inner_.pending(); }
  bool single_threaded() const noexcept override { return inner_.single_threaded(); }
  void wait(PacketSink& sink, double at_most) override { inner_.wait(sink, at_most); }
  double seconds() const override { return inner_.seconds(); }
  void settle(PacketSink& sink) override { inner_.settle(sink); }
  std::vector<std::byte> broadcast(std::vector<std::byte> bytes) override {
    return inner_.broadcast(std::move(bytes));
  }
  std::vector<std::vector<std::byte>> gather(std::span<const std::byte> bytes) override {
    return inner_.gather(bytes);
  }
  std::shared_ptr<const SharedMemory> share(std::span<const std::size_t> bytes) override {
    return inner_.share(bytes);
  }
  void end_all(int exit_status) noexcept override { inner_.end_all(exit_status); }

  std::map<Packets, Count> sent;

 private:
  Transport& inner_;
  std::mutex mutex_;
};

}  // namespace fg::test

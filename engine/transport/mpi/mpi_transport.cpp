// SPDX-License-Identifier: BSD-3-Clause
#include "transport/mpi/mpi_transport.hpp"

#include <mpi.h>
#include <sched.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <deque>
#include <mutex>
#include <utility>

#include "base/error.hpp"

namespace fg {

namespace {

constexpr std::size_t eager_bytes = 8192;  // of a whole packet; a larger message's bytes follow
constexpr int posted_receives = 32;
constexpr int window = 64;  // packets to one process that it has not yet taken in
constexpr int packet_tag = 0;
constexpr int first_bytes_tag = 1;
constexpr int bytes_tags = 16384;  // within the least upper bound that MPI promises

void check(int status, const char* call) {
  if (status == MPI_SUCCESS) return;
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(status, text.data(), &length);
  throw ResourceError({.what = std::string("the network failed in ") + call + ": " +
                               std::string(text.data(), static_cast<std::size_t>(length)),
                       .hint = "a process or a host was lost; resume from the last checkpoint"});
}
#define FG_MPI(call, ...) check(call(__VA_ARGS__), #call)

/// What stands at the head of a packet on the wire.
struct WireHead {
  PacketWords words;
  std::int32_t list = 0;       // numbers that follow
  std::int32_t credits = 0;    // packets of the receiver's that the sender has taken in
  std::int32_t bytes_tag = 0;  // of the message's bytes if they come by themselves, or 0
  std::int32_t carries = 0;    // whether there is a message
  MessageExtent message{};
};
static_assert(std::is_trivially_copyable_v<WireHead>);

constexpr std::int32_t credit_kind = -1;  // a packet that only returns credits

struct Packet {
  PacketWords words;
  std::vector<std::int32_t> list;
  Ref<const Message> message;
};

/// A nap once nothing has come for a while, so that processes may share cores.
class Patience {
 public:
  void wait() {
    if (++turns_ > 200) sched_yield();
  }

 private:
  int turns_ = 0;
};

class MpiTransport final : public Transport {
 public:
  MpiTransport() {
    int running = 0;
    FG_MPI(MPI_Initialized, &running);
    int level = MPI_THREAD_SINGLE;
    if (running) {
      FG_MPI(MPI_Query_thread, &level);
    } else {
      FG_MPI(MPI_Init_thread, nullptr, nullptr, MPI_THREAD_SERIALIZED, &level);
      ends_mpi_ = true;
    }
    if (level < MPI_THREAD_SERIALIZED)
      throw ResourceError({.what = "this MPI cannot be called by several threads in turn",
                           .limit = "MPI_THREAD_SERIALIZED",
                           .hint = "use an MPI library that was built with threads"});
    FG_MPI(MPI_Comm_dup, MPI_COMM_WORLD, &packets_);
    FG_MPI(MPI_Comm_dup, MPI_COMM_WORLD, &together_);
    FG_MPI(MPI_Comm_set_errhandler, packets_, MPI_ERRORS_RETURN);
    FG_MPI(MPI_Comm_set_errhandler, together_, MPI_ERRORS_RETURN);
    FG_MPI(MPI_Comm_rank, packets_, &rank_);
    FG_MPI(MPI_Comm_size, packets_, &size_);
    MPI_Comm host = MPI_COMM_NULL;
    FG_MPI(MPI_Comm_split_type, packets_, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &host);
    FG_MPI(MPI_Comm_size, host, &here_);
    FG_MPI(MPI_Comm_rank, host, &rank_here_);
    FG_MPI(MPI_Comm_free, &host);
    peers_.resize(static_cast<std::size_t>(size_));
    for (Receive& receive : receives_) post(receive);
  }

  ~MpiTransport() override { close(); }

  int rank() const noexcept override { return rank_; }
  int processes() const noexcept override { return size_; }
  int processes_here() const noexcept override { return here_; }
  int rank_here() const noexcept override { return rank_here_; }

  std::string description() const override {
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
    int length = 0;
    MPI_Get_library_version(text.data(), &length);
    const std::string all(text.data(), static_cast<std::size_t>(length));
    return all.substr(0, all.find_first_of(",\n"));
  }

  void send(int to, const PacketWords& words, std::span<const std::int32_t> list,
            Ref<const Message> message) override {
    FG_CHECK(to >= 0 && to < size_ && to != rank_);
    FG_CHECK(sizeof(WireHead) + list.size_bytes() <= eager_bytes);
    pending_.fetch_add(1, std::memory_order_relaxed);
    const std::lock_guard lock(outbox_mutex_);
    outbox_.emplace_back(to, Packet{words, {list.begin(), list.end()}, std::move(message)});
  }

  bool progress(PacketSink& sink) override {
    const std::unique_lock driving(driving_, std::try_to_lock);
    if (!driving) return false;
    bool moved = send_waiting();
    moved |= take_in(sink);
    moved |= take_bytes(sink);
    moved |= finish_sends();
    return moved;
  }

  std::size_t pending() const noexcept override { return pending_.load(std::memory_order_relaxed); }

  void settle(PacketSink& sink) override {
    // What was received is summed before what was sent, so equal sums leave nothing in between.
    for (;;) {
      const std::uint64_t received = sum_of_all(received_, sink);
      if (sum_of_all(sent_, sink) == received) return;
    }
  }

  std::vector<std::byte> broadcast(std::vector<std::byte> bytes) override {
    std::uint64_t size = bytes.size();
    MPI_Request request = MPI_REQUEST_NULL;
    FG_MPI(MPI_Ibcast, &size, 1, MPI_UINT64_T, 0, together_, &request);
    complete(request);
    bytes.resize(size);
    for (std::uint64_t at = 0; at < size; at += chunk) {
      const int count = static_cast<int>(std::min<std::uint64_t>(chunk, size - at));
      FG_MPI(MPI_Ibcast, bytes.data() + at, count, MPI_BYTE, 0, together_, &request);
      complete(request);
    }
    return bytes;
  }

  std::vector<std::vector<std::byte>> gather(std::span<const std::byte> bytes) override {
    FG_CHECK(bytes.size() < chunk);
    const int mine = static_cast<int>(bytes.size());
    std::vector<int> sizes(static_cast<std::size_t>(size_)), places(sizes.size());
    MPI_Request request = MPI_REQUEST_NULL;
    FG_MPI(MPI_Igather, &mine, 1, MPI_INT, sizes.data(), 1, MPI_INT, 0, together_, &request);
    complete(request);
    std::size_t total = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      places[i] = static_cast<int>(total);
      total += static_cast<std::size_t>(sizes[i]);
    }
    FG_CHECK(total < chunk);
    std::vector<std::byte> all(total);
    FG_MPI(MPI_Igatherv, bytes.data(), mine, MPI_BYTE, all.data(), sizes.data(), places.data(),
           MPI_BYTE, 0, together_, &request);
    complete(request);
    std::vector<std::vector<std::byte>> parts;
    if (rank_ == 0)
      for (std::size_t i = 0; i < sizes.size(); ++i)
        parts.emplace_back(all.begin() + places[i], all.begin() + places[i] + sizes[i]);
    return parts;
  }

 private:
  static constexpr std::uint64_t chunk = std::uint64_t{1} << 30;

  struct Receive {
    MPI_Request request = MPI_REQUEST_NULL;
    alignas(64) std::array<std::byte, eager_bytes> bytes;
  };
  /// An eager packet or a message's bytes, until MPI has done with them.
  struct Send {
    MPI_Request request = MPI_REQUEST_NULL;
    std::unique_ptr<std::array<std::byte, eager_bytes>> bytes;
    Ref<const Message> message;
  };
  /// A packet whose message's bytes are on their way.
  struct Arrival {
    MPI_Request request = MPI_REQUEST_NULL;
    int from = 0;
    PacketWords words;
    std::vector<std::int32_t> list;
    Ref<Message> message;
  };
  struct Peer {
    int credits = window;  // packets that may still be sent
    int taken = 0;         // packets taken in whose credits are to be returned
    int next_bytes_tag = 0;
    std::deque<Packet> waiting;
  };

  Peer& peer(int rank) {
    auto& slot = peers_[static_cast<std::size_t>(rank)];
    if (!slot) slot = std::make_unique<Peer>();
    return *slot;
  }

  std::uint64_t sum_of_all(const std::uint64_t& mine, PacketSink& sink) {
    while (pending() > 0)
      if (!progress(sink)) sched_yield();
    std::uint64_t sum = 0;
    const std::uint64_t now = mine;
    MPI_Request request = MPI_REQUEST_NULL;
    FG_MPI(MPI_Iallreduce, &now, &sum, 1, MPI_UINT64_T, MPI_SUM, together_, &request);
    Patience patience;
    for (int done = 0;;) {
      FG_MPI(MPI_Test, &request, &done, MPI_STATUS_IGNORE);
      if (done) return sum;
      if (!progress(sink)) patience.wait();
    }
  }

  void complete(MPI_Request& request) {
    Patience patience;
    for (int done = 0;;) {
      FG_MPI(MPI_Test, &request, &done, MPI_STATUS_IGNORE);
      if (done) return;
      patience.wait();
    }
  }

  void post(Receive& receive) {
    FG_MPI(MPI_Irecv, receive.bytes.data(), static_cast<int>(eager_bytes), MPI_BYTE, MPI_ANY_SOURCE,
           packet_tag, packets_, &receive.request);
  }

  bool send_waiting() {
    {
      const std::lock_guard lock(outbox_mutex_);
      taken_out_.swap(outbox_);
    }
    bool moved = !taken_out_.empty();
    for (auto& [to, packet] : taken_out_) {
      Peer& there = peer(to);
      if (there.credits > 0 && there.waiting.empty()) {
        start(to, there, packet);
      } else {
        if (there.waiting.empty()) blocked_.push_back(to);
        there.waiting.push_back(std::move(packet));
      }
    }
    taken_out_.clear();
    std::erase_if(blocked_, [&](int to) {
      Peer& there = peer(to);
      while (there.credits > 0 && !there.waiting.empty()) {
        start(to, there, there.waiting.front());
        there.waiting.pop_front();
        moved = true;
      }
      return there.waiting.empty();
    });
    return moved;
  }

  void start(int to, Peer& there, Packet& packet) {
    --there.credits;
    ++sent_;
    WireHead head{.words = packet.words, .list = static_cast<std::int32_t>(packet.list.size())};
    std::span<const std::byte> body;
    if (packet.message) {
      head.carries = 1;
      head.message = packet.message->extent();
      body = packet.message->body();
    }
    const bool whole = sizeof head + 4 * packet.list.size() + body.size() <= eager_bytes;
    if (!whole) {
      head.bytes_tag = first_bytes_tag + there.next_bytes_tag;
      there.next_bytes_tag = (there.next_bytes_tag + 1) % bytes_tags;
    }
    send_head(to, there, head, packet.list, whole ? body : std::span<const std::byte>{});
    if (whole) return;
    FG_CHECK(body.size() < chunk);
    pending_.fetch_add(1, std::memory_order_relaxed);
    Send& bytes = sends_.emplace_back();
    bytes.message = std::move(packet.message);
    FG_MPI(MPI_Isend, body.data(), static_cast<int>(body.size()), MPI_BYTE, to, head.bytes_tag,
           packets_, &bytes.request);
  }

  void send_head(int to, Peer& there, WireHead& head, std::span<const std::int32_t> list,
                 std::span<const std::byte> body) {
    head.credits = std::exchange(there.taken, 0);
    Send& eager = sends_.emplace_back();
    if (spare_.empty()) {
      eager.bytes = std::make_unique<std::array<std::byte, eager_bytes>>();
    } else {
      eager.bytes = std::move(spare_.back());
      spare_.pop_back();
    }
    std::byte* at = eager.bytes->data();
    const auto put = [&](const void* from, std::size_t size) {
      if (size != 0) std::memcpy(at, from, size);
      at += size;
    };
    put(&head, sizeof head);
    put(list.data(), list.size_bytes());
    put(body.data(), body.size());
    FG_MPI(MPI_Isend, eager.bytes->data(), static_cast<int>(at - eager.bytes->data()), MPI_BYTE, to,
           packet_tag, packets_, &eager.request);
  }

  /// Receives match in the order in which they were posted, so the oldest is the one to look at.
  bool take_in(PacketSink& sink) {
    bool moved = false;
    for (int i = 0; i < posted_receives && !sink.full(); ++i) {
      Receive& receive = receives_[oldest_];
      int done = 0;
      MPI_Status status;
      FG_MPI(MPI_Test, &receive.request, &done, &status);
      if (!done) break;
      oldest_ = (oldest_ + 1) % receives_.size();
      open(status.MPI_SOURCE, receive, sink);
      post(receive);
      moved = true;
    }
    return moved;
  }

  void open(int from, const Receive& receive, PacketSink& sink) {
    WireHead head;
    std::memcpy(&head, receive.bytes.data(), sizeof head);
    Peer& there = peer(from);
    there.credits += head.credits;
    if (head.words.kind == credit_kind) return;
    if (++there.taken >= window / 2) return_credits(from, there);
    const std::byte* at = receive.bytes.data() + sizeof head;
    std::vector<std::int32_t>& list = list_;
    list.resize(static_cast<std::size_t>(head.list));
    if (head.list > 0) std::memcpy(list.data(), at, list.size() * sizeof(std::int32_t));
    at += list.size() * sizeof(std::int32_t);
    if (!head.carries) {
      ++received_;
      return sink.receive(from, head.words, list, nullptr);
    }
    Ref<Message> message = Message::with_extent(head.message);
    const std::span<std::byte> body = message->writable_body();
    if (head.bytes_tag == 0) {
      std::memcpy(body.data(), at, body.size());
      ++received_;
      return sink.receive(from, head.words, list, std::move(message));
    }
    Arrival& arrival = arrivals_.emplace_back();
    arrival.from = from;
    arrival.words = head.words;
    arrival.list = list;
    arrival.message = std::move(message);
    FG_MPI(MPI_Irecv, body.data(), static_cast<int>(body.size()), MPI_BYTE, from, head.bytes_tag,
           packets_, &arrival.request);
  }

  /// They need no credit themselves: two in a window at most.
  void return_credits(int to, Peer& there) {
    WireHead head;
    head.words.kind = credit_kind;
    pending_.fetch_add(1, std::memory_order_relaxed);
    send_head(to, there, head, {}, {});
  }

  bool take_bytes(PacketSink& sink) {
    bool moved = false;
    for (std::size_t i = 0; i < arrivals_.size();) {
      int done = 0;
      FG_MPI(MPI_Test, &arrivals_[i].request, &done, MPI_STATUS_IGNORE);
      if (!done) {
        ++i;
        continue;
      }
      const Arrival arrival = std::move(arrivals_[i]);
      arrivals_[i] = std::move(arrivals_.back());
      arrivals_.pop_back();
      ++received_;
      sink.receive(arrival.from, arrival.words, arrival.list, arrival.message);
      moved = true;
    }
    return moved;
  }

  bool finish_sends() {
    bool moved = false;
    while (!sends_.empty()) {
      int done = 0;
      FG_MPI(MPI_Test, &sends_.front().request, &done, MPI_STATUS_IGNORE);
      if (!done) break;
      if (sends_.front().bytes) spare_.push_back(std::move(sends_.front().bytes));
      sends_.pop_front();
      pending_.fetch_sub(1, std::memory_order_relaxed);
      moved = true;
    }
    return moved;
  }

  /// Goes on where a call fails: then somebody else has gone already.
  void close() noexcept {
    for (Send& send : sends_) finish(send.request);
    MPI_Request all_here = MPI_REQUEST_NULL;
    MPI_Ibarrier(together_, &all_here);
    finish(all_here);
    for (Receive& receive : receives_) {
      MPI_Cancel(&receive.request);
      finish(receive.request);
    }
    MPI_Comm_free(&packets_);
    MPI_Comm_free(&together_);
    if (ends_mpi_) MPI_Finalize();
  }
  static void finish(MPI_Request& request) noexcept {
    int done = 0;
    while (MPI_Test(&request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && !done) sched_yield();
  }

  bool ends_mpi_ = false;
  int rank_ = 0, size_ = 1, here_ = 1, rank_here_ = 0;
  MPI_Comm packets_ = MPI_COMM_NULL;   // the packets'
  MPI_Comm together_ = MPI_COMM_NULL;  // what all processes do together
  std::atomic<std::size_t> pending_{0};

  std::mutex outbox_mutex_;
  std::vector<std::pair<int, Packet>> outbox_;

  // With `driving_` only.
  std::uint64_t sent_ = 0, received_ = 0;  // packets, but for those that only return credits
  std::mutex driving_;
  std::vector<std::pair<int, Packet>> taken_out_;
  std::vector<std::unique_ptr<Peer>> peers_;
  std::vector<int> blocked_;  // peers whose packets wait for credits
  std::array<Receive, posted_receives> receives_;
  std::size_t oldest_ = 0;
  std::deque<Send> sends_;
  std::vector<std::unique_ptr<std::array<std::byte, eager_bytes>>> spare_;
  std::vector<Arrival> arrivals_;
  std::vector<std::int32_t> list_;
};

}  // namespace

std::unique_ptr<Transport> make_mpi_transport() {
  return std::make_unique<MpiTransport>();
}

}  // namespace fg

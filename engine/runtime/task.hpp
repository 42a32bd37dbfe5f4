// SPDX-License-Identifier: BSD-3-Clause
//
// Task: the coroutine that is a chare's life, or a part of it that the life awaits. A chare has one
// life at a time, but several parts of it may go on together (`together`). It is a member function
// of the chare, or of an object that belongs to it and has `chare()`. Coroutines never resume one
// another. Each is put into the chare's list of those that are ready, and the scheduler resumes
// them from a flat loop. The reason: GCC turns symmetric transfer into a jump only when it
// optimises. Frames come from the PE's pool.
#pragma once

#include <array>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <type_traits>
#include <utility>

namespace fg {

class ChareBase;
struct Expectation;
namespace detail {
void* allocate_frame(std::size_t bytes);
void release_frame(void* frame) noexcept;

struct Suspension;

/// Coroutines of a chare in the order in which they were added; each is in one list at most. Lists
/// are short, usually of one.
class Suspensions {
 public:
  Suspensions() = default;
  Suspensions(const Suspensions&) = delete;
  Suspensions& operator=(const Suspensions&) = delete;

  bool empty() const noexcept { return first_ == nullptr; }
  Suspension* first() const noexcept { return first_; }
  void add(Suspension& one) noexcept;
  /// Only if it is in this list.
  void remove(Suspension& one) noexcept;

 private:
  Suspension* first_ = nullptr;
};

/// A coroutine that is suspended: part of its promise.
struct Suspension {
  explicit Suspension(ChareBase& chare) noexcept : chare(&chare) {}
  Suspension(const Suspension&) = delete;
  Suspension& operator=(const Suspension&) = delete;
  ~Suspension() {
    if (in) in->remove(*this);
  }
  void resume();

  ChareBase* chare;
  Suspensions* in = nullptr;
  Suspension* next = nullptr;
  // What it waits for, if it waits; in its frame.
  Expectation* wanted = nullptr;
  std::size_t wanted_count = 0;
  std::int64_t outstanding = 0;  // messages; not used if `any`
  std::size_t* any = nullptr;    // where to write which one came first; null: it waits for all
};

/// Resumes the coroutine once the entry, or the coroutine, that runs now has returned.
void resume_soon(Suspension& one) noexcept;

inline void Suspensions::add(Suspension& one) noexcept {
  Suspension** link = &first_;
  while (*link) link = &(*link)->next;
  *link = &one;
  one.in = this;
  one.next = nullptr;
}

inline void Suspensions::remove(Suspension& one) noexcept {
  Suspension** link = &first_;
  while (*link != &one) link = &(*link)->next;
  *link = one.next;
  one.in = nullptr;
}

/// Parts of a life that go on together, and the coroutine that awaits them.
struct Join {
  Suspension* whole = nullptr;
  std::size_t running = 0;
  bool over = false;

  void part_over(bool failed) noexcept {
    --running;
    if (over || (running > 0 && !failed)) return;
    over = true;
    resume_soon(*whole);
  }
};
}  // namespace detail

class [[nodiscard]] Task {
 public:
  struct promise_type;  // see also std::coroutine_traits below
  using Handle = std::coroutine_handle<promise_type>;

  Task() = default;
  Task(Task&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Task& operator=(Task&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Task() {
    if (handle_) handle_.destroy();
  }

  explicit operator bool() const noexcept { return handle_ != nullptr; }
  bool done() const noexcept { return handle_ && handle_.done(); }
  Handle handle() const noexcept { return handle_; }
  /// Throws the exception that ended the coroutine, if any.
  void rethrow() const;

  /// Awaiting a task runs it to its end.
  auto operator co_await() const noexcept;
  /// Runs it soon, unless it has begun.
  static void start(Handle task) noexcept;

 private:
  explicit Task(Handle handle) noexcept : handle_(handle) {}

  Handle handle_;
};

/// Behind `co_await at_sync()`.
struct AtSync {};

/// A point at which only the chare's members matter, like the end of a life before a move. The
/// coroutine is suspended and resumed, so that an object that may not live across it is noticed
/// early.
inline AtSync at_sync() noexcept {
  return {};
}

struct Task::promise_type : detail::Suspension {
  /// The coroutine is a member function of a chare or of a part of it. Its other parameters do not
  /// matter here.
  template <class C, class... Arguments>
  explicit promise_type(C& self, Arguments&&...) noexcept : Suspension(chare_of(self)) {}

  static void* operator new(std::size_t bytes) { return detail::allocate_frame(bytes); }
  static void operator delete(void* frame) noexcept { detail::release_frame(frame); }

  template <class C>
  static ChareBase& chare_of(C& self) noexcept {
    if constexpr (std::is_base_of_v<ChareBase, C>) {
      return self;
    } else {
      static_assert(
          requires { self.chare(); },
          "a Task is a member function of a chare, or of a part of it with chare()");
      return self.chare();
    }
  }

  struct FinalAwaiter {
    bool await_ready() const noexcept { return false; }
    void await_suspend(Handle handle) const noexcept {
      const promise_type& promise = handle.promise();
      if (promise.join) return promise.join->part_over(promise.error != nullptr);
      if (promise.continuation) detail::resume_soon(promise.continuation.promise());
    }
    void await_resume() const noexcept {}
  };
  struct SyncAwaiter {
    bool await_ready() const noexcept { return false; }
    void await_suspend(Handle handle) const noexcept { detail::resume_soon(handle.promise()); }
    void await_resume() const noexcept {}
  };

  Task get_return_object() noexcept { return Task(Handle::from_promise(*this)); }
  std::suspend_always initial_suspend() const noexcept { return {}; }
  FinalAwaiter final_suspend() const noexcept { return {}; }
  void return_void() const noexcept {}
  void unhandled_exception() noexcept { error = std::current_exception(); }

  /// Passes the chare to awaitables that need it; see mailbox.hpp.
  template <class Awaitable>
  decltype(auto) await_transform(Awaitable&& awaitable) noexcept {
    using Plain = std::remove_cvref_t<Awaitable>;
    if constexpr (std::is_same_v<Plain, AtSync>) {
      return SyncAwaiter{};
    } else if constexpr (requires { awaitable.bind(*chare); }) {
      return awaitable.bind(*chare);
    } else {
      return std::forward<Awaitable>(awaitable);
    }
  }

  Handle continuation;           // who awaits this one alone, or
  detail::Join* join = nullptr;  // together with others
  std::exception_ptr error;
  bool begun = false;
};

}  // namespace fg

/// A coroutine keeps its parameters in its frame, but for a reference only the address. The object,
/// such as the message that starts a life, no longer exists once the coroutine is suspended.
template <class C, class... Parameters>
struct std::coroutine_traits<fg::Task, C&, Parameters...> {
  static_assert((!std::is_reference_v<Parameters> && ...),
                "a Task takes its parameters by value: a reference, as to the Ref of a message, "
                "dangles once the coroutine is suspended");
  using promise_type = fg::Task::promise_type;
};

namespace fg {

inline void detail::Suspension::resume() {
  Task::Handle::from_promise(static_cast<Task::promise_type&>(*this)).resume();
}

inline void Task::rethrow() const {
  if (handle_.promise().error) std::rethrow_exception(handle_.promise().error);
}

inline void Task::start(Handle task) noexcept {
  if (!std::exchange(task.promise().begun, true)) detail::resume_soon(task.promise());
}

inline auto Task::operator co_await() const noexcept {
  struct Awaiter {
    Handle part;
    bool await_ready() const noexcept { return !part || part.done(); }
    void await_suspend(Handle whole) const noexcept {
      part.promise().continuation = whole;
      start(part);
    }
    void await_resume() const {
      if (part && part.promise().error) std::rethrow_exception(part.promise().error);
    }
  };
  return Awaiter{handle_};
}

namespace detail {

template <std::size_t N>
struct TogetherAwaiter {
  std::array<Task::Handle, N> parts;
  Join join{};

  bool await_ready() const noexcept { return false; }
  void await_suspend(Task::Handle whole) noexcept {
    join.whole = &whole.promise();
    join.running = N + 1;
    for (const Task::Handle part : parts) {
      if (!part || part.done()) {
        join.part_over(part && part.promise().error);
        continue;
      }
      part.promise().join = &join;
      Task::start(part);
    }
    join.part_over(false);
  }
  /// Throws the error of the first part, in their order, that has one.
  void await_resume() const {
    for (const Task::Handle part : parts)
      if (part) part.promise().join = nullptr;
    for (const Task::Handle part : parts)
      if (part && part.promise().error) std::rethrow_exception(part.promise().error);
  }
};

}  // namespace detail

/// Starts all parts, in this order, and awaits their ends. At the first error it does not wait for
/// the others, which end when their tasks do. Parts are variables of the coroutine:
///   Task forces = sum_forces(step), density = send_density(step);
///   co_await together(forces, density);
template <class... Parts>
  requires(std::is_same_v<Parts, Task> && ...)
detail::TogetherAwaiter<sizeof...(Parts)> together(Parts&... parts) noexcept {
  return {{parts.handle()...}};
}

}  // namespace fg

// SPDX-License-Identifier: BSD-3-Clause
//
// Task: the coroutine that is a chare's life, or a part of it that the life awaits. A chare has one
// life at a time. Coroutines never resume one another: each suspension stores the next handle in
// the chare, and the scheduler resumes it from a flat loop, because GCC turns symmetric transfer
// into a jump only when it optimises. Frames come from the PE's pool.
#pragma once

#include <coroutine>
#include <cstddef>
#include <exception>
#include <type_traits>
#include <utility>

namespace fg {

class ChareBase;
namespace detail {
void* allocate_frame(std::size_t bytes);
void release_frame(void* frame) noexcept;
void resume_next(ChareBase& chare, std::coroutine_handle<> handle) noexcept;
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

struct Task::promise_type {
  /// The coroutine is a member function of a chare; its other parameters do not matter here.
  template <class C, class... Arguments>
  explicit promise_type(C& self, Arguments&&...) noexcept : chare(&self) {
    static_assert(std::is_base_of_v<ChareBase, std::remove_cvref_t<C>>,
                  "a Task is a member function of a chare");
  }

  static void* operator new(std::size_t bytes) { return detail::allocate_frame(bytes); }
  static void operator delete(void* frame) noexcept { detail::release_frame(frame); }

  struct FinalAwaiter {
    bool await_ready() const noexcept { return false; }
    void await_suspend(Handle handle) const noexcept {
      const promise_type& promise = handle.promise();
      if (promise.continuation) detail::resume_next(*promise.chare, promise.continuation);
    }
    void await_resume() const noexcept {}
  };
  struct SyncAwaiter {
    bool await_ready() const noexcept { return false; }
    void await_suspend(Handle handle) const noexcept {
      detail::resume_next(*handle.promise().chare, handle);
    }
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

  ChareBase* chare;
  std::coroutine_handle<> continuation;
  std::exception_ptr error;
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

inline void Task::rethrow() const {
  if (handle_.promise().error) std::rethrow_exception(handle_.promise().error);
}

inline auto Task::operator co_await() const noexcept {
  struct Awaiter {
    Handle part;
    bool await_ready() const noexcept { return !part || part.done(); }
    void await_suspend(Handle whole) const noexcept {
      part.promise().continuation = whole;
      detail::resume_next(*whole.promise().chare, part);
    }
    void await_resume() const {
      if (part && part.promise().error) std::rethrow_exception(part.promise().error);
    }
  };
  return Awaiter{handle_};
}

}  // namespace fg

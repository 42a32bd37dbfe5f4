// SPDX-License-Identifier: BSD-3-Clause
//
// What went wrong, where, with which value against which limit, and what to do about it.
#pragma once

#include <stdexcept>
#include <string>

namespace fg {

/// Who has to act; the number is the exit status of the program.
enum class ErrorKind { input = 1, resource = 2, numerics = 3, internal = 4 };

/// The parts of a message; all but `what` may be empty.
struct ErrorParts {
  std::string what;
  std::string where{};  // file and line, or step and object
  std::string value{};
  std::string limit{};
  std::string hint{};
};

class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, ErrorParts parts);

  ErrorKind kind() const noexcept { return kind_; }
  const ErrorParts& parts() const noexcept { return parts_; }
  int exit_status() const noexcept { return static_cast<int>(kind_); }

 private:
  ErrorKind kind_;
  ErrorParts parts_;
};

/// The user can correct it: a bad file, key or value.
struct InputError : Error {
  explicit InputError(ErrorParts parts) : Error(ErrorKind::input, std::move(parts)) {}
};
/// The machine: memory, disk, missing device.
struct ResourceError : Error {
  explicit ResourceError(ErrorParts parts) : Error(ErrorKind::resource, std::move(parts)) {}
};
/// The computation diverged or met a NaN.
struct NumericsError : Error {
  explicit NumericsError(ErrorParts parts) : Error(ErrorKind::numerics, std::move(parts)) {}
};
/// A defect of finegrain itself.
struct InternalError : Error {
  explicit InternalError(ErrorParts parts) : Error(ErrorKind::internal, std::move(parts)) {}
};

namespace detail {
[[noreturn]] void check_failed(const char* condition, const char* file, int line);
}

/// An invariant of the program; always on.
#define FG_CHECK(condition)              \
  (static_cast<bool>(condition) ? void() \
                                : ::fg::detail::check_failed(#condition, __FILE__, __LINE__))

/// An invariant too expensive to check in a release build.
#ifdef NDEBUG
#define FG_DCHECK(condition) static_cast<void>(0)
#else
#define FG_DCHECK(condition) FG_CHECK(condition)
#endif

}  // namespace fg

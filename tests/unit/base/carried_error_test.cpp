// SPDX-License-Identifier: BSD-3-Clause
#include "base/carried_error.hpp"

#include <gtest/gtest.h>

#include "base/bytes.hpp"
#include "base/error.hpp"

namespace fg {
namespace {

TEST(CarriedError, ArrivesWithItsKindAndParts) {
  const auto there = error_to_bytes(std::make_exception_ptr(
      NumericsError({.what = "a", .where = "b", .value = "c", .limit = "d", .hint = "e\nf"})));
  try {
    std::rethrow_exception(error_from_bytes(there));
  } catch (const NumericsError& error) {
    EXPECT_EQ(error.parts().what + error.parts().where + error.parts().value + error.parts().limit +
                  error.parts().hint,
              "abcde\nf");
    EXPECT_EQ(error.exit_status(), 3);
  }
}

TEST(CarriedError, AnyOtherExceptionExceptLackOfMemoryIsADefect) {
  const auto kind_of = [](const std::exception_ptr& error) {
    try {
      std::rethrow_exception(error_from_bytes(error_to_bytes(error)));
    } catch (const Error& carried) {
      return carried.kind();
    }
  };
  EXPECT_EQ(kind_of(std::make_exception_ptr(std::runtime_error("x"))), ErrorKind::internal);
  EXPECT_EQ(kind_of(std::make_exception_ptr(std::bad_alloc())), ErrorKind::resource);
  EXPECT_EQ(kind_of(std::make_exception_ptr(7)), ErrorKind::internal);
}

TEST(Bytes, AreReadAsTheyWereWritten) {
  ByteWriter writer;
  writer.put(3.5);
  writer.put(std::string("text"));
  writer.put(std::vector<int>{1, 2, 3});
  writer.put(std::vector<double>{});
  const auto bytes = std::move(writer).take();
  ByteReader reader(bytes);
  EXPECT_EQ(reader.get<double>(), 3.5);
  EXPECT_EQ(reader.get<std::string>(), "text");
  EXPECT_EQ(reader.get<std::vector<int>>(), (std::vector<int>{1, 2, 3}));
  EXPECT_TRUE(reader.get<std::vector<double>>().empty());
  EXPECT_TRUE(reader.empty());
}

TEST(Bytes, ThatRunOutAreRefused) {
  ByteWriter writer;
  writer.put(std::uint64_t{1000000});
  const auto bytes = std::move(writer).take();
  ByteReader reader(bytes);
  EXPECT_THROW(reader.get<std::vector<double>>(), InternalError);
}

}  // namespace
}  // namespace fg

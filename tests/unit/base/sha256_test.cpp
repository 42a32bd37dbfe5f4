// SPDX-License-Identifier: BSD-3-Clause
//
// SHA-256 against the examples that NIST publishes for FIPS 180-4.
#include "base/sha256.hpp"

#include <gtest/gtest.h>

#include <string>

namespace fg::test {
namespace {

std::string digest(std::string_view text) {
  Sha256 sha;
  sha.add(text);
  return sha.hex();
}

// Origin: NIST, "Cryptographic Standards and Guidelines, Examples with Intermediate Values",
// SHA-256, and the NIST CAVP short message of length 0.
TEST(Sha256, GivesThePublishedDigests) {
  EXPECT_EQ(digest(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(digest("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(digest("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(digest(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, DoesNotDependOnHowTheTextIsSplit) {
  const std::string text(300, 'x');
  for (std::size_t cut = 0; cut <= text.size(); cut += 13) {
    Sha256 sha;
    sha.add(std::string_view(text).substr(0, cut));
    sha.add(std::string_view(text).substr(cut));
    EXPECT_EQ(sha.hex(), digest(text));
  }
}

TEST(Sha256, TakesNumbersAsLittleEndianBytes) {
  Sha256 number, bytes;
  number.add(std::uint64_t{0x0102030405060708});
  bytes.add(std::string_view("\x08\x07\x06\x05\x04\x03\x02\x01", 8));
  EXPECT_EQ(number.hex(), bytes.hex());
}

}  // namespace
}  // namespace fg::test

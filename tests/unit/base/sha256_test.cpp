// SPDX-License-Identifier: BSD-3-Clause
//
// SHA-256 against the examples that NIST publishes for FIPS 180-4.
#include "base/sha256.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "base/sha256_blocks.hpp"

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

TEST(Sha256, TakesManyNumbersAsOneByOne) {
  const std::vector<double> numbers{1, -2.5, 1e300, 0, -0.0, 3e-320, 7, 8, 9, 10, 11};
  Sha256 all, one_by_one;
  all.add(std::span<const double>(numbers));
  for (const double number : numbers) one_by_one.add(number);
  EXPECT_EQ(all.hex(), one_by_one.hex());
}

TEST(Sha256, TakesInBlocksAsTheReferenceDoes) {
  std::mt19937 random(1);
  for (const std::size_t count : {0, 1, 2, 3, 17}) {
    // Not at the beginning of a vector: callers have bytes of any kind.
    std::vector<std::byte> bytes(count * sha256::block_size + 1);
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random() & 0xff);
    sha256::State state;
    for (std::uint32_t& word : state) word = random();
    sha256::State expected = state;
    sha256::absorb(state, bytes.data() + 1, count);
    sha256::reference::absorb(expected, bytes.data() + 1, count);
    EXPECT_EQ(state, expected) << count << " blocks"
                               << (sha256::has_instructions() ? " by instructions" : "");
  }
}

}  // namespace
}  // namespace fg::test

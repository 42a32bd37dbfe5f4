// SPDX-License-Identifier: BSD-3-Clause
// A program whose headers are compiled for all tests.

int main() {
  return 0;
}

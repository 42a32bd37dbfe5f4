// SPDX-License-Identifier: BSD-3-Clause
//
// A life with a parameter of type FG_PARAMETER, which the test defines.
#include "runtime/runtime.hpp"

namespace fg {

struct Note : Message {
  int number;
};

class Reader : public Chare<Reader, 1> {
 public:
  void more() {}
  Task life(FG_PARAMETER note) {
    co_await when<&Reader::more>(0);
    sum += note->number;
  }
  int sum = 0;
};

void begin(const Array<Reader>& readers) {
  readers.at_ordinal(0).send<&Reader::life>(make_message<Note>());
}

}  // namespace fg

// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cstdint>

#include "runtime/runtime.hpp"

namespace fg {
namespace {

struct Pair {
  float a, b;
};
struct Text : Message {
  int length;
};

class Listener : public Chare<Listener, 2> {
 public:
  void nothing() { ++calls; }
  void number(std::int64_t n) { sum += static_cast<double>(n); }
  void real(double x) { sum += x; }
  void pair(Pair p) { sum += static_cast<double>(p.a) * 10 + static_cast<double>(p.b); }
  void text(Ref<const Text> m) { sum += m->length; }
  void text_by_reference(const Ref<const Text>& m) noexcept { sum += m->length; }
  void finish() { runtime().stop(); }

  int calls = 0;
  double sum = 0;
};

Array<Listener> make_listeners(Runtime& rt) {
  return rt.create_array<Listener>({2, 3}, block_map<2>({2, 3}, rt.pes()));
}

TEST(Entry, TakesNothingAValueOrAMessage) {
  Runtime rt({.pes = 1, .pin = false});
  const Array<Listener> listeners = make_listeners(rt);
  const Element<Listener> one = listeners[{1, 2}];
  one.send<&Listener::nothing>();
  one.send<&Listener::nothing>(Lane::high);
  one.send<&Listener::number>(7);
  one.send<&Listener::real>(0.5, Lane::urgent);
  one.send<&Listener::pair>(Pair{2, 3});
  const Ref<Text> message = make_message<Text>();
  message->length = 100;
  one.send<&Listener::text>(message);
  one.send<&Listener::text_by_reference>(message, Lane::low);
  rt.run_until_quiescent();
  EXPECT_EQ(listeners.object({1, 2}).calls, 2);
  EXPECT_EQ(listeners.object({1, 2}).sum, 7 + 0.5 + 23 + 200);
  EXPECT_EQ(listeners.object({0, 0}).calls, 0);
  EXPECT_TRUE(message->unique());
}

TEST(Entry, KnowsItsName) {
  EXPECT_NE(EntryOf<&Listener::number>::info.name.find("Listener::number"), std::string_view::npos)
      << EntryOf<&Listener::number>::info.name;
  EXPECT_NE(EntryOf<&Listener::text_by_reference>::info.name.find("Listener::text_by_reference"),
            std::string_view::npos);
}

TEST(Entry, IdsFollowNames) {
  const int count = number_entries();
  EXPECT_EQ(count, number_entries());
  for (int id = 0; id + 1 < count; ++id)
    EXPECT_LT(entry_with_id(id).name, entry_with_id(id + 1).name);
}

TEST(Array, ElementsKnowWhereTheyAre) {
  Runtime rt({.pes = 3, .pin = false});
  const Array<Listener> listeners = make_listeners(rt);
  EXPECT_EQ(listeners.size(), 6);
  EXPECT_EQ(listeners.core()->name, "Listener");
  for (int ordinal = 0; ordinal < 6; ++ordinal) {
    const Listener& object = listeners.object_at(ordinal);
    EXPECT_EQ(object.ordinal(), ordinal);
    EXPECT_EQ(object.index(), listeners.index(ordinal));
    EXPECT_EQ(object.pe(), listeners.pe_of(object.index()));
    EXPECT_EQ(&object.runtime(), &rt);
    EXPECT_EQ(listeners[object.index()], object.self());
  }
  EXPECT_EQ(listeners.core()->element_name(5), "Listener[1,2]");
}

template <class Argument>
struct Holder final : Chare<Holder<Argument>, 1> {};

TEST(Array, HasTheNameOfItsClassAlsoWithAnArgumentInANamespace) {
  Runtime rt({.pes = 1, .pin = false});
  const auto pe = [](const auto&) { return 0; };
  const std::string name = rt.create_array<Holder<fg::Runtime>>({1}, pe).core()->name;
  EXPECT_EQ(name, "Holder<fg::Runtime>");
}

TEST(Array, RefusesWhatDoesNotExist) {
  Runtime rt({.pes = 2, .pin = false});
  const Array<Listener> listeners = make_listeners(rt);
  EXPECT_THROW((listeners[{0, 3}]), InternalError);
  EXPECT_THROW((listeners[{-1, 0}]), InternalError);
  EXPECT_THROW(rt.create_array<Listener>({1, 1}, [](const auto&) { return 2; }), InternalError);
  EXPECT_THROW(Runtime({.pes = 0}), InputError);
  EXPECT_THROW(Listener{}, InternalError);  // outside a factory
}

}  // namespace
}  // namespace fg

// SPDX-License-Identifier: BSD-3-Clause
//
// The engine's JSON output, letter by letter, because other programs read these lines.
#include "app/json_lines.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <tuple>

#include "app/json.hpp"
#include "support/count_members.hpp"

namespace fg::app {
namespace {

TEST(Json, TextsAreEscaped) {
  EXPECT_EQ(to_json(std::string_view("plain")), R"("plain")");
  EXPECT_EQ(to_json(std::string_view("a \"b\" \\ c")), R"("a \"b\" \\ c")");
  EXPECT_EQ(to_json(std::string_view("two\nlines\tand \x01")), R"("two\nlines\tand \u0001")");
  EXPECT_EQ(to_json(std::string_view("Å of run ü")), "\"Å of run ü\"");
  EXPECT_EQ(to_json("a literal is a text"), R"("a literal is a text")");
}

TEST(Json, NumbersKeepTheirBitsAndTheirKind) {
  EXPECT_EQ(to_json(0.1), "0.1");
  EXPECT_EQ(to_json(300.0), "300.0");
  EXPECT_EQ(to_json(-0.0), "-0.0");
  EXPECT_EQ(to_json(1e300), "1e+300");
  EXPECT_EQ(to_json(7), "7");
  EXPECT_EQ(to_json(std::int64_t{1} << 60), "1152921504606846976");
  EXPECT_EQ(to_json(true), "true");
  for (const double number : {1.0 / 3.0, -39171.20438501, 5e-324, 1.7976931348623157e308})
    EXPECT_EQ(std::strtod(to_json(number).c_str(), nullptr), number);
}

TEST(Json, NanAndInfinityAreNull) {
  EXPECT_EQ(to_json(std::nan("")), "null");
  EXPECT_EQ(to_json(-std::numeric_limits<double>::infinity()), "null");
}

TEST(JsonLines, Started) {
  EXPECT_EQ(started_line(3, 2, "Open MPI v4"),
            R"({"started":{"ranks":3,"pes":2,"mpi":"Open MPI v4"}})");
}

TEST(JsonLines, ProgressWithNullForWhatWasNotMeasured) {
  Progress at{.step = 20, .steps = 100, .seconds = 0.5, .temperature_kelvin = 300.25};
  at.energy_drift = std::nan("");
  at.potential = -1.5;
  EXPECT_EQ(progress_line(at),
            R"({"progress":{"step":20,"steps":100,"seconds":0.5,"temperature":300.25,)"
            R"("energy_drift":null,"potential":-1.5,"kinetic":null,"pressure":null,)"
            R"("volume":null,"density":null,"evaluations":0,)"
            R"("largest_force":0.0,"total_energy":null,"residual":null,)"
            R"("fictitious_kinetic":null,"conserved_energy":null,"trouble":""}})");
}

TEST(JsonLines, ResultWithNullForWhatWasNotMeasured) {
  RunResult result{.steps = 60, .finished = true, .pes = 2, .ranks = 3, .atoms = 12};
  result.seconds = 1.5;
  result.temperature_kelvin = 300;
  result.state_digest = "ab";
  result.simd_target = "AVX2";
  result.bits = "fast";
  result.phases = {{.name = "mesh", .seconds = 0.25, .calls = 9, .share = 0.125}};
  result.warnings = {"the \"list\" is long"};
  EXPECT_EQ(result_line(result),
            R"({"result":{"steps":60,"finished":true,"pes":2,"ranks":3,"atoms":12,"seconds":1.5,)"
            R"("seconds_per_step":null,"ns_per_day":null,"energy_drift":null,"temperature":300.0,)"
            R"("potential":null,"kinetic":null,"pressure":null,"volume":null,)"
            R"("density":null,"total_energy":null,"residual":null,"fictitious_kinetic":null,)"
            R"("conserved_energy":null,"state_digest":"ab","went_on_from":"",)"
            R"("stopped_by":"",)"
            R"("simd_target":"AVX2","bits":"fast",)"
            R"("messages":0,"overhead_share":0.0,"idle_share":0.0,)"
            R"("load_imbalance":null,)"
            R"("phases":[{"name":"mesh","seconds":0.25,"calls":9,"share":0.125}],)"
            R"("parts":[],)"
            R"("warnings":["the \"list\" is long"]}})");
}

TEST(JsonLines, Energies) {
  EnergyResult result;
  result.terms = {{"bond", 1.5}, {"total", -2.0}};
  result.forces = {0, 0, 0, 0, 0, 0};
  result.virial[1] = 0.5;
  EXPECT_EQ(
      result_line(result, "a/forces"),
      R"({"result":{"energies":{"bond":1.5,"total":-2.0},)"
      R"("virial":[0.0,0.5,0.0,0.0,0.0,0.0],"dipole":[null,null,null],"net_force":[null,null,null],)"
      R"("atoms":2,"forces_file":"a/forces"}})");
}

TEST(JsonLines, IterationsAreThoseOfAnAbInitioRunOnly) {
  RunResult result;
  EXPECT_EQ(result_line(result).find("iterations"), std::string::npos);
  EXPECT_EQ(result_line(result).find("converged"), std::string::npos);
  result.iterations = 0;
  result.converged = false;
  EXPECT_NE(result_line(result).find(R"("iterations":0,"converged":false)"), std::string::npos);
}

template <class Report>
constexpr std::size_t figures_of = std::tuple_size_v<decltype(Report::figures())>;

TEST(Figures, NoMemberIsForgotten) {
  EXPECT_EQ(test::members_of<Progress>(), figures_of<Progress>);
  EXPECT_EQ(test::members_of<PhaseTime>(), figures_of<PhaseTime>);
  EXPECT_EQ(test::members_of<RunResult>(), figures_of<RunResult>);
  EXPECT_EQ(test::members_of<EnergyResult>(), figures_of<EnergyResult> + 1);  // the forces
}

template <class Report>
void expect_names_of_their_own() {
  std::set<std::string_view> names;
  for_each_figure<Report>([&](const auto& figure) {
    EXPECT_FALSE(figure.help.empty()) << figure.name;
    EXPECT_TRUE(names.insert(figure.name).second) << figure.name;
  });
}

TEST(Figures, EachHasANameOfItsOwnAndAMeaning) {
  expect_names_of_their_own<Progress>();
  expect_names_of_their_own<PhaseTime>();
  expect_names_of_their_own<RunResult>();
  expect_names_of_their_own<EnergyResult>();
}

TEST(JsonLines, AnErrorHasAllItsParts) {
  const NumericsError error({.what = "moved too far",
                             .where = "step 30, atom 5",
                             .value = "3 nm",
                             .limit = "0.1 nm",
                             .hint = "use a shorter time step"});
  EXPECT_EQ(error_line(error),
            R"({"error":{"kind":"numerics","what":"moved too far","where":"step 30, atom 5",)"
            R"("value":"3 nm","limit":"0.1 nm","hint":"use a shorter time step",)"
            R"("exit_status":3}})");
}

}  // namespace
}  // namespace fg::app

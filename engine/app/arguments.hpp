// SPDX-License-Identifier: BSD-3-Clause
//
// The words of the engine's command line: those of RunOptions, and those of the command alone.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "records/options/run_options.hpp"

namespace fg::app {

struct Arguments {
  RunOptions run;
  bool overwrite = false;
  bool quiet = false;
  bool energy = false;
  std::string forces;
  std::int64_t ranks = -1;  // -1: any number
  bool json = false;
  bool stop_at_eof = false;
  bool help = false;
  bool version = false;

  static constexpr auto options() {
    using A = Arguments;
    return std::tuple{
        Option{"--overwrite", "", &A::overwrite,
               "replace the results of an earlier run there, or the file of --forces"},
        Option{"--quiet", "", &A::quiet, "no progress lines"},
        Option{"--energy", "", &A::energy, "evaluate once and print the energies by term"},
        Option{"--forces", "FILE", &A::forces,
               "write the forces there: kJ/mol/nm, 64-bit floats, x y z of each atom"},
        Option{"--ranks", "N", &A::ranks, "refuse to run in another number of processes"},
        Option{"--json", "", &A::json, "report in JSON, one line per event, on standard output"},
        Option{"--stop-at-eof", "", &A::stop_at_eof,
               "stop, with a checkpoint, when standard input ends"},
        Option{"--help", "", &A::help, "print this text"},
        Option{"--version", "", &A::version, "print the version"}};
  }
};

/// Throws InputError for what it does not know, and for what cannot be.
Arguments parse(const std::vector<std::string_view>& words);

std::string usage();

}  // namespace fg::app

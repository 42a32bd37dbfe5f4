// SPDX-License-Identifier: BSD-3-Clause
//
// A job is read as it was written, and damaged or impossible jobs are refused.
#include "records/job/job.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <random>

#include "base/error.hpp"
#include "job_file.hpp"
#include "records/files/files.hpp"
#include "records/files/seal.hpp"

namespace fg {
namespace {

using test::loaded, test::refusal, test::TestFolder;

TEST(Job, IsReadAsItWasWritten) {
  const Job job = loaded();
  EXPECT_EQ(job.title, "two waters and an ion");
  EXPECT_EQ(job.atoms.size(), 7);
  EXPECT_EQ(job.box, (Box{.edge = {24, 26, 28}}));
  EXPECT_EQ(job.atoms.position[6], (Vec3{20, 3, 3}));
  EXPECT_DOUBLE_EQ(job.atoms.velocity[1].z, 5e-4);
  EXPECT_EQ(job.atoms.element[6], "Ar");
  EXPECT_EQ(job.residues.name[2], "AR");
  ASSERT_EQ(job.terms.of<ExceptionPair>().size(), 7u);
  EXPECT_EQ(job.terms.of<ExceptionPair>()[6].charge_product, 0.1);
  ASSERT_EQ(job.terms.of<PeriodicTorsion>().size(), 1u);
  EXPECT_EQ(job.terms.of<PeriodicTorsion>()[0].periodicity, 2);
  EXPECT_EQ(job.terms.of<PeriodicTorsion>()[0].atoms, (std::array<std::int32_t, 4>{0, 1, 3, 6}));
  ASSERT_EQ(job.terms.of<HarmonicTorsion>().size(), 1u);
  EXPECT_EQ(job.terms.of<HarmonicTorsion>()[0].angle, -3);
  ASSERT_EQ(job.terms.of<Cmap>().size(), 2u);
  EXPECT_EQ(job.terms.of<Cmap>()[0].map, 1);
  EXPECT_EQ(job.terms.shared<Cmap>().size, (std::vector<std::int32_t>{2, 3}));
  EXPECT_EQ(job.terms.shared<Cmap>().energy[12], 8);
  ASSERT_EQ(job.topology.waters.size(), 2u);
  EXPECT_EQ(job.topology.waters[1].r_hh, 2.86);
  EXPECT_EQ(job.settings.mesh, (Int3{16, 18, 20}));
  EXPECT_EQ(job.settings.precision, Precision::double_precision);
  EXPECT_EQ(job.settings.patch_grid, (Int3{2, 2, 1}));
  EXPECT_EQ(job.dynamics.integrator, IntegratorKind::langevin);
  EXPECT_EQ(job.dynamics.seed, 42u);
  EXPECT_EQ(job.dynamics.constraint_tolerance, 1e-10);
}

TEST(Job, TablesOfTermsMayBeMissing) {
  const Job job = loaded([](hid_t file) {
    for (const char* name : {"bonds", "angles", "torsions", "harmonic_torsions", "cmaps",
                             "cmap_maps", "exceptions", "constraints", "waters"})
      test::remove_object(file, name);
  });
  EXPECT_TRUE(job.terms.of<HarmonicBond>().empty());
  EXPECT_TRUE(job.topology.waters.empty());
}

TEST(Job, AtomsAreNamedForPeople) {
  const Job job = loaded();
  EXPECT_EQ(describe_atom(job, 4), "atom 5 (H1 of HOH 2, chain A)");
  EXPECT_EQ(describe_atom(job, 6), "atom 7 (AR of AR 3)");
}

TEST(Job, DigestCoversWhatDecidesTheTrajectory) {
  const std::string digest = job_digest(loaded());
  EXPECT_EQ(digest.size(), 64u);
  EXPECT_EQ(digest, job_digest(loaded()));
  EXPECT_EQ(digest, job_digest(loaded([](hid_t file) {
              test::set_number(file, "/dynamics", "steps", 100000);
              test::set_text(file, "/", "title", "another");
            })));
  EXPECT_NE(
      digest,
      job_digest(loaded([](hid_t file) { test::set_number(file, "/dynamics", "seed", 43); })));
  EXPECT_NE(
      digest,
      job_digest(loaded([](hid_t file) { test::set_value(file, "/atoms/charge", 6, 1e-9); })));
  EXPECT_NE(digest, job_digest(loaded([](hid_t file) {
              test::set_value(file, "/cmap_maps/energy", 3, 3.1e-3);
            })));
}

void set_box(hid_t file, const std::vector<double>& numbers) {
  test::remove_object(file, "/box");
  h5::write_array(file, "box", numbers.data(), {numbers.size()}, "job");
}

TEST(Job, ACellMayBeTilted) {
  const auto box_of = [](std::vector<double> numbers) {
    return loaded([&](hid_t file) { set_box(file, numbers); });
  };
  const Job job = box_of({24, 26, 28, 5, -6, 0.5});
  EXPECT_EQ(job.box, (Box{.edge = {24, 26, 28}, .tilt = {5, -6, 0.5}}));
  EXPECT_NE(job_digest(job), job_digest(box_of({24, 26, 28, 5, -6, -0.5})));
  EXPECT_EQ(job_digest(box_of({24, 26, 28, 0, 0, 0})), job_digest(loaded()));
}

TEST(Job, ACellThatCannotBeUsedIsRefused) {
  const auto with = [](std::vector<double> numbers, bool vacuum = false) {
    return refusal([&](hid_t file) {
      set_box(file, numbers);
      if (!vacuum) return;
      test::set_text(file, "/settings", "electrostatics", "plain");
      test::set_number(file, "/settings", "periodic", 0);
    });
  };
  const auto expect = [](const std::string& text, const char* expected) {
    EXPECT_NE(text.find(expected), std::string::npos) << expected << "\n got: " << text;
  };
  expect(with({24, 26}), "neither 3 edges nor 3 edges and 3 tilts");
  expect(with({24, 26, 28, 1}), "neither 3 edges nor 3 edges and 3 tilts");
  expect(with({24, 26, 28, 12.2, 0, 0}), "not reduced: its tilt xy");
  expect(with({24, 26, 28, 0, -12.2, 0}), "not reduced: its tilt xz");
  expect(with({24, 26, 28, 0, 0, std::nan("")}), "not reduced: its tilt yz");
  expect(with({24, 26, 28, 0, 0, 1}, true), "without periodic images is tilted");
  // Patches and cutoffs are limited by widths: here that along x is 18.5, the edge is 24.
  expect(with({24, 26, 28, 12, -12, 13}), "patch width");
}

TEST(Job, KindsWithoutTermsAddNothingToTheDigest) {
  const auto without = [](bool maps_too) {
    return job_digest(loaded([&](hid_t file) {
      test::remove_object(file, "harmonic_torsions");
      test::remove_object(file, "cmaps");
      if (maps_too) test::remove_object(file, "cmap_maps");
    }));
  };
  EXPECT_EQ(without(true), without(false));
  EXPECT_NE(without(true), job_digest(loaded()));
}

TEST(Job, RefusalsNameThePlaceAndTheRemedy) {
  using test::remove_object, test::set_number, test::set_text, test::set_value;
  struct Case {
    const char* expected;
    std::function<void(hid_t)> change;
  };
  const double nan = std::nan("");
  const std::vector<Case> cases{
      {"not a finegrain job", [](hid_t f) { set_text(f, "/", "format", "other"); }},
      {"another version", [](hid_t f) { set_number(f, "/", "version", 2); }},
      {"'quantum'", [](hid_t f) { set_text(f, "/", "kind", "quantum"); }},
      {"/atoms/mass: the file lacks", [](hid_t f) { remove_object(f, "/atoms/mass"); }},
      {"atom 2 (H1 of HOH 1, chain A): unusable mass",
       [](hid_t f) { set_value(f, "/atoms/mass", 1, 0); }},
      {"unusable mass", [](hid_t f) { set_value(f, "/atoms/mass", 1, -1); }},
      {"unusable position", [=](hid_t f) { set_value(f, "/atoms/position", 4, nan); }},
      {"unusable velocity", [=](hid_t f) { set_value(f, "/atoms/velocity", 4, nan); }},
      {"unusable charge", [=](hid_t f) { set_value(f, "/atoms/charge", 0, nan); }},
      {"unusable epsilon", [](hid_t f) { set_value(f, "/atoms/epsilon", 0, -1e-4); }},
      {"unusable residue", [](hid_t f) { set_value(f, "/atoms/residue", 0, 3); }},
      {"/box: 'box edge'", [](hid_t f) { set_value(f, "/box", 1, 0); }},
      {"names an atom that does not exist", [](hid_t f) { set_value(f, "/bonds/atoms", 1, 7); }},
      {"names an atom that does not exist", [](hid_t f) { set_value(f, "/angles/atoms", 1, -1); }},
      {"names an atom twice", [](hid_t f) { set_value(f, "/torsions/atoms", 1, 0); }},
      {"'angle' is out of range",
       [](hid_t f) { set_value(f, "/harmonic_torsions/angle", 0, 180); }},
      {"names an atom twice", [](hid_t f) { set_value(f, "/cmaps/atoms", 1, 0); }},
      {"/cmap_maps: a CMAP term names a map that does not exist",
       [](hid_t f) { set_value(f, "/cmaps/map", 0, 2); }},
      {"'map' is out of range", [](hid_t f) { set_value(f, "/cmaps/map", 0, -1); }},
      {"a CMAP table of this size", [](hid_t f) { set_value(f, "/cmap_maps/size", 0, 1); }},
      {"a CMAP table of this size", [](hid_t f) { set_value(f, "/cmap_maps/size", 1, 361); }},
      {"the wrong number of energies", [](hid_t f) { set_value(f, "/cmap_maps/size", 1, 4); }},
      {"an energy of a CMAP table", [=](hid_t f) { set_value(f, "/cmap_maps/energy", 1, nan); }},
      {"/cmap_maps/energy: the file lacks", [](hid_t f) { remove_object(f, "/cmap_maps/energy"); }},
      {"names a map that does not exist", [](hid_t f) { remove_object(f, "/cmap_maps"); }},
      {"two exceptions", [](hid_t f) { set_value(f, "/exceptions/atoms", 3, 1); }},
      {"crosses two fragments", [](hid_t f) { set_value(f, "/constraints/atoms", 1, 6); }},
      {"do not form a triangle", [](hid_t f) { set_value(f, "/waters/r_hh", 0, 4); }},
      {"/bonds/length: the file lacks", [](hid_t f) { remove_object(f, "/bonds/length"); }},
      {"'cutoff' is missing",
       [](hid_t f) { H5Adelete_by_name(f, "/settings", "cutoff", H5P_DEFAULT); }},
      {"half the smallest width of the box",
       [](hid_t f) {
         set_number(f, "/settings", "list_cutoff", 12.6);
         set_number(f, "/settings", "inner_list_cutoff", 12.5);
         set_number(f, "/settings", "cutoff", 12.1);
       }},
      {"'inner_list_cutoff' is out", [](hid_t f) { set_number(f, "/settings", "cutoff", 10.5); }},
      {"patch width", [](hid_t f) { set_number(f, "/settings", "list_cutoff", 12.5); }},
      {"unknown spline order", [](hid_t f) { set_number(f, "/settings", "spline_order", 7); }},
      {"'ewald_coefficient'", [](hid_t f) { set_number(f, "/settings", "ewald_coefficient", 0); }},
      {"needs a periodic box", [](hid_t f) { set_number(f, "/settings", "periodic", 0); }},
      {"one of 'plain', 'pme', 'reaction-field'",
       [](hid_t f) { set_text(f, "/settings", "electrostatics", "ewald"); }},
      {"needs a time step", [](hid_t f) { set_number(f, "/dynamics", "timestep", 0); }},
      {"'temperature'", [=](hid_t f) { set_number(f, "/dynamics", "temperature", nan); }},
      {"'steps'", [](hid_t f) { set_number(f, "/dynamics", "steps", -1); }},
  };
  for (const Case& one : cases) {
    const std::string text = refusal(one.change);
    EXPECT_NE(text.find(one.expected), std::string::npos) << one.expected << "\n got: " << text;
  }
}

TEST(Job, TypesOfLennardJonesAreReadAndDecideTheDigest) {
  const Job job = loaded(test::add_lennard_jones_types);
  EXPECT_EQ(job.lennard_jones_types.count, 3);
  EXPECT_EQ(job.lennard_jones_types.sigma[2], 6.2);
  const std::string digest = job_digest(job);
  EXPECT_NE(digest, job_digest(loaded()));
  EXPECT_NE(digest, job_digest(loaded([](hid_t file) {
              test::add_lennard_jones_types(file);
              for (const std::size_t pair : {2, 6})
                test::set_value(file, "/lennard_jones_types/epsilon", pair, 2e-4);
            })));
}

TEST(Job, TypesOfLennardJonesThatCannotBeUsedAreRefused) {
  const auto with = [](const char* what, std::size_t place, double value) {
    return refusal([=](hid_t file) {
      test::add_lennard_jones_types(file);
      test::set_value(file, (std::string("/lennard_jones_types/") + what).c_str(), place, value);
    });
  };
  EXPECT_NE(with("of_atom", 3, 3).find("atom 4 (O of HOH 2, chain A): its type does not exist"),
            std::string::npos);
  EXPECT_NE(with("of_atom", 3, -1).find("its type does not exist"), std::string::npos);
  EXPECT_NE(with("sigma", 0, std::nan("")).find("'sigma of types 0 and 0' is out of range"),
            std::string::npos);
  EXPECT_NE(with("epsilon", 0, -1).find("'epsilon of types 0 and 0' is out of range"),
            std::string::npos);
  EXPECT_NE(with("epsilon", 2, 2e-4).find("not symmetric: of types 0 and 2"), std::string::npos);
  for (const char* name : {"of_atom", "sigma", "epsilon"}) {
    const std::string object = std::string("/lennard_jones_types/") + name;
    EXPECT_NE(refusal([&](hid_t file) {
                test::add_lennard_jones_types(file);
                test::remove_object(file, object.c_str());
              }).find(object),
              std::string::npos);
  }
}

TEST(Job, WhatIsSwitchedDecidesTheDigest) {
  const std::string digest = job_digest(loaded());
  EXPECT_NE(digest, job_digest(loaded([](hid_t file) {
              test::set_text(file, "/settings", "switching", "force");
            })));
  // Older jobs do not say it.
  EXPECT_EQ(digest, job_digest(loaded([](hid_t file) {
              H5Adelete_by_name(file, "/settings", "switching", H5P_DEFAULT);
            })));
}

TEST(Job, TheInfluenceFunctionDecidesTheDigestUnlessItIsThatOfSmoothPme) {
  const auto with = [](const char* word) {
    return [=](hid_t file) {
      const auto group = h5::group(H5Gopen2(file, "settings", H5P_DEFAULT));
      h5::write_text(group.get(), "influence_function", word, "job");
    };
  };
  // Older jobs do not say it.
  EXPECT_EQ(loaded().settings.influence, InfluenceFunction::smooth);
  EXPECT_EQ(job_digest(loaded()), job_digest(loaded(with("smooth"))));
  const Job optimal = loaded(with("optimal"));
  EXPECT_EQ(optimal.settings.influence, InfluenceFunction::optimal);
  EXPECT_NE(job_digest(loaded()), job_digest(optimal));
  EXPECT_NE(refusal(with("best")).find("'influence_function'"), std::string::npos);
}

TEST(Job, HowOftenTheMeshIsEvaluatedDecidesTheDigestUnlessItIsAlways) {
  const auto with = [](std::int64_t interval, const char* other = nullptr, double value = 0) {
    return [=](hid_t file) {
      const auto group = h5::group(H5Gopen2(file, "dynamics", H5P_DEFAULT));
      h5::write_number<std::int64_t>(group.get(), "long_range_interval", interval, "job");
      if (!other) return;
      const std::string name = other;
      test::set_number(file, name == "rebuild_interval" ? "/settings" : "/dynamics", other, value);
    };
  };
  const std::string always = job_digest(loaded());
  EXPECT_EQ(loaded().dynamics.long_range_interval, 1);
  EXPECT_EQ(loaded(with(2)).dynamics.long_range_interval, 2);
  EXPECT_EQ(job_digest(loaded(with(1))), always);
  EXPECT_NE(job_digest(loaded(with(2))), always);
  EXPECT_NE(refusal(with(0)).find("'long_range_interval' is out of range"), std::string::npos);
  EXPECT_NE(refusal(with(5)).find("'long_range_interval' is out of range"), std::string::npos);
  for (const char* name : {"rebuild_interval", "energy_interval", "trajectory_interval"}) {
    const std::string text = refusal(with(2, name, 25));
    EXPECT_NE(text.find(std::string("take ") + name + " = 26"), std::string::npos) << text;
  }
  const std::string text = refusal(with(2, "steps", 101));
  EXPECT_NE(text.find("take 100 or 102 steps"), std::string::npos) << text;
  const std::string idle = refusal([&](hid_t file) {
    with(2)(file);
    test::set_text(file, "/settings", "electrostatics", "reaction-field");
  });
  EXPECT_NE(idle.find("without particle-mesh Ewald"), std::string::npos) << idle;
}

TEST(Job, HowOftenPairsAreEvaluatedDecidesTheDigestUnlessItIsAlways) {
  struct Intervals {
    std::int64_t pairs, mesh;
  };
  const auto with = [](const Intervals& every, const char* other = nullptr, double value = 0) {
    return [=](hid_t file) {
      const auto group = h5::group(H5Gopen2(file, "dynamics", H5P_DEFAULT));
      h5::write_number<std::int64_t>(group.get(), "pair_interval", every.pairs, "job");
      h5::write_number<std::int64_t>(group.get(), "long_range_interval", every.mesh, "job");
      test::set_number(file, "/settings", "rebuild_interval", 24);
      test::set_number(file, "/settings", "prune_interval", 4);
      test::set_number(file, "/dynamics", "energy_interval", 12);
      test::set_number(file, "/dynamics", "trajectory_interval", 24);
      if (!other) return;
      const std::string name = other;
      test::set_number(file, name == "prune_interval" ? "/settings" : "/dynamics", other, value);
    };
  };
  const Job job = loaded(with({2, 4}));
  EXPECT_EQ(job.dynamics.pair_interval, 2);
  EXPECT_EQ(job.dynamics.long_range_interval, 4);
  const std::string always = job_digest(loaded(with({1, 4})));
  EXPECT_NE(job_digest(job), always);
  EXPECT_NE(job_digest(loaded(with({2, 2}))), job_digest(loaded(with({1, 2}))));
  EXPECT_EQ(always, job_digest(loaded([&](hid_t file) {
              with({1, 4})(file);
              const auto group = h5::group(H5Gopen2(file, "dynamics", H5P_DEFAULT));
              H5Adelete(group.get(), "pair_interval");
            })));
  EXPECT_NE(refusal(with({0, 4})).find("'pair_interval' is out of range"), std::string::npos);
  EXPECT_NE(refusal(with({5, 4})).find("'pair_interval' is out of range"), std::string::npos);
  const std::string beside = refusal(with({2, 3}));
  EXPECT_NE(beside.find("on steps without pair forces"), std::string::npos) << beside;
  EXPECT_NE(beside.find("long_range_interval = 3"), std::string::npos) << beside;
  EXPECT_NE(beside.find("a multiple of pair_interval = 2"), std::string::npos) << beside;
  EXPECT_NE(beside.find("take long_range_interval = 2"), std::string::npos) << beside;
  const std::string prune = refusal(with({2, 4}, "prune_interval", 3));
  EXPECT_NE(prune.find("pair forces are not evaluated on these steps"), std::string::npos) << prune;
  EXPECT_NE(prune.find("take prune_interval = 4"), std::string::npos) << prune;
  const std::string plain = refusal([&](hid_t file) {
    with({4, 1}, "energy_interval", 6)(file);
    test::set_text(file, "/settings", "electrostatics", "reaction-field");
  });
  EXPECT_NE(plain.find("a multiple of pair_interval = 4"), std::string::npos) << plain;
  EXPECT_NE(plain.find("take energy_interval = 8"), std::string::npos) << plain;
}

TEST(Job, PortableBitsAreInTheDigest) {
  const auto with = [](const char* bits) {
    return [bits](hid_t file) {
      const auto group = h5::group(H5Gopen2(file, "settings", H5P_DEFAULT));
      h5::write_text(group.get(), "bits", bits, "job");
    };
  };
  const Job old = loaded();  // does not say it
  EXPECT_EQ(old.settings.bits, Bits::fast);
  EXPECT_EQ(job_digest(old), job_digest(loaded(with("fast"))));
  const Job portable = loaded(with("portable"));
  EXPECT_EQ(portable.settings.bits, Bits::portable);
  EXPECT_NE(job_digest(old), job_digest(portable));
  EXPECT_NE(refusal(with("exact")).find("bits"), std::string::npos);
}

TEST(Job, TheVirialOfTheDispersionIsThatOfTheEnergyUnlessTheJobSaysSo) {
  const auto with = [](double virial) {
    return loaded([virial](hid_t file) {
      const auto group = h5::group(H5Gopen2(file, "settings", H5P_DEFAULT));
      h5::write_number<double>(group.get(), "dispersion_virial", virial, "job");
    });
  };
  const Job old = loaded();
  EXPECT_EQ(old.settings.dispersion_virial, old.settings.dispersion_coefficient);
  EXPECT_EQ(with(-1.1).settings.dispersion_virial, -1.1);
  EXPECT_EQ(job_digest(old), job_digest(with(old.settings.dispersion_coefficient)));
  EXPECT_NE(job_digest(old), job_digest(with(-1.1)));
}

TEST(Job, MissingFileAndFolderAreInputErrors) {
  const TestFolder folder;
  EXPECT_THROW(load_job(folder / "nothing.h5"), InputError);
  EXPECT_THROW(load_job(folder / ""), InputError);
}

TEST(Job, EveryTruncationIsRefused) {
  const TestFolder folder;
  test::write_job_file(folder / "job.h5");
  const std::vector<std::byte> whole = read_whole_file(folder / "job.h5");
  for (std::size_t size = 0; size < whole.size(); size += 1 + whole.size() / 97) {
    replace_file(folder / "cut.h5", std::span(whole).first(size));
    EXPECT_THROW(load_job(folder / "cut.h5"), InputError) << size << " bytes";
  }
}

TEST(Job, DamageToASealedJobIsRefused) {
  const TestFolder folder;
  test::write_job_file(folder / "job.h5");
  std::vector<std::byte> whole = read_whole_file(folder / "job.h5");
  const std::size_t contents = whole.size();
  add_seal(whole);
  replace_file(folder / "job.h5", whole);
  EXPECT_EQ(load_job(folder / "job.h5").atoms.size(), 7);
  std::mt19937_64 random(7);
  for (int trial = 0; trial < 300; ++trial) {
    std::vector<std::byte> damaged = whole;
    damaged[random() % contents] ^= static_cast<std::byte>(1u << (random() % 8));
    replace_file(folder / "damaged.h5", damaged);
    EXPECT_THROW(load_job(folder / "damaged.h5"), InputError);
  }
}

}  // namespace
}  // namespace fg

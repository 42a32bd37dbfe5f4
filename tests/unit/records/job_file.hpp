// SPDX-License-Identifier: BSD-3-Clause
//
// A small complete job file for tests, written with HDF5's C interface in the same form as Python
// writes it, and a folder that is removed when the test ends.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "records/hdf5/hdf5.hpp"
#include "records/job/job.hpp"

namespace fg::test {

/// A folder for one test, below the system's folder for temporary files.
class TestFolder {
 public:
  TestFolder();
  ~TestFolder();
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

/// Two rigid waters and an ion; seven atoms. `change` may damage the open file before it is closed.
void write_job_file(const std::string& path, const std::function<void(hid_t)>& change = {});

/// The same, written and loaded.
Job loaded(const std::function<void(hid_t)>& change = {});

/// The message of the InputError that this change of a good file causes, or "accepted".
std::string refusal(const std::function<void(hid_t)>& change);

/// Adds a table of three Lennard-Jones types of the seven atoms.
void add_lennard_jones_types(hid_t file);

/// Replaces one attribute by a number or a text, or one value of a table.
void set_number(hid_t file, const char* object, const char* name, double value);
void set_text(hid_t file, const char* object, const char* name, const std::string& value);
void set_value(hid_t file, const char* table, std::size_t index, double value);
void remove_object(hid_t file, const char* object);

}  // namespace fg::test

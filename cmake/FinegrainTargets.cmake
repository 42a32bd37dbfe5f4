# One call per module, per test and per benchmark, so that a folder's build file only lists its files.
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)

# Contraction into fused multiply-adds is off so that a sum has the same bits whichever function the
# compiler inlines it into; the SIMD kernels ask for MulAdd by name.
add_library(fg_options INTERFACE)
target_include_directories(fg_options INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/engine>)
target_compile_features(fg_options INTERFACE cxx_std_20)
set(flags -Wall -Wextra -Wno-missing-field-initializers -Wno-psabi -ffp-contract=off -fno-math-errno)
if(FG_WERROR)
  list(APPEND flags -Werror)
endif()
target_compile_options(fg_options INTERFACE $<BUILD_INTERFACE:${flags}>)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
  # Highway's NEON includes the instructions for AES. Constructors that the compiler makes for structs of
  # vectors have only the instructions of plain code, and have to be able to inline Highway's functions.
  include(CheckCXXSourceCompiles)
  check_cxx_source_compiles("#ifndef __ARM_FEATURE_CRYPTO\n#error\n#endif\nint main() {}" FG_PLAIN_CODE_WITH_AES)
  if(NOT FG_PLAIN_CODE_WITH_AES)
    target_compile_options(fg_options INTERFACE $<BUILD_INTERFACE:-march=armv8-a+crypto>)
  endif()
endif()
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # Kernels for processors whose SVE has 256 bits (base/sized_vectors-inl.hpp) need to know it. The
  # option also concerns plain code, if that may use SVE at all; then these kernels are left out.
  include(CheckCXXSourceCompiles)
  check_cxx_source_compiles("#ifdef __ARM_FEATURE_SVE\n#error\n#endif\nint main() {}" FG_PLAIN_CODE_WITHOUT_SVE)
  if(FG_PLAIN_CODE_WITHOUT_SVE)
    target_compile_options(fg_options INTERFACE $<BUILD_INTERFACE:-msve-vector-bits=256>)
    target_compile_definitions(fg_options INTERFACE $<BUILD_INTERFACE:FG_SVE_256>)
  endif()
endif()
if(FG_SANITIZE)
  # Tests for null at each access and of types at each cast take two fifths of the compiler's time. The address
  # sanitizer, too, ends a program that uses a null pointer.
  # GCC then warns of values that are not initialised where they are.
  target_compile_options(
    fg_options INTERFACE -fsanitize=${FG_SANITIZE} -fno-sanitize=null,vptr -fno-omit-frame-pointer
                         -Wno-maybe-uninitialized
  )
  target_link_options(fg_options INTERFACE -fsanitize=${FG_SANITIZE})
endif()

# fg_add_module(NAME SOURCES files... NEEDS modules... LIBRARIES targets...)
function(fg_add_module name)
  cmake_parse_arguments(ARG "" "" "SOURCES;NEEDS;LIBRARIES" ${ARGN})
  add_library(fg_${name} STATIC ${ARG_SOURCES})
  set_target_properties(fg_${name} PROPERTIES LINKER_LANGUAGE CXX)
  target_link_libraries(fg_${name} PUBLIC fg_options Threads::Threads ${ARG_LIBRARIES})
  foreach(need IN LISTS ARG_NEEDS)
    target_link_libraries(fg_${name} PUBLIC fg_${need})
  endforeach()
endfunction()

# The target finegrain-tests builds all tests, finegrain-tests-KIND those of one kind (also of the kind simd).
function(fg_list_test target kind)
  foreach(list IN ITEMS finegrain-tests finegrain-tests-${kind})
    if(NOT TARGET ${list})
      add_custom_target(${list})
    endif()
    add_dependencies(${list} ${target})
  endforeach()
endfunction()

# Headers of GoogleTest and of the standard library take half the time of compiling a test. They are read once
# for each kind of test, because kinds differ in the options of the compiler, and all tests of the kind take over
# what it has kept of them.
function(fg_reuse_test_headers target kind)
  set(headers fg_test_headers_${kind})
  if(NOT TARGET ${headers})
    add_executable(${headers} EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/tests/support/precompiled/main.cpp)
    target_link_libraries(${headers} PRIVATE fg_options GTest::gmock GTest::gtest)
    target_precompile_headers(${headers} PRIVATE ${PROJECT_SOURCE_DIR}/tests/support/precompiled/headers.hpp)
  endif()
  target_precompile_headers(${target} REUSE_FROM ${headers})
  if(FG_CCACHE)  # which would otherwise compile such a source each time
    set(launcher ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${FG_CCACHE})
    set_target_properties(${target} PROPERTIES CXX_COMPILER_LAUNCHER "${launcher}")
  endif()
endfunction()

# fg_label_by_text(LIST LABEL REGEX sources...) appends the label if any of the sources has such a text.
function(fg_label_by_text labels label regex)
  foreach(source IN LISTS ARGN)
    file(STRINGS ${source} found REGEX "${regex}" LIMIT_COUNT 1)
    if(found)
      set(${labels} ${${labels}} ${label} PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

# fg_add_test(NAME KIND SOURCES files... NEEDS modules... [ALSO kinds...]) makes one GoogleTest binary; KIND
# (unit, property, reference, parallel) and those of ALSO become its ctest labels. Tests that run on every
# SIMD target (tests/support/each_simd_target.hpp) also have the label simd; the label arm64 means that the
# test is worth its time in an emulator, too. Tests that speak of threads or of several PEs have the label
# threads: these and those of the kind parallel run with the thread sanitizer. With NUMBERS a test is about
# numbers alone: other tests have the same threads, and the thread sanitizer does not run this one.
function(fg_add_test name kind)
  cmake_parse_arguments(ARG "NUMBERS" "TIMEOUT" "SOURCES;NEEDS;LIBRARIES;ALSO" ${ARGN})
  if(ARG_NUMBERS AND FG_SANITIZE MATCHES thread)
    return()
  endif()
  find_package(GTest REQUIRED)
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE fg_options GTest::gmock GTest::gtest GTest::gtest_main ${ARG_LIBRARIES})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  fg_reuse_test_headers(${name} ${kind})
  foreach(need IN LISTS ARG_NEEDS)
    target_link_libraries(${name} PRIVATE fg_${need})
  endforeach()
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 120)
  endif()
  if(FG_SANITIZE)
    math(EXPR ARG_TIMEOUT "10 * ${ARG_TIMEOUT}")
  elseif(CMAKE_CROSSCOMPILING)  # an emulator takes over 20 minutes for a ground state with SVE
    math(EXPR ARG_TIMEOUT "30 * ${ARG_TIMEOUT}")
  endif()
  add_test(NAME ${name} COMMAND ${name})
  set(labels ${kind} ${ARG_ALSO})
  fg_label_by_text(labels simd "FG_ON_EACH_SIMD_TARGET" ${ARG_SOURCES})
  fg_label_by_text(labels threads "thread|pes = [2-9]" ${ARG_SOURCES})
  foreach(label IN LISTS labels)
    fg_list_test(${name} ${label})
  endforeach()
  set_tests_properties(${name} PROPERTIES LABELS "${labels}" TIMEOUT ${ARG_TIMEOUT})
endfunction()

# fg_try_more_orders(TARGET SEEDS) runs a test of the order of messages (tests/support/random_orders.hpp) with
# more seeds every night.
function(fg_try_more_orders target seeds)
  add_test(NAME ${target}_${seeds}_seeds COMMAND ${target})
  set_tests_properties(${target}_${seeds}_seeds PROPERTIES LABELS nightly TIMEOUT 3600
                                                           ENVIRONMENT "FINEGRAIN_ORDER_SEEDS=${seeds}")
endfunction()

# fg_test_in_processes(TARGET KIND MPI arguments...) starts a program by mpiexec in 1, 2 and 3 processes,
# on any number of cores; one named *_processes_* also in 2 processes that share no memory. In 1
# process no test of the name SeveralProcesses.* runs.
# With Open MPI all of these have the label KIND; with MPICH only the run in 2 processes has it, and
# the others have the label nightly. Tests of the order of messages, *_order_*, have the label KIND in
# 2 and 3 processes with Open MPI; the others try more seeds every night. With LONG, too, only 2 and 3
# processes with Open MPI have the label KIND, and the program for MPICH is not built before the night.
# A sanitizer takes 2 and 3 processes; 2 of those with LONG, and 2 that share no memory with Open MPI only.
function(fg_test_in_processes target kind mpi)
  cmake_parse_arguments(ARG "LONG" "" "" ${ARGN})
  if(NOT (ARG_LONG AND mpi STREQUAL mpich))
    fg_list_test(${target} ${kind})
  endif()
  find_program(FG_MPIEXEC_${mpi} mpiexec.${mpi} REQUIRED)
  set(options "")
  if(mpi STREQUAL openmpi)
    set(options --oversubscribe --bind-to none)
  endif()
  # Containers often have no user but root; Open MPI needs these variables then.
  set(environment "OMPI_ALLOW_RUN_AS_ROOT=1;OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1")
  if(FG_SANITIZE)
    # UCX, below MPICH, replaces calls that a sanitizer intercepts before a thread is known to it.
    list(APPEND environment "UCX_MEM_EVENTS=no" "UCX_MEM_MMAP_HOOK_MODE=none")
    # A leak in a library that MPI has unloaded could not be told from one of ours.
    target_sources(${target} PRIVATE ${PROJECT_SOURCE_DIR}/tests/support/keep_libraries.cpp)
    target_link_options(${target} PRIVATE LINKER:--export-dynamic-symbol=dlclose)
  endif()
  set(timeout 300)
  if(FG_SANITIZE)
    set(timeout 1500)
  endif()
  set(cases 1 2 3)
  if(FG_SANITIZE)
    set(cases 2)
    if(NOT ARG_LONG)
      list(APPEND cases 3)
    endif()
  endif()
  if(target MATCHES "_processes_")
    list(APPEND cases 2_apart)
  endif()
  foreach(processes IN LISTS cases)
    set(test ${target}_${processes})
    if(processes STREQUAL 2_apart)  # as on two hosts, which share no memory
      set(processes 2)
      list(APPEND environment "FG_TEST_APART=1")
    endif()
    add_test(NAME ${test} COMMAND ${FG_MPIEXEC_${mpi}} ${options} -n ${processes} $<TARGET_FILE:${target}> ${ARG_UNPARSED_ARGUMENTS})
    set(these ${environment})
    if(processes EQUAL 1)
      list(APPEND these "GTEST_FILTER=-SeveralProcesses.*")
    endif()
    set(label ${kind})
    if(mpi STREQUAL mpich AND NOT test STREQUAL ${target}_2)
      set(label nightly)
    endif()
    if(ARG_LONG AND NOT test MATCHES "openmpi_[23]$" AND NOT (FG_SANITIZE AND mpi STREQUAL openmpi))
      set(label nightly)
    endif()
    if(target MATCHES "_order_" AND NOT test MATCHES "openmpi_[23]$")
      set(label nightly)
      list(APPEND these "FINEGRAIN_ORDER_SEEDS=40")
      set(timeout 3600)
    endif()
    set_tests_properties(${test} PROPERTIES LABELS ${label} TIMEOUT ${timeout} PROCESSORS 2
                                            ENVIRONMENT "${these}")
  endforeach()
endfunction()

# fg_add_process_test(NAME KIND MPI SOURCES files... NEEDS modules... [LONG]) makes one GoogleTest binary and
# runs it in processes.
function(fg_add_process_test name kind mpi)
  cmake_parse_arguments(ARG "LONG" "" "SOURCES;NEEDS" ${ARGN})
  find_package(GTest REQUIRED)
  add_executable(${name}_${mpi} ${ARG_SOURCES})
  target_link_libraries(${name}_${mpi} PRIVATE fg_options GTest::gmock GTest::gtest GTest::gtest_main)
  target_include_directories(${name}_${mpi} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  fg_reuse_test_headers(${name}_${mpi} ${kind})
  foreach(need IN LISTS ARG_NEEDS)
    target_link_libraries(${name}_${mpi} PRIVATE fg_${need})
  endforeach()
  set(long "")
  if(ARG_LONG)
    set(long LONG)
  endif()
  fg_test_in_processes(${name}_${mpi} ${kind} ${mpi} ${long})
endfunction()

# fg_add_compile_test(NAME KIND SOURCE file DEFINE macro [REFUSED message]) is a test that a source
# compiles; with REFUSED, a test that it does not compile and that the compiler prints this message.
function(fg_add_compile_test name kind)
  cmake_parse_arguments(ARG "" "SOURCE;DEFINE;REFUSED" "" ${ARGN})
  add_test(NAME ${name} COMMAND ${CMAKE_CXX_COMPILER} -std=c++${CMAKE_CXX_STANDARD} -fsyntax-only
                                -I${PROJECT_SOURCE_DIR}/engine -D${ARG_DEFINE}
                                ${CMAKE_CURRENT_SOURCE_DIR}/${ARG_SOURCE})
  set_tests_properties(${name} PROPERTIES LABELS ${kind} TIMEOUT 120)
  if(ARG_REFUSED)
    set_tests_properties(${name} PROPERTIES PASS_REGULAR_EXPRESSION "error: static assertion failed[^\n]*${ARG_REFUSED}")
  endif()
endfunction()

# fg_add_benchmark(NAME SOURCES files... NEEDS modules...) makes one Google Benchmark binary. The target
# finegrain-benchmarks builds all.
function(fg_add_benchmark name)
  cmake_parse_arguments(ARG "" "" "SOURCES;NEEDS;LIBRARIES" ${ARGN})
  find_package(benchmark REQUIRED)
  add_executable(${name} ${ARG_SOURCES})
  if(NOT TARGET finegrain-benchmarks)
    add_custom_target(finegrain-benchmarks)
  endif()
  add_dependencies(finegrain-benchmarks ${name})
  target_link_libraries(${name} PRIVATE fg_options benchmark::benchmark ${ARG_LIBRARIES})
  foreach(need IN LISTS ARG_NEEDS)
    target_link_libraries(${name} PRIVATE fg_${need})
  endforeach()
endfunction()

# fg_add_folders(KEY folders...) enters each folder, or only those that FG_ONLY names.
function(fg_add_folders)
  foreach(folder IN LISTS ARGN)
    if(FG_ONLY AND NOT folder IN_LIST FG_ONLY)
      continue()
    endif()
    if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/CMakeLists.txt)
      add_subdirectory(${folder})
    endif()
  endforeach()
endfunction()

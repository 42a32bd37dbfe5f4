# A toolchain file: Debian's cross compiler for 64-bit Arm, the libraries in .arm64
# (tools/arm64_libraries.sh), and QEMU, by which ctest runs the programs.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
# GCC 12 crashes where it reads arm_sve.h after a precompiled header.
set(CMAKE_DISABLE_PRECOMPILE_HEADERS ON)

get_filename_component(fg_arm64_root "${CMAKE_CURRENT_LIST_DIR}/../.arm64" ABSOLUTE)
if(NOT EXISTS "${fg_arm64_root}/libraries.sha256")
  message(FATAL_ERROR "${fg_arm64_root} is missing or not complete: run tools/setup.sh --arm")
endif()
set(CMAKE_SYSROOT "${fg_arm64_root}")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
# The wrapper of HDF5 on this machine would name libraries of its own processor.
set(HDF5_C_COMPILER_EXECUTABLE "${CMAKE_C_COMPILER}" CACHE FILEPATH "")
set(fg_arm64_libraries "${fg_arm64_root}/usr/lib/aarch64-linux-gnu")
set(ENV{PKG_CONFIG_SYSROOT_DIR} "${fg_arm64_root}")
set(ENV{PKG_CONFIG_LIBDIR}
    "${fg_arm64_libraries}/pkgconfig:${fg_arm64_libraries}/openblas-serial/pkgconfig:${fg_arm64_root}/usr/share/pkgconfig")

# The processor that QEMU emulates is in the environment variable QEMU_CPU (CMakePresets.json).
set(CMAKE_CROSSCOMPILING_EMULATOR "qemu-aarch64;-L;${fg_arm64_root}")

# Binaries for a wheel (packaging/make_wheel.py), which takes along every library that they need.
# HDF5 comes from an archive (packaging/hdf5_archive.sh) in the folder FG_HDF5. Headers are those of
# the system, so that what was compiled before can be used again.
find_package(HDF5 REQUIRED COMPONENTS C GLOBAL)
find_package(ZLIB REQUIRED)
find_library(FG_HDF5_ARCHIVE libhdf5.a HINTS ${FG_HDF5}/lib NO_DEFAULT_PATH REQUIRED)
file(STRINGS ${FG_HDF5}/include/H5public.h found REGEX "H5_VERS_INFO .* ${HDF5_VERSION}\"")
if(NOT found)
  message(FATAL_ERROR "${FG_HDF5} has another version of HDF5 than the system's headers, ${HDF5_VERSION}")
endif()
set_target_properties(
  HDF5::HDF5 PROPERTIES INTERFACE_LINK_LIBRARIES "${FG_HDF5_ARCHIVE};ZLIB::ZLIB;${CMAKE_DL_LIBS};m")
# Nothing of an archive is seen outside: Python loads h5py's HDF5 beside this one.
add_link_options(LINKER:--as-needed LINKER:--exclude-libs,ALL LINKER:--build-id)

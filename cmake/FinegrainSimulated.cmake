# Programs whose processes SimGrid simulates: each process is a copy of the program, all loaded into
# one process. smpicxx links them but does not compile them, since it redefines malloc and exit.
find_program(FG_SMPICXX smpicxx)
if(NOT FG_SMPICXX)
  message(FATAL_ERROR "smpicxx was not found: install SimGrid (tools/setup.sh --bench)")
endif()
execute_process(COMMAND ${FG_SMPICXX} -show -c x.cpp OUTPUT_VARIABLE shown COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "-I *[^ \n]*/smpi" folders "${shown}")
list(TRANSFORM folders REPLACE "^-I *" "")
add_library(fg_smpi INTERFACE)
target_include_directories(fg_smpi SYSTEM INTERFACE ${folders})
# Without it, variables defined in a header would be shared by all processes.
target_compile_options(fg_options INTERFACE -fno-gnu-unique)
target_compile_definitions(fg_options INTERFACE FG_SIMULATED)
# No debugging information, because the disk holds a copy for every process.
target_link_options(fg_options INTERFACE -s)
set(CMAKE_CXX_LINK_EXECUTABLE
    "${FG_SMPICXX} <FLAGS> <CMAKE_CXX_LINK_FLAGS> <LINK_FLAGS> <OBJECTS> -o <TARGET> <LINK_LIBRARIES>")
set(CMAKE_CXX_COMPILE_OPTIONS_PIE -fPIC)  # a program is a shared object

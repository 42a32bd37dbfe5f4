target_sources(
  fg_forces
  PRIVATE ${CMAKE_CURRENT_LIST_DIR}/contacts.cpp ${CMAKE_CURRENT_LIST_DIR}/ewald_fit.cpp ${CMAKE_CURRENT_LIST_DIR}/pair_kernel.cpp
          ${CMAKE_CURRENT_LIST_DIR}/pair_kernel_double.cpp
          ${CMAKE_CURRENT_LIST_DIR}/pair_kernel_mixed.cpp
          ${CMAKE_CURRENT_LIST_DIR}/pair_kernel_portable.cpp
          ${CMAKE_CURRENT_LIST_DIR}/pair_work.cpp)
if(FG_SANITIZE MATCHES address)
  # Red zones round every temporary of the unrolled kernels take the compiler tens of minutes; their
  # twin in tests/support/references, and all that calls them, are checked.
  set_source_files_properties(
    ${CMAKE_CURRENT_LIST_DIR}/pair_kernel_double.cpp ${CMAKE_CURRENT_LIST_DIR}/pair_kernel_mixed.cpp
    ${CMAKE_CURRENT_LIST_DIR}/pair_kernel_portable.cpp
    PROPERTIES COMPILE_OPTIONS -fno-sanitize=all)
endif()

target_sources(
  fg_forces
  PRIVATE ${CMAKE_CURRENT_LIST_DIR}/ewald_fit.cpp ${CMAKE_CURRENT_LIST_DIR}/pair_kernel.cpp
          ${CMAKE_CURRENT_LIST_DIR}/pair_kernel_double.cpp
          ${CMAKE_CURRENT_LIST_DIR}/pair_kernel_mixed.cpp
          ${CMAKE_CURRENT_LIST_DIR}/pair_reference.cpp ${CMAKE_CURRENT_LIST_DIR}/pair_work.cpp)

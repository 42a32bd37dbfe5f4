target_sources(
  fg_forces
  PRIVATE ${CMAKE_CURRENT_LIST_DIR}/bspline.cpp
          ${CMAKE_CURRENT_LIST_DIR}/charge_collector.cpp
          ${CMAKE_CURRENT_LIST_DIR}/charge_lines.cpp
          ${CMAKE_CURRENT_LIST_DIR}/charge_lines_reference.cpp
          ${CMAKE_CURRENT_LIST_DIR}/charge_sums.cpp
          ${CMAKE_CURRENT_LIST_DIR}/influence.cpp
          ${CMAKE_CURRENT_LIST_DIR}/mesh_charges.cpp
          ${CMAKE_CURRENT_LIST_DIR}/mesh_client.cpp
          ${CMAKE_CURRENT_LIST_DIR}/mesh_frame.cpp
          ${CMAKE_CURRENT_LIST_DIR}/mesh_spreader.cpp
          ${CMAKE_CURRENT_LIST_DIR}/mesh_waves.cpp
          ${CMAKE_CURRENT_LIST_DIR}/optimal_influence.cpp
          ${CMAKE_CURRENT_LIST_DIR}/smooth_influence.cpp
          ${CMAKE_CURRENT_LIST_DIR}/spline_table.cpp)

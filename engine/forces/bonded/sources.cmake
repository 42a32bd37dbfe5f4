target_sources(fg_forces PRIVATE
  ${CMAKE_CURRENT_LIST_DIR}/bonded_workset.cpp
  ${CMAKE_CURRENT_LIST_DIR}/term_assignment.cpp
  ${CMAKE_CURRENT_LIST_DIR}/term_index.cpp
  ${CMAKE_CURRENT_LIST_DIR}/term_lanes.cpp)

# SPDX-License-Identifier: GPL-3.0-or-later
# Plants sources that no build file names, one of them in a comment and one whose name ends like a listed one.
#   cmake -DLINT=check_listed.cmake -DWORK=<folder> -P check_listed_selftest.cmake
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE "${WORK}")
file(WRITE "${WORK}/model/io/CMakeLists.txt" "lib(io SOURCES file.cpp results/map.cpp # was.cpp\n HEADERS\n  file.h)\n")
file(WRITE "${WORK}/tests/model/CMakeLists.txt" "foreach(name io/tst_file)\nendforeach()\n")
foreach(allowed IN ITEMS model/io/file.cpp model/io/results/map.cpp tests/model/io/tst_file.cpp)
    file(WRITE "${WORK}/${allowed}" "\n")
endforeach()
execute_process(COMMAND ${CMAKE_COMMAND} -DROOT=${WORK} -P ${LINT} RESULT_VARIABLE clean ERROR_VARIABLE said
                OUTPUT_QUIET)
if(NOT clean EQUAL 0)
    message(FATAL_ERROR "refused what is allowed: ${said}")
endif()
foreach(planted IN ITEMS model/io/was.cpp model/io/map.cpp model/io/results/file.cpp
                         tests/model/tst_file.cpp viz/alone.cpp)
    file(WRITE "${WORK}/${planted}" "\n")
    execute_process(COMMAND ${CMAKE_COMMAND} -DROOT=${WORK} -P ${LINT} RESULT_VARIABLE result ERROR_VARIABLE said
                    OUTPUT_QUIET)
    if(result EQUAL 0 OR NOT said MATCHES "${planted}")
        message(FATAL_ERROR "did not find ${planted}")
    endif()
    file(REMOVE "${WORK}/${planted}")
endforeach()

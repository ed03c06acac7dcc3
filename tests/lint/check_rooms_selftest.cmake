# SPDX-License-Identifier: GPL-3.0-or-later
# Plants a crowded folder and a scattered class, and demands that check_rooms.cmake finds both and nothing else.
#
#   cmake -DLINT=<check_rooms.cmake> -DWORK=<empty folder> -P check_rooms_selftest.cmake

cmake_minimum_required(VERSION 3.25)

function(expect code text what)
    execute_process(COMMAND ${CMAKE_COMMAND} -DROOT=${WORK} -P ${LINT} RESULT_VARIABLE result OUTPUT_VARIABLE out
                    ERROR_VARIABLE err)
    if((code EQUAL 0 AND NOT result EQUAL 0) OR (NOT code EQUAL 0 AND result EQUAL 0))
        message(FATAL_ERROR "${what}: exit ${result}: ${err}")
    endif()
    if(NOT text STREQUAL "" AND NOT err MATCHES "${text}")
        message(FATAL_ERROR "${what}: expected \"${text}\" in: ${err}")
    endif()
endfunction()

file(REMOVE_RECURSE "${WORK}")
file(WRITE "${WORK}/ui/views/wide.cpp" "Wide::Wide() {}\n")
file(WRITE "${WORK}/ui/views/wide_input.cpp" "void Wide::press(int key)\n{\n    Other::call();\n}\n")
file(WRITE "${WORK}/app/desktop/other.cpp" "void Wide::elsewhere() {}\n") # another class of this name
expect(0 "" "two files")
file(WRITE "${WORK}/ui/canvas/wide_paint.cpp" "std::vector<int> Wide::paint() const\n{\n}\n")
expect(1 "Wide: members are defined in 3 files" "three files")
file(REMOVE "${WORK}/ui/canvas/wide_paint.cpp")
foreach(number RANGE 1 38)
    file(WRITE "${WORK}/ui/views/part${number}.h" "#pragma once\n")
endforeach()
expect(0 "" "40 files")
file(WRITE "${WORK}/ui/views/part39.h" "#pragma once\n")
expect(1 "ui/views: 41 files, at most 40" "41 files")
file(REMOVE_RECURSE "${WORK}")
message(STATUS "room lint self-test: every planted violation was seen")

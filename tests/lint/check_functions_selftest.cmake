# SPDX-License-Identifier: GPL-3.0-or-later
# Plants functions of 60 and 61 lines, and demands that check_functions.cmake refuses the second, unless it is known.
#
#   cmake -DLINT=<check_functions.cmake> -DWORK=<empty folder> -P check_functions_selftest.cmake

cmake_minimum_required(VERSION 3.25)

function(expect ok known what)
    execute_process(COMMAND ${CMAKE_COMMAND} -DROOT=${WORK} -DKNOWN=${known} -P ${LINT} RESULT_VARIABLE code
                    OUTPUT_VARIABLE out ERROR_VARIABLE err)
    if((ok AND NOT code EQUAL 0) OR (NOT ok AND code EQUAL 0))
        message(FATAL_ERROR "${what}: exit ${code}: ${err}")
    endif()
    if(NOT ok AND NOT err MATCHES "functions of more than 60 lines")
        message(FATAL_ERROR "${what}: another failure: ${err}")
    endif()
endfunction()

function(plant lines)
    string(REPEAT "    work([1]);\n" ${lines} body)
    file(WRITE "${WORK}/ui/long.cpp" "void first()\n{\n    work();\n}\n\nvoid planted()\n{\n${body}}\n")
endfunction()

file(REMOVE_RECURSE "${WORK}")
plant(60)
expect(TRUE "" "60 lines")
plant(61)
expect(FALSE "" "61 lines")
expect(TRUE "ui/long.cpp:1:61" "61 lines that are known")
expect(FALSE "ui/long.cpp:1:60" "a known one that has grown")
expect(FALSE "ui/other.cpp:1:90" "known in another file")
file(REMOVE_RECURSE "${WORK}")
message(STATUS "function lint self-test: every planted violation was seen")

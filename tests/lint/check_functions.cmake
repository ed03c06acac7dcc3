# SPDX-License-Identifier: GPL-3.0-or-later
# Fails on a function of more than 60 lines between its braces. Those that were longer when the rule came may only become
# shorter, and fewer.
#
#   cmake -DROOT=<source tree> [-DKNOWN=<list>] -P check_functions.cmake
#
# A definition's braces stand alone in the first column (clang-format), which is how it is found; functions that are
# defined within a class are not.

cmake_minimum_required(VERSION 3.25)
set(most 60)
if(NOT DEFINED KNOWN)
    set(KNOWN) # file:functions:lines of the longest; it was emptied, and stays so
endif()

file(GLOB_RECURSE files RELATIVE "${ROOT}" "${ROOT}/model/*.cpp" "${ROOT}/viz/*.cpp" "${ROOT}/ui/*.cpp" "${ROOT}/app/*.cpp")
if(NOT files)
    message(FATAL_ERROR "function lint: no source file found under ${ROOT}")
endif()
execute_process(COMMAND awk -v most=${most}
    "FNR == 1 { begin = 0 } /^{$/ { begin = FNR } /^}$/ { if (begin && FNR - begin - 1 > most) print FILENAME \":\" begin \":\" FNR - begin - 1; begin = 0 }"
    ${files} WORKING_DIRECTORY "${ROOT}" OUTPUT_VARIABLE found RESULT_VARIABLE code OUTPUT_STRIP_TRAILING_WHITESPACE)
if(NOT code EQUAL 0)
    message(FATAL_ERROR "function lint: awk ended with ${code}")
endif()
string(REPLACE "\n" ";" found "${found}")

set(problems "")
set(long_files "")
foreach(function IN LISTS found)
    string(REGEX MATCH "^(.*):([0-9]+):([0-9]+)$" whole "${function}")
    set(file "${CMAKE_MATCH_1}")
    string(MAKE_C_IDENTIFIER "${file}" key)
    list(APPEND long_files "${file}")
    list(APPEND places_${key} "line ${CMAKE_MATCH_2}: ${CMAKE_MATCH_3} lines")
    if(NOT DEFINED longest_${key} OR CMAKE_MATCH_3 GREATER longest_${key})
        set(longest_${key} ${CMAKE_MATCH_3})
    endif()
endforeach()
list(REMOVE_DUPLICATES long_files)
foreach(file IN LISTS long_files)
    string(MAKE_C_IDENTIFIER "${file}" key)
    list(LENGTH places_${key} count)
    set(allowed_count 0)
    set(allowed_length ${most})
    foreach(entry IN LISTS KNOWN)
        if(entry MATCHES "^(.*):([0-9]+):([0-9]+)$" AND CMAKE_MATCH_1 STREQUAL file)
            set(allowed_count ${CMAKE_MATCH_2})
            set(allowed_length ${CMAKE_MATCH_3})
        endif()
    endforeach()
    if(count GREATER allowed_count OR longest_${key} GREATER allowed_length)
        list(JOIN places_${key} ", " where)
        list(APPEND problems "${file}: functions of more than ${most} lines: ${where}")
    endif()
endforeach()

if(problems)
    list(JOIN problems "\n" text)
    message(NOTICE "${text}")
    message(FATAL_ERROR "function lint failed")
endif()
list(LENGTH files count)
list(LENGTH found long)
message(STATUS "function lint: ${count} files, ${long} functions known to be longer than ${most} lines")

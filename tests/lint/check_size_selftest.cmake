# SPDX-License-Identifier: GPL-3.0-or-later
# Makes a repository of 100 bytes, and expects check_size.cmake to count what is tracked, and nothing else.
#   cmake -DLINT=check_size.cmake -DWORK=<folder> -P check_size_selftest.cmake
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE "${WORK}")
string(REPEAT a 90 text)
file(WRITE "${WORK}/folder/tracked.txt" "${text}")
file(WRITE "${WORK}/a file; ö.txt" "0123456789")
execute_process(COMMAND git -C ${WORK} init -q COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND git -C ${WORK} add . COMMAND_ERROR_IS_FATAL ANY)
file(WRITE "${WORK}/untracked.txt" "${text}")
foreach(limit IN ITEMS 101 100)
    execute_process(COMMAND ${CMAKE_COMMAND} -DROOT=${WORK} -DLIMIT=${limit} -P ${LINT} RESULT_VARIABLE result
                    OUTPUT_QUIET ERROR_VARIABLE said)
    if(limit EQUAL 101 AND NOT result EQUAL 0)
        message(FATAL_ERROR "refused what is allowed: ${said}")
    elseif(limit EQUAL 100 AND NOT said MATCHES "too large: 100 bytes")
        message(FATAL_ERROR "did not find 100 bytes: ${said}")
    endif()
endforeach()

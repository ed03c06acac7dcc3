# SPDX-License-Identifier: GPL-3.0-or-later
# Plants a list with commas inside a generator expression, and expects check_presets.cmake to find it and nothing else.
#   cmake -DLINT=check_presets.cmake -DWORK=<folder> -P check_presets_selftest.cmake
cmake_minimum_required(VERSION 3.25)
foreach(checks IN ITEMS "address,undefined" "address")
    file(REMOVE_RECURSE ${WORK})
    file(WRITE ${WORK}/CMakePresets.json "{\"SANITIZE\": \"${checks}\", \"PCH\": \"OFF\"}\n")
    file(WRITE ${WORK}/CMakeLists.txt "if(SANITIZE)\n  print(\${SANITIZE} $<BOOL:\${PCH}>)\nendif()\n")
    file(WRITE ${WORK}/part/CMakeLists.txt "foo($<$<BOOL:\${SANITIZE}>:ON>)\n")
    execute_process(COMMAND ${CMAKE_COMMAND} -DROOT=${WORK} -P ${LINT} RESULT_VARIABLE result
                    OUTPUT_QUIET ERROR_VARIABLE said)
    if(checks MATCHES "," AND (NOT said MATCHES "part/CMakeLists.txt: foo" OR said MATCHES "print"))
        message(FATAL_ERROR "did not find what was planted, or more: ${said}")
    elseif(NOT checks MATCHES "," AND NOT result EQUAL 0)
        message(FATAL_ERROR "refused what is allowed: ${said}")
    endif()
endforeach()

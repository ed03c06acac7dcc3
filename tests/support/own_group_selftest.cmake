# SPDX-License-Identifier: GPL-3.0-or-later
# A test that sends a signal to its whole process group, as kill(0, n) does, ends itself alone: ctest goes on with the
# next one. A test that runs out of time is ended with what it has started. The ctest that is tried here has a session
# of its own, so that it ends alone where this does not hold.
#   cmake -DPROGRAM=tests_support -DCTEST=ctest -DWORK=<folder> -P own_group_selftest.cmake
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE "${WORK}")
file(WRITE "${WORK}/CTestTestfile.cmake" "
add_test(sends_to_all \"${PROGRAM}\" kills_its_group sendsToAll)
add_test(next \"${CMAKE_COMMAND}\" -E true)
add_test(hangs \"${PROGRAM}\" kills_its_group hangsWithAChild)
set_tests_properties(hangs PROPERTIES TIMEOUT 20 ENVIRONMENT \"HEADSCOPE_CHILD_NOTE=${WORK}/child\")
")
execute_process(COMMAND setsid --wait "${CTEST}" --test-dir "${WORK}" OUTPUT_VARIABLE said ERROR_VARIABLE said)
if(NOT said MATCHES "sends_to_all \\.+[^\n]*\\*\\*\\*Exception" OR NOT said MATCHES "next \\.+ *Passed")
    message(FATAL_ERROR "a signal to the group of a test ended ctest:\n${said}")
endif()
if(NOT said MATCHES "hangs \\.+ *\\*\\*\\*Timeout")
    message(FATAL_ERROR "a test that hangs was not ended:\n${said}")
endif()
file(READ "${WORK}/child" child)
# A process that was killed goes when the system lets it run once more: on a busy machine that takes a while.
foreach(look RANGE 600)
    if(NOT EXISTS "/proc/${child}/stat")
        return()
    endif()
    file(READ "/proc/${child}/stat" state)
    if(state MATCHES "\\) [ZX] ") # it waits for whoever takes its exit code
        return()
    endif()
    execute_process(COMMAND "${CMAKE_COMMAND}" -E sleep 0.1)
endforeach()
message(FATAL_ERROR "process ${child}, which a test had started that ran out of time, is left: ${state}")

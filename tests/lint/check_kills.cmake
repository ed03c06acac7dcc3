# SPDX-License-Identifier: GPL-3.0-or-later
# Fails where a test sends a signal past test::signal (tests/support/process.h), which refuses the id 0 of a process that
# has ended: kill(0, n) ends the test, ctest, the script and the shell.
#   cmake -DROOT=<source tree> -P check_kills.cmake
cmake_minimum_required(VERSION 3.25)
set(doors
    tests/support/send_signal.h            # for test::signal, and for groups
    tests/slurm/one_machine.py)            # send_signal
set(kills
    "(^|[^A-Za-z_>.])(::)?(t?g?kill|killpg)[ \t]*\\("  # not process.kill(), which Qt guards
    "SYS_t?g?kill"
    "os\\.(kill|killpg)[ \t]*\\("
    "(execute|start|startDetached|run)\\([^;]*\"(/usr)?(/bin/)?p?kill(all)?\"") # the command
set(wrong "")
set(checked 0)
file(GLOB_RECURSE files RELATIVE "${ROOT}" "${ROOT}/tests/*.h" "${ROOT}/tests/*.cpp" "${ROOT}/tests/*.py")
foreach(file IN LISTS files)
    math(EXPR checked "${checked} + 1")
    if(file IN_LIST doors OR file MATCHES "^tests/faults/interpose") # which meets the program that it is loaded into
        continue()
    endif()
    foreach(kill IN LISTS kills)
        file(STRINGS "${ROOT}/${file}" lines REGEX "${kill}")
        foreach(line IN LISTS lines)
            if(NOT line MATCHES "^[ \t]*(//|#|\\*)")
                list(APPEND wrong "${file}: a signal past test::signal: ${line}")
            endif()
        endforeach()
    endforeach()
endforeach()
if(wrong)
    list(REMOVE_DUPLICATES wrong)
    list(JOIN wrong "\n" text)
    message(NOTICE "${text}")
    message(FATAL_ERROR "signals that may end the test run")
endif()
if(checked EQUAL 0)
    message(FATAL_ERROR "kills lint: no test found under ${ROOT}")
endif()

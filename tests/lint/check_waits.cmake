# SPDX-License-Identifier: GPL-3.0-or-later
# Fails where a test waits for a time: a sleep, a wait of a fixed or default length, a look for five seconds. What is to
# happen is waited for by WAIT_FOR and WAIT_COMPARE of tests/support/waiting.h, whose only time is a guard against hangs;
# time that a widget lets pass, by passMs.
#   cmake -DROOT=<source tree> -P check_waits.cmake
cmake_minimum_required(VERSION 3.25)
# Files that may, and why.
set(may
    tests/support/waiting.                    # the door
    tests/support/named_point.cpp             # looks for another process, which says nothing
    tests/app/tour/                           # pictures of a real screen, for people, which does not say when it has drawn
    tests/bench/                              # figures, not tests
    tests/viz/export/tst_figure_export.cpp    # dates in files have seconds, and two of them must differ
    tests/model/io/hdf5/tst_hdf5_faults.cpp   # HDF5 notes times in seconds
    tests/model/io/hdf5/tst_hdf5_open.cpp     # looks for another process, which says nothing
    tests/model/io/outputs/tst_output_lock.cpp # the same
    tests/faults/limited_run.cpp              # the same
    tests/app/shell/tst_stop_signals.cpp      # programs that hang, to be ended by signals
    tests/app/shell/tst_process.cpp           # the same
    tests/app/engine/tst_engine_interrupt.cpp # a signal at any moment must end it alike
    tests/app/engine/tst_engine_serve.cpp     # a cancel in the middle of work that says nothing
    tests/app/engine/tst_engine_slurm.cpp)    # looks for another process, which says nothing
set(waits
    "QTRY_[A-Z0-9_]+[ \t]*\\("
    "qWait[ \t]*\\("
    "qWaitFor[A-Za-z]*[ \t]*\\("
    "(^|[^A-Za-z_])(q?S|m?s|us?|nanos)leep[ \t]*\\("
    "sleep_(for|until)[ \t]*\\("
    "(\\.|->)wait[ \t]*\\([0-9']*\\)")
set(wrong "")
set(checked 0)
file(GLOB_RECURSE files RELATIVE "${ROOT}" "${ROOT}/tests/*.h" "${ROOT}/tests/*.cpp")
foreach(file IN LISTS files)
    math(EXPR checked "${checked} + 1")
    set(allowed OFF)
    foreach(place IN LISTS may)
        string(FIND "${file}" "${place}" at)
        if(at EQUAL 0)
            set(allowed ON)
        endif()
    endforeach()
    if(allowed)
        continue()
    endif()
    foreach(wait IN LISTS waits)
        file(STRINGS "${ROOT}/${file}" lines REGEX "${wait}")
        foreach(line IN LISTS lines)
            if(NOT line MATCHES "^[ \t]*(//|\\*)")
                list(APPEND wrong "${file}: waits for a time: ${line}")
            endif()
        endforeach()
    endforeach()
endforeach()
if(wrong)
    list(REMOVE_DUPLICATES wrong)
    list(JOIN wrong "\n" text)
    message(NOTICE "${text}")
    message(FATAL_ERROR "tests that wait for a time; see tests/support/waiting.h")
endif()
if(checked EQUAL 0)
    message(FATAL_ERROR "waits lint: no test found under ${ROOT}")
endif()

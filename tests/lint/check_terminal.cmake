# SPDX-License-Identifier: GPL-3.0-or-later
# Fails where text goes to standard output or standard error past app/shell/console, where names of foreign origin are
# made visible and failed writes are noticed.
#   cmake -DROOT=<source tree> -P check_terminal.cmake
cmake_minimum_required(VERSION 3.25)
set(doors
    app/shell/console.cpp       # the door
    app/shell/process.cpp       # the last words of a program, which may have no memory for the door
    app/shell/progress_line.cpp # draws its line with escapes of its own
    model/base/log.cpp          # for libraries: makes visible what it is given
    model/io/check/main.cpp     # a program of its own, whose lines the file check reads
    model/base/assert.cpp)      # a bug, told before the program aborts
# The streams themselves may be handed to the door and to a progress line, in these.
set(hand_on
    app/cli/cli.cpp app/cli/cli.h app/engine/engine.cpp app/desktop/start/application.cpp)
set(writes
    "(^|[^A-Za-z_:])(std::|::)?(v?f?printf|puts|fputs|putchar|putc|fputc|perror)[ \t]*\\("
    "(^|[^A-Za-z_])fwrite[ \t]*\\([^;]*(stdout|stderr)"
    "fmt::(v?print|println)[ \t]*\\("
    "(^|[^A-Za-z_])(std::)?(cout|cerr|clog)[ \t]*<<"
    "write[ \t]*\\(STD(OUT|ERR)_FILENO"
    "(^|[^A-Za-z_])(out|err|m_out|m_err)[ \t]*<<"
    "QTextStream[^;]*(stdout|stderr)"
    "qFatal[ \t]*\\(")
set(wrong "")
set(checked 0)
foreach(folder IN ITEMS app model ui viz)
    file(GLOB_RECURSE files RELATIVE "${ROOT}" "${ROOT}/${folder}/*.h" "${ROOT}/${folder}/*.cpp")
    foreach(file IN LISTS files)
        math(EXPR checked "${checked} + 1")
        if(file IN_LIST doors)
            continue()
        endif()
        foreach(write IN LISTS writes)
            file(STRINGS "${ROOT}/${file}" lines REGEX "${write}")
            foreach(line IN LISTS lines)
                if(NOT line MATCHES "^[ \t]*(//|\\*)")
                    list(APPEND wrong "${file}: writes past shell::Console: ${line}")
                endif()
            endforeach()
        endforeach()
        file(STRINGS "${ROOT}/${file}" lines REGEX "std::(cout|cerr|clog)")
        foreach(line IN LISTS lines)
            if(NOT line MATCHES "^[ \t]*(//|\\*)" AND NOT file IN_LIST hand_on)
                list(APPEND wrong "${file}: has a stream of the terminal in hand: ${line}")
            endif()
        endforeach()
    endforeach()
endforeach()
if(wrong)
    list(REMOVE_DUPLICATES wrong)
    list(JOIN wrong "\n" text)
    message(NOTICE "${text}")
    message(FATAL_ERROR "text that does not go through shell::Console")
endif()
if(checked EQUAL 0)
    message(FATAL_ERROR "terminal lint: no source file found under ${ROOT}")
endif()

# SPDX-License-Identifier: GPL-3.0-or-later
# Fails where a file is made, replaced or given a temporary name elsewhere than in model/base/output: that is the one
# door, which follows links, replaces regular files alone and leaves nothing half-written.
#
#   cmake -DROOT=<source tree> -P check_outputs.cmake

cmake_minimum_required(VERSION 3.25)
set(door "^model/base/output/")
# HDF5 opens the part file that the door has made; kept work is set aside by another name; settings are Qt's own.
set(may
    "model/io/hdf5/hdf5_open.cpp:H5Fcreate"
    "model/io/hdf5/hdf5_open.cpp:H5F_ACC_RDWR"
    "app/desktop/shell/keep_work.cpp:rename")
set(words
    "fopen" "freopen" "fdopen" "ofstream" "O_CREAT" "O_TMPFILE" "O_RDWR" "O_APPEND" "QSaveFile" "QTemporaryFile"
    "creat" "mkstemp" "mkostemp" "mkdtemp" "tmpfile" "rename" "copy_file" "resize_file" "H5Fcreate" "H5F_ACC_RDWR")
set(wrong "")
foreach(part IN ITEMS model viz ui app)
    file(GLOB_RECURSE files RELATIVE "${ROOT}" "${ROOT}/${part}/*.h" "${ROOT}/${part}/*.cpp")
    foreach(file IN LISTS files)
        if(file MATCHES "${door}")
            continue()
        endif()
        file(READ "${ROOT}/${file}" text)
        if(NOT text MATCHES "open[(]|ofstream|O_|QSaveFile|QTemporaryFile|creat[(]|stemp[(]|dtemp|tmpfile|rename|copy_file|resize_file|H5F|QFile ")
            continue() # most files: the rest is slow
        endif()
        string(REGEX REPLACE "//[^\n]*" "" text "${text}")
        foreach(word IN LISTS words)
            # Functions of the system and of std::filesystem are called; a method of that name is not meant.
            if(word MATCHES "^(fopen|freopen|fdopen|creat|mkstemp|mkostemp|mkdtemp|tmpfile|rename|copy_file|resize_file)$")
                set(pattern "(^|[^A-Za-z0-9_.>]|std::|fs::)${word}[(]")
                if(word STREQUAL "rename")
                    set(pattern "(^|[^A-Za-z0-9_>]|[^A-Za-z]fs|filesystem)::rename[(]") # no method of ours
                endif()
            else()
                set(pattern "(^|[^A-Za-z0-9_])${word}([^A-Za-z0-9_]|$)")
            endif()
            if(text MATCHES "${pattern}" AND NOT "${file}:${word}" IN_LIST may)
                list(APPEND wrong "${file}: ${word}: files are made by OutputFile, writeFileAtomically or TemporaryPath")
            endif()
        endforeach()
        if(text MATCHES "QFile [A-Za-z]+[^;]*;[^}]*open[(][^)]*(WriteOnly|ReadWrite|Append)")
            list(APPEND wrong "${file}: QFile opened for writing: files are made by OutputFile or writeFileAtomically")
        endif()
    endforeach()
endforeach()
if(wrong)
    list(JOIN wrong "\n" text)
    message(NOTICE "${text}")
    message(FATAL_ERROR "files that are made beside the door")
endif()

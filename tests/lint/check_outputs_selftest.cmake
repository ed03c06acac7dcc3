# SPDX-License-Identifier: GPL-3.0-or-later
# Plants every way to make a file beside the door, and what only looks like one, and expects check_outputs.cmake to
# find the former alone.
#   cmake -DLINT=check_outputs.cmake -DWORK=<folder> -P check_outputs_selftest.cmake
cmake_minimum_required(VERSION 3.25)

function(expect_clean text)
    file(REMOVE_RECURSE "${WORK}")
    file(WRITE "${WORK}/model/base/output/output_file.cpp" "::open(part, O_CREAT | O_EXCL); ::rename(a, b);\n")
    file(WRITE "${WORK}/app/cli/clean.cpp" "${text}")
    execute_process(COMMAND ${CMAKE_COMMAND} -DROOT=${WORK} -P ${LINT} RESULT_VARIABLE code ERROR_VARIABLE said
                    OUTPUT_QUIET)
    if(NOT code EQUAL 0)
        message(FATAL_ERROR "refused what makes no file: ${text}: ${said}")
    endif()
endfunction()

function(expect_found text word)
    file(REMOVE_RECURSE "${WORK}")
    file(WRITE "${WORK}/viz/export/planted.cpp" "${text}")
    execute_process(COMMAND ${CMAKE_COMMAND} -DROOT=${WORK} -P ${LINT} RESULT_VARIABLE code ERROR_VARIABLE said
                    OUTPUT_QUIET)
    if(code EQUAL 0 OR NOT said MATCHES "planted.cpp: ${word}")
        message(FATAL_ERROR "did not find the planted ${word}: ${said}")
    endif()
endfunction()

expect_clean("// std::ofstream would replace a link\nsets.rename(1, name); void Sets::rename(int); library->rename(id, name);\n")
expect_clean("QFile file(path);\nif (file.open(QIODevice::ReadOnly)) {}\nbuffer.open(QIODevice::WriteOnly);\n")
expect_found("auto* file = std::fopen(path, \"w\");\n" "fopen")
expect_found("std::ofstream(path) << text;\n" "ofstream")
expect_found("::open(path, O_WRONLY | O_CREAT, 0666);\n" "O_CREAT")
expect_found("QSaveFile file(path);\n" "QSaveFile")
expect_found("QFile file(path);\nfile.open(QIODevice::WriteOnly);\n" "QFile")
expect_found("::mkstemp(name.data());\n" "mkstemp")
expect_found("std::filesystem::rename(a, b);\n" "rename")
expect_found("fs::copy_file(a, b);\n" "copy_file")
expect_found("H5Fcreate(path, H5F_ACC_TRUNC, a, b);\n" "H5Fcreate")
file(REMOVE_RECURSE "${WORK}")

# SPDX-License-Identifier: GPL-3.0-or-later
# Plants every way to make a text of CSV, LaTeX or HTML as a plain string, and what only looks like one, and expects
# check_escaping.cmake to find the former alone.
#   cmake -DLINT=check_escaping.cmake -DWORK=<folder> -P check_escaping_selftest.cmake
cmake_minimum_required(VERSION 3.25)

function(expect_clean text)
    file(REMOVE_RECURSE "${WORK}")
    file(WRITE "${WORK}/app/cli/clean.cpp" "${text}")
    execute_process(COMMAND ${CMAKE_COMMAND} -DROOT=${WORK} -P ${LINT} RESULT_VARIABLE code ERROR_VARIABLE said
                    OUTPUT_QUIET)
    if(NOT code EQUAL 0)
        message(FATAL_ERROR "refused what is no raw text: ${text}: ${said}")
    endif()
endfunction()

function(expect_found text)
    file(REMOVE_RECURSE "${WORK}")
    file(WRITE "${WORK}/app/cli/planted.cpp" "${text}")
    execute_process(COMMAND ${CMAKE_COMMAND} -DROOT=${WORK} -P ${LINT} RESULT_VARIABLE code ERROR_VARIABLE said
                    OUTPUT_QUIET)
    if(code EQUAL 0 OR NOT said MATCHES "planted.cpp")
        message(FATAL_ERROR "did not find the planted ${text}: ${said}")
    endif()
endfunction()

expect_clean("CsvText csv(\"a,b\\n\");\nHtmlText rowHtml();\nconst std::string csvName = \"a.csv\";\n")
expect_clean("html.append(\"<td>{}</td>\", htmlText(name));\nLatexText::format(\"\\\\begin{{{}}}\", latexName(name));\n")
expect_clean("return writeCsvFile(target, table.csv());\nfmt::format(\"a < b and {}\", c);\n")
expect_clean("// std::string csv = x;\n")
expect_found("std::string csv = \"a,\" + name;\n")
expect_found("std::string tableCsv(const Table& table);\n")
expect_found("std::string latexRow(const Row& row)\n{\n}\n")
expect_found("std::string html;\n")
expect_found("text += fmt::format(\"<td>{}</td>\", name);\n")
expect_found("text += fmt::format(\"\\\\caption{{{}}}\", name);\n")
expect_found("return writeFileAtomically(target, table.csv().bytes());\n")
expect_found("return writeFileAtomically(target, \n    cli::latexFigure(name).bytes());\n")
file(REMOVE_RECURSE "${WORK}")

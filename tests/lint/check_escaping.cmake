# SPDX-License-Identifier: GPL-3.0-or-later
# Fails where a text of CSV, LaTeX, HTML or a script is a plain string: it is a CsvText, LatexText, HtmlText or
# ScriptText (model/base/text/escaped.h), which names of foreign origin enter through the language's own functions alone.
#   cmake -DROOT=<source tree> -P check_escaping.cmake
cmake_minimum_required(VERSION 3.25)
# The functions of the languages themselves, and texts for the toolkit's own labels.
set(doors
    model/base/text/latex_text.cpp app/report/page/html_text.cpp model/base/text/csv_text.cpp)
set(wrong "")
set(checked 0)
foreach(folder IN ITEMS app model viz)
    file(GLOB_RECURSE files RELATIVE "${ROOT}" "${ROOT}/${folder}/*.h" "${ROOT}/${folder}/*.cpp")
    foreach(file IN LISTS files)
        math(EXPR checked "${checked} + 1")
        if(file IN_LIST doors)
            continue()
        endif()
        file(READ "${ROOT}/${file}" text)
        if(NOT text MATCHES "[Cc]sv|[Ll]atex|[Hh]tml|fmt::format")
            continue() # most files: the rest is slow
        endif()
        string(REGEX REPLACE "//[^\n]*" "" text "${text}")
        # A value or a function of that name; a name of a file is none.
        string(REGEX MATCHALL "std::string(_view)?&?[ \n]+([a-z][A-Za-z]*)?([Cc]sv|[Ll]atex|[Hh]tml)(Text|File|Line|Row|Cell)?[ ]*[(;={]" found "${text}")
        foreach(each IN LISTS found)
            list(APPEND wrong "${file}: ${each}: is a CsvText, LatexText or HtmlText")
        endforeach()
        # Markup in a plain format.
        string(REGEX MATCHALL "fmt::format(_to)?[(][^\";]*\"[^\"]*(</?(td|tr|p|a|div|span|figure|table|section|li)[ >]|\\\\\\\\(begin|end|caption|item|section|input|label)[{ ])" found "${text}")
        foreach(each IN LISTS found)
            list(APPEND wrong "${file}: ${each}: is made by LatexText::format or HtmlText::format")
        endforeach()
        # What goes into a table goes through its writer.
        string(REGEX MATCHALL "writeFileAtomically[(][^;]*([.]csv[(]|[.]latex[(]|latexFile[(]|latexFigure[(]|[Cc]sv[(])" found "${text}")
        foreach(each IN LISTS found)
            list(APPEND wrong "${file}: ${each}: is written by writeCsvFile or writeLatexFile")
        endforeach()
    endforeach()
endforeach()
if(wrong)
    list(JOIN wrong "\n" text)
    message(NOTICE "${text}")
    message(FATAL_ERROR "texts of a language that are plain strings")
endif()
if(checked EQUAL 0)
    message(FATAL_ERROR "escaping lint: no source file found under ${ROOT}")
endif()

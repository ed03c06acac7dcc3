# SPDX-License-Identifier: GPL-3.0-or-later
# Fails where a lambda or a function of deduced type returns strings joined by % or +, or where such a sum is put into
# an `auto`: under QT_USE_QSTRINGBUILDER that is a builder, which refers to temporaries that are gone when it is read.
# `-> QString`, or QString(...) around the sum, makes a string of it.
#
#   cmake -DROOT=<source tree> -P check_strings.cmake

cmake_minimum_required(VERSION 3.25)
string(ASCII 1 call)  # stands for what is in parentheses, with them
string(ASCII 2 open)  # for brackets and semicolons, which part the lists of CMake
string(ASCII 3 close)
string(ASCII 4 end)
string(ASCII 5 block) # and for a block that was looked at
# What makes the operands of a sum strings of Qt; numbers and std::string have no such builder.
set(string "(QStringLiteral|QString|QLatin1Char|QLatin1StringView|QChar|toQString|toString|[a-z]+Text|tr)${call}|u'.'|_s[^a-zA-Z]")
set(sum "[ \n][%+][ \n]")
set(deduced "(${open}[^${open}${close}]*${close}[ \n]*${call}?|[^a-z]auto [A-Za-z_:]+${call})[ \n]*(mutable|const|noexcept)?")
set(body "[ \n]*{[^{}]*}")

set(wrong "")
foreach(part IN ITEMS viz ui app tests)
    file(GLOB_RECURSE files RELATIVE "${ROOT}" "${ROOT}/${part}/*.h" "${ROOT}/${part}/*.cpp")
    foreach(file IN LISTS files)
        file(READ "${ROOT}/${file}" text)
        if(NOT text MATCHES "${sum}" OR NOT text MATCHES "QString|[^a-z]tr[(]|u'")
            continue() # the rest is slow
        endif()
        string(REGEX REPLACE "//[^\n]*" "" text "${text}")
        string(REGEX REPLACE "\"([^\"\\\n]|\\\\.)*\"" "\"\"" text "${text}")
        string(REPLACE ";" "${end}" text "${text}")
        string(REPLACE "[" "${open}" text "${text}")
        string(REPLACE "]" "${close}" text "${text}")
        # From the innermost block outwards, each taken away when it was looked at.
        set(before "")
        while(NOT before STREQUAL text)
            set(before "${text}")
            set(within "")
            while(NOT within STREQUAL text)
                set(within "${text}")
                string(REGEX REPLACE "[(][^(){}]*[)]" "${call}" text "${text}")
            endwhile()
            set(returns "")
            string(REGEX MATCHALL "${deduced}${body}" bodies "${text}")
            foreach(each IN LISTS bodies)
                string(REGEX MATCHALL "return [^${end}{}]*${end}" some "${each}")
                list(APPEND returns ${some})
            endforeach()
            string(REGEX MATCHALL "[^a-z]auto&?&? [A-Za-z_]+ = [^${end}{}]*${end}" values "${text}")
            foreach(each IN LISTS returns values)
                string(REGEX REPLACE "^[^a-z]*(return|auto&?&? [A-Za-z_]+ =) ([^${end}]*)${end}$" "\\2" expression "${each}")
                if(expression MATCHES "${sum}" AND expression MATCHES "${string}"
                   AND NOT expression MATCHES "QStringList|QByteArray|toLatin1|toUtf8")
                    string(REPLACE "${call}" "(...)" expression "${expression}")
                    string(REGEX REPLACE "[ \n]+" " " expression "${expression}")
                    list(APPEND wrong "${file}: joined strings of deduced type: ${expression}")
                endif()
            endforeach()
            string(REGEX REPLACE "{[^{}]*}" "${block}" text "${text}")
        endwhile()
    endforeach()
endforeach()
list(REMOVE_DUPLICATES wrong)
if(wrong)
    list(JOIN wrong "\n" text)
    message(NOTICE "${text}")
    message(FATAL_ERROR "builders of strings that outlive what they refer to: write -> QString, or QString(...)")
endif()

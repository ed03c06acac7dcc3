# SPDX-License-Identifier: GPL-3.0-or-later
# Plants joined strings of deduced type, and what only looks like them, and expects check_strings.cmake to find the
# former alone.
#   cmake -DLINT=check_strings.cmake -DWORK=<folder> -P check_strings_selftest.cmake
cmake_minimum_required(VERSION 3.25)

function(expect_clean text)
    file(REMOVE_RECURSE "${WORK}")
    file(WRITE "${WORK}/ui/views/clean.cpp" "${text}")
    execute_process(COMMAND ${CMAKE_COMMAND} -DROOT=${WORK} -P ${LINT} RESULT_VARIABLE code ERROR_VARIABLE said
                    OUTPUT_QUIET)
    if(NOT code EQUAL 0)
        message(FATAL_ERROR "refused what returns no builder: ${text}: ${said}")
    endif()
endfunction()

function(expect_found text)
    file(REMOVE_RECURSE "${WORK}")
    file(WRITE "${WORK}/ui/views/planted.cpp" "${text}")
    execute_process(COMMAND ${CMAKE_COMMAND} -DROOT=${WORK} -P ${LINT} RESULT_VARIABLE code ERROR_VARIABLE said
                    OUTPUT_QUIET)
    if(code EQUAL 0 OR NOT said MATCHES "planted.cpp: joined strings")
        message(FATAL_ERROR "did not find the planted builder: ${text}: ${said}")
    endif()
endfunction()

expect_clean("const auto f = [](double v) -> QString { return QLocale().toString(v) % QStringLiteral(\" %\"); };\n")
expect_clean("const auto f = [&] { return QString(name % QStringLiteral(\"; \") % tr(\"a; [b\")); };\n")
expect_clean("QString f(int v)\n{\n    return QString::number(v) % u'x';\n}\n")
expect_clean("const auto odd = [](int v) { return v % 2 == 1; };\nconst QString s = a % u' ' % tr(\"b\");\n")
expect_clean("const auto f = [](int v) { return f(tr(\"a\") % u'b') + 1; };\nconst auto n = value(name + u'/');\n")
expect_clean("// [] { return tr(\"a\") % u'b'; }\nconst auto list = all + QStringList{tr(\"a\")};\n")
expect_found("const auto f = [](double v) { return QLocale().toString(v) % QStringLiteral(\" %\"); };\n")
expect_found("connect(a, [this] { if (b) { c(); }\n    return name +\n        QStringLiteral(\"d\"); });\n")
expect_found("void f()\n{\n    run([&](int i) { run([i] { return u'a' % QString::number(i); }); });\n}\n")
expect_found("static auto f(int v)\n{\n    return toQString(v) % u'x';\n}\n")
expect_found("const auto s = tr(\"a\") % QString::number(i);\n")
file(REMOVE_RECURSE "${WORK}")

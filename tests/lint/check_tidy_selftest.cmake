# SPDX-License-Identifier: GPL-3.0-or-later
# Plants functions just within and just above the limits of .clang-tidy in a repository of its own, and demands that
# packaging/tidy_changed.sh refuses those above, as long as they have been changed, and names that shadow others.
#
#   cmake -DROOT=<source tree> -DWORK=<empty folder> -P check_tidy_selftest.cmake

cmake_minimum_required(VERSION 3.25)
find_program(tidy clang-tidy)
find_program(git git)
if(NOT tidy OR NOT git)
    message(NOTICE "skipped: clang-tidy or git is not installed")
    return()
endif()

function(git)
    execute_process(COMMAND ${git} -C "${WORK}" -c user.name=lint -c user.email=lint@localhost ${ARGN}
                    COMMAND_ERROR_IS_FATAL ANY OUTPUT_QUIET)
endfunction()

# expect(<ok> <what is found> <what was planted>)
function(expect ok found what)
    execute_process(COMMAND bash "${ROOT}/packaging/tidy_changed.sh" -C "${WORK}" -p "${WORK}" HEAD RESULT_VARIABLE code
                    OUTPUT_VARIABLE out ERROR_VARIABLE err)
    if((ok AND NOT code EQUAL 0) OR (NOT ok AND NOT code EQUAL 1))
        message(FATAL_ERROR "${what}: exit ${code}: ${out}${err}")
    endif()
    if(NOT out MATCHES "${found}")
        message(FATAL_ERROR "${what}: another answer: ${out}${err}")
    endif()
endfunction()

# body(<lines> <variable>): as many statements.
function(body lines variable)
    string(REPEAT "    work()[semicolon]\n" ${lines} text)
    set(${variable} "${text}" PARENT_SCOPE)
endfunction()

# plant(<text>): behind an old function that is too long.
function(plant text)
    body(70 old)
    set(source "void work()[semicolon]\n\nvoid old()\n{\n${old}}\n${text}")
    string(REPLACE "[semicolon]" ";" source "${source}")
    file(WRITE "${WORK}/ui/planted.cpp" "${source}")
endfunction()

file(REMOVE_RECURSE "${WORK}")
file(COPY "${ROOT}/.clang-tidy" DESTINATION "${WORK}")
file(WRITE "${WORK}/compile_commands.json"
     "[{\"directory\": \"${WORK}\", \"file\": \"ui/planted.cpp\", \"command\": \"c++ -std=c++20 -c ui/planted.cpp\"},
       {\"directory\": \"${WORK}\", \"file\": \"ui/new.cpp\", \"command\": \"c++ -std=c++20 -c ui/new.cpp\"}]")
plant("")
git(init -q)
git(add ui)
git(commit -q -m planted)

expect(TRUE "No source differs" "nothing changed")
body(60 fits)
plant("\nvoid planted()\n{\n${fits}}\n")
expect(TRUE "none too long" "60 lines behind an old function that is too long")
body(61 long)
plant("\nvoid planted()\n{\n${long}}\n")
expect(FALSE "planted.cpp:[0-9]+: function 'planted' exceeds" "61 lines")
string(REPEAT "    if (a > 1)\n        work()[semicolon]\n" 25 plain)
plant("\nvoid planted(int a)\n{\n${plain}}\n")
expect(TRUE "none too long" "a complexity of 25")
plant("\nvoid planted(int a)\n{\n${plain}    if (a > 2)\n        work()[semicolon]\n}\n")
expect(FALSE "planted.cpp:[0-9]+: function 'planted' has cognitive complexity of 26" "a complexity of 26")
git(checkout -q ui/planted.cpp)
file(READ "${WORK}/ui/planted.cpp" source)
string(REPLACE "{\n    work();\n" "{\n    work(), work();\n" source "${source}")
file(WRITE "${WORK}/ui/planted.cpp" "${source}")
expect(FALSE "function 'old' exceeds" "a line changed within the old function")
git(checkout -q ui/planted.cpp)
string(REPLACE "[semicolon]" ";" new "void work()[semicolon]\nvoid fresh()\n{\n${long}}\n")
file(WRITE "${WORK}/ui/new.cpp" "${new}")
expect(FALSE "new.cpp:[0-9]+: function 'fresh' exceeds" "a new file that is not committed")
file(WRITE "${WORK}/ui/new.cpp" "void fresh() { nonsense }\n")
expect(FALSE "" "a file that does not compile")
file(REMOVE "${WORK}/ui/new.cpp")

# planted_names(<folder>/<file> <body of a function of a struct with the member size>)
function(planted_names file text)
    string(REPLACE "[semicolon]" ";" text "${text}")
    file(WRITE "${WORK}/${file}" "struct Planted\n{\n    int size;\n    int f()\n    {\n        ${text}\n    }\n};\n")
endfunction()

planted_names(ui/new.cpp "int other = size[semicolon] return [](int add) { return add; }(other)[semicolon]")
expect(TRUE "no name shadows" "names of their own")
planted_names(ui/new.cpp "int size = 1[semicolon] return size[semicolon]")
expect(FALSE "new.cpp:6: declaration shadows a field" "the name of a member")
planted_names(ui/new.cpp "int one = 1[semicolon] return [](int one) { return one; }(one)[semicolon]")
expect(FALSE "new.cpp:6: declaration shadows a local" "the name of a local around a lambda")
file(REMOVE "${WORK}/ui/new.cpp")
# Of a test the names alone, with what moc makes of it.
file(WRITE "${WORK}/moc.sh" "#!/bin/sh\necho 'struct Made {};' >\"$2\"\n")
file(CHMOD "${WORK}/moc.sh" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
string(REPLACE "[semicolon]" ";" new "void work()[semicolon]\nvoid fresh()\n{\n${long}}\n#include \"tst_new.moc\"\nMade made[semicolon]\n")
file(WRITE "${WORK}/tests/tst_new.cpp" "${new}")
expect(TRUE "1 files read" "a long function of a test")
file(WRITE "${WORK}/tests/tst_new.cpp" "${new}int g(int a)\n{\n    return [](int a) { return a; }(a);\n}\n")
expect(FALSE "tst_new.cpp:[0-9]+: declaration shadows a local" "the name of a local in a test")
file(REMOVE_RECURSE "${WORK}")
message(STATUS "changed functions self-test: every planted violation was seen")

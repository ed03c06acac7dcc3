# SPDX-License-Identifier: GPL-3.0-or-later
# Plants every way of writing to a terminal past shell::Console into a tree of its own, and expects check_terminal.cmake
# to find each of them, and nothing in the doors and in what only looks like it.
#   cmake -DLINT=check_terminal.cmake -DWORK=<folder> -P check_terminal_selftest.cmake
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE "${WORK}")
file(WRITE "${WORK}/app/shell/console.cpp" "m_out << text;\n")
file(WRITE "${WORK}/model/base/log.cpp" "std::fputs(text.c_str(), stderr);\n")
file(WRITE "${WORK}/app/cli/cli.cpp" "return run(words, std::cout, std::cerr);\n")
file(WRITE "${WORK}/ui/plain.cpp"
     "// std::cout << name; in a comment\nstd::snprintf(text, 8, \"%d\", 1);\nfile << name;\nlayout << item;\noutput << x;\n")
execute_process(COMMAND ${CMAKE_COMMAND} -DROOT=${WORK} -P ${LINT} RESULT_VARIABLE clean ERROR_VARIABLE said
                OUTPUT_QUIET)
if(NOT clean EQUAL 0)
    message(FATAL_ERROR "refused what is allowed: ${said}")
endif()
set(planted
    "    fmt::print(\"{}\\n\", name)@"
    "    fmt::print(stderr, \"{}\", name)@"
    "    std::cout << name@"
    "    cerr << name@"
    "    std::puts(name)@"
    "    ::puts(name)@"
    "    fputs(name, stdout)@"
    "    std::printf(\"%s\", name)@"
    "    fprintf(stderr, \"%s\", name)@"
    "    std::fwrite(name, 1, 3, stdout)@"
    "    perror(name)@"
    "    ::write(STDOUT_FILENO, name.data(), name.size())@"
    "    out << name@"
    "    context.err << name@"
    "    auto& stream = std::cout@"
    "    QTextStream(stderr) << name@"
    "    qFatal(\"%s\", name)@")
foreach(line IN LISTS planted)
    string(REPLACE "@" "\;" line "${line}")
    foreach(folder IN ITEMS app/cli/verbs model/io ui/dialogs viz)
        file(WRITE "${WORK}/${folder}/planted.cpp" "${line}\n")
        execute_process(COMMAND ${CMAKE_COMMAND} -DROOT=${WORK} -P ${LINT} RESULT_VARIABLE result
                        ERROR_VARIABLE said OUTPUT_QUIET)
        if(result EQUAL 0 OR NOT said MATCHES "${folder}/planted.cpp: ")
            message(FATAL_ERROR "did not find in ${folder}: ${line}\n${said}")
        endif()
        file(REMOVE "${WORK}/${folder}/planted.cpp")
    endforeach()
endforeach()

# SPDX-License-Identifier: GPL-3.0-or-later
# Plants one fault of each kind into a small tree of its own and demands that check_readmes.cmake finds every one of
# them, and that it accepts the clean tree.
#
#   cmake -DLINT=<check_readmes.cmake> -DWORK=<scratch folder> -P check_readmes_selftest.cmake

cmake_minimum_required(VERSION 3.25)

function(clean_tree)
    file(REMOVE_RECURSE "${WORK}")
    file(WRITE "${WORK}/README.md" "# Tree\n\n| folder | holds |\n|---|---|\n| `model/base` | all |\n
| preset | for |\n|---|---|\n| `nofile` | no file at all |\n")
    file(WRITE "${WORK}/model/README.md"
         "# model\n\nSee [the top](../README.md) and [elsewhere](https://example.org).\n\n## base: what it is\n
| module | holds |\n|---|---|\n| `good`, `go*` | [1] things; `ignored` |
| `all.sh` | it |\n")
    file(WRITE "${WORK}/model/all.sh" "exit 0\n")
    file(WRITE "${WORK}/model/base/good.h" "/// As in model/README.md; INTERFACE FILE_SET, facts: 3.\n")
endfunction()

function(run_lint result said)
    execute_process(COMMAND ${CMAKE_COMMAND} -DROOT=${WORK} -P ${LINT}
                    RESULT_VARIABLE code OUTPUT_VARIABLE out ERROR_VARIABLE err)
    set(${result} ${code} PARENT_SCOPE)
    set(${said} "${err}" PARENT_SCOPE)
endfunction()

function(plant file text expected)
    clean_tree()
    run_lint(code err)
    if(NOT code EQUAL 0)
        message(FATAL_ERROR "the clean tree was refused: ${err}")
    endif()
    file(APPEND "${WORK}/${file}" "${text}")
    run_lint(code err)
    string(FIND "${err}" "${expected}" place)
    if(code EQUAL 0 OR place EQUAL -1)
        message(FATAL_ERROR "${file}: expected \"${expected}\" in: ${err}")
    endif()
endfunction()

plant(model/README.md "| `gone` | no more |\n" "model/README.md: names gone")
plant(README.md "\n| file | does |\n|---|---|\n| `build.sh` | it |\n" "README.md: names build.sh")
plant(model/extra/new.cpp "int x;\n" "model/README.md: does not name model/extra")
plant(model/base/deep/new.cpp "int x;\n" "model/README.md: does not name model/base/deep")
plant(model/run.sh "exit 0\n" "model/README.md: does not name model/run.sh")
plant(model/README.md "See [the page](PAGE.txt).\n" "model/README.md: links to PAGE.txt")
plant(model/base/good.h "/// As FORMAT.md says.\n" "model/base/good.h: cites FORMAT.md")
plant(model/base/good.h "/// (DESIGN, section 3)\n" "model/base/good.h: cites a page")
plant(model/base/good.h "/// near 1 % (facts, table 3.5)\n" "model/base/good.h: cites a page")
plant(CMakeLists.txt "# Rules of STYLE 4.10\n" "CMakeLists.txt: cites a page")
plant(model/README.md "As INTERFACE section 2 has it.\n" "model/README.md: cites a page")
file(REMOVE_RECURSE "${WORK}")
message(STATUS "page lint self-test: every planted fault was found")

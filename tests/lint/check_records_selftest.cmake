# SPDX-License-Identifier: GPL-3.0-or-later
# Plants what the lint of records must see into a small tree of its own, and what it must accept.
#
#   cmake -DLINT=<check_records.cmake> -DWORK=<scratch folder> -P check_records_selftest.cmake

cmake_minimum_required(VERSION 3.25)

function(run_lint result output)
    execute_process(COMMAND ${CMAKE_COMMAND} -DROOT=${WORK} -P ${LINT}
                    RESULT_VARIABLE code OUTPUT_VARIABLE out ERROR_VARIABLE err)
    set(${result} ${code} PARENT_SCOPE)
    set(${output} "${err}" PARENT_SCOPE)
endfunction()

function(plant file text expected)
    file(REMOVE_RECURSE "${WORK}")
    file(WRITE "${WORK}/model/io/records/record_hdf5.cpp" "return file.setAttribute(object, name, text);\n")
    file(WRITE "${WORK}/model/io/results/anndata_parts.cpp" "return file.setAttribute(object, \"_index\", name);\n")
    file(WRITE "${WORK}/app/desktop/good.cpp" "// file.setAttribute(\ndialog->setAttribute(Qt::WA_DeleteOnClose);\n")
    run_lint(code err)
    if(NOT code EQUAL 0)
        message(FATAL_ERROR "a clean tree was refused: ${err}")
    endif()
    file(WRITE "${WORK}/${file}" "${text}")
    run_lint(code err)
    string(FIND "${err}" "${expected}" place)
    if(code EQUAL 0 OR place EQUAL -1)
        message(FATAL_ERROR "${file}: expected \"${expected}\", found code ${code} and: ${err}")
    endif()
endfunction()

plant(model/io/results/bad.cpp "    HEADSCOPE_CHECK(file.setAttribute(\"/\", \"seed\", seed));\n"
      "model/io/results/bad.cpp: a record or writeFacts writes attributes")
plant(app/engine/bad.cpp "return file->setListAttribute(group, name, values);\n" "app/engine/bad.cpp: a record")
plant(model/io/results/anndata_parts.cpp "return writeFacts(file, object, facts);\n"
      "anndata_parts.cpp: writes no attribute by hand any more")
file(REMOVE_RECURSE "${WORK}")
message(STATUS "records lint self-test: every planted violation was seen")

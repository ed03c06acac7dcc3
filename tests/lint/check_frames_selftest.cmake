# SPDX-License-Identifier: GPL-3.0-or-later
# Plants what the lint of frames must see into a small tree of its own, and what it must accept.
#
#   cmake -DLINT=<check_frames.cmake> -DWORK=<scratch folder> -P check_frames_selftest.cmake

cmake_minimum_required(VERSION 3.25)

function(run_lint result output)
    execute_process(COMMAND ${CMAKE_COMMAND} -DROOT=${WORK} -P ${LINT}
                    RESULT_VARIABLE code OUTPUT_VARIABLE out ERROR_VARIABLE err)
    set(${result} ${code} PARENT_SCOPE)
    set(${output} "${err}" PARENT_SCOPE)
endfunction()

function(plant file text expected)
    file(REMOVE_RECURSE "${WORK}")
    file(WRITE "${WORK}/app/cli/good.cpp"
         "// TextTable table({})\nconst viz::TextTable table = probeTable(results);\nreturn isTextTable(target);\n")
    file(WRITE "${WORK}/app/results/probe_text.cpp" "TextTable table(header);\n")
    file(WRITE "${WORK}/ui/models/job_list_model.h" "class JobListModel : public QAbstractTableModel\n")
    file(WRITE "${WORK}/app/cli/report/good.cpp" "answer[\"ci95\"]; write(\"report.tex in \" + folder);\n")
    file(WRITE "${WORK}/app/desktop/find/chosen_csv.cpp" "csv += csvField(text, CsvTexts::Safe);\n")
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

plant(app/cli/bad.cpp "    TextTable table({\"head\", \"p\"});\n" "app/cli/bad.cpp: frameText lays out tables")
plant(app/cli/bad.cpp "return TextTable(header).text();\n" "app/cli/bad.cpp: frameText lays out tables")
plant(ui/bad.cpp "line += csvField(name, CsvTexts::Safe) + \",\";\n" "ui/bad.cpp: frameCsv writes tables")
plant(app/results/bad.h "[[nodiscard]] ResultTable badTable();\n" "app/results/bad.h: a table without a description")
plant(ui/models/bad.h "class Bad : public QAbstractTableModel\n" "ui/models/bad.h: a table of results is a FrameModel")
plant(app/cli/report/bad.cpp "    {\"low\", \"ci95.match.0\"},\n" "app/cli/report/bad.cpp: frameOf reads the tables")
plant(model/data/bad.cpp "column.interval(ci95, \"Wilson\");\n" "model/data/bad.cpp: method_names.h has the names")
plant(app/bad.cpp "return \"labels shuffled among the documents\";\n" "app/bad.cpp: method_names.h has the names")
plant(app/results/probe_text.cpp "return frameText(frame);\n" "probe_text.cpp: has no table by hand any more")
file(REMOVE_RECURSE "${WORK}")
message(STATUS "frames lint self-test: every planted violation was seen")

# SPDX-License-Identifier: GPL-3.0-or-later
# Plants declarations of options that check_fields.cmake refuses, and some that it allows.
#   cmake -DLINT=check_fields.cmake -DWORK=<folder> -P check_fields_selftest.cmake
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE "${WORK}")
file(WRITE "${WORK}/model/allowed.cpp"
     "void fields(Fields& f, A& a)\n{\n    f(\"top\", a.top, \"--top\")\;\n}\nField& topField(Fields& f)\n{\n"
     "    return f.option(\"--top\", top)\;\n}\nvoid TopCommand::declareMore(Fields& table)\n{\n    table\n"
     "        .option(\"--top\", top)\;\n    table.flag(\"--all\", all)\;\n}\n")
execute_process(COMMAND ${CMAKE_COMMAND} -DROOT=${WORK} -P ${LINT} RESULT_VARIABLE clean ERROR_VARIABLE said
                OUTPUT_QUIET)
if(NOT clean EQUAL 0)
    message(FATAL_ERROR "refused what is allowed: ${said}")
endif()
set(planted
    "app/cli/verbs/planted.cpp=    table.option(\"--top\", m_top)"
    "app/desktop/planted.cpp=    table\n        .flag(\"--all\", m_all)"
    "ui/views/planted.cpp=    f(\"top\", m_top)"
    "viz/planted.cpp=    return f(\"top\", top)"
    "ui/views/box.cpp=    auto* box = new QSpinBox(this)"
    "app/views/atlas/atlas_bar.cpp=    m_clusters = new QSpinBox(this)"
    "ui/panels/box.cpp=    m_real = new QDoubleSpinBox(this)"
    "ui/dialogs/box.cpp=    auto* box = new QComboBox(parent)"
    "app/desktop/params.cpp=    params[\"max-tokens\"] = 5"
    "app/desktop/braces.cpp=    engine.ask(\"embed\", {{\"text\", \"a\"}}, job)")
foreach(each IN LISTS planted)
    string(REGEX MATCH "^([^=]*)=(.*)$" all "${each}")
    set(place "${CMAKE_MATCH_1}")
    file(WRITE "${WORK}/${place}"
         "void fields(Fields& f)\n{\n}\nQWidget* Bar::make(Fields& f)\n{\n${CMAKE_MATCH_2}\;\n}\n")
    execute_process(COMMAND ${CMAKE_COMMAND} -DROOT=${WORK} -P ${LINT} RESULT_VARIABLE result ERROR_VARIABLE said
                    OUTPUT_QUIET)
    if(result EQUAL 0 OR NOT said MATCHES "${place}")
        message(FATAL_ERROR "did not find the declaration in ${place}")
    endif()
    file(REMOVE "${WORK}/${place}")
endforeach()
# A name that is listed without need.
file(WRITE "${WORK}/ui/forms/field_form.cpp" "void fields(Fields& f)\n{\n}\n")
execute_process(COMMAND ${CMAKE_COMMAND} -DROOT=${WORK} -P ${LINT} RESULT_VARIABLE result ERROR_VARIABLE said
                OUTPUT_QUIET)
if(result EQUAL 0 OR NOT said MATCHES "field_form.cpp has no box")
    message(FATAL_ERROR "did not find the listed file without a box")
endif()

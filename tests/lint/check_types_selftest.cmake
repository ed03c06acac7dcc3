# SPDX-License-Identifier: GPL-3.0-or-later
# Plants types of one name into a tree of its own, and expects check_types.cmake to find each pair, and nothing in types
# of one name in different namespaces, in other types, and in what is declared only.
#   cmake -DLINT=check_types.cmake -DWORK=<folder> -P check_types_selftest.cmake
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE "${WORK}")
file(WRITE "${WORK}/model/a.h"
     "namespace headscope\n{\nclass Fields;\n}\n\nnamespace headscope\n{\n\n/// A\nstruct Place\n{\n    struct Inner\n    {\n    };\n};\n\n"
     "inline int one()\n{\n    return 1;\n}\n\nenum class Kind : int\n{\n    A,\n};\n\nnamespace cut\n{\n\nstruct Step\n{\n};\n\n"
     "} // namespace cut\n\n} // namespace headscope\n")
function(lint expected_file)
    execute_process(COMMAND ${CMAKE_COMMAND} -DROOT=${WORK} -P ${LINT} RESULT_VARIABLE result ERROR_VARIABLE said
                    OUTPUT_QUIET)
    if(expected_file STREQUAL "" AND NOT result EQUAL 0)
        message(FATAL_ERROR "refused what is allowed: ${said}")
    elseif(expected_file AND (result EQUAL 0 OR NOT said MATCHES "${expected_file}: "))
        message(FATAL_ERROR "did not find two types of one name with ${expected_file}: ${said}")
    endif()
endfunction()
lint("")
foreach(allowed IN ITEMS "class Place;" "struct Inner\n{\n};" "struct Step\n{\n};" "struct Places\n{\n};"
        "struct Place::Inner\n{\n};" "template <>\nstruct Kind<int>\n{\n};")
    file(WRITE "${WORK}/ui/b.h" "namespace headscope\n{\n\n${allowed}\n\n} // namespace headscope\n")
    lint("")
endforeach()
file(WRITE "${WORK}/ui/b.h" "namespace headscope::ui\n{\n\nstruct Place\n{\n};\n\n} // namespace headscope::ui\n")
lint("")
foreach(refused IN ITEMS "struct Place\n{\n};" "class Place final : public Other\n{\n};" "enum class Kind\n{\n};"
        "class Kind : public cut::Step\n{\n};")
    file(WRITE "${WORK}/ui/b.h" "namespace headscope\n{\n\n${refused}\n\n} // namespace headscope\n")
    lint("ui/b.h|model/a.h")
endforeach()
file(WRITE "${WORK}/ui/b.h" "namespace headscope::cut\n{\n\nstruct Step\n{\n};\n\n} // namespace headscope::cut\n")
lint("ui/b.h|model/a.h")

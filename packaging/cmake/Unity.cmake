# SPDX-License-Identifier: GPL-3.0-or-later
# Several sources compiled at a time: what they all include is parsed, and the templates that they
# share are made, once. For builds from nothing (preset release).

option(HEADSCOPE_UNITY "Compile several sources at a time: a quicker build from nothing, a slower one of a change" OFF)
set(HEADSCOPE_UNITY_BATCH 16 CACHE STRING "How many sources are compiled at a time, at most; a folder may set fewer")

# headscope_unity(<target> <source>...): adds the sources to the groups of the target, to whose sources they belong
# already or will. Sources that define a name alike never stand together, so file-local names stay free to choose; nor do
# those that differ in using-directives, of which only tests have any. What begins in the first column counts as a name;
# too many only split more. What may stand twice in one source, as an alias or a using-declaration of the same, may
# stand in several of a group. As many sources as HEADSCOPE_UNITY_BATCH says where the target is made. Files that SIMD loops are compiled from again and again (foreach_target.h), and those with
# flags of their own, stand alone.
function(headscope_unity target)
    if(NOT HEADSCOPE_UNITY)
        return()
    endif()
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
    get_property(groups TARGET ${target} PROPERTY headscope_groups)
    if(NOT groups)
        set(groups 0)
        set_target_properties(${target} PROPERTIES headscope_batch ${HEADSCOPE_UNITY_BATCH})
    endif()
    get_property(batch TARGET ${target} PROPERTY headscope_batch)
    foreach(source IN LISTS ARGN)
        get_source_file_property(flags ${source} COMPILE_OPTIONS)
        headscope_file_names(${source} names)
        if(flags OR names STREQUAL "ALONE")
            continue() # in no group: by itself
        endif()
        set(chosen ${groups})
        set(chosen_names ${names})
        set(chosen_used ${names_used})
        set(chosen_size 1)
        foreach(group RANGE ${groups})
            if(group EQUAL groups)
                math(EXPR groups "${groups} + 1")
                break()
            endif()
            get_property(size TARGET ${target} PROPERTY headscope_size_${group})
            get_property(group_directives TARGET ${target} PROPERTY headscope_directives_${group})
            if(size GREATER_EQUAL batch OR NOT "${group_directives}" STREQUAL "${names_directives}")
                continue()
            endif()
            get_property(group_names TARGET ${target} PROPERTY headscope_names_${group})
            get_property(group_used TARGET ${target} PROPERTY headscope_used_${group})
            set(used ${group_used} ${names_used})
            list(REMOVE_DUPLICATES used)
            list(TRANSFORM used REPLACE "[|].*" "" OUTPUT_VARIABLE used_names)
            set(both ${group_names} ${names} ${used_names})
            list(LENGTH both sum)
            list(REMOVE_DUPLICATES both)
            list(LENGTH both different)
            if(different EQUAL sum)
                set(chosen ${group})
                set(chosen_names ${group_names} ${names})
                set(chosen_used ${used})
                math(EXPR chosen_size "${size} + 1")
                break()
            endif()
        endforeach()
        set_target_properties(${target} PROPERTIES headscope_groups ${groups} headscope_size_${chosen} ${chosen_size}
                              headscope_directives_${chosen} "${names_directives}"
                              headscope_names_${chosen} "${chosen_names}" headscope_used_${chosen} "${chosen_used}")
        set_source_files_properties(${source} TARGET_DIRECTORY ${target} PROPERTIES UNITY_GROUP ${chosen})
    endforeach()
endfunction()

# headscope_file_names(<source> <variable>): the names that the file itself defines in its first column,
# or ALONE; in <variable>_used those that may be declared again, "name|declaration", in <variable>_directives its
# using-directives.
function(headscope_file_names source variable)
    file(READ ${source} text)
    # A list would take what stands between brackets for one element, and a semicolon for the end of one.
    string(REPLACE ";" "@" text "\n${text}")
    string(REGEX REPLACE "[][]" "(" text "${text}")
    string(REGEX MATCHALL "\n[A-Za-z#][^\n]*" lines "${text}")
    set(names "")
    set(used "")
    set(directives "")
    foreach(line IN LISTS lines)
        string(SUBSTRING "${line}" 1 -1 line)
        if(line MATCHES "foreach_target.h")
            set(${variable} ALONE PARENT_SCOPE)
            return()
        endif()
        # One expression for each branch: of two, the second takes away what the first has found.
        if(line MATCHES "^using namespace ([A-Za-z0-9_:]+)")
            list(APPEND directives ${CMAKE_MATCH_1})
        elseif(line MATCHES "^using [A-Za-z0-9_:]*::([A-Za-z0-9_]+)@")
            list(APPEND used "${CMAKE_MATCH_1}|${line}")
        elseif(line MATCHES "^(using|namespace) ([A-Za-z0-9_]+) =.*@")
            list(APPEND used "${CMAKE_MATCH_2}|${line}")
        elseif(line MATCHES "^(using enum|class|struct) ([A-Za-z0-9_:]+)@")
            list(APPEND used "${CMAKE_MATCH_2}|${line}")
        elseif(line MATCHES "^void fields\\(Fields& ")
            continue() # one overload for each kind of value
        elseif(line MATCHES "^(struct|class|union|enum class|enum|#define|using) ([A-Za-z0-9_]+)")
            list(APPEND names ${CMAKE_MATCH_2})
        elseif(line MATCHES "^[^#(={]*([ *&])([A-Za-z0-9_]+) *[({=@]")
            list(APPEND names ${CMAKE_MATCH_2})
        endif()
    endforeach()
    list(REMOVE_DUPLICATES names)
    list(SORT directives)
    set(${variable} "${names}" PARENT_SCOPE)
    set(${variable}_used "${used}" PARENT_SCOPE)
    set(${variable}_directives "${directives}" PARENT_SCOPE)
endfunction()

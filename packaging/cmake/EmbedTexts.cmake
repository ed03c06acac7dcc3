# SPDX-License-Identifier: GPL-3.0-or-later
# Text files that are compiled in, as functions that return them.

# headscope_embed_texts(<target> NAMESPACE <a::b> HEADER <header> FILES <file> <function> [<file> <function> ...])
#
# Each file becomes a `std::string_view function()`, which HEADER (from the root) declares.
function(headscope_embed_texts target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "NAMESPACE;HEADER" "FILES")
    while(arg_FILES)
        list(POP_FRONT arg_FILES file name)
        set(source ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
        cmake_path(ABSOLUTE_PATH file)
        add_custom_command(OUTPUT ${source}
            COMMAND ${CMAKE_COMMAND} -DFILE=${file} -DNAME=${name} -DNAMESPACE=${arg_NAMESPACE} -DHEADER=${arg_HEADER}
                    -DOUT=${source} -P ${CMAKE_CURRENT_FUNCTION_LIST_FILE}
            DEPENDS ${file} ${CMAKE_CURRENT_FUNCTION_LIST_FILE} VERBATIM)
        target_sources(${target} PRIVATE ${source})
        set_source_files_properties(${source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    endwhile()
endfunction()

if(NOT CMAKE_SCRIPT_MODE_FILE)
    return()
endif()
file(READ "${FILE}" text)
if(text MATCHES "\\)embedded\"")
    message(FATAL_ERROR "${FILE}: holds the end of a raw literal")
endif()
file(WRITE "${OUT}" "#include \"${HEADER}\"\n\nnamespace ${NAMESPACE}\n{\n\nstd::string_view ${NAME}()\n{\n"
     "    return R\"embedded(${text})embedded\";\n}\n\n} // namespace ${NAMESPACE}\n")

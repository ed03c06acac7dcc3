# SPDX-License-Identifier: GPL-3.0-or-later
# moc, for classes with Q_OBJECT.
if(NOT TARGET Qt6::moc)
    return()
endif()

# It gets no folders of includes: what it writes of a class is in the class, and with them it reads all of Qt before
# each file, 0.3 s in place of 0.01. So a class with Q_OBJECT may not stand under a condition of Qt's (QT_VERSION, Q_OS_).
# CMake passes them all, and this leaves them out.
get_target_property(headscope_moc_program Qt6::moc IMPORTED_LOCATION)
set(HEADSCOPE_MOC ${PROJECT_BINARY_DIR}/moc.sh)
file(CONFIGURE OUTPUT ${HEADSCOPE_MOC} CONTENT [[#!/bin/sh
# made by packaging/cmake/Moc.cmake
for word; do
    shift
    case $word in
    -I*) ;;
    *) set -- "$@" "$word" ;;
    esac
done
exec "@headscope_moc_program@" "$@"
]] @ONLY)
file(CHMOD ${HEADSCOPE_MOC} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

# headscope_moc(<target> [<property> <value>...]): makes what its classes with Q_OBJECT need. The properties are those
# of the source with what headers need.
function(headscope_moc target)
    set_source_files_properties(${CMAKE_CURRENT_BINARY_DIR}/${target}_autogen/mocs_compilation.cpp
                                TARGET_DIRECTORY ${target} PROPERTIES ${ARGN})
    set_target_properties(${target} PROPERTIES AUTOMOC ON AUTOMOC_EXECUTABLE ${HEADSCOPE_MOC}
                          AUTOMOC_COMPILER_PREDEFINES OFF AUTOGEN_ORIGIN_DEPENDS OFF)
endfunction()

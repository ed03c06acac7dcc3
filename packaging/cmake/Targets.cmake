# SPDX-License-Identifier: GPL-3.0-or-later
# One function per kind of target. Paths are relative to the folder of the caller.

# headscope_add_library(<name> SOURCES ... HEADERS ... [DEPENDS ...] [PUBLIC_DEPENDS ...] [QT]
#                       [PRECOMPILED std|command|gui|widgets] [LOW_OPTIMIZATION])
#
# A static library headscope_<name>. HEADERS are checked to compile alone. DEPENDS are linked
# privately (third-party code behind the .cpp), PUBLIC_DEPENDS appear in headers. QT runs moc and
# sets the strict Qt definitions. PRECOMPILED names the precompiled header of its layer.
# LOW_OPTIMIZATION: code that waits for people, files and workers, with no loop over data of its own; compiled in
# release at -O1, which takes a third less time to build.
function(headscope_add_library name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "QT;LOW_OPTIMIZATION" "PRECOMPILED" "SOURCES;HEADERS;DEPENDS;PUBLIC_DEPENDS")
    set(target headscope_${name})
    add_library(${target} STATIC ${arg_SOURCES})
    target_sources(${target} PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR}
                   FILES ${arg_HEADERS})
    target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR})
    target_link_libraries(${target} PUBLIC ${arg_PUBLIC_DEPENDS} headscope_sanitizers
                          PRIVATE ${arg_DEPENDS} headscope_warnings)
    if(arg_QT)
        headscope_moc(${target} COMPILE_OPTIONS $<$<CONFIG:Release>:-O1>)
        target_link_libraries(${target} PUBLIC headscope_qt_strict)
    endif()
    if(arg_LOW_OPTIMIZATION)
        headscope_low_optimization(${target})
    endif()
    if(arg_PRECOMPILED)
        headscope_use_precompiled(${target} ${arg_PRECOMPILED})
    endif()
    headscope_unity(${target} ${arg_SOURCES})
endfunction()

# headscope_low_optimization(<target>): LOW_OPTIMIZATION of what is no library of headscope_add_library().
function(headscope_low_optimization target)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

# headscope_add_view(WIDGETS <name>... CONTROLLER <name>...)
#
# A view of the window, from the CMakeLists.txt of its folder: widgets for headscope_views, the rest for
# headscope_desktop. A name is that of a .cpp, a .h or both.
function(headscope_add_view)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "WIDGETS;CONTROLLER")
    foreach(part IN ITEMS WIDGETS:headscope_views CONTROLLER:headscope_desktop)
        string(REGEX MATCH "^[A-Z]+" names "${part}")
        string(REGEX REPLACE "^.*:" "" target "${part}")
        set(sources "")
        foreach(name IN LISTS arg_${names})
            set(path "${CMAKE_CURRENT_SOURCE_DIR}/${name}")
            if(EXISTS "${path}.cpp")
                list(APPEND sources "${path}.cpp")
            endif()
            if(EXISTS "${path}.h")
                target_sources(${target} PUBLIC FILE_SET HEADERS FILES "${path}.h")
            elseif(NOT EXISTS "${path}.cpp")
                message(FATAL_ERROR "${path}: neither .cpp nor .h")
            endif()
        endforeach()
        target_sources(${target} PRIVATE ${sources})
        headscope_unity(${target} ${sources})
    endforeach()
endfunction()

# headscope_add_program(<name> MAIN main.cpp DEPENDS ...)
#
# Modules that a program loads when it needs them lie beside it in the build, and in
# LIBDIR/headscope once installed.
function(headscope_add_program name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "MAIN" "DEPENDS")
    add_executable(${name} ${arg_MAIN})
    set_target_properties(${name} PROPERTIES BUILD_RPATH "$ORIGIN"
                          INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}/headscope")
    target_link_libraries(${name} PRIVATE ${arg_DEPENDS} headscope_warnings headscope_sanitizers)
    add_dependencies(${name} headscope-hdf5-check) # which it starts for files that it did not write
    install(TARGETS ${name} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT Runtime)
endfunction()

# headscope_add_test(<path/of/tst_file> LIBS headscope_x ... [LABELS unit|golden|gui|slow ...]
#                    [TIMEOUT s] [DEPENDS programs] [ENVIRONMENT A=b ...])
#
# One test of CTest: the Qt Test class of <tst_file>.cpp. The classes of a folder share one program
# (tests_<folder>, or as HEADSCOPE_TEST_PROGRAM says), because linking all of the product for each is most of a build; each
# is run by itself, `tests_ui tst_settings`. In a folder that sets HEADSCOPE_TEST_LITERALS a literal becomes a QString as
# it is. Tests run offscreen, find the source tree and the programs through tests/support/test_paths.h. OpenMP's workers sleep when they wait: spinning ones
# starve each other where several tests share the cores. TIMEOUT (600 s) only ends what hangs: no test is judged by
# the time it takes. Qt Test ends a function that hangs a little before, and names it.
function(headscope_add_test name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT" "LIBS;LABELS;DEPENDS;ENVIRONMENT")
    cmake_path(GET CMAKE_CURRENT_SOURCE_DIR FILENAME program)
    if(HEADSCOPE_TEST_PROGRAM)
        set(program ${HEADSCOPE_TEST_PROGRAM})
    endif()
    set(target tests_${program})
    headscope_test_program(${target} "${arg_LIBS}")
    target_sources(${target} PRIVATE ${name}.cpp)
    headscope_unity(${target} ${CMAKE_CURRENT_SOURCE_DIR}/${name}.cpp)
    cmake_path(GET name FILENAME name)
    foreach(program IN LISTS arg_DEPENDS)
        if(TARGET ${program})
            add_dependencies(${target} ${program})
        endif()
    endforeach()
    add_test(NAME ${name} COMMAND ${target} ${name})
    if(NOT arg_LABELS)
        set(arg_LABELS unit)
    endif()
    if(NOT arg_TIMEOUT)
        set(arg_TIMEOUT 600)
    endif()
    math(EXPR function_ms "${arg_TIMEOUT} * 900")
    set_tests_properties(${name} PROPERTIES LABELS "${arg_LABELS}" TIMEOUT ${arg_TIMEOUT}
        SKIP_RETURN_CODE 77
        ENVIRONMENT "QT_QPA_PLATFORM=offscreen;LC_ALL=C.UTF-8;HEADSCOPE_STRICT=1;OMP_WAIT_POLICY=passive;QTEST_FUNCTION_TIMEOUT=${function_ms};${arg_ENVIRONMENT}")
endfunction()

# headscope_test_program(<target> <libs>): makes the program of a folder's tests where there is none
# yet, and links it to libs.
function(headscope_test_program target libs)
    if(NOT TARGET ${target})
        add_executable(${target}) # main() is in headscope_test_support
        # A test's class is in its source, which includes what moc makes: the source of the headers is empty.
        headscope_moc(${target} SKIP_PRECOMPILE_HEADERS ON)
        set_target_properties(${target} PROPERTIES BUILD_RPATH "$ORIGIN/../bin"
            RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests")
        target_link_libraries(${target} PRIVATE headscope_test_support headscope_qt_test headscope_warnings
                              headscope_sanitizers)
        headscope_test_optimization(${target})
        add_dependencies(${target} headscope-hdf5-check)
        if(HEADSCOPE_TEST_LITERALS)
            headscope_test_literals(${target})
            headscope_use_precompiled(${target} test_literals)
        elseif(libs MATCHES "headscope_(ui|views|desktop)")
            headscope_use_precompiled(${target} test_widgets)
        elseif(libs MATCHES "headscope_(viz|cli)")
            headscope_use_precompiled(${target} test_gui)
        else()
            headscope_use_precompiled(${target} test)
        endif()
    endif()
    target_link_libraries(${target} PRIVATE ${libs})
endfunction()

# headscope_add_fuzzer(<fuzz_file> LIBS ...): a libFuzzer program, where fuzzers are built.
function(headscope_add_fuzzer name)
    if(NOT HEADSCOPE_FUZZERS)
        return()
    endif()
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LIBS")
    add_executable(${name} ${name}.cpp)
    target_compile_options(${name} PRIVATE -fsanitize=fuzzer)
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
    target_link_libraries(${name} PRIVATE ${arg_LIBS} headscope_warnings headscope_sanitizers)
endfunction()

# headscope_add_benchmark(<name> SOURCES ... LIBS ...): prints figures, never a test.
function(headscope_add_benchmark name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LIBS")
    add_executable(${name} EXCLUDE_FROM_ALL ${arg_SOURCES})
    target_link_libraries(${name} PRIVATE ${arg_LIBS} headscope_warnings headscope_sanitizers)
endfunction()

# headscope_header_checks(): target `header_checks` compiles every header of every library alone.
# Called last at the top; needs CMAKE_VERIFY_INTERFACE_HEADER_SETS in the preset, whose commands it takes.
function(headscope_header_checks)
    if(CMAKE_VERIFY_INTERFACE_HEADER_SETS)
        add_custom_target(header_checks COMMAND python3 ${PROJECT_SOURCE_DIR}/packaging/check_headers.py ${PROJECT_BINARY_DIR}
                          USES_TERMINAL VERBATIM)
    endif()
endfunction()

# SPDX-License-Identifier: GPL-3.0-or-later
# Plants what the HDF5 lint must see into a small tree of its own, and what it must accept.
#
#   cmake -DLINT=<check_hdf5.cmake> -DWORK=<scratch folder> -P check_hdf5_selftest.cmake

cmake_minimum_required(VERSION 3.25)

function(run_lint result output)
    execute_process(COMMAND ${CMAKE_COMMAND} -DROOT=${WORK} -P ${LINT}
                    RESULT_VARIABLE code OUTPUT_VARIABLE out ERROR_VARIABLE err)
    set(${result} ${code} PARENT_SCOPE)
    set(${output} "${err}" PARENT_SCOPE)
endfunction()

function(plant file text expected)
    file(REMOVE_RECURSE "${WORK}")
    file(WRITE "${WORK}/model/io/hdf5/hdf5_open.cpp"
         "// H5Fopen( in a comment\nauto f = H5Fopen(path, 0, 0);\nif (H5Fflush(f, 0) < 0)\n    return H5Fclose(f);\n")
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

plant(model/io/cache/bad.cpp "hid_t f = H5Fopen(path, 0, 0);\n" "model/io/cache/bad.cpp: HDF5 files are opened by")
plant(model/io/hdf5/hdf5_writer.cpp "Hdf5Handle f(H5Fcreate(p, 0, 0, 0), H5Fclose);\n" "hdf5_writer.cpp: HDF5 files are opened by")
plant(app/cli/bad.cpp "if (H5Fis_hdf5 (path) > 0)\n" "app/cli/bad.cpp: HDF5 files are opened by")
plant(model/io/hdf5/bad.cpp "    H5Dwrite(a, b, c, d, e, f);\n" "the status is dropped:     H5Dwrite(")
plant(model/io/hdf5/bad.cpp "    H5Fclose(a);\n" "the status is dropped")
plant(model/io/hdf5/bad.cpp "    H5Pset_fill_time(a, b);\n" "the status is dropped")
plant(model/io/hdf5/bad.cpp "\tH5Ldelete(a, b, c);\n" "the status is dropped")
file(REMOVE_RECURSE "${WORK}")
message(STATUS "HDF5 lint self-test: every planted violation was seen")

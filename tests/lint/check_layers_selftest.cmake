# SPDX-License-Identifier: GPL-3.0-or-later
# Plants one violation of each kind into a small tree of its own and demands that the layer lint
# sees every one of them, and that it accepts the clean tree.
#
#   cmake -DLINT=<check_layers.cmake> -DWORK=<scratch folder> -P check_layers_selftest.cmake

cmake_minimum_required(VERSION 3.25)
set(spdx "// SPDX-License-Identifier: GPL-3.0-or-later\n")

function(run_lint expected_code expected_text what)
    execute_process(COMMAND ${CMAKE_COMMAND} -DROOT=${WORK} -P ${LINT}
                    RESULT_VARIABLE code OUTPUT_VARIABLE out ERROR_VARIABLE err)
    if(expected_code EQUAL 0 AND NOT code EQUAL 0)
        message(FATAL_ERROR "${what}: a clean tree was refused: ${err}")
    elseif(NOT expected_code EQUAL 0 AND code EQUAL 0)
        message(FATAL_ERROR "${what}: the violation was not seen")
    endif()
    if(NOT expected_text STREQUAL "")
        string(FIND "${err}" "${expected_text}" place)
        if(place EQUAL -1)
            message(FATAL_ERROR "${what}: expected \"${expected_text}\" in: ${err}")
        endif()
    endif()
endfunction()

function(plant file text expected)
    file(REMOVE_RECURSE "${WORK}")
    file(WRITE "${WORK}/model/base/good.h" "${spdx}#include <vector>\n#include \"model/base/other.h\"\n")
    run_lint(0 "" "${file} (before)")
    file(WRITE "${WORK}/${file}" "${text}")
    run_lint(1 "${expected}" "${file}")
endfunction()

plant(model/data/bad.cpp "${spdx}#include <QString>\n" "model/data may not use qtcore")
plant(model/analysis/bad.cpp "${spdx}#include \"model/io/cache/cache_reader.h\"\n" "model/analysis may not use model/io")
plant(model/net/bad.cpp "${spdx}#include <hdf5.h>\n" "model/net may not use hdf5")
plant(model/net/bad.h "${spdx}#include <ATen/ATen.h>\n" "torch belongs into .cpp files")
plant(app/engine/bad.cpp "${spdx}#include \"model/analysis/attention/a.h\"\n#include \"model/analysis/importance/a.h\"\n#include \"model/analysis/heads/b.h\"\n"
      "includes model/analysis/heads/b.h: app/engine may not use model/analysis")
plant(ui/bad.cpp "${spdx}#include \"model/analysis/tsne/tsne_state.h\"\n" "ui may not use model/analysis")
plant(viz/bad.cpp "${spdx}#include <QWidget>\n" "viz may not use qtwidgets")
plant(viz/chart.cpp "${spdx}#include <QtCharts/QChart>\n" "viz may not use qtcharts")
plant(ui/views/chart.cpp "${spdx}#include <QtCharts/QChart>\n" "Qt Charts belongs into ui/charts")
plant(app/cli/bad.cpp "${spdx}#include <torch/torch.h>\n" "app/cli may not use torch")
plant(app/engine/bad.cpp "${spdx}#include <QCoreApplication>\n" "app/engine may not use qtcore")
plant(model/kernels/bad.cpp "${spdx}#pragma omp parallel for\n" "OpenMP belongs")
plant(ui/loop.cpp "${spdx}void f() { QCoreApplication::processEvents(); }\n" "banned")
plant(app/cli/scope.cpp "${spdx}int& f() { thread_local int mode = 0; return mode; }\n" "a state of the thread")
plant(viz/scope.cpp "${spdx}QThreadStorage<int> mode;\n" "a state of the thread")
plant(ui/prefs.cpp "${spdx}static const char* x = \"QSettings\";\n" "QSettings belongs")
plant(model/base/nolicence.cpp "int x;\n" "SPDX line is missing")
file(REMOVE_RECURSE "${WORK}")
message(STATUS "layer lint self-test: every planted violation was seen")

# SPDX-License-Identifier: GPL-3.0-or-later
# Precompiled headers, one a layer: what nearly every file of the layer includes from outside the
# project, parsed once. A file still writes its own includes: headers are compiled alone, without
# these (`header_checks`), and presets `tidy` and `fuzz` build everything without them.

option(HEADSCOPE_PCH "Precompile the headers of the standard library, Qt and JSON" ON)

# headscope_test_optimization(<target>): none, for code of tests and the headers precompiled for it (which GCC takes only at
# the same level): tests wait more than they compute, and building them is most of a build from nothing.
function(headscope_test_optimization target)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O0>)
endfunction()

# headscope_test_literals(<target>): its literals become a QString as they are.
function(headscope_test_literals target)
    target_compile_options(${target} PRIVATE -UQT_NO_CAST_FROM_ASCII)
endfunction()

# headscope_precompile(<name> HEADERS ... LIBS ...): headscope_pch_<name>, for REUSE_FROM.
function(headscope_precompile name)
    if(NOT HEADSCOPE_PCH)
        return()
    endif()
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "HEADERS;LIBS")
    set(target headscope_pch_${name})
    set(source ${PROJECT_BINARY_DIR}/pch/${name}.cpp)
    file(CONFIGURE OUTPUT ${source} CONTENT "// made by packaging/cmake/Precompiled.cmake\n")
    add_library(${target} OBJECT ${source})
    target_precompile_headers(${target} PRIVATE ${arg_HEADERS})
    target_link_libraries(${target} PRIVATE ${arg_LIBS} headscope_warnings headscope_sanitizers)
    if(name MATCHES "^test")
        headscope_test_optimization(${target})
    endif()
    if(name STREQUAL "test_literals")
        headscope_test_literals(${target})
    endif()
endfunction()

# headscope_use_precompiled(<target> <name>): compiles the target with the headers of that layer.
function(headscope_use_precompiled target name)
    if(HEADSCOPE_PCH)
        target_precompile_headers(${target} REUSE_FROM headscope_pch_${name})
    endif()
endfunction()

set(pch_std <algorithm> <array> <charconv> <cmath> <cstddef> <cstdint> <cstring> <filesystem> <functional> <limits>
            <map> <memory> <mutex> <numeric> <optional> <set> <span> <stop_token> <string> <string_view>
            <unordered_map> <utility> <variant> <vector>)
set(pch_format <fmt/format.h> <fmt/ranges.h>)
set(pch_gui <QColor> <QImage> <QLocale> <QPainter> <QPainterPath> <QPointF> <QRectF> <QString> <QStringList>)
set(pch_widgets ${pch_gui}
    <QAbstractItemModel> <QAction> <QApplication> <QCheckBox> <QComboBox> <QDir> <QFileInfo> <QFrame> <QHBoxLayout>
    <QHeaderView> <QKeyEvent> <QLabel> <QLineEdit> <QMap> <QMenu> <QMouseEvent> <QObject> <QPixmap> <QPointer>
    <QPushButton> <QScrollArea> <QSignalBlocker> <QSpinBox> <QStyle> <QTableView> <QTimer> <QToolButton> <QToolTip>
    <QVBoxLayout> <QWidget>)

headscope_precompile(std HEADERS ${pch_std} ${pch_format} LIBS fmt::fmt)
headscope_precompile(command HEADERS ${pch_std} ${pch_format} <nlohmann/json.hpp>
                     LIBS fmt::fmt nlohmann_json::nlohmann_json)
if(HEADSCOPE_DESKTOP)
    headscope_precompile(gui HEADERS ${pch_std} ${pch_gui} LIBS Qt6::Gui headscope_qt_strict)
    headscope_precompile(widgets HEADERS ${pch_std} <fmt/format.h> ${pch_widgets} LIBS fmt::fmt Qt6::Widgets headscope_qt_strict)
endif()
if(BUILD_TESTING)
    headscope_precompile(test HEADERS ${pch_std} ${pch_format} <fstream> <QTemporaryDir> <QTest>
                         LIBS fmt::fmt headscope_qt_test)
    if(HEADSCOPE_ENGINE)
        headscope_precompile(test_literals
                             HEADERS ${pch_std} ${pch_format} <fstream> <QJsonArray> <QProcess> <QTemporaryDir> <QTest>
                             LIBS fmt::fmt headscope_qt_test)
    endif()
    if(HEADSCOPE_DESKTOP)
        headscope_precompile(test_gui HEADERS ${pch_std} ${pch_format} ${pch_gui} <fstream> <QTemporaryDir> <QTest>
                             LIBS fmt::fmt Qt6::Gui headscope_qt_test)
        headscope_precompile(test_widgets
                             HEADERS ${pch_std} ${pch_format} ${pch_widgets} <QSignalSpy> <QTemporaryDir> <QTest>
                             LIBS fmt::fmt Qt6::Widgets headscope_qt_test)
    endif()
endif()

# SPDX-License-Identifier: GPL-3.0-or-later
# Reads every #include of the source tree and fails on an arrow that the table of CONTRIBUTING.md does
# not allow, on third-party headers outside their home folders, and on banned words.
#
#   cmake -DROOT=<source tree> -P check_layers.cmake

cmake_minimum_required(VERSION 3.25)

# What each folder may include beside itself and the standard library.
set(allow_model/base       fmt xxhash openssl openmp)
set(allow_model/kernels    model/base onednn highway)
set(allow_model/formats    model/base nlohmann simdjson)
set(allow_model/data       model/base eigen)
set(allow_model/io         model/base model/data model/formats model/kernels hdf5 arrow zlib zstd)
set(allow_model/unicode    model/base utf8proc)
set(allow_model/tokenize   model/base model/formats model/unicode oniguruma)
set(allow_model/net        model/base model/data model/formats model/kernels model/tokenize torch)
set(allow_model/analysis   model/base model/data model/kernels model/unicode eigen fftw)
set(allow_viz              model/base model/data qtcore qtgui qtsvg)
set(allow_ui               model/base model/data viz qtcore qtgui qtsvg qtwidgets)
set(allow_app/shell        model/base cli11 nlohmann)
set(allow_app/commands     app/shell model/base model/data model/analysis)
set(allow_app/frames       model/base model/data nlohmann)
set(allow_app/results      app/frames app/shell app/commands model/base model/data model/io model/analysis nlohmann)
set(allow_app/report       model/base)
set(allow_app/colorings    model/base model/data model/analysis viz qtcore qtgui)
set(allow_app/cli          app/frames app/shell app/commands app/frames app/results app/report app/colorings model/base model/data model/io model/formats model/analysis viz nlohmann qtcore qtgui)
set(allow_app/views-widgets model/base model/data viz ui app/views qtcore qtgui qtsvg qtwidgets)
set(allow_app/desktop      model/base model/data model/io model/formats model/analysis viz ui app/views app/cli app/colorings app/frames app/results app/commands app/shell
                           nlohmann qtcore qtgui qtsvg qtwidgets)
set(allow_app/engine       model/base model/data model/io model/formats model/unicode model/tokenize model/net model/analysis/attention model/analysis/circuits model/analysis/importance app/frames app/commands app/shell nlohmann)
set(allow_app/views        ${allow_app/desktop} app/desktop)
set(folders model/base model/kernels model/formats model/data model/io model/unicode model/tokenize model/net
            model/analysis viz ui app/shell app/commands app/frames app/results app/report app/colorings app/cli app/views app/desktop app/engine)

# fmt is the standard library's std::format in waiting; every folder may format text.
set(everywhere fmt)

# Which third-party library a header belongs to. First match wins.
set(libraries
    "^fmt/" fmt
    "^xxhash" xxhash
    "^openssl/" openssl
    "^omp\\.h$" openmp
    "^(oneapi/)?dnnl" onednn
    "^hwy/" highway
    "^nlohmann/" nlohmann
    "^simdjson" simdjson
    "^Eigen/" eigen
    "^(hdf5|H5)" hdf5
    "^(arrow|parquet)/" arrow
    "^zlib" zlib
    "^zstd" zstd
    "^oniguruma" oniguruma
    "^utf8proc" utf8proc
    "^(torch|ATen|c10|caffe2)/" torch
    "^fftw3" fftw
    "^CLI/" cli11
    "^QtCharts|^QChart|^QBar|^QLineSeries|^QValueAxis|^QAbstractAxis|^QLegend|^QScatterSeries" qtcharts
    "^Q(tWidgets|Application$|MainWindow|Widget|(VBox|HBox|Box|Grid|Form|Stacked)?Layout|DockWidget|.*Dialog|Label|.*Button|LineEdit|ComboBox|.*SpinBox|Scroll|ToolBar|ToolTip|Menu|StatusBar|ProgressBar|Splitter|StackedWidget|TabBar|TabWidget|Table(View|Widget)|Tree(View|Widget)|List(View|Widget)|HeaderView|PlainTextEdit|TextEdit|TextBrowser|Frame|GroupBox|Completer|Style$|StyleFactory|StyleOption|StyledItem|ProxyStyle|CheckBox|RadioButton|Slider|MessageBox|SizePolicy|SizeGrip|Undo|Graphics|RubberBand|Shortcut$|Wizard|Action.*Widget|AbstractItemView|AbstractScrollArea|WhatsThis)" qtwidgets
    "^Q(tSvg|Svg)" qtsvg
    "^Q(tGui|Gui|Image|Painter|Color|Font|Pixmap|Pen|Brush|Polygon|Transform|Paint|Pdf|Page|Icon|Palette|Text|Window|Screen|Clipboard|Desktop|Mouse|Wheel|Key|Drag|Drop|Action|Cursor|Bitmap|Region|Input|Standard(Item)|Validator|.*Validator|Event(Point)|Vector[234]D|Linear|Radial|StyleHints|Accessible|SessionManager|ImageWriter|ImageReader|StaticText|RawFont|GlyphRun|UndoStack|Matrix4x4|CloseEvent|HoverEvent|ResizeEvent|ShowEvent|FocusEvent|.*Event$)" qtgui
    "^Q" qtcore)

set(problems "")

# widget_of_view(<file> <variable>): whether the build file of a view counts it among its widgets, which know neither
# files nor analyses; the rest of the folder belongs to the controller.
function(widget_of_view file variable)
    set(${variable} FALSE PARENT_SCOPE)
    if(NOT file MATCHES "^app/views/([a-z_]+)/(.+)[.](cpp|h)$")
        return()
    endif()
    set(name "${CMAKE_MATCH_2}")
    set(build "${ROOT}/app/views/${CMAKE_MATCH_1}/CMakeLists.txt")
    if(NOT EXISTS "${build}")
        return()
    endif()
    file(READ "${build}" text)
    if(text MATCHES "WIDGETS([^)]*)")
        string(REGEX REPLACE "CONTROLLER.*" "" widgets "${CMAKE_MATCH_1}")
        string(REGEX REPLACE "[ \t\n]+" ";" widgets "${widgets}")
        if(name IN_LIST widgets)
            set(${variable} TRUE PARENT_SCOPE)
        endif()
    endif()
endfunction()

function(library_of header result)
    set(rest ${libraries})
    while(rest)
        list(POP_FRONT rest pattern name)
        if(header MATCHES "${pattern}")
            set(${result} ${name} PARENT_SCOPE)
            return()
        endif()
    endwhile()
    set(${result} "" PARENT_SCOPE)
endfunction()

function(check_file file folder)
    set(found "")
    file(STRINGS "${ROOT}/${file}" lines REGEX "^[ \t]*#[ \t]*include[ \t]*[<\"]")
    foreach(line IN LISTS lines)
        if(NOT line MATCHES "include[ \t]*[<\"]([^>\"]+)[>\"]")
            continue()
        endif()
        set(header "${CMAKE_MATCH_1}")
        if(header MATCHES "^(model/[a-z]+|app/[a-z]+|viz|ui|tests)/")
            set(target "${CMAKE_MATCH_1}")
            # Libraries of their own: of the analyses the engine has these.
            if(header MATCHES "^(model/analysis/(attention|circuits|importance))/" AND NOT folder STREQUAL "model/analysis" AND NOT "model/analysis" IN_LIST allow_${folder})
                string(REGEX MATCH "^model/analysis/[a-z]+" target "${header}")
            endif()
        elseif(header MATCHES "\\.(moc)$" OR header MATCHES "^(moc_|ui_|qrc_)")
            continue()
        else()
            library_of("${header}" target)
            if(target STREQUAL "" OR target IN_LIST everywhere)
                continue()
            endif()
        endif()
        if(target STREQUAL "app/views" AND folder STREQUAL "app/views-widgets")
            widget_of_view("${header}" is_widget)
            if(NOT is_widget)
                list(APPEND found "${file}: includes ${header}: widgets of a view may not use its controller")
            endif()
        endif()
        if(NOT target STREQUAL folder AND NOT target IN_LIST allow_${folder})
            list(APPEND found "${file}: includes ${header}: ${folder} may not use ${target}")
        endif()
        # torch stays out of every header, also inside net.
        if(target STREQUAL "torch" AND file MATCHES "\\.h$" AND NOT file MATCHES "torch_[a-z_]*\\.h$")
            list(APPEND found "${file}: includes ${header}: torch belongs into .cpp files of model/net")
        endif()
    endforeach()
    file(STRINGS "${ROOT}/${file}" banned
         REGEX "(^|[^A-Za-z_])(slots:|processEvents\\(|terminate\\(\\)|sender\\(\\)|QScatterSeries|setUseOpenGL)")
    foreach(line IN LISTS banned)
        # A QProcess is asked to end by terminate(); it is threads that must never be.
        if(line MATCHES "^[ \t]*(//|\\*)" OR line MATCHES "[pP]rocess(\\.|->)terminate\\(\\)")
            continue()
        endif()
        list(APPEND found "${file}: banned: ${line}")
    endforeach()
    file(STRINGS "${ROOT}/${file}" hidden REGEX "thread_local|thread_specific_ptr|QThreadStorage")
    if(hidden AND file MATCHES "^(app|ui|viz)/")
        list(APPEND found "${file}: a state of the thread: what a function needs is handed to it")
    endif()
    file(STRINGS "${ROOT}/${file}" omp REGEX "pragma omp|omp_get_max_threads")
    if(omp AND NOT file STREQUAL "model/base/parallel.cpp")
        list(APPEND found "${file}: OpenMP belongs into model/base/parallel.cpp")
    endif()
    file(STRINGS "${ROOT}/${file}" settings REGEX "QSettings")
    if(settings AND NOT file MATCHES "^ui/settings/")
        list(APPEND found "${file}: QSettings belongs into ui/settings")
    endif()
    file(STRINGS "${ROOT}/${file}" licence REGEX "SPDX-License-Identifier: GPL-3.0-or-later")
    if(NOT licence)
        list(APPEND found "${file}: the SPDX line is missing")
    endif()
    set(problems "${problems}" "${found}" PARENT_SCOPE)
endfunction()

set(checked 0)
foreach(folder IN LISTS folders)
    file(GLOB_RECURSE files RELATIVE "${ROOT}" "${ROOT}/${folder}/*.h" "${ROOT}/${folder}/*.cpp")
    foreach(file IN LISTS files)
        set(part "${folder}")
        widget_of_view("${file}" is_widget)
        if(is_widget)
            set(part "${folder}-widgets")
        endif()
        check_file("${file}" "${part}")
        math(EXPR checked "${checked} + 1")
    endforeach()
endforeach()

list(FILTER problems EXCLUDE REGEX "^$")
if(problems)
    list(JOIN problems "\n" text)
    message(NOTICE "${text}") # as it is: FATAL_ERROR would wrap the lines
    message(FATAL_ERROR "layer lint failed")
endif()
if(checked EQUAL 0)
    message(FATAL_ERROR "layer lint: no source file found under ${ROOT}")
endif()
message(STATUS "layer lint: ${checked} files, no forbidden arrow")

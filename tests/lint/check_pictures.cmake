# SPDX-License-Identifier: GPL-3.0-or-later
# Fails when a widget that is not named here paints itself: what is made of items (bars, dots, cells) is a viz::Picture,
# which ui::PictureWidget shows with pointer, keys, focus, tooltip and words for screen readers. Named are widgets that
# show one, that paint no items, or that came before and may only go.
#   cmake -DROOT=<source tree> -P check_pictures.cmake
cmake_minimum_required(VERSION 3.25)
cmake_path(ABSOLUTE_PATH ROOT NORMALIZE)
set(shows_pictures canvas/picture_widget dialogs/figures/figure_preview lesson/lesson_picture_page
    lesson/lesson_presenter)
set(has_no_items
    canvas/grow_overlay canvas/hover_card canvas/legend/legend_panel canvas/scatter/move_lines dialogs/schema_dialog
    jobs/panel_handle theme/focus_ring views/atlas/head_card window/status_line window/view_stack window/welcome_page)
set(to_be_ported
    canvas/legend/color_bar canvas/legend/legend_parts canvas/legend/legend_widget canvas/scatter/minimap
    canvas/scatter/scatter_widget charts/recall_chart charts/sweep_chart panels/data/head_picker panels/data/layer_strip
    panels/data/stage_cards views/attention/attention_bar views/attention/head_chips
    views/attention/head_grid_widget views/attention/token_lines_widget views/attention/weight_matrix_widget
    views/grid/map_grid views/head_corpus/token_canvas views/heatmap/heatmap_widget views/retrieval/fader)
set(wrong "")
set(checked 0)
foreach(folder IN ITEMS app ui)
    file(GLOB_RECURSE files RELATIVE "${ROOT}" "${ROOT}/${folder}/*.h" "${ROOT}/${folder}/*.cpp")
    foreach(file IN LISTS files)
        math(EXPR checked "${checked} + 1")
        string(REGEX REPLACE "^(ui|app)/|\\.(h|cpp)$" "" name "${file}")
        if(name IN_LIST shows_pictures OR name IN_LIST has_no_items OR name IN_LIST to_be_ported)
            continue()
        endif()
        file(STRINGS "${ROOT}/${file}" lines REGEX "paintEvent\\(QPaintEvent")
        if(lines)
            list(APPEND wrong "${file}: paints itself: make it a viz::Picture and show it by ui::PictureOf")
        endif()
    endforeach()
endforeach()
if(wrong)
    list(JOIN wrong "\n" text)
    message(NOTICE "${text}")
    message(FATAL_ERROR "widgets that paint themselves")
endif()
if(checked EQUAL 0)
    message(FATAL_ERROR "pictures lint: no source found under ${ROOT}")
endif()
message(STATUS "pictures lint: ${checked} sources")

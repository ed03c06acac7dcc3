# SPDX-License-Identifier: GPL-3.0-or-later
# Fails when a widget that is not named here paints itself: what is made of items (bars, dots, cells) is a viz::Picture,
# which ui::PictureWidget shows with pointer, keys, focus, tooltip and words for screen readers. Named are widgets that
# show one, that paint no items, that are canvases or controls of their own, or that came before and may only go.
#   cmake -DROOT=<source tree> -P check_pictures.cmake
cmake_minimum_required(VERSION 3.25)
cmake_path(ABSOLUTE_PATH ROOT NORMALIZE)
set(shows_pictures canvas/picture_widget dialogs/figures/figure_preview lesson/lesson_picture_page
    lesson/lesson_presenter)
set(has_no_items
    canvas/grow_overlay canvas/hover_card canvas/legend/legend_panel canvas/scatter/move_lines dialogs/schema_dialog
    jobs/panel_handle theme/focus_ring views/atlas/head_card views/attention/attention_bar views/attention/head_chips
    window/status_line window/view_stack window/welcome_page)
# Up to millions of points or cells, painted into an image that is kept, moved and zoomed as a whole; their gestures
# choose many at once. A list of items would be made anew for every frame, and read by no one.
set(is_canvas
    canvas/scatter/minimap canvas/scatter/scatter_widget views/grid/map_grid views/head_corpus/token_canvas
    views/heatmap/heatmap_widget)
# Sliders and radio buttons that look otherwise: keys, focus and words for screen readers are those of Qt's controls. The
# bar of colours is a slider of three handles, with a menu.
set(is_control canvas/legend/color_bar panels/data/stage_cards views/retrieval/fader)
# The legend has rows to drag, buttons, a search field and a scroll bar among its entries.
set(to_be_ported canvas/legend/legend_parts canvas/legend/legend_widget)
set(wrong "")
set(checked 0)
foreach(folder IN ITEMS app ui)
    file(GLOB_RECURSE files RELATIVE "${ROOT}" "${ROOT}/${folder}/*.h" "${ROOT}/${folder}/*.cpp")
    foreach(file IN LISTS files)
        math(EXPR checked "${checked} + 1")
        string(REGEX REPLACE "^(ui|app)/|\\.(h|cpp)$" "" name "${file}")
        if(name IN_LIST shows_pictures OR name IN_LIST has_no_items OR name IN_LIST is_canvas OR
           name IN_LIST is_control OR name IN_LIST to_be_ported)
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

# SPDX-License-Identifier: GPL-3.0-or-later
# Fails on an option that is declared elsewhere than in a function that declares fields: fields(), declare...(), ...Field()
# or ...Fields(). Commands, forms, settings and files are made from these; a widget or a verb that declares its own would
# have ranges, words and defaults of its own. So it fails, too, on
# - a spin box or a combo box that is no editor of a form of fields, unless it stands in the list below, with what it
#   chooses, which is no option of a verb; a number has a shorter list;
# - a request of the window to the engine whose parameters are named one by one: they are those of a command
#   (shell::requestParams).
#   cmake -DROOT=<source tree> -P check_fields.cmake
cmake_minimum_required(VERSION 3.25)
cmake_path(ABSOLUTE_PATH ROOT NORMALIZE)
set(declares "^ *([A-Za-z_.]*|return +[a-z]+|)\\.(option|flag)\\(\"|^ +(return )?(f|table|rows)\\(\"[a-z_]+\", ?[A-Za-z_.]")
set(functions "(^|[ :&])(fields|declare[A-Za-z]*|[a-z][A-Za-z]*Fields?)\\(")
set(boxes "new (QSpinBox|QDoubleSpinBox|QComboBox)\\(")
set(numbers "new (QSpinBox|QDoubleSpinBox)\\(")
set(ownNumbers "ui/dialogs/figures/picture_dialog.cpp" "ui/dialogs/settings_dialog.cpp" "ui/forms/field_form.cpp"
    "ui/panels/find/filter_row.cpp")
set(requests "params\\[\"|[Jj]son params = \\{|\\.ask\\(\"[a-z]+\", *\\{")
set(own
    "ui/dialogs/extract_dialog_form.cpp"          # layers of the model that was found
    "ui/dialogs/extract_options.cpp"              # from fields, with what the model says of them
    "ui/dialogs/figures/figure_dialog.cpp"        # usual widths, and how the preview is seen
    "ui/dialogs/figures/picture_dialog.cpp"       # pixels of a picture of the screen
    "ui/dialogs/join_dialog.cpp"                  # columns of a file
    "ui/dialogs/settings_dialog.cpp"              # whatever the table of settings says
    "ui/forms/field_form.cpp"                     # the editors of fields
    "ui/lesson/lesson_picture_page.cpp"           # what a lesson says
    "ui/panels/data/data_panel.cpp"               # colourings and label columns of what is open
    "ui/panels/find/filter_row.cpp"               # what the documents that are open can be filtered by
    "app/views/atlas/atlas_bar.cpp"                # measures that there are
    "app/views/attention/attention_bar.cpp"        # statistics that the run has
    "app/views/circuits/circuits_view.cpp"         # tokens of the text that was typed
    "app/views/compare/compare_bar.cpp"            # lines between two maps on the screen
    "app/views/compare/compare_head.cpp"           # maps that there are
    "app/views/grid/grid_bar.cpp"                  # members that there are
    "app/views/head_corpus/head_corpus_view.cpp"   # layers, heads, texts and columns that there are
    "app/views/heads/likeness_panel.cpp"           # which of the measures of one run is shown
    "app/views/ablation/importance_panel.cpp" # the same
    "app/views/heatmap/heatmap_bar.cpp"            # rows that there are, and their order on the screen
    "app/views/heatmap/heatmap_modes.cpp"          # stages that there are, and how pixels are filled
    "app/views/heatmap/topic_means_page.cpp"       # which of the numbers is shown
    "app/views/map/map_view.cpp"                   # what a click means
    "app/views/probe/confusion_pane.cpp"           # how a table is drawn
    "app/views/probe/probe_bar.cpp"                # layers that there are
    "app/views/retrieval/ranking_pane.cpp")        # one of two strategies beside each other
set(wrong "")
set(byHand "")
set(owned "")
set(checked 0)
foreach(folder IN ITEMS app model ui viz)
    file(GLOB_RECURSE files RELATIVE "${ROOT}" "${ROOT}/${folder}/*.h" "${ROOT}/${folder}/*.cpp")
    foreach(file IN LISTS files)
        math(EXPR checked "${checked} + 1")
        file(READ "${ROOT}/${file}" text)
        if(text MATCHES "${boxes}")
            list(APPEND owned "${file}")
            if(NOT file IN_LIST own OR (text MATCHES "${numbers}" AND NOT file IN_LIST ownNumbers))
                list(APPEND byHand "${file}: a box that is made by hand")
            endif()
        endif()
        if(file MATCHES "^app/(desktop|views)/" AND text MATCHES "${requests}")
            list(APPEND byHand "${file}: parameters of a request, named by hand: ${CMAKE_MATCH_0}")
        endif()
        if(file MATCHES "^model/base/fields/" OR NOT text MATCHES "Fields")
            continue()
        endif()
        file(STRINGS "${ROOT}/${file}" lines REGEX "^[A-Za-z].*\\(|${declares}")
        set(function "")
        foreach(line IN LISTS lines)
            if(line MATCHES "^[A-Za-z]")
                set(function "${line}")
            elseif(NOT function MATCHES "${functions}")
                list(APPEND wrong "${file}: ${line}")
            endif()
        endforeach()
    endforeach()
endforeach()
if(wrong)
    list(JOIN wrong "\n" text)
    message(NOTICE "${text}")
    message(FATAL_ERROR "options declared by hand: a function named fields(), beside the value, declares them")
endif()
if(byHand)
    list(JOIN byHand "\n" text)
    message(NOTICE "${text}")
    message(FATAL_ERROR "options offered by hand: a form, or a command, made from the fields offers them")
endif()
foreach(file IN LISTS own)
    if(EXISTS "${ROOT}/${file}" AND NOT file IN_LIST owned)
        message(FATAL_ERROR "${file} has no box of its own any more: it leaves the list of ${CMAKE_CURRENT_LIST_FILE}")
    endif()
endforeach()
if(checked EQUAL 0)
    message(FATAL_ERROR "fields lint: no source found under ${ROOT}")
endif()
message(STATUS "fields lint: ${checked} sources")

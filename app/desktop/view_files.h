// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/result_table.h"
#include "app/desktop/save_job.h"
#include "viz/export/figure_export.h"

#include <QImage>
#include <QStringList>

#include <functional>

class QWidget;

namespace headscope::desktop
{

/// What a widget shows now, without what one presses and turns, as a drawing that any thread may repeat:
/// text stays text, and it fills its box whatever the dots per inch.
/// @threads GUI thread; the drawing anywhere
[[nodiscard]] viz::Drawing drawingOf(QWidget& widget);

/// Inches that keep the widget's shape at the width of two columns.
[[nodiscard]] QSizeF inchesOf(const QWidget& widget);

/// Puts the widget's picture on the clipboard, in device pixels.
void copyPictureOf(QWidget& widget);

/// Puts a view on the clipboard, as a table (plain and text/csv) and as a picture, and says so.
void copyView(ui::MainWindow& window, const cli::ResultTable& table, const QImage& picture);

/// `--heads 1-4,9` where not all heads are chosen, else nothing.
[[nodiscard]] QStringList headsWords(const Study& study);

/// Saves what a view of tables and small pictures shows: .csv and .tex as the verb of the command line
/// writes them, .png, .pdf and .svg as the widget is painted now. The user has agreed to replace.
/// @param table    made on a worker; must own what it needs
/// @param command  the line that makes the same, kept in the file where it has a place for it
void saveWidgetView(SaveJob& job, const QString& path, QWidget& widget, const QString& command,
                    std::function<cli::ResultTable()> table);

/// Of the dialog for saveWidgetView.
[[nodiscard]] QStringList tableAndPictureFilters();

} // namespace headscope::desktop

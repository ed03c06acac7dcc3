// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/shell/save_job.h"
#include "model/data/frame/frame.h"
#include "viz/export/part_figures.h"

#include <QImage>
#include <QStringList>

#include <functional>
#include <vector>

class QWidget;

namespace headscope::desktop
{

/// Puts the widget's picture on the clipboard, in device pixels.
void copyPictureOf(QWidget& widget);

/// Puts a view on the clipboard, as a table (plain and text/csv) and as a picture, and says so.
void copyView(ui::MainWindow& window, const Frame& table, const QImage& picture);

/// What a view of tables and small pictures shows: .csv and .tex as the verb of the command line writes them, .png,
/// .pdf and .svg as its parts.
/// @param parts    made on the GUI thread; must own what they need
/// @param table    made on a worker; must own what it needs
/// @param command  the line that makes the same, kept in the file where it has a place for it
[[nodiscard]] ViewOutput partsOutput(const QString& path, std::vector<viz::FigurePart> parts, const QString& command,
                                     std::function<Frame()> table);

/// File filters of the dialog for partsOutput.
[[nodiscard]] QStringList tableAndPictureFilters();

} // namespace headscope::desktop

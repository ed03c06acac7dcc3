// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/frame_model.h"

class QHeaderView;
class QTableView;

namespace headscope::ui
{

/// A table of a result that its headings sort, at first by the first column.
/// @param name    of the widget
/// @param title   its accessible name
/// @param header  null: the usual one
[[nodiscard]] QTableView* makeResultTable(FrameModel* model, const QString& name, const QString& title, QWidget* parent,
                                          QHeaderView* header = nullptr);
/// The row of the frame that a row of a table shows, however it is ordered.
[[nodiscard]] int frameRow(const QModelIndex& index);

} // namespace headscope::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/frame/facts.h"

#include <QDialog>
#include <QTableWidget>

namespace headscope::ui
{

/// What a model's files ask for, and what is done with it: a line each, as long as it is. Arrow keys walk through the
/// lines, the selected ones can be copied.
class ModelAsks : public QTableWidget
{
    Q_OBJECT

public:
    explicit ModelAsks(QWidget* parent = nullptr);

    /// As the engine or a cache says it.
    void setLines(const FactLines& lines);
    /// Of the list, as a title.
    [[nodiscard]] static QString title();
};

/// The list of an open cache.
class ModelAsksDialog : public QDialog
{
    Q_OBJECT

public:
    explicit ModelAsksDialog(const FactLines& lines, QWidget* parent = nullptr);
};

} // namespace headscope::ui

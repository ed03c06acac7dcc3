// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/selection.h"

#include <QList>
#include <QWidget>

class QAbstractButton;

namespace headscope::ui
{

/// What found documents may do to the choice: replace it, join it, leave it, or meet it.
class ChoiceButtons : public QWidget
{
    Q_OBJECT

public:
    /// @param what  names the documents in accessible names and tips: "the documents found"
    /// @param name  object name; the buttons are name + "Choose", "Add", "Remove", "Intersect"
    ChoiceButtons(const QString& what, const QString& name, QWidget* parent = nullptr);

Q_SIGNALS:
    void chosen(headscope::SetOperation operation);
};

} // namespace headscope::ui

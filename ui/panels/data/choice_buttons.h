// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/selection.h"

#include <QList>
#include <QWidget>

class QAbstractButton;

namespace headscope::ui
{

/// Buttons that apply found documents to the choice: replace it, add, remove, or intersect.
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

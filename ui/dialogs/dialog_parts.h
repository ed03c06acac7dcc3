// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <initializer_list>
#include <utility>

class QDialog;
class QGridLayout;
class QHBoxLayout;
class QPushButton;
class QWidget;

namespace headscope::ui
{

/// Fields of one width under each other, each with its label next to it.
[[nodiscard]] QGridLayout* makeFieldGrid(std::initializer_list<std::pair<QString, QWidget*>> fields, int fieldWidth,
                                         QWidget* parent);

/// The last line of a dialog: Cancel, which closes it, and what it is for, which Return presses.
struct DialogButtons
{
    QHBoxLayout* row = nullptr;
    QPushButton* act = nullptr;
};
/// @param beside  on the left of the buttons; null: nothing
[[nodiscard]] DialogButtons makeDialogButtons(QDialog& dialog, const QString& text, const QString& name,
                                              QWidget* beside = nullptr);

} // namespace headscope::ui

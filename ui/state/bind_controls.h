// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/view_state.h"

#include <QLatin1StringView>
#include <QString>

#include <span>

class QAbstractButton;
class QAbstractSlider;
class QComboBox;
class QDoubleSpinBox;
class QLineEdit;
class QSpinBox;
class QSplitter;
class QTableView;
class QTreeView;
class QWidget;

/// Controls as values of a state. Each control outlives the state, or goes with it; its accessible name, else its own
/// text, else the first sentence of its tooltip names the step. A value is set as a hand would set it: the signal by
/// which the control tells its view of the user is emitted.
namespace headscope::ui
{

/// Words of entries that have others now: project files and recipes of earlier versions hold the former ones. A text
/// that ends with them has another end now ("Colour: Trust: divergence").
struct FormerWords
{
    QLatin1StringView before;
    QLatin1StringView now;
};
/// All of them; a text is looked for with the first that it ends with.
[[nodiscard]] std::span<const FormerWords> formerWords();

/// Kept by the text of the entry (kFormerTextRole: one that it had before).
void bind(ViewState& state, const QString& key, QComboBox& box);
void bind(ViewState& state, const QString& key, QSpinBox& box);
void bind(ViewState& state, const QString& key, QDoubleSpinBox& box);
void bind(ViewState& state, const QString& key, QAbstractSlider& slider);
void bind(ViewState& state, const QString& key, QLineEdit& line);
/// One that stays down. Of a group of which one is down, it is the one that goes down that is set.
void bind(ViewState& state, const QString& key, QAbstractButton& button);
/// The same of one that only folds and unfolds what is there: kept, but no step of undo.
void bindFold(ViewState& state, const QString& key, QAbstractButton& button);
/// What a table is sorted by: "3 descending"; "": as its rows come.
void bind(ViewState& state, const QString& key, QTableView& table);
void bind(ViewState& state, const QString& key, QTreeView& table);
/// Sizes of panes: an array, which is looked at and no step of undo.
void bind(ViewState& state, const QString& key, QSplitter& splitter);
/// Whatever of these a widget is, as the editors of a form are.
void bindEditor(ViewState& state, const QString& key, QWidget& editor);
/// A button that does something to values of the state.
void bindAct(ViewState& state, QAbstractButton& button);

} // namespace headscope::ui

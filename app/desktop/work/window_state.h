// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of the window's state, as a work file has them: what they are, and put back.
#pragma once

#include <QJsonObject>
#include <QStringList>

namespace headscope::ui
{
class Choices;
class MainWindow;
class SelectionHub;
} // namespace headscope::ui

namespace headscope::desktop
{

class Study;

/// Layer, stage, heads, labels and colour.
[[nodiscard]] QJsonObject choiceJson(const ui::Choices& choices);
/// What of them is not in the cache stays as it is.
void restoreChoice(Study& study, const QJsonObject& choice);
/// What is chosen and shown of the documents and heads of this cache.
[[nodiscard]] QJsonObject selectionJson(const ui::SelectionHub& hub);
void restoreSelection(Study& study, const QJsonObject& selection);
/// The named sets, then those that the window has and the state has not.
void restoreSets(Study& study, const QJsonObject& sets);
/// Menu entries that are on or off.
void restoreSwitches(ui::MainWindow& window, const QJsonObject& switches);

/// What of a work is not as it was saved, for a sentence; empty: all of it is.
/// @param changed  the documents are others
[[nodiscard]] QStringList lostParts(const QJsonObject& saved, const QJsonObject& now, bool changed);

} // namespace headscope::desktop

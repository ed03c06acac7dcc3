// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/shell/study.h"
#include "app/desktop/work/work_session.h"

#include <QElapsedTimer>
#include <QHash>
#include <QJsonValue>
#include <QObject>
#include <QTimer>
#include <QUndoStack>

#include <functional>
#include <map>
#include <optional>

namespace headscope::desktop
{

class HeadsController;

/// What the user changed, one step after another over all views, to be taken back by Edit > Undo under its name.
///
/// A step is what differs between the state of the window before the user acts and after it, when the window stands
/// still: choices, values of the ui::ViewState of the views, legends, switches. That the user acts is told by what he
/// acts on (ViewState::acts, Choices, Actions); what the program changes by itself, a result that arrives or a work
/// that is restored, is no step. Documents chosen and shown, named sets and switches
/// of heads have histories of their own, whose steps are among the others. Zooms, colour scales, panes, folds and the
/// tab are looked at, not changed: no step; undoing one shows the tab where it was made. Another cache clears all.
/// @threads GUI thread
class UndoHistory : public QObject
{
    Q_OBJECT

public:
    /// @param session, heads  must outlive it
    UndoHistory(Study& study, WorkSession& session, HeadsController& heads, QObject* parent = nullptr);

    [[nodiscard]] bool canUndo() const { return m_stack.canUndo(); }
    [[nodiscard]] bool canRedo() const { return m_stack.canRedo(); }
    /// What the next one takes back: "layer"; empty: nothing.
    [[nodiscard]] QString undoText() const { return m_stack.undoText(); }
    [[nodiscard]] QString redoText() const { return m_stack.redoText(); }
    void undo();
    void redo();
    /// Ends the gesture that is running: what it changed becomes a step now.
    void settle();
    void clear();

    static constexpr int kSteps = 100;
    /// How long the window does not change after the last key or click before a gesture is over.
    static constexpr int kSettleMs = 300;
    /// Steps that change the same within this time are one: a number that is counted up, a slider that is drawn.
    static constexpr int kMergeMs = 1500;

Q_SIGNALS:
    void changed();

private:
    /// Values by their path: "choice/layer", "views/probe/controls/probeC".
    using Values = std::map<QString, QJsonValue>;
    class ValuesStep;
    class HistoryStep;

    [[nodiscard]] Values valuesIn(const QJsonObject& all) const;
    [[nodiscard]] Values values() const { return valuesIn(m_session.gather()); }
    void follow(const ui::ViewState& state, const QString& path);
    void followChoices();
    /// The user acts.
    void begin();
    /// Reads a value as values() has it; undefined: it has none.
    using Reader = std::function<QJsonValue()>;
    /// A value changed, whoever changed it.
    /// @param read  null: it takes all values to read it
    void note(const QString& path, Reader read = {});
    /// The event loop is here again: what changed without a gesture was the program's.
    void rest();
    void put(const Values& values);
    void show(const QString& path);
    [[nodiscard]] QString nameOf(const Values& after) const;
    [[nodiscard]] QString nameOfControl(const QString& view, const QString& control) const;
    /// A step of another history joins this one.
    void addForeign(const QString& name, std::function<void()> undo, std::function<void()> redo);
    void go(bool back);
    void refresh();

    Study& m_study;
    WorkSession& m_session;
    QUndoStack m_stack;
    std::optional<Values> m_before;    ///< of the gesture that is running
    Values m_last;                     ///< when nothing had changed yet of what is noted
    std::map<QString, Reader> m_noted; ///< paths of what changed since the event loop was here
    ui::Choice m_choice;
    QTimer m_rest;
    QTimer m_settle;
    QElapsedTimer m_sinceStep;
    bool m_going = false;   ///< a step is being undone or redone
    bool m_foreign = false; ///< a step of another history was made: what changes with it is no step of its own
};

} // namespace headscope::desktop

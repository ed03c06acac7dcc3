// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonObject>
#include <QJsonValue>
#include <QObject>
#include <QString>

#include <functional>
#include <vector>

namespace headscope::ui
{

/// The parts of the state of a view, as a work file has them.
enum class StatePart
{
    Controls, ///< what is chosen, written and switched on
    Legends,  ///< labels that are hidden or alone
    Scales,   ///< colour scales that a hand has set
    Zooms,
    Own, ///< what its controller keeps under a key of its own; told of here, and not declared
};

/// What a step that changes something is called, by the words on it: "KV groups" of "&KV groups…".
[[nodiscard]] QString plainName(QString words);

/// One value of a view's state.
struct StateValue
{
    StatePart part = StatePart::Controls;
    QString key; ///< in work files; those of today's files open tomorrow
    /// Whether changing it is a step of undo. Not where it only folds or unfolds what is there: that is looked at.
    bool isStep = true;
    /// What a step of undo is called that changes it: "Order of the rows".
    std::function<QString()> name;
    /// Undefined: the user has not chosen any.
    std::function<QJsonValue()> read;
    /// Takes it as if the user had chosen it; what it cannot take is left out. Undefined: as if nothing was chosen.
    /// @return false: what it is of is not there yet
    std::function<bool(const QJsonValue&)> write;
    /// What a value of an earlier version is called today; empty: it has the same name in all versions.
    std::function<QJsonValue(const QJsonValue&)> today{};
};

/// What a view or panel remembers, declared once: work files, recipes of figures, scenes of lessons and undo are made
/// of it. Whoever owns a control binds it (ui/state/bind_controls.h, bind_canvas.h) when it is made.
///
/// Two values of one key are one: what was added last is read, all are written.
/// @threads GUI thread
class ViewState : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    void add(StateValue value);

    /// All values of a part by their keys; those that are undefined are left out.
    [[nodiscard]] QJsonObject values(StatePart part) const;
    /// One of them; undefined: it is, or there is none.
    [[nodiscard]] QJsonValue value(StatePart part, const QString& key) const;
    /// These values as values() gives them once they are set: what earlier versions called otherwise has today's name.
    [[nodiscard]] QJsonObject today(StatePart part, QJsonObject values) const;
    /// Sets the values that are named. Of legends and scales the others are as if nothing was chosen.
    /// @param later  gets those whose owner shows nothing yet; may be null
    void set(StatePart part, const QJsonObject& values, QJsonObject* later = nullptr);
    /// All values of a part are as if nothing was chosen.
    void reset(StatePart part);
    /// Whether changing the control is a step of undo (StateValue::isStep).
    [[nodiscard]] bool isStep(const QString& key) const;
    /// Empty: there is no such control, or it has no name.
    [[nodiscard]] QString nameOf(const QString& key) const;
    /// Whether values are being set, which is not the user's doing.
    [[nodiscard]] bool isSetting() const { return m_setting; }

    // What bindings tell.
    /// A value changed, whoever changed it.
    void tellChanged(StatePart part, const QString& key) { Q_EMIT changed(part, key); }
    /// The user acts: values that change now are his. Nothing while values are being set.
    void tellActs();
    /// The user has changed this value.
    void tellEdited(StatePart part, const QString& key);

Q_SIGNALS:
    void changed(headscope::ui::StatePart part, const QString& key);
    /// What changed since the event loop came here last, and changes until the window does not change, is the user's.
    void acts();

private:
    std::vector<StateValue> m_values; ///< in the order in which they are set
    bool m_setting = false;
};

} // namespace headscope::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/fields/fields.h"

#include <QObject>
#include <QString>

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

class QAbstractButton;
class QBoxLayout;
class QLabel;
class QWidget;

namespace headscope::ui
{

class ViewState;

/// Editors for the fields of a value: number, choice or check box by the type of the field, with its range, label and
/// sentence. What is offered, and whether it applies, is asked of the fields again after every change. The caller says
/// where each is; it declares none.
/// @threads GUI thread
class FieldForm : public QObject
{
    Q_OBJECT

public:
    /// Collects the fields, bound to a value of the caller that outlives the form.
    using Declare = std::function<void(Fields&)>;

    /// @param prefix  of the names of the editors: "run" makes "runPerplexity"
    /// @param parent  of the form; the editors belong to the widgets that they are in
    FieldForm(Declare declare, QString prefix, QObject* parent);

    /// What stands for a field in a form.
    struct Parts
    {
        QLabel* title = nullptr; ///< null: the editor holds it
        QWidget* editor = nullptr;
        QLabel* explanation = nullptr;
    };
    /// Makes the editor of a field alone, for a bar that has no room for words; its tooltip has the sentence.
    QWidget* makeAlone(std::string_view key, QWidget* parent);
    /// Makes a button that stays down for a field that is a flag.
    QWidget* makeButton(std::string_view key, QWidget* parent);
    /// Makes the widgets of a field, for a form with an arrangement of its own.
    Parts make(std::string_view key, QWidget* parent);
    /// Makes the editor of a field with its label in front of it, for a bar.
    QWidget* makeNamed(std::string_view key, QWidget* parent);
    /// Puts the row of a field below what is in a layout: label, editor and the sentence below them.
    /// @return the editor
    QWidget* addRow(std::string_view key, QBoxLayout* layout);
    /// The fields that have no row, in the order of their declaration.
    [[nodiscard]] std::vector<std::string> without() const;
    /// The editor of a field; null before addRow.
    [[nodiscard]] QWidget* editor(std::string_view key) const;
    /// The editors that are there are values of a state, by their names.
    void bindTo(ViewState& state);
    /// Shows the value as it is now, and what may be chosen.
    void refresh();
    /// Gives a field a value that it takes, as a hand would, but nothing is told.
    void set(std::string_view key, const std::string& text);
    /// Shows that what is in an editor is of no use, which its field alone cannot tell.
    void mark(std::string_view key, bool isWrong);
    /// Whether a text is in an editor that its field does not take; the value is the one before.
    [[nodiscard]] bool hasFault() const { return !m_faults.empty(); }

Q_SIGNALS:
    /// A hand changed this field; the value has it already.
    void edited(const QString& key);
    /// A text was written that is not taken.
    void refused(const QString& key);

private:
    struct Row
    {
        std::string key;
        QWidget* editor = nullptr;
        QString name;
    };
    [[nodiscard]] Fields fields() const;
    /// Names an editor, and keeps it.
    QWidget* adopt(const Field& field, QWidget* editor);
    [[nodiscard]] QWidget* makeEditor(const Field& field, QWidget* parent);
    [[nodiscard]] QWidget* makeNumber(const Field& field, QWidget* parent);
    [[nodiscard]] QWidget* makeLine(const Field& field, QWidget* parent);
    void connectFlag(QAbstractButton* button, const std::string& key);
    void take(const std::string& key, const std::string& text);

    Declare m_declare;
    QString m_prefix;
    std::vector<Row> m_rows;
    std::set<std::string> m_faults; ///< keys
    bool m_showing = false;
};

/// A control with its name in front of it, for a bar.
[[nodiscard]] QWidget* makeNamed(const QString& name, QWidget* control, QWidget* parent);

} // namespace headscope::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QLineEdit;
class QPushButton;

namespace headscope::ui
{

class ElidedLabel;
class ViewState;

/// The query: a text or the chosen document. The line under the field says which model a text needs while none is
/// known, and then what was asked.
class QueryRow : public QWidget
{
    Q_OBJECT

public:
    explicit QueryRow(QWidget* parent = nullptr);
    /// Its controls are values of a state.
    void bindTo(ViewState& state);

    /// Whether anything can be asked at all.
    void setOpen(bool open);
    void setDocumentAllowed(bool allowed);
    /// The model that embeds texts, by its file; empty: none is known, and `need` says which one is wanted.
    void setModel(const QString& model, const QString& need);
    /// The activity that is shown until there is an answer; "" ends it.
    void setBusy(const QString& text);
    /// The query of the results shown; "" before the first one.
    void setQuery(const QString& query);
    /// Why the last query has no result; cleared by the next one.
    void setProblem(const QString& sentence);
    [[nodiscard]] QLineEdit* field() const { return m_text; }
    [[nodiscard]] QString query() const;
    /// "" while a model is known.
    [[nodiscard]] QString need() const;

Q_SIGNALS:
    void textAsked(const QString& text);
    void chosenDocumentAsked();
    /// Another model is to be chosen for texts.
    void modelRequested();

private:
    void refresh();

    QLineEdit* m_text = nullptr;
    QPushButton* m_ask = nullptr;
    QPushButton* m_askDocument = nullptr;
    QWidget* m_needLine = nullptr;
    QLabel* m_need = nullptr;
    QPushButton* m_choose = nullptr;
    ElidedLabel* m_query = nullptr;
    QLabel* m_wrong = nullptr; ///< in the place of m_query: why there is no answer
    QString m_model;
    QString m_asked;
    QString m_busy;
    QString m_problem;
    bool m_open = false;
};

} // namespace headscope::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/attention/attention_look.h"

#include <QWidget>

#include <vector>

class QLabel;
class QLineEdit;
class QMenu;
class QPushButton;

namespace headscope::ui
{

class ElidedLabel;
class ViewState;

/// The text that is asked for, or a document, or a stored run. The lines under the field say what is missing, what is
/// being computed, what went wrong, and what is shown.
class AttentionTextRow : public QWidget
{
    Q_OBJECT

public:
    explicit AttentionTextRow(QWidget* parent = nullptr);
    /// Its controls are values of a state.
    void bindTo(ViewState& state);

    void setText(const QString& text);
    [[nodiscard]] QString text() const;
    void setModel(const QString& model, const QString& need);
    void setStoredRuns(const std::vector<StoredRunEntry>& runs);
    void setDocumentAllowed(bool allowed, const QString& why);
    void setBusy(const QString& text);
    void setProblem(const QString& sentence);
    void setNote(const QString& text);

    [[nodiscard]] QLineEdit* field() const { return m_text; }
    /// The line under the field that is shown: what is wrong, being computed, or noted; "": none.
    [[nodiscard]] QString said() const;
    /// "" while a model is known.
    [[nodiscard]] QString need() const;

Q_SIGNALS:
    void textAsked(const QString& text);
    void documentWanted();
    void storedWanted(const QString& name);
    void modelRequested();
    void stopRequested();

private:
    QWidget* buildNeed();
    QWidget* buildBusy();
    void ask();
    void refresh();

    QLineEdit* m_text = nullptr;
    QPushButton* m_show = nullptr;
    QPushButton* m_document = nullptr;
    QPushButton* m_stored = nullptr;
    QMenu* m_runs = nullptr;
    QWidget* m_needLine = nullptr;
    QLabel* m_need = nullptr;
    QPushButton* m_choose = nullptr;
    QWidget* m_busyLine = nullptr;
    ElidedLabel* m_busyText = nullptr;
    QLabel* m_wrong = nullptr;
    ElidedLabel* m_noteLine = nullptr;
    QString m_model;
    QString m_busy;
    QString m_problem;
    QString m_note;
};

} // namespace headscope::ui

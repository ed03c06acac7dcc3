// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/forms/field_form.h"

#include <QString>
#include <QWidget>

#include <cstdint>
#include <initializer_list>
#include <string_view>

class QLabel;
class QPushButton;
class QStackedWidget;

namespace headscope::ui
{

class ElidedLabel;
class EmptyState;
class WrapRow;

/// What is asked of heads of a layer in the running model: a title with what the result is of, a row of fields with
/// the button that runs them, and below it the result, or why there is none.
class UnitsPanel : public QWidget
{
    Q_OBJECT

public:
    /// The layer that the window shows, which is asked for unless the user chose another.
    void setLayer(std::int64_t layer);
    /// Why nothing can be run; "": it can.
    void setObstacle(const QString& text, const QString& action = {});
    void setBusy(bool busy);
    void setProblem(const QString& title, const QString& text);
    [[nodiscard]] EmptyState* emptyState() const { return m_empty; }
    /// What the result is of, as shown above it.
    [[nodiscard]] QString ofText() const;
    /// The sentences with the result.
    [[nodiscard]] QString legendText() const;

Q_SIGNALS:
    void runRequested();
    /// The action of the obstacle: the model is to be chosen.
    void obstacleActionRequested();

protected:
    /// What a panel says.
    struct Words
    {
        QString title;
        QString run; ///< on the button
        QString runTip;
        QString running; ///< in place of a result while it runs, and what is being done
        QString runningText;
        QString obstructed; ///< where nothing can be run, and the obstacle says why
        QString empty;      ///< where nothing was run, and what would be here
        QString emptyText;
        QString emptyAction{}; ///< runs it; "": the button above does
        QString again{};       ///< the same after a problem
    };

    /// The parts of a panel are made in the order in which the keyboard passes them: fields, further controls, the
    /// page.
    /// @param prefix   of the names of widgets: "importance" makes "importanceRun"
    /// @param declare  the fields; not asked for before the first is added
    UnitsPanel(const QString& prefix, Words words, FieldForm::Declare declare, QWidget* parent);

    [[nodiscard]] FieldForm& form() { return m_form; }
    [[nodiscard]] QWidget* controlBar() const { return m_bar; }
    [[nodiscard]] WrapRow& controls() { return *m_controls; }
    /// Adds fields to the row of controls, then the button that runs them.
    void addFields(std::initializer_list<std::string_view> keys);
    [[nodiscard]] QPushButton* runButton() const { return m_run; }
    /// Makes the place of the result, which has no layout yet, and what is there without one.
    QWidget* makePage();
    /// The sentences with the result, which the page lays out.
    [[nodiscard]] QLabel* legend() const { return m_legend; }
    /// Another model: its layers may be others.
    void forgetLayer() { m_layerChosen = false; }
    /// The layer is that which was asked for, whichever the window shows.
    void keepLayer() { m_layerChosen = true; }
    /// Shows the result, or why there is none.
    /// @param isReady  whether what the fields say can be run
    /// @param of       what the result is of, or what is wrong with the fields
    void showState(bool hasResult, bool isReady, const QString& of);
    /// Everything as it is now.
    virtual void refresh() = 0;

private:
    QString m_prefix;
    Words m_words;
    FieldForm m_form;
    QString m_obstacle;
    QString m_obstacleAction;
    bool m_isBusy = false;
    bool m_layerChosen = false;

    ElidedLabel* m_of = nullptr;
    QWidget* m_bar = nullptr;
    WrapRow* m_controls = nullptr;
    QPushButton* m_run = nullptr;
    QStackedWidget* m_pages = nullptr;
    EmptyState* m_empty = nullptr;
    QWidget* m_page = nullptr;
    QLabel* m_legend = nullptr;
};

} // namespace headscope::ui

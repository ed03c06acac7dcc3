// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/shell/controller.h"
#include "app/desktop/shell/saved_figure.h"
#include "app/desktop/shell/study.h"
#include "app/desktop/work/figure_run.h"
#include "ui/dialogs/figures/figure_list_dialog.h"

#include <QPointer>
#include <QString>

#include <memory>
#include <vector>

namespace headscope::desktop
{

class WorkSession;

/// The figures that were saved from the views of the open cache: a list that goes into the work file and into the work
/// that is kept next to the cache, with which it comes back, and saving them again from the data as they are now.
/// @threads GUI thread
class FigureList : public Controller
{
    Q_OBJECT

public:
    explicit FigureList(Study& study, QObject* parent = nullptr);
    ~FigureList() override;

    /// Follows what their views save. Once.
    /// @param session, controllers  must outlive it
    void follow(WorkSession& session, const std::vector<Controller*>& controllers);

    void stop() override;
    void leave() override;
    [[nodiscard]] bool busy() const override { return m_run != nullptr && m_run->running(); }
    void saveState(QJsonObject& state) const override;
    void restoreState(const QJsonObject& state) override;
    void addWork(ResultStore& work) const override;
    void forgetWork() override;

    [[nodiscard]] const std::vector<SavedFigure>& figures() const { return m_figures; }
    /// Asks, and saves these again.
    void saveAgain(const std::vector<int>& rows);
    /// Asks for a file and a size, and puts the views of these figures next to each other as panels of one; figures of
    /// panels among them are left out. It goes into the list.
    /// @param columns  of panels; 0: as many as fit
    void savePanels(const std::vector<int>& rows, int columns);
    /// Opens the list.
    void show();
    /// The open list, or null.
    [[nodiscard]] ui::FigureListDialog* dialog() const { return m_dialog; }

    /// More are not kept: those saved first are forgotten.
    static constexpr std::size_t kMost = 200;

Q_SIGNALS:
    /// Saving again has ended, and the window is as it was.
    void savedAgain();

private:
    /// How it went in this session.
    struct Outcome
    {
        QString text;
        bool failed = false;
    };

    void onCacheOpened();
    void add(const SavedFigure& figure);
    void beginPage(SavedFigure page);
    void begin(const std::vector<int>& rows);
    void end(int at, const QString& why);
    void showOne(int row);
    void remove(const std::vector<int>& rows);
    void refresh();
    [[nodiscard]] QString showsText(const SavedFigure& figure) const;
    [[nodiscard]] ui::FigureRow rowOf(const SavedFigure& figure, const Outcome& outcome) const;

    Study& m_study;
    WorkSession* m_session = nullptr;
    std::unique_ptr<FigureRun> m_run;
    std::vector<SavedFigure> m_figures; ///< as they were saved first
    std::vector<Outcome> m_outcomes;    ///< of each
    std::vector<int> m_running;         ///< rows of the run
    int m_failures = 0;
    QPointer<ui::FigureListDialog> m_dialog;
};

} // namespace headscope::desktop

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/shell/save_job.h"
#include "app/desktop/shell/saved_figure.h"
#include "app/desktop/shell/study.h"

#include <QJsonObject>
#include <QObject>
#include <QStringList>
#include <QTimer>

#include <memory>
#include <vector>

class QTemporaryDir;

namespace headscope::desktop
{

class Controller;
class ViewController;
class WorkSession;
struct FigureBundle;

/// Saves figures again, one after another: shows each as it was when it was saved, waits until the window has computed
/// what belongs to it, and has its view save it; of a figure of panels this is done for each panel, and the page is
/// written when all were collected. At the end the window is as it was before.
/// @threads GUI thread
class FigureRun : public QObject
{
    Q_OBJECT

public:
    /// @param session, controllers  must outlive it
    FigureRun(Study& study, WorkSession& session, const std::vector<Controller*>& controllers,
              QObject* parent = nullptr);
    ~FigureRun() override;

    [[nodiscard]] bool running() const { return m_running; }
    /// @pre !running(), figures are not empty, and a cache is open
    void start(std::vector<SavedFigure> figures);
    /// Ends with the figure that is being saved.
    void stop();

    /// Whether anything is being read, computed or drawn that a figure may need.
    [[nodiscard]] static bool isComputing(const Study& study, const std::vector<Controller*>& controllers);

    /// Nothing has to happen for so long before what is shown is taken for complete.
    static constexpr int kStillMs = 400;

Q_SIGNALS:
    void begun(int figure);
    /// @param why  it was not saved, a sentence; "": it was
    void ended(int figure, const QString& why);
    /// A figure of panels was written; those of views tell it themselves.
    void pageSaved(const headscope::desktop::SavedFigure& figure);
    /// The window is as it was.
    void finished();

private:
    void next();
    void show();
    void look();
    void save();
    void collect();
    void writePage();
    void end(const QString& why);
    void putBack();
    void finish();
    [[nodiscard]] const SavedFigure& figure() const { return m_figures[static_cast<std::size_t>(m_at)]; }
    /// The view that comes next: the figure, or its panel.
    [[nodiscard]] const SavedFigure& shownNow() const;
    [[nodiscard]] ViewController* viewOf(const SavedFigure& figure) const;

    Study& m_study;
    WorkSession& m_session;
    const std::vector<Controller*>& m_controllers;
    std::vector<SavedFigure> m_figures;
    int m_at = -1;
    bool m_running = false;
    bool m_stopping = false;
    bool m_saving = false;
    std::vector<std::shared_ptr<const FigureBundle>> m_panels; ///< of a page, those that were collected
    std::shared_ptr<QTemporaryDir> m_staging;                  ///< of a page
    SaveJob m_pages;
    QJsonObject m_before; ///< of the window
    QTimer m_look;
    int m_stillMs = 0;
};

} // namespace headscope::desktop

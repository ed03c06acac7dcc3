// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/shell/analysis_controller.h"

#include "ui/jobs/job_strip.h"
#include "ui/words/wording.h"

#include <iterator>
#include <utility>

namespace headscope::desktop
{

AnalysisController::AnalysisController(Study& study, ViewTraits traits, QObject* parent)
    : ViewController(study, std::move(traits), parent)
{
    connect(&window(), &ui::MainWindow::viewChanged, this, &AnalysisController::look);
}

void AnalysisController::renew()
{
    m_stale = true;
    m_tooLong = false;
    look();
}

void AnalysisController::look()
{
    if (!m_study.cache() || !inFront() || !lacks())
        return;
    m_stale = false;
    begin();
}

QString AnalysisController::failed(const Error& error)
{
    if (error.code == ErrorCode::Cancelled)
        return tr("stopped");
    m_study.report(error);
    return ui::errorText(error);
}

QString AnalysisController::outcome(bool stopped, const std::vector<Error>& failures, const QString& one,
                                    const QString& many)
{
    for (const Error& failure : failures)
        window().jobStrip().addLog(ui::errorText(failure));
    if (stopped)
        return tr("stopped");
    return failures.empty()
               ? QString()
               : tr("%1 could not be measured. See the log.").arg(ui::countText(std::ssize(failures), one, many));
}

} // namespace headscope::desktop

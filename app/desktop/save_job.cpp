// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/save_job.h"

#include "ui/dialogs/dialog_service.h"
#include "ui/wording.h"

#include <QFileInfo>

#include <utility>

namespace headscope::desktop
{

SaveJob::SaveJob(Study& study, QObject* parent) : QObject(parent), m_study(study) {}

void SaveJob::start(const QString& path, std::function<Status()> write)
{
    m_study.beginJob(QStringLiteral("save"), tr("Saving %1").arg(QFileInfo(path).fileName()), m_runner);
    m_runner.start<bool>(
        [write = std::move(write)](JobContext&) -> Result<bool> {
            HEADSCOPE_CHECK(write());
            return true;
        },
        [this, path](const Result<bool>& written) {
            if (!written)
                return tellFailure(path, written.error());
            m_study.window().showNotice(tr("Saved %1").arg(path));
            Q_EMIT saved(path);
        });
}

void SaveJob::tellFailure(const QString& path, const Error& error)
{
    if (error.code == ErrorCode::Cancelled)
        return;
    m_study.report(error);
    // A notice passes; who has left the window must still learn that there is no file.
    m_study.window().dialogs().ask(
        &m_study.window(),
        {tr("%1 was not saved").arg(QFileInfo(path).fileName()), ui::errorText(error), {tr("Close")}}, [](int) {});
}

QStringList pictureFilters()
{
    return {SaveJob::tr("PNG picture (*.png)"), SaveJob::tr("PDF (*.pdf)"), SaveJob::tr("SVG (*.svg)")};
}

} // namespace headscope::desktop

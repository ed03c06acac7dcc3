// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/shell/save_job.h"

#include "model/base/output/output_path.h"
#include "ui/settings/settings.h"
#include "ui/words/wording.h"

#include <QFileInfo>

#include <filesystem>
#include <utility>
#include <vector>

namespace headscope::desktop
{

SaveJob::SaveJob(Study& study, QObject* parent) : QObject(parent), m_study(study) {}

void SaveJob::start(const QString& path, std::function<Status()> write)
{
    // The dialog has asked whether a file may be replaced; whether it can be is asked before the work is done.
    std::vector<std::filesystem::path> inputs;
    if (const auto cache = m_study.cache())
        inputs.push_back(cache->reader->path());
    if (const Status possible = checkOutputPath(ui::toStdString(path), true, inputs); !possible)
        return m_study.report(possible.error());
    m_study.beginJob(QStringLiteral("save"), tr("Saving %1").arg(QFileInfo(path).fileName()), m_runner);
    m_runner.start<bool>(
        [write = std::move(write)](JobContext&) -> Result<bool> {
            HEADSCOPE_CHECK(write());
            return true;
        },
        [this, path](const Result<bool>& written) {
            if (!written)
                return m_study.report(written.error());
            m_study.noteResult(QStringLiteral("save"), path);
            m_study.window().showNotice(tr("Saved %1").arg(path));
            Q_EMIT saved(path);
        });
}

viz::FigureOptions figureOptions(const Study& study)
{
    const ui::Settings& settings = study.window().settings();
    viz::FigureOptions options;
    options.overwrite = true;
    options.sizeInches = {viz::inchesOfMm(settings.real(ui::SettingKey::FigureWidth)), 0};
    options.dpi = settings.number(ui::SettingKey::FigureDpi);
    return options;
}

QStringList pictureFilters()
{
    return {SaveJob::tr("PNG picture (*.png)"), SaveJob::tr("PDF (*.pdf)"), SaveJob::tr("SVG (*.svg)")};
}

} // namespace headscope::desktop

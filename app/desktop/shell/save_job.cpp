// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/shell/save_job.h"

#include "model/base/output/output_path.h"
#include "ui/theme/theme.h"
#include "ui/window/view_outputs.h"
#include "ui/words/wording.h"
#include "viz/export/figure_presets.h"

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
        return fail(possible.error());
    m_study.beginJob(QStringLiteral("save"), tr("Saving %1").arg(QFileInfo(path).fileName()), m_runner);
    m_runner.start<bool>(
        [write = std::move(write)](JobContext&) -> Result<bool> {
            HEADSCOPE_CHECK(write());
            return true;
        },
        [this, path](const Result<bool>& written) {
            if (!written)
                return fail(written.error());
            m_study.noteResult(QStringLiteral("save"), path);
            m_study.window().showNotice(tr("Saved %1").arg(path));
            Q_EMIT saved(path);
        });
}

void SaveJob::start(const QString& path, viz::Figure figure, viz::FigureOptions options)
{
    start(path,
          [figure = std::move(figure), options = std::move(options),
           target = std::filesystem::path(ui::toStdString(path))]() -> Status {
              HEADSCOPE_CHECK(viz::writeFigure(figure, target, options));
              return {};
          });
}

void SaveJob::fail(const Error& error)
{
    m_study.report(error);
    Q_EMIT failed(error);
}

viz::FigureOptions figureOptions(const ui::FigureSize& size)
{
    viz::FigureOptions options;
    options.theme = ui::Theme::instance().paperTheme();
    options.overwrite = true;
    if (const FigurePreset* preset = findPreset(size.preset))
        viz::applyPreset(*preset, options);
    options.sizeInches = {viz::inchesOfMm(size.widthMm), 0};
    options.dpi = size.dpi;
    options.annotations = size.annotations;
    return options;
}

ui::FigureSize figureSize(const Study& study)
{
    return ui::lastFigureSize(study.window().settings());
}

QStringList pictureFilters()
{
    return {SaveJob::tr("PNG image (*.png)"), SaveJob::tr("PDF (*.pdf)"), SaveJob::tr("SVG (*.svg)")};
}

} // namespace headscope::desktop

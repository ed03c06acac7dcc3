// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/shell/save_job.h"

#include "app/desktop/shell/figure_bundle.h"
#include "app/desktop/shell/figure_preview_scope.h"
#include "model/base/output/output_path.h"
#include "ui/window/view_outputs.h"
#include "ui/words/wording.h"
#include "viz/export/figure_presets.h"

#include <QFileInfo>

#include <filesystem>
#include <utility>
#include <vector>

namespace headscope::desktop
{
namespace
{

constexpr double kMmPerMetre = 1000;

} // namespace

SaveJob::SaveJob(Study& study, QObject* parent) : QObject(parent), m_study(study) {}

void SaveJob::start(const QString& path, std::function<Status()> write)
{
    if (const PreviewRequest* preview = m_study.preview())
        return show(path, std::move(write), *preview);
    std::shared_ptr<viz::FigureRecord> record;
    if (const FigureBundle* company = m_study.company())
    {
        if (company->size.files)
            return company->writes.push_back(std::move(write));
        record = company->record;
    }
    // The dialog has asked whether a file may be replaced; whether it can be is asked before the work is done.
    std::vector<std::filesystem::path> inputs;
    if (const auto cache = m_study.cache())
        inputs.push_back(cache->reader->path());
    if (const Status possible = checkOutputPath(ui::toStdString(path), true, inputs); !possible)
        return fail(possible.error());
    m_study.beginJob(QStringLiteral("save"), tr("Saving %1").arg(QFileInfo(path).fileName()), m_runner);
    m_runner.start<bool>(
        [write = std::move(write), record](JobContext&) -> Result<bool> { // the figure fills the record
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

void SaveJob::fail(const Error& error)
{
    m_study.report(error);
    Q_EMIT failed(error);
}

void SaveJob::show(const QString& path, std::function<Status()> write, const PreviewRequest& preview)
{
    preview.begun = true;
    m_study.run<ui::FigurePicture>(
        m_previewRunner,
        [write = std::move(write), path, record = preview.record](JobContext&) -> Result<ui::FigurePicture> {
            HEADSCOPE_CHECK(write());
            ui::FigurePicture picture{QImage(path), record->sizeMm, record->leastTextPt, record->caption,
                                      record->contentMm};
            if (picture.image.isNull())
                return Error{ErrorCode::BadFormat, "expected a picture, found none", ui::toStdString(path), {}};
            if (picture.sizeMm.isEmpty()) // the figure keeps no record
                picture.sizeMm = QSizeF(picture.image.size()) / picture.image.dotsPerMeterX() * kMmPerMetre;
            return picture;
        },
        preview.then);
}

viz::FigureOptions figureOptions(const ui::FigureSize& size)
{
    viz::FigureOptions options;
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

viz::FigureOptions figureOptions(const Study& study)
{
    if (const PreviewRequest* preview = study.preview())
    {
        viz::FigureOptions options = figureOptions(preview->size);
        options.record = preview->record.get();
        return options;
    }
    const FigureBundle* company = study.company();
    viz::FigureOptions options = figureOptions(company != nullptr ? company->size : figureSize(study));
    if (company != nullptr)
    {
        options.recipe = company->recipe;
        options.record = company->record.get();
        if (company->scale > 0)
        {
            options.scale = company->scale;
            options.sizeInches = {viz::inchesOfMm(company->size.widthMm), 0};
        }
    }
    return options;
}

QStringList pictureFilters()
{
    return {SaveJob::tr("PNG picture (*.png)"), SaveJob::tr("PDF (*.pdf)"), SaveJob::tr("SVG (*.svg)")};
}

} // namespace headscope::desktop

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/shell/view_controller.h"

#include "app/cli/figure_files.h"
#include "app/desktop/shell/figure_bundle.h"
#include "app/desktop/shell/figure_preview_scope.h"
#include "ui/dialogs/replace_question.h"
#include "ui/words/wording.h"

#include <QDateTime>
#include <QFileInfo>
#include <QTemporaryDir>

#include <algorithm>
#include <filesystem>
#include <utility>

namespace headscope::desktop
{

ViewController::ViewController(Study& study, ViewTraits traits, QObject* parent)
    : Controller(parent), m_study(study), m_save(study), m_traits(std::move(traits))
{
    connect(&m_save, &SaveJob::saved, this, [this](const QString& path) {
        if (m_saving && m_saving->file == path)
            Q_EMIT figureSaved(*std::exchange(m_saving, std::nullopt));
        Q_EMIT saved(path);
    });
    connect(&m_save, &SaveJob::failed, this, [this](const Error& error) { failFigure(ui::errorText(error)); });
}

ViewController::~ViewController() = default;

void ViewController::addView(QWidget* widget, QWidget* focus)
{
    ui::ViewEntry entry;
    entry.id = m_traits.id;
    entry.title = m_traits.title;
    entry.widget = widget;
    entry.help = m_traits.help;
    entry.filters = m_traits.filters;
    entry.jobs = m_traits.jobs;
    entry.focus = focus;
    entry.save = [this](const QString& path) { saveWithCompany(path); };
    entry.preview = [this](const ui::FigureSize& size, auto then) { preview(size, std::move(then)); };
    entry.copy = [this] { copy(); };
    entry.commandLine = [this] { return commandLine(); };
    window().addView(std::move(entry));
}

void ViewController::preview(const ui::FigureSize& size,
                             std::function<void(const Result<ui::FigurePicture>& picture)> then)
{
    if (m_previews == nullptr)
        m_previews = std::make_unique<QTemporaryDir>();
    const PreviewScope scope(m_study, {size, std::move(then)});
    save(m_previews->filePath(QStringLiteral("preview.png")));
    if (!scope.request().begun)
        scope.request().then(Error{ErrorCode::InvalidArgument, "There is nothing in this view yet", {}, {}});
}

void ViewController::saveWithCompany(const QString& path)
{
    const std::filesystem::path target = ui::toStdString(path);
    if (!viz::figureFormat(target) || !m_study.cache())
        return save(path);
    const ui::FigureSize size = figureSize(m_study);
    if (!size.files)
        return saveAgain(path, size);
    // The file dialog has asked about the figure alone.
    QStringList others;
    for (const char* ending : cli::kBesideEndings)
        others << ui::toQString(cli::besideFigure(target, ending).string());
    ui::askToReplace(window().dialogs(), &window(), others, [this, path, size] { saveAgain(path, size); });
}

void ViewController::saveAgain(const QString& path, const ui::FigureSize& size)
{
    if (!m_study.cache())
        return;
    m_saving = SavedFigure{path,
                           m_traits.id.key(),
                           size,
                           ui::toQString(m_study.origin().hash),
                           QDateTime::currentMSecsSinceEpoch(),
                           m_study.viewState(m_traits.id)};
    hashCache([this, path, size](const Result<std::string>& hash) {
        if (hash)
            return saveFigure(path, size, *hash);
        m_study.report(hash.error());
        failFigure(ui::errorText(hash.error()));
    });
}

void ViewController::hashCache(std::function<void(const Result<std::string>& hash)> then)
{
    const auto reader = m_study.cache()->reader;
    if (reader->info().hasChecksums)
        return then("origin:" + reader->origin().hash);
    m_study.beginJob(QStringLiteral("save"), tr("Reading %1").arg(ui::toQString(reader->path().filename().string())),
                     m_hasher);
    m_study.run<std::string>(
        m_hasher, [reader](JobContext& job) { return recipeHash(reader->path(), "CACHE", reader.get(), job); },
        std::move(then));
}

void ViewController::collect(const PanelPlace& place, const QString& path, const QString& numbers,
                             std::function<void(const Result<std::shared_ptr<FigureBundle>>& panel)> then)
{
    hashCache([this, place, path, numbers, then = std::move(then)](const Result<std::string>& hash) {
        if (!hash)
            return then(hash.error());
        auto company = std::make_shared<FigureBundle>();
        company->recipe = recipeOfView(m_study, {m_traits.id, annotated({}), commandLine(), isDrawnByCommand()}, *hash);
        company->size = annotated({place.widthMm, place.dpi, {}, true});
        company->scale = place.scale;
        {
            const CompanyScope scope(m_study, *company);
            save(path);
            if (hasNumbers() && !numbers.isEmpty() && !company->writes.empty())
                save(numbers);
        }
        if (company->writes.empty())
            return then(Error{ErrorCode::InvalidArgument, "There is nothing in this view yet", {}, {}});
        then(company);
    });
}

ui::FigureSize ViewController::annotated(ui::FigureSize size) const
{
    if (const ui::ViewEntry* entry = window().views().find(m_traits.id))
        size.annotations = entry->annotations;
    return size;
}

bool ViewController::hasNumbers() const
{
    return m_traits.filters.join(u' ').contains(QStringLiteral("*.csv"));
}

void ViewController::saveFigure(const QString& path, const ui::FigureSize& size, const std::string& hash)
{
    auto company = std::make_shared<FigureBundle>();
    company->recipe = recipeOfView(m_study, {m_traits.id, annotated(size), commandLine(), isDrawnByCommand()}, hash);
    company->size = annotated(size);
    if (m_saving)
        m_saving->record = company->record;
    auto staging = size.files ? std::make_shared<QTemporaryDir>() : nullptr;
    {
        const CompanyScope scope(m_study, *company);
        if (!size.files)
        {
            save(path);
            return m_save.busy() ? void() : failFigure(tr("There is nothing in this view yet"));
        }
        const QString staged = staging->filePath(QFileInfo(path).fileName());
        save(staged);
        if (hasNumbers() && !company->writes.empty())
            save(ui::toQString(cli::besideFigure(ui::toStdString(staged), ".csv").string()));
    }
    if (company->writes.empty()) // which the view has said
        return failFigure(tr("There is nothing in this view yet"));
    m_save.start(path, [company, staging, target = std::filesystem::path(ui::toStdString(path))] {
        return writeTogether(*company, ui::toStdString(staging->path()), target);
    });
}

void ViewController::failFigure(const QString& why)
{
    if (const auto failed = std::exchange(m_saving, std::nullopt))
        Q_EMIT figureFailed(failed->file, why);
}

void ViewController::own(std::initializer_list<ui::JobRunner*> runners)
{
    for (ui::JobRunner* runner : runners)
        m_runners.push_back({runner, true});
}

void ViewController::ownQuietly(std::initializer_list<ui::JobRunner*> runners)
{
    for (ui::JobRunner* runner : runners)
        m_runners.push_back({runner, false});
}

void ViewController::stop()
{
    for (const Owned& owned : m_runners)
        owned.runner->cancel();
    m_hasher.cancel();
    m_save.stop();
}

bool ViewController::busy() const
{
    return m_save.busy() || m_hasher.running() ||
           std::ranges::any_of(m_runners, [](const Owned& owned) { return owned.asks && owned.runner->running(); });
}

} // namespace headscope::desktop

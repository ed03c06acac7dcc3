// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/shell/view_controller.h"

#include "app/cli/figure_files.h"
#include "app/desktop/shell/figure_company.h"
#include "app/desktop/shell/figure_preview_scope.h"
#include "ui/dialogs/replace_question.h"
#include "ui/settings/settings.h"
#include "ui/words/wording.h"

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
    connect(&m_save, &SaveJob::saved, this, &Controller::saved);
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
    const bool files = window().settings().flag(ui::SettingKey::FigureFiles);
    const auto goOn = [this, path, files] {
        if (!m_study.cache())
            return;
        const auto reader = m_study.cache()->reader;
        if (reader->info().hasChecksums)
            return saveFigure(path, files, "origin:" + reader->origin().hash);
        m_study.beginJob(QStringLiteral("save"),
                         tr("Reading %1").arg(ui::toQString(reader->path().filename().string())), m_hasher);
        m_study.run<std::string>(
            m_hasher,
            [reader](JobContext& job) { return results::recipeHash(reader->path(), "CACHE", reader.get(), job); },
            [this, path, files](const Result<std::string>& hash) {
                if (!hash)
                    return m_study.report(hash.error());
                saveFigure(path, files, *hash);
            });
    };
    if (!files)
        return goOn();
    // The file dialog has asked about the figure alone.
    QStringList others;
    for (const char* ending : cli::kBesideEndings)
        others << ui::toQString(cli::besideFigure(target, ending).string());
    ui::askToReplace(window().dialogs(), &window(), others, goOn);
}

void ViewController::saveFigure(const QString& path, bool files, const std::string& hash)
{
    auto company = std::make_shared<FigureCompany>();
    company->recipe = recipeOfView(m_study, {m_traits.id, commandLine(), isDrawnByCommand()}, hash);
    company->files = files;
    auto staging = files ? std::make_shared<QTemporaryDir>() : nullptr;
    {
        const CompanyScope scope(m_study, *company);
        if (!files)
            return save(path);
        const QString staged = staging->filePath(QFileInfo(path).fileName());
        save(staged);
        const bool hasNumbers = m_traits.filters.join(u' ').contains(QStringLiteral("*.csv"));
        if (hasNumbers && !company->writes.empty())
            save(ui::toQString(cli::besideFigure(ui::toStdString(staged), ".csv").string()));
    }
    if (company->writes.empty())
        return; // there is nothing in the view yet, which it has said
    const bool wide = window().settings().text(ui::SettingKey::FigurePreset).endsWith(QStringLiteral("-page"));
    m_save.start(path, [company, staging, target = std::filesystem::path(ui::toStdString(path)), wide] {
        return writeTogether(*company, ui::toStdString(staging->path()), target, wide);
    });
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

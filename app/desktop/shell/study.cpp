// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/shell/study.h"

#include "app/commands/command_line.h"
#include "app/commands/inspect_command.h"
#include "model/base/parallel.h"
#include "ui/jobs/job_strip.h"
#include "ui/panels/data/data_panel.h"
#include "ui/settings/settings.h"
#include "ui/state/origin_guard.h"
#include "ui/theme/theme.h"
#include "ui/window/notice_bar.h"
#include "ui/words/wording.h"

#include <QFileInfo>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

namespace headscope::desktop
{

namespace
{

/// Of the view whose command line makes what the job makes, as it tells it now: options may have changed since the job
/// began, so it is asked at both ends and the last answer counts.
void tellCommandLine(const ui::MainWindow& window, const QString& key, ui::JobRow& row)
{
    for (const ui::ViewEntry& entry : window.views().entries())
        if (entry.jobs.contains(key) && entry.commandLine)
            if (const QString line = entry.commandLine(); !line.isEmpty())
                row.setCommandLine(line);
}

} // namespace

Study::Study(ui::MainWindow& window, QObject* parent) : QObject(parent), m_window(window)
{
    connect(&choices(), &ui::Choices::sourceChanged, this, &Study::loadSource);
    connect(&choices(), &ui::Choices::headsChanged, this, &Study::headsChanged);
    connect(&choices(), &ui::Choices::labelChanged, this, &Study::labelsChanged);
    connect(&ui::Theme::instance(), &ui::Theme::changed, this, [this] {
        if (!m_cache)
            return;
        refreshPalette();
        Q_EMIT paletteChanged();
    });
    connect(&m_openRunner, &ui::JobRunner::cancelled, this, [this] { m_window.setWelcomeShown(!m_cache); });
    connect(&m_window.jobStrip(), &ui::JobStrip::runningShownChanged, this, &Study::refreshStatus);
}

Study::~Study()
{
    ui::OriginGuard::instance().close();
}

int Study::threads() const
{
    const int asked = m_window.settings().number(ui::SettingKey::Threads);
    return asked > 0 ? asked : availableCores();
}

void Study::refreshPalette()
{
    m_palette = viz::HeadPalette(m_cache->overview->model, ui::Theme::instance().vizTheme());
    m_window.dataPanel().setHeadPalette(m_palette);
}

void Study::openCache(const QString& path)
{
    m_window.setWelcomeShown(false); // what happens is told in the view
    commands::CommandLine<commands::InspectCommand> inspect;
    inspect.command.path = ui::toStdString(QFileInfo(path).absoluteFilePath());
    beginJob(QStringLiteral("open"), tr("Opening %1").arg(QFileInfo(path).fileName()), m_openRunner)
        ->setCommandLine(ui::toQString(inspect.text()));
    m_openRunner.start<OpenedCache>(
        [file = std::filesystem::path(ui::toStdString(path)),
         places = m_workPlaces ? m_workPlaces(path) : std::nullopt](JobContext& job) {
            return desktop::openCache(file, job, places);
        },
        [this, path](Result<OpenedCache> opened) {
            if (opened)
            {
                m_window.settings().addRecentFile(QFileInfo(path).absoluteFilePath());
                noteResult(QStringLiteral("open"),
                           ui::countText(opened->overview->documents->count(), tr("document"), tr("documents")));
                return onCacheOpened(std::move(*opened));
            }
            tellOpenFailed(opened.error());
        });
}

void Study::tellOpenFailed(const Error& error)
{
    if (m_cache)
    {
        report(error);
        m_window.notices().setAbout(ui::errorText(error), ui::NoticeBar::About::Program); // another one
    }
    else
    {
        m_window.jobStrip().addLog(ui::errorText(error));
        m_window.setWelcomeShown(true);
        m_window.welcome().setProblem(ui::errorText(error));
    }
    Q_EMIT openFailed(error);
}

void Study::follow(ui::JobRunner& runner)
{
    std::erase_if(m_bound, [](const QPointer<ui::JobRunner>& each) { return each.isNull(); });
    if (std::ranges::any_of(m_bound, [&runner](const auto& each) { return each == &runner; }))
        return;
    m_bound.emplace_back(&runner);
    connect(&runner, &QObject::destroyed, this, [this, address = &runner] { m_jobs.erase(address); });
}

void Study::noteEnded(const QString& key, const QString& title)
{
    if (ui::JobRow* row = m_window.jobStrip().row(key))
        row->addLog(tr("Stopped, because %1 was opened. The result belongs to the previous cache.").arg(m_next));
    m_ended << title;
}

void Study::endJobs(bool tell)
{
    const auto bound = m_bound; // ending one may begin another
    for (const QPointer<ui::JobRunner>& runner : bound)
    {
        if (runner == nullptr || !runner->running())
            continue;
        const auto job = m_jobs.find(runner);
        if (tell && job != m_jobs.end() && runner != &m_sourceRunner &&
            m_window.jobStrip().row(job->second.key) != nullptr)
            noteEnded(job->second.key, tr("“%1”").arg(job->second.title));
        runner->cancel();
    }
}

void Study::leaveCache(const QString& next)
{
    m_next = next;
    m_ended.clear();
    endJobs(true);
    Q_EMIT cacheClosing();
    m_window.notices().leaveCache();
    m_maps.clear();
    endJobs(false); // what their going has made others begin
}

QString Study::endedText() const
{
    QStringList ended = m_ended;
    if (ended.isEmpty())
        return {};
    QString what = ended.takeLast();
    if (!ended.isEmpty())
        what = tr("%1 and %2").arg(ended.join(QStringLiteral(", ")), what);
    return tr("Opened %1. This stopped %2.").arg(m_next, what);
}

void Study::tellEnded()
{
    // Once what is open is there: what is said on the way would hide it.
    if (!m_ended.isEmpty())
        m_window.showNotice(endedText());
    m_ended.clear();
}

void Study::onCacheOpened(OpenedCache opened)
{
    Q_EMIT cacheLeaving(opened);
    if (m_cache)
        leaveCache(QFileInfo(ui::toQString(opened.overview->path)).fileName());
    m_cache = std::move(opened);
    m_origin = m_cache->reader->origin();
    m_source = {};
    const CacheInfo& info = m_cache->reader->info();
    std::int64_t heads = m_cache->overview->model.heads;
    for (const VectorsInfo& vectors : info.embeddings)
        heads = std::max(heads, vectors.heads);
    ui::OriginGuard::instance().open(m_origin, m_cache->overview->documents->count(), heads);
    m_relevant.reset();
    m_relevantFile.clear();
    for (const std::string& notice : m_cache->notices)
        m_window.jobStrip().addLog(ui::toQString(notice));
    refreshPalette();
    m_window.setOverview(m_cache->overview);
    for (const auto& map : m_cache->maps)
    {
        if (map->points != nullptr) // the map of a plain matrix shows nothing of this cache
            m_maps.add(map, true);
    }
    if (m_cache->work)
        for (const auto& map : m_cache->work->work.maps)
            m_maps.add(map);
    Q_EMIT cacheChanged();
    if (!m_ended.isEmpty())
        m_window.jobStrip().addLog(endedText());
    loadSource();
    if (m_cache->overview->stages.empty())
        tellEnded();
}

bool Study::computing() const
{
    return std::ranges::any_of(m_bound, [](const auto& each) { return each != nullptr && each->running(); });
}

void Study::setReader(std::shared_ptr<CacheReader> reader)
{
    if (!m_cache || reader->origin() != m_origin || reader->path() != m_cache->reader->path())
        return;
    m_cache->reader = std::move(reader);
    Q_EMIT readerChanged();
}

void Study::setLabels(const MergedOverview& labels)
{
    m_cache->overview = labels.overview;
    m_cache->merged[labels.name] = labels.column;
    if (!labels.notice.empty())
        m_window.jobStrip().addLog(ui::toQString(labels.notice));
    m_window.setLabels(labels.overview, labels.name);
}

void Study::setRelevant(const QString& file, std::shared_ptr<const Relevant> relevant)
{
    m_relevantFile = file;
    m_relevant = std::move(relevant);
    Q_EMIT relevantChanged();
}

void Study::setOverview(std::shared_ptr<const ui::CacheOverview> overview, const std::string& column)
{
    m_cache->overview = std::move(overview);
    m_window.setLabels(m_cache->overview, column);
}

void Study::loadSource()
{
    if (!m_cache)
        return;
    m_sourceRunner.cancel();
    m_source = {};
    Q_EMIT sourceChanged();
    if (m_cache->overview->stages.empty())
        return;
    beginJob(QStringLiteral("source"), tr("Reading vectors"), m_sourceRunner);
    run<SourceData>(
        m_sourceRunner,
        [reader = m_cache->reader, source = std::pair(layer(), stage()), count = threads()](JobContext& job) {
            return desktop::loadSource(*reader, source.first, source.second, count, job);
        },
        [this](Result<SourceData> data) {
            if (!data)
            {
                report(data.error());
                tellEnded();
                return Q_EMIT sourceFailed(data.error());
            }
            m_source = std::move(*data);
            noteResult(QStringLiteral("source"),
                       tr("%1 of %2")
                           .arg(ui::countText(m_source.vectors->heads(), ui::unitText(stage()), ui::unitsText(stage())),
                                ui::countText(m_source.vectors->documents(), tr("document"), tr("documents"))));
            Q_EMIT sourceLoaded();
            tellEnded();
        });
}

void Study::stop()
{
    m_openRunner.cancel();
    m_sourceRunner.cancel();
}

QString Study::running(const QString& key) const
{
    for (const QPointer<ui::JobRunner>& each : m_bound)
        if (each != nullptr && each->running())
            if (const auto job = m_jobs.find(each.data()); job != m_jobs.end() && job->second.key == key)
                return job->second.title;
    return {};
}

ui::JobRow* Study::beginJob(const QString& key, const QString& title, ui::JobRunner& runner, OnCancel onCancel)
{
    constexpr int kShowAfterMs = 400;
    ui::JobRow* row = m_window.jobStrip().begin(key, title, false, kShowAfterMs);
    m_jobs[&runner] = {key, title};
    connect(row, &ui::JobRow::cancelRequested, &runner,
            onCancel == OnCancel::Drop ? &ui::JobRunner::cancel : &ui::JobRunner::requestStop);
    connect(&runner, &ui::JobRunner::progressed, row, &ui::JobRow::setProgress);
    connect(&runner, &ui::JobRunner::failed, row, [row](const Error& error) {
        if (error.code == ErrorCode::Cancelled)
            row->requestCancel();
        else
            row->setError(ui::errorText(error));
    });
    connect(&runner, &ui::JobRunner::finished, row, [this, key, row] {
        tellCommandLine(m_window, key, *row);
        m_window.jobStrip().end(key);
        setActivity(key, {});
    });
    connect(&runner, &ui::JobRunner::cancelled, row, [this, key] {
        m_window.jobStrip().end(key, ui::JobState::Cancelled);
        setActivity(key, {});
    });
    tellCommandLine(m_window, key, *row);
    setActivity(key, title);
    return row;
}

std::function<void(const std::string&)> Study::logOf(const QString& key)
{
    return [this, key](const std::string& lines) {
        QMetaObject::invokeMethod(
            this,
            [this, key, text = ui::toQString(lines)] {
                m_window.jobStrip().addLog(text);
                if (ui::JobRow* row = m_window.jobStrip().row(key))
                    row->addLog(text);
            },
            Qt::QueuedConnection);
    };
}

void Study::noteResult(const QString& key, const QString& result)
{
    if (ui::JobRow* row = m_window.jobStrip().row(key))
        row->setResult(result);
}

void Study::setActivity(const QString& key, const QString& text)
{
    if (text.isEmpty())
        m_activities.remove(key);
    else
        m_activities[key] = text;
    refreshStatus();
}

void Study::setStanding(const QString& text)
{
    m_standing = text;
    refreshStatus();
}

void Study::refreshStatus()
{
    QStringList parts = m_activities.isEmpty() ? QStringList{tr("Ready")} : QStringList(m_activities.values());
    if (!m_window.jobStrip().running()->isHidden())
        parts.clear(); // its row says what runs
    if (!m_standing.isEmpty())
        parts << m_standing;
    m_window.setStatus(parts.join(QStringLiteral("   ")));
}

void Study::report(const Error& error)
{
    m_window.jobStrip().addLog(ui::errorText(error));
    if (error.code == ErrorCode::Cancelled)
        return;
    m_window.showError(ui::errorHeading(error.code), ui::errorText(error));
    if (m_cache)
        m_window.notices().setAbout(ui::errorText(error), ui::NoticeBar::About::OpenCache);
}

} // namespace headscope::desktop

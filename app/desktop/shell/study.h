// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/shell/open_cache.h"
#include "model/base/error.h"
#include "ui/jobs/job_runner.h"
#include "ui/models/map_library.h"
#include "ui/window/main_window.h"
#include "viz/color/head_palette.h"

#include <QJsonObject>
#include <QMap>
#include <QObject>
#include <QPointer>
#include <QString>
#include <QStringList>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace headscope::ui
{
class JobRow;
}

namespace headscope::desktop
{

/// What is open, and what the controllers of the window share: the cache, the vectors of the chosen
/// layer and stage, the choices of the data panel, the rows of jobs.
/// @threads GUI thread
class Study : public QObject
{
    Q_OBJECT

public:
    /// @param window  must outlive the study
    explicit Study(ui::MainWindow& window, QObject* parent = nullptr);
    ~Study() override;

    [[nodiscard]] ui::MainWindow& window() const { return m_window; }
    /// What is chosen of what is open.
    [[nodiscard]] ui::Choices& choices() const { return m_window.choices(); }
    /// None: nothing is open.
    [[nodiscard]] const std::optional<OpenedCache>& cache() const { return m_cache; }
    /// Origin of the open cache, and of every result that may be shown while it is open. Storing a map in the file
    /// does not change it. An empty hash: nothing is open.
    [[nodiscard]] const Origin& origin() const { return m_origin; }
    /// Vectors of the chosen layer and stage; null while they are read.
    [[nodiscard]] const SourceData& source() const { return m_source; }
    [[nodiscard]] LayerIndex layer() const { return choices().now().layer; }
    [[nodiscard]] Stage stage() const { return choices().now().stage; }
    /// Chosen heads, 0-based, ascending.
    [[nodiscard]] const std::vector<std::int64_t>& heads() const { return choices().now().heads; }
    [[nodiscard]] const std::vector<std::int64_t>& headsOfLayers() const { return choices().headsOfLayers(); }
    /// Whether that is every head of the model.
    [[nodiscard]] bool allHeads() const { return choices().allHeads(); }
    /// "" when the cache has none.
    [[nodiscard]] const std::string& labelColumn() const { return choices().now().labelColumn; }
    /// The maps of the cache: those stored in it, and those that were run since it was opened.
    [[nodiscard]] ui::MapLibrary& maps() { return m_maps; }
    [[nodiscard]] const ui::MapLibrary& maps() const { return m_maps; }
    /// Colours of the heads in the window's theme.
    [[nodiscard]] const viz::HeadPalette& palette() const { return m_palette; }
    /// Threads of a job: as in the settings, or all cores.
    [[nodiscard]] int threads() const;

    /// Sets where the work on a cache is kept, and restored from when the cache opens; nothing: no work is kept.
    using FindPlaces = std::function<std::optional<WorkPlaces>(const QString& cache)>;
    void setWorkPlaces(FindPlaces find) { m_workPlaces = std::move(find); }
    /// Opens a cache in the background; opened() or openFailed() follows.
    void openCache(const QString& path);
    /// Shows why nothing was opened: on the welcome page when nothing else is open, else as report() does; and
    /// openFailed().
    void tellOpenFailed(const Error& error);
    /// The same cache with other label columns, one of them to be chosen.
    void setLabels(const MergedOverview& labels);
    /// The same cache after its file was written again; the reader of another one is dropped.
    void setReader(std::shared_ptr<CacheReader> reader);
    /// The same cache with other documents' columns, one of them to be chosen; merged columns stay what they are.
    void setOverview(std::shared_ptr<const ui::CacheOverview> overview, const std::string& column);
    /// The full vectors that a job has read, so that the next one need not.
    void keepFull(std::shared_ptr<const FullVectors> full) { m_source.full = std::move(full); }
    /// Documents (rows) that are relevant to queries, by the query's id; null without a file of them.
    using Relevant = std::unordered_map<std::string, std::vector<std::int64_t>>;
    [[nodiscard]] std::shared_ptr<const Relevant> relevant() const { return m_relevant; }
    [[nodiscard]] QString relevantFile() const { return m_relevantFile; }
    void setRelevant(const QString& file, std::shared_ptr<const Relevant> relevant);
    [[nodiscard]] bool opening() const { return m_openRunner.running(); }
    [[nodiscard]] bool loading() const { return m_sourceRunner.running(); }
    /// Whether any job of run() is running.
    [[nodiscard]] bool computing() const;
    void stop();

    /// Runs a job on what is open. Its result is handed on only while the same is open: every result that is computed
    /// in the background passes here, and one of another cache is dropped even if its job was not cancelled. When
    /// another cache opens, the job is asked to stop and its row says so. Jobs of controllers that write files start
    /// their runners themselves: what they write is what was shown, whatever is opened meanwhile.
    /// @param onDone  takes Result<T>; on the GUI thread
    template <class T, class Job, class OnDone>
    void run(ui::JobRunner& runner, Job job, OnDone onDone)
    {
        follow(runner);
        runner.start<T>(std::move(job), [this, of = m_origin, onDone = std::move(onDone)](Result<T> result) mutable {
            if (of == m_origin)
                onDone(std::move(result));
        });
    }
    /// Records that a run was ended because another cache opens: in its job row, and in one notice together with the
    /// others.
    /// @param key  of its row
    void noteEnded(const QString& key, const QString& title);

    /// How the window looks at what is open, as a work file holds it, with what one view shows.
    using ViewState = std::function<QJsonObject(ui::ViewId view)>;
    void setViewState(ViewState gather) { m_viewState = std::move(gather); }
    [[nodiscard]] QJsonObject viewState(ui::ViewId view) const
    {
        return m_viewState ? m_viewState(view) : QJsonObject();
    }

    /// What the Cancel of a job does.
    enum class OnCancel
    {
        Drop,  ///< the job ends for the user at once, and what it still brings is dropped
        Await, ///< its end is awaited, and what it brings is handed on: Cancelled, or a result that was there already
    };
    /// Shows a job in the strip (after a moment, so that short ones move nothing) and in the status
    /// line until the runner has finished; its Cancel stops the runner.
    ui::JobRow* beginJob(const QString& key, const QString& title, ui::JobRunner& runner,
                         OnCancel onCancel = OnCancel::Drop);
    /// Takes what a job of this key says: lines for the log, and for that of its row. From any thread.
    [[nodiscard]] std::function<void(const std::string& lines)> logOf(const QString& key);
    /// Title of a job on what is open with this key that runs now; "": none does.
    [[nodiscard]] QString running(const QString& key) const;
    /// What the job of this key has made, for the list of jobs: "4,000 documents".
    void noteResult(const QString& key, const QString& result);
    /// A current activity, for the status line; an empty text ends it.
    void setActivity(const QString& key, const QString& text);
    /// What is in the status line behind the activities; an empty text ends it.
    void setStanding(const QString& text);
    /// An error as a line of the log and in the bar over the views, where it stays until it is closed.
    void report(const Error& error);

Q_SIGNALS:
    /// `next` is about to replace the open cache, which is still complete. For direct connections.
    void cacheLeaving(headscope::desktop::OpenedCache& next);
    /// Another cache is about to replace this one, which is still open: receivers release everything that belongs to
    /// it. Jobs of run() have been asked to stop.
    void cacheClosing();
    /// Another cache is open; source() is empty.
    void cacheChanged();
    void openFailed(const headscope::Error& error);
    /// This program has rewritten the file of the cache; everything known about it stays valid.
    void readerChanged();
    /// Other label columns, or another one chosen.
    void labelsChanged();
    /// Another layer or stage; source() is empty. Also after cacheChanged().
    void sourceChanged();
    void sourceLoaded();
    void sourceFailed(const headscope::Error& error);
    void headsChanged();
    void relevantChanged();
    /// Light or dark.
    void paletteChanged();

private:
    void onCacheOpened(OpenedCache opened);
    void leaveCache(const QString& next);
    void endJobs(bool tell);
    void follow(ui::JobRunner& runner);
    void tellEnded();
    [[nodiscard]] QString endedText() const;
    void loadSource();
    void refreshPalette();
    void refreshStatus();

    ui::MainWindow& m_window;
    std::optional<OpenedCache> m_cache;
    Origin m_origin;
    SourceData m_source;
    ViewState m_viewState;
    ui::MapLibrary m_maps;
    viz::HeadPalette m_palette;
    QString m_relevantFile;
    std::shared_ptr<const Relevant> m_relevant;
    QMap<QString, QString> m_activities;
    QString m_standing;
    struct Job
    {
        QString key;
        QString title;
    };
    std::map<const ui::JobRunner*, Job> m_jobs;   ///< last begun of each runner
    std::vector<QPointer<ui::JobRunner>> m_bound; ///< whose jobs are of the open cache
    QString m_next;                               ///< file that is being opened in place of this one
    QStringList m_ended;                          ///< titles of what was ended for it
    FindPlaces m_workPlaces;
    // Last: their destructors wait for workers.
    ui::JobRunner m_openRunner;
    ui::JobRunner m_sourceRunner;
};

} // namespace headscope::desktop

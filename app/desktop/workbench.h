// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/engine_client.h"
#include "app/desktop/workflows/make_map.h"
#include "app/desktop/workflows/open_cache.h"
#include "ui/jobs/job_runner.h"
#include "ui/main_window.h"
#include "ui/plots/hover_card.h"
#include "viz/color/head_palette.h"
#include "viz/heatmap/heatmap_painter.h"
#include "viz/scatter/point_coloring.h"

#include <QObject>
#include <QPointer>

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace headscope::ui
{
class ExtractDialog;
class JobRow;
struct ExtractRequest;
} // namespace headscope::ui

namespace headscope::desktop
{

/// Joins the window to the workflows: one per user action. Owns what is open and every job.
/// @threads GUI thread
class Workbench : public QObject
{
    Q_OBJECT

public:
    /// @param window  must outlive the workbench
    /// @param engine  program that runs models
    Workbench(ui::MainWindow& window, const QString& engine, QObject* parent = nullptr);
    ~Workbench() override;

    /// Opens a cache; for a model or texts it asks for the other and extracts.
    void open(const QString& path);
    /// Whether anything runs that closing the window would end.
    [[nodiscard]] bool anyJobRuns() const;
    /// Asks every job to stop and the engine to end.
    void stopAll();

    [[nodiscard]] MapRun& mapRun() { return m_mapRun; }
    [[nodiscard]] EngineClient& engine() { return m_engine; }
    [[nodiscard]] bool isLoading() const { return m_openRunner.running() || m_sourceRunner.running(); }

Q_SIGNALS:
    void cacheOpened();
    void openFailed(const headscope::Error& error);
    /// A map came to rest on the screen: stored, finished or stopped.
    void mapSettled();
    void heatmapShown();
    void probeShown();
    void labelsMerged();
    void pictureSaved(const QString& path);

private:
    using SourceKey = std::pair<LayerIndex, Stage>;

    void connectWindow();
    void connectMap();
    void connectEngine();
    bool mayClose();

    // open_cache
    void openCacheFile(const QString& path);
    void takeCache(OpenedCache opened);
    void showSource();
    void takeSource(SourceData data);
    void refreshColoring();
    [[nodiscard]] viz::PointColoring coloringOf(const HeadMap& map, viz::Theme theme) const;
    void describeEmptyMap(const QString& why, bool isError);
    [[nodiscard]] ui::HoverContent pointCard(std::int64_t point) const;
    [[nodiscard]] ui::HoverContent cellCard(const Heatmap& heatmap, viz::HeatmapCell cell) const;
    [[nodiscard]] ui::HoverContent documentCard(std::int64_t document, std::optional<std::int64_t> head,
                                                Stage stage) const;

    // make_map
    void runMap();
    void showMap(std::shared_ptr<const HeadMap> map);
    void noteMissingHeads();

    // make_heatmap, train_probe, find_nearest
    void makeHeatmap();
    void trainProbe();
    void findNearest();
    void applyLabelMap(const QString& path);

    void savePicture(const QString& path);

    // extract_heads
    void askExtract(const QString& model, const QString& texts);
    void extract(const ui::ExtractRequest& request);
    void afterExtraction(const QJsonObject& result);

    ui::JobRow* beginJob(const QString& key, const QString& title, ui::JobRunner& runner);
    void refreshStatus();
    [[nodiscard]] int threads() const;
    [[nodiscard]] SourceKey sourceKey() const;

    ui::MainWindow& m_window;
    QPointer<ui::ExtractDialog> m_extractDialog;
    QString m_extractTarget;
    bool m_closing = false;
    bool m_closeAsked = false;

    std::optional<OpenedCache> m_cache;
    SourceData m_source;
    std::map<SourceKey, std::shared_ptr<const HeadMap>> m_maps; ///< newest of each layer and stage
    viz::HeadPalette m_palette;
    bool m_mapWanted = false;   ///< as soon as the vectors are there
    bool m_heatmapStale = true; ///< the heatmap tab does not show the chosen layer and label
    std::shared_ptr<const PointIds> m_coloredPoints;

    EngineClient m_engine;
    MapRun m_mapRun;
    // Last: their destructors wait for workers.
    ui::JobRunner m_openRunner;
    ui::JobRunner m_sourceRunner;
    ui::JobRunner m_heatmapRunner;
    ui::JobRunner m_probeRunner;
    ui::JobRunner m_nearestRunner;
    ui::JobRunner m_pictureRunner;
};

} // namespace headscope::desktop

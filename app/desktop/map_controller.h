// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/controller.h"
#include "app/desktop/save_job.h"
#include "app/desktop/study.h"
#include "app/desktop/workflows/make_map.h"

#include <map>
#include <memory>
#include <utility>

namespace headscope::ui
{
class ScatterWidget;
}

namespace headscope::desktop
{

/// The map: runs, maps of the cache, colours, cards.
/// @threads GUI thread
class MapController : public Controller
{
    Q_OBJECT

public:
    explicit MapController(Study& study, QObject* parent = nullptr);
    ~MapController() override;

    void stop() override;
    [[nodiscard]] bool busy() const override { return m_run.active() || m_save.busy(); }

    /// Computes the map of the chosen layer, stage and heads; waits for their vectors.
    void runMap();
    [[nodiscard]] MapRun& run() { return m_run; }

private:
    using SourceKey = std::pair<LayerIndex, Stage>;

    void connectRun();
    void registerView();
    void takeCache();
    void showSource();
    void showMap(std::shared_ptr<const HeadMap> map);
    void describeEmpty(const QString& why, bool isError);
    void refreshColoring();
    void noteMissingHeads();
    void askOptions();
    void save(const QString& path);
    [[nodiscard]] ui::ScatterWidget& scatter() const;

    Study& m_study;
    std::map<SourceKey, std::shared_ptr<const HeadMap>> m_maps; ///< newest of each layer and stage
    bool m_wanted = false;                                      ///< as soon as the vectors are there
    std::shared_ptr<const PointIds> m_coloredPoints;
    SaveJob m_save;
    MapRun m_run;
};

} // namespace headscope::desktop

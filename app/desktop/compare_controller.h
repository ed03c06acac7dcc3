// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/controller.h"
#include "app/desktop/save_job.h"
#include "app/desktop/study.h"
#include "model/data/map_pair.h"
#include "viz/scatter/point_coloring.h"

#include <memory>
#include <utility>
#include <vector>

namespace headscope::ui
{
class CompareView;
}

namespace headscope::desktop
{

class GridController;

/// Two maps on top of each other or side by side: those of the cache, of the map view, and of the
/// grid's cells.
/// @threads GUI thread
class CompareController : public Controller
{
    Q_OBJECT

public:
    CompareController(Study& study, GridController& grid, QObject* parent = nullptr);
    ~CompareController() override;

    void stop() override;
    void leave() override;
    [[nodiscard]] bool busy() const override { return m_runner.running() || m_save.busy(); }
    [[nodiscard]] ui::CompareView& view() const { return *m_view; }

private:
    /// A map that may be compared.
    struct Source
    {
        QString id;
        QString title;
        std::shared_ptr<const HeadMap> map;
    };

    void registerView();
    void connectView();
    void takeCache();
    void refreshSources();
    void compare();
    void refreshColors();
    void refreshColoring();
    void describeEmpty();
    void save(const QString& path);
    void copy();
    [[nodiscard]] QString commandLine() const;
    [[nodiscard]] viz::PointColoring pairColoring(viz::Theme theme) const;
    [[nodiscard]] std::shared_ptr<const HeadMap> mapOf(const QString& id) const;

    Study& m_study;
    GridController& m_grid;
    ui::CompareView* m_view = nullptr;
    std::vector<Source> m_sources;
    bool m_stale = true; ///< the tab does not show the pair that is chosen
    std::pair<std::shared_ptr<const HeadMap>, std::shared_ptr<const HeadMap>> m_compared;
    SaveJob m_save;
    ui::JobRunner m_runner;
};

} // namespace headscope::desktop

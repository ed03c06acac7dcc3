// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/shell/analysis_controller.h"
#include "app/views/compare/compare_command.h"
#include "model/data/maps/map_pair.h"
#include "viz/scatter/point_coloring.h"

#include <cstdint>
#include <memory>
#include <optional>
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
class CompareController : public AnalysisController
{
    Q_OBJECT

public:
    CompareController(Study& study, GridController& grid, QObject* parent = nullptr);
    ~CompareController() override;

    void leave() override;
    [[nodiscard]] ui::CompareView& view() const { return *m_view; }

Q_SIGNALS:
    /// The user wants a map of the layer, stage and heads chosen in the data panel.
    void mapRequested();

protected:
    std::optional<ViewOutput> output(const QString& path, const viz::FigureOptions& paper) override;
    void copy() override;
    [[nodiscard]] QString commandLine() const override;
    void begin() override { compare(); }

private:
    /// A map that may be compared.
    struct Source
    {
        QString id;
        QString title;
        std::shared_ptr<const HeadMap> map;
    };
    using PointsKey = std::pair<std::shared_ptr<const PointIds>, std::uint64_t>;

    void connectView();
    void onCacheOpened();
    void refreshSources();
    void compare();
    /// Makes the noise floors that the pair lacks: of kept maps here, of cells with their whole grid.
    void measureFloors();
    void refreshFloorable();
    void refreshColors();
    void refreshColoring();
    void takePanelColors();
    void describeEmpty();
    [[nodiscard]] viz::PointColoring pairColoring(viz::InkTheme theme) const;
    [[nodiscard]] std::shared_ptr<const HeadMap> mapOf(const QString& id) const;
    /// Where the map of a source is, or how it comes to be in a file.
    [[nodiscard]] ComparedMap comparedMap(const QString& id) const;
    /// Another layer or stage that holds as many heads: its map has the same points.
    [[nodiscard]] std::optional<std::pair<LayerIndex, Stage>> partnerOf(const HeadMap& map) const;
    /// The newest kept map, for which a second one would be run.
    [[nodiscard]] std::shared_ptr<const HeadMap> newestMap() const;
    void runPartner();

    GridController& m_grid;
    ui::CompareView* m_view = nullptr;
    std::vector<Source> m_sources;
    std::vector<PointsKey> m_keys; ///< of the sources' points
    ui::ColorChoice m_panelColors; ///< as the data panel had them last
    std::pair<std::shared_ptr<const HeadMap>, std::shared_ptr<const HeadMap>> m_compared;
    ui::JobRunner m_runner;
    ui::JobRunner m_floor;
};

} // namespace headscope::desktop

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/grid/make_grid.h"
#include "app/desktop/shell/view_controller.h"
#include "ui/views/grid/grid_bar.h"
#include "viz/scatter/point_coloring.h"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace headscope::ui
{
class GridView;
}

namespace headscope::desktop
{

/// Before the names of sets that stand in the cache, where others have what they were computed of.
inline const QString kStoredKey = QStringLiteral("stored ");

/// Colours of documents for views that show several maps: by label column, by any column of numbers,
/// or (nothing) by head.
/// @pre a cache is open
[[nodiscard]] std::optional<viz::PointColoring> documentColoring(const Study& study, const QString& id,
                                                                 viz::Theme theme);
/// The colours that the data panel asks for, as such views do.
inline const QString kPanelColors = QStringLiteral("panel");
/// What documentColoring and kPanelColors know for the open cache, by head first.
[[nodiscard]] std::vector<ui::ColorOption> documentColors(const Study& study);

/// The grid of small maps: runs, sets of the cache, colours, cards.
/// @threads GUI thread
class GridController : public ViewController
{
    Q_OBJECT

public:
    explicit GridController(Study& study, QObject* parent = nullptr);
    ~GridController() override;

    void stop() override;
    void leave() override;
    [[nodiscard]] bool busy() const override { return m_run.active() || ViewController::busy(); }

    [[nodiscard]] QString lossOfStopping() const override;
    void addWork(KeptWork& work) const override;
    void forgetWork() override;

    /// Computes the maps of the cells that are chosen in the bar.
    void run();
    [[nodiscard]] GridRun& gridRun() { return m_run; }
    [[nodiscard]] ui::GridView& view() const { return *m_view; }
    /// What the grid shows, or null; of a run that goes on its newest look.
    [[nodiscard]] std::shared_ptr<const HeadMapSet> set() const;
    /// Puts what is shown, with all its heads, into the cache.
    void store();
    /// Of what is shown; empty for a set of the cache.
    [[nodiscard]] QString commandLine() const override;

Q_SIGNALS:
    /// A set came to rest, or the grid shows another one or none.
    void setSettled();

protected:
    void save(const QString& path) override;
    void copy() override;

private:
    /// How the grid is coloured: by document, or each map in its own colours.
    struct Coloring
    {
        std::optional<viz::PointColoring> documents;
        std::vector<std::optional<viz::PointColoring>> maps;
        std::optional<viz::Legend> legend; ///< of maps
    };

    void connectView();
    void connectRun();
    void takeCache();
    /// Shows what is known of the choice, or says how to get it.
    void showChoice();
    void showSet(std::shared_ptr<const HeadMapSet> set);
    void loadStored(const QString& name);
    void measure();
    void refreshChoices();
    void refreshColors();
    void refreshColoring();
    [[nodiscard]] Coloring coloring(viz::Theme theme) const;
    [[nodiscard]] Coloring coloringOfPanel(viz::Theme theme) const;
    void takePanelColors();
    void refreshMeasurable();
    void describeEmpty();
    [[nodiscard]] GridRequest request() const;
    [[nodiscard]] QString keyOfChoice() const;
    [[nodiscard]] std::shared_ptr<const HeadMapSet> withChosenHeads(std::shared_ptr<const HeadMapSet> set) const;
    [[nodiscard]] std::int64_t cellsOfChoice() const;

    ui::GridView* m_view = nullptr;
    std::map<QString, std::shared_ptr<const HeadMapSet>> m_sets; ///< that were computed or read, by keyOfChoice()
    std::set<std::shared_ptr<const HeadMapSet>> m_stored;        ///< of those, what stands in the cache
    std::shared_ptr<const HeadMapSet> m_whole;                   ///< of what is shown, with all its heads
    QString m_runKey;                                            ///< what the run makes
    ui::ColorChoice m_panelColors;                               ///< as the data panel had them last
    GridRun m_run;
    // Last: their destructors wait for workers.
    ui::JobRunner m_load;
    ui::JobRunner m_measure;
    ui::JobRunner m_store;
};

} // namespace headscope::desktop

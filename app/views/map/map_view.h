// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/maps/head_map.h"
#include "ui/models/map_run_state.h"
#include "ui/view/view.h"
#include "ui/window/view_id.h"

#include <QIcon>
#include <QStringList>

#include <functional>
#include <memory>

class QComboBox;
class QLabel;
class QMenu;
class QProgressBar;
class QPushButton;
class QStackedLayout;

namespace headscope::ui
{

class ElidedLabel;
class EmptyState;
class ScatterWidget;

inline constexpr ViewId kMapView("map");

/// The map tab: canvas, and under it the bar that runs the map and says what is shown, how many of
/// how many, and with which parameters.
class MapView : public View
{
    Q_OBJECT

public:
    explicit MapView(QWidget* parent = nullptr);
    [[nodiscard]] bool catchingUp() const override;
    /// What else the view waits for, beside its canvas: names of regions that are looked for. May be empty.
    void setAwaited(std::function<bool()> awaited) { m_awaited = std::move(awaited); }

    [[nodiscard]] ScatterWidget* scatter() const { return m_scatter; }

    /// Shows a map; the empty state when null, or when the OriginGuard refuses it.
    void setMap(std::shared_ptr<const HeadMap> map);
    void setRun(MapRunState state, const MapRunProgress& progress);
    /// Whether the map that is shown is an earlier state of the run, which the bar then says.
    void setLookedBack(bool back);
    /// The line on the right of the bar.
    [[nodiscard]] QString shownText() const;

Q_SIGNALS:
    /// A map of what is chosen is wanted.
    void runRequested();
    /// The panel of the run is wanted.
    void optionsRequested();
    void pauseRequested();
    void continueRequested();
    void stopRequested();
    /// A stopped or finished run is to continue for `iterations` more under this exaggeration.
    void goOnRequested(int iterations, double exaggeration);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void buildBar();
    void buildModes(QWidget* bar);
    [[nodiscard]] QMenu* buildMoreMenu();
    void showPage();
    void refreshShown();
    void refreshBar();
    /// Makes room for the bar's numbers: the progress bar is hidden first, then the text of what is shown, then
    /// numbers from the last one on. No text is cut.
    void fitBar();

    ScatterWidget* m_scatter = nullptr;
    EmptyState* m_empty = nullptr;
    EmptyState* m_noHeads = nullptr;
    QStackedLayout* m_stack = nullptr;
    QWidget* m_bar = nullptr;
    QPushButton* m_pause = nullptr;
    QIcon m_pauseIcon;
    QIcon m_playIcon;
    QPushButton* m_stop = nullptr;
    QPushButton* m_more = nullptr;
    QProgressBar* m_progress = nullptr;
    QLabel* m_iterations = nullptr;
    QLabel* m_numbers = nullptr;
    QComboBox* m_mode = nullptr;
    ElidedLabel* m_shown = nullptr;
    std::function<bool()> m_awaited;
    QStringList m_facts; ///< of m_numbers, all of them
    MapRunState m_state = MapRunState::None;
    MapRunProgress m_run;
    bool m_lookedBack = false;
};

} // namespace headscope::ui

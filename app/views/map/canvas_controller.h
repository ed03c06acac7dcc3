// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/shell/controller.h"
#include "app/desktop/shell/save_job.h"
#include "app/desktop/shell/study.h"
#include "app/views/map/map_coloring.h"
#include "ui/canvas/scatter/scatter_widget.h"

#include <QTimer>

#include <memory>
#include <utility>
#include <vector>

class QAction;

namespace headscope::ui
{
class MapView;
} // namespace headscope::ui

namespace headscope::desktop
{

/// What the map's canvas shows of its points: colours, with the jobs that compute them, names of regions, highlighted
/// heads, lines between the dots of a document; and saving the canvas as a picture.
/// @threads GUI thread
class CanvasController : public Controller
{
    Q_OBJECT

public:
    /// @param view  whose canvas it is; must outlive the controller
    CanvasController(Study& study, ui::MapView& view, QObject* parent = nullptr);
    ~CanvasController() override;

    void stop() override;
    void leave() override;
    [[nodiscard]] bool busy() const override;

    /// What is known of a map so far.
    [[nodiscard]] MapFindings findingsOf(const HeadMap& map) const;

private:
    void addCommands();
    void connectStudy();
    void changeColor();
    /// The map no longer moves: starts the jobs that depend on the positions of its points.
    void lookAtMap();
    void startMeasuring();
    void refreshRegions();
    void refreshLit();
    void askPicture();
    [[nodiscard]] ui::ScatterWidget::ColoringTask coloring(const std::shared_ptr<const HeadMap>& map,
                                                           viz::InkTheme theme) const;
    [[nodiscard]] MapFindings& findings(const std::shared_ptr<const HeadMap>& map);
    [[nodiscard]] ui::ScatterWidget& scatter() const;

    Study& m_study;
    ui::MapView& m_view;
    /// Of maps that still exist.
    std::vector<std::pair<std::weak_ptr<const HeadMap>, MapFindings>> m_findings;
    QAction* m_join = nullptr;
    QAction* m_regions = nullptr;
    QAction* m_overview = nullptr;
    bool m_regionsAsked = false;        ///< the user has said whether names of regions are wanted
    std::vector<bool> m_regionsWithout; ///< [P] points that were hidden when regions were last looked for
    QTimer m_rest;
    SaveJob m_save;
    ui::JobRunner m_findRunner;
    ui::JobRunner m_regionRunner;
};

} // namespace headscope::desktop

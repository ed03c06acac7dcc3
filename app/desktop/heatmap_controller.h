// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/controller.h"
#include "app/desktop/save_job.h"
#include "app/desktop/study.h"
#include "model/data/topic_results.h"
#include "ui/plots/hover_card.h"
#include "viz/heatmap/heatmap_painter.h"

namespace headscope::desktop
{

/// The heatmaps of the chosen layer and label column, one per stage; computed when their tab is
/// looked at.
/// @threads GUI thread
class HeatmapController : public Controller
{
    Q_OBJECT

public:
    explicit HeatmapController(Study& study, QObject* parent = nullptr);
    ~HeatmapController() override;

    void stop() override;
    [[nodiscard]] bool busy() const override { return m_runner.running() || m_save.busy(); }

private:
    void registerView();
    void refresh();
    void compute();
    void save(const QString& path);
    [[nodiscard]] ui::HoverContent cellCard(const Heatmap& heatmap, viz::HeatmapCell cell) const;

    Study& m_study;
    bool m_stale = true; ///< the tab does not show the chosen layer and label
    SaveJob m_save;
    ui::JobRunner m_runner;
};

} // namespace headscope::desktop

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/heatmap/heatmap_view.h"
#include "app/views/heatmap/join_heatmap_view.h"
#include "app/views/map/join_map_view.h"
#include "app/views/map/map_view.h"
#include "app/views/probe/join_probe_view.h"
#include "app/views/probe/probe_view.h"
#include "tests/ui/view_of.h"
#include "ui/canvas/scatter/scatter_widget.h"

namespace headscope::test
{

/// Adds map, heatmap and probe to a window, as controllers do, but without anybody who computes.
inline void addViews(ui::MainWindow& window)
{
    auto* map = new ui::MapView;
    ui::joinMapView(*map, window);
    ui::ViewEntry mapEntry;
    mapEntry.id = ui::kMapView;
    mapEntry.title = QStringLiteral("Map");
    mapEntry.widget = map;
    mapEntry.focus = map->scatter();
    window.addView(std::move(mapEntry));
    auto* heatmap = new ui::HeatmapView;
    ui::joinHeatmapView(*heatmap, window);
    ui::ViewEntry heatmapEntry;
    heatmapEntry.id = ui::kHeatmapView;
    heatmapEntry.title = QStringLiteral("Heatmap");
    heatmapEntry.widget = heatmap;
    window.addView(std::move(heatmapEntry));
    auto* probe = new ui::ProbeView;
    ui::joinProbeView(*probe, window);
    ui::ViewEntry probeEntry;
    probeEntry.id = ui::kProbeView;
    probeEntry.title = QStringLiteral("Probe");
    probeEntry.widget = probe;
    window.addView(std::move(probeEntry));
}

} // namespace headscope::test

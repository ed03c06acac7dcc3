// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/heatmap/join_heatmap_view.h"

#include "app/views/heatmap/heatmap_view.h"
#include "app/views/heatmap/heatmap_widget.h"
#include "model/data/results/heatmap_panel.h"
#include "ui/canvas/canvas_summary.h"
#include "ui/state/linked_selection.h"
#include "ui/window/main_window.h"
#include "ui/words/translate.h"
#include "ui/words/wording.h"

namespace headscope::ui
{

void joinHeatmapView(HeatmapView& view, MainWindow& window)
{
    HeatmapWidget* heatmap = view.heatmap();
    linkSelection(heatmap, window.selection());
    linkHeads(heatmap, window.selection(), window.choices());
    linkHeadChoice(heatmap, window.choices());
    setCanvasSummary(heatmap, [heatmap] {
        if (heatmap->panels().empty())
            return tr("No heatmap yet.");
        const HeatmapPanel& first = *heatmap->panels().front();
        const QString whole =
            tr("Heatmaps of %1: cosine of each vector with its document’s topic, %2.")
                .arg(countText(static_cast<std::int64_t>(heatmap->panels().size()), tr("stage"), tr("stages")),
                     countText(first.heatmap->values.cols(), tr("document"), tr("documents")));
        const QString cell = heatmap->cellText();
        return cell.isEmpty() ? whole : QString(cell % QStringLiteral(". ") % whole);
    });
}

} // namespace headscope::ui

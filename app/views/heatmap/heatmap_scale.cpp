// SPDX-License-Identifier: GPL-3.0-or-later
// The colours of the heatmap: limits of what is shown, or those that are kept for all stages and layers of a cache.
#include "viz/heatmap/heatmap_scale.h"
#include "app/views/heatmap/heatmap_bar.h"
#include "app/views/heatmap/heatmap_view.h"
#include "app/views/heatmap/similarity_page.h"
#include "app/views/heatmap/topic_means_page.h"
#include "ui/canvas/legend/color_bar.h"

#include <QLocale>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

namespace headscope::ui
{
namespace
{

/// Limits at percentiles are taken of at most so many values: more would not move them.
constexpr std::size_t kMaxForLimits = 1'000'000;

std::vector<float> valuesOf(const HeatmapWidget::Panels& panels)
{
    std::size_t count = 0;
    for (const auto& panel : panels)
        count += panel->heatmap->values.values().size();
    const std::size_t step = std::max<std::size_t>(1, count / kMaxForLimits);
    std::vector<float> values;
    values.reserve(count / step + panels.size());
    for (const auto& panel : panels)
        for (std::size_t i = 0; i < panel->heatmap->values.values().size(); i += step)
            values.push_back(panel->heatmap->values.values()[i]);
    return values;
}

viz::ScaleLimits limitsOf(const std::vector<float>& values, double lowShare, double highShare)
{
    return viz::roundedOutwards(viz::robustLimits(values, lowShare, highShare).value_or(viz::ScaleLimits{-1, 1}));
}

/// Of the usual ones: a few outliers do not take all colours.
constexpr double kLowShare = 0.01;

} // namespace

void HeatmapView::connectScale()
{
    ColorBar* bar = m_bar->scale();
    connect(bar, &ColorBar::choiceChanged, this,
            [this](const viz::ScaleChoice& choice) { applyScale(m_kept.moved(choice)); });
    connect(bar, &ColorBar::limitsRequested, this, [this](double low, double high) {
        m_kept.reset();
        if (low == kLowShare || shownPanels().empty())
            return refreshScale();
        viz::ScaleChoice choice = m_scale;
        choice.limits = limitsOf(valuesOf(shownPanels()), low, high);
        choice.centre = (choice.limits.low + choice.limits.high) / 2;
        applyScale(m_kept.moved(choice)); // as good as handles that were moved
    });
    connect(bar, &ColorBar::aroundZeroRequested, this, [this](bool around) {
        m_kept.setAroundZero(around);
        refreshScale();
    });
}

void HeatmapView::forgetScale()
{
    m_kept.reset();
    m_bar->scale()->setKept(false);
    m_means->forgetScale();
    m_similarity->forgetScale();
}

void HeatmapView::refreshScale()
{
    if (shownPanels().empty())
    {
        m_bar->scale()->setKept(m_kept.isKept());
        return m_bar->scale()->setAroundZero(m_kept.isAroundZero());
    }
    const HeatmapWidget::Panels shown = shownPanels();
    const std::vector<float> values = valuesOf(shown);
    const viz::ScaleChoice choice = m_kept.scaleFor(HeatmapStack::limitsOf(shown));
    // The bar reaches over all numbers, and somewhat further.
    viz::ScaleLimits range = limitsOf(values, 0, 1);
    const double room = 0.08 * (range.high - range.low);
    range = {std::max(std::min(-1.0, range.low), range.low - room),
             std::min(std::max(1.0, range.high), range.high + room)};
    m_bar->scale()->setRange({std::min(range.low, choice.limits.low), std::max(range.high, choice.limits.high)});
    applyScale(choice);
}

std::string HeatmapView::scaleWords() const
{
    if (!m_kept.isKept())
        return m_kept.isAroundZero() ? "zero" : "data";
    const bool sayable = m_scale.kind == viz::ScaleChoice::Kind::Diverging &&
                         std::abs(m_scale.centre - (m_scale.limits.low + m_scale.limits.high) / 2) <=
                             1e-6 * (m_scale.limits.high - m_scale.limits.low);
    return sayable ? fmt::format("{},{}", m_scale.limits.low, m_scale.limits.high) : std::string();
}

void HeatmapView::applyScale(const viz::ScaleChoice& choice)
{
    m_scale = choice;
    m_bar->scale()->setKept(m_kept.isKept());
    m_bar->scale()->setChoice(choice);
    // Where the middle colour is not 0, blue does not mean opposed.
    const bool diverging = choice.kind == viz::ScaleChoice::Kind::Diverging;
    m_bar->scale()->setTitle(diverging && choice.centre != 0
                                 ? tr("cosine, middle %1").arg(QLocale().toString(choice.centre, 'g', 2))
                                 : tr("cosine"));
    m_bar->scale()->setAroundZero(m_kept.isAroundZero());
    m_heatmap->setScale(choice);
}

} // namespace headscope::ui

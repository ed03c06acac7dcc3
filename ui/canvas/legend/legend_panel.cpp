// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/legend/legend_panel.h"

#include "ui/canvas/legend/legend_widget.h"
#include "ui/theme/theme.h"

#include <QPainter>
#include <QResizeEvent>

#include <algorithm>
#include <utility>

namespace headscope::ui
{
namespace
{

constexpr double kPanelWidest = 210;
constexpr int kPanelLeast = 80;

} // namespace

LegendPanel::LegendPanel(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("legendPanel"));
    setAccessibleName(tr("Legend"));
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Expanding);
    m_card = new LegendWidget(this);
    m_card->setPlain(true);
    m_card->move(0, Metrics::kPanel);
    connect(m_card, &LegendWidget::isolateRequested, this, [this](const viz::LegendHit& hit) {
        if (hit.kind == viz::LegendHit::Kind::Category)
            setIsolated(m_isolated == hit.index ? std::nullopt : std::optional(hit.index));
    });
    connect(m_card, &LegendWidget::showAllRequested, this, [this] { setIsolated({}); });
    connect(m_card, &LegendWidget::sizeChanged, this, &LegendPanel::layOut);
    onThemeChange(this, [this] { layOut(); });
    setVisible(false);
}

void LegendPanel::setLegend(std::optional<viz::Legend> legend)
{
    m_legend = std::move(legend);
    m_isolated.reset();
    m_card->setFaded({});
    setVisible(m_legend.has_value());
    setAccessibleDescription(m_legend ? m_legend->title : QString());
    layOut();
}

const std::vector<viz::LegendHit>& LegendPanel::faded() const
{
    return m_card->faded();
}

void LegendPanel::setIsolated(std::optional<std::int64_t> code)
{
    if (code == m_isolated)
        return;
    m_isolated = code;
    std::vector<viz::LegendHit> faded;
    if (const auto* categories = m_legend ? std::get_if<viz::CategoryLegend>(&m_legend->content) : nullptr;
        categories != nullptr && m_isolated)
        for (const auto& entry : categories->entries)
            if (entry.code != *m_isolated)
                faded.push_back({viz::LegendHit::Kind::Category, entry.code});
    m_card->setFaded(std::move(faded));
    Q_EMIT isolatedChanged();
}

void LegendPanel::layOut()
{
    if (!m_legend)
        return;
    m_card->setLegend(*m_legend, std::max(kPanelLeast, height() - 2 * Metrics::kPanel), kPanelWidest);
    m_card->show();
    setFixedWidth(m_card->width() + Metrics::kPanel);
    update();
}

void LegendPanel::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    if (event->size().height() != event->oldSize().height())
        layOut();
}

void LegendPanel::paintEvent(QPaintEvent* event)
{
    Q_UNUSED(event)
    QPainter(this).fillRect(rect(), Theme::instance().colors().canvas);
}

} // namespace headscope::ui

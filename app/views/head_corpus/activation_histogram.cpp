// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/head_corpus/activation_histogram.h"

#include "ui/theme/theme.h"
#include "ui/words/wording.h"

#include <utility>

namespace headscope::ui
{

ActivationHistogram::ActivationHistogram()
    : Picture({.name = "activationHistogram",
               .keysChoose = true,
               .items = viz::Items::Listed,
               .room = viz::Room::Line,
               .wanted = {360, 116},
               .least = {200, 100}})
{}

QString ActivationHistogram::summary() const
{
    if (m_counts.bounds.empty())
        return {};
    return tr("From %1 to %2, median %3; arrow keys go from decile to decile")
        .arg(numberText(m_counts.bounds.front()), numberText(m_counts.bounds.back()),
             numberText(m_counts.bounds[m_counts.bounds.size() / 2]));
}

void ActivationHistogram::setCounts(viz::ActivationCounts counts, const QColor& color)
{
    m_counts = std::move(counts);
    m_color = color;
    m_marked.reset();
    m_chosen.reset();
    replaced();
}

void ActivationHistogram::setMarked(std::optional<double> activation)
{
    m_marked = activation;
    marked();
}

void ActivationHistogram::arrange()
{
    const viz::ChartStyle style{theme(), static_cast<double>(Theme::smallFont().pixelSize())};
    m_chart = viz::ActivationChart(m_counts, box(), style, m_color);
}

std::size_t ActivationHistogram::count() const
{
    return m_counts.bounds.empty() ? 0 : m_counts.bounds.size() - 1;
}

QRectF ActivationHistogram::placeOf(std::size_t decile) const
{
    const double left = m_chart.xOf(m_counts.bounds[decile]);
    return {left, box().top(), m_chart.xOf(m_counts.bounds[decile + 1]) - left, box().height()};
}

viz::ItemText ActivationHistogram::textOf(std::size_t decile) const
{
    return {.title = tr("Decile %1 of 10: activation %2 to %3")
                         .arg(decile + 1)
                         .arg(numberText(m_counts.bounds[decile]), numberText(m_counts.bounds[decile + 1]))};
}

viz::ItemText ActivationHistogram::textAt(QPointF place, std::size_t decile) const
{
    viz::ItemText text = textOf(decile);
    if (const auto bin = m_chart.binAt(place))
        text.title +=
            QStringLiteral("\n") % tr("%1 to %2: %3")
                                       .arg(numberText(m_counts.edge(*bin)), numberText(m_counts.edge(*bin + 1)),
                                            countText(m_counts.counts[*bin], tr("token"), tr("tokens")));
    return text;
}

std::optional<std::size_t> ActivationHistogram::next(std::optional<std::size_t> from, viz::Step step) const
{
    if (step != viz::Step::Left && step != viz::Step::Right)
        return std::nullopt;
    if (!from)
        from = m_chosen;
    if (!from && step == viz::Step::Left)
        return count() - 1;
    return viz::nextAround(from, step, count());
}

void ActivationHistogram::paint(QPainter& painter, const viz::PictureMarks& marks) const
{
    if (!m_counts.counts.empty())
        m_chart.paint(painter, m_marked, marks.pointed);
}

} // namespace headscope::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/match_chart.h"

#include "ui/charts/plain_chart.h"
#include "ui/theme/theme.h"
#include "ui/words/window_text.h"
#include "ui/words/wording.h"
#include "viz/axis/text.h"
#include "viz/chart/match_bars.h"

#include <QBarSet>
#include <QChart>
#include <QChartView>
#include <QGraphicsItem>
#include <QHelpEvent>
#include <QHorizontalStackedBarSeries>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QVBoxLayout>
#include <QValueAxis>

#include <algorithm>
#include <cmath>

namespace headscope::ui
{
namespace
{

/// Room of the heads' names, which the chart leaves free at its left.
constexpr double kNames = 46;

/// Names of the rows and the intervals, painted over the bars where the chart puts them.
class RowMarks : public QGraphicsItem
{
public:
    RowMarks(QChart& chart, const TopicMatch& match, const std::vector<std::int64_t>& rows,
             const viz::HeadPalette& palette)
        : m_chart(chart), m_match(match), m_rows(rows), m_palette(palette)
    {}

    [[nodiscard]] QRectF boundingRect() const override { return m_chart.geometry(); }

    void paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) override
    {
        const Colors& colors = Theme::instance().colors();
        const QRectF plot = m_chart.plotArea();
        const auto rows = static_cast<std::int64_t>(m_rows.size());
        const double pitch = plot.height() / static_cast<double>(std::max<std::int64_t>(1, rows));
        const QFont font = Theme::smallFont();
        const auto every =
            static_cast<std::int64_t>(std::max(1.0, std::ceil(QFontMetrics(font).height() * 0.8 / pitch)));
        const double whisker = std::min(3.0, 0.3 * pitch);
        painter->setPen(QPen(colors.text, 1, Qt::DashLine));
        for (const std::int64_t k : m_match.result.k)
        {
            const double chance = m_match.result.chance(k);
            const double x = m_chart.mapToPosition({chance, 0.0}).x();
            if (m_match.result.topics > 0 && chance < 1)
                painter->drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
        }
        for (std::int64_t place = 0; place < rows; ++place)
        {
            const std::int64_t row = m_rows[static_cast<std::size_t>(place)];
            const double y = m_chart.mapToPosition({0, static_cast<double>(place)}).y();
            if (row > 0)
            {
                painter->fillRect(QRectF(plot.left() - 7, y - 0.4 * pitch, 4, std::max(1.0, 0.8 * pitch)),
                                  m_palette.color(HeadIndex(row - 1)));
            }
            if (place % every == 0)
                viz::drawLine(*painter, {plot.left() - kNames, y - 9, kNames - 11, 18},
                              row == 0 ? QObject::tr("full") : QString::number(row), font, colors.muted,
                              Qt::AlignRight | Qt::AlignVCenter);
            painter->setPen(QPen(colors.text, 1));
            for (std::int64_t k = 0; k < m_match.low.cols() && pitch >= 4; ++k)
            {
                if (!std::isfinite(m_match.low(row, k)))
                    continue;
                const double low = m_chart.mapToPosition({m_match.low(row, k), static_cast<double>(place)}).x();
                const double high = m_chart.mapToPosition({m_match.high(row, k), static_cast<double>(place)}).x();
                painter->drawLine(QPointF(low, y), QPointF(high, y));
                for (const double x : {low, high})
                    painter->drawLine(QPointF(x, y - whisker), QPointF(x, y + whisker));
            }
        }
    }

private:
    QChart& m_chart; // its mapTo functions are not const
    const TopicMatch& m_match;
    std::vector<std::int64_t> m_rows;
    viz::HeadPalette m_palette;
};

QColor between(const QColor& a, const QColor& b, double share)
{
    return QColor::fromRgbF(static_cast<float>(std::lerp(a.redF(), b.redF(), share)),
                            static_cast<float>(std::lerp(a.greenF(), b.greenF(), share)),
                            static_cast<float>(std::lerp(a.blueF(), b.blueF(), share)));
}

/// Shares among the first, the first few, ...: each level adds to the bar of the one before, and is paler.
QHorizontalStackedBarSeries* levelBars(const MatchResult& result, const std::vector<std::int64_t>& rows, QChart* chart)
{
    const Colors& colors = Theme::instance().colors();
    const MatrixD& share = result.share;
    const auto levels = share.cols();
    auto* bars = new QHorizontalStackedBarSeries(chart);
    bars->setBarWidth(0.72);
    for (std::int64_t k = 0; k < levels; ++k)
    {
        auto* set = new QBarSet(MatchChart::tr("top %1").arg(result.k[static_cast<std::size_t>(k)]), bars);
        for (const std::int64_t row : rows)
        {
            const double own = std::isfinite(share(row, k)) ? share(row, k) : 0.0;
            const double before = k > 0 && std::isfinite(share(row, k - 1)) ? share(row, k - 1) : 0.0;
            set->append(std::max(0.0, own - before));
        }
        const double pale = levels > 1 ? 0.8 * static_cast<double>(k) / static_cast<double>(levels - 1) : 0.0;
        set->setColor(between(colors.muted, colors.canvas, pale));
        set->setBorderColor(Qt::transparent);
        bars->append(set);
    }
    return bars;
}

QValueAxis* shareAxis(QChart* chart)
{
    auto* shares = new QValueAxis(chart);
    shares->setRange(0, 1);
    shares->setTickCount(3);
    shares->setLabelFormat(QStringLiteral("%.1f"));
    shares->setGridLineColor(Theme::instance().colors().hairline);
    shares->setLineVisible(false);
    dressAxis(*shares);
    return shares;
}

/// Places of the rows; their names are painted beside it.
QValueAxis* rowAxis(std::size_t rows, QChart* chart)
{
    auto* heads = new QValueAxis(chart);
    heads->setRange(-0.5, static_cast<double>(rows) - 0.5);
    heads->setReverse(true); // the full row on top, as in the heatmap
    heads->setLabelsVisible(false);
    heads->setGridLineVisible(false);
    heads->setLineVisible(false);
    heads->setTickCount(2);
    return heads;
}

} // namespace

MatchChart::MatchChart(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("matchChart"));
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleDescription(tr("How often the nearest topic vector is the document’s true topic; arrow keys move"));
    setMouseTracking(true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    m_view = makePlainView(this);
    m_view->setFocusPolicy(Qt::NoFocus);
    // It would like to be as large as it is: what stands above and below could never have its room back.
    m_view->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
    layout->addWidget(m_view);
    setMinimumSize(180, 160);
    onThemeChange(this, [this] { rebuild(); });
}

MatchChart::~MatchChart() = default;

void MatchChart::setMatch(std::shared_ptr<const TopicMatch> match, const viz::HeadPalette& palette)
{
    m_palette = palette;
    const auto former = std::exchange(m_match, std::move(match)); // the old chart still points to it
    m_row.reset();
    rebuild();
}

void MatchChart::setHeads(const std::vector<std::int64_t>& heads)
{
    if (heads == m_heads)
        return;
    m_heads = heads;
    m_row.reset();
    rebuild();
}

std::int64_t MatchChart::placeOfRow(std::int64_t row) const
{
    const auto at = std::find(m_rows.begin(), m_rows.end(), row);
    return at == m_rows.end() ? -1 : at - m_rows.begin();
}

QString MatchChart::title() const
{
    return m_match == nullptr ? tr("Match") : tr("Match, stage %1").arg(toQString(stageName(m_match->stage)));
}

QString MatchChart::hint() const
{
    MatchResult usual; // while none is measured
    usual.k = MatchOptions().k;
    QString text = tr("true topic %1; lines: 95% CI, dashed: chance")
                       .arg(viz::matchLevels(m_match == nullptr ? usual : m_match->result));
    if (m_match != nullptr && !m_match->vectorsText.empty())
        text += tr("\ntopics: %1").arg(toQString(m_match->vectorsText));
    return text;
}

void MatchChart::rebuild()
{
    m_rows.clear();
    for (std::int64_t row = 0; m_match != nullptr && row < m_match->result.share.rows(); ++row)
        if (row == 0 || m_heads.empty() || std::binary_search(m_heads.begin(), m_heads.end(), row - 1))
            m_rows.push_back(row);
    QChart* chart = makePlainChart(QMargins(static_cast<int>(kNames), 0, 8, 0));
    if (m_match != nullptr && m_match->result.share.rows() > 0)
    {
        QHorizontalStackedBarSeries* bars = levelBars(m_match->result, m_rows, chart);
        chart->addSeries(bars);
        QValueAxis* shares = shareAxis(chart);
        QValueAxis* heads = rowAxis(m_rows.size(), chart);
        chart->addAxis(shares, Qt::AlignBottom);
        chart->addAxis(heads, Qt::AlignLeft);
        bars->attachAxis(shares);
        bars->attachAxis(heads);
        auto* marks = new RowMarks(*chart, *m_match, m_rows, m_palette);
        marks->setParentItem(chart);
        marks->setZValue(100);
    }
    showChart(*m_view, chart);
    setAccessibleName(title());
}

std::optional<std::int64_t> MatchChart::rowAt(QPointF place) const
{
    if (m_match == nullptr || m_rows.empty())
        return std::nullopt;
    QChart* chart = m_view->chart();
    const QPointF inChart = chart->mapFromScene(m_view->mapToScene(m_view->mapFrom(this, place.toPoint())));
    const QRectF plot = chart->plotArea();
    if (inChart.y() < plot.top() || inChart.y() >= plot.bottom())
        return std::nullopt;
    const auto at = static_cast<std::int64_t>(std::floor(chart->mapToValue(inChart).y() + 0.5));
    return m_rows[static_cast<std::size_t>(std::clamp<std::int64_t>(at, 0, std::ssize(m_rows) - 1))];
}

QPointF MatchChart::placeOf(std::int64_t row, double share) const
{
    QChart* chart = m_view->chart();
    const QPointF inChart = chart->mapToPosition({share, static_cast<double>(placeOfRow(row))});
    return m_view->mapTo(this, m_view->mapFromScene(chart->mapToScene(inChart)));
}

QString MatchChart::rowText(std::int64_t row) const
{
    if (m_match == nullptr || row < 0 || row >= m_match->result.share.rows())
        return {};
    const MatchResult& result = m_match->result;
    QString text = row == 0 ? tr("Full vector: %1").arg(toQString(m_match->result.fullSource))
                            : unitText(m_match->stage, HeadIndex(row - 1));
    const auto percent = [](double share) {
        return std::isfinite(share) ? QString::number(100 * share, 'f', 1) : QStringLiteral("–");
    };
    for (std::int64_t k = 0; k < result.share.cols(); ++k)
    {
        text += tr("\n%1: %2 %")
                    .arg(result.k[static_cast<std::size_t>(k)] == 1
                             ? tr("nearest")
                             : amongText(result.k[static_cast<std::size_t>(k)], result.topics))
                    .arg(percent(result.share(row, k)));
        text += std::isfinite(m_match->low(row, k))
                    ? tr(" (%1 to %2)").arg(percent(m_match->low(row, k)), percent(m_match->high(row, k)))
                    : tr(", because there are no other topics");
    }
    for (std::int64_t k = 0; k < result.share.cols() && !result.null.empty(); ++k)
    {
        const PermutationNull& null = result.null(row, k);
        if (k == 0)
            text += tr("\nWith permuted labels (%1 permutations):").arg(null.permutations);
        text +=
            tr("\ntop %1: mean %2 %, p %3%4")
                .arg(result.k[static_cast<std::size_t>(k)])
                .arg(percent(null.mean))
                .arg(null.p, 0, 'g', 2)
                .arg(m_match->q.empty() || row == 0 ? QString()
                                                    : tr(", q %1 over all heads").arg(m_match->q(row, k), 0, 'g', 2));
    }
    const std::int64_t measured = result.measured[static_cast<std::size_t>(row)];
    if (measured != result.documents)
        text += tr("\nmeasured on %1 of %2 documents; the others have no finite vector here, or are the only ones of "
                   "their topic")
                    .arg(countText(measured), countText(result.documents));
    return text;
}

void MatchChart::point(std::optional<std::int64_t> row)
{
    if (row == m_row)
        return;
    m_row = row;
    setCursor(row && *row > 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    setAccessibleDescription(row ? rowText(*row) : QString());
    Q_EMIT headHovered(row && *row > 0 ? std::optional(HeadIndex(*row - 1)) : std::nullopt);
}

bool MatchChart::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip)
    {
        const auto* help = static_cast<QHelpEvent*>(event);
        if (const auto row = rowAt(help->pos()))
            QToolTip::showText(help->globalPos(), rowText(*row), this);
        else
            QToolTip::hideText();
        return true;
    }
    return QWidget::event(event);
}

void MatchChart::mouseMoveEvent(QMouseEvent* event)
{
    point(rowAt(event->position()));
}

void MatchChart::mouseReleaseEvent(QMouseEvent* event)
{
    const auto row = rowAt(event->position());
    if (row && *row > 0 && event->button() == Qt::LeftButton)
        Q_EMIT headClicked(HeadIndex(*row - 1));
}

void MatchChart::keyPressEvent(QKeyEvent* event)
{
    if (m_match == nullptr || m_rows.empty())
        return QWidget::keyPressEvent(event);
    if (event->key() == Qt::Key_Up || event->key() == Qt::Key_Down)
    {
        const std::int64_t step = event->key() == Qt::Key_Down ? 1 : -1;
        const std::int64_t at = std::max<std::int64_t>(0, placeOfRow(m_row.value_or(0))) + step;
        point(m_rows[static_cast<std::size_t>(std::clamp<std::int64_t>(at, 0, std::ssize(m_rows) - 1))]);
        QToolTip::showText(mapToGlobal(placeOf(*m_row, 0.1).toPoint()), rowText(*m_row), this);
        return;
    }
    if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Space) && m_row && *m_row > 0)
        return Q_EMIT headClicked(HeadIndex(*m_row - 1));
    QWidget::keyPressEvent(event);
}

void MatchChart::leaveEvent(QEvent* event)
{
    point({});
    QWidget::leaveEvent(event);
}

} // namespace headscope::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/recall_chart.h"

#include "ui/canvas/hover_card.h"
#include "ui/charts/plain_chart.h"
#include "ui/theme/theme.h"
#include "ui/words/wording.h"

#include <QBarCategoryAxis>
#include <QBarSet>
#include <QChart>
#include <QChartView>
#include <QLocale>
#include <QMouseEvent>
#include <QPainter>
#include <QStackedBarSeries>
#include <QVBoxLayout>
#include <QValueAxis>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace headscope::ui
{
namespace
{

/// A bar a head, of the height of its recall. One set per head gives each bar its colour; in a stack of zeros only its
/// own one shows.
QStackedBarSeries* recallBars(const std::vector<HeadScore>& heads, const viz::HeadPalette& palette, QChart* chart)
{
    auto* bars = new QStackedBarSeries(chart);
    bars->setBarWidth(0.8);
    for (std::size_t i = 0; i < heads.size(); ++i)
    {
        auto* set = new QBarSet(QString::number(heads[i].head + 1), bars);
        for (std::size_t j = 0; j < heads.size(); ++j)
            set->append(i == j ? heads[i].recall : 0.0);
        set->setColor(palette.color(HeadIndex(heads[i].head)));
        set->setBorderColor(Qt::transparent);
        bars->append(set);
    }
    return bars;
}

/// Numbers of the heads, every so many of them.
QBarCategoryAxis* headAxis(const std::vector<HeadScore>& heads, qsizetype step, QChart* chart)
{
    QStringList names;
    for (qsizetype i = 0; i < static_cast<qsizetype>(heads.size()); ++i)
        // Categories must differ, also where there is no room for their numbers.
        names << (i % step == 0 ? QString::number(heads[static_cast<std::size_t>(i)].head + 1)
                                : QString(i + 1, QChar(0x200B)));
    auto* axis = new QBarCategoryAxis(chart);
    axis->append(names);
    axis->setGridLineVisible(false);
    dressAxis(*axis);
    axis->setLinePen(QPen(Theme::instance().colors().hairline));
    return axis;
}

QValueAxis* recallAxis(QChart* chart)
{
    const Colors& colors = Theme::instance().colors();
    auto* share = new QValueAxis(chart);
    share->setRange(0, 1);
    share->setTickCount(6);
    share->setLabelFormat(QStringLiteral("%.1f"));
    share->setGridLineColor(colors.hairline);
    dressAxis(*share);
    share->setLinePen(QPen(colors.hairline));
    share->setLineVisible(false);
    return share;
}

} // namespace

/// Lies over the bars and paints what the charts of Qt have no series for: intervals, and lines with their names.
class RecallMarks : public QWidget
{
public:
    explicit RecallMarks(QChartView* view) : QWidget(view), m_view(view)
    {
        setAttribute(Qt::WA_TransparentForMouseEvents);
    }

    void setResult(std::shared_ptr<const ProbeResult> result)
    {
        m_result = std::move(result);
        update();
    }

    /// Each line across the bars: its share, its name.
    [[nodiscard]] std::vector<std::pair<double, QString>> lines() const
    {
        if (m_result == nullptr || m_result->perHead.empty())
            return {};
        const double chance = 1 / static_cast<double>(std::max<std::int64_t>(1, m_result->classes));
        const auto named = [](const QString& what, double share) {
            return std::pair(share, QString(what % QLatin1Char(' ') % QLocale().toString(share, 'f', 3)));
        };
        return {named(RecallChart::tr("all vectors"), m_result->accuracy), named(RecallChart::tr("chance"), chance)};
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        if (m_result == nullptr || m_result->perHead.empty() || m_view->chart() == nullptr)
            return;
        const QRectF plot = m_view->chart()->plotArea();
        const Colors& colors = Theme::instance().colors();
        QPainter painter(this);
        const auto at = [&plot](double share) { return plot.bottom() - std::clamp(share, 0.0, 1.0) * plot.height(); };
        const double slot = plot.width() / static_cast<double>(m_result->perHead.size());
        painter.setPen(QPen(colors.text, 1));
        for (std::size_t i = 0; i < m_result->perHead.size(); ++i)
        {
            const Interval& interval = m_result->perHead[i].recallCi95;
            if (!std::isfinite(interval.low))
                continue;
            const double x = std::round(plot.left() + (static_cast<double>(i) + 0.5) * slot) + 0.5;
            painter.drawLine(QPointF(x, at(interval.low)), QPointF(x, at(interval.high)));
        }
        painter.setFont(Theme::smallFont());
        const QFontMetricsF metrics(painter.font());
        Qt::PenStyle style = Qt::DashLine;
        for (const auto& [share, name] : lines())
        {
            painter.setPen(QPen(colors.text, 1, std::exchange(style, Qt::DotLine)));
            painter.drawLine(QPointF(plot.left(), at(share)), QPointF(plot.right(), at(share)));
            QRectF place(0, 0, metrics.horizontalAdvance(name) + 6, metrics.height());
            place.moveBottomRight({plot.right(), std::max(at(share) - 1, plot.top() + metrics.height())});
            QColor ground = m_view->chart()->backgroundBrush().color();
            ground.setAlpha(220);
            painter.fillRect(place, ground);
            painter.setPen(colors.text);
            painter.drawText(place, Qt::AlignCenter, name);
        }
    }

private:
    QChartView* m_view;
    std::shared_ptr<const ProbeResult> m_result;
};

RecallChart::RecallChart(QWidget* parent) : QWidget(parent)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    m_view = makePlainView(this);
    layout->addWidget(m_view);
    m_marks = new RecallMarks(m_view);
    m_outline = new QFrame(this);
    m_outline->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_outline->setObjectName(QStringLiteral("recallOutline"));
    m_outline->hide();
    m_card = new HoverCard(this);
    setMouseTracking(true);
    setMinimumHeight(130);
    onThemeChange(this, [this] { rebuild(); });
}

RecallChart::~RecallChart() = default;

void RecallChart::setResult(std::shared_ptr<const ProbeResult> result, const viz::HeadPalette& palette)
{
    m_result = std::move(result);
    m_palette = palette;
    rebuild();
}

QStringList RecallChart::lineNames() const
{
    QStringList names;
    for (const auto& line : m_marks->lines())
        names << line.second;
    return names;
}

QRectF RecallChart::slotRect(std::int64_t i) const
{
    const auto count = m_result == nullptr ? 0 : static_cast<double>(m_result->perHead.size());
    if (count < 1)
        return {};
    const QRectF plot = m_view->chart()->plotArea().translated(m_view->pos());
    const double width = plot.width() / count;
    return {plot.left() + static_cast<double>(i) * width, plot.top(), width, plot.height()};
}

void RecallChart::setHoveredHead(std::optional<HeadIndex> head)
{
    m_outline->hide();
    if (m_result == nullptr || !head || m_pointed)
        return;
    const auto& heads = m_result->perHead;
    const auto at =
        std::find_if(heads.begin(), heads.end(), [&](const HeadScore& each) { return each.head == head->value(); });
    if (at == heads.end())
        return;
    m_outline->setGeometry(slotRect(at - heads.begin()).toAlignedRect());
    m_outline->setStyleSheet(QStringLiteral("#recallOutline { border: 1px solid %1; background: transparent; }")
                                 .arg(Theme::instance().colors().accent.name()));
    m_outline->show();
}

void RecallChart::mouseMoveEvent(QMouseEvent* event)
{
    std::optional<std::int64_t> head;
    const auto count = m_result == nullptr ? std::int64_t{0} : std::ssize(m_result->perHead);
    for (std::int64_t i = 0; i < count; ++i)
    {
        if (!slotRect(i).contains(event->position()))
            continue;
        const HeadScore& score = m_result->perHead[static_cast<std::size_t>(i)];
        const QLocale locale;
        HoverContent content;
        head = score.head;
        content.color = m_palette.color(HeadIndex(score.head));
        content.title = unitText(m_result->stage.value_or(Stage::HeadOutput), HeadIndex(score.head));
        content.detail = tr("recall");
        content.value = locale.toString(score.recall, 'f', 3);
        content.subtitle =
            tr("precision %1 · F1 %2").arg(locale.toString(score.precision, 'f', 3), locale.toString(score.f1, 'f', 3));
        if (std::isfinite(score.recallCi95.low))
            content.subtitle +=
                tr(" · recall 95% CI %1 to %2")
                    .arg(locale.toString(score.recallCi95.low, 'f', 3), locale.toString(score.recallCi95.high, 'f', 3));
        m_card->showAt(content, event->pos());
    }
    if (!head)
        m_card->hide();
    if (head == m_pointed)
        return;
    m_pointed = head;
    m_outline->hide();
    Q_EMIT headHovered(indexOf<HeadIndex>(head));
}

void RecallChart::leaveEvent(QEvent* event)
{
    m_card->hide();
    if (m_pointed)
    {
        m_pointed.reset();
        Q_EMIT headHovered({});
    }
    QWidget::leaveEvent(event);
}

qsizetype RecallChart::labelStep() const
{
    constexpr qsizetype kLabelWidth = 22;
    const auto count = m_result == nullptr ? 0 : static_cast<qsizetype>(m_result->perHead.size());
    const qsizetype room = std::max(1, width() - 40);
    return std::max<qsizetype>(1, (count * kLabelWidth + room - 1) / room);
}

void RecallChart::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    m_marks->setGeometry(m_view->rect());
    if (labelStep() != m_labelStep)
        rebuild();
}

void RecallChart::rebuild()
{
    QChart* chart = makePlainChart();
    if (m_result != nullptr && !m_result->perHead.empty())
    {
        m_labelStep = labelStep();
        QStackedBarSeries* bars = recallBars(m_result->perHead, m_palette, chart);
        chart->addSeries(bars);
        QBarCategoryAxis* heads = headAxis(m_result->perHead, m_labelStep, chart);
        QValueAxis* share = recallAxis(chart);
        chart->addAxis(heads, Qt::AlignBottom);
        chart->addAxis(share, Qt::AlignLeft);
        bars->attachAxis(heads);
        bars->attachAxis(share);
        connect(chart, &QChart::plotAreaChanged, m_marks, [this] { m_marks->update(); });
    }
    m_outline->hide();
    m_card->hide();
    showChart(*m_view, chart);
    m_marks->setResult(m_result);
    m_marks->setGeometry(m_view->rect());
    m_marks->raise();
    const Stage stage = m_result != nullptr && m_result->stage ? *m_result->stage : Stage::HeadOutput;
    m_title = tr("Recall per %1").arg(unitText(stage));
    setAccessibleName(m_title);
}

} // namespace headscope::ui

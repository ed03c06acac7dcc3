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
#include <QLineSeries>
#include <QLocale>
#include <QMouseEvent>
#include <QStackedBarSeries>
#include <QVBoxLayout>
#include <QValueAxis>

#include <algorithm>

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

/// The accuracy over all heads, as a line across the bars.
QLineSeries* accuracyLine(const ProbeResult& result, QChart* chart)
{
    auto* accuracy = new QLineSeries(chart);
    accuracy->append(-0.5, result.accuracy);
    accuracy->append(static_cast<double>(result.perHead.size()) - 0.5, result.accuracy);
    accuracy->setPen(QPen(Theme::instance().colors().text, 1, Qt::DashLine));
    return accuracy;
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

RecallChart::RecallChart(QWidget* parent) : QWidget(parent)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    m_view = makePlainView(this);
    layout->addWidget(m_view);
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
        QLineSeries* accuracy = accuracyLine(*m_result, chart);
        chart->addSeries(bars);
        chart->addSeries(accuracy);
        QBarCategoryAxis* heads = headAxis(m_result->perHead, m_labelStep, chart);
        QValueAxis* share = recallAxis(chart);
        chart->addAxis(heads, Qt::AlignBottom);
        chart->addAxis(share, Qt::AlignLeft);
        for (QAbstractSeries* series : std::initializer_list<QAbstractSeries*>{bars, accuracy})
        {
            series->attachAxis(heads);
            series->attachAxis(share);
        }
    }
    m_outline->hide();
    m_card->hide();
    showChart(*m_view, chart);
    const Stage stage = m_result != nullptr && m_result->stage ? *m_result->stage : Stage::HeadOutput;
    m_title = tr("Recall per %1").arg(unitText(stage));
    setAccessibleName(m_title);
}

} // namespace headscope::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/heatmap_view.h"

#include "ui/plots/color_bar.h"
#include "ui/plots/heatmap_widget.h"
#include "ui/theme/theme.h"
#include "ui/widgets.h"
#include "ui/wording.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStackedLayout>
#include <QVBoxLayout>

namespace headscope::ui
{

HeatmapView::HeatmapView(QWidget* parent) : QWidget(parent)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto* page = new QWidget(this);
    m_stack = new QStackedLayout(page);
    m_heatmap = new HeatmapWidget(page);
    m_empty = new EmptyState(page);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(m_heatmap);
    layout->addWidget(page, 1);
    buildBar();
    layout->addWidget(m_bar);
    connect(m_empty, &EmptyState::actionRequested, this, &HeatmapView::emptyActionRequested);
    m_bar->hide();
}

void HeatmapView::buildBar()
{
    auto* bar = new QFrame(this);
    bar->setObjectName(QStringLiteral("bar"));
    bar->setFixedHeight(42);
    m_bar = bar;
    auto* layout = new QHBoxLayout(bar);
    layout->setContentsMargins(Metrics::kPanel, 0, Metrics::kPanel, 0);
    layout->setSpacing(Metrics::kRelated);
    m_sort = new QComboBox(bar);
    m_sort->setObjectName(QStringLiteral("heatmapSort"));
    m_sort->setAccessibleName(tr("Order of the documents inside a topic"));
    m_sort->setToolTip(tr("Row that orders the documents inside a topic"));
    m_perTopic = new QSpinBox(bar);
    m_perTopic->setObjectName(QStringLiteral("heatmapPerTopic"));
    m_perTopic->setRange(1, 100'000);
    m_perTopic->setValue(120);
    m_perTopic->setSuffix(tr(" per topic"));
    m_perTopic->setKeyboardTracking(false);
    m_perTopic->setFixedWidth(104);
    m_perTopic->setAccessibleName(tr("Documents per topic"));
    m_perTopic->setToolTip(tr("At most so many documents of each topic"));
    m_scale = new ColorBar(bar);
    m_shown = makeMutedLabel({}, bar);
    m_shown->setObjectName(QStringLiteral("heatmapShown"));
    m_shown->setMinimumWidth(1);
    layout->addWidget(m_sort, 0, Qt::AlignVCenter);
    layout->addWidget(m_perTopic, 0, Qt::AlignVCenter);
    layout->addSpacing(Metrics::kGrid);
    layout->addWidget(m_scale, 0, Qt::AlignVCenter);
    layout->addStretch(1);
    layout->addWidget(m_shown);
    connect(m_sort, &QComboBox::currentIndexChanged, this, &HeatmapView::optionsChanged);
    connect(m_perTopic, &QSpinBox::valueChanged, this, &HeatmapView::optionsChanged);
    setHeads(0, {});
}

void HeatmapView::setHeads(std::int64_t heads, const QString& unit)
{
    const QSignalBlocker quiet(m_sort);
    const int row = m_sort->currentData().isValid() ? m_sort->currentData().toInt() : -1;
    m_sort->clear();
    m_sort->addItem(tr("Sort: full vector"), -1);
    m_sort->addItem(tr("Sort: none"), -2);
    for (std::int64_t head = 0; head < heads; ++head)
        m_sort->addItem(tr("Sort: %1 %2").arg(unit).arg(shownNumber(HeadIndex(head))), static_cast<int>(head));
    m_sort->setCurrentIndex(std::max(0, m_sort->findData(row)));
}

HeatmapOptions HeatmapView::options() const
{
    HeatmapOptions options;
    options.perTopic = m_perTopic->value();
    options.sortBy = m_sort->currentData().toInt();
    return options;
}

void HeatmapView::setHeatmaps(std::vector<std::shared_ptr<const Heatmap>> heatmaps, const ModelInfo& info,
                              std::int64_t topicsInCache)
{
    const bool any = !heatmaps.empty();
    m_stack->setCurrentWidget(any ? static_cast<QWidget*>(m_heatmap) : m_empty);
    m_bar->setVisible(any);
    if (any)
    {
        const Heatmap& first = *heatmaps.front();
        const auto columns = static_cast<std::int64_t>(first.document.size());
        const auto topics = static_cast<std::int64_t>(first.topicOrder.size());
        QString text = countText(columns, tr("document"), tr("documents")) % QStringLiteral(" · ");
        text += topics == topicsInCache ? tr("all %1 topics").arg(topics)
                                        : tr("%1 of %2 topics").arg(topics).arg(topicsInCache);
        m_shown->setText(text);
        m_shown->setToolTip(first.fullSource.empty() ? QString() : tr("Row full: %1").arg(toQString(first.fullSource)));
    }
    m_heatmap->setHeatmaps(std::move(heatmaps), info);
    if (any)
    {
        static_cast<ColorBar*>(m_scale)->setScale(m_heatmap->layoutOf(0).scale());
        if (const QString note = m_heatmap->note(); !note.isEmpty())
            m_shown->setText(m_shown->text() % QStringLiteral(" · ") % note);
    }
}

void HeatmapView::setEmpty(const QString& title, const QString& text, const QString& action, bool isError)
{
    m_empty->setMessage(title, text, action, isError);
}

} // namespace headscope::ui

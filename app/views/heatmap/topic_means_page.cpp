// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/heatmap/topic_means_page.h"

#include "app/views/heatmap/topic_key.h"
#include "ui/canvas/legend/color_bar.h"
#include "ui/state/bind_controls.h"
#include "ui/theme/theme.h"
#include "ui/widgets/widgets.h"
#include "ui/words/wording.h"
#include "viz/color/head_palette.h"
#include "viz/heatmap/heatmap_scale.h"
#include "viz/heatmap/matrix_tables.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace headscope::ui
{

TopicMeansPage::TopicMeansPage(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("canvas"));
    setAttribute(Qt::WA_StyledBackground);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(0);
    m_matrix = new PictureOf<viz::MatrixTables>(this);
    m_matrix->setObjectName(QStringLiteral("meansMatrix"));
    m_matrix->setAccessibleName(tr("Means of rows and topics"));
    outer->addWidget(m_matrix, 1);
    m_key = new TopicKey(this);
    m_key->setObjectName(QStringLiteral("meansKey"));
    auto* around = new QVBoxLayout;
    around->setContentsMargins(Metrics::kGroups, 0, Metrics::kGroups, Metrics::kRelated);
    around->addWidget(m_key);
    outer->addLayout(around);
    connect(m_key, &TopicKey::topicClicked, this, &TopicMeansPage::topicClicked);
    outer->addWidget(buildBar());
    for (const TopicMeans contrast : {TopicMeans::AgainstRest, TopicMeans::AgainstFull})
        m_kept[static_cast<std::size_t>(contrast)].setAroundZero(true);
    connectMatrix();
}

void TopicMeansPage::bindTo(ViewState& state)
{
    bind(state, QStringLiteral("meansWhat"), *m_what);
    bind(state, QStringLiteral("meansScaleAroundZero"), *m_aroundZero);
}

QWidget* TopicMeansPage::buildBar()
{
    auto* bar = new QFrame(this);
    bar->setObjectName(QStringLiteral("bar"));
    bar->setFixedHeight(42);
    auto* line = new QHBoxLayout(bar);
    line->setContentsMargins(Metrics::kPanel, 0, Metrics::kPanel, 0);
    line->setSpacing(Metrics::kRelated);
    m_what = new QComboBox(bar);
    m_what->setObjectName(QStringLiteral("meansWhat"));
    m_what->setAccessibleName(tr("What the cells show"));
    m_what->addItem(tr("Mean cosine"), static_cast<int>(TopicMeans::Mean));
    m_what->addItem(tr("Minus other topics"), static_cast<int>(TopicMeans::AgainstRest));
    m_what->addItem(tr("Minus full vector"), static_cast<int>(TopicMeans::AgainstFull));
    m_what->setToolTip(tr("Mean cosine over a topic’s documents, or this mean minus the mean over other topics, or "
                          "minus the mean of the full vector."));
    m_scale = new ColorBar(bar);
    m_scale->setObjectName(QStringLiteral("meansScale"));
    m_shown = new ElidedLabel({}, bar);
    m_shown->setProperty("role", QStringLiteral("muted"));
    m_shown->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    line->addWidget(m_what);
    line->addWidget(m_scale);
    m_aroundZero = makeAroundZeroButton(*m_scale, bar);
    line->addWidget(m_aroundZero);
    line->addWidget(m_shown, 1);
    connect(m_what, &QComboBox::currentIndexChanged, this, &TopicMeansPage::refresh);
    connect(m_scale, &ColorBar::choiceChanged, this,
            [this](const viz::ScaleChoice& choice) { showScale(kept().moved(choice)); });
    connect(m_scale, &ColorBar::limitsRequested, this, [this] {
        kept().reset();
        refresh();
    });
    connect(m_scale, &ColorBar::aroundZeroRequested, this, [this](bool wanted) {
        kept().setAroundZero(wanted);
        refresh();
    });
    return bar;
}

void TopicMeansPage::connectMatrix()
{
    const auto headOf = [](std::optional<std::int64_t> row) {
        return row && *row > 0 ? std::optional(HeadIndex(*row - 1)) : std::nullopt;
    };
    m_matrix->picture().setClickable(true);
    connect(m_matrix, &PictureWidget::itemClicked, this, [this, headOf](std::size_t item, Qt::KeyboardModifiers keys) {
        const viz::MatrixTables::Part part = m_matrix->picture().partOf(item);
        if (part.column)
            Q_EMIT topicClicked(*part.column, keys);
        else if (const auto head = headOf(part.row))
            Q_EMIT headClicked(*head);
    });
    connect(m_matrix, &PictureWidget::itemPointed, this, [this, headOf](std::optional<std::size_t> item) {
        Q_EMIT headHovered(item ? headOf(m_matrix->picture().partOf(*item).row) : std::nullopt);
    });
    m_matrix->picture().setCardSource([this](std::size_t table, viz::HeatmapCell cell) { return cardOf(table, cell); });
}

HoverContent TopicMeansPage::cardOf(std::size_t table, viz::HeatmapCell cell) const
{
    HoverContent content;
    if (table >= m_panels.size())
        return content;
    const HeatmapPanel& panel = *m_panels[table];
    const Heatmap& heatmap = *panel.heatmap;
    content.title = cell.row == 0 ? tr("Full vector") : unitText(heatmap.stage, HeadIndex(cell.row - 1));
    if (cell.row > 0)
        content.color = viz::HeadPalette(m_info, Theme::instance().vizTheme()).color(HeadIndex(cell.row - 1));
    content.detail = tr("%1 · %2").arg(rowSource(heatmap, cell.row), m_what->currentText().toLower());
    content.value = numberText((*m_matrix->picture().tables()[table].values)(cell.row, cell.column));
    content.subtitle = viz::topicLetter(cell.column) + QStringLiteral("  ") +
                       toQString(heatmap.topicNames[static_cast<std::size_t>(cell.column)]);
    const std::int64_t count = panel.statistics.topicCount(cell.row, cell.column);
    content.subtitle += tr(" · %1").arg(countText(count, tr("document"), tr("documents")));
    return content;
}

TopicMeans TopicMeansPage::what() const
{
    return static_cast<TopicMeans>(m_what->currentData().toInt());
}

void TopicMeansPage::showScale(const viz::ScaleChoice& choice)
{
    m_scale->setKept(kept().isKept());
    m_scale->setChoice(choice);
    m_scale->setAroundZero(kept().isAroundZero());
    m_matrix->picture().setScale(choice);
}

QString TopicMeansPage::scaleTitle() const
{
    return what() == TopicMeans::Mean ? tr("mean cosine") : tr("difference of cosines");
}

void TopicMeansPage::forgetScale()
{
    for (viz::KeptScale& each : m_kept)
        each.reset();
    m_scale->setKept(false);
}

QString TopicMeansPage::caption() const
{
    return m_shown->toolTip().isEmpty() ? m_shown->text() : m_shown->toolTip();
}

void TopicMeansPage::setPanels(const HeatmapWidget::Panels& panels, const ModelInfo& info)
{
    m_panels = panels;
    // Heatmaps without statistics have no means.
    std::erase_if(m_panels, [](const auto& panel) { return panel->statistics.topicMean.empty(); });
    m_info = info;
    m_key->setTopics(m_panels.empty() ? std::vector<std::string>() : m_panels.front()->heatmap->topicNames);
    refresh();
}

void TopicMeansPage::setRows(HeatmapRows rows)
{
    m_rows = rows;
    refresh();
}

void TopicMeansPage::setHeads(const std::vector<std::int64_t>& heads)
{
    m_heads = heads;
    refresh();
}

void TopicMeansPage::refresh()
{
    std::vector<viz::MatrixTables::Table> tables;
    std::vector<float> all;
    const viz::HeadPalette palette(m_info, Theme::instance().vizTheme());
    for (const auto& panel : m_panels)
    {
        const Heatmap& heatmap = *panel->heatmap;
        viz::MatrixTables::Table table;
        table.values = std::make_shared<const MatrixD>(topicMeans(*panel, what()));
        for (const double value : table.values->values())
            all.push_back(static_cast<float>(value));
        table.style.rows = heatmapRows(*panel, m_info, m_rows, m_heads);
        table.style.rows.insert(table.style.rows.begin(), 0);
        table.rowNames << tr("full");
        table.style.rowColors.emplace_back(Qt::transparent);
        for (std::int64_t head = 0; head + 1 < heatmap.values.rows(); ++head)
        {
            table.rowNames << QString::number(shownNumber(HeadIndex(head)));
            table.style.rowColors.push_back(palette.color(HeadIndex(head)));
        }
        for (std::size_t topic = 0; topic < heatmap.topicNames.size(); ++topic)
            table.columnNames << viz::topicLetter(static_cast<std::int64_t>(topic));
        table.style.title = tr("Stage %1").arg(toQString(stageName(heatmap.stage)));
        tables.push_back(std::move(table));
    }
    const viz::ScaleLimits limits =
        viz::roundedOutwards(viz::robustLimits(all, 0, 1).value_or(viz::ScaleLimits{-1, 1}));
    const double room = 0.25 * (limits.high - limits.low);
    const viz::ScaleChoice choice = m_panels.empty() ? m_scale->choice() : kept().scaleFor(limits);
    m_scale->setTitle(scaleTitle());
    m_scale->setRange(
        {std::min(choice.limits.low, limits.low) - room, std::max(choice.limits.high, limits.high) + room});
    m_matrix->picture().setTables(std::move(tables));
    if (m_panels.empty())
        return m_scale->setAroundZero(kept().isAroundZero()); // its scale is that of nothing, or waits for numbers
    showScale(choice);
    const Heatmap& first = *m_panels.front()->heatmap;
    std::vector<Stage> stages;
    for (const auto& panel : m_panels)
        stages.push_back(panel->heatmap->stage);
    static_cast<ElidedLabel*>(m_shown)->setFullText(
        tr("%1 of %2 · %3")
            .arg(countText(std::ssize(first.document), tr("document"), tr("documents")),
                 countText(std::ssize(first.topicNames), tr("topic"), tr("topics")),
                 chosenHeadsText(m_heads.empty() ? m_info.heads : std::ssize(m_heads), m_info.heads, stages)));
}

} // namespace headscope::ui

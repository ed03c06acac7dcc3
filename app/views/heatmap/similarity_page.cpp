// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/heatmap/similarity_page.h"

#include "model/base/fields/fields.h"
#include "ui/canvas/legend/color_bar.h"
#include "ui/state/bind_controls.h"
#include "ui/theme/theme.h"
#include "ui/widgets/widgets.h"
#include "ui/words/wording.h"
#include "viz/heatmap/heatmap_scale.h"
#include "viz/heatmap/matrix_tables.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace headscope::ui
{
namespace
{

constexpr int kPanelWidth = 300;
constexpr int kSteps = 1000;            // of the threshold, in one unit of cosine
constexpr double kFirstThreshold = 0.9; // of the way from the least to the most similar pair
constexpr int kGroupRole = Qt::UserRole + 1;

} // namespace

SimilarityPage::SimilarityPage(QWidget* parent) : QWidget(parent)
{
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(0);
    auto* row = new QHBoxLayout;
    row->setSpacing(0);
    outer->addLayout(row, 1);
    m_matrix = new PictureOf<viz::MatrixTables>(this);
    m_matrix->setObjectName(QStringLiteral("similarityMatrix"));
    m_matrix->setAccessibleName(tr("Similarity of the topics"));
    row->addWidget(m_matrix, 1);
    auto* panel = new QWidget(this);
    panel->setFixedWidth(kPanelWidth);
    panel->setObjectName(QStringLiteral("canvas"));
    panel->setAttribute(Qt::WA_StyledBackground);
    buildPanel(panel);
    row->addWidget(panel);

    auto* bar = new QFrame(this);
    bar->setObjectName(QStringLiteral("bar"));
    bar->setFixedHeight(42);
    auto* line = new QHBoxLayout(bar);
    line->setContentsMargins(Metrics::kPanel, 0, Metrics::kPanel, 0);
    line->setSpacing(Metrics::kRelated);
    m_scale = new ColorBar(bar);
    m_scale->setObjectName(QStringLiteral("similarityScale"));
    m_scale->setTitle(tr("cosine"));
    m_shown = new ElidedLabel({}, bar);
    m_shown->setProperty("role", QStringLiteral("muted"));
    m_shown->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    line->addWidget(m_scale);
    m_aroundZero = makeAroundZeroButton(*m_scale, bar);
    line->addWidget(m_aroundZero);
    line->addWidget(m_shown, 1);
    outer->addWidget(bar);
    connect(m_scale, &ColorBar::choiceChanged, this,
            [this](const viz::ScaleChoice& choice) { showScale(m_kept.moved(choice)); });
    connect(m_scale, &ColorBar::limitsRequested, this, [this] {
        m_kept.reset();
        showTable();
    });
    connect(m_scale, &ColorBar::aroundZeroRequested, this, [this](bool wanted) {
        m_kept.setAroundZero(wanted);
        showTable();
    });
    m_matrix->picture().setCardSource([this](std::size_t, viz::HeatmapCell cell) {
        viz::ItemText content;
        if (m_path == nullptr)
            return content;
        const TopicSimilarity& similarity = m_path->similarity;
        content.title = tr("Cosine");
        const double cosine = similarity.values(cell.row, cell.column);
        content.value = std::isnan(cosine)
                            ? numberText(cosine)
                            : QLocale().toString(cosine, 'f', viz::similarityDecimals(similarity.values));
        content.subtitle = toQString(similarity.names[static_cast<std::size_t>(cell.row)]);
        content.text = toQString(similarity.names[static_cast<std::size_t>(cell.column)]);
        return content;
    });
}

void SimilarityPage::bindTo(ViewState& state)
{
    bind(state, QStringLiteral("mergeThreshold"), *m_threshold);
    bind(state, QStringLiteral("similarityScaleAroundZero"), *m_aroundZero);
    bindAct(state, *m_apply);
}

void SimilarityPage::buildPanel(QWidget* panel)
{
    auto* layout = new QVBoxLayout(panel);
    layout->setContentsMargins(Metrics::kPanel, Metrics::kGroups, Metrics::kPanel, Metrics::kPanel);
    layout->setSpacing(Metrics::kRelated);
    layout->addWidget(makeSectionLabel(tr("Merge similar topics"), panel));
    auto* row = new QHBoxLayout;
    row->setSpacing(Metrics::kRelated);
    m_threshold = new QSlider(Qt::Horizontal, panel);
    m_threshold->setObjectName(QStringLiteral("mergeThreshold"));
    std::optional<double> merge;
    Fields rows;
    const Field& field = mergeField(rows, merge);
    m_threshold->setAccessibleName(toQString(field.title));
    m_threshold->setToolTip(toQString(field.explanation));
    m_threshold->setMaximum(static_cast<int>(std::lround(field.offered->most * kSteps)));
    m_threshold->setInvertedAppearance(false);
    m_value = new QLabel(panel);
    m_value->setMinimumWidth(40);
    m_value->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    row->addWidget(m_threshold, 1);
    row->addWidget(m_value);
    layout->addLayout(row);
    m_becomes = makeMutedLabel({}, panel);
    m_becomes->setObjectName(QStringLiteral("mergeBecomes"));
    layout->addWidget(m_becomes);
    m_groups = new QTreeWidget(panel);
    m_groups->setObjectName(QStringLiteral("mergeGroups"));
    m_groups->setAccessibleName(tr("Groups of topics"));
    m_groups->setHeaderHidden(true);
    m_groups->setToolTip(tr("Double-click or press F2 to rename"));
    m_groups->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
    m_groups->setUniformRowHeights(true);
    m_groups->setIndentation(16);
    m_groups->setTextElideMode(Qt::ElideMiddle);
    layout->addWidget(m_groups, 1);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(Metrics::kRelated);
    m_save = new QPushButton(tr("Save label map…"), panel);
    m_save->setObjectName(QStringLiteral("mergeSave"));
    m_save->setToolTip(tr("Save a JSON file for Analyse > Merge labels, or for “Rename labels” in an extraction"));
    m_apply = new QPushButton(tr("Apply"), panel);
    m_apply->setObjectName(QStringLiteral("mergeApply"));
    m_apply->setToolTip(tr("Use the merged labels until this cache is closed. If topics are often confused, merging "
                           "them is enough to raise match and purity."));
    buttons->addWidget(m_save);
    buttons->addStretch(1);
    buttons->addWidget(m_apply);
    layout->addLayout(buttons);
    connect(m_threshold, &QSlider::valueChanged, this, &SimilarityPage::refreshGroups);
    connect(m_groups, &QTreeWidget::itemChanged, this, &SimilarityPage::takeName);
    connect(m_save, &QPushButton::clicked, this, &SimilarityPage::saveRequested);
    connect(m_apply, &QPushButton::clicked, this, &SimilarityPage::applyRequested);
}

void SimilarityPage::setPath(std::shared_ptr<const TopicMergePath> path)
{
    const bool same = path != nullptr && m_path != nullptr && path->similarity.names == m_path->similarity.names;
    m_path = std::move(path);
    if (m_path == nullptr)
    {
        m_matrix->picture().setTables({});
        m_groups->clear();
        m_merge = {};
        return;
    }
    double least = 1;
    double most = -1;
    for (const TopicJoin& join : m_path->joins)
    {
        least = std::min(least, join.similarity);
        most = std::max(most, join.similarity);
    }
    const QSignalBlocker quiet(m_threshold);
    m_threshold->setMinimum(static_cast<int>(std::floor(std::min(least, 1.0) * kSteps)));
    if (!same)
    {
        m_names.clear();
        m_threshold->setValue(m_path->joins.empty()
                                  ? kSteps
                                  : static_cast<int>(std::lround(std::lerp(least, most, kFirstThreshold) * kSteps)));
    }
    showTable();
    refreshGroups();
}

void SimilarityPage::setLetterOrder(std::vector<std::string> names)
{
    if (names == m_lettered)
        return;
    m_lettered = std::move(names);
    showTable();
    if (m_path != nullptr)
        refreshGroups();
}

void SimilarityPage::forgetScale()
{
    m_kept.reset();
    m_scale->setKept(false);
}

void SimilarityPage::showScale(const viz::ScaleChoice& choice)
{
    m_scale->setKept(m_kept.isKept());
    m_scale->setChoice(choice);
    m_scale->setAroundZero(m_kept.isAroundZero());
    m_matrix->picture().setScale(choice);
}

void SimilarityPage::showTable()
{
    if (m_path == nullptr)
        return;
    const TopicSimilarity& similarity = m_path->similarity;
    viz::MatrixTables::Table table;
    table.values = std::shared_ptr<const MatrixD>(m_path, &similarity.values);
    // A topic keeps the letter that it has in the other modes, wherever likeness puts it here.
    std::vector<QString> letters(similarity.names.size());
    std::int64_t next = 0;
    for (const std::string& name : m_lettered)
        if (const auto at = std::find(similarity.names.begin(), similarity.names.end(), name);
            at != similarity.names.end())
            letters[static_cast<std::size_t>(at - similarity.names.begin())] = viz::topicLetter(next++);
    for (const std::int32_t topic : m_path->order)
    {
        QString& letter = letters[static_cast<std::size_t>(topic)];
        if (letter.isEmpty())
            letter = viz::topicLetter(next++);
        table.style.rows.push_back(topic);
    }
    table.style.columns = table.style.rows;
    for (std::size_t topic = 0; topic < similarity.names.size(); ++topic)
    {
        table.rowNames << toQString(similarity.names[topic]) + QStringLiteral("  ") + letters[topic];
        table.columnNames << letters[topic];
    }
    table.style.square = true;
    table.style.decimals = viz::similarityDecimals(similarity.values);
    m_matrix->picture().setTables({table});
    const viz::ScaleChoice suited = viz::similarityScale(similarity.values);
    const viz::ScaleLimits limits = suited.limits;
    const viz::ScaleChoice choice = m_kept.scaleFor(suited);
    const double room = limits.high - limits.low; // the handles go so much further: colours keep most of the bar
    m_scale->setRange({std::min(std::max(-1.0, limits.low - room / 2), choice.limits.low),
                       std::max(std::min(1.0, limits.high + room / 2), choice.limits.high)});
    showScale(choice);
    m_shown->setText(tr("%1 · %2").arg(countText(std::ssize(similarity.names), tr("topic"), tr("topics")),
                                       toQString(m_path->source)));
    static_cast<ElidedLabel*>(m_shown)->setFullText(m_shown->text());
}

double SimilarityPage::threshold() const
{
    return static_cast<double>(m_threshold->value()) / kSteps;
}

void SimilarityPage::setThreshold(double threshold)
{
    m_threshold->setValue(static_cast<int>(std::lround(threshold * kSteps)));
}

QString SimilarityPage::nameOf(std::size_t group) const
{
    const auto typed = m_names.find(m_merge.groups[group]);
    return typed == m_names.end() ? toQString(m_merge.names[group]) : typed->second;
}

void SimilarityPage::refreshGroups()
{
    if (m_path == nullptr)
        return;
    m_merge = mergeAt(*m_path, threshold());
    m_value->setText(QString::number(threshold(), 'f', 3));
    const auto topics = std::ssize(m_path->similarity.names);
    const auto groups = std::ssize(m_merge.groups);
    m_becomes->setText(groups == topics ? tr("All %1 topics remain separate").arg(topics)
                                        : tr("%1 topics become %2").arg(topics).arg(groups));
    m_save->setEnabled(topics > 0);
    m_apply->setEnabled(groups < topics || !m_names.empty());
    const QSignalBlocker quiet(m_groups);
    m_groups->clear();
    // Merged ones first: they are what there is to decide.
    for (const bool merged : {true, false})
        for (std::size_t group = 0; group < m_merge.groups.size(); ++group)
        {
            if ((m_merge.groups[group].size() > 1) != merged)
                continue;
            auto* item = new QTreeWidgetItem(m_groups, {nameOf(group)});
            item->setFlags(item->flags() | Qt::ItemIsEditable);
            item->setData(0, kGroupRole, static_cast<int>(group));
            item->setToolTip(0, nameOf(group));
            if (!merged)
                continue;
            item->setFont(0, Theme::bodyFont(true));
            for (const std::int32_t topic : m_merge.groups[group])
            {
                auto* member =
                    new QTreeWidgetItem(item, {toQString(m_path->similarity.names[static_cast<std::size_t>(topic)])});
                member->setToolTip(0, member->text(0));
            }
            item->setExpanded(true);
        }
    // Groups stand together in the order of the table.
    std::vector<std::pair<std::int64_t, std::int64_t>> blocks;
    for (std::size_t begin = 0; begin < m_path->order.size();)
    {
        const auto group = std::find_if(m_merge.groups.begin(), m_merge.groups.end(), [&](const auto& members) {
            return std::binary_search(members.begin(), members.end(), m_path->order[begin]);
        });
        const std::size_t size = group == m_merge.groups.end() ? 1 : group->size();
        if (size > 1)
            blocks.emplace_back(static_cast<std::int64_t>(begin), static_cast<std::int64_t>(begin + size));
        begin += size;
    }
    m_matrix->picture().setBlocks(std::move(blocks));
}

void SimilarityPage::takeName(QTreeWidgetItem* item)
{
    const QVariant group = item->data(0, kGroupRole);
    if (!group.isValid())
        return;
    const auto at = static_cast<std::size_t>(group.toInt());
    const QString name = item->text(0).trimmed();
    if (name.isEmpty() || name == toQString(m_merge.names[at]))
        m_names.erase(m_merge.groups[at]);
    else
        m_names[m_merge.groups[at]] = name;
    const QSignalBlocker quiet(m_groups);
    item->setText(0, nameOf(at));
    item->setToolTip(0, nameOf(at));
    m_apply->setEnabled(m_merge.groups.size() < m_path->similarity.names.size() || !m_names.empty());
}

std::map<std::string, std::string> SimilarityPage::labelMap() const
{
    std::map<std::string, std::string> names;
    for (std::size_t group = 0; group < m_merge.groups.size(); ++group)
        for (const std::int32_t topic : m_merge.groups[group])
            names[m_path->similarity.names[static_cast<std::size_t>(topic)]] = toStdString(nameOf(group));
    return names;
}

} // namespace headscope::ui

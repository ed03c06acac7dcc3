// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/atlas/atlas_table.h"

#include "ui/models/frame_model.h"
#include "ui/models/rank_table_model.h"
#include "ui/views/atlas/atlas_text.h"
#include "ui/views/view_pages.h"
#include "ui/words/wording.h"
#include "viz/atlas/head_colors.h"

#include <QHeaderView>
#include <QKeyEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::ui
{
namespace
{

/// Whether a head has any number but its place.
bool isMeasured(const HeadMeasures& measures, const HeadPlace& head)
{
    return std::ranges::any_of(measures.measures, [&head](const HeadMeasure& measure) {
        return measure.kind != MeasureKind::Place && std::isfinite(measure.at(head.layer, head.head));
    });
}

} // namespace

AtlasTable::AtlasTable(QWidget* parent) : QTableView(parent), m_model(new RankTableModel(this))
{
    setObjectName(QStringLiteral("atlasNumbers"));
    setAccessibleName(tr("Measures of all heads"));
    setModel(new FrameOrder(m_model, this));
    dressTable(this);
    setSortingEnabled(true);
    sortByColumn(-1, Qt::AscendingOrder);
    connect(this, &QTableView::clicked, this, [this](const QModelIndex& index) { Q_EMIT headClicked(headOf(index)); });
}

void AtlasTable::setMeasures(std::shared_ptr<const HeadMeasures> measures)
{
    m_measures = std::move(measures);
    m_stale = true;
    if (isVisible())
        fill();
}

void AtlasTable::setMarked(const std::vector<HeadPlace>& marked)
{
    if (marked == m_marked)
        return;
    m_marked = marked;
    m_stale = true;
    if (isVisible())
        fill();
}

void AtlasTable::showEvent(QShowEvent* event)
{
    QTableView::showEvent(event);
    if (m_stale)
        fill();
}

void AtlasTable::fill()
{
    m_stale = false;
    std::vector<RankColumn> columns;
    std::vector<std::vector<RankCell>> rows;
    std::vector<std::int64_t> keys;
    const std::int64_t layers = m_measures == nullptr ? 0 : m_measures->layers;
    const std::int64_t heads = m_measures == nullptr ? 0 : m_measures->heads;
    if (m_measures != nullptr)
        for (const HeadMeasure& measure : m_measures->measures)
            columns.push_back({viz::measureTitle(measure), definitionText(measure)});
    for (std::int64_t layer = 0; layer < layers; ++layer)
        for (std::int64_t head = 0; head < heads; ++head)
        {
            const HeadPlace place{layer, head};
            if (!m_marked.empty() && !std::ranges::binary_search(m_marked, place))
                continue;
            if (!isMeasured(*m_measures, place))
                continue;
            std::vector<RankCell>& row = rows.emplace_back();
            for (const HeadMeasure& measure : m_measures->measures)
                row.push_back({measureText(measure, measure.at(layer, head)), measure.at(layer, head)});
            keys.push_back(layer * heads + head);
        }
    m_model->setRows(std::move(columns), std::move(rows), std::move(keys));
    resizeColumnsToContents();
}

HeadPlace AtlasTable::headOf(const QModelIndex& index) const
{
    const auto key = index.data(RankTableModel::kKeyRole).toLongLong();
    const std::int64_t heads = m_measures == nullptr ? 1 : std::max<std::int64_t>(1, m_measures->heads);
    return {key / heads, key % heads};
}

void AtlasTable::keyPressEvent(QKeyEvent* event)
{
    if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && currentIndex().isValid())
        return Q_EMIT headClicked(headOf(currentIndex()));
    QTableView::keyPressEvent(event);
}

} // namespace headscope::ui

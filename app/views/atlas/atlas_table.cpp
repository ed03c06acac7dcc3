// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/atlas/atlas_table.h"

#include "app/views/atlas/atlas_text.h"
#include "model/data/results/atlas_frame.h"
#include "ui/models/result_table.h"
#include "ui/view/view_pages.h"
#include "viz/atlas/head_colors.h"

#include <QHeaderView>
#include <QKeyEvent>

#include <algorithm>
#include <string_view>
#include <utility>

namespace headscope::ui
{

AtlasTable::AtlasTable(QWidget* parent) : QTableView(parent), m_model(new FrameModel({}, {}, this))
{
    setObjectName(QStringLiteral("atlasNumbers"));
    setAccessibleName(tr("Measures of all heads"));
    setModel(new FrameOrder(m_model, this));
    dressTable(this);
    setSortingEnabled(true);
    sortByColumn(-1, Qt::AscendingOrder);
    connect(this, &QTableView::clicked, this, [this](const QModelIndex& index) { Q_EMIT headClicked(headOf(index)); });
}

void AtlasTable::setMeasures(std::shared_ptr<const HeadMeasures> measures, const ModelInfo& info)
{
    m_measures = std::move(measures);
    m_info = info;
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
    m_heads.clear();
    if (m_measures == nullptr)
        return m_model->clear();
    Frame frame = atlasFrame(*m_measures, m_info);
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < static_cast<std::size_t>(frame.rows()); ++row)
    {
        const auto number = [&frame, row](std::string_view key) {
            return static_cast<std::int64_t>(frame.find(key)->at(Facet::Value, row));
        };
        const HeadPlace place{number("layer"), number("head") - 1};
        if (!m_marked.empty() && !std::ranges::binary_search(m_marked, place))
            continue;
        rows.push_back(row);
        m_heads.push_back(place);
    }
    frame.take(rows);
    std::vector<FrameColumn> columns = {{"layer"}, {"head"}};
    if (frame.find("kv_group") != nullptr)
        columns.push_back({"kv_group"});
    for (const HeadMeasure& measure : m_measures->measures)
        if (measure.kind != MeasureKind::Place)
            columns.push_back({measure.key, Facet::Value, viz::measureTitle(measure), definitionText(measure),
                               measure.groups ? NumberStyle::Whole : NumberStyle::Described});
    m_model->setFrame(std::move(frame), std::move(columns));
    resizeColumnsToContents();
}

std::optional<viz::ItemHead> AtlasTable::headMeant() const
{
    if (!currentIndex().isValid())
        return std::nullopt;
    const HeadPlace place = headOf(currentIndex());
    return viz::ItemHead{LayerIndex(place.layer), HeadIndex(place.head)};
}

HeadPlace AtlasTable::headOf(const QModelIndex& index) const
{
    return m_heads[static_cast<std::size_t>(frameRow(index))];
}

void AtlasTable::keyPressEvent(QKeyEvent* event)
{
    if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && currentIndex().isValid())
        return Q_EMIT headClicked(headOf(currentIndex()));
    QTableView::keyPressEvent(event);
}

} // namespace headscope::ui

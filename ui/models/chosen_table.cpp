// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/chosen_table.h"

#include "model/base/text/natural_order.h"
#include "model/data/documents/document_numbers.h"
#include "model/data/head_ranges.h"
#include "ui/words/translate.h"
#include "ui/words/wording.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace headscope::ui
{
namespace
{

constexpr std::int64_t kBlock = 512; ///< rows between two looks at the stop

struct NaturalText
{
    std::string_view text;

    friend bool operator<(const NaturalText& one, const NaturalText& other)
    {
        return naturalOrder(one.text, other.text) < 0;
    }
};

} // namespace

ChosenTable::ChosenTable(std::shared_ptr<const ChosenSummary> summary, Stage stage)
    : m_summary(std::move(summary)), m_stage(stage)
{
    const DocumentSet& documents = *m_summary->documents;
    m_columns.push_back({Kind::Id, 0});
    if (!documents.texts.empty())
        m_columns.push_back({Kind::Text, 0});
    for (std::size_t i = 0; i < documents.labels.size(); ++i)
        m_columns.push_back({Kind::Label, i});
    m_columns.push_back({Kind::Points, 0});
    m_columns.push_back({Kind::Heads, 0});
    const std::vector<std::int32_t> rows = m_summary->points.rowByDocument();
    m_pointRow.reserve(m_summary->chosen.size());
    for (const std::int64_t document : m_summary->chosen)
        m_pointRow.push_back(document < std::ssize(rows) ? rows[static_cast<std::size_t>(document)] : -1);
}

const LabelColumn& ChosenTable::label(int column) const
{
    return m_summary->documents->labels[m_columns[static_cast<std::size_t>(column)].label];
}

QString ChosenTable::title(int column) const
{
    switch (kind(column))
    {
    case Kind::Id:
        return tr("Document");
    case Kind::Text:
        return tr("First line");
    case Kind::Label:
        return toQString(label(column).name);
    case Kind::Points:
        return tr("Points");
    case Kind::Heads:
        return m_stage == Stage::HeadOutput ? tr("Heads") : tr("Segments");
    }
    return {};
}

std::int64_t ChosenTable::pointCount(std::int64_t row) const
{
    const std::int32_t at = m_pointRow[static_cast<std::size_t>(row)];
    return at < 0 ? 0 : m_summary->points.countOf(static_cast<std::size_t>(at));
}

std::vector<std::int64_t> ChosenTable::heads(std::int64_t row) const
{
    const std::int32_t at = m_pointRow[static_cast<std::size_t>(row)];
    return at < 0 ? std::vector<std::int64_t>() : m_summary->points.headsOf(static_cast<std::size_t>(at));
}

QString ChosenTable::text(std::int64_t row, int column) const
{
    const auto document = documentOf(row).index();
    switch (kind(column))
    {
    case Kind::Id:
        return toQString(m_summary->documents->ids[document]);
    case Kind::Text:
        return firstLine(m_summary->documents->texts[document]);
    case Kind::Label:
        return toQString(label(column).category(document));
    case Kind::Points:
        return countText(pointCount(row));
    case Kind::Heads:
        return toQString(formatHeadRanges(heads(row)));
    }
    return {};
}

bool ChosenTable::found(const TextQuery& query, std::int64_t row) const
{
    const DocumentSet& documents = *m_summary->documents;
    const auto document = documentOf(row).index();
    std::string all;
    for (const LabelColumn& column : documents.labels)
    {
        all += column.category(document);
        all += '\n';
    }
    if (!documents.texts.empty())
        all += documents.texts[document];
    const std::string& id = documents.ids[document];
    return !query.rulesOut(all, id) && query.match(toQString(all), toQString(id)).found;
}

void ChosenTable::sort(std::vector<std::int64_t>& rows, const ChosenOrder& order) const
{
    const auto by = [&rows, &order](auto key) {
        std::ranges::stable_sort(rows, [&](std::int64_t one, std::int64_t other) {
            return order.descending ? key(other) < key(one) : key(one) < key(other);
        });
    };
    const DocumentSet& documents = *m_summary->documents;
    const auto at = [this](std::int64_t row) { return documentOf(row).index(); };
    switch (kind(order.column))
    {
    case Kind::Id:
        return by([&](std::int64_t row) { return NaturalText{documents.ids[at(row)]}; });
    case Kind::Text:
        return by([&](std::int64_t row) { return NaturalText{documents.texts[at(row)]}; });
    case Kind::Label:
    {
        const LabelColumn& column = label(order.column);
        if (const auto numbers = labelNumbers(column))
            return by([&](std::int64_t row) {
                const float number = (*numbers)[at(row)];
                return std::isnan(number) ? -std::numeric_limits<float>::infinity() : number;
            });
        return by([&](std::int64_t row) { return NaturalText{column.category(at(row))}; });
    }
    case Kind::Points:
        return by([&](std::int64_t row) { return pointCount(row); });
    case Kind::Heads:
    {
        // Each once: lists of heads are long to make and to compare.
        std::vector<std::vector<std::int64_t>> lists;
        lists.reserve(static_cast<std::size_t>(rowCount()));
        for (std::int64_t row = 0; row < rowCount(); ++row)
            lists.push_back(heads(row));
        return by([&](std::int64_t row) -> const auto& { return lists[static_cast<std::size_t>(row)]; });
    }
    }
}

Result<std::vector<std::int64_t>> ChosenTable::arranged(const ChosenOrder& order, JobContext& job) const
{
    std::vector<std::int64_t> rows(static_cast<std::size_t>(rowCount()));
    std::iota(rows.begin(), rows.end(), std::int64_t{0});
    if (!order.filter.isEmpty())
    {
        std::vector<std::int64_t> left;
        for (const std::int64_t row : rows)
        {
            if (row % kBlock == 0)
                HEADSCOPE_CHECK(job.checkStop());
            if (found(order.filter, row))
                left.push_back(row);
        }
        rows = std::move(left);
    }
    if (order.column >= 0 && order.column < columnCount())
        sort(rows, order);
    HEADSCOPE_CHECK(job.checkStop());
    return rows;
}

} // namespace headscope::ui

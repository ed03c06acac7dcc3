// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/report/joined_documents.h"

#include <algorithm>
#include <vector>

namespace headscope::cli
{

std::int32_t JoinedDocuments::add(const DocumentSet& documents)
{
    const bool same = m_all.ids == documents.ids;
    const std::size_t first = same ? 0 : m_all.ids.size();
    if (!same)
        m_all.ids.insert(m_all.ids.end(), documents.ids.begin(), documents.ids.end());
    if (!documents.texts.empty())
    {
        m_all.texts.resize(m_all.ids.size());
        std::ranges::copy(documents.texts, m_all.texts.begin() + static_cast<std::ptrdiff_t>(first));
    }
    else if (!m_all.texts.empty())
        m_all.texts.resize(m_all.ids.size());
    for (const LabelColumn& label : documents.labels)
        addLabels(label, first);
    for (LabelColumn& label : m_all.labels)
        label.codes.resize(m_all.ids.size(), -1);
    return static_cast<std::int32_t>(first);
}

void JoinedDocuments::addLabels(const LabelColumn& from, std::size_t first)
{
    auto column = std::ranges::find(m_all.labels, from.name, &LabelColumn::name);
    if (column == m_all.labels.end())
    {
        m_all.labels.emplace_back();
        column = m_all.labels.end() - 1;
        column->name = from.name;
    }
    std::vector<std::int32_t> codes;
    for (const std::string& category : from.categories)
    {
        const auto at = std::ranges::find(column->categories, category);
        codes.push_back(static_cast<std::int32_t>(at - column->categories.begin()));
        if (at == column->categories.end())
            column->categories.push_back(category);
    }
    column->codes.resize(m_all.ids.size(), -1);
    for (std::size_t row = 0; row < from.codes.size(); ++row)
        if (from.codes[row] >= 0)
            column->codes[first + row] = codes[static_cast<std::size_t>(from.codes[row])];
}

} // namespace headscope::cli

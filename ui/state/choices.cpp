// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/choices.h"

#include "model/data/documents/document_numbers.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace headscope::ui
{
namespace
{

std::vector<std::int64_t> everyHead(const CacheOverview& overview)
{
    std::vector<std::int64_t> all(static_cast<std::size_t>(std::max<std::int64_t>(0, overview.model.heads)));
    std::iota(all.begin(), all.end(), 0);
    return all;
}

/// The stage that was chosen where the layer has it, else its first.
Stage stageAt(const CacheOverview& overview, LayerIndex layer, Stage chosen)
{
    const std::vector<Stage> stages = overview.stagesOf(layer);
    return stages.empty() || overview.has(layer, chosen) ? chosen : stages.front();
}

} // namespace

bool Choices::allHeads() const
{
    return m_overview == nullptr || std::ssize(m_now.heads) == headCount();
}

std::int64_t Choices::headCount() const
{
    if (m_overview == nullptr)
        return 0;
    return m_now.stage == Stage::Embedding ? 1 : m_overview->model.heads;
}

const std::vector<std::int64_t>& Choices::headsOfLayers() const
{
    return m_now.stage == Stage::Embedding ? m_otherHeads : m_now.heads;
}

std::vector<std::string> Choices::labelColumns() const
{
    std::vector<std::string> names;
    if (m_overview != nullptr)
    {
        for (const LabelColumn& column : m_overview->documents->labels)
            if (isGroups(column))
                names.push_back(column.name);
    }
    return names;
}

bool Choices::offers(const ColorChoice& color) const
{
    return std::ranges::any_of(m_colorGroups, [&color](const ColorGroup& group) {
        return std::ranges::any_of(group.entries, [&color](const ColorEntry& entry) { return entry.choice == color; });
    });
}

void Choices::fillColors()
{
    if (!m_colorSource)
        return;
    m_colorGroups.front().entries = m_colorSource(*m_overview, m_now.stage);
    if (!offers(m_now.color))
        m_now.color = m_colorGroups.front().entries.front().choice;
}

void Choices::open(std::shared_ptr<const CacheOverview> overview)
{
    m_overview = std::move(overview);
    if (m_overview != nullptr)
    {
        if (!m_overview->stages.empty())
            m_now.layer = m_overview->stages.rbegin()->first;
        m_now.stage = stageAt(*m_overview, m_now.layer, m_now.stage);
        m_now.heads = everyHead(*m_overview);
        m_otherHeads = {0};
        if (m_now.stage == Stage::Embedding)
            m_now.heads.swap(m_otherHeads);
        const auto labels = labelColumns();
        m_now.labelColumn = labels.empty() ? std::string() : labels.front();
        fillColors();
    }
    Q_EMIT opened();
}

void Choices::setColumns(std::shared_ptr<const CacheOverview> overview, const std::string& labelColumn)
{
    const auto program = byProgram();
    m_overview = std::move(overview);
    const auto labels = labelColumns();
    const bool there = std::ranges::find(labels, labelColumn) != labels.end();
    m_now.labelColumn = there ? labelColumn : labels.empty() ? std::string() : labels.front();
    fillColors();
    Q_EMIT columnsChanged();
    Q_EMIT labelChanged();
}

void Choices::setLayer(LayerIndex layer)
{
    if (m_overview == nullptr || layer == m_now.layer || !m_overview->stages.contains(layer))
        return;
    changeSource(layer, stageAt(*m_overview, layer, m_now.stage));
}

void Choices::setStage(Stage stage)
{
    if (m_overview == nullptr || stage == m_now.stage || !m_overview->has(m_now.layer, stage))
        return;
    changeSource(m_now.layer, stage);
}

void Choices::changeSource(LayerIndex layer, Stage stage)
{
    const bool otherHeads = (stage == Stage::Embedding) != (m_now.stage == Stage::Embedding);
    m_now.layer = layer;
    m_now.stage = stage;
    if (otherHeads)
        m_now.heads.swap(m_otherHeads);
    fillColors();
    Q_EMIT sourceChanged();
    if (otherHeads)
        Q_EMIT headsChanged();
}

void Choices::setHeads(const std::vector<std::int64_t>& heads)
{
    if (m_overview == nullptr)
        return;
    std::vector<std::int64_t> known;
    for (const std::int64_t head : heads)
        if (head >= 0 && head < headCount())
            known.push_back(head);
    std::ranges::sort(known);
    known.erase(std::unique(known.begin(), known.end()), known.end());
    if (known == m_now.heads)
        return;
    m_now.heads = std::move(known);
    Q_EMIT headsChanged();
}

void Choices::chooseAllHeads()
{
    if (m_overview != nullptr)
        setHeads(m_now.stage == Stage::Embedding ? std::vector<std::int64_t>{0} : everyHead(*m_overview));
}

void Choices::isolateHeads(const std::vector<std::int64_t>& heads)
{
    if (heads == m_now.heads)
        chooseAllHeads();
    else
        setHeads(heads);
}

void Choices::setLabelColumn(const std::string& column)
{
    const auto labels = labelColumns();
    if (column == m_now.labelColumn || std::ranges::find(labels, column) == labels.end())
        return;
    m_now.labelColumn = column;
    Q_EMIT labelChanged();
}

bool Choices::setColor(const ColorChoice& color)
{
    if (!offers(color))
        return false;
    if (!(color == m_now.color))
    {
        m_now.color = color;
        Q_EMIT colorChanged();
    }
    return true;
}

void Choices::setColorGroup(const QString& title, std::vector<ColorEntry> entries)
{
    const auto there = std::ranges::find(m_colorGroups, title, &ColorGroup::title);
    if (entries.empty() && there == m_colorGroups.end())
        return;
    if (entries.empty())
        m_colorGroups.erase(there);
    else if (there == m_colorGroups.end())
        m_colorGroups.push_back({title, std::move(entries)});
    else
        there->entries = std::move(entries);
    if (m_overview == nullptr)
        return;
    const auto program = byProgram();
    const ColorChoice before = m_now.color;
    fillColors();
    Q_EMIT columnsChanged();
    if (!(m_now.color == before))
        Q_EMIT colorChanged();
}

} // namespace headscope::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/analysis/heads/head_set_measures.h"
#include "model/analysis/heads/savings.h"
#include "model/data/model_info.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace headscope
{

/// Which part of the model is taken away at a time.
enum class PruningUnit
{
    Heads,
    Groups, ///< a key/value head with all its query heads
};

/// The heads of a measure as units that go or stay together. The model must outlive it.
class PruningUnits
{
public:
    PruningUnits(const HeadSetMeasure& measure, const ModelInfo& model, PruningUnit unit)
        : m_model(model), m_stage(measure.stage()), m_heads(measure.heads()),
          m_size(unit == PruningUnit::Heads ? 1 : model.groupSize())
    {}

    [[nodiscard]] std::int64_t count() const { return (m_heads + m_size - 1) / m_size; }

    [[nodiscard]] std::vector<std::int64_t> headsOf(std::int64_t unit) const
    {
        std::vector<std::int64_t> heads;
        for (std::int64_t head = unit * m_size; head < std::min((unit + 1) * m_size, m_heads); ++head)
            heads.push_back(head);
        return heads;
    }

    /// Flags of heads from those of units.
    [[nodiscard]] std::vector<bool> heads(const std::vector<bool>& units) const
    {
        std::vector<bool> flags;
        for (std::int64_t head = 0; head < m_heads; ++head)
            flags.push_back(units[static_cast<std::size_t>(head / m_size)]);
        return flags;
    }

    /// Of the units that are not kept.
    [[nodiscard]] HeadSavings savings(const std::vector<bool>& kept) const
    {
        return savingsWithout(heads(kept), m_model, m_stage);
    }

private:
    const ModelInfo& m_model;
    Stage m_stage;
    std::int64_t m_heads;
    std::int64_t m_size;
};

} // namespace headscope

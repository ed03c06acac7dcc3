// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/results/frame_output.h"
#include "model/data/frame/frame_text.h"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace headscope
{

/// A Frame that is filled row by row and has no description: for results that are not described yet.
class ResultTable
{
public:
    using Cell = std::variant<std::string, std::int64_t, double>;

    explicit ResultTable(std::vector<std::string> header);
    /// A row of as many cells as the header; cells of one column are of one kind, or no number among whole ones.
    void add(std::vector<Cell> cells);
    [[nodiscard]] const Frame& frame() const { return m_frame; }
    [[nodiscard]] std::int64_t rowCount() const { return m_frame.rows(); }

    [[nodiscard]] std::string text() const { return frameText(m_frame); }
    /// @errors WrongUse (no such column, with the names)
    [[nodiscard]] Status sortBy(const std::string& column);
    /// These columns alone, in this order. A name that no column has is a mistake of the caller.
    [[nodiscard]] ResultTable columns(std::span<const std::string_view> names) const;
    /// writeFrameFile.
    [[nodiscard]] Status write(const std::filesystem::path& target, const std::string& group,
                               const Provenance& provenance, std::span<const NamedMatrix> matrices = {},
                               CsvTexts texts = CsvTexts::Safe) const;

private:
    Frame m_frame;
};

} // namespace headscope

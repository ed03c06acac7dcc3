// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/job_context.h"
#include "model/base/result.h"
#include "model/data/documents/chosen_summary.h"
#include "model/data/stage.h"
#include "ui/words/text_query.h"

#include <QString>

#include <cstdint>
#include <memory>
#include <vector>

namespace headscope::ui
{

/// Which of the chosen documents are listed, and in which order.
struct ChosenOrder
{
    int column = 0;
    bool descending = false;
    TextQuery filter; ///< in ids, texts and labels; empty: all are listed

    bool operator==(const ChosenOrder&) const = default;
};

/// The chosen documents as rows: id, first line, label columns, how many of their points are chosen, of which
/// heads. Immutable; reentrant.
class ChosenTable
{
public:
    enum class Kind
    {
        Id,
        Text,
        Label,
        Points,
        Heads,
    };

    ChosenTable(std::shared_ptr<const ChosenSummary> summary, Stage stage);

    [[nodiscard]] const ChosenSummary& summary() const { return *m_summary; }
    [[nodiscard]] Stage stage() const { return m_stage; }
    [[nodiscard]] std::int64_t rowCount() const { return static_cast<std::int64_t>(m_summary->chosen.size()); }
    [[nodiscard]] DocumentIndex documentOf(std::int64_t row) const
    {
        return DocumentIndex(m_summary->chosen[static_cast<std::size_t>(row)]);
    }
    [[nodiscard]] int columnCount() const { return static_cast<int>(m_columns.size()); }
    [[nodiscard]] Kind kind(int column) const { return m_columns[static_cast<std::size_t>(column)].kind; }
    /// "Document", "topic", "Points", "Segments".
    [[nodiscard]] QString title(int column) const;
    [[nodiscard]] QString text(std::int64_t row, int column) const;
    [[nodiscard]] std::int64_t pointCount(std::int64_t row) const;
    /// 0-based, ascending.
    [[nodiscard]] std::vector<std::int64_t> heads(std::int64_t row) const;

    /// The rows that an order lists, in that order: ids, texts and labels by naturalOrder(), labels that are numbers by
    /// their values; equal ones as the documents stand.
    /// @errors Cancelled
    [[nodiscard]] Result<std::vector<std::int64_t>> arranged(const ChosenOrder& order, JobContext& job) const;

private:
    struct Column
    {
        Kind kind = Kind::Id;
        std::size_t label = 0;
    };
    [[nodiscard]] const LabelColumn& label(int column) const;
    [[nodiscard]] bool found(const TextQuery& query, std::int64_t row) const;
    void sort(std::vector<std::int64_t>& rows, const ChosenOrder& order) const;

    std::shared_ptr<const ChosenSummary> m_summary;
    Stage m_stage;
    std::vector<Column> m_columns;
    std::vector<std::int32_t> m_pointRow; ///< [rows] in summary().points; -1: none
};

} // namespace headscope::ui

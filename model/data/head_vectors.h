// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/strong_index.h"
#include "model/data/matrix.h"
#include "model/data/shared_rows.h"
#include "model/data/stage.h"

#include <concepts>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace headscope
{

/// The head vectors of one stage of one layer: [N, H, D] float32, row-major. Immutable once
/// published. A stage that is kept uncut (H does not divide Dm) has heads() == 1.
class HeadVectors
{
public:
    HeadVectors() = default;
    HeadVectors(Stage stage, LayerIndex layer, std::int64_t documents, std::int64_t heads, std::int64_t dims,
                std::vector<float> values, std::string_view finalNorm = {});
    /// @param rows  [N * H, D], documents outer, heads inner
    HeadVectors(Stage stage, LayerIndex layer, std::int64_t documents, std::int64_t heads, SharedRows rows,
                std::string_view finalNorm = {});

    [[nodiscard]] Stage stage() const { return m_stage; }
    [[nodiscard]] LayerIndex layer() const { return m_layer; }
    [[nodiscard]] std::int64_t documents() const { return m_documents; }
    [[nodiscard]] std::int64_t heads() const { return m_heads; }
    [[nodiscard]] std::int64_t dims() const { return m_rows.cols(); }
    [[nodiscard]] std::span<const float> values() const { return m_rows.values(); }
    /// finalNormNote of where they are from (model/data/last_layer.h): "after the final norm", or "".
    [[nodiscard]] std::string_view finalNorm() const { return m_finalNorm; }

    /// One head vector, [D]. Of topic vectors a document is a topic here and below.
    [[nodiscard]] std::span<const float> vector(DocumentIndex document, HeadIndex head) const;
    /// All heads of a document one after another, [H * D].
    [[nodiscard]] std::span<const float> full(DocumentIndex document) const;
    /// All documents' vectors of one head: [N, D] with stride H * D.
    [[nodiscard]] ConstMatrixView head(HeadIndex head) const;
    /// All head vectors as rows, documents outer, heads inner: [N * H, D].
    [[nodiscard]] ConstMatrixView rows() const { return m_rows.view(); }
    /// The same rows, for whoever keeps them longer than this.
    [[nodiscard]] const SharedRows& sharedRows() const { return m_rows; }

private:
    Stage m_stage = Stage::HeadOutput;
    LayerIndex m_layer;
    std::int64_t m_documents = 0;
    std::int64_t m_heads = 0;
    SharedRows m_rows;
    std::string_view m_finalNorm; ///< text of the program, never of a file
};

/// Which (document, head) each row of a flat matrix of head vectors is.
struct PointIds
{
    std::vector<std::int32_t> document; ///< [P]
    std::vector<std::int32_t> head;     ///< [P] 0-based

    [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(document.size()); }
    /// The document and the head of one point. @pre 0 <= point < count()
    [[nodiscard]] DocumentIndex documentOf(std::integral auto point) const
    {
        return DocumentIndex(document[static_cast<std::size_t>(point)]);
    }
    [[nodiscard]] HeadIndex headOf(std::integral auto point) const
    {
        return HeadIndex(head[static_cast<std::size_t>(point)]);
    }
};

/// Chosen head vectors as a dense matrix, with the (document, head) of each row.
struct HeadPoints
{
    SharedRows vectors; ///< [P, D]
    PointIds ids;
    std::int64_t leftOut = 0;                ///< rows with NaN or infinity that were not taken
    std::vector<std::int64_t> leftOutByHead; ///< [chosen heads] the same, of each
};

/// The vectors of the chosen documents and heads, documents outer, heads inner. Rows that hold NaN or infinity are
/// left out and counted. If all rows are taken in their order, they are shared with `vectors`; else they are copied.
[[nodiscard]] HeadPoints gatherPoints(const HeadVectors& vectors, std::span<const std::int64_t> documents,
                                      std::span<const std::int64_t> heads, int numThreads);

/// Some rows of head vectors, in their order.
[[nodiscard]] std::shared_ptr<const HeadVectors> takeRows(const std::shared_ptr<const HeadVectors>& all,
                                                          const std::vector<std::int64_t>& rows);
/// Some heads of head vectors, in their order.
[[nodiscard]] std::shared_ptr<const HeadVectors> takeHeads(const std::shared_ptr<const HeadVectors>& all,
                                                           const std::vector<std::int64_t>& heads);

/// 0..count-1, for "all".
[[nodiscard]] std::vector<std::int64_t> allIndices(std::int64_t count);

} // namespace headscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/head_vectors.h"
#include "model/data/selection.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace headscope
{

/// A set of points of a map: documents, and for each of them the heads whose points are in the set. One row of bits
/// per document: ten million points of 32 heads take five megabytes. A plain value.
class PointSet
{
public:
    PointSet() = default;
    /// Whole documents: each with all of these heads. No head: the empty set.
    /// @param documents  ascending, without repeats
    /// @param heads      0-based, in any order
    PointSet(const std::vector<std::int64_t>& documents, const std::vector<std::int64_t>& heads);
    /// Some points of a map.
    /// @param points  indices into `ids`, in any order
    [[nodiscard]] static PointSet of(const PointIds& ids, std::span<const std::int64_t> points);

    /// Those with at least one point here, ascending: row r is of document documents()[r].
    [[nodiscard]] const std::vector<std::int64_t>& documents() const { return m_documents; }
    [[nodiscard]] bool isEmpty() const { return m_documents.empty(); }
    /// Points in all.
    [[nodiscard]] std::int64_t count() const;

    [[nodiscard]] bool contains(DocumentIndex document, HeadIndex head) const;
    /// @pre row is one of documents()
    [[nodiscard]] bool has(std::size_t row, HeadIndex head) const
    {
        const auto word = head.index() / kBits;
        return head.value() >= 0 && word < m_words &&
               (m_bits[row * m_words + word] >> (head.index() % kBits) & 1U) != 0;
    }
    /// Heads of one word of wordsOf().
    static constexpr std::size_t kBits = 64;
    /// The heads of a row: head h is bit h % kBits of word h / kBits. For passes over all points.
    [[nodiscard]] std::span<const std::uint64_t> wordsOf(std::size_t row) const
    {
        return std::span(m_bits).subspan(row * m_words, m_words);
    }
    [[nodiscard]] std::int64_t countOf(std::size_t row) const;
    /// Ascending.
    [[nodiscard]] std::vector<std::int64_t> headsOf(std::size_t row) const;
    /// Points of each head, as far as the last head that has one.
    [[nodiscard]] std::vector<std::int64_t> countsByHead() const;
    /// The row of each document as far as the last one, -1 where it has none: for passes over all points.
    [[nodiscard]] std::vector<std::int32_t> rowByDocument() const;

    /// The part of the set that lies in these documents.
    /// @param documents  ascending, without repeats
    [[nodiscard]] PointSet within(const std::vector<std::int64_t>& documents) const;
    /// The part of the set that belongs to these heads.
    [[nodiscard]] PointSet withinHeads(const std::vector<std::int64_t>& heads) const;

    friend bool operator==(const PointSet& one, const PointSet& other);
    friend PointSet combinePoints(const PointSet& chosen, const PointSet& picked, SetOperation operation);

private:
    [[nodiscard]] std::uint64_t word(std::size_t row, std::size_t at) const
    {
        return at < m_words ? m_bits[row * m_words + at] : 0;
    }
    /// Adds a row of m_words words, unless it is empty.
    void append(std::int64_t document, std::span<const std::uint64_t> bits);

    std::vector<std::int64_t> m_documents;
    std::size_t m_words = 0;           ///< of a row
    std::vector<std::uint64_t> m_bits; ///< [documents, m_words], head h is bit h % 64 of word h / 64
};

/// The points that result, as combineSets() of documents.
[[nodiscard]] PointSet combinePoints(const PointSet& chosen, const PointSet& picked, SetOperation operation);

} // namespace headscope

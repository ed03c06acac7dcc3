// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/data/documents/document_set.h"
#include "model/data/matrix.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace headscope
{

/// Documents under a name: a named set, the hits of a search.
struct DocumentGroup
{
    std::string name;
    std::vector<std::int64_t> documents; ///< ascending, without repeats

    bool operator==(const DocumentGroup&) const = default;
};

/// What documents are filtered by: values that the window already has.
struct FilterTable
{
    std::shared_ptr<const DocumentSet> documents;
    std::shared_ptr<const MatrixF> strengths; ///< [N, H], or null while not known; NaN where there is none
    std::vector<std::int64_t> heads;          ///< whose strengths the mean is of; empty = all
    std::vector<DocumentGroup> groups;
};

/// The label is one of these ("" stands for documents without a label), or is not.
struct LabelCondition
{
    std::string column;
    std::vector<std::string> values;
    bool negated = false;

    bool operator==(const LabelCondition&) const = default;
};

/// Where the number of a document comes from.
enum class NumberSource
{
    Tokens,       ///< its length
    MeanStrength, ///< over the heads of the table
    HeadStrength, ///< of one head
    Column,       ///< a column of numbers (documentNumbers)
};

/// The number lies between two limits, both included. A document without a finite number never does.
struct NumberCondition
{
    NumberSource source = NumberSource::Tokens;
    std::string column;    ///< of Column
    std::int64_t head = 0; ///< of HeadStrength, 0-based
    double least = -std::numeric_limits<double>::infinity();
    double most = std::numeric_limits<double>::infinity();

    bool operator==(const NumberCondition&) const = default;
};

/// The document's strongest head is one of these (0-based). A document without a finite strength has none.
struct StrongestCondition
{
    std::vector<std::int64_t> heads;

    bool operator==(const StrongestCondition&) const = default;
};

/// The document is in a group of the table, or is not.
struct GroupCondition
{
    std::string group;
    bool negated = false;

    bool operator==(const GroupCondition&) const = default;
};

using FilterCondition = std::variant<LabelCondition, NumberCondition, StrongestCondition, GroupCondition>;

/// The documents that meet every condition, ascending; all of them when there is none.
/// @errors InvalidArgument: a column, head or group that is not there; strengths or lengths not known
/// @threads reentrant
/// @cost O(N) for each condition, O(N H) for those of strengths
[[nodiscard]] Result<std::vector<std::int64_t>> matchingDocuments(const FilterTable& table,
                                                                  std::span<const FilterCondition> conditions);

/// The numbers a condition looks at, [N]; NaN where a document has none.
/// @errors as matchingDocuments
[[nodiscard]] Result<std::vector<double>> filterNumbers(const FilterTable& table, const NumberCondition& condition);

/// The head with the largest finite strength of each document, ties by lower head; -1 where there is none.
[[nodiscard]] std::vector<std::int64_t> strongestHeads(const MatrixF& strengths);

} // namespace headscope

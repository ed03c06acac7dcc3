// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/documents/document_set.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>

namespace headscope
{

/// Which labels occur among the given documents: all topics are offered to a match, whether any document has them.
struct LabelPresence
{
    std::int64_t present = 0;   ///< labels with a document
    std::int64_t single = 0;    ///< labels with one document
    std::int64_t largest = 0;   ///< documents of the commonest
    std::int64_t documents = 0; ///< with a label

    /// The chance that one of k guesses among the labels that occur is right; 1 where there are no more.
    [[nodiscard]] double chance(std::int64_t k) const
    {
        return present > 0 ? std::min(1.0, static_cast<double>(k) / static_cast<double>(present)) : 1.0;
    }
    /// Share of the documents for which the name of the commonest label is right; 0 without labels.
    [[nodiscard]] double majority() const
    {
        return documents > 0 ? static_cast<double>(largest) / static_cast<double>(documents) : 0.0;
    }
    /// Whether naming the commonest is right clearly more often than labels of equal size would have it.
    [[nodiscard]] bool isUnequal() const
    {
        constexpr double kClearly = 0.05;
        return present > 1 && majority() > 1.0 / static_cast<double>(present) + kClearly;
    }
};

[[nodiscard]] LabelPresence labelPresence(const LabelColumn& labels);

/// A line for below a table of matches: what always naming the commonest label gets, which neither chance nor null
/// tells. Empty where labels are of about equal size.
[[nodiscard]] std::string majorityText(const LabelPresence& labels);

/// Lines for below a table: the chance among the labels that occur, where not all topics do, and how many have one
/// document. Empty where neither is so.
/// @param topics  offered
[[nodiscard]] std::string presentText(const LabelPresence& labels, std::span<const std::int64_t> k,
                                      std::int64_t topics);

} // namespace headscope

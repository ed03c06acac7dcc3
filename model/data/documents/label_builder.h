// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/text/natural_order.h"
#include "model/data/documents/document_set.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace headscope
{

/// A label column that is met document by document: it keeps a number of each, and every text once.
class LabelColumnBuilder
{
public:
    /// @param value  of the next document; "" = no label
    void add(const std::string& value);
    /// The column of the documents [begin, end) with the categories of all: of all documents what makeLabelColumn makes
    /// of their texts.
    [[nodiscard]] LabelColumn column(std::string name, std::size_t begin, std::size_t end) const;

private:
    std::map<std::string, std::int32_t, NaturalLess> m_numbers; ///< in the order in which the texts came
    std::vector<std::int32_t> m_codes;
};

} // namespace headscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/documents/document_set.h"

#include <cstdint>

namespace headscope::cli
{

/// The documents of several caches as one list. Those of a cache with the same ids in the same order are there once;
/// label columns of one name are one, and so are their categories.
class JoinedDocuments
{
public:
    /// @return the row of the first of them
    std::int32_t add(const DocumentSet& documents);
    [[nodiscard]] const DocumentSet& all() const { return m_all; }

private:
    void addLabels(const LabelColumn& from, std::size_t first);

    DocumentSet m_all;
};

} // namespace headscope::cli

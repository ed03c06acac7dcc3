// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/report/report_text.h"

#include <span>
#include <string>
#include <vector>

namespace headscope
{
struct DocumentSet;
} // namespace headscope

namespace headscope::cli
{

/// One of the two that a report compares.
struct ReportSide
{
    const ReportSubject* subject = nullptr;
    std::span<const ReportPart> parts; ///< outlive what is made of them
    const DocumentSet* documents = nullptr;
};

/// The sections of two caches, or of two layers of one: what both have stands side by side, figure by figure, under one
/// heading; behind the first section their numbers in one table.
///
/// Sentences and captions begin with the name of what they are of, ids of tables with its prefix.
[[nodiscard]] std::vector<ReportSection> pairedSections(const ReportSide& first, const ReportSide& second);

} // namespace headscope::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/report/report_text.h"

#include <vector>

/// What a section says of its parts: sentences and tables, each number with its interval, n and chance.
namespace headscope::cli
{

using Parts = std::vector<const ReportPart*>;

void sayModel(ReportSection& section, const Parts& parts, const ReportSubject& subject);
void saySimilarity(ReportSection& section, const Parts& parts, const ReportSubject& subject);
void reportMaps(ReportSection& section, const Parts& parts, const ReportSubject& subject);
void sayProbe(ReportSection& section, const Parts& parts, const ReportSubject& subject);
void sayMatch(ReportSection& section, const Parts& parts, const ReportSubject& subject);
void sayHeatmap(ReportSection& section, const Parts& parts, const ReportSubject& subject);
void sayHeads(ReportSection& section, const Parts& parts, const ReportSubject& subject);
void sayLabelProbe(ReportSection& section, const Parts& parts, const ReportSubject& subject);
void sayLayers(ReportSection& section, const Parts& parts, const ReportSubject& subject);
void sayPruning(ReportSection& section, const Parts& parts, const ReportSubject& subject);
void sayRetrieval(ReportSection& section, const Parts& parts, const ReportSubject& subject);
void sayCircuits(ReportSection& section, const Parts& parts, const ReportSubject& subject);

} // namespace headscope::cli

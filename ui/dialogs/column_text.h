// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/documents/document_preview.h"

#include <QString>
#include <QStringList>

#include <vector>

/// The words in which the window and a command line speak of the columns of documents.
namespace headscope::ui
{

/// "text", "id", "label", "number", "not used".
[[nodiscard]] QString roleName(ColumnRole role);
/// What follows from a role.
[[nodiscard]] QString roleTip(ColumnRole role);

/// "line 7: expected ...": for places where the file is named already.
[[nodiscard]] QString faultText(const Error& error);

/// The command-line words that set these roles; none for those that are the default.
[[nodiscard]] QStringList columnArguments(const DocumentPreview& preview, const std::vector<ColumnRole>& roles);

/// "12 documents · text: Description · id: Nr · label: Group"
[[nodiscard]] QString columnSummary(const DocumentPreview& preview, const std::vector<ColumnRole>& roles);

} // namespace headscope::ui

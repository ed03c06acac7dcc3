// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/shell/study.h"
#include "ui/canvas/hover_card.h"

#include <cstdint>
#include <optional>

namespace headscope::desktop
{

/// The hover card of a document and, where given, one of its heads: the head's name, colour and KV group, the
/// document's label and the first line of its text.
/// @pre a cache is open
[[nodiscard]] ui::HoverContent documentCard(const Study& study, DocumentIndex document, std::optional<HeadIndex> head,
                                            Stage stage);

/// The same, with the strength of the head vector and its rank among all, when the vectors shown are those of
/// Study::source().
[[nodiscard]] ui::HoverContent headVectorCard(const Study& study, DocumentIndex document, HeadIndex head, Stage stage);

} // namespace headscope::desktop

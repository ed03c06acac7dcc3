// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/results/label_presence.h"
#include "model/data/results/heads_frame.h"

#include <string>

namespace headscope
{

/// What sentences about the heads need besides their numbers.
struct HeadNotes
{
    LabelPresence labels{};    ///< of the labelled documents
    std::string vectorsText{}; ///< what the topics are: "names"
    bool fullIsParts = false;  ///< the full vectors are the rows of this stage one after another
};

/// The heads, how alike they are, and what they are held against.
/// @param heads       headsFrame of the rows
/// @param redundancy  null: there are too few documents
[[nodiscard]] Members headsResult(const HeadRows& rows, const HeadNotes& notes, Frame heads,
                                  const HeadRedundancy* redundancy);

/// The heads laid out in the plane by each measure of similarity.
[[nodiscard]] Node planesNode(const HeadPlanes& planes);

/// The table as people read it: what describes the heads, and under it what is tested, each number next to its
/// interval, null, p and q.
[[nodiscard]] std::string headsText(const Frame& heads, const HeadRows& rows);

/// What the columns of the printed table mean, and how they were tested; several lines.
[[nodiscard]] std::string headsLegend(const HeadRows& rows, const HeadNotes& notes, const HeadRedundancy* redundancy);

} // namespace headscope

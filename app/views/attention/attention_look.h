// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/strong_index.h"

#include <QString>

#include <string>

namespace headscope::ui
{

/// A head of a model, by its place.
struct AttentionHead
{
    LayerIndex layer;
    HeadIndex head;
    auto operator<=>(const AttentionHead&) const = default;
};

/// A run that came with the program, as the menu offers it.
struct StoredRunEntry
{
    QString name;  ///< AttentionRun::storedName
    QString title; ///< "“The queries of …” · SmolLM2-135M"
    QString tip;
};

/// How the view shows a run. The controls have object names, so that work files keep it without a line of their own.
struct AttentionLook
{
    bool heads = true;        ///< the pictures of all heads, on the left
    bool lines = true;        ///< the chosen head as lines between tokens
    bool matrix = true;       ///< and as a table
    bool numbers = true;      ///< the column of numbers, on the right
    bool withoutFirst = true; ///< the first token is taken out of the scale
    bool overlay = false;     ///< lines of all heads of the KV group, in their colours
    std::string measure;      ///< heads coloured by this statistic; "": pictures of their weights
    bool operator==(const AttentionLook&) const = default;
};

} // namespace headscope::ui

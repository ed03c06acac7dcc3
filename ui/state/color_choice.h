// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <string>
#include <string_view>

namespace headscope::ui
{

/// How the points of the map are coloured: a colouring by its key ("head", "label"; defined in app/colorings), and
/// the column of the documents that it uses, if any.
struct ColorChoice
{
    std::string coloring;
    std::string column;

    /// "head", "label:topic": names a choice in settings, combo boxes and files.
    [[nodiscard]] std::string key() const;
    /// The inverse of key(); does not check that the colouring is offered.
    [[nodiscard]] static ColorChoice fromKey(std::string_view key);

    bool operator==(const ColorChoice&) const = default;
};

/// One way to colour the points, as the colour box shows it.
struct ColorEntry
{
    QString text;
    ColorChoice choice;
    QString tip; ///< "": the text says it
};

} // namespace headscope::ui

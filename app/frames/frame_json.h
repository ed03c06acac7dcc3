// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/frames/json_type.h"
#include "model/base/result.h"
#include "model/data/frame/facts.h"
#include "model/data/frame/frame.h"

#include <span>
#include <string>
#include <string_view>

namespace headscope
{

/// A result as --json prints it: members in their order, tables as lists of objects. What is not finite, an interval
/// without ends and an empty text of a table are null.
/// @cost  a DOM: some 0.8 kB for each row of 14 columns
[[nodiscard]] Json nodeJson(const Node& result);
/// The rows of a table as objects.
[[nodiscard]] Json frameJson(const Frame& frame);
/// The members of a result, behind those that an object has.
void addMembers(Json& object, const Members& members);

/// A text, or null where it is empty.
[[nodiscard]] Json textJson(const std::string& text);
/// Lines for people as objects of name and text.
[[nodiscard]] Json linesJson(const FactLines& lines);

/// A table of JSON under a name: where a result has a list of this name, it is read as that table.
struct NamedFrame
{
    std::string_view name;
    const FrameInfo* about = nullptr;
};

/// The inverse of nodeJson: lists of numbers of the same length are matrices, two numbers an interval, lists of these
/// names tables with the columns that their first row has.
/// @errors BadFormat (a value of another kind, rows with different members), with its place
[[nodiscard]] Result<Node> nodeFrom(const Json& json, std::span<const NamedFrame> tables);
/// The inverse of frameJson.
/// @param place  of the list, for sentences
[[nodiscard]] Result<Frame> frameFrom(const Json& rows, const FrameInfo& about, std::string_view place);

} // namespace headscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/data/frame/frame.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headscope
{

/// Lines for people: a name, and what stands beside it.
using FactLines = std::vector<std::pair<std::string, std::string>>;

/// What a result says in single facts, told once: a member of the result and a line of the text.
class Facts
{
public:
    /// A member, and a line of its name: a count with its thousands separated, "none" of what is missing.
    void add(std::string_view key, const Node& value);
    /// The same with a text of its own.
    void add(std::string_view key, Node value, std::string text);
    /// The same by another name, where the text calls it so.
    void add(std::string_view key, Node value, std::string_view name, std::string text);
    /// A member without a line.
    void member(std::string_view key, Node value) { m_members.emplace_back(key, std::move(value)); }
    void append(Members members);
    /// A line without a member; without a name it goes on with the one above.
    void line(std::string_view name, std::string text) { m_lines.emplace_back(name, std::move(text)); }
    void append(FactLines lines);

    [[nodiscard]] const Members& members() const { return m_members; }
    /// The lines, each value below the one above.
    [[nodiscard]] std::string text() const;

private:
    Members m_members;
    FactLines m_lines;
};

} // namespace headscope

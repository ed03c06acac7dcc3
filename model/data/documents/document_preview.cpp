// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/documents/document_preview.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace headscope
{
namespace
{

constexpr std::string_view kTextName = "text";
constexpr std::string_view kIdName = "id";

std::string lowered(std::string_view text)
{
    std::string lower(text);
    std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return lower;
}

/// Whether a name says that its column numbers or names the rows.
bool namesAnId(std::string_view name)
{
    static constexpr std::array<std::string_view, 12> kNames = {"id", "nr",   "nr.", "no",         "no.",    "number",
                                                                "#",  "uuid", "key", "identifier", "row_id", "index"};
    const std::string lower = lowered(name);
    return std::ranges::find(kNames, lower) != kNames.end() || lower.ends_with("_id") || lower.ends_with("-id") ||
           lower.ends_with(" id") || name.ends_with("Id");
}

std::optional<std::size_t> columnNamed(const DocumentPreview& preview, std::string_view name)
{
    const auto found =
        std::ranges::find_if(preview.columns, [name](const ColumnFacts& column) { return column.name == name; });
    return found == preview.columns.end() ? std::nullopt
                                          : std::optional(static_cast<std::size_t>(found - preview.columns.begin()));
}

std::optional<std::size_t> columnOf(const std::vector<ColumnRole>& roles, ColumnRole role)
{
    const auto found = std::ranges::find(roles, role);
    return found == roles.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - roles.begin()));
}

std::optional<std::size_t> guessedText(const DocumentPreview& preview)
{
    if (const auto named = columnNamed(preview, kTextName))
        return named;
    std::optional<std::size_t> longest;
    for (const bool mustBeText : {true, false})
    {
        for (std::size_t i = 0; i < preview.columns.size(); ++i)
            if ((!mustBeText || !preview.columns[i].notText) &&
                (!longest || preview.columns[i].meanLength > preview.columns[*longest].meanLength))
                longest = i;
        if (longest)
            break;
    }
    return longest;
}

std::optional<std::size_t> guessedId(const DocumentPreview& preview, std::optional<std::size_t> text)
{
    const auto fits = [&](std::size_t column) { return column != text && !preview.columns[column].notId; };
    if (const auto named = columnNamed(preview, kIdName); named && fits(*named))
        return named;
    for (std::size_t i = 0; i < preview.columns.size(); ++i)
        if (fits(i) && namesAnId(preview.columns[i].name))
            return i;
    return std::nullopt;
}

bool isLabel(const ColumnFacts& column)
{
    return !column.inner && makesLabels(column.present, column.different, column.textOnly);
}

} // namespace

bool makesLabels(std::int64_t present, std::int64_t different, bool textOnly)
{
    return textOnly && different > 0 && different <= kMaxLabelValues && different < present;
}

std::vector<ColumnRole> guessedRoles(const DocumentPreview& preview)
{
    std::vector<ColumnRole> roles(preview.columns.size(), ColumnRole::Unused);
    const auto text = guessedText(preview);
    if (text)
        roles[*text] = ColumnRole::Text;
    if (const auto id = guessedId(preview, text))
        roles[*id] = ColumnRole::Id;
    for (std::size_t i = 0; i < roles.size(); ++i)
        if (roles[i] == ColumnRole::Unused && isLabel(preview.columns[i]))
            roles[i] = ColumnRole::Label;
    return roles;
}

void setRole(const DocumentPreview& preview, std::vector<ColumnRole>& roles, std::size_t column, ColumnRole role)
{
    if (column >= roles.size() || roles[column] == role)
        return;
    if (role == ColumnRole::Text || role == ColumnRole::Id)
        if (const auto before = columnOf(roles, role))
            roles[*before] = isLabel(preview.columns[*before]) ? ColumnRole::Label : ColumnRole::Unused;
    roles[column] = role;
}

ColumnChoice columnChoice(const DocumentPreview& preview, const std::vector<ColumnRole>& roles)
{
    ColumnChoice choice;
    const auto text = columnOf(roles, ColumnRole::Text);
    if (text && !preview.plainText)
        choice.text = preview.columns[*text].name;
    // What happens by itself: "id" where every row has one, and the columns that make labels.
    const auto ownId = columnNamed(preview, kIdName);
    const auto id = columnOf(roles, ColumnRole::Id);
    if (id && id != ownId)
        choice.id = preview.columns[*id].name;
    else if (!id && ownId)
        choice.id = std::string();
    std::vector<std::string> labels;
    std::vector<std::string> byThemselves;
    for (std::size_t i = 0; i < roles.size(); ++i)
    {
        if (roles[i] == ColumnRole::Label)
            labels.push_back(preview.columns[i].name);
        if (roles[i] == ColumnRole::Number)
            choice.numbers.push_back(preview.columns[i].name);
        if (i != text && i != id && roles[i] != ColumnRole::Number && isLabel(preview.columns[i]))
            byThemselves.push_back(preview.columns[i].name);
    }
    if (labels != byThemselves)
        choice.labels = std::move(labels);
    return choice;
}

std::optional<Error> roleFault(const DocumentPreview& preview, const std::vector<ColumnRole>& roles)
{
    for (std::size_t i = 0; i < roles.size(); ++i)
    {
        const ColumnFacts& column = preview.columns[i];
        const std::optional<Error>* fault = nullptr;
        switch (roles[i])
        {
        case ColumnRole::Text:
            fault = &column.notText;
            break;
        case ColumnRole::Id:
            fault = &column.notId;
            break;
        case ColumnRole::Label:
            fault = &column.notLabel;
            break;
        case ColumnRole::Number:
            fault = &column.notNumber;
            break;
        case ColumnRole::Unused:
            break;
        }
        if (fault != nullptr && *fault)
            return **fault;
    }
    return std::nullopt;
}

} // namespace headscope

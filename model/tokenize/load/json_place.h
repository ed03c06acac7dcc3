// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/formats/json.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope::tokenize
{

/// A JSON value with its path in the document, which every error names.
class JsonPlace
{
public:
    JsonPlace(JsonView view, std::string place) : m_view(view), m_place(std::move(place)) {}

    [[nodiscard]] JsonView view() const { return m_view; }
    /// "pre_tokenizer.pretokenizers[1]".
    [[nodiscard]] const std::string& place() const { return m_place; }
    /// An error here.
    [[nodiscard]] Error error(ErrorCode code, std::string message) const
    {
        return {code, std::move(message), {}, m_place};
    }

    /// The value of a key; nothing when it is absent or null.
    [[nodiscard]] std::optional<JsonPlace> find(std::string_view key) const;
    /// @errors BadFormat: the key is absent or null
    [[nodiscard]] Result<JsonPlace> at(std::string_view key) const;
    /// The elements of the array at a key; none when it is absent.
    [[nodiscard]] Result<std::vector<JsonPlace>> list(std::string_view key) const;
    /// The elements of this array.
    [[nodiscard]] Result<std::vector<JsonPlace>> list() const;

    [[nodiscard]] Result<std::string_view> string() const;
    [[nodiscard]] Result<std::int64_t> integer() const;
    /// The string at a key, which must be there.
    [[nodiscard]] Result<std::string_view> string(std::string_view key) const;
    [[nodiscard]] Result<std::int64_t> integer(std::string_view key) const;
    /// The truth value at a key, or `otherwise` when it is absent or null.
    [[nodiscard]] Result<bool> boolean(std::string_view key, bool otherwise) const;

private:
    JsonView m_view;
    std::string m_place;
};

} // namespace headscope::tokenize

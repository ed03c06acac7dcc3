// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"
#include "model/data/attention/attention_run.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headscope::desktop
{

/// An answer to `attention` (app/engine/PROTOCOL.md) with the file of its numbers, checked part by part: an engine may
/// be of another version, and its file may be cut.
class AttentionAnswer
{
public:
    /// Reads the file.
    /// @errors those of readTextFile; BadFormat (no object)
    [[nodiscard]] static Result<AttentionAnswer> read(nlohmann::json object);

    /// Model, tokens, layers and statistics, without any weights.
    /// @errors BadFormat
    [[nodiscard]] Result<AttentionRun> header() const;
    /// The last extent of a block; 0: there is none of this name.
    [[nodiscard]] std::int64_t widthOf(std::string_view name) const;
    /// The numbers of a block, which must have this shape.
    /// @errors BadFormat
    [[nodiscard]] Result<std::vector<float>> block(std::string_view name, const std::vector<std::int64_t>& shape) const;
    /// The heads whose weights there are, ascending.
    /// @errors BadFormat
    [[nodiscard]] Result<std::vector<HeadIndex>> weightHeads(std::int64_t heads) const;

private:
    explicit AttentionAnswer(nlohmann::json object) : m_object(std::move(object)) {}
    [[nodiscard]] Error bad(std::string_view what) const;
    [[nodiscard]] std::int64_t number(const char* name) const;
    [[nodiscard]] std::string text(const char* name) const;
    [[nodiscard]] Result<std::vector<std::int64_t>> numbers(const char* name) const;
    [[nodiscard]] Status readModel(ModelInfo& model) const;
    [[nodiscard]] Status readTokens(AttentionRun& run) const;
    [[nodiscard]] Status readStatistics(AttentionRun& run) const;

    nlohmann::json m_object;
    std::string m_bytes;
};

} // namespace headscope::desktop

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/attention/attention_look.h"

#include <QJsonObject>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace headscope::desktop
{

/// What a work file has of the attention view besides its named controls. One of text, document and stored, or none.
struct AttentionState
{
    std::string text{};
    std::string document{}; ///< its id
    std::string stored{};   ///< name of a run that came with the program
    std::optional<ui::AttentionHead> chosen{};
    std::vector<ui::AttentionHead> pinned{};
    std::optional<std::int64_t> reading{}; ///< token of the marked cell
    std::optional<std::int64_t> read{};

    [[nodiscard]] bool isEmpty() const { return text.empty() && document.empty() && stored.empty(); }
};

/// Adds it; nothing where nothing is shown.
void writeAttentionState(const AttentionState& kept, QJsonObject& state);
/// The same again; nothing where there is none. Places may be of no model.
[[nodiscard]] std::optional<AttentionState> readAttentionState(const QJsonObject& state);

} // namespace headscope::desktop

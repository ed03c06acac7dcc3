// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/attention/attention_state.h"

#include "app/desktop/work/result_values.h"

#include <cstddef>

namespace headscope::ui
{

void fields(RecordFields& record, AttentionHead& place)
{
    record("layer", place.layer).required().countFrom(0);
    record("head", place.head).required().countFrom(0);
}

} // namespace headscope::ui

namespace headscope::desktop
{
namespace
{

constexpr auto kKey = QLatin1StringView("attention");
constexpr auto kPinned = QLatin1StringView("pinned");

} // namespace

void fields(RecordFields& record, AttentionState& kept)
{
    record("text", kept.text).omitEmpty();
    record("document", kept.document).omitEmpty();
    record("stored", kept.stored).omitEmpty();
    record.perhaps("chosen", kept.chosen);
    record.list("pinned", kept.pinned);
    record("reading", kept.reading).countFrom(0);
    record("read", kept.read).countFrom(0);
}

void writeAttentionState(const AttentionState& kept, QJsonObject& state)
{
    if (kept.isEmpty())
        return;
    QJsonObject object = state::recordObject(recordOf(kept));
    if (kept.pinned.empty())
        object.remove(kPinned);
    state[kKey] = object;
}

std::optional<AttentionState> readAttentionState(const QJsonObject& state)
{
    constexpr std::size_t kMaxPinned = 2;
    constexpr std::size_t kMaxText = 1'000'000;
    AttentionState kept;
    if (!state::takeRecord(state.value(kKey).toObject(), recordOf(kept)) || kept.isEmpty() ||
        kept.text.size() > kMaxText)
        return std::nullopt;
    if (kept.pinned.size() > kMaxPinned)
        kept.pinned.resize(kMaxPinned);
    return kept;
}

} // namespace headscope::desktop

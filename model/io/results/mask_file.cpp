// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/results/mask_file.h"

#include "model/base/output/output_file.h"
#include "model/formats/json.h"
#include "model/formats/json_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace headscope
{
namespace
{

constexpr std::string_view kFormat = "headscope-mask";
constexpr std::int64_t kVersion = 1;
constexpr std::int64_t kMaxHeads = 1'000'000;

std::string number(double value)
{
    return std::isfinite(value) ? fmt::format("{}", value) : std::string("null");
}

std::string gainText(const MaskGain& gain)
{
    return fmt::format(",\n  \"validated\": {{\"kept\": {}, \"chosen\": {}, \"elsewhere\": {}, "
                       "\"elsewhere_range\": [{}, {}], \"halvings\": {}}}",
                       number(gain.kept), number(gain.chosen), number(gain.elsewhere), number(gain.elsewhereRange.low),
                       number(gain.elsewhereRange.high), gain.halvings);
}

std::int64_t integerOr(const JsonView& root, std::string_view key, std::int64_t other)
{
    const auto value = root.find(key);
    return value ? value->asInt().value_or(other) : other;
}

std::string textOr(const JsonView& root, std::string_view key)
{
    const auto value = root.find(key);
    return value ? std::string(value->asString().value_or({})) : std::string();
}

double numberOr(const JsonView& root, std::string_view key, double other)
{
    const auto value = root.find(key);
    return value ? value->asDouble().value_or(other) : other;
}

MaskGain gainOf(const JsonView& written)
{
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    MaskGain gain;
    gain.kept = numberOr(written, "kept", kNone);
    gain.chosen = numberOr(written, "chosen", kNone);
    gain.elsewhere = numberOr(written, "elsewhere", kNone);
    gain.halvings = integerOr(written, "halvings", 0);
    std::vector<double> range;
    if (const auto ends = written.find("elsewhere_range"); ends && ends->isArray())
        for (const JsonView end : ends->elements())
            range.push_back(end.asDouble().value_or(kNone));
    if (range.size() == 2)
        gain.elsewhereRange = {range[0], range[1]};
    return gain;
}

} // namespace

Status writeHeadMask(const std::filesystem::path& target, const HeadMask& mask)
{
    std::vector<std::int64_t> kept;
    std::vector<std::int64_t> removed;
    for (std::int64_t head = 0; head < mask.heads; ++head)
        (std::binary_search(mask.kept.begin(), mask.kept.end(), head) ? kept : removed).push_back(head + 1);
    std::string json = fmt::format("{{\n  \"format\": {},\n  \"version\": {},\n  \"heads\": {},\n  \"kept\": [{}],\n"
                                   "  \"removed\": [{}],\n  \"layer\": {}",
                                   jsonQuoted(kFormat), kVersion, mask.heads, fmt::join(kept, ", "),
                                   fmt::join(removed, ", "), mask.layer ? std::to_string(*mask.layer) : "null");
    for (const auto& [name, value] : {std::pair("stage", &mask.stage), std::pair("units", &mask.units),
                                      std::pair("measure", &mask.measure), std::pair("order", &mask.order)})
        json += fmt::format(",\n  \"{}\": {}", name, jsonQuoted(*value));
    json += fmt::format(",\n  \"value\": {},\n  \"baseline\": {},\n  \"input_hash\": {}{}\n}}\n", number(mask.value),
                        number(mask.baseline), jsonQuoted(mask.inputHash),
                        mask.validated ? gainText(*mask.validated) : std::string());
    return writeFileAtomically(target, json);
}

Result<HeadMask> readHeadMask(const std::filesystem::path& path)
{
    HEADSCOPE_TRY(const JsonDocument document, JsonDocument::parseFile(path));
    const auto bad = [&path](std::string message, std::string place) {
        return Error{ErrorCode::BadFormat, std::move(message), path.string(), std::move(place)};
    };
    const JsonView root = document.root();
    if (textOr(root, "format") != kFormat)
        return bad(
            fmt::format("expected \"format\": \"{}\", found something else: this is not a mask of heads", kFormat),
            "format");
    const std::int64_t version = integerOr(root, "version", 0);
    if (version > kVersion)
        return Error{ErrorCode::Unsupported, fmt::format("expected version {}, found {}", kVersion, version),
                     path.string(), "version"};
    HeadMask mask;
    mask.heads = integerOr(root, "heads", 0);
    const auto kept = root.find("kept");
    if (version < 1 || mask.heads < 1 || mask.heads > kMaxHeads || !kept || !kept->isArray())
        return bad("the version, the number of heads or the list of kept heads is missing", {});
    for (const JsonView head : kept->elements())
    {
        const std::int64_t value = head.asInt().value_or(0);
        if (value < 1 || value > mask.heads)
            return bad(fmt::format("expected heads from 1 to {}, found something else", mask.heads), "kept");
        mask.kept.push_back(value - 1);
    }
    std::sort(mask.kept.begin(), mask.kept.end());
    if (mask.kept.empty() || std::adjacent_find(mask.kept.begin(), mask.kept.end()) != mask.kept.end())
        return bad(mask.kept.empty() ? "expected at least one kept head, found none" : "a kept head is listed twice",
                   "kept");
    if (const std::int64_t layer = integerOr(root, "layer", -1); layer >= 0)
        mask.layer = layer;
    mask.stage = textOr(root, "stage");
    mask.units = textOr(root, "units");
    mask.measure = textOr(root, "measure");
    mask.order = textOr(root, "order");
    mask.inputHash = textOr(root, "input_hash");
    mask.value = numberOr(root, "value", 0);
    mask.baseline = numberOr(root, "baseline", 0);
    if (const auto validated = root.find("validated"); validated && validated->isObject())
        mask.validated = gainOf(*validated);
    return mask;
}

} // namespace headscope

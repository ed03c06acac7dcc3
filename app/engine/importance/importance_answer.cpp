// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/importance/importance_answer.h"

#include "app/frames/frame_json.h"
#include "model/base/output/output_file.h"
#include "model/base/text/csv_text.h"
#include "model/base/text/fixed_text.h"
#include "model/base/text/plural.h"
#include "model/data/frame/frame_text.h"
#include "model/data/results/importance_frame.h"
#include "model/data/results/pruning_results.h"
#include "model/io/frames/frame_file.h"
#include "model/io/hdf5/hdf5_writer.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace headscope::engine
{
namespace
{

/// "0.0123 [0.0101, 0.0145]"
std::string estimateText(const Estimate& estimate)
{
    if (!std::isfinite(estimate.ci95.low))
        return fmt::format("{} [-]", fixedText(estimate.value, 4));
    return fmt::format("{} [{}, {}]", fixedText(estimate.value, 4), fixedText(estimate.ci95.low, 4),
                       fixedText(estimate.ci95.high, 4));
}

std::string fitText(const MeasureValues& values)
{
    return std::isfinite(values.r2) ? fmt::format("R2 {}", fixedText(values.r2, 3))
                                    : std::string("R2 undefined: the measure is the same for every set of heads");
}

/// What always naming the commonest label gets, where it is clearly more than chance.
std::string majorityLine(const ImportanceResult& result, double chance)
{
    if (!result.hasUnequalLabels(chance))
        return {};
    return fmt::format("The labels have unequal sizes: always predicting the most common label has accuracy {:.3f}. "
                       "Heads that favour this label are facilitating without distinguishing topics.\n",
                       result.majority);
}

/// What a measure is with all and none of the players, and what it would be by guessing.
std::string heading(const ImportanceResult& result, const NamedValues& measure)
{
    const MeasureValues& values = measure.values;
    if (measure.measure == ImportanceMeasure::Cosine)
        return fmt::format("Cosine of the full vector with the full vector of the unablated model, over {} documents: "
                           "{:.4f} with all heads (the model itself), {} with no heads; {}\n",
                           values.documents, values.all.value, estimateText(values.none), fitText(values));
    const double chance = 1 / static_cast<double>(std::max<std::int64_t>(1, result.topics));
    return fmt::format("Proportion of documents whose true topic is the nearest topic, over {} documents: {} with all "
                       "heads, {} with no heads, chance {:.4f} (1 / {} topics); {}\n{}",
                       values.documents, estimateText(values.all), estimateText(values.none), chance, result.topics,
                       fitText(values), majorityLine(result, chance));
}

/// What the columns are, and what a role does not say.
std::string legend(const ImportanceResult& result)
{
    const std::string_view units = result.groups ? "groups" : "heads";
    const std::string_view unit = units.substr(0, units.size() - 1);
    std::string text =
        fmt::format("Left out: value with all {0} minus value without this {1}; alone: value with only this {1} minus "
                    "value with none; coefficient: what the {1} adds on average when half of the other {0} are on, "
                    "fitted to the {2} sets by least squares (R2: how well the sum of coefficients fits the measure in "
                    "these sets).\nBrackets: 95% intervals by bootstrap over documents, with the same resamples for "
                    "all values; for the coefficient by Student's t, over {3}; -: fewer than {4} documents change.",
                    units, unit, result.exhaustive ? "all" : "random",
                    result.exhaustive ? "the documents" : "the documents and the random sets", kMinChanged);
    if (!result.exhaustive)
        text += " +-: standard error of the coefficient over the random sets only.";
    text += fmt::format("\nRole: given where the 95% interval of the coefficient excludes 0. About 1 in 20 {1} without "
                        "an effect gets a role, too. q: p of the coefficient, adjusted (Benjamini-Hochberg) over the "
                        "{0} {1}; about 1 in 20 roles with q up to 0.05 is expected to be false.",
                        result.players.size(), units);
    text += fmt::format(" Nearer, farther: when half of the other {0} are ablated, this {1} brings the model closer to "
                        "the full model, or farther from it, on average. Neither is better or worse.",
                        units, unit);
    if (result.find(ImportanceMeasure::Match) != nullptr)
        text += fmt::format("\nFacilitating, interfering: with this {1}, more or fewer documents match. The match with "
                            "all {0} is not tested "
                            "against permuted labels here (use match on a cache).",
                            units, unit);
    return text + "\n";
}

template <class T>
Status writeNumbers(Hdf5Writer& file, const std::string& dataset, const std::array<std::int64_t, 2>& shape,
                    NumberType type, const std::vector<T>& values)
{
    return file.write(dataset, shape, type, std::as_bytes(std::span(values)));
}

Status writeMeasure(Hdf5Writer& file, const MaskValuesOf& measure)
{
    const std::string group = "/" + std::string(measureName(measure.measure));
    HEADSCOPE_CHECK(writeNumbers(file, group + "/values", {measure.values.rows(), measure.values.cols()},
                                 NumberType::F64, measure.values.values()));
    return file.writeStrings(group + "/documents", measure.ids);
}

/// Every mask once with its values, which are all that anyone needs to compute the numbers again.
Status writeHdf5(const std::filesystem::path& path, const ImportanceFindings& found, const std::string& command)
{
    HEADSCOPE_TRY(auto file, Hdf5Writer::create(path));
    const auto players = std::ssize(found.result.players);
    std::vector<std::int32_t> masks;
    for (const PlayerMask& mask : found.plan.masks)
        masks.insert(masks.end(), mask.begin(), mask.end());
    HEADSCOPE_CHECK(writeNumbers(file, "/masks", {std::ssize(found.plan.masks), players}, NumberType::I32, masks));
    const std::vector<std::int32_t> sample(found.plan.sample.begin(), found.plan.sample.end());
    HEADSCOPE_CHECK(writeNumbers(file, "/sample", {std::ssize(sample), 1}, NumberType::I32, sample));
    std::vector<std::int32_t> units;
    for (const AblationUnit& player : found.result.players)
        units.insert(units.end(), {static_cast<std::int32_t>(player.layer), static_cast<std::int32_t>(player.unit)});
    HEADSCOPE_CHECK(writeNumbers(file, "/players", {players, 2}, NumberType::I32, units));
    for (const MaskValuesOf& measure : found.values)
        HEADSCOPE_CHECK(writeMeasure(file, measure));
    HEADSCOPE_CHECK(writeFacts(file, "/",
                               {{"format", std::string("headscope-importance")},
                                {"version", 1},
                                {"command", command},
                                {"result", importanceJson(found)}}));
    return file.publish();
}

} // namespace

std::string importanceJson(const ImportanceFindings& found, const Members& more, int indent)
{
    Json json = nodeJson(importanceResult(found.result, found.run));
    addMembers(json, more);
    return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

std::string importanceText(const ImportanceFindings& found)
{
    const ImportanceResult& result = found.result;
    std::string text = fmt::format(
        "{} {}{} set to {}; {} of {} document{}, {} random set{}{}, {} run{}, {:.1f} s\n", result.players.size(),
        result.groups ? "KV group" : "head", plural(std::ssize(result.players)), result.ablation, result.documents,
        result.allDocuments, plural(result.allDocuments), result.masks, plural(result.masks),
        result.exhaustive ? " (all possible sets)" : "", found.run.runs, plural(found.run.runs), found.run.seconds);
    for (const NamedValues& measure : result.measures)
        text += "\n" + heading(result, measure) + frameText(playersFrame(result, measure));
    return text + "\n" + legend(result);
}

Status checkImportanceOutput(const std::filesystem::path& path)
{
    const auto ending = path.extension();
    if (ending == ".csv" || ending == ".h5" || ending == ".json")
        return {};
    return Error{ErrorCode::WrongUse,
                 fmt::format("expected a name that ends in .csv, .h5 or .json, found \"{}\"", path.string()),
                 {},
                 "--output"};
}

Status writeImportance(const std::filesystem::path& path, const ImportanceFindings& found, const std::string& command)
{
    if (path.extension() == ".h5")
        return writeHdf5(path, found, command);
    if (path.extension() == ".csv")
        return writeCsvFile(path, importanceCsv(found.result, CsvTexts::Plain));
    return writeFileAtomically(path, importanceJson(found, {}, 1) + "\n");
}

} // namespace headscope::engine

// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/results/work_probe.h"

#include "model/io/hdf5/field_attributes.h"
#include "model/io/results/work_baselines.h"
#include "model/io/results/work_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace headscope
{
namespace
{

using work::readList;
using work::readTable;
using work::writeList;
using work::writeTable;

/// One row a head, or a step.
constexpr std::int64_t kScoreColumns = 6;
constexpr std::int64_t kScoreColumnsBefore = 4; ///< in files without intervals of the recall
constexpr std::int64_t kStepColumns = 2;

MatrixD scoresTable(const std::vector<HeadScore>& scores)
{
    MatrixD table(static_cast<std::int64_t>(scores.size()), kScoreColumns);
    for (std::size_t i = 0; i < scores.size(); ++i)
    {
        const std::array row = {static_cast<double>(scores[i].head),
                                scores[i].precision,
                                scores[i].recall,
                                scores[i].f1,
                                scores[i].recallCi95.low,
                                scores[i].recallCi95.high};
        std::copy(row.begin(), row.end(), table.row(static_cast<std::int64_t>(i)).begin());
    }
    return table;
}

MatrixD stepsTable(const std::vector<FitStep>& steps)
{
    MatrixD table(static_cast<std::int64_t>(steps.size()), kStepColumns);
    for (std::size_t i = 0; i < steps.size(); ++i)
    {
        table(static_cast<std::int64_t>(i), 0) = steps[i].seconds;
        table(static_cast<std::int64_t>(i), 1) = steps[i].objective;
    }
    return table;
}

/// The single numbers of a result, under the names they have in the file.
template <class Probe, class Visit>
void visitNumbers(Probe& probe, const Visit& visit)
{
    visit("accuracy", probe.accuracy);
    visit("ci95_low", probe.ci95Low);
    visit("ci95_high", probe.ci95High);
    visit("macro_f1", probe.macroF1);
    visit("objective", probe.objective);
    visit("gradient", probe.gradientNorm);
    visit("seconds", probe.seconds);
    visit("within_group_error", probe.withinGroupError);
    visit("across_group_error", probe.acrossGroupError);
}

template <class Probe, class Visit>
void visitCounts(Probe& probe, const Visit& visit)
{
    visit("train_rows", probe.trainRows);
    visit("test_rows", probe.testRows);
    visit("classes", probe.classes);
    visit("zero_vectors", probe.zeroVectors);
}

Error badProbe(const Hdf5Reader& file, const std::string& place, std::string message)
{
    return {ErrorCode::BadFormat, std::move(message), file.path().string(), place};
}

Status readSingles(const Hdf5Reader& file, const std::string& group, ProbeResult& probe)
{
    std::string missing;
    visitNumbers(probe, [&](const char* name, double& into) {
        const auto value = file.numberAttribute(group, name);
        missing = value ? missing : name;
        into = value.value_or(0);
    });
    visitCounts(probe, [&](const char* name, std::int64_t& into) {
        const auto value = file.integerAttribute(group, name);
        missing = value ? missing : name;
        into = value.value_or(0);
    });
    if (!missing.empty())
        return badProbe(file, group, fmt::format("expected the attribute {}, found none", missing));
    Fields options;
    fields(options, probe.options);
    for (const Field& field : options.used(kRecordUse))
        if (!file.numberAttribute(group, field.key))
            return badProbe(file, group, fmt::format("expected the attribute {}, found none", field.key));
    readFields(file, group, options);
    const auto whole = [&](const char* name, std::int64_t otherwise) {
        return file.integerAttribute(group, name).value_or(otherwise);
    };
    probe.iterations =
        static_cast<int>(std::clamp<std::int64_t>(whole("iterations", 0), 0, std::numeric_limits<int>::max()));
    probe.converged = whole("converged", 0) == 1;
    if (const auto stage = file.textAttribute(group, "stage"))
        probe.stage = stageFromName(*stage);
    probe.layer = file.integerAttribute(group, "layer");
    probe.inputHash = file.textAttribute(group, "input_hash").value_or("");
    probe.effectiveRows = file.numberAttribute(group, "effective_rows").value_or(0);
    probe.ci95Method = file.textAttribute(group, "ci95_method").value_or("");
    probe.noBaselines = file.textAttribute(group, "no_baselines").value_or("");
    return {};
}

Status readLists(const Hdf5Reader& file, const std::string& group, ProbeResult& probe)
{
    HEADSCOPE_TRY(probe.leftOut, readList<std::int64_t>(file, group + "/left_out"));
    HEADSCOPE_TRY(probe.untrained, readList<std::int64_t>(file, group + "/untrained"));
    HEADSCOPE_TRY(probe.confusion, readTable<std::int64_t>(file, group + "/confusion"));
    HEADSCOPE_TRY(probe.weights, readTable<double>(file, group + "/weights"));
    HEADSCOPE_TRY(probe.intercepts, readList<double>(file, group + "/intercepts"));
    HEADSCOPE_TRY(probe.predictions, readList<std::int32_t>(file, group + "/predictions"));
    HEADSCOPE_TRY(probe.testIndices, readList<std::int64_t>(file, group + "/test_indices"));
    HEADSCOPE_TRY(probe.truths, readList<std::int32_t>(file, group + "/truths"));
    HEADSCOPE_TRY(probe.testDocuments, readList<std::int32_t>(file, group + "/test_documents"));
    HEADSCOPE_TRY(const MatrixD scores, readTable<double>(file, group + "/scores"));
    HEADSCOPE_TRY(const MatrixD steps, readTable<double>(file, group + "/steps"));
    if ((!scores.empty() && scores.cols() != kScoreColumns && scores.cols() != kScoreColumnsBefore) ||
        (!steps.empty() && steps.cols() != kStepColumns))
        return badProbe(file, group, "expected tables of scores and steps, found others");
    for (std::int64_t i = 0; i < scores.rows(); ++i)
    {
        probe.perHead.push_back(
            {static_cast<std::int64_t>(scores(i, 0)), scores(i, 1), scores(i, 2), scores(i, 3), {}});
        if (scores.cols() == kScoreColumns)
            probe.perHead.back().recallCi95 = {scores(i, 4), scores(i, 5)};
    }
    for (std::int64_t i = 0; i < steps.rows(); ++i)
        probe.steps.push_back({steps(i, 0), steps(i, 1)});
    return {};
}

/// Whatever shows a result takes these for granted.
Status checkProbe(const Hdf5Reader& file, const std::string& group, const ProbeResult& probe)
{
    const auto rows = probe.predictions.size();
    const auto isClass = [&probe](std::int32_t each) { return each >= 0 && each < probe.classes; };
    const bool fits = std::ssize(probe.perHead) == probe.classes && probe.confusion.rows() == probe.classes &&
                      probe.confusion.cols() == probe.classes && probe.truths.size() == rows &&
                      (probe.testDocuments.empty() || probe.testDocuments.size() == rows) &&
                      std::all_of(probe.predictions.begin(), probe.predictions.end(), isClass) &&
                      std::all_of(probe.truths.begin(), probe.truths.end(), isClass);
    return fits ? Status() : badProbe(file, group, "expected the tables of one probe, found some that do not fit");
}

} // namespace

Status writeProbeGroup(Hdf5Writer& file, const std::string& group, const ProbeResult& probe)
{
    HEADSCOPE_CHECK(file.makeGroup(group));
    ProbeOptions written = probe.options;
    Fields options;
    fields(options, written);
    HEADSCOPE_CHECK(writeFields(file, group, options));
    Status status;
    const auto set = [&](const char* name, auto value) {
        if (status)
            status = file.setAttribute(group, name, value);
    };
    visitNumbers(probe, set);
    visitCounts(probe, set);
    set("iterations", std::int64_t{probe.iterations});
    set("converged", std::int64_t{probe.converged ? 1 : 0});
    if (probe.stage)
        set("stage", std::string(stageName(*probe.stage)));
    if (probe.layer)
        set("layer", *probe.layer);
    set("input_hash", probe.inputHash);
    set("effective_rows", probe.effectiveRows);
    set("ci95_method", probe.ci95Method);
    set("no_baselines", probe.noBaselines);
    HEADSCOPE_CHECK(status);
    HEADSCOPE_CHECK(writeList(file, group + "/left_out", probe.leftOut));
    HEADSCOPE_CHECK(writeList(file, group + "/untrained", probe.untrained));
    HEADSCOPE_CHECK(writeTable(file, group + "/confusion", probe.confusion));
    HEADSCOPE_CHECK(writeTable(file, group + "/weights", probe.weights));
    HEADSCOPE_CHECK(writeList(file, group + "/intercepts", probe.intercepts));
    HEADSCOPE_CHECK(writeList(file, group + "/predictions", probe.predictions));
    HEADSCOPE_CHECK(writeList(file, group + "/test_indices", probe.testIndices));
    HEADSCOPE_CHECK(writeList(file, group + "/truths", probe.truths));
    HEADSCOPE_CHECK(writeList(file, group + "/test_documents", probe.testDocuments));
    HEADSCOPE_CHECK(writeTable(file, group + "/scores", scoresTable(probe.perHead)));
    HEADSCOPE_CHECK(writeTable(file, group + "/steps", stepsTable(probe.steps)));
    return probe.baselines ? writeBaselinesGroup(file, group + "/baselines", *probe.baselines) : Status();
}

Result<ProbeResult> readProbeGroup(const Hdf5Reader& file, const std::string& group)
{
    ProbeResult probe;
    HEADSCOPE_CHECK(readSingles(file, group, probe));
    HEADSCOPE_CHECK(readLists(file, group, probe));
    HEADSCOPE_CHECK(checkProbe(file, group, probe));
    HEADSCOPE_TRY(probe.baselines, readBaselinesGroup(file, group + "/baselines"));
    return probe;
}

} // namespace headscope

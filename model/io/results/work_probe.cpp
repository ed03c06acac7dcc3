// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/results/work_probe.h"

#include "model/io/records/record_hdf5.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace headscope
{
namespace
{

constexpr std::array<FieldWord, 4> kBaselineWords = {
    {{"means_removed", {}}, {"gaussian", {}}, {"random_cut", {}}, {"control_task", {}}}};

std::string stageText(const std::optional<Stage>& stage)
{
    return stage ? std::string(stageName(*stage)) : std::string();
}

std::string takeStage(std::optional<Stage>& stage, const std::string& text)
{
    stage = stageFromName(text);
    return {};
}

Field& share(RecordFields& record, const char* name, double& value)
{
    return record(name, value).within(0, 1).orNaN().required();
}

constexpr double kMaxCounted = 1e15; ///< of rows, errors and groupings: doubles hold them exactly

Field& count(RecordFields& record, const char* name, std::int64_t& value)
{
    return record(name, value).within(0, kMaxCounted).required();
}

/// The errors within groups, and whether they are those after the groups' means were taken away.
struct StoredGroups
{
    bool isCentred = false;
    GroupErrors errors;
};

/// The single numbers, one behind the other. The last two are not in files of one draw of the control task.
struct StoredNumbers
{
    ProbeBaselines& all;
};

void fields(RecordFields& record, StoredGroups& stored)
{
    record("centred", stored.isCentred).required();
    count(record, "within", stored.errors.within);
    count(record, "errors", stored.errors.errors);
    share(record, "share", stored.errors.share);
    share(record, "ci95_low", stored.errors.ci95.low);
    share(record, "ci95_high", stored.errors.ci95.high);
    share(record, "chance", stored.errors.chance);
    count(record, "rank", stored.errors.rank);
    count(record, "groupings", stored.errors.groupings);
    record("exact", stored.errors.exact).required();
    share(record, "p", stored.errors.p);
}

void fields(RecordFields& record, StoredNumbers& stored)
{
    ProbeBaselines& all = stored.all;
    share(record, "chance", all.chance);
    for (auto [name, number] :
         {std::pair("selectivity", &all.selectivity), std::pair("selectivity_low", &all.selectivityCi95.low),
          std::pair("selectivity_high", &all.selectivityCi95.high), std::pair("mean", &all.splits.mean),
          std::pair("sd", &all.splits.sd), std::pair("null_mean", &all.null.mean),
          std::pair("null_high", &all.null.high), std::pair("null_p", &all.null.p), std::pair("seconds", &all.seconds)})
        record(name, *number).required();
    count(record, "permutations", all.null.permutations);
    record("control_draws", all.controlDraws).within(0, kMaxCounted);
    record("control_sd", all.controlSd);
}

/// What is kept beside the accuracy, as it is stored: numbers in a row, the others in tables.
struct StoredBaselines
{
    ProbeBaselines all;
    StoredNumbers numbers{all};
    std::vector<StoredGroups> groups;
};

void fields(RecordFields& record, StoredBaselines& stored)
{
    record.row("numbers", stored.numbers);
    record.numbers("splits", stored.all.splits.accuracies);
    record.table("accuracies", stored.all.baselines);
    record.table("groups", stored.groups);
}

/// The groups of errors that there are, as rows.
std::vector<StoredGroups> groupsOf(const ProbeBaselines& all)
{
    std::vector<StoredGroups> rows;
    if (all.groups)
        rows.push_back({false, *all.groups});
    if (all.groupsCentred)
        rows.push_back({true, *all.groupsCentred});
    return rows;
}

/// Whatever shows a result takes these for granted.
bool isWhole(const ProbeResult& probe)
{
    const auto rows = probe.predictions.size();
    const auto isClass = [&probe](std::int32_t each) { return each >= 0 && each < probe.classes; };
    return std::ssize(probe.perHead) == probe.classes && probe.confusion.rows() == probe.classes &&
           probe.confusion.cols() == probe.classes && probe.truths.size() == rows &&
           (probe.testDocuments.empty() || probe.testDocuments.size() == rows) &&
           std::ranges::all_of(probe.predictions, isClass) && std::ranges::all_of(probe.truths, isClass);
}

bool isWhole(const StoredBaselines& stored)
{
    const auto isShare = [](double value) { return std::isnan(value) || (value >= 0 && value <= 1); };
    return std::ranges::all_of(stored.all.splits.accuracies, isShare) &&
           std::ranges::all_of(stored.groups, [](const StoredGroups& each) {
               return each.errors.within <= each.errors.errors && each.errors.rank <= each.errors.groupings;
           });
}

} // namespace

void fields(RecordFields& record, HeadScore& score)
{
    record("head", score.head).required();
    record("precision", score.precision).required();
    record("recall", score.recall).required();
    record("f1", score.f1).required();
    record("recall_low", score.recallCi95.low); // files without intervals of the recall have no more than four
    record("recall_high", score.recallCi95.high);
}

void fields(RecordFields& record, FitStep& step)
{
    record("seconds", step.seconds).required();
    record("objective", step.objective).required();
}

void fields(RecordFields& record, ProbeBaseline& baseline)
{
    record("kind", baseline.kind, kBaselineWords).required();
    share(record, "accuracy", baseline.accuracy);
    share(record, "ci95_low", baseline.ci95.low);
    share(record, "ci95_high", baseline.ci95.high);
    record("effective_rows", baseline.effectiveRows).within(0, kMaxCounted).required();
    count(record, "test_rows", baseline.testRows);
    record("converged", baseline.converged).required();
}

void fields(RecordFields& record, ProbeResult& probe)
{
    record("accuracy", probe.accuracy);
    record("ci95_low", probe.ci95Low);
    record("ci95_high", probe.ci95High);
    record("macro_f1", probe.macroF1);
    record("objective", probe.objective);
    record("gradient", probe.gradientNorm);
    record("seconds", probe.seconds);
    record("within_group_error", probe.withinGroupError);
    record("across_group_error", probe.acrossGroupError);
    record("train_rows", probe.trainRows);
    record("test_rows", probe.testRows);
    record("classes", probe.classes);
    record("zero_vectors", probe.zeroVectors);
    fields(record.attributes(), probe.options);
    record.attributes().requireAll();
    record("iterations", probe.iterations).countFrom(0);
    record("converged", probe.converged);
    record.text<&stageText, &takeStage>("stage", probe.stage);
    record("layer", probe.layer);
    record("input_hash", probe.inputHash);
    record("effective_rows", probe.effectiveRows);
    record("ci95_method", probe.ci95Method);
    record("no_baselines", probe.noBaselines);
    record.numbers("left_out", probe.leftOut);
    record.numbers("untrained", probe.untrained);
    record.numbers("confusion", probe.confusion);
    record.numbers("weights", probe.weights);
    record.numbers("intercepts", probe.intercepts);
    record.numbers("predictions", probe.predictions);
    record.numbers("test_indices", probe.testIndices);
    record.numbers("truths", probe.truths);
    record.numbers("test_documents", probe.testDocuments);
    record.table("scores", probe.perHead);
    record.table("steps", probe.steps);
}

Status writeProbeGroup(Hdf5Writer& file, const std::string& group, const ProbeResult& probe)
{
    HEADSCOPE_CHECK(writeRecord(file, group, recordOf(probe)));
    if (!probe.baselines)
        return {};
    StoredBaselines stored;
    stored.all = *probe.baselines;
    stored.groups = groupsOf(stored.all);
    return writeRecord(file, group + "/baselines", recordOf(stored));
}

Result<ProbeResult> readProbeGroup(const Hdf5Reader& file, const std::string& group)
{
    ProbeResult probe;
    HEADSCOPE_CHECK(readRecord(file, group, recordOf(probe)));
    if (!isWhole(probe))
        return Error{ErrorCode::BadFormat, "expected the tables of one probe, found tables that do not match",
                     file.path().string(), group};
    if (!file.has(group + "/baselines"))
        return probe;
    StoredBaselines stored;
    stored.all.controlDraws = 1; // of files of one draw
    HEADSCOPE_CHECK(readRecord(file, group + "/baselines", recordOf(stored)));
    if (!isWhole(stored))
        return Error{ErrorCode::BadFormat, "expected the baselines of a probe, found values that no probe can have",
                     file.path().string(), group + "/baselines"};
    for (const StoredGroups& each : stored.groups)
        (each.isCentred ? stored.all.groupsCentred : stored.all.groups) = each.errors;
    probe.baselines = std::move(stored.all);
    return probe;
}

} // namespace headscope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/results/work_baselines.h"

#include "model/io/results/work_tables.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace headscope
{
namespace
{

using work::readList;
using work::readTable;
using work::writeList;
using work::writeTable;

constexpr double kMostCount = 1e15; ///< of rows, errors and groupings: doubles hold them exactly

/// The single numbers, in the order of the dataset `numbers`.
template <class Baselines, class Visit>
void visitNumbers(Baselines& all, const Visit& visit)
{
    for (auto* number : {&all.chance, &all.selectivity, &all.selectivityCi95.low, &all.selectivityCi95.high,
                         &all.splits.mean, &all.splits.sd, &all.null.mean, &all.null.high, &all.null.p, &all.seconds})
        visit(*number);
}
constexpr std::size_t kPermutations = 10; ///< place behind those; in earlier versions the last one
constexpr std::size_t kNumbers = 13;      ///< with the draws of the control task and their sd

/// Columns of the table `accuracies`: kind, accuracy, interval, effective rows, test rows, converged.
constexpr std::int64_t kAccuracyColumns = 7;
/// Columns of the table `groups`: means removed, within, errors, share, interval, chance, rank, groupings, exact, p.
constexpr std::int64_t kGroupColumns = 11;

MatrixD accuraciesTable(const std::vector<ProbeBaseline>& baselines)
{
    MatrixD table(std::ssize(baselines), kAccuracyColumns);
    for (std::int64_t i = 0; i < table.rows(); ++i)
    {
        const ProbeBaseline& one = baselines[static_cast<std::size_t>(i)];
        const std::array row = {static_cast<double>(one.kind),
                                one.accuracy,
                                one.ci95.low,
                                one.ci95.high,
                                one.effectiveRows,
                                static_cast<double>(one.testRows),
                                one.converged ? 1.0 : 0.0};
        std::copy(row.begin(), row.end(), table.row(i).begin());
    }
    return table;
}

MatrixD groupsTable(const ProbeBaselines& all)
{
    std::vector<std::pair<double, const GroupErrors*>> rows;
    if (all.groups)
        rows.emplace_back(0, &*all.groups);
    if (all.groupsCentred)
        rows.emplace_back(1, &*all.groupsCentred);
    MatrixD table(std::ssize(rows), kGroupColumns);
    for (std::size_t i = 0; i < rows.size(); ++i)
    {
        const GroupErrors& one = *rows[i].second;
        const std::array row = {rows[i].first,
                                static_cast<double>(one.within),
                                static_cast<double>(one.errors),
                                one.share,
                                one.ci95.low,
                                one.ci95.high,
                                one.chance,
                                static_cast<double>(one.rank),
                                static_cast<double>(one.groupings),
                                one.exact ? 1.0 : 0.0,
                                one.p};
        std::copy(row.begin(), row.end(), table.row(static_cast<std::int64_t>(i)).begin());
    }
    return table;
}

bool isCount(double value)
{
    return value >= 0 && value <= kMostCount && value == std::floor(value);
}

bool isFlag(double value)
{
    return value == 0 || value == 1;
}

/// From 0 to 1, or not known.
bool isShare(double value)
{
    return std::isnan(value) || (value >= 0 && value <= 1);
}

bool isAccuracy(std::span<const double> row)
{
    const bool known = isCount(row[0]) && row[0] <= static_cast<double>(ProbeBaselineKind::ControlTask);
    return known && isShare(row[1]) && isShare(row[2]) && isShare(row[3]) && row[4] >= 0 && isCount(row[5]) &&
           isFlag(row[6]);
}

bool isGroup(std::span<const double> row)
{
    const bool counts = std::all_of(row.begin() + 1, row.begin() + 3, isCount) && isCount(row[7]) && isCount(row[8]);
    const bool shares = std::all_of(row.begin() + 3, row.begin() + 7, isShare) && isShare(row[10]);
    return counts && shares && isFlag(row[0]) && isFlag(row[9]) && row[1] <= row[2] && row[7] <= row[8];
}

ProbeBaseline accuracyOf(std::span<const double> row)
{
    return {static_cast<ProbeBaselineKind>(static_cast<int>(row[0])),
            row[1],
            {row[2], row[3]},
            row[4],
            static_cast<std::int64_t>(row[5]),
            row[6] == 1};
}

GroupErrors groupOf(std::span<const double> row)
{
    return {static_cast<std::int64_t>(row[1]), static_cast<std::int64_t>(row[2]), row[3],      {row[4], row[5]}, row[6],
            static_cast<std::int64_t>(row[7]), static_cast<std::int64_t>(row[8]), row[9] == 1, row[10]};
}

/// What the datasets hold, before it is believed.
struct Written
{
    std::vector<double> numbers;
    MatrixD accuracies;
    MatrixD groups;

    [[nodiscard]] bool isWhole() const
    {
        if ((numbers.size() != kNumbers && numbers.size() != kPermutations + 1) || !isCount(numbers[kPermutations]) ||
            !isShare(numbers.front()) || (numbers.size() == kNumbers && !isCount(numbers[kPermutations + 1])))
            return false;
        if ((!accuracies.empty() && accuracies.cols() != kAccuracyColumns) ||
            (!groups.empty() && groups.cols() != kGroupColumns))
            return false;
        for (std::int64_t i = 0; i < accuracies.rows(); ++i)
            if (!isAccuracy(accuracies.row(i)))
                return false;
        for (std::int64_t i = 0; i < groups.rows(); ++i)
            if (!isGroup(groups.row(i)))
                return false;
        return true;
    }
};

} // namespace

Status writeBaselinesGroup(Hdf5Writer& file, const std::string& group, const ProbeBaselines& all)
{
    HEADSCOPE_CHECK(file.makeGroup(group));
    std::vector<double> numbers;
    visitNumbers(all, [&numbers](double value) { numbers.push_back(value); });
    numbers.push_back(static_cast<double>(all.null.permutations));
    numbers.push_back(static_cast<double>(all.controlDraws));
    numbers.push_back(all.controlSd);
    HEADSCOPE_CHECK(writeList(file, group + "/numbers", numbers));
    HEADSCOPE_CHECK(writeList(file, group + "/splits", all.splits.accuracies));
    HEADSCOPE_CHECK(writeTable(file, group + "/accuracies", accuraciesTable(all.baselines)));
    return writeTable(file, group + "/groups", groupsTable(all));
}

Result<std::optional<ProbeBaselines>> readBaselinesGroup(const Hdf5Reader& file, const std::string& group)
{
    if (!file.has(group))
        return std::optional<ProbeBaselines>();
    Written written;
    ProbeBaselines all;
    HEADSCOPE_TRY(written.numbers, readList<double>(file, group + "/numbers"));
    HEADSCOPE_TRY(written.accuracies, readTable<double>(file, group + "/accuracies"));
    HEADSCOPE_TRY(written.groups, readTable<double>(file, group + "/groups"));
    HEADSCOPE_TRY(all.splits.accuracies, readList<double>(file, group + "/splits"));
    if (!written.isWhole() || !std::all_of(all.splits.accuracies.begin(), all.splits.accuracies.end(), isShare))
        return Error{ErrorCode::BadFormat, "expected the baselines of a probe, found numbers that no probe gives",
                     file.path().string(), group};
    std::size_t at = 0;
    visitNumbers(all, [&](double& value) { value = written.numbers[at++]; });
    all.null.permutations = static_cast<std::int64_t>(written.numbers[kPermutations]);
    const bool isOne = written.numbers.size() == kPermutations + 1; // draw, as in earlier versions
    all.controlDraws = isOne ? 1 : static_cast<std::int64_t>(written.numbers[kPermutations + 1]);
    all.controlSd = isOne ? 0 : written.numbers[kPermutations + 2];
    for (std::int64_t i = 0; i < written.accuracies.rows(); ++i)
        all.baselines.push_back(accuracyOf(written.accuracies.row(i)));
    for (std::int64_t i = 0; i < written.groups.rows(); ++i)
        (written.groups(i, 0) == 1 ? all.groupsCentred : all.groups) = groupOf(written.groups.row(i));
    return std::optional(std::move(all));
}

} // namespace headscope

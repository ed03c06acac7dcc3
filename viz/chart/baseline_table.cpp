// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/chart/baseline_table.h"

#include "model/data/results/probe_baseline_results.h"
#include "model/data/stage.h"
#include "viz/axis/text.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>

namespace headscope::viz
{
namespace
{

constexpr std::size_t kMostProbes = 3;

QString none()
{
    return QStringLiteral("\u2013");
}

QString withInterval(double value, const Interval& interval)
{
    return std::isfinite(interval.low)
               ? QStringLiteral("%1 (%2\u2013%3)")
                     .arg(fixedNumber(value, 3), fixedNumber(interval.low, 3), fixedNumber(interval.high, 3))
               : fixedNumber(value, 3);
}

/// "Stage 1"; of several layers "Layer 9, stage 1".
QString columnTitle(const ProbeResult& result, std::span<const ProbeResult> all)
{
    const bool layers =
        std::ranges::any_of(all, [&all](const ProbeResult& each) { return each.layer != all.front().layer; });
    const QString stage = result.stage ? QString::fromUtf8(stageName(*result.stage).data()) : QStringLiteral("\u2013");
    return layers && result.layer ? QStringLiteral("Layer %1, stage %2").arg(*result.layer).arg(stage)
                                  : QStringLiteral("Stage %1").arg(stage);
}

/// The rows of a table, in the order in which they are added; one whose cells are all empty is left out.
class Rows
{
public:
    explicit Rows(std::span<const ProbeResult> results) : m_results(results) {}

    /// @param cell  of the baselines of a probe; empty: it has none
    void add(const QString& title, const std::function<QString(const ProbeBaselines&)>& cell)
    {
        std::vector<QString> row = {title};
        bool any = false;
        for (const ProbeResult& result : m_results)
        {
            const QString text = result.baselines ? cell(*result.baselines) : QString();
            any = any || !text.isEmpty();
            row.push_back(text.isEmpty() ? none() : text);
        }
        if (any)
            m_rows.push_back(std::move(row));
    }

    [[nodiscard]] std::vector<std::vector<QString>> take() { return std::move(m_rows); }

private:
    std::span<const ProbeResult> m_results;
    std::vector<std::vector<QString>> m_rows;
};

/// What stands behind a baseline that is at chance whatever the vectors are.
QString noteOf(ProbeBaselineKind kind, ProbeSplit split)
{
    if (kind != ProbeBaselineKind::MeansRemoved)
        return {};
    return split == ProbeSplit::Rows ? QStringLiteral(" (near chance)") : QStringLiteral(" (chance by construction)");
}

void addBaselines(Rows& rows, const ProbeOptions& options)
{
    for (const ProbeBaselineKind kind : {ProbeBaselineKind::Gaussian, ProbeBaselineKind::RandomCut,
                                         ProbeBaselineKind::ControlTask, ProbeBaselineKind::MeansRemoved})
        rows.add(QString::fromUtf8(baselineTitle(kind).data()) + noteOf(kind, options.split),
                 [kind](const ProbeBaselines& all) -> QString {
                     const ProbeBaseline* found = all.find(kind);
                     if (found == nullptr)
                         return QString();
                     return kind == ProbeBaselineKind::MeansRemoved ? fixedNumber(found->accuracy, 3)
                                                                    : withInterval(found->accuracy, found->ci95);
                 });
    rows.add(QStringLiteral("control-task gap"), [](const ProbeBaselines& all) -> QString {
        return std::isfinite(all.selectivity) ? withInterval(all.selectivity, all.selectivityCi95) : QString();
    });
    const QString tested = options.split == ProbeSplit::Rows ? QStringLiteral("vectors") : QStringLiteral("documents");
    rows.add(QStringLiteral("the probe on other test %1").arg(tested), [](const ProbeBaselines& all) -> QString {
        return all.splits.accuracies.size() > 1 ? QStringLiteral("%1 (sd of %2 splits: %3)")
                                                      .arg(fixedNumber(all.splits.mean, 3))
                                                      .arg(all.splits.accuracies.size())
                                                      .arg(fixedNumber(all.splits.sd, 3))
                                                : QString();
    });
}

void addGroups(Rows& rows)
{
    const auto ofGroups = [](auto text) {
        return [text](const ProbeBaselines& all) -> QString {
            return all.groups && all.groups->errors > 0 ? QString(text(*all.groups)) : QString();
        };
    };
    rows.add(QStringLiteral("errors within the KV group"), ofGroups([](const GroupErrors& groups) -> QString {
                 return withInterval(groups.share, groups.ci95) +
                        QStringLiteral(" of %1").arg(groupedNumber(groups.errors));
             }));
    rows.add(QStringLiteral("these errors by chance"),
             ofGroups([](const GroupErrors& groups) -> QString { return fixedNumber(groups.chance, 3); }));
    rows.add(QStringLiteral("rank of the grouping"), ofGroups([](const GroupErrors& groups) -> QString {
                 return QStringLiteral("%1 of %2%3")
                     .arg(groupedNumber(groups.rank), groupedNumber(groups.groupings),
                          groups.exact ? QString() : QStringLiteral(" (sampled)"));
             }));
    rows.add(QStringLiteral("p of the grouping"), ofGroups([](const GroupErrors& groups) -> QString {
                 return QStringLiteral("%1 (smallest possible: %2)")
                     .arg(QString::number(groups.p, 'g', 2), QString::number(groups.smallestP(), 'g', 2));
             }));
}

} // namespace

PaintedTable baselineTable(std::span<const ProbeResult> results)
{
    PaintedTable table;
    if (results.empty() || results.size() > kMostProbes)
        return table;
    table.header.push_back(QStringLiteral("Compared with"));
    for (const ProbeResult& result : results)
        table.header.push_back(columnTitle(result, results));
    Rows rows(results);
    addBaselines(rows, results.front().options);
    addGroups(rows);
    table.rows = rows.take();
    return table;
}

} // namespace headscope::viz

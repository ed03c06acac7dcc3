// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/probe_baseline_model.h"

#include "model/data/results/probe_frame.h"
#include "ui/theme/theme.h"
#include "ui/words/decimal_text.h"
#include "ui/words/wording.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::ui
{
namespace
{

constexpr ColumnInfo kColumns[] = {
    {"name", "Compared with", "", "The same probe on other vectors, labels or documents", "", Shown::Text},
    {"share", "Value", "", "Accuracy, or the proportion of errors within the group", "", Shown::Share},
};
constexpr FrameInfo kCompared = {.key = "compared", .columns = kColumns};

/// What the command calls this number of a probe, and how it explains it.
const ColumnInfo& infoOf(std::string_view key)
{
    return *kProbesFrame.find(key);
}

} // namespace

ProbeBaselineModel::ProbeBaselineModel(QObject* parent)
    : FrameModel(
          {{"name"},
           {"share"},
           {"share",
            Facet::Range,
            {},
            tr("95% CI over documents; some rows show the standard deviation or p instead")}},
          [this](int row, int column, int role) { return extra(m_rows[static_cast<std::size_t>(row)], column, role); },
          parent)
{}

void ProbeBaselineModel::setResult(const std::shared_ptr<const ProbeResult>& result)
{
    m_rows.clear();
    if (result != nullptr)
    {
        m_rows.push_back({tr("The probe"),
                          result->accuracy,
                          {result->ci95Low, result->ci95High},
                          tr("On the single split made with the probe’s seed")});
        m_rows.push_back({tr("Chance"),
                          1 / static_cast<double>(std::max<std::int64_t>(1, result->classes)),
                          {},
                          tr("Expected by chance: 1 in %1").arg(countText(result->classes))});
        if (result->baselines)
            addBaselines(*result);
    }
    Frame frame(kCompared);
    frame.add("name", columnValues(m_rows, [](const Row& row) { return toStdString(row.name); }));
    frame.add("share", columnValues(m_rows, &Row::share)).interval(columnValues(m_rows, &Row::interval));
    setFrame(std::move(frame));
}

void ProbeBaselineModel::addBaselines(const ProbeResult& result)
{
    const ProbeBaselines& all = *result.baselines;
    const Stage stage = result.stage.value_or(Stage::HeadOutput);
    if (const auto n = std::ssize(all.splits.accuracies); n > 1)
        m_rows.insert(m_rows.begin() + 1, {tr("Mean of %1 splits").arg(n),
                                           all.splits.mean,
                                           {},
                                           columnTip(infoOf("split_sd")),
                                           tr("sd %1").arg(decimalText(all.splits.sd, 3))});
    m_rows.push_back({tr("%1 permuted").arg(unitsTitle(stage)),
                      all.null.mean,
                      {},
                      tr("The true %2 are permuted %1 times within each document; predictions stay fixed. p = (1 + "
                         "number of permutations at least as good) / (1 + %1)")
                          .arg(QString::number(all.null.permutations), unitsText(stage)),
                      tr("p %1").arg(probabilityText(all.null.p))});
    for (const ProbeBaseline& each : all.baselines)
    {
        const ColumnInfo& info = infoOf(baselineName(each.kind));
        m_rows.push_back(
            {toQString(info.title), each.accuracy, hasInterval(each.kind) ? each.ci95 : Interval(), columnTip(info)});
    }
    const Frame frame = probesFrame({&result, 1});
    const headscope::Column& gap = *frame.find("control_task_gap");
    const QString draws = tr("; mean over %1 samples of the task (standard deviation of the accuracies: %2)")
                              .arg(QString::number(all.controlDraws), decimalText(all.controlSd, 3));
    m_rows.push_back({toQString(gap.info->title), all.selectivity, all.selectivityCi95,
                      tr("%1%2. 95% CI: %3")
                          .arg(columnTip(*gap.info), all.controlDraws > 1 ? draws : QString(),
                               toQString(gap.intervalMethod.front()))});
    if (all.groups)
        addGroups(tr("Errors within KV group"), *all.groups, columnTip(infoOf("in_group_share")), true);
    if (all.groupsCentred)
        addGroups(tr("… group means removed"), *all.groupsCentred,
                  columnTip(infoOf("in_group_share_group_means_removed")), false);
}

void ProbeBaselineModel::addGroups(const QString& name, const GroupErrors& groups, const QString& tip, bool ranked)
{
    if (groups.errors == 0)
        return;
    QString more =
        tr("Expected if errors were spread evenly over the other heads: %1.").arg(decimalText(groups.chance, 3));
    if (ranked)
        more += tr(" The true grouping has rank %1 among %2 groupings with the same group sizes%3; p %4.")
                    .arg(countText(groups.rank), countText(groups.groupings),
                         groups.exact ? QString() : tr(" (sampled)"), decimalText(groups.p, 3));
    m_rows.push_back({name, groups.share, groups.ci95, tip % QLatin1Char('\n') % more});
}

QVariant ProbeBaselineModel::extra(const Row& row, int column, int role) const
{
    switch (role)
    {
    case Qt::DisplayRole:
        return column == IntervalColumn && !std::isfinite(row.interval.low) ? QVariant(row.instead) : QVariant();
    case Qt::ToolTipRole:
    case Qt::AccessibleDescriptionRole:
        return row.tip;
    case Qt::FontRole:
        return &row == &m_rows.front() && column == ValueColumn ? QVariant(Theme::bodyFont(true)) : QVariant();
    default:
        return {};
    }
}

} // namespace headscope::ui

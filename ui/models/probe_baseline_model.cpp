// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/probe_baseline_model.h"

#include "ui/theme/theme.h"
#include "ui/words/wording.h"

#include <QLocale>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::ui
{
namespace
{

QString share(double value)
{
    return std::isfinite(value) ? QLocale().toString(value, 'f', 3) : QStringLiteral("–");
}

constexpr ColumnInfo kColumns[] = {
    {"name", "Compared with", "", "The same probe on other vectors, labels or documents", "", Shown::Text},
    {"share", "Share", "", "Accuracy; of errors in a group the share of all errors", "", Shown::Share},
};
constexpr FrameInfo kCompared = {.key = "compared", .columns = kColumns};

QString nameOf(ProbeBaselineKind kind)
{
    switch (kind)
    {
    case ProbeBaselineKind::MeansRemoved:
        return ProbeBaselineModel::tr("Means removed");
    case ProbeBaselineKind::Gaussian:
        return ProbeBaselineModel::tr("Gaussian noise");
    case ProbeBaselineKind::RandomCut:
        return ProbeBaselineModel::tr("Random cut");
    case ProbeBaselineKind::ControlTask:
        break;
    }
    return ProbeBaselineModel::tr("Control task");
}

QString tipOf(ProbeBaselineKind kind)
{
    switch (kind)
    {
    case ProbeBaselineKind::MeansRemoved:
        return ProbeBaselineModel::tr(
            "Each head's mean over the training documents taken away. With all rows of a document on one side that is "
            "chance by construction: a linear probe needs differences of means.");
    case ProbeBaselineKind::Gaussian:
        return ProbeBaselineModel::tr("Independent noise with each head's mean and variance of every coordinate: as "
                                      "accurate as the probe where offsets and spread are all it needs");
    case ProbeBaselineKind::RandomCut:
        return ProbeBaselineModel::tr("All coordinates of a document permuted once and cut into equal parts (one "
                                      "draw): that parts drawn by chance can be told, too, says that telling heads "
                                      "does not show that they are specialised.");
    case ProbeBaselineKind::ControlTask:
        break;
    }
    return ProbeBaselineModel::tr("After Hewitt and Liang: documents in as many clusters as heads, and in each cluster "
                                  "the heads' names permuted. Arbitrary, but learnable: what the probe can learn by "
                                  "memory");
}

} // namespace

ProbeBaselineModel::ProbeBaselineModel(QObject* parent)
    : FrameModel(
          {{"name"}, {"share"}, {"share", Facet::Range, {}, tr("By document; where the row says so sd or p")}},
          [this](int row, int column, int role) { return extra(m_rows[static_cast<std::size_t>(row)], column, role); },
          parent)
{}

void ProbeBaselineModel::setResult(const std::shared_ptr<const ProbeResult>& result)
{
    m_rows.clear();
    if (result != nullptr)
    {
        m_rows.push_back(
            {tr("The probe"), result->accuracy, {result->ci95Low, result->ci95High}, tr("On the split of its seed")});
        m_rows.push_back({tr("Chance"),
                          1 / static_cast<double>(std::max<std::int64_t>(1, result->classes)),
                          {},
                          tr("One of %1 named at random").arg(countText(result->classes))});
        if (result->baselines)
            addBaselines(*result->baselines, result->stage.value_or(Stage::HeadOutput));
    }
    Frame frame(kCompared);
    frame.add("name", columnValues(m_rows, [](const Row& row) { return toStdString(row.name); }));
    frame.add("share", columnValues(m_rows, &Row::share)).interval(columnValues(m_rows, &Row::interval));
    setFrame(std::move(frame));
}

void ProbeBaselineModel::addBaselines(const ProbeBaselines& all, Stage stage)
{
    if (const auto n = std::ssize(all.splits.accuracies); n > 1)
        m_rows.insert(m_rows.begin() + 1,
                      {tr("Mean of %1 splits").arg(n),
                       all.splits.mean,
                       {},
                       tr("Other documents test, by this seed and the next ones. The sd is of the accuracies, not of "
                          "their mean."),
                       tr("sd %1").arg(share(all.splits.sd))});
    m_rows.push_back({tr("%1 permuted").arg(unitsTitle(stage)),
                      all.null.mean,
                      {},
                      tr("The true %2 of each document's rows change places %1 times and the predictions stay, without "
                         "refits; p: (1 + those with at least as many right) / (1 + %1)")
                          .arg(QString::number(all.null.permutations), unitsText(stage)),
                      tr("p %1").arg(probabilityText(all.null.p))});
    for (const ProbeBaseline& each : all.baselines)
        m_rows.push_back({nameOf(each.kind), each.accuracy,
                          each.kind == ProbeBaselineKind::MeansRemoved ? Interval() // by construction: none
                                                                       : each.ci95,
                          tipOf(each.kind)});
    const QString draws = tr("mean over %1 draws of the task (sd of its accuracies %2)")
                              .arg(QString::number(all.controlDraws), share(all.controlSd));
    m_rows.push_back(
        {tr("Control-task gap"), all.selectivity, all.selectivityCi95,
         tr("Accuracy less that of the control task%1; interval by resampling documents and by Student’s t "
            "over the draws")
             .arg(all.controlDraws > 1 ? QStringLiteral(", ") % draws : QString())});
    if (all.groups)
        addGroups(tr("Errors in the KV group"), *all.groups,
                  tr("Of the errors, those that name another head of the same KV group.") % QLatin1Char(' ') %
                      valuesNotMeasuredText(),
                  true);
    if (all.groupsCentred)
        addGroups(
            tr("… group means removed"), *all.groupsCentred,
            tr("The same after each group's mean vector was taken away. What is left of a group's heads sums to zero, "
               "which pushes them apart: less than chance is expected, and what else would be is not known."),
            false);
}

void ProbeBaselineModel::addGroups(const QString& name, const GroupErrors& groups, const QString& tip, bool ranked)
{
    if (groups.errors == 0)
        return;
    QString more = tr("%1 if errors were spread evenly over the other heads.").arg(share(groups.chance));
    if (ranked)
        more += tr(" Rank %1 of %2 groupings of the heads into groups of these sizes%3; p %4.")
                    .arg(countText(groups.rank), countText(groups.groupings), groups.exact ? QString() : tr(" (drawn)"),
                         share(groups.p));
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

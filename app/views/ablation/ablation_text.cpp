// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/ablation/ablation_text.h"

#include "model/data/head_ranges.h"
#include "ui/words/translate.h"
#include "ui/words/wording.h"

#include <QStringList>

namespace headscope::ui
{

QString headsOffText(const SwitchOffResult& result)
{
    const QString heads = toQString(formatHeadRanges(result.heads));
    return result.heads.size() == 1 ? tr("Head %1 of layer %2").arg(heads).arg(result.layer)
                                    : tr("Heads %1 of layer %2").arg(heads).arg(result.layer);
}

QString switchOffOfText(const SwitchOffResult& result)
{
    return tr("%1 set to %2 · %3 of %4")
        .arg(headsOffText(result), result.ablation == "mean" ? tr("the mean") : tr("zero"),
             countText(std::ssize(result.documents)), countText(result.allDocuments, tr("document"), tr("documents")));
}

QString otherNearestText(const VectorChange& change)
{
    std::int64_t others = 0;
    for (std::int64_t row = 0; row < change.before.rows(); ++row)
        others += change.before(row, 0) != change.after(row, 0) ? 1 : 0;
    return tr("%1 of %2").arg(countText(others), countText(change.before.rows()));
}

QString switchOffLegend(const SwitchOffResult& result)
{
    QStringList sentences;
    sentences << tr("Full-model ablation: %1, compared with the same vectors in the cache. Nearest documents are found "
                    "by cosine among the sampled documents. Brackets: 95% CI (bootstrap over documents).")
                     .arg(toQString(result.inModel.what));
    if (result.cut)
        sentences << tr("Cache-only ablation: %1. The ablated heads are set to zero, without a forward pass.")
                         .arg(toQString(result.cut->what));
    else
        sentences << tr("No cache-only ablation: %1.").arg(toQString(result.cutMissing));
    if (!result.moved)
        sentences << tr("Not shown on the map: %1.").arg(toQString(result.movedMissing));
    else
    {
        const MovedPoints& moved = *result.moved;
        sentences << tr("On the map: %1 points moved, %2 did not.")
                         .arg(countText(std::ssize(moved.points)), countText(moved.unmoved));
        if (!moved.points.empty())
            sentences << tr("The map is not recomputed. Each point moves by as much as the weighted mean position of "
                            "its %1 nearest cached vectors shifts.")
                             .arg(countText(moved.neighbors));
        if (moved.unplaced > 0)
            sentences
                << tr("Points without a position, because their vectors are zero: %1.").arg(countText(moved.unplaced));
        if (moved.map != nullptr && moved.map->stage == Stage::HeadOutput && moved.map->layer.value() == result.layer)
            sentences << tr("In stage 1 of this layer, only the ablated heads change. Later layers show the effects.");
        if (moved.map != nullptr && moved.map->layer.value() < result.layer)
            sentences << tr("The map shows an earlier layer, which the ablation does not affect.");
    }
    for (const std::string& notice : result.notices)
        sentences << toQString(notice) + u'.';
    return sentences.join(u' ');
}

} // namespace headscope::ui

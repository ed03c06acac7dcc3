// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/heads/running/ablation_text.h"

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
        .arg(headsOffText(result), result.ablation == "mean" ? tr("their mean") : tr("zero"),
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
    sentences << tr("In the model: %1, by the model that runs without these heads, against those of the cache. Nearest "
                    "ones are by the cosine among these documents; in brackets 95 %, bootstrap over documents.")
                     .arg(toQString(result.inModel.what));
    if (result.cut)
        sentences << tr("Cut of the cache: %1, with these heads set to zero; the model is not run.")
                         .arg(toQString(result.cut->what));
    else
        sentences << tr("No cut: %1.").arg(toQString(result.cutMissing));
    if (!result.moved)
        sentences << tr("Nothing on the map: %1.").arg(toQString(result.movedMissing));
    else
    {
        const MovedPoints& moved = *result.moved;
        sentences << tr("On the map: %1 points moved, %2 did not.")
                         .arg(countText(std::ssize(moved.points)), countText(moved.unmoved));
        if (!moved.points.empty())
            sentences
                << tr("The old map is held still; a point moves by where its %1 nearest old vectors lie, those of "
                      "its new vector less those of its old one.")
                       .arg(countText(moved.neighbors));
        if (moved.unplaced > 0)
            sentences << tr("%1 have no place any more: their vectors are zero.").arg(countText(moved.unplaced));
        if (moved.map != nullptr && moved.map->stage == Stage::HeadOutput && moved.map->layer.value() == result.layer)
            sentences << tr("In stage 1 of the layer itself only heads that are off change: later layers show what "
                            "follows.");
        if (moved.map != nullptr && moved.map->layer.value() < result.layer)
            sentences << tr("The map is of an earlier layer, which nothing of this reaches.");
    }
    for (const std::string& notice : result.notices)
        sentences << toQString(notice) + u'.';
    return sentences.join(u' ');
}

} // namespace headscope::ui

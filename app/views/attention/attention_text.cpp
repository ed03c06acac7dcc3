// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/attention/attention_text.h"

#include "model/data/attention/attention_columns.h"
#include "model/data/key_sharing.h"
#include "ui/models/frame_model.h"
#include "ui/words/decimal_text.h"
#include "ui/words/translate.h"
#include "ui/words/wording.h"
#include "viz/attention/shown_weights.h"
#include "viz/attention/token_names.h"

#include <QLocale>
#include <QStringList>

#include <algorithm>
#include <cmath>

namespace headscope::ui
{
namespace
{

bool anyValue(const MatrixD& values)
{
    return std::any_of(values.values().begin(), values.values().end(), [](double each) { return std::isfinite(each); });
}

} // namespace

QString placeText(AttentionHead place)
{
    return tr("Layer %1, head %2").arg(place.layer.value()).arg(shownNumber(place.head));
}

std::vector<HeadIndex> groupHeads(const ModelInfo& model, HeadIndex head)
{
    if (keySharing(model) != KeySharing::Groups && keySharing(model) != KeySharing::One)
        return {head};
    const std::int64_t size = model.groupSize();
    const std::int64_t first = head.value() / size * size;
    std::vector<HeadIndex> heads;
    for (std::int64_t each = first; each < first + size; ++each)
        heads.emplace_back(each);
    return heads;
}

QString sharingText(const ModelInfo& model, HeadIndex head)
{
    switch (keySharing(model))
    {
    case KeySharing::Own:
        return tr("its own KV head");
    case KeySharing::One:
        return tr("all heads share one KV head");
    case KeySharing::Unknown:
        return {};
    case KeySharing::Groups:
        break;
    }
    QStringList others;
    for (const HeadIndex each : groupHeads(model, head))
        if (each != head)
            others << QString::number(shownNumber(each));
    return tr("KV group %1 · KV head shared with %2")
        .arg(shownNumber(model.groupOf(head)))
        .arg(others.join(QStringLiteral(", ")));
}

QString measureTitle(std::string_view name)
{
    const ColumnInfo* info = findAttentionColumn(name);
    const QString title = toQString(info != nullptr ? info->title : name);
    return title.left(1).toLower() % title.mid(1);
}

QString measureTip(std::string_view name)
{
    const ColumnInfo* info = findAttentionColumn(name);
    return info != nullptr ? columnTip(*info) : QString();
}

QString measureText(double value)
{
    return decimalText(value, 2);
}

std::vector<std::string> measuresOf(const AttentionRun& run)
{
    std::vector<std::string> names;
    for (const ColumnInfo& each : kAttentionColumns)
        if (const auto found = run.statistics.find(std::string(each.key));
            found != run.statistics.end() && anyValue(found->second))
            names.push_back(found->first);
    for (const auto& [name, values] : run.statistics)
        if (findAttentionColumn(name) == nullptr && anyValue(values))
            names.push_back(name);
    return names;
}

QString tokensText(const AttentionRun& run)
{
    const QString count = countText(run.tokenCount(), tr("token"), tr("tokens"));
    return run.truncated ? tr("%1, text truncated").arg(count) : count;
}

QString readsText(const AttentionRun& run, TokenIndex reading, TokenIndex read)
{
    return tr("%1 attends to %2")
        .arg(viz::quotedToken(run.tokens[reading.index()]), viz::quotedToken(run.tokens[read.index()]));
}

QString runText(const AttentionRun& run)
{
    QStringList facts{toQString(run.model.name)};
    if (run.maker == AttentionMaker::Stored)
        facts << tr("stored run");
    if (run.model.changes.any())
        facts << toQString(run.model.changes.words(run.model.kvHeads));
    facts << tokensText(run);
    if (run.seconds > 0)
        facts << tr("%1 s").arg(QLocale().toString(run.seconds, 'f', 2));
    return facts.join(QStringLiteral(" · "));
}

std::vector<ReadToken> strongestRead(const AttentionRun& run, AttentionHead place, TokenIndex reading,
                                     bool withoutFirst, std::size_t most)
{
    const MatrixF* rows = run.weightsOf(place.layer, place.head);
    if (rows == nullptr || reading.value() >= rows->rows())
        return {};
    const auto row = rows->row(reading.value());
    const double factor = withoutFirst ? viz::factorWithoutFirst(row) : 1;
    std::vector<ReadToken> all;
    for (std::int64_t token = withoutFirst ? 1 : 0; token < std::ssize(row); ++token)
        if (const double share = static_cast<double>(row[static_cast<std::size_t>(token)]) * factor; share > 0)
            all.push_back({TokenIndex(token), share});
    const std::size_t kept = std::min(most, all.size());
    std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(kept), all.end(),
                      [](const ReadToken& one, const ReadToken& other) {
                          return one.share != other.share ? one.share > other.share : one.token < other.token;
                      });
    all.resize(kept);
    return all;
}

} // namespace headscope::ui

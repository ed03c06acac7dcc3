// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/words/wording.h"

#include "model/base/text/one_line.h"
#include "model/data/key_sharing.h"
#include "model/data/last_layer.h"
#include "ui/words/decimal_text.h"
#include "ui/words/translate.h"
#include "ui/words/window_text.h"

#include <QLocale>

#include <algorithm>
#include <array>
#include <cmath>

namespace headscope::ui
{
namespace
{

/// In the locale's digits, with a true minus sign; what rounds to zero has none.
QString written(double value, int decimals)
{
    const QString size = QLocale().toString(std::abs(value), 'f', decimals);
    const bool isZero = size == QLocale().toString(0.0, 'f', decimals);
    return std::signbit(value) && !isZero ? QStringLiteral("−") % size : size;
}

} // namespace

QString toQString(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

std::string toStdString(const QString& text)
{
    return text.toUtf8().toStdString();
}

QString countText(std::int64_t count)
{
    return QLocale().toString(static_cast<qlonglong>(count));
}

QString countText(std::int64_t count, const QString& one, const QString& many)
{
    return countText(count) % QChar(0x00A0) % (count == 1 ? one : many);
}

QString chosenHeadsText(std::int64_t chosen, std::int64_t all, Stage stage)
{
    return chosenHeadsText(chosen, all, std::span<const Stage>(&stage, 1));
}

QString chosenHeadsText(std::int64_t chosen, std::int64_t all, std::span<const Stage> stages)
{
    if (stages.size() == 1 && stages.front() == Stage::Embedding)
        return countText(chosen, tr("embedding"), tr("embeddings")); // the only one of a document
    const std::string_view unit = unitName(stages);
    const QString heads = unit == "head"      ? countText(all, tr("head"), tr("heads"))
                          : unit == "segment" ? countText(all, tr("segment"), tr("segments"))
                                              : countText(all, tr("head or segment"), tr("heads or segments"));
    if (chosen <= 0)
        return tr("none of %1").arg(heads);
    if (chosen < all)
        return tr("%1 of %2").arg(countText(chosen), heads);
    return all == 1 ? heads : tr("all %1").arg(heads);
}

QString overText(std::int64_t documents, std::int64_t all)
{
    if (documents == all)
        return tr("over %1").arg(countText(documents, tr("document"), tr("documents")));
    return tr("over the selected %1 of %2").arg(countText(documents), countText(all, tr("document"), tr("documents")));
}

QString missingText()
{
    return QStringLiteral("–");
}

QString decimalText(double value, int decimals)
{
    return std::isfinite(value) ? written(value, decimals) : missingText();
}

QString percentText(double share)
{
    return std::isfinite(share) ? decimalText(100 * share, 1) % QStringLiteral("%") : missingText();
}

QString pointsText(double difference)
{
    if (!std::isfinite(difference))
        return missingText();
    const double points = std::round(1000 * difference) / 10;
    const QString size = QLocale().toString(std::abs(points), 'f', 1);
    return points > 0 ? u'+' % size : points < 0 ? QStringLiteral("−") % size : size;
}

QString pointsText(double difference, const Interval& interval)
{
    if (!std::isfinite(interval.low) || !std::isfinite(interval.high))
        return tr("%1 (no interval)").arg(pointsText(difference));
    return tr("%1 (%2 to %3)").arg(pointsText(difference), pointsText(interval.low), pointsText(interval.high));
}

QString durationText(double seconds)
{
    if (!(seconds >= 0))
        return {};
    const auto whole = static_cast<std::int64_t>(std::ceil(std::min(seconds, 1e9)));
    if (whole < 60)
        return tr("%1 s").arg(whole);
    if (whole < 3600)
        return tr("%1 min %2 s").arg(whole / 60).arg(whole % 60);
    return tr("%1 h %2 min").arg(whole / 3600).arg(whole % 3600 / 60);
}

QString bytesText(std::uint64_t bytes)
{
    return QLocale().formattedDataSize(static_cast<qint64>(bytes), bytes < 1'000'000'000 ? 0 : 1,
                                       QLocale::DataSizeSIFormat);
}

QString rateText(double rate, const QString& unit)
{
    if (!(rate > 0))
        return {};
    return QLocale().toString(rate, 'f', rate < 10 ? 1 : 0) % QChar(u' ') % unit % QStringLiteral("/s");
}

QString probabilityText(double p)
{
    return QLocale().toString(p, 'g', 2);
}

QString numberText(double value)
{
    if (std::isnan(value))
        return tr("not a number");
    const double size = std::abs(value);
    const int decimals = size >= 100 ? 0 : size >= 10 ? 1 : 2;
    return written(value, decimals);
}

QString progressText(const Progress& progress)
{
    QStringList parts;
    if (progress.total > 0)
        parts << countText(static_cast<std::int64_t>(progress.done)) % QStringLiteral(" / ") %
                     countText(static_cast<std::int64_t>(progress.total)) %
                     (progress.unit.empty() ? QString() : QChar(u' ') % toQString(progress.unit));
    else if (progress.done > 0)
        parts << countText(static_cast<std::int64_t>(progress.done)) % QChar(u' ') % toQString(progress.unit);
    if (const QString rate = rateText(progress.rate, QString()); !rate.isEmpty() && progress.done > 0)
        parts << rate;
    if (progress.eta >= 0 && progress.done < progress.total)
        parts << tr("%1 left").arg(durationText(progress.eta));
    return parts.join(QStringLiteral(" · "));
}

QString valuesNotMeasuredText()
{
    return tr(
        "Heads of a group share one KV head. How much of the confusion comes from the shared values is not measured.");
}

namespace
{

/// @param words  for heads, segments, the sentence embedding
QString unitWord(Stage stage, const std::array<QString, 3>& words)
{
    return words[stage == Stage::Embedding ? 2 : unitName(stage) == "head" ? 0 : 1];
}

} // namespace

QString unitText(Stage stage)
{
    return unitWord(stage, {tr("head"), tr("segment"), tr("embedding")});
}

QString unitText(Stage stage, HeadIndex head)
{
    if (stage == Stage::Embedding) // the only one of a document
        return tr("Sentence embedding");
    return (unitName(stage) == "head" ? tr("Head %1") : tr("Segment %1")).arg(shownNumber(head));
}

QString unitsText(Stage stage)
{
    return unitWord(stage, {tr("heads"), tr("segments"), tr("embeddings")});
}

QString unitTitle(Stage stage)
{
    return unitWord(stage, {tr("Head"), tr("Segment"), tr("Embedding")});
}

QString unitsTitle(Stage stage)
{
    return unitWord(stage, {tr("Heads"), tr("Segments"), tr("Embeddings")});
}

QString headsAndGroupsText(const ModelInfo& info)
{
    const QString heads = countText(info.heads, tr("head"), tr("heads"));
    switch (info.heads > 1 ? keySharing(info) : KeySharing::Unknown)
    {
    case KeySharing::Own:
        return tr("%1, each with its own KV head").arg(heads);
    case KeySharing::Groups:
        return tr("%1 in %2").arg(heads, countText(info.kvHeads, tr("KV group"), tr("KV groups")));
    case KeySharing::One:
        return tr("%1, all sharing one KV head").arg(heads);
    case KeySharing::Unknown:
        break;
    }
    return heads;
}

QString groupTag(const ModelInfo& info, Stage stage, HeadIndex head)
{
    return hasKvGroups(info, stage) ? tr("KV%1").arg(shownNumber(info.groupOf(head))) : QString();
}

QString stageTitle(Stage stage)
{
    switch (stage)
    {
    case Stage::HeadOutput:
        return tr("Heads, before o_proj");
    case Stage::ProjectedSegment:
        return tr("Segments of o_proj’s output");
    case Stage::OutputSegment:
        return tr("Segments of the output");
    case Stage::Contribution:
        return tr("Contribution of each head");
    case Stage::Embedding:
        return tr("The sentence embedding");
    }
    return {};
}

QString stageHint(Stage stage)
{
    switch (stage)
    {
    case Stage::HeadOutput:
        return tr("before the output projection");
    case Stage::ProjectedSegment:
        return tr("combined by o_proj, in segments");
    case Stage::OutputSegment:
        return tr("heads and MLP, in segments");
    case Stage::Contribution:
        return tr("what a head adds to o_proj’s output");
    case Stage::Embedding:
        return tr("after the model’s modules");
    }
    return {};
}

QString stageHint(const ModelInfo& info, LayerIndex layer, Stage stage)
{
    const std::string_view norm = finalNormNote(info, layer, stage);
    if (norm.empty())
        return stageHint(stage);
    return info.lastLayerRaw ? tr("before the final norm, in segments") : tr("after the final norm, in segments");
}

QString stageTip(const ModelInfo& info, LayerIndex layer, Stage stage)
{
    QString tip;
    switch (stage)
    {
    case Stage::HeadOutput:
        return tr("The output of each head, before the output projection (o_proj)");
    case Stage::ProjectedSegment:
        tip = tr("Segments of the output of o_proj, before the residual. Every head writes into each segment.");
        break;
    case Stage::OutputSegment:
        tip = tr("Segments of the output of the layer. All heads, the MLP and lower layers write into each segment.");
        break;
    case Stage::Contribution:
        return tr("What each head adds to the output of o_proj. The contributions of all heads of a layer add up to "
                  "this output, except for a bias.");
    case Stage::Embedding:
        return tr("The sentence embedding: the pooled final hidden state after the model’s modules");
    }
    if (finalNormNote(info, layer, stage).empty())
        return tip;
    return tip % QChar(u' ') %
           (info.lastLayerRaw ? tr("Last layer: before the final norm.") : tr("Last layer: after the final norm."));
}

QString errorHeading(ErrorCode code)
{
    switch (code)
    {
    case ErrorCode::FileNotFound:
        return tr("File not found");
    case ErrorCode::BadFormat:
        return tr("File could not be read");
    case ErrorCode::Unsupported:
        return tr("Not supported");
    case ErrorCode::ShapeMismatch:
        return tr("Inconsistent data");
    case ErrorCode::InvalidArgument:
        return tr("Not possible with this data");
    case ErrorCode::WrongUse:
        return tr("Not possible");
    case ErrorCode::Resource:
        return tr("System error");
    case ErrorCode::OutOfMemory:
        return tr("Not enough memory");
    case ErrorCode::Cancelled:
        return tr("Cancelled");
    case ErrorCode::Internal:
        return tr("Bug in Headscope");
    }
    return {};
}

QString errorText(const Error& error)
{
    return withoutOptions(toQString(error.sentence()));
}

QString firstLine(std::string_view text, qsizetype maxLength)
{
    return toQString(headscope::firstLine(text, static_cast<std::size_t>(maxLength)));
}

} // namespace headscope::ui

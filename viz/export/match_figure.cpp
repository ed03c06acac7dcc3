// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/export/match_figure.h"

#include "viz/axis/key_line.h"
#include "viz/axis/text.h"
#include "viz/chart/match_bars.h"
#include "viz/color/inks.h"
#include "viz/export/figure_export.h"
#include "viz/export/figure_text.h"

#include <QPainter>

#include <array>
#include <cmath>
#include <utility>

namespace headscope::viz
{

QString matchCaption(const TopicMatch& match, const ModelInfo& info)
{
    return QStringLiteral("Proportion of documents whose true topic is %1, by cosine: %2 and %3 topics of %4 (stage "
                          "%5, layer %6). Topics: %7. %8")
               .arg(matchLevels(match.result), counted(match.result.documents, QStringLiteral("labelled document")),
                    QString::number(match.result.topics), modelName(info), wordsOf(stageName(match.stage)),
                    QString::number(match.layer.value()),
                    match.vectorsText.empty() ? QStringLiteral("names") : wordsOf(match.vectorsText),
                    matchTests(match)) +
           finalNormSentence(info, match.layer, match.stage) + segmentsNote(std::array{match.stage});
}

namespace
{

Result<FigureSpec> matchSpec(const TopicMatch& match, const ModelInfo& info, const std::vector<std::int64_t>& heads,
                             FigureOptions options)
{
    if (match.result.share.rows() == 0 || match.result.share.cols() == 0)
        return Error{ErrorCode::InvalidArgument, "there is no match to draw", {}, {}};
    fillIn(options, matchCaption(match, info),
           {{QStringLiteral("model"), modelName(info)},
            {QStringLiteral("stage"), wordsOf(stageName(match.stage))},
            {QStringLiteral("layer"), QString::number(match.layer.value())},
            {QStringLiteral("topics"), QString::fromStdString(match.vectorsText)},
            {QStringLiteral("input"), QString::fromStdString(match.result.inputHash)}});
    constexpr double kKeyPt = kFigureTextPt - 1;
    const double row = std::ceil(1.1 * lineHeight(textFont(kKeyPt)));
    const double frame = 3 * lineHeight(textFont(kFigureTextPt)); // title and ticks
    const double name = lineHeight(textFont(kKeyPt));             // of the axis
    const auto rows = heads.empty() ? match.result.share.rows() : static_cast<std::int64_t>(heads.size()) + 1;
    const std::vector<KeyEntry> key = matchKey(match);
    const double below = keyHeight(key, contentWidth(options), kKeyPt);
    followContent(options, frame + static_cast<double>(rows) * row + name + kFigureGap + below);
    return FigureSpec{
        [match, palette = HeadPalette(info, options.theme), heads, key, name, below](QPainter& painter, const QRectF& box, double) {
            const QRectF bars = box.adjusted(0, 0, 0, -below - kFigureGap - name);
            paintMatchBars(painter, match, palette, heads, bars, kFigureTextPt);
            drawLine(painter, {bars.left(), bars.bottom(), bars.width(), name},
                     QStringLiteral("proportion of documents"), textFont(kKeyPt), inks(InkTheme::Light).secondary,
                     Qt::AlignCenter);
            paintKey(painter, key, {box.left(), box.bottom() - below, box.width(), below}, kKeyPt);
        },
        std::move(options)};
}

} // namespace

Figure figureOfMatch(TopicMatch match, ModelInfo info, std::vector<std::int64_t> heads)
{
    return [match = std::move(match), info = std::move(info), heads = std::move(heads)](FigureOptions options) {
        return matchSpec(match, info, heads, std::move(options));
    };
}

} // namespace headscope::viz

// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/export/attention/attention_figures.h"

#include "model/data/key_sharing.h"
#include "viz/attention/attention_key.h"
#include "viz/attention/head_measure.h"
#include "viz/attention/thumbnail_atlas.h"
#include "viz/attention/token_lines.h"
#include "viz/attention/weight_matrix.h"
#include "viz/axis/text.h"
#include "viz/export/figure_text.h"
#include "viz/export/part_figures.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

namespace headscope::viz
{
namespace
{

constexpr double kTextPt = kFigureTextPt - 1;
constexpr double kTokenRow = 11;      // of a token that is named
constexpr double kHighestLines = 320; // of longer texts names are left out
constexpr double kLargestCell = 24;   // of the pictures of all heads
constexpr std::int64_t kMaxLines = 1200;
constexpr double kMinPart = 150;
constexpr double kLargestNumbered = 64; // tokens of a table whose cells are shapes

using Place = std::pair<LayerIndex, HeadIndex>;

std::shared_ptr<const MatrixF> rowsOf(const AttentionRun& run, Place place)
{
    for (const HeadWeights& each : run.weights)
        if (each.layer == place.first && each.head == place.second)
            return each.rows;
    return nullptr;
}

QString placeName(Place place)
{
    return QStringLiteral("Layer %1, head %2").arg(place.first.value()).arg(shownNumber(place.second));
}

std::vector<Place> placesOf(const AttentionFigure& figure)
{
    std::vector<Place> places{{figure.layer, figure.head}};
    places.insert(places.end(), figure.beside.begin(), figure.beside.end());
    return places;
}

/// Heads whose lines lie over each other.
std::vector<HeadIndex> drawnHeads(const AttentionFigure& figure, Place place)
{
    const ModelInfo& model = figure.run->model;
    const KeySharing sharing = keySharing(model);
    if (!figure.overlay || (sharing != KeySharing::Groups && sharing != KeySharing::One))
        return {place.second};
    const std::int64_t size = model.groupSize();
    std::vector<HeadIndex> heads;
    for (std::int64_t head = place.second.value() / size * size; std::ssize(heads) < size; ++head)
        heads.emplace_back(head);
    return heads;
}

LinePool poolOf(const AttentionFigure& figure, Place place, InkTheme theme)
{
    const HeadPalette palette(figure.run->model, theme);
    std::vector<LineSource> sources;
    for (const HeadIndex head : drawnHeads(figure, place))
        if (auto rows = rowsOf(*figure.run, {place.first, head}))
            sources.push_back(
                {ShownWeights(std::move(rows), figure.run->causal, figure.withoutFirst), palette.color(head)});
    return LinePool(std::move(sources));
}

/// What the pictures of one figure have in common.
struct Shared
{
    AttentionFigure figure;
    TokenNames names;
    InkTheme theme;
};

const MatrixD* measureOf(const AttentionFigure& figure)
{
    const auto found =
        figure.measure.empty() ? figure.run->statistics.end() : figure.run->statistics.find(figure.measure);
    return found != figure.run->statistics.end() && measureScale(found->second) ? &found->second : nullptr;
}

ThumbnailGridLayout gridIn(const AttentionFigure& figure, const QRectF& box)
{
    ThumbnailGridStyle style;
    style.textPx = kTextPt;
    constexpr double kTall = 20'000;
    const ThumbnailGridLayout widest(figure.run->layers, figure.run->model, {box.topLeft(), QSizeF(box.width(), kTall)},
                                     style);
    // Cells a little wider than high, as in the window.
    const int side = std::min(widest.cellSize().width(), static_cast<int>(kLargestCell));
    style.cell = QSize(side, std::max(6, static_cast<int>(std::lround(0.8 * side))));
    return {figure.run->layers, figure.run->model, {box.topLeft(), QSizeF(box.width(), kTall)}, style};
}

/// All pictures as one, since some kinds of files know no parts of pictures.
void paintGrid(QPainter& painter, const AttentionFigure& figure, InkTheme theme, const QRectF& box, double dpr)
{
    const ThumbnailGridLayout layout = gridIn(figure, box);
    const HeadPalette palette(figure.run->model, theme);
    const auto row = figure.run->placeOf(figure.layer);
    const auto chosen = row ? std::optional(ThumbnailCell{static_cast<std::int64_t>(*row), figure.head}) : std::nullopt;
    if (const MatrixD* values = measureOf(figure))
        paintMeasure(painter, layout, *values, measureColors(*measureScale(*values), InkTheme::Light));
    else if (figure.run->thumbnailSide > 0)
    {
        ThumbnailAtlas atlas;
        atlas.prepare(figure.run, (QSizeF(layout.cellSize()) * dpr).toSize(), InkTheme::Light, figure.withoutFirst);
        const QRectF filled = layout.filled();
        QImage all((filled.size() * dpr).toSize(), QImage::Format_RGB32);
        all.fill(inks(InkTheme::Light).background);
        QPainter inside(&all);
        inside.scale(dpr, dpr);
        inside.translate(-filled.topLeft());
        paintThumbnails(inside, layout, atlas);
        inside.end();
        painter.drawImage(filled, all);
    }
    layout.paintHeadings(painter, palette, chosen);
    paintThumbnailMarks(painter, layout, {chosen, {}, {}});
}

double gridHeight(const AttentionFigure& figure, double width)
{
    const ThumbnailGridLayout layout = gridIn(figure, {0, 0, width, 0});
    return layout.window().top() + layout.contentSize().height() + 2;
}

double gridWidth(const AttentionFigure& figure)
{
    constexpr double kWide = 4000;
    const ThumbnailGridLayout layout = gridIn(figure, {0, 0, kWide, 0});
    return layout.window().left() + layout.contentSize().width() + 2;
}

FigurePart gridPart(const std::shared_ptr<const Shared>& shared)
{
    FigurePart part;
    part.title =
        measureOf(shared->figure) != nullptr
            ? QStringLiteral("All heads by %1").arg(QString::fromStdString(shared->figure.measure).replace(u'_', u' '))
            : QStringLiteral("All heads");
    part.least = kMinPart;
    part.most = gridWidth(shared->figure);
    part.height = [shared](double width) { return gridHeight(shared->figure, width); };
    part.paint = [shared](QPainter& painter, const QRectF& box, double dpr) {
        paintGrid(painter, shared->figure, shared->theme, box, dpr);
    };
    return part;
}

TokenLinesLayout linesIn(const Shared& shared, const QRectF& box)
{
    TokenLinesStyle style;
    style.rowHeight =
        std::min(kTokenRow, kHighestLines / static_cast<double>(std::max<std::int64_t>(1, shared.names.count())));
    style.readingTitle = QStringLiteral("reads");
    style.readTitle = QStringLiteral("key token");
    return {shared.names, box, style};
}

double linesHeight(const Shared& shared, double width)
{
    constexpr double kTall = 2000;
    const TokenLinesLayout layout = linesIn(shared, {0, 0, width, kTall});
    return layout.bottom() + 4 + std::ceil(lineHeight(shared.names.font()));
}

WeightMatrixLayout matrixIn(const Shared& shared, const QRectF& box)
{
    return {shared.names, box, InkTheme::Light, {}};
}

double matrixHeight(const Shared& shared, double width)
{
    return matrixIn(shared, {0, 0, width, 1.3 * width}).filled().bottom() + 2;
}

/// The token that stands out in the lines.
std::optional<LineEnd> focusOf(const AttentionFigure& figure)
{
    if (figure.reading)
        return LineEnd{LineEnd::Side::Reading, figure.reading->value()};
    if (figure.read)
        return LineEnd{LineEnd::Side::Read, figure.read->value()};
    return {};
}

void paintHead(QPainter& painter, const Shared& shared, Place place, const QRectF& box, double dpr)
{
    const AttentionFigure& figure = shared.figure;
    double top = box.top();
    if (figure.lines)
    {
        const double height = linesHeight(shared, box.width());
        linesIn(shared, {box.left(), top, box.width(), height})
            .paint(painter, poolOf(figure, place, shared.theme), focusOf(figure), kMaxLines);
        top += height + (figure.matrix ? kFigureGap : 0);
    }
    if (!figure.matrix)
        return;
    WeightMarks marks;
    if (figure.reading && figure.read)
        marks.chosen = WeightCell{figure.reading->value(), figure.read->value()};
    const WeightPyramid weights(ShownWeights(rowsOf(*figure.run, place), figure.run->causal, figure.withoutFirst));
    matrixIn(shared, {box.left(), top, box.width(), 1.3 * box.width()}).paint(painter, weights, marks, dpr);
}

FigurePart headPart(const std::shared_ptr<const Shared>& shared, Place place)
{
    FigurePart part;
    part.title = placeName(place);
    part.least = kMinPart;
    part.height = [shared](double width) {
        const double lines = shared->figure.lines ? linesHeight(*shared, width) : 0;
        const double matrix = shared->figure.matrix ? matrixHeight(*shared, width) : 0;
        return lines + matrix + (lines > 0 && matrix > 0 ? kFigureGap : 0);
    };
    part.paint = [shared, place](QPainter& painter, const QRectF& box, double dpr) {
        paintHead(painter, *shared, place, box, dpr);
    };
    return part;
}

FigurePart keyPart(const AttentionKey& key)
{
    FigurePart part;
    const QSizeF size = attentionKeySize(key);
    part.least = size.width();
    part.height = [size](double) { return size.height() + 2; };
    part.paint = [key](QPainter& painter, const QRectF& box, double) {
        paintAttentionKey(painter, box.topLeft() + QPointF(0, 1), key);
    };
    return part;
}

std::vector<AttentionKey> keysOf(const AttentionFigure& figure)
{
    std::vector<AttentionKey> keys;
    AttentionKey key;
    key.textPx = kTextPt;
    key.unwritten = figure.run->causal;
    key.takenOut = figure.withoutFirst;
    const MatrixD* values = figure.heads ? measureOf(figure) : nullptr;
    if ((figure.heads && values == nullptr) || figure.matrix)
        keys.push_back(key);
    if (values != nullptr)
    {
        key.shares = false;
        key.measure = QString::fromStdString(figure.measure).replace(u'_', u' ');
        key.limits = measureScale(*values)->limits;
        keys.push_back(key);
    }
    return keys;
}

/// Heads with large pictures whose weights are held, and those without.
std::pair<std::vector<Place>, std::vector<Place>> heldPlaces(const AttentionFigure& figure)
{
    std::pair<std::vector<Place>, std::vector<Place>> places;
    for (const Place& place : placesOf(figure))
        (rowsOf(*figure.run, place) != nullptr ? places.first : places.second).push_back(place);
    return places;
}

QString linesWords(const AttentionFigure& figure, Place place)
{
    const LinePool pool = poolOf(figure, place, InkTheme::Light);
    const LineChoice choice = pool.strongest({0, static_cast<double>(figure.run->tokenCount())}, kMaxLines);
    QString words =
        QStringLiteral(" Lines run from the query token to the key token; weights below 0.4% are not drawn.");
    if (choice.left > 0)
        words += QStringLiteral(" The strongest %1 of %2 lines are drawn.")
                     .arg(groupedNumber(choice.seen - choice.left), groupedNumber(choice.seen));
    if (drawnHeads(figure, place).size() > 1)
        words += QStringLiteral(" Heads %1 to %2, which share keys and values, in shades of their group colour.")
                     .arg(shownNumber(drawnHeads(figure, place).front()))
                     .arg(shownNumber(drawnHeads(figure, place).back()));
    return words;
}

} // namespace

QString attentionCaption(const AttentionFigure& figure)
{
    if (figure.run == nullptr)
        return {};
    const AttentionRun& run = *figure.run;
    QString caption = QStringLiteral("Attention of %1 over %2%3: “%4”.")
                          .arg(modelName(run.model), counted(run.tokenCount(), QStringLiteral("token")),
                               run.truncated ? QStringLiteral(", where the text was truncated") : QString(),
                               QString::fromStdString(run.text).simplified());
    if (figure.heads)
        caption += QStringLiteral(" All heads of %1; colours of the columns show the KV group.")
                       .arg(counted(std::ssize(run.layers), QStringLiteral("layer")));
    if (figure.heads && figure.withoutFirst && measureOf(figure) == nullptr && run.thumbnailSide < run.tokenCount())
        caption +=
            QStringLiteral(" Each point of a thumbnail represents %1 tokens; the grey column holds the first tokens.")
                .arg(shortNumber(static_cast<double>(run.tokenCount()) / static_cast<double>(run.thumbnailSide)));
    const auto [held, missing] = heldPlaces(figure);
    if (figure.lines || figure.matrix)
    {
        QStringList names;
        for (const Place& place : held)
            names << placeName(place);
        if (!names.isEmpty())
            caption += QStringLiteral(" Large: %1.").arg(names.join(QStringLiteral("; ")));
        for (const Place& place : missing)
            caption +=
                QStringLiteral(" The weights of %1 were not computed and are omitted.").arg(placeName(place).toLower());
    }
    if (figure.lines && !held.empty())
        caption += linesWords(figure, held.front());
    for (const AttentionKey& key : keysOf(figure))
        caption += QStringLiteral(" Colour: %1.").arg(attentionKeyText(key));
    if (figure.matrix && static_cast<double>(run.tokenCount()) > kLargestNumbered)
        caption += QStringLiteral(" If several weights fall on a point, the largest is shown.");
    return caption;
}

namespace
{

Result<FigureSpec> attentionSpec(const AttentionFigure& figure, FigureOptions options)
{
    if (figure.run == nullptr || figure.run->tokenCount() == 0 || !figure.run->placeOf(figure.layer) ||
        figure.head.value() < 0 || figure.head.value() >= figure.run->model.heads)
        return Error{ErrorCode::InvalidArgument, "there is no attention of this text for the selected head", {}, {}};
    const auto shared = std::make_shared<const Shared>(
        Shared{figure, TokenNames(figure.run->tokens, textFont(kTextPt)), options.theme});
    std::vector<FigurePart> parts;
    if (figure.heads)
        parts.push_back(gridPart(shared));
    if (figure.lines || figure.matrix)
        for (const Place& place : heldPlaces(figure).first)
            parts.push_back(headPart(shared, place));
    if (parts.empty())
        return Error{
            ErrorCode::InvalidArgument, "there is nothing to draw: no heads, lines or matrix are visible", {}, {}};
    for (const AttentionKey& key : keysOf(figure))
        parts.push_back(keyPart(key));
    fillIn(options, attentionCaption(figure),
           {{QStringLiteral("model"), modelName(figure.run->model)},
            {QStringLiteral("text"), QString::fromStdString(figure.run->text)},
            {QStringLiteral("layer"), QString::number(figure.layer.value())},
            {QStringLiteral("head"), QString::number(shownNumber(figure.head))},
            {QStringLiteral("input"), QString::fromStdString(figure.run->origin.hash)}});
    return partsSpec(std::move(parts), std::move(options));
}

} // namespace

Figure figureOfAttention(AttentionFigure figure)
{
    return [figure = std::move(figure)](FigureOptions options) { return attentionSpec(figure, std::move(options)); };
}

} // namespace headscope::viz

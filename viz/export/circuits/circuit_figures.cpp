// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/export/circuits/circuit_figures.h"

#include "viz/axis/text.h"
#include "viz/circuits/circuit_text.h"
#include "viz/circuits/composition_graph.h"
#include "viz/circuits/composition_matrix.h"
#include "viz/circuits/lens_table.h"
#include "viz/circuits/part_grid.h"
#include "viz/circuits/waterfall_picture.h"
#include "viz/export/figure_text.h"

#include <QPainter>

#include <algorithm>
#include <memory>
#include <utility>

namespace headscope::viz
{
namespace
{

constexpr double kTextPt = kFigureTextPt - 1;

QString text(const std::string& words)
{
    return QString::fromStdString(words);
}

/// A picture for paper, and how high it is for this width.
struct Painted
{
    std::shared_ptr<Picture> picture;
    double height = 0;
};

std::vector<CompositionKind> kindsOf(const CircuitLook& look)
{
    if (look.kind)
        return {*look.kind};
    return {kCompositionKinds.begin(), kCompositionKinds.end()};
}

Painted pictureOf(const CircuitResultPtr& result, const CircuitLook& look, double width)
{
    switch (look.picture)
    {
    case CircuitPicture::Waterfall:
    {
        auto picture = std::make_shared<WaterfallPicture>(kTextPt);
        picture->setPair(result, look.layer);
        const double height = picture->heightWanted();
        return {std::move(picture), height};
    }
    case CircuitPicture::Grid:
    {
        auto picture = std::make_shared<PartGridPicture>(kTextPt);
        picture->setResult(result, look.centred);
        const double height = picture->heightWanted(width);
        return {std::move(picture), height};
    }
    case CircuitPicture::Matrix:
    {
        auto picture = std::make_shared<CompositionMatrix>(kTextPt);
        picture->setResult(result, look.kind.value_or(strongestKind(*result->composition())));
        picture->setLayers(look.layers);
        const double height = picture->heightWanted(width);
        return {std::move(picture), height};
    }
    case CircuitPicture::Graph:
    {
        auto picture = std::make_shared<CompositionGraph>(kTextPt);
        picture->setResult(result, kindsOf(look), look.top);
        const double height = picture->heightWanted(width);
        return {std::move(picture), height};
    }
    case CircuitPicture::Words:
        break;
    }
    auto picture = std::make_shared<LensTable>(kTextPt);
    picture->setResult(result, look.layer, look.token);
    const double height = picture->heightWanted(width);
    return {std::move(picture), height};
}

QString normsText(const ContributionsResult& found)
{
    return found.frozen ? QStringLiteral(" An approximation: all norms are frozen at each token\u2019s values.")
                        : QStringLiteral(" The final norm is frozen at each token\u2019s value.");
}

QString captionOfContributions(const ContributionsResult& found, const CircuitLook& look)
{
    const QString direct =
        normsText(found) + QStringLiteral(" Direct parts: what later layers make of a part counts as theirs.");
    if (found.pair)
        return QStringLiteral(
                   "%1 of %2 and %3 (%4, pooling %5): %6, the sum of all parts of the first with the vector of the "
                   "second.%7")
                   .arg(found.pair->centred ? QStringLiteral("Cosine, without the mean over %1 documents,")
                                                  .arg(groupedNumber(found.documents))
                                            : QStringLiteral("Cosine"),
                        documentText(found.pair->first, found.pair->firstText),
                        documentText(found.pair->second, found.pair->secondText), text(found.model),
                        text(found.pooling), fixedNumber(found.pair->cosine, 4),
                        found.pair->centred
                            ? QString()
                            : QStringLiteral(" Most of it is the direction that all documents share.")) +
               direct;
    return QStringLiteral("Direct parts of the heads in the vectors of %1 (%2, pooling %3): share of the length, mean "
                          "over documents%4. All parts sum to 1.")
               .arg(counted(found.documents, QStringLiteral("document")), text(found.model), text(found.pooling),
                    look.centred && found.documents > 1 ? QStringLiteral(", their mean subtracted") : QString()) +
           direct;
}

QString captionOfComposition(const CompositionScores& scores, const std::string& model, const CircuitLook& look)
{
    const QString what = look.picture == CircuitPicture::Graph
                             ? QStringLiteral("The %1 pairs of heads with the highest composition")
                                   .arg(std::min(look.top, CompositionGraph::kMostLines))
                             : QStringLiteral("Composition of pairs of heads");
    return QStringLiteral(
               "%1 (%2, weights alone): norm of the product of both heads\u2019 matrices over the norms of "
               "both, minus %3, its value for random rotations. It shows what could flow, not what flows in a "
               "text. Rotary positions, biases and MLPs are left out.")
        .arg(what, text(model), fixedNumber(scores.baseline, 4));
}

QString captionOfLens(const LensTables& tables, const std::string& model)
{
    const QString source =
        tables.weights ? QStringLiteral("decoded from the weights of heads, on reading the bare embedding of a token")
        : tables.document.empty()
            ? QStringLiteral("of what heads add to the vectors of %1%2")
                  .arg(counted(tables.documents, QStringLiteral("document")),
                       tables.centred ? QStringLiteral(", their mean subtracted") : QString())
            : QStringLiteral("of what heads add to the vector of %1%2")
                  .arg(text(tables.document),
                       tables.centred ? QStringLiteral(", the mean over %1 documents subtracted").arg(tables.documents)
                                      : QString());
    return QStringLiteral(
               "Tokens %1 (%2). Bars: size of the logit. Heads of a KV group read the same values and write "
               "through different output projections. Logits are those of the %3%4. The lists are a reading aid: "
               "no embedding was trained to predict tokens.")
        .arg(source, text(model), text(tables.unembedding),
             tables.unembedding == "token embeddings" ? QStringLiteral(", as the files have no output head")
                                                      : QString());
}

Result<FigureSpec> circuitSpec(const CircuitResultPtr& result, const CircuitLook& look, FigureOptions options)
{
    if (!isPictureOf(look.picture, *result))
        return Error{
            ErrorCode::InvalidArgument, "expected a picture of what the file has, found another", {}, "--show"};
    const Painted painted = pictureOf(result, look, contentWidth(options));
    if (painted.picture->count() == 0)
        return Error{ErrorCode::InvalidArgument,
                     "expected a result with something to draw, found none of this layer, kind or token",
                     {},
                     {}};
    fillIn(options, circuitCaption(*result, look), {{QStringLiteral("model"), text(result->model)}});
    followContent(options, painted.height);
    const InkTheme theme = options.theme;
    return FigureSpec{[picture = painted.picture, theme](QPainter& painter, const QRectF& box, double) {
                          picture->layOut(box, theme);
                          picture->paint(painter, {});
                      },
                      std::move(options)};
}

} // namespace

CircuitPicture firstPicture(const CircuitResult& result)
{
    if (const ContributionsResult* found = result.contributions(); found != nullptr)
        return found->pair ? CircuitPicture::Waterfall : CircuitPicture::Grid;
    return result.composition() != nullptr ? CircuitPicture::Matrix : CircuitPicture::Words;
}

bool isPictureOf(CircuitPicture picture, const CircuitResult& result)
{
    switch (picture)
    {
    case CircuitPicture::Waterfall:
        return result.contributions() != nullptr && result.contributions()->pair;
    case CircuitPicture::Grid:
        return result.contributions() != nullptr;
    case CircuitPicture::Matrix:
    case CircuitPicture::Graph:
        return result.composition() != nullptr;
    case CircuitPicture::Words:
        break;
    }
    return result.lens() != nullptr;
}

QString circuitCaption(const CircuitResult& result, const CircuitLook& look)
{
    if (const ContributionsResult* found = result.contributions(); found != nullptr)
        return captionOfContributions(*found, look);
    if (const CompositionScores* found = result.composition(); found != nullptr)
        return captionOfComposition(*found, result.model, look);
    return captionOfLens(*result.lens(), result.model);
}

QString circuitSummary(const CircuitResultPtr& result, const CircuitLook& look)
{
    constexpr double kAnyWidth = 480;
    const QString sentence = pictureOf(result, look, kAnyWidth).picture->summary();
    return sentence.isEmpty() || sentence.endsWith(QLatin1Char('.')) ? sentence : sentence + QLatin1Char('.');
}

Figure figureOfCircuit(CircuitResultPtr result, CircuitLook look)
{
    return [result = std::move(result), look = std::move(look)](FigureOptions options) {
        return circuitSpec(result, look, std::move(options));
    };
}

} // namespace headscope::viz

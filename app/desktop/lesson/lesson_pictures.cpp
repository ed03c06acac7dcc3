// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/lesson/lesson_pictures.h"

#include "app/desktop/lesson/lesson_values.h"
#include "model/data/key_sharing.h"
#include "model/data/lesson/kv_cache.h"
#include "ui/words/translate.h"
#include "ui/words/wording.h"

#include <algorithm>
#include <utility>

namespace headscope::desktop
{
namespace
{

using ui::tr;

/// Which run a picture shows, in a sentence; "": none.
QString runNote(const LessonSource& source)
{
    if (source.run == nullptr)
        return {};
    const QString model = ui::toQString(source.run->model.name);
    const QString made = source.run->maker == AttentionMaker::Stored ? tr("A stored run of %1.").arg(model)
                                                                     : tr("Computed by %1.").arg(model);
    return source.runIsOfModel() ? made
                                 : made % u' ' % tr("The model of the open cache was not found on this machine.");
}

/// A head that does not give its weight to the first token: the one of a layer that gives it least.
HeadIndex leastSink(const AttentionRun& run, LayerIndex layer, std::int64_t query)
{
    HeadIndex least(0);
    float weight = 2;
    for (std::int64_t head = 0; head < run.model.heads; ++head)
        if (const MatrixF* rows = run.weightsOf(layer, HeadIndex(head)); rows != nullptr && (*rows)(query, 0) < weight)
        {
            weight = (*rows)(query, 0);
            least = HeadIndex(head);
        }
    return least;
}

/// What one head gives to the tokens from the query token, with a sentence on it; "": the run holds no weights.
QString addHead(viz::TokenRow& row, const LessonPictureRequest& request)
{
    const AttentionRun& run = *request.source.run;
    if (run.vectors.empty())
        return {};
    const LayerIndex layer = run.vectors.front()->layer;
    row.query = shownQuery(request);
    const HeadIndex head = leastSink(run, layer, row.query);
    const MatrixF* weights = run.weightsOf(layer, head);
    if (weights == nullptr)
        return {};
    for (std::int64_t key = 0; key < weights->cols(); ++key)
        row.weights.push_back(static_cast<double>((*weights)(row.query, key)));
    return tr("Shading: attention of head %1 of layer %2 from the outlined token; darker is more.")
        .arg(head.value() + 1)
        .arg(layer.value());
}

viz::LessonPicture tokensPicture(const LessonPictureRequest& request)
{
    const LessonSource& source = request.source;
    if (source.run == nullptr)
        return why(noRunText());
    viz::LessonPicture picture;
    viz::TokenRow row;
    for (const std::string& token : source.run->tokens)
        row.tokens.push_back(ui::toQString(token));
    row.ids = source.run->ids;
    const QString shading = addHead(row, request);
    picture.heading = tr("“%1”").arg(ui::firstLine(source.run->text));
    picture.content = std::move(row);
    picture.note = QStringList{shading, tr("Below each token: its number in the vocabulary."), runNote(source)}
                       .join(u' ')
                       .trimmed();
    return picture;
}

viz::LessonPicture countsPicture(const LessonSource& source)
{
    viz::LessonPicture picture;
    picture.heading = tr("One token in one layer of %1").arg(ui::toQString(source.model.name));
    picture.content = viz::HeadCounts{source.model, 0};
    picture.note = ui::headsAndGroupsText(source.model) % tr(", in each of %1 layers.").arg(source.model.layers);
    return picture;
}

viz::LessonPicture wiringPicture(const LessonPictureRequest& request)
{
    const ModelInfo model = sharedModel(request);
    viz::HeadWiring wiring{model, {}};
    const int chosen = request.values.value(QStringLiteral("group"), 0);
    if (chosen > 0 && chosen <= model.kvHeads)
        wiring.group = chosen - 1;
    viz::LessonPicture picture;
    picture.heading = model.kvHeads == request.source.model.kvHeads
                          ? tr("%1: which query head uses which KV head").arg(ui::toQString(model.name))
                          : tr("%1 with %2 instead of %3 KV heads")
                                .arg(ui::toQString(model.name))
                                .arg(model.kvHeads)
                                .arg(request.source.model.kvHeads);
    picture.content = wiring;
    picture.note = tr("%1, in each of %2 layers. Click a head to highlight its KV group.")
                       .arg(ui::headsAndGroupsText(model))
                       .arg(model.layers);
    if (keySharing(model) != KeySharing::Groups)
        picture.note = tr("%1, in each of %2 layers.").arg(ui::headsAndGroupsText(model)).arg(model.layers);
    return picture;
}

viz::LessonPicture mixingPicture(const LessonSource& source)
{
    viz::LessonPicture picture;
    picture.heading = tr("The output projection of %1").arg(ui::toQString(source.model.name));
    picture.content = viz::HeadMixing{source.model};
    return picture;
}

viz::LessonPicture bytesPicture(const LessonPictureRequest& request)
{
    const CacheBytesValues values = cacheBytesValues(request);
    viz::LessonPicture picture;
    picture.heading = tr("KV cache of %1: %2 layers, %3 query heads, head dimension %4")
                          .arg(ui::toQString(values.bytes.shape.name))
                          .arg(values.bytes.shape.layers)
                          .arg(values.bytes.shape.heads)
                          .arg(values.bytes.shape.headDim);
    picture.content = values.bytes;
    picture.note = tr("KV cache = 2 × KV heads × head dimension × bytes per value × layers × tokens. GB = 10^9 bytes.");
    if (values.bytes.shape.context > 0)
        picture.note += tr(" %1 was trained on texts of up to %2 tokens; the curves end there.")
                            .arg(ui::toQString(values.bytes.shape.name), ui::countText(values.bytes.shape.context));
    return picture;
}

viz::LessonPicture tablePicture(const LessonSource& source)
{
    viz::KvTable table;
    if (source.model.headDim > 0 && source.model.kvHeads > 0 && keepsCache(source.model))
    {
        table.shapes.push_back(kvShapeOf(source.model));
        table.own = 0;
    }
    for (const char* name : {"Llama-3-8B", "SFR-Embedding-Mistral", "Falcon-7B"})
        if (const KvShape* shape = knownKvShape(name))
            table.shapes.push_back(*shape);
    viz::LessonPicture picture;
    picture.heading = tr("KV caches with %1 bytes per value").arg(table.bytesPerValue);
    picture.content = table;
    QStringList shorter;
    for (const KvShape& shape : table.shapes)
        if (shape.context > 0 && shape.context < table.tokens)
            shorter << tr("%1: %2").arg(ui::toQString(shape.name), ui::countText(shape.context));
    picture.note = tr("KB = 10^3, GB = 10^9 bytes. The weights of the model need memory, too, but are not counted "
                      "here.");
    if (!shorter.isEmpty())
        picture.note +=
            tr(" For models that were trained on shorter texts (%2), the sizes at %1 tokens are theoretical.")
                .arg(ui::countText(table.tokens), shorter.join(QStringLiteral(", ")));
    if (table.own < 0)
        picture.note += tr(" %1 is an encoder and has no KV cache.").arg(ui::toQString(source.model.name));
    return picture;
}

viz::LessonPicture rowsPicture(const LessonPictureSpec& spec)
{
    viz::LessonPicture picture;
    viz::ShareRows rows;
    rows.digits = 3;
    for (const LessonRow& row : spec.rows)
        rows.rows.push_back({ui::toQString(row.name), row.value, row.ci95, row.chance, true, {}});
    picture.heading = ui::toQString(spec.heading);
    picture.content = std::move(rows);
    picture.note = ui::toQString(spec.note);
    return picture;
}

viz::LessonPicture regroupPicture(const LessonPictureRequest& request)
{
    const LessonSource& source = request.source;
    if (source.regroup == nullptr)
        return why(source.model.kvHeads == 1
                       ? tr("All query heads of this model share one KV head. There is nothing left to merge.")
                       : tr("No measurement for this model yet. Open a cache with texts and select its model in the "
                            "Attention view. Then “Measure” runs the model with fewer KV heads."));
    const RegroupResult& result = *source.regroup;
    viz::LessonPicture picture;
    const std::optional<std::size_t> lit = regroupRow(request);
    picture.content = viz::RegroupPicture{result, lit ? result.rows[*lit].kvHeads : 0};
    picture.heading = tr("%1 with fewer KV heads").arg(ui::toQString(result.model.name));
    const QString texts = result.documents == result.ofDocuments
                              ? tr("over %1 texts").arg(result.documents)
                              : tr("over %1 of %2 texts").arg(result.documents).arg(result.ofDocuments);
    picture.note = (result.stored ? tr("Stored run of this model %1 (%2).").arg(texts, ui::toQString(result.texts))
                                  : tr("Measured now %1 (%2).").arg(texts, ui::toQString(result.texts))) %
                   tr(" Bars: 95% CI over texts; attention is measured on one sentence and has no interval. Key and "
                      "value projections of neighbouring KV heads were averaged, without training afterwards. A model "
                      "trained with fewer KV heads loses much less.");
    if (!result.stored)
        picture.note += tr(" With fewer texts, more neighbours are preserved by chance: do not compare runs with "
                           "different numbers of texts.");
    if (!source.canMeasure && source.model.changes.any())
        picture.note +=
            tr(" The model of the open cache was changed. To measure, open a cache of the unchanged model.");
    else if (!source.canMeasure)
        picture.note += source.demo
                            ? tr(" To measure with the model, press “Use the demo model”.")
                            : tr(" To measure, open a cache with texts and select its model in the Attention view.");
    if (source.model.name != result.model.name)
        picture.note += tr(" The open cache was made with %1.").arg(ui::toQString(source.model.name));
    return picture;
}

} // namespace

viz::LessonPicture why(const QString& note)
{
    viz::LessonPicture picture;
    picture.note = note;
    return picture;
}

QString noRunText()
{
    return tr("No attention run available. Select a model in the Attention view to make one.");
}

QString lessonRunNote(const LessonSource& source)
{
    return runNote(source);
}

bool isQuickPicture(LessonPictureKind kind)
{
    return kind != LessonPictureKind::Scores && kind != LessonPictureKind::Hull && kind != LessonPictureKind::Errors &&
           kind != LessonPictureKind::Clouds && kind != LessonPictureKind::ProbeRows &&
           kind != LessonPictureKind::TopicRows && kind != LessonPictureKind::StageMaps;
}

GroupPlace groupPlace(const LessonPictureRequest& request)
{
    GroupPlace place;
    const AttentionRun* run = request.source.run.get();
    const ModelInfo& model = run != nullptr ? run->model : request.source.model;
    const std::int64_t groups = std::max<std::int64_t>(1, model.kvHeads > 0 ? model.kvHeads : model.heads);
    const auto asked = static_cast<std::int64_t>(request.spec.number("group", 1)) - 1;
    place.group =
        std::clamp<std::int64_t>(request.values.value(QStringLiteral("pair"), static_cast<int>(asked)), 0, groups - 1);
    if (run == nullptr)
        return place;
    const auto token = static_cast<std::int64_t>(request.spec.number("token", 9)) - 1;
    place.token = std::clamp<std::int64_t>(request.values.value(QStringLiteral("token"), static_cast<int>(token)), 0,
                                           std::max<std::int64_t>(0, run->tokenCount() - 1));
    if (!run->vectors.empty())
        place.layer = run->vectors.front()->layer;
    return place;
}

std::size_t sharingPlace(const LessonPictureRequest& request)
{
    const ModelInfo& model = request.source.model;
    const std::vector<std::int64_t> counts = regroupings(model.heads);
    const auto own = std::ranges::find(counts, model.kvHeads > 0 ? model.kvHeads : model.heads) - counts.begin();
    return static_cast<std::size_t>(std::clamp(request.values.value(QStringLiteral("sharing"), static_cast<int>(own)),
                                               0, static_cast<int>(counts.size()) - 1));
}

ModelInfo sharedModel(const LessonPictureRequest& request)
{
    ModelInfo model = request.source.model;
    model.kvHeads = regroupings(model.heads)[sharingPlace(request)];
    return model;
}

std::int64_t shownQuery(const LessonPictureRequest& request)
{
    const AttentionRun* run = request.source.run.get();
    const int last = run == nullptr ? 0 : static_cast<int>(run->tokenCount()) - 1;
    return std::clamp(request.values.value(QStringLiteral("token"), last), 0, std::max(0, last));
}

std::optional<std::size_t> regroupRow(const LessonPictureRequest& request)
{
    const auto& result = request.source.regroup;
    if (result == nullptr || result->rows.empty())
        return std::nullopt;
    const int last = static_cast<int>(result->rows.size()) - 1;
    return static_cast<std::size_t>(
        last - std::clamp(request.values.value(QStringLiteral("pairs"), last), 0, last)); // fewest first
}

Result<viz::LessonPicture> makeLessonPicture(const LessonPictureRequest& request, JobContext& job)
{
    switch (request.spec.kind)
    {
    case LessonPictureKind::Tokens:
        return tokensPicture(request);
    case LessonPictureKind::Counts:
        return countsPicture(request.source);
    case LessonPictureKind::Wiring:
        return wiringPicture(request);
    case LessonPictureKind::Mixing:
        return mixingPicture(request.source);
    case LessonPictureKind::CacheBytes:
        return bytesPicture(request);
    case LessonPictureKind::KvTable:
        return tablePicture(request.source);
    case LessonPictureKind::Rows:
        return rowsPicture(request.spec);
    case LessonPictureKind::Regroup:
        return regroupPicture(request);
    case LessonPictureKind::Scores:
    case LessonPictureKind::Hull:
        return makeGroupPicture(request, job);
    case LessonPictureKind::Errors:
        return makeErrorPicture(request, job);
    case LessonPictureKind::Clouds:
        return makeCloudPicture(request, job);
    case LessonPictureKind::ProbeRows:
        return makeProbeRows(request, job);
    case LessonPictureKind::TopicRows:
        return makeTopicRows(request, job);
    case LessonPictureKind::StageMaps:
        return makeStageMaps(request, job);
    case LessonPictureKind::None:
        break;
    }
    return viz::LessonPicture{};
}

} // namespace headscope::desktop

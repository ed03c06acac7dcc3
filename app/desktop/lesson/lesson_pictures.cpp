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
                                 : made % u' ' % tr("The model of the open cache is not at hand for a run of its own.");
}

viz::LessonPicture why(const QString& note)
{
    viz::LessonPicture picture;
    picture.note = note;
    return picture;
}

viz::LessonPicture tokensPicture(const LessonSource& source)
{
    if (source.run == nullptr)
        return why(noRunText());
    viz::LessonPicture picture;
    viz::TokenRow row;
    for (const std::string& token : source.run->tokens)
        row.tokens.push_back(ui::toQString(token));
    row.ids = source.run->ids;
    picture.heading = tr("“%1”").arg(ui::firstLine(source.run->text));
    picture.content = std::move(row);
    picture.note = tr("%1 Below each token its number in the vocabulary.").arg(runNote(source));
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
    const ModelInfo& model = request.source.model;
    viz::HeadWiring wiring{model, {}};
    const int chosen = request.values.value(QStringLiteral("group"), 0);
    if (chosen > 0 && chosen <= model.kvHeads)
        wiring.group = chosen - 1;
    viz::LessonPicture picture;
    picture.heading = tr("%1: who reads whose keys and values").arg(ui::toQString(model.name));
    picture.content = wiring;
    picture.note = tr("%1; the same in each of its %2 layers. A click on a head lights its group.")
                       .arg(ui::headsAndGroupsText(model))
                       .arg(model.layers);
    if (keySharing(model) != KeySharing::Groups)
        picture.note =
            tr("%1; the same in each of its %2 layers.").arg(ui::headsAndGroupsText(model)).arg(model.layers);
    return picture;
}

viz::LessonPicture mixingPicture(const LessonSource& source)
{
    viz::LessonPicture picture;
    picture.heading = tr("From the heads to the rest of the layer: %1").arg(ui::toQString(source.model.name));
    picture.content = viz::HeadMixing{source.model};
    return picture;
}

viz::LessonPicture bytesPicture(const LessonPictureRequest& request)
{
    const CacheBytesValues values = cacheBytesValues(request);
    viz::LessonPicture picture;
    picture.heading = tr("What %1 keeps of a text: %2 layers, %3 heads of %4 numbers")
                          .arg(ui::toQString(values.bytes.shape.name))
                          .arg(values.bytes.shape.layers)
                          .arg(values.bytes.shape.heads)
                          .arg(values.bytes.shape.headDim);
    picture.content = values.bytes;
    picture.note =
        tr("2 × pairs × head size × bytes of a number × layers × tokens. Sizes as published with each model; "
           "what a program keeps beside that is not in it.");
    return picture;
}

viz::LessonPicture regroupPicture(const LessonPictureRequest& request)
{
    const LessonSource& source = request.source;
    if (source.regroup == nullptr)
        return why(source.model.kvHeads == 1
                       ? tr("The heads of this model share one pair of keys and values already: there is nothing left "
                            "to share.")
                       : tr("Nothing was measured for this model. With its file at hand, and a cache with texts open, "
                            "“Measure” runs it again with fewer pairs."));
    const RegroupResult& result = *source.regroup;
    viz::LessonPicture picture;
    const std::optional<std::size_t> lit = regroupRow(request);
    picture.content = viz::RegroupPicture{result, lit ? result.rows[*lit].kvHeads : 0};
    picture.heading = tr("%1 with fewer pairs of keys and values").arg(ui::toQString(result.model.name));
    const QString texts = result.documents == result.ofDocuments
                              ? tr("over %1 texts").arg(result.documents)
                              : tr("over %1 of %2 texts").arg(result.documents).arg(result.ofDocuments);
    picture.note = (result.stored ? tr("Numbers that came with the program, measured with this model %1 (%2).")
                                        .arg(texts, ui::toQString(result.texts))
                                  : tr("Measured just now %1 (%2).").arg(texts, ui::toQString(result.texts))) %
                   tr(" Bars: 95 % intervals over texts; attention is of one sentence and has none. Projections of "
                      "neighbouring pairs were averaged, without any training "
                      "afterwards: a model that is trained with fewer pairs loses much less.");
    if (!result.stored)
        picture.note +=
            tr(" Of fewer texts more are kept by chance: shares over other numbers of texts do not compare.");
    if (!source.canMeasure)
        picture.note += tr(" To measure here, open a cache with its texts and choose its model in the Attention view.");
    if (source.model.name != result.model.name)
        picture.note += tr(" The open cache is of %1.").arg(ui::toQString(source.model.name));
    return picture;
}

} // namespace

QString noRunText()
{
    return tr("No run of a model is at hand. The program comes with stored runs (resources/attention); with a model at "
              "hand the Attention view makes others.");
}

QString lessonRunNote(const LessonSource& source)
{
    return runNote(source);
}

bool isQuickPicture(LessonPictureKind kind)
{
    return kind != LessonPictureKind::Scores && kind != LessonPictureKind::Hull && kind != LessonPictureKind::Errors &&
           kind != LessonPictureKind::Clouds;
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
        return tokensPicture(request.source);
    case LessonPictureKind::Counts:
        return countsPicture(request.source);
    case LessonPictureKind::Wiring:
        return wiringPicture(request);
    case LessonPictureKind::Mixing:
        return mixingPicture(request.source);
    case LessonPictureKind::CacheBytes:
        return bytesPicture(request);
    case LessonPictureKind::Regroup:
        return regroupPicture(request);
    case LessonPictureKind::Scores:
    case LessonPictureKind::Hull:
        return makeGroupPicture(request, job);
    case LessonPictureKind::Errors:
        return makeErrorPicture(request, job);
    case LessonPictureKind::Clouds:
        return makeCloudPicture(request, job);
    case LessonPictureKind::None:
        break;
    }
    return viz::LessonPicture{};
}

} // namespace headscope::desktop

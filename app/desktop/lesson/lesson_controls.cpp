// SPDX-License-Identifier: GPL-3.0-or-later
// What the pictures of lessons let their readers change.
#include "app/desktop/lesson/lesson_pictures.h"
#include "app/desktop/lesson/lesson_values.h"
#include "model/data/key_sharing.h"
#include "ui/words/translate.h"
#include "ui/words/wording.h"
#include "viz/attention/token_names.h"

#include <algorithm>
#include <cmath>

namespace headscope::desktop
{
namespace
{

using ui::tr;

/// The place of a value in a list, or of the one nearest to it.
template <class T>
int nearestPlace(const std::vector<T>& values, T wanted)
{
    int best = 0;
    for (std::size_t i = 1; i < values.size(); ++i)
        if (std::abs(static_cast<double>(values[i] - wanted)) <
            std::abs(static_cast<double>(values[static_cast<std::size_t>(best)] - wanted)))
            best = static_cast<int>(i);
    return best;
}

int keptIn(int value, std::size_t count)
{
    return std::clamp(value, 0, std::max(0, static_cast<int>(count) - 1));
}

QString kvHeadsText(std::int64_t count)
{
    return count == 1 ? tr("1 KV head") : tr("%1 KV heads").arg(count);
}

/// From multi-head attention at the left to multi-query attention at the right.
ui::LessonControl sharingControl(const LessonPictureRequest& request)
{
    const ModelInfo& model = request.source.model;
    ui::LessonControl control{
        QStringLiteral("sharing"), tr("KV heads"), {}, static_cast<int>(sharingPlace(request)), true};
    for (const std::int64_t count : regroupings(model.heads))
    {
        const QString kind = count == model.heads ? tr("MHA") : count == 1 ? tr("MQA") : tr("GQA");
        control.options << (count == model.kvHeads ? tr("%1 (%2, this model)").arg(count).arg(kind)
                                                   : tr("%1 (%2)").arg(count).arg(kind));
    }
    return control;
}

/// The sentence that is typed, and where it cannot be, what makes it possible.
QList<ui::LessonControl> sentenceControls(const LessonSource& source)
{
    if (source.canType)
    {
        ui::LessonControl field{QStringLiteral("sentence"), tr("Your sentence"), {}, 0, false};
        field.field = true;
        field.text = ui::toQString(source.run == nullptr ? source.typed : source.run->text);
        return {field};
    }
    return source.demo ? QList<ui::LessonControl>{{QStringLiteral("demo"), tr("Use the demo model"), {}, 0, false}}
                       : QList<ui::LessonControl>{};
}

/// Where nothing is open, what opens the demo: steps send the reader to its views.
QList<ui::LessonControl> openingControls(const LessonSource& source)
{
    return source.reader == nullptr ? sentenceControls(source) : QList<ui::LessonControl>{};
}

QList<ui::LessonControl> tokenControls(const LessonPictureRequest& request)
{
    QList<ui::LessonControl> controls;
    if (const AttentionRun* run = request.source.run.get())
    {
        ui::LessonControl token{
            QStringLiteral("token"), tr("Query token"), {}, static_cast<int>(shownQuery(request)), true};
        for (std::size_t i = 0; i < run->tokens.size(); ++i)
            token.options << tr("%1  %2").arg(i + 1).arg(viz::shownToken(ui::toQString(run->tokens[i])));
        controls << token;
    }
    return controls << sentenceControls(request.source);
}

ui::LessonControl groupControl(const ModelInfo& model, int value, bool all)
{
    ui::LessonControl control{all ? QStringLiteral("group") : QStringLiteral("pair"), tr("Group"), {}, value, false};
    if (all)
        control.options << tr("all");
    const std::int64_t pairs = model.kvHeads > 0 ? model.kvHeads : model.heads;
    const bool groups = keySharing(model) == KeySharing::Groups;
    if (!groups)
        control.title = tr("Head");
    for (std::int64_t pair = 0; pair < pairs; ++pair)
        control.options << (groups ? tr("KV%1").arg(pair + 1) : QString::number(pair + 1));
    return control;
}

QList<ui::LessonControl> groupControls(const LessonPictureRequest& request)
{
    const AttentionRun* run = request.source.run.get();
    if (run == nullptr)
        return {};
    const GroupPlace place = groupPlace(request);
    QList<ui::LessonControl> controls;
    if (keySharing(run->model) != KeySharing::One)
        controls << groupControl(run->model, static_cast<int>(place.group), false);
    ui::LessonControl token{QStringLiteral("token"), tr("Query token"), {}, static_cast<int>(place.token), true};
    for (std::size_t i = 0; i < run->tokens.size(); ++i)
        token.options << tr("%1  %2").arg(i + 1).arg(viz::shownToken(ui::toQString(run->tokens[i])));
    return controls << token << sentenceControls(request.source);
}

QList<ui::LessonControl> bytesControls(const LessonPictureRequest& request)
{
    const CacheBytesValues values = cacheBytesValues(request);
    ui::LessonControl shape{QStringLiteral("shape"), tr("Model"), {}, values.shape, false};
    for (const KvShape& each : values.shapes)
        shape.options << ui::toQString(each.name);
    ui::LessonControl context{QStringLiteral("context"), tr("Tokens"), {}, values.context, true};
    for (const std::int64_t each : values.contexts)
        context.options << ui::countText(each);
    ui::LessonControl pairs{QStringLiteral("pairs"), tr("Compare with"), {}, values.pair, true};
    for (const std::int64_t each : values.pairs)
        pairs.options << kvHeadsText(each);
    ui::LessonControl number{QStringLiteral("bytes"), tr("Bytes per value"), {}, values.number, false};
    for (const std::int64_t each : values.numbers)
        number.options << QString::number(each);
    return {shape, context, pairs, number};
}

QList<ui::LessonControl> regroupControls(const LessonPictureRequest& request)
{
    QList<ui::LessonControl> controls;
    const LessonSource& source = request.source;
    if (const std::optional<std::size_t> lit = regroupRow(request))
    {
        const auto& rows = source.regroup->rows;
        ui::LessonControl pairs{
            QStringLiteral("pairs"), tr("KV heads"), {}, static_cast<int>(rows.size() - 1 - *lit), true};
        for (auto row = rows.rbegin(); row != rows.rend(); ++row) // to the right: more
            pairs.options << kvHeadsText(row->kvHeads);
        controls << pairs;
    }
    if (source.canMeasure && source.model.kvHeads > 1)
        controls << ui::LessonControl{QStringLiteral("measure"), tr("Measure with the open model"), {}, 0, false};
    else if (!source.canType)
        controls << sentenceControls(source); // where its model is on this machine, it can be measured
    return controls;
}

QList<ui::LessonControl> cloudControls(const LessonPictureRequest& request)
{
    const CloudValues values = cloudValues(request);
    QList<ui::LessonControl> controls;
    if (values.name != "seeds")
    {
        ui::LessonControl perplexity{QStringLiteral("perplexity"), tr("Perplexity"), {}, values.perplexity, true};
        for (const double each : values.perplexities)
            perplexity.options << QString::number(each);
        controls << perplexity;
    }
    ui::LessonControl seed{QStringLiteral("seed"),
                           values.name == "seeds" ? tr("Seeds") : tr("Sample"),
                           {},
                           static_cast<int>(values.seed) - 1,
                           true};
    for (int i = 1; i <= kCloudSeeds; ++i)
        seed.options << (values.name == "seeds" ? tr("%1 and %2").arg(i).arg(i + 1) : QString::number(i));
    return controls << seed;
}

} // namespace

CacheBytesValues cacheBytesValues(const LessonPictureRequest& request)
{
    CacheBytesValues values;
    const ModelInfo& model = request.source.model;
    if (model.headDim > 0 && model.kvHeads > 0 && keepsCache(model))
        values.shapes.push_back(kvShapeOf(model));
    for (const KvShape& each : knownKvShapes())
        if (values.shapes.empty() || !values.shapes.front().name.starts_with(each.name))
            values.shapes.push_back(each);
    int first = static_cast<int>(request.spec.number("shape", 1)) - 1;
    const std::string named = request.spec.word("model", "");
    for (std::size_t i = 0; i < values.shapes.size(); ++i)
        first = values.shapes[i].name == named ? static_cast<int>(i) : first;
    values.shape = keptIn(request.values.value(QStringLiteral("shape"), first), values.shapes.size());
    values.bytes.shape = values.shapes[static_cast<std::size_t>(values.shape)];
    if (values.bytes.shape.context > 0)
        values.bytes.most = values.bytes.shape.context; // no longer text than the model was trained on
    for (std::int64_t tokens = 512; tokens <= values.bytes.most; tokens *= 2)
        values.contexts.push_back(tokens);
    values.context =
        keptIn(request.values.value(
                   QStringLiteral("context"),
                   nearestPlace(values.contexts, static_cast<std::int64_t>(request.spec.number("context", 32'768)))),
               values.contexts.size());
    values.bytes.tokens = values.contexts[static_cast<std::size_t>(values.context)];
    values.numbers = {4, 2, 1};
    const std::int64_t bytes = request.spec.word("bytes", "2") == "4"   ? 4
                               : request.spec.word("bytes", "2") == "1" ? 1
                                                                        : 2;
    values.number = keptIn(request.values.value(QStringLiteral("bytes"), nearestPlace(values.numbers, bytes)),
                           values.numbers.size());
    values.bytes.bytesPerNumber = values.numbers[static_cast<std::size_t>(values.number)];
    values.pairs = regroupings(values.bytes.shape.heads);
    std::reverse(values.pairs.begin(), values.pairs.end()); // to the right: more
    values.pair =
        keptIn(request.values.value(QStringLiteral("pairs"), nearestPlace(values.pairs, values.bytes.shape.kvHeads)),
               values.pairs.size());
    values.bytes.groups = values.pairs[static_cast<std::size_t>(values.pair)];
    return values;
}

CloudValues cloudValues(const LessonPictureRequest& request)
{
    CloudValues values;
    values.name = request.spec.word("clouds", "sizes");
    values.perplexities = {2, 5, 10, 20, 30, 45};
    values.perplexity =
        keptIn(request.values.value(QStringLiteral("perplexity"),
                                    nearestPlace(values.perplexities, request.spec.number("perplexity", 30))),
               values.perplexities.size());
    values.seed =
        static_cast<std::uint64_t>(
            keptIn(request.values.value(QStringLiteral("seed"), static_cast<int>(request.spec.number("seed", 1)) - 1),
                   kCloudSeeds)) +
        1;
    return values;
}

QList<ui::LessonControl> lessonControls(const LessonPictureRequest& request)
{
    switch (request.spec.kind)
    {
    case LessonPictureKind::Wiring:
    {
        const ModelInfo shown = sharedModel(request);
        QList<ui::LessonControl> controls{sharingControl(request)};
        if (keySharing(shown) == KeySharing::Groups)
            controls << groupControl(
                shown, std::min(request.values.value(QStringLiteral("group"), 0), static_cast<int>(shown.kvHeads)),
                true);
        return controls << openingControls(request.source);
    }
    case LessonPictureKind::Tokens:
        return tokenControls(request);
    case LessonPictureKind::Errors:
    case LessonPictureKind::ProbeRows:
    case LessonPictureKind::TopicRows:
    case LessonPictureKind::StageMaps:
    case LessonPictureKind::None:
    case LessonPictureKind::Mixing:
    case LessonPictureKind::Rows:
        return openingControls(request.source);
    case LessonPictureKind::Scores:
    case LessonPictureKind::Hull:
        return groupControls(request);
    case LessonPictureKind::CacheBytes:
        return bytesControls(request);
    case LessonPictureKind::Regroup:
        return regroupControls(request);
    case LessonPictureKind::Clouds:
        return cloudControls(request);
    default:
        return {};
    }
}

} // namespace headscope::desktop

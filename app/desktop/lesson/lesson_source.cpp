// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/lesson/lesson_source.h"

#include "app/desktop/lesson/lesson_pictures.h"
#include "model/data/lesson/kv_cache.h"
#include "ui/words/wording.h"
#include "viz/attention/token_names.h"
#include "viz/lesson/lesson_parts.h"

#include <algorithm>

namespace headscope::desktop
{
namespace
{

constexpr std::string_view kExample = "Llama-2-70B"; ///< of the question that the lesson on KV heads opens with
constexpr std::int64_t kExampleBytesPerValue = 2;

} // namespace

bool LessonSource::isSameModel(const ModelInfo& a, const ModelInfo& b)
{
    if (a.sha256.empty() || b.sha256.empty())
        return !a.name.empty() && a.name == b.name;
    return std::ranges::any_of(a.sha256, [&b](const auto& file) {
        return std::ranges::any_of(b.sha256, [&file](const auto& other) { return other.second == file.second; });
    });
}

std::map<std::string, std::string> lessonNames(const LessonPictureRequest& request)
{
    std::map<std::string, std::string> names;
    const GroupPlace place = groupPlace(request);
    names["group"] = std::to_string(place.group + 1);
    if (const KvShape* shape = knownKvShape(kExample))
    {
        const auto bytes = [&](std::int64_t kvHeads) {
            return ui::toStdString(viz::shownBytes(
                static_cast<double>(kvCacheBytes(*shape, kvHeads, shape->context, kExampleBytesPerValue))));
        };
        names["example"] = shape->name;
        names["example_heads"] = std::to_string(shape->heads);
        names["example_kv_heads"] = std::to_string(shape->kvHeads);
        names["example_tokens"] = ui::toStdString(ui::countText(shape->context));
        names["example_shared"] = bytes(shape->kvHeads);
        names["example_unshared"] = bytes(shape->heads);
    }
    if (request.source.run == nullptr)
        return names;
    if (place.layer)
        names["layer"] = std::to_string(place.layer->value());
    const auto& tokens = request.source.run->tokens;
    if (place.token < static_cast<std::int64_t>(tokens.size()))
        names["token"] = ui::toStdString(viz::shownToken(ui::toQString(tokens[static_cast<std::size_t>(place.token)])));
    return names;
}

ui::LessonPage lessonPage(const LessonStep& step, const LessonPictureRequest& request, const QString& view)
{
    const ModelInfo& model = request.source.model;
    const auto names = lessonNames(request);
    const auto words = [&](const LessonText& text) {
        return ui::toQString(filledText(text.forModel(model), model, names));
    };
    QStringList options;
    for (const LessonText& option : step.options)
        options << words(option);
    return {words(step.title),
            words(step.text),
            words(step.attempt),
            words(step.question),
            words(step.answer),
            view,
            step.picture.kind != LessonPictureKind::None,
            options,
            static_cast<int>(step.right)};
}

ModelInfo usualModel()
{
    const KvShape& shape = knownKvShapes().front();
    ModelInfo model;
    model.name = shape.name;
    model.family = "llama";
    model.layers = shape.layers;
    model.heads = shape.heads;
    model.kvHeads = shape.kvHeads;
    model.headDim = shape.headDim;
    return model;
}

} // namespace headscope::desktop

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/lesson/lesson_source.h"

#include "app/desktop/lesson/lesson_pictures.h"
#include "model/data/lesson/kv_cache.h"
#include "ui/words/wording.h"
#include "viz/attention/token_names.h"

#include <algorithm>

namespace headscope::desktop
{

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
    if (request.source.run == nullptr)
        return names;
    if (place.layer)
        names["layer"] = std::to_string(place.layer->value());
    const auto& tokens = request.source.run->tokens;
    if (place.token < static_cast<std::int64_t>(tokens.size()))
        names["token"] =
            ui::toStdString(viz::shownToken(ui::toQString(tokens[static_cast<std::size_t>(place.token)])));
    return names;
}

ui::LessonPage lessonPage(const LessonStep& step, const LessonPictureRequest& request, const QString& view)
{
    const ModelInfo& model = request.source.model;
    const auto names = lessonNames(request);
    const auto words = [&](const LessonText& text) {
        return ui::toQString(filledText(text.forModel(model), model, names));
    };
    return {words(step.title),
            words(step.text),
            words(step.attempt),
            words(step.question),
            words(step.answer),
            view,
            step.picture.kind != LessonPictureKind::None};
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

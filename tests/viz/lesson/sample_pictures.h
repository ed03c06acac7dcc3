// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "viz/lesson/lesson_picture.h"

#include <cmath>
#include <map>
#include <string>

namespace headscope::test
{

using viz::CacheBytes;
using viz::CloudMaps;
using viz::ErrorShare;
using viz::GroupScores;
using viz::HeadCounts;
using viz::HeadMixing;
using viz::HeadWiring;
using viz::HullPlane;
using viz::KvTable;
using viz::LessonPicture;
using viz::RegroupPicture;
using viz::ShareRows;
using viz::TokenRow;

inline ModelInfo lessonModel(std::int64_t heads, std::int64_t kvHeads)
{
    ModelInfo info;
    info.name = "sample-model";
    info.family = "llama";
    info.layers = 30;
    info.heads = heads;
    info.kvHeads = kvHeads;
    info.headDim = 64;
    return info;
}

inline GroupScores sampleScores(const ModelInfo& model, std::int64_t keys)
{
    GroupScores scores;
    scores.model = model;
    for (std::int64_t head = 0; head < model.groupSize(); ++head)
        scores.heads.push_back(head);
    scores.token = QStringLiteral(" reads");
    scores.scores = MatrixD(model.groupSize(), keys);
    scores.weights = MatrixD(model.groupSize(), keys);
    for (std::int64_t key = 0; key < keys; ++key)
    {
        scores.keys.push_back(QStringLiteral(" token%1").arg(key));
        for (std::int64_t head = 0; head < model.groupSize(); ++head)
        {
            scores.scores(head, key) = std::sin(static_cast<double>(3 * head + key)) * 4;
            scores.weights(head, key) = 1.0 / static_cast<double>(keys);
        }
    }
    return scores;
}

inline HullPlane samplePlane(const ModelInfo& model)
{
    HullPlane plane;
    plane.model = model;
    for (int i = 0; i < 14; ++i)
    {
        plane.values.emplace_back(std::cos(i * 1.7) * (1 + i % 3), std::sin(i * 1.1) * (1 + i % 4));
        plane.tokens.push_back(QStringLiteral(" value%1").arg(i));
    }
    for (std::int64_t head = 0; head < model.groupSize(); ++head)
    {
        plane.heads.push_back(head);
        plane.outputs.emplace_back(0.2 * static_cast<double>(head), -0.1 * static_cast<double>(head));
    }
    plane.share = 0.63;
    return plane;
}

inline RegroupPicture sampleRegroup()
{
    RegroupPicture picture;
    picture.result.model = lessonModel(8, 4);
    picture.result.documents = 40;
    picture.result.ofDocuments = 192;
    picture.result.neighbors = 10;
    picture.result.rows = {
        {4, 1, {}, 1, {}, 0}, {2, 0.7, {0.6, 0.8}, 0.5, {0.4, 0.6}, 0.3}, {1, 0.4, {0.3, 0.5}, 0.3, {0.2, 0.4}, NAN}};
    picture.lit = 2;
    return picture;
}

inline ErrorShare sampleErrors(const ModelInfo& model)
{
    ErrorShare errors;
    errors.model = model;
    errors.confusion = Matrix<std::int64_t>(model.heads, model.heads);
    for (std::int64_t i = 0; i < model.heads; ++i)
        for (std::int64_t j = 0; j < model.heads; ++j)
            errors.confusion(i, j) = i == j ? 30 : (i * 7 + j * 3) % 5;
    errors.groups.within = 40;
    errors.groups.errors = 100;
    errors.groups.share = 0.4;
    errors.groups.ci95 = {0.3, 0.5};
    errors.groups.chance = 0.25;
    errors.groups.rank = 1;
    errors.groups.groupings = 280;
    errors.groups.exact = true;
    errors.groups.p = 0.0036;
    errors.testRows = 342;
    errors.testDocuments = 38;
    errors.accuracy = 0.78;
    return errors;
}

inline CloudMaps sampleClouds()
{
    CloudMaps maps;
    MatrixF xy(60, 2);
    for (int i = 0; i < 60; ++i)
    {
        maps.clouds.push_back(i % 3);
        xy(i, 0) = static_cast<float>(std::cos(i) + 4 * (i % 3));
        xy(i, 1) = static_cast<float>(std::sin(2 * i));
    }
    maps.panels = {{QStringLiteral("The data"), QStringLiteral("The second cloud is 10 times as wide."), xy},
                   {QStringLiteral("t-SNE, perplexity 30"), QStringLiteral("1.2 times as wide."), xy}};
    return maps;
}

/// Every kind of picture, by name, for a model with these heads.
inline std::map<std::string, LessonPicture> lessonPictures(std::int64_t heads, std::int64_t kvHeads)
{
    const ModelInfo model = lessonModel(heads, kvHeads);
    std::map<std::string, LessonPicture> pictures;
    const auto add = [&pictures](const char* name, auto content) {
        LessonPicture picture;
        picture.heading = QStringLiteral("What is drawn here, of which model and which of its layers");
        picture.note =
            QStringLiteral("Where the numbers come from, and what was left out of the picture to make room.");
        picture.content = std::move(content);
        pictures[name] = std::move(picture);
    };
    TokenRow row;
    for (int i = 0; i < 24; ++i)
    {
        row.tokens.push_back(i % 5 == 0 ? QStringLiteral(" neighbours") : QStringLiteral(" of"));
        row.ids.push_back(i * 1777);
    }
    add("tokens", row);
    add("counts", HeadCounts{model, 0});
    add("wiring", HeadWiring{model, kvHeads > 1 ? std::optional<std::int64_t>(1) : std::nullopt});
    add("scores", sampleScores(model, 40));
    add("hull", samplePlane(model));
    add("mixing", HeadMixing{model});
    add("bytes", CacheBytes{{"sample-model", 30, heads, kvHeads, 64}});
    add("regroup", sampleRegroup());
    add("table", KvTable{{{"sample-model", 30, heads, kvHeads, 64}, *knownKvShape("SFR-Embedding-Mistral")}, 0});
    add("rows", ShareRows{QStringLiteral("Accuracy of a probe"),
                          QStringLiteral("Dashed: chance. Bars: 95% CI."),
                          {{QStringLiteral("Stage 1"), 0.757, {0.709, 0.8}, 0.111, true, {}},
                           {QStringLiteral("Random partition"), 0.997, {}, 0.111, false, QStringLiteral("q = 0.01")}}});
    add("errors", sampleErrors(model));
    add("clouds", sampleClouds());
    LessonPicture why;
    why.note = QStringLiteral("Nothing is drawn, and this says why and what helps.");
    pictures["why"] = why;
    return pictures;
}

} // namespace headscope::test

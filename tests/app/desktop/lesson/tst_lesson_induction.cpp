// SPDX-License-Identifier: GPL-3.0-or-later
// The induction values that a lesson brings are those that the Atlas measures with the demo model.
#include "app/desktop/engine/engine_server.h"
#include "app/views/atlas/measure_attention.h"
#include "model/io/lessons/lesson_reader.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <nlohmann/json.hpp>

#include <QFile>
#include <QTest>

#include <algorithm>
#include <cmath>

using namespace headscope;
using namespace headscope::desktop;

class TestLessonInduction : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void valuesAreThoseOfTheAtlas()
    {
        const QString model = qEnvironmentVariable("HEADSCOPE_DEMO_MODEL");
        if (model.isEmpty() || !QFile::exists(model))
            QSKIP("the demo model is not here (HEADSCOPE_DEMO_MODEL)");
        const auto lesson = readLesson(test::source("resources/lessons/specialise.en.json"));
        HEADSCOPE_VERIFY_OK(lesson);
        const auto step = std::ranges::find(lesson->steps, "induction", &LessonStep::id);
        QVERIFY(step != lesson->steps.end());
        auto documents = std::make_shared<DocumentSet>();
        documents->ids = {"a"};
        documents->texts = {"a short text"};
        AtlasAttentionRequest request;
        request.command.model = model.toStdString();
        request.info.layers = 30;
        request.info.heads = 9;
        request.info.vocabulary = 49'152;
        request.documents = documents;
        request.rows = {0};
        request.of = 1;
        EngineServer engine(test::program("headscope-engine"), {});
        JobContext job;
        const auto measures =
            measureAttention([&engine](const nlohmann::json& params,
                                       JobContext& inner) { return engine.ask("attention", params, inner); },
                             request, job);
        HEADSCOPE_VERIFY_OK(measures);
        const auto induction = std::ranges::find(*measures, "induction", &HeadMeasure::key);
        QVERIFY(induction != measures->end());
        QVERIFY(!step->picture.rows.empty());
        for (const LessonRow& row : step->picture.rows)
        {
            int layer = 0;
            int head = 0;
            QCOMPARE(std::sscanf(row.name.c_str(), "Layer %d, head %d", &layer, &head), 2);
            const double measured = induction->at(layer, head - 1);
            QVERIFY2(std::abs(measured - row.value) < 0.002, (row.name + ": " + std::to_string(measured)).c_str());
        }
    }
};

HEADSCOPE_TEST_GUILESS(TestLessonInduction)
#include "tst_lesson_induction.moc"

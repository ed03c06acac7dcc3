// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/lessons/lesson_reader.h"

#include "model/io/lessons/regroup_file.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QtTest>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>

using namespace headscope;

namespace
{

QJsonObject goodStep()
{
    return {{"id", "one"},
            {"title", "A title"},
            {"text", "A text."},
            {"try", "Try it."},
            {"question", "Why?"},
            {"answer", "Because."},
            {"picture", QJsonObject{{"kind", "hull"}, {"group", 2}, {"token", 3}}},
            {"scene", QJsonObject{{"tab", "map"},
                                  {"layer", "last"},
                                  {"stage", 1},
                                  {"heads", QJsonArray{4, 1}},
                                  {"color", "head"},
                                  {"controls", QJsonObject{{"box", true}, {"field", "x"}, {"slider", 2.5}}}}}};
}

QJsonObject goodLesson()
{
    return {
        {"format", "headscope-lesson"}, {"version", 1},        {"id", "a-lesson"}, {"language", "en"},
        {"title", "A lesson"},          {"summary", "Of it."}, {"minutes", 10},    {"steps", QJsonArray{goodStep()}}};
}

std::string textOf(const QJsonObject& lesson)
{
    return QJsonDocument(lesson).toJson().toStdString();
}

QJsonObject withStep(const std::function<void(QJsonObject&)>& change)
{
    QJsonObject step = goodStep();
    change(step);
    QJsonObject lesson = goodLesson();
    lesson["steps"] = QJsonArray{step};
    return lesson;
}

using Forms = std::map<LessonCase, std::string>;

/// Every text of a lesson, with the place.
std::vector<std::pair<std::string, const LessonText*>> allTexts(const Lesson& lesson)
{
    std::vector<std::pair<std::string, const LessonText*>> texts;
    for (const LessonStep& step : lesson.steps)
        for (const auto& [name, text] :
             {std::pair{"title", &step.title}, std::pair{"text", &step.text}, std::pair{"try", &step.attempt},
              std::pair{"question", &step.question}, std::pair{"answer", &step.answer}})
            texts.emplace_back(lesson.id + " " + step.id + " " + name, text);
    return texts;
}

} // namespace

class TestLessonReader : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsWhatIsThere()
    {
        const auto read = parseLesson(textOf(goodLesson()), "a.json");
        HEADSCOPE_VERIFY_OK(read);
        QCOMPARE(read->id, std::string("a-lesson"));
        QCOMPARE(read->minutes, 10);
        QCOMPARE(read->steps.size(), std::size_t{1});
        const LessonStep& step = read->steps.front();
        QCOMPARE(step.attempt.forms.at(LessonCase::Any), std::string("Try it."));
        QCOMPARE(step.picture.kind, LessonPictureKind::Hull);
        QCOMPARE(step.picture.number("group", 0), 2.0);
        QCOMPARE(step.picture.number("layer", 7), 7.0);
        QVERIFY(step.scene.lastLayer && step.scene.stage == 1);
        QCOMPARE(step.scene.heads, (std::vector<std::int64_t>{0, 3}));
        QCOMPARE(step.scene.color, std::string("head"));
        QVERIFY(std::get<bool>(step.scene.controls.at("box")));
        QCOMPARE(std::get<double>(step.scene.controls.at("slider")), 2.5);
    }

    void readsForms()
    {
        const auto read =
            parseLesson(textOf(withStep([](QJsonObject& step) {
                            step["text"] = QJsonObject{{"groups", "g"}, {"own", "o"}, {"one", "1"}, {"encoder", "e"}};
                        })),
                        "a.json");
        HEADSCOPE_VERIFY_OK(read);
        QCOMPARE(read->steps.front().text.forms, (Forms{{LessonCase::Groups, "g"},
                                                        {LessonCase::Own, "o"},
                                                        {LessonCase::One, "1"},
                                                        {LessonCase::Encoder, "e"}}));
    }

    void brokenFilesAreRefused_data()
    {
        QTest::addColumn<QJsonObject>("lesson");
        QTest::addColumn<QString>("sentence");
        const auto row = [](const char* name, const QJsonObject& lesson, const char* sentence) {
            QTest::newRow(name) << lesson << QString::fromLatin1(sentence);
        };
        const auto with = [](const char* key, const QJsonValue& value) {
            QJsonObject lesson = goodLesson();
            lesson[QLatin1StringView(key)] = value;
            return lesson;
        };
        row("format", with("format", "other"), "a.json: format: expected \"headscope-lesson\"");
        row("no format", with("format", QJsonValue::Undefined), "found none");
        row("version 0", with("version", 0), "version: expected a whole number from 1");
        row("newer", with("version", 2), "it is for a newer Headscope");
        row("unknown key", with("author", "me"), "expected one of format, version");
        row("id", with("id", "../etc"), "id: expected small letters, digits and dashes");
        row("language", with("language", "english"), "language: expected");
        row("title", with("title", 3), "title: expected a text, found an integer");
        row("empty title", with("title", "  "), "title: expected a text, found an empty one");
        row("minutes", with("minutes", 1e9), "minutes: expected 1 to 600");
        row("no steps", with("steps", QJsonArray{}), "steps: expected a list of 1 to 60");
        row("steps", with("steps", "many"), "steps: expected a list");
        row("same id", with("steps", QJsonArray{goodStep(), goodStep()}), "steps[1].id: expected another id");
        QJsonArray many;
        for (int i = 0; i < 61; ++i)
        {
            QJsonObject step = goodStep();
            step["id"] = QStringLiteral("s%1").arg(i);
            many.append(step);
        }
        row("too many", with("steps", many), "steps: expected a list of 1 to 60");
        const auto step = [&row](const char* name, const char* key, const QJsonValue& value, const char* sentence) {
            row(name, withStep([&](QJsonObject& each) { each[QLatin1StringView(key)] = value; }), sentence);
        };
        step("no answer", "answer", QJsonValue::Undefined, "steps[0].answer: expected a text, found none");
        step("unknown step key", "txt", "x", "steps[0]: expected one of id, title, text");
        step("long", "text", QString(2001, QChar('x')), "steps[0].text: expected a text of at most 2000 bytes");
        step("control", "text", QStringLiteral("a\x07"), "without control characters");
        step("forms", "text", QJsonObject{{"groups", "g"}}, "expected \"any\", or all of");
        step("unknown form", "text", QJsonObject{{"some", "g"}}, "steps[0].text: expected one of any, groups");
        step("kind", "picture", QJsonObject{{"kind", "film"}}, "steps[0].picture.kind: expected a kind of picture");
        step("parameter", "picture", QJsonObject{{"kind", "tokens"}, {"group", 1}}, "expected one of kind, found");
        step("range", "picture", QJsonObject{{"kind", "hull"}, {"group", -1}}, "picture.group: expected 1 to 1024");
        step("word", "picture", QJsonObject{{"kind", "clouds"}, {"clouds", "rain"}}, "expected one of sizes");
        step("tab", "scene", QJsonObject{{"tab", "Map/../x"}}, "scene.tab: expected small letters");
        step("no tab", "scene", QJsonObject{{"stage", 1}}, "scene.tab: expected a text, found none");
        step("stage", "scene", QJsonObject{{"tab", "map"}, {"stage", 4}}, "scene.stage: expected 1 to 3");
        step("heads", "scene", QJsonObject{{"tab", "map"}, {"heads", "some"}}, "scene.heads: expected \"all\"");
        step("head 0", "scene", QJsonObject{{"tab", "map"}, {"heads", QJsonArray{0}}}, "scene.heads: expected 1 to");
        step("control list", "scene", QJsonObject{{"tab", "map"}, {"controls", QJsonArray{}}},
             "scene.controls: expected an object");
    }
    void brokenFilesAreRefused()
    {
        QFETCH(const QJsonObject, lesson);
        QFETCH(const QString, sentence);
        const auto read = parseLesson(textOf(lesson), "a.json");
        QVERIFY2(!read, "expected an error");
        QVERIFY2(read.error().sentence().find(sentence.toStdString()) != std::string::npos,
                 read.error().sentence().c_str());
        QVERIFY(!read.error().message.empty());
    }

    void noJsonIsRefused()
    {
        HEADSCOPE_VERIFY_ERROR(parseLesson("{", "a.json"), ErrorCode::BadFormat, "a.json");
        HEADSCOPE_VERIFY_ERROR(parseLesson("[]", "a.json"), ErrorCode::BadFormat, "a JSON object");
        HEADSCOPE_VERIFY_ERROR(parseLesson("{\"format\": 1, \"format\": 2}", "a.json"), ErrorCode::BadFormat, "format");
        HEADSCOPE_VERIFY_ERROR(readLesson("/nowhere/a.json"), ErrorCode::FileNotFound, "a.json");
    }

    /// Every prefix of a good file, and every byte of it changed, is a lesson or an error.
    void damagedFilesNeverCrash()
    {
        const std::string good = textOf(goodLesson());
        int refused = 0;
        for (std::size_t size = 0; size < good.size(); ++size)
            refused += parseLesson(std::string_view(good).substr(0, size), "a.json") ? 0 : 1;
        QVERIFY(refused >= static_cast<int>(good.size()) - 2);
        for (std::size_t at = 0; at < good.size(); ++at)
            for (const char byte : {'\0', '"', '}', '9', '\xff'})
            {
                std::string damaged = good;
                damaged[at] = byte;
                if (const auto read = parseLesson(damaged, "a.json"); !read)
                    QVERIFY(!read.error().message.empty());
            }
    }

    void bundledLessonsKeepTheRules()
    {
        int lessons = 0;
        for (const auto& entry : std::filesystem::directory_iterator(test::source("resources/lessons")))
        {
            if (entry.path().extension() != ".json")
                continue;
            const auto lesson = readLesson(entry.path());
            HEADSCOPE_VERIFY_OK(lesson);
            ++lessons;
            QCOMPARE(entry.path().filename().string(), lesson->id + "." + lesson->language + ".json");
            QVERIFY(lesson->steps.size() >= 8);
            for (const auto& [place, text] : allTexts(*lesson))
                for (const auto& [of, form] : text->forms)
                {
                    const bool isText = place.ends_with(" text");
                    QVERIFY2(wordCount(form) <= 60, place.c_str());
                    QVERIFY2(!isText || wordCount(form) >= 20, place.c_str());
                    if (place.ends_with(" question"))
                        QVERIFY2(form.ends_with("?"), place.c_str());
                    // Nothing is left in braces for any kind of model.
                    ModelInfo model;
                    model.heads = model.kvHeads = 1;
                    const std::string filled =
                        filledText(form, model, {{"token", "t"}, {"group", "1"}, {"layer", "2"}});
                    QVERIFY2(filled.find('{') == std::string::npos, (place + ": " + filled).c_str());
                }
            for (const LessonStep& step : lesson->steps)
                QVERIFY2(step.picture.kind != LessonPictureKind::None || !step.scene.empty(), step.id.c_str());
        }
        QVERIFY(lessons >= 2);
    }

    void numbersSurviveTheirFile()
    {
        RegroupResult result;
        result.model.name = "tiny \"one\"";
        result.model.family = "llama";
        result.model.layers = 2;
        result.model.heads = 8;
        result.model.kvHeads = 4;
        result.model.headDim = 16;
        result.documents = 20;
        result.ofDocuments = 40;
        result.neighbors = 10;
        result.sentence = "A sentence.";
        result.texts = "some texts";
        result.rows = {{4, 1, {}, 1, {}, 0}, {1, 0.75, {0.5, 0.875}, 0.25, {0.125, 0.375}, NAN}};
        const std::string text = regroupText(result);
        const auto read = parseRegroup(text, "n.json");
        HEADSCOPE_VERIFY_OK(read);
        QVERIFY(read->stored);
        QCOMPARE(regroupText(*read), text);
        QCOMPARE(read->rows[1].keptCi95.high, 0.375);
        QVERIFY(std::isnan(read->rows[1].attention));
        for (std::size_t size = 0; size + 2 < text.size(); ++size)
            QVERIFY(!parseRegroup(std::string_view(text).substr(0, size), "n.json"));
        const auto broken = [&text](const std::string& from, const std::string& to) {
            std::string other = text;
            other.replace(other.find(from), from.size(), to);
            return parseRegroup(other, "n.json");
        };
        HEADSCOPE_VERIFY_ERROR(broken("\"kv_heads\": 1", "\"kv_heads\": 3"), ErrorCode::BadFormat, "rows[1].kv_heads");
        HEADSCOPE_VERIFY_ERROR(broken("\"heads\": 8", "\"heads\": 7"), ErrorCode::BadFormat, "model.kv_heads");
        HEADSCOPE_VERIFY_ERROR(broken("0.7500", "7.5"), ErrorCode::BadFormat, "rows[1].cosine: expected -1 to 1");
        HEADSCOPE_VERIFY_ERROR(broken("\"version\": 1", "\"version\": 9"), ErrorCode::Unsupported, "newer");
    }
};

HEADSCOPE_TEST_GUILESS(TestLessonReader)
#include "tst_lesson_reader.moc"

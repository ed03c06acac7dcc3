// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/lessons/lesson_reader.h"

#include "model/io/lessons/regroup_file.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <nlohmann/json.hpp>

#include <QTest>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>

using namespace headscope;

namespace
{

using Json = nlohmann::json;

Json goodStep()
{
    return {{"id", "one"},
            {"title", "A title"},
            {"text", "A text."},
            {"try", "Try it."},
            {"question", "Why?"},
            {"answer", "Because."},
            {"picture", {{"kind", "hull"}, {"group", 2}, {"token", 3}}},
            {"scene",
             {{"tab", "map"},
              {"layer", "last"},
              {"stage", 1},
              {"heads", Json::array({4, 1})},
              {"color", "head"},
              {"controls", {{"box", true}, {"field", "x"}, {"slider", 2.5}}}}}};
}

Json goodLesson()
{
    return {{"format", "headscope-lesson"},
            {"version", 1},
            {"id", "a-lesson"},
            {"language", "en"},
            {"title", "A lesson"},
            {"summary", "Of it."},
            {"minutes", 10},
            {"steps", Json::array({goodStep()})}};
}

std::string textOf(const Json& lesson)
{
    return lesson.dump(1, ' ', false, Json::error_handler_t::replace);
}

Json withStep(const std::function<void(Json&)>& change)
{
    Json step = goodStep();
    change(step);
    Json lesson = goodLesson();
    lesson["steps"] = Json::array({step});
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

private:
    /// Every question of the lessons has answers to guess from, short enough for a button in the narrow column.
    static void checkGuesses(const Lesson& lesson)
    {
        for (const LessonStep& step : lesson.steps)
        {
            QVERIFY2(step.options.size() >= 2 && step.right < step.options.size(), step.id.c_str());
            for (const LessonText& option : step.options)
                for (const auto& [of, form] : option.forms)
                    QVERIFY2(form.size() <= 38, form.c_str());
        }
    }

    /// A term is bold where it is introduced, once for each kind of model, and not before it was shown in the lesson.
    static void checkTerms(const Lesson& lesson)
    {
        for (const LessonCase of : {LessonCase::Groups, LessonCase::Own, LessonCase::One})
        {
            ModelInfo model;
            model.heads = of == LessonCase::Own ? 4 : 8;
            model.kvHeads = of == LessonCase::One ? 1 : 4;
            std::set<std::string> terms;
            for (const LessonStep& step : lesson.steps)
                for (const LessonText* text : {&step.title, &step.text, &step.attempt, &step.question, &step.answer})
                    for (const std::string& term : markedTerms(text->forModel(model)))
                        QVERIFY2(terms.insert(term).second, (step.id + ": " + term).c_str());
        }
    }

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

    void readsGuessesAndRows()
    {
        const auto read = parseLesson(
            textOf(withStep([](Json& step) {
                step["options"] = {"Yes", {{"any", "No"}, {"own", "Never"}}};
                step["right"] = 2;
                step["picture"] = {{"kind", "rows"},
                                   {"heading", "What"},
                                   {"note", "Where from"},
                                   {"rows", Json::array({{{"name", "a"}, {"value", 0.5}, {"low", 0.25}, {"high", 0.75}},
                                                         {{"name", "b"}, {"value", 1}, {"chance", 0.125}}})}};
            })),
            "a.json");
        HEADSCOPE_VERIFY_OK(read);
        const LessonStep& step = read->steps.front();
        QCOMPARE(step.options.size(), std::size_t{2});
        QCOMPARE(step.right, std::size_t{1});
        QCOMPARE(step.options[1].forms.at(LessonCase::Own), std::string("Never"));
        QCOMPARE(step.picture.rows.size(), std::size_t{2});
        QCOMPARE(step.picture.rows[0].ci95.high, 0.75);
        QVERIFY(!step.picture.rows[0].chance && step.picture.rows[1].chance == 0.125);
        QVERIFY(!std::isfinite(step.picture.rows[1].ci95.low));
    }

    void readsForms()
    {
        const auto read =
            parseLesson(textOf(withStep([](Json& step) {
                            step["text"] = {{"groups", "g"}, {"own", "o"}, {"one", "1"}, {"encoder", "e"}};
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
        QTest::addColumn<QByteArray>("lesson");
        QTest::addColumn<QByteArray>("sentence");
        const auto row = [](const char* name, const Json& lesson, const char* sentence) {
            QTest::newRow(name) << QByteArray::fromStdString(textOf(lesson)) << QByteArray(sentence);
        };
        const auto with = [&row](const char* name, const char* key, const Json& value, const char* sentence) {
            Json lesson = goodLesson();
            lesson[key] = value;
            row(name, lesson, sentence);
        };
        const auto without = [&row](const char* key, const char* sentence) {
            Json lesson = goodLesson();
            lesson.erase(key);
            row((std::string("no ") + key).c_str(), lesson, sentence);
        };
        with("format", "format", "other", "a.json: format: expected \"headscope-lesson\"");
        without("format", "found none");
        without("language", "language: this text is missing");
        with("version 0", "version", 0, "version: expected an integer of 1 or more");
        with("newer", "version", 2, "it is for a newer Headscope");
        with("unknown key", "author", "me", "expected one of format, version");
        with("id", "id", "../etc", "id: expected lower-case letters, digits and hyphens");
        with("language", "language", "englis", "language: expected");
        with("title", "title", 3, "title: expected a text, found an integer");
        with("empty title", "title", "  ", "title: this text is empty");
        with("minutes", "minutes", 1e9, "minutes: expected 1 to 600");
        with("no step", "steps", Json::array(), "steps: expected a list of 1 to 60");
        with("steps", "steps", "many", "steps: expected a list");
        with("same id", "steps", Json::array({goodStep(), goodStep()}), "steps[1].id: expected another id");
        Json many = Json::array();
        for (int i = 0; i < 61; ++i)
        {
            many.push_back(goodStep());
            many.back()["id"] = "s" + std::to_string(i);
        }
        with("too many", "steps", many, "steps: expected a list of 1 to 60");
        const auto step = [&row](const char* name, const char* key, const Json& value, const char* sentence) {
            row(name, withStep([&](Json& each) { each[key] = value; }), sentence);
        };
        row("no answer", withStep([](Json& each) { each.erase("answer"); }), "steps[0].answer: this text is missing");
        step("unknown step key", "txt", "x", "steps[0]: expected one of id, title, text");
        step("long", "text", std::string(2001, 'x'), "steps[0].text: expected a text of at most 2000 bytes");
        step("control", "text", "a\x07", "without control characters");
        step("forms", "text", {{"groups", "g"}}, "expected \"any\", or all of");
        step("unknown form", "text", {{"some", "g"}}, "steps[0].text: expected one of any, groups");
        step("kind", "picture", {{"kind", "film"}}, "steps[0].picture.kind: expected a kind of picture");
        step("parameter", "picture", {{"kind", "mixing"}, {"group", 1}}, "expected one of kind, found");
        step("range", "picture", {{"kind", "hull"}, {"group", -1}}, "picture.group: expected 1 to 1024");
        step("word", "picture", {{"kind", "clouds"}, {"clouds", "rain"}}, "expected one of sizes");
        step("options alone", "options", {"a", "b"}, "steps[0].right: the index of the correct option");
        step("right alone", "right", 1, "steps[0].options: expected a list of 2 to 6");
        row("right", withStep([](Json& each) {
                each["options"] = {"a", "b"};
                each["right"] = 3;
            }),
            "steps[0].right: expected 1 to 2");
        step("no rows", "picture", {{"kind", "rows"}, {"heading", "h"}, {"note", "n"}},
             "picture.rows: expected a list");
        step("row", "picture",
             {{"kind", "rows"}, {"heading", "h"}, {"note", "n"}, {"rows", Json::array({{{"name", "a"}}})}},
             "picture.rows[0].value: this number is missing");
        step("tab", "scene", {{"tab", "Map/../x"}}, "scene.tab: expected lower-case letters");
        step("no tab", "scene", {{"stage", 1}}, "scene.tab: this text is missing");
        step("stage", "scene", {{"tab", "map"}, {"stage", 4}}, "scene.stage: expected 1 to 3");
        step("heads", "scene", {{"tab", "map"}, {"heads", "some"}}, "scene.heads: expected \"all\"");
        step("head 0", "scene", {{"tab", "map"}, {"heads", Json::array({0})}}, "scene.heads: expected 1 to");
        step("control list", "scene", {{"tab", "map"}, {"controls", Json::array()}},
             "scene.controls: expected an object");
    }
    void brokenFilesAreRefused()
    {
        QFETCH(const QByteArray, lesson);
        QFETCH(const QByteArray, sentence);
        const auto read = parseLesson(lesson.toStdString(), "a.json");
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
            checkGuesses(*lesson);
            checkTerms(*lesson);
            if (QTest::currentTestFailed())
                return;
            for (const auto& [place, text] : allTexts(*lesson))
                for (const auto& [of, form] : text->forms)
                {
                    const bool isText = place.ends_with(" text");
                    QVERIFY2(wordCount(form) <= 60, place.c_str());
                    QVERIFY2(!isText || wordCount(form) >= 20, place.c_str());
                    QVERIFY2(!place.ends_with(" question") || wordCount(form) <= 20, place.c_str());
                    QVERIFY2(!place.ends_with(" answer") || wordCount(form) <= 40, place.c_str());
                    if (place.ends_with(" question"))
                        QVERIFY2(form.ends_with("?"), place.c_str());
                    // Nothing is left in braces for any kind of model.
                    ModelInfo model;
                    model.heads = model.kvHeads = 1;
                    const std::string filled = filledText(form, model,
                                                          {{"token", "t"},
                                                           {"group", "1"},
                                                           {"layer", "2"},
                                                           {"example", "m"},
                                                           {"example_heads", "64"},
                                                           {"example_kv_heads", "8"},
                                                           {"example_tokens", "4,096"},
                                                           {"example_shared", "1.3 GB"},
                                                           {"example_unshared", "11 GB"}});
                    QVERIFY2(filled.find('{') == std::string::npos, (place + ": " + filled).c_str());
                }
            for (const LessonStep& step : lesson->steps)
                QVERIFY2(step.picture.kind != LessonPictureKind::None || !step.scene.empty(), step.id.c_str());
        }
        QVERIFY(lessons >= 3);
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

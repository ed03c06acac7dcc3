// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/lesson/lesson.h"

#include "model/data/lesson/kv_cache.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace headscope;

namespace
{

ModelInfo model(std::int64_t heads, std::int64_t kvHeads, const char* family = "llama")
{
    ModelInfo info;
    info.name = "tiny";
    info.family = family;
    info.layers = 30;
    info.heads = heads;
    info.kvHeads = kvHeads;
    info.headDim = 64;
    return info;
}

} // namespace

class TestLesson : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void textsFitTheModel()
    {
        LessonText text;
        text.forms = {{LessonCase::Groups, "groups"},
                      {LessonCase::Own, "own"},
                      {LessonCase::One, "one"},
                      {LessonCase::Encoder, "encoder"}};
        QCOMPARE(text.forModel(model(9, 3)), std::string("groups"));
        QCOMPARE(text.forModel(model(12, 12)), std::string("own"));
        QCOMPARE(text.forModel(model(8, 1)), std::string("one"));
        QCOMPARE(text.forModel(model(12, 12, "bert")), std::string("encoder"));
        QCOMPARE(text.forModel(model(9, 0)), std::string("groups")); // a cache that does not say it
        text.forms = {{LessonCase::Any, "any"}, {LessonCase::Own, "own"}};
        QCOMPARE(text.forModel(model(9, 3)), std::string("any"));
        QCOMPARE(text.forModel(model(9, 0)), std::string("any"));
        QCOMPARE(text.forModel(model(12, 12, "bert")), std::string("own"));
    }

    void namesInBracesAreFilled()
    {
        const ModelInfo info = model(9, 3);
        QCOMPARE(filledText("{heads} on {kv_heads}, {members} each, {layers} x {head_dim} of {model}", info),
                 std::string("9 on 3, 3 each, 30 x 64 of tiny"));
        QCOMPARE(filledText("from {token} and {nothing} {", info, {{"token", "keys"}}),
                 std::string("from keys and {nothing} {"));
        // What is filled in is not filled again.
        QCOMPARE(filledText("{token}", info, {{"token", "{heads}"}}), std::string("{heads}"));
    }

    void wordsAreCounted()
    {
        QCOMPARE(wordCount("  two  words\n"), std::int64_t{2});
        QCOMPARE(wordCount(""), std::int64_t{0});
    }

    void termsAreMarked()
    {
        const std::string text = "A **query head** and a **KV head**, 2 ** 3";
        QCOMPARE(markedTerms(text), (std::vector<std::string>{"query head", "KV head"}));
        QCOMPARE(withoutMarks("A **query head**."), std::string("A query head."));
    }

    void bytesOfKeysAndValues()
    {
        const KvShape llama3{"Llama-3-8B", 32, 32, 8, 128};
        // 2 KV Dh numbers in each layer for each token.
        QCOMPARE(kvCacheBytes(llama3, 8, 131'072, 2), std::int64_t{2} * 8 * 128 * 2 * 32 * 131'072);
        QCOMPARE(kvCacheBytes(llama3, 8, 131'072, 2), std::int64_t{17'179'869'184});
        QCOMPARE(kvCacheBytes(llama3, 32, 131'072, 2), 4 * kvCacheBytes(llama3, 8, 131'072, 2));
        QCOMPARE(kvCacheBytes(llama3, 8, 0, 2), std::int64_t{0});
    }

    void shapesMakeSense()
    {
        bool own = false;
        bool one = false;
        bool groups = false;
        for (const KvShape& shape : knownKvShapes())
        {
            QVERIFY2(shape.context >= 2'048, shape.name.c_str());
            QVERIFY2(shape.layers > 0 && shape.headDim > 0 && shape.heads % shape.kvHeads == 0, shape.name.c_str());
            own = own || shape.kvHeads == shape.heads;
            one = one || shape.kvHeads == 1;
            groups = groups || (shape.kvHeads > 1 && shape.kvHeads < shape.heads);
        }
        QVERIFY(own && one && groups);
    }

    /// Each as its authors state it.
    void contextsAreThoseOfTheModels()
    {
        for (const auto& [name, context] : {std::pair{"Llama-2-70B", 4'096},
                                            {"Llama-3-8B", 8'192},
                                            {"Llama-3.1-8B", 131'072},
                                            {"SFR-Embedding-Mistral", 32'768},
                                            {"Falcon-7B", 2'048}})
            QCOMPARE(knownKvShape(name)->context, std::int64_t{context});
        QVERIFY(knownKvShape("nothing") == nullptr);
        ModelInfo demo = model(9, 3);
        demo.name = "SmolLM2-135M-Instruct.Q4_1";
        QCOMPARE(kvShapeOf(demo).context, std::int64_t{8'192});
        QCOMPARE(kvShapeOf(model(9, 3)).context, std::int64_t{0});
    }

    void usersShareAMemory()
    {
        const KvShape& llama = *knownKvShape("Llama-3-8B");
        QCOMPARE(kvCacheBytes(llama, 8, 1, 2), std::int64_t{131'072});
        QCOMPARE(cachesThatFit(llama, 32'768, 2, 80'000'000'000), std::int64_t{18});
        QCOMPARE(cachesThatFit(llama, 0, 2, 80'000'000'000), std::int64_t{0});
        // An eighth.
        const KvShape& large = *knownKvShape("Llama-2-70B");
        QCOMPARE(kvCacheBytes(large, 64, 4'096, 2), 8 * kvCacheBytes(large, 8, 4'096, 2));
    }

    void regroupingsDivide()
    {
        QCOMPARE(regroupings(8), (std::vector<std::int64_t>{8, 4, 2, 1}));
        QCOMPARE(regroupings(3), (std::vector<std::int64_t>{3, 1}));
        QCOMPARE(regroupings(1), (std::vector<std::int64_t>{1}));
    }
};

HEADSCOPE_TEST_GUILESS(TestLesson)
#include "tst_lesson.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/attention/head_corpus.h"

#include "tests/support/test_program.h"

#include <algorithm>
#include <functional>

using namespace headscope;

class TestHeadCorpus : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void decilesAreOfOneSize_data();
    void decilesAreOfOneSize();
    void equalActivations();
    void placesOfTokens();
    void whatDiffers();
};

void TestHeadCorpus::decilesAreOfOneSize_data()
{
    QTest::addColumn<int>("tokens");
    for (const int tokens : {1, 3, 10, 11, 99, 100, 1234})
        QTest::addRow("%d", tokens) << tokens;
}

void TestHeadCorpus::decilesAreOfOneSize()
{
    QFETCH(int, tokens);
    std::vector<float> activations;
    for (int i = 0; i < tokens; ++i)
        activations.push_back(static_cast<float>(i * 7919 % 1009) + 0.001F * static_cast<float>(i));
    const auto deciles = decilesOf(activations);
    const auto bounds = decileBounds(activations);
    std::array<int, kDeciles> counts{};
    for (std::size_t i = 0; i < activations.size(); ++i)
    {
        ++counts[deciles[i]];
        QVERIFY(activations[i] >= bounds[deciles[i]]);
        QVERIFY(activations[i] <= bounds[deciles[i] + std::size_t{1}]);
    }
    for (const int count : counts)
        QVERIFY(count == tokens / 10 || count == (tokens + 9) / 10);
    QVERIFY(std::ranges::is_sorted(bounds));
    QCOMPARE(bounds.front(), *std::ranges::min_element(activations));
    QCOMPARE(bounds.back(), *std::ranges::max_element(activations));
}

/// Tokens that are all alike are cut by their place.
void TestHeadCorpus::equalActivations()
{
    const auto deciles = decilesOf(std::vector<float>(20, 2.5F));
    for (std::size_t i = 0; i < 20; ++i)
        QCOMPARE(std::size_t{deciles[i]}, i / 2);
}

void TestHeadCorpus::placesOfTokens()
{
    HeadCorpus corpus;
    corpus.documents = {"a", "empty", "c"};
    corpus.offsets = {0, 2, 2, 5};
    corpus.ids = {7, 8, 9, 7, 7};
    corpus.vocabulary = {7, 9};
    corpus.spellings = {"seven", "nine"};
    QCOMPARE(corpus.placeOf(1).document.value(), 0);
    QCOMPARE(corpus.placeOf(1).token.value(), 1);
    QCOMPARE(corpus.placeOf(2).document.value(), 2);
    QCOMPARE(corpus.placeOf(2).token.value(), 0);
    QCOMPARE(corpus.placeOf(4).token.value(), 2);
    QCOMPARE(corpus.tokensOf(DocumentIndex(1)), 0);
    QCOMPARE(corpus.spellingOf(9), std::string_view("nine"));
    QVERIFY(corpus.spellingOf(8).empty());
}

void TestHeadCorpus::whatDiffers()
{
    HeadCorpusSource source;
    source.model.sha256 = {{"model.safetensors", "ab"}};
    source.head = HeadIndex(2);
    source.maxTokens = 77;
    QCOMPARE(source.differenceFrom(source), std::string());
    const auto differs = [&](const std::function<void(HeadCorpusSource&)>& change, const char* part) {
        HeadCorpusSource other = source;
        change(other);
        const std::string found = source.differenceFrom(other);
        QVERIFY2(found.find(part) != std::string::npos, found.c_str());
    };
    differs([](auto& s) { s.model.sha256.front().second = "cd"; }, "expected files of the model");
    differs([](auto& s) { s.tokenizerSha256 = "x"; }, "tokenizer");
    differs([](auto& s) { s.layer = LayerIndex(1); }, "expected layer 0, found 1");
    differs([](auto& s) { s.head = HeadIndex(0); }, "expected head 3, found 1");
    differs([](auto& s) { s.cacheIdentity = "x"; }, "documents of the same cache");
    differs([](auto& s) { s.prompt = "Say: "; }, "prompt");
    differs([](auto& s) { s.eos = "never"; }, "--eos");
    differs([](auto& s) { s.specialTokens = "text"; }, "--special-tokens");
    differs([](auto& s) { s.maxTokens = 78; }, "expected --max-tokens 77, found 78");
    differs([](auto& s) { s.sampleTokens = 5; }, "--sample-tokens");
    differs([](auto& s) { s.seed = 2; }, "--seed");
    differs([](auto& s) { s.device = "gpu"; }, "--device");
    HeadCorpusSource renamed = source;
    renamed.corpus = "elsewhere.jsonl";
    QCOMPARE(source.differenceFrom(renamed), std::string());
}

HEADSCOPE_TEST_GUILESS(TestHeadCorpus)
#include "tst_head_corpus.moc"

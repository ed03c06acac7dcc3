// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/cli/cli_fixture.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include <algorithm>
#include <cmath>
#include <fstream>

using namespace headscope;
using test::runVerb;
using Json = nlohmann::json;

namespace
{

/// The sentences of a section, and what is missing of it.
std::string sectionText(const Json& card, const std::string& title)
{
    std::string text;
    for (const Json& section : card.at("sections"))
        if (section.at("title") == title)
            for (const char* list : {"sentences", "missing", "notes"})
                for (const Json& sentence : section.at(list))
                    text += sentence.get<std::string>() + "\n";
    return text;
}

bool has(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

} // namespace

/// The verb card: one head, or every head, on a page.
class TestCliCard : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    std::string m_cache;

    std::string file(const char* name) { return m_folder.filePath(QLatin1StringView(name)).toStdString(); }

    /// A cache that differs a little from the usual one.
    std::string cacheOf(const char* name, const CacheContents& contents)
    {
        JobContext job;
        const std::string path = file(name);
        const Status written = writeCache(path, contents, NumberType::F32, job);
        return written ? path : std::string();
    }

private Q_SLOTS:
    void initTestCase()
    {
        CacheContents contents = test::tellingContents();
        for (std::int64_t i = 0; i < test::kDocuments; ++i)
            contents.documents.texts.push_back(i % 3 == 0   ? "the galaxy turns and the galaxy shines"
                                               : i % 3 == 1 ? "bread rises in the warm oven"
                                                            : "the team won the last game");
        m_cache = cacheOf("cache.h5", contents);
        QVERIFY(!m_cache.empty());
    }

    void numbersOfAHead()
    {
        const auto outcome = runVerb({"card", m_cache, "--layer", "1", "--head", "2", "--json"});
        QCOMPARE(outcome.code, 0);
        const Json card = outcome.json();
        QCOMPARE(card.at("layer").get<int>(), 1);
        QCOMPARE(card.at("head").get<int>(), 2);
        QCOMPARE(card.at("documents").get<int>(), 60);
        const Json& first = card.at("directions").at(0);
        QCOMPARE(card.at("directions").size(), std::size_t{3});
        const double share = first.at("share").get<double>();
        QVERIFY(share > 0.3 && share < 1);
        QVERIFY(first.at("ci95")[0].get<double>() < share && share < first.at("ci95")[1].get<double>());
        QCOMPARE(first.at("end_documents").get<int>(), 6);
        // Documents vary by their topic, and so do the words of the ends.
        std::string ends;
        for (const char* end : {"high", "low"})
        {
            QVERIFY(!first.at(end).at("words").empty());
            ends += first.at(end).at("words").at(0).at("word").get<std::string>() + " ";
            const double q = first.at(end).at("words").at(0).at("q").get<double>();
            QVERIFY(q > 0 && q <= 1);
        }
        // No word of an end that its documents do not use.
        for (const Json& direction : card.at("directions"))
            for (const char* end : {"high", "low"})
                for (const Json& word : direction.at(end).at("words"))
                    QVERIFY2(word.at(std::string(end) + "_count").get<int>() > 0, word.dump().c_str());
        QVERIFY2(has(ends, "galaxy") || has(ends, "bread") || has(ends, "team") || has(ends, "game"), ends.c_str());
        for (const Json& topic : card.at("topics"))
        {
            QVERIFY(topic.at("difference").get<double>() > 0);
            QVERIFY(topic.at("ci95")[0].get<double>() > 0 && topic.at("q").get<double>() < 0.05);
        }
        QCOMPARE(card.at("similar").size(), std::size_t{3}); // the other heads of the one layer
        QVERIFY(card.at("probe").at("recall").get<double>() > 0.9);
        QVERIFY(card.at("importance").contains("cache_only"));
        QVERIFY(card.at("writes").is_null() && card.at("reads").is_null() && card.at("partners").is_null());
    }

    /// What is missing is said, with how to get it, and nothing is made up.
    void sentences()
    {
        const Json card = runVerb({"card", m_cache, "--head", "2", "--json"}).json();
        const std::string place = sectionText(card, "Where it is");
        QVERIFY2(has(place, "Head 2 of 4 in layer 1 (layers 0 to 1) of telling."), place.c_str());
        QVERIFY2(has(place, "It shares its keys and values with head 1: KV group 1 of 2."), place.c_str());
        for (const char* title : {"What it writes", "What it reads", "Composition partners"})
            QVERIFY2(has(sectionText(card, title), "--model MODEL."), title);
        const std::string importance = sectionText(card, "Importance");
        QVERIFY2(has(importance, "headscope importance MODEL cache.h5 --layers 1 -o importance.json"),
                 importance.c_str());
        const std::string text = runVerb({"card", m_cache, "--head", "2"}).out;
        QVERIFY2(has(text, "Head 2 of layer 1\n") && has(text, "Topics it favours\n"), text.c_str());
    }

    /// Six documents say little, and their card tells so; sixty have ends of six.
    void fewDocuments()
    {
        const Json card = runVerb({"card", m_cache, "--documents", "0-5", "--json"}).json();
        QVERIFY(has(sectionText(card, "Where it is"), "Caution: this card is from 6 documents"));
        const Json whole = runVerb({"card", m_cache, "--json"}).json();
        QVERIFY(!has(sectionText(whole, "Where it is"), "Caution"));
        QVERIFY(has(sectionText(whole, "Directions of its vectors"), "from 6 documents only"));
    }

    /// An encoder cannot be decoded: no option is offered that would not help.
    void encoder()
    {
        CacheContents contents = test::tellingContents();
        contents.header.model.family = "bert";
        const Json card = runVerb({"card", cacheOf("encoder.h5", contents), "--json"}).json();
        const std::string writes = sectionText(card, "What it writes");
        QVERIFY2(has(writes, "bert") && !has(writes, "--model"), writes.c_str());
    }

    /// A head that is not there is found before the model is run.
    void headBeforeModel()
    {
        const auto outcome = runVerb({"card", m_cache, "--head", "9", "--model", "/no/such/model"});
        QCOMPARE(outcome.code, 3);
        QVERIFY2(has(outcome.err, "--head"), outcome.err.c_str());
    }

    /// Cards of a paper's size are written, and said to be too high.
    void bookletOfAPreset()
    {
        const auto outcome = runVerb(
            {"card", m_cache, "--all", "--format", "svg", "--preset", "acl-page", "--json", "-o", file("paper")});
        QCOMPARE(outcome.code, 0);
        const std::string notices = outcome.json().at("notices").dump();
        QVERIFY2(has(notices, "mm high") && has(notices, "A4"), notices.c_str());
        QFile card(QString::fromStdString(file("paper/layer1-head1.svg")));
        QVERIFY(card.open(QIODevice::ReadOnly));
        QVERIFY(card.read(400).contains("width=\"160"));
        QCOMPARE(runVerb({"card", m_cache, "--all", "--recipe", "-o", file("z")}).code, 2);
        // A column has no room for a page.
        const auto column = runVerb({"card", m_cache, "--head", "1", "--preset", "acl-column", "-o", file("c.pdf")});
        QCOMPARE(column.code, 2);
        QVERIFY2(has(column.err, "--preset") && has(column.err, "A4"), column.err.c_str());
    }

    void importanceOfAnEarlierRun()
    {
        std::ofstream(file("importance.json"))
            << R"({"units":"heads","ablation":"zero","measures":[{"measure":"cosine","documents":12,"players":[)"
            << R"({"layer":1,"head":2,"left_out":{"value":0.25,"ci95":[0.2,0.3]}}]}]})";
        const auto outcome =
            runVerb({"card", m_cache, "--head", "2", "--json", "--importance", file("importance.json")});
        QCOMPARE(outcome.code, 0);
        const Json card = outcome.json();
        QCOMPARE(card.at("importance").at("full_model").at("cosine").at("drop").get<double>(), 0.25);
        const std::string importance = sectionText(card, "Importance");
        QVERIFY2(has(importance, "drops by 0.2500 (95% 0.2000 to 0.3000)"), importance.c_str());
        QVERIFY(!has(importance, "headscope importance"));
        // Of another head nothing is known.
        QVERIFY(
            has(sectionText(
                    runVerb({"card", m_cache, "--head", "3", "--json", "--importance", file("importance.json")}).json(),
                    "Importance"),
                "headscope importance"));
        std::ofstream(file("other.json")) << R"({"units":"heads"})";
        QCOMPARE(runVerb({"card", m_cache, "--importance", file("other.json")}).code, 3);
    }

    void withoutTextsAndLabels()
    {
        CacheContents contents = test::tellingContents();
        contents.documents.labels.clear();
        contents.topics.clear();
        const Json card = runVerb({"card", cacheOf("bare.h5", contents), "--json"}).json();
        QVERIFY(card.at("topics").is_null() && card.at("importance").is_null());
        QVERIFY(card.at("directions").at(0).at("high").at("words").empty());
        QVERIFY(has(sectionText(card, "Topics it favours"), "The cache has no labels."));
        QVERIFY(has(sectionText(card, "Directions of its vectors"), "The cache has no texts"));
        QVERIFY(has(sectionText(card, "Importance"), "needs labelled topics"));
    }

    void equalVectors()
    {
        CacheContents contents = test::tellingContents();
        const auto& all = *contents.embeddings.front();
        std::vector<float> values(all.values().begin(), all.values().end());
        for (std::int64_t document = 0; document < all.documents(); ++document)
            for (std::int64_t d = 0; d < all.dims(); ++d)
                values[static_cast<std::size_t>((document * all.heads() + 0) * all.dims() + d)] = 0.1F;
        contents.embeddings.front() = std::make_shared<const HeadVectors>(all.stage(), all.layer(), all.documents(),
                                                                          all.heads(), all.dims(), std::move(values));
        const std::string path = cacheOf("equal.h5", contents);
        const Json card = runVerb({"card", path, "--head", "1", "--json"}).json();
        QVERIFY(card.at("directions").empty());
        QVERIFY(has(sectionText(card, "Directions of its vectors"), "are equal, so there is no direction"));
        QVERIFY(has(sectionText(card, "Most similar heads"), "do not vary"));
        QCOMPARE(runVerb({"card", path, "--head", "1", "-o", file("equal.pdf")}).code, 0);
    }

    /// Labels of one document each, and one label for all.
    void singleLabels()
    {
        CacheContents contents = test::tellingContents();
        std::vector<std::string> names;
        for (std::int64_t i = 0; i < test::kDocuments; ++i)
            names.push_back(i < 3 ? std::string("topic ") + static_cast<char>('a' + i) : std::string());
        contents.documents.labels = {makeLabelColumn("topic", names)};
        const Json card = runVerb({"card", cacheOf("single.h5", contents), "--json"}).json();
        for (const Json& topic : card.at("topics"))
            QVERIFY(topic.at("ci95").is_null() && topic.at("q").is_null());
        QVERIFY(has(sectionText(card, "Topics it favours"), "too few documents for a test"));
    }

    void booklet()
    {
        const std::string folder = file("cards");
        const auto outcome =
            runVerb({"card", m_cache, "--all", "--sort", "direction_share", "--format", "svg", "--json", "-o", folder});
        QCOMPARE(outcome.code, 0);
        const Json cards = outcome.json().at("cards");
        QCOMPARE(cards.size(), std::size_t{4});
        double last = 1;
        for (const Json& card : cards)
        {
            const double share = card.at("direction_share").at("value").get<double>();
            QVERIFY(share <= last);
            last = share;
        }
        const QDir made(QString::fromStdString(folder));
        QCOMPARE(made.entryList(QDir::Files).size(), 6); // four cards, index.csv, index.html
        QVERIFY(made.exists(QStringLiteral("layer1-head4.svg")));
        QFile index(made.filePath(QStringLiteral("index.html")));
        QVERIFY(index.open(QIODevice::ReadOnly));
        QVERIFY(index.readAll().contains("<a href=\"layer1-head1.svg\">Head 1 of layer 1</a>"));
        QCOMPARE(runVerb({"card", m_cache, "--all", "--format", "svg", "-o", folder}).code, 2); // is there
        QCOMPARE(runVerb({"card", m_cache, "--all", "--format", "svg", "-o", folder, "--overwrite"}).code, 0);
        // One head alone is the same as among all.
        const Json one = runVerb({"card", m_cache, "--head", "3", "--json"}).json();
        const Json& third = *std::ranges::find_if(cards, [](const Json& card) { return card.at("head") == 3; });
        QVERIFY(std::abs(third.at("similar_cka").at("value").get<double>() -
                         one.at("similar").at(0).at("cka").get<double>()) < 1e-9);
        for (const char* key : {"mean_norm", "mean_cosine"})
            QCOMPARE(third.at(key).at("ci95"), one.at(std::string(key) + "_ci95"));
    }

    void outputsAndWrongUse()
    {
        for (const char* name : {"card.pdf", "card.svg", "card.png", "card.csv"})
            QCOMPARE(runVerb({"card", m_cache, "--head", "1", "-o", file(name)}).code, 0);
        QCOMPARE(runVerb({"card", m_cache, "--head", "9"}).code, 3);
        QCOMPARE(runVerb({"card", m_cache, "--layer", "0"}).code, 3);
        QCOMPARE(runVerb({"card", m_cache, "--all"}).code, 2);
        QCOMPARE(runVerb({"card", m_cache, "--all", "--head", "1", "-o", file("x")}).code, 2);
        QCOMPARE(runVerb({"card", m_cache, "--sort", "match_drop"}).code, 2);
        QCOMPARE(runVerb({"card", m_cache, "--ablate"}).code, 2);
        QCOMPARE(runVerb({"card", m_cache, "--run-documents", "8"}).code, 2);
        QCOMPARE(runVerb({"card", m_cache, "--all", "--caption", "mine", "-o", file("x")}).code, 2);
        QCOMPARE(runVerb({"card", m_cache, "--all", "--sort", "nothing", "-o", file("y")}).code, 2);
    }
};

HEADSCOPE_TEST(TestCliCard)
#include "tst_cli_card.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// What the analyses write, what made it, and what other verbs take of it.
#include "model/io/hdf5/hdf5_reader.h"
#include "tests/app/cli/cli_fixture.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <sstream>

using namespace headscope;
using test::runVerb;
using Json = nlohmann::json;

class TestCliOutputs : public QObject
{
    Q_OBJECT

    test::TemporaryFolder m_folder;
    std::string m_cache;
    std::string m_topic; ///< label of some documents

    [[nodiscard]] std::string file(const std::string& name) const { return m_folder.file(name).string(); }
    [[nodiscard]] static std::string text(const std::string& path)
    {
        std::ifstream stream(path);
        return {std::istreambuf_iterator<char>(stream), {}};
    }
    /// JSON of a verb on the cache; its error sentence where it fails.
    [[nodiscard]] Json answer(std::vector<std::string> arguments) const
    {
        arguments.insert(arguments.begin() + 1, m_cache);
        arguments.emplace_back("--json");
        const auto run = runVerb(arguments);
        return run.code == 0 ? run.json() : Json{{"error", run.err}};
    }

private Q_SLOTS:
    void initTestCase()
    {
        m_cache = file("cache.h5");
        CacheContents contents = test::tellingContents();
        contents.documents.labels[0].categories = {"50% & more", "b_c", "d"};
        JobContext job;
        m_topic = contents.documents.label("topic")->categories.front();
        HEADSCOPE_VERIFY_OK(writeCache(m_cache, contents, NumberType::F32, job));
        std::ofstream relevant(file("relevant.jsonl"));
        for (int document = 0; document < 6; ++document)
        {
            const auto id = [document](int more) { return "d" + std::to_string(document + more); };
            relevant << Json{{"id", id(0)}, {"relevant", {id(3), id(6)}}}.dump() << "\n";
        }
    }

    void retrievalMeasuresHaveATable()
    {
        // The measures of retrieval have a table of their own beside the lists.
        for (const char* name : {"lists.csv", "lists.tex"})
        {
            const std::vector<std::string> words = {"retrieve",  m_cache, "--relevant", file("relevant.jsonl"),
                                                    "--queries", m_cache, "-o",         file(name),
                                                    "--json"};
            const auto run = runVerb(words);
            QVERIFY2(run.code == 0, run.err.c_str());
            const auto path = run.json()["metrics"]["output"].get<std::string>();
            QCOMPARE(path, file(std::string("lists-measures") + std::filesystem::path(name).extension().string()));
            const std::string table = text(path);
            QVERIFY2(table.find("by chance") != std::string::npos && table.find("MRR") != std::string::npos,
                     table.c_str());
            std::filesystem::remove(file(name));
            QCOMPARE(runVerb(words).code, 2); // the one beside it is there
            QVERIFY(!std::filesystem::exists(file(name)));
        }
    }

    void aLayerDrawn()
    {
        // The last layer in the cache, which is the last of the model, and another one.
        const auto last = runVerb({"inspect", m_cache, "--figure", file("last.svg")});
        QVERIFY2(last.code == 0, last.err.c_str());
        const std::string drawn = text(file("last.svg"));
        for (const char* words :
             {"Layer 1 of telling (2 layers, 4 heads in 2 KV groups, head dimension 6, hidden size 24)", ">Stage 3<",
              ">Final norm<", "after the final norm", "4 \u00D7 6"})
            QVERIFY2(drawn.find(words) != std::string::npos, words);
        const auto first = runVerb({"inspect", m_cache, "--figure", file("first.svg"), "--layer", "0"});
        QVERIFY2(first.code == 0, first.err.c_str());
        QVERIFY(text(file("first.svg")).find(">Final norm<") == std::string::npos);
        const auto beyond = runVerb({"inspect", m_cache, "--figure", file("beyond.svg"), "--layer", "2"});
        QCOMPARE(beyond.code, 3);
        QVERIFY(beyond.err.find("--layer: expected a layer from 0 to 1, found 2") != std::string::npos);
        QCOMPARE(runVerb({"inspect", m_cache, "--figure", file("layer.txt")}).code, 2);
        QCOMPARE(runVerb({"inspect", m_cache, "--figure", file("last.svg")}).code, 2); // never replaced unasked
    }

    /// One key for all verbs: null, and not missing, where nothing is written.
    void outputIsTold()
    {
        for (const char* verb : {"probe", "layers", "label-probe", "match", "heads", "prune", "similarity"})
        {
            const Json plain = answer({verb});
            QVERIFY2(plain.contains("output") && plain["output"].is_null(), verb);
        }
    }

    void everyEnding_data()
    {
        QTest::addColumn<QStringList>("arguments");
        const auto words = [](const char* text) { return QString::fromLatin1(text).split(QLatin1Char(' ')); };
        for (const char* verb : {"heatmap", "similarity", "match --pool mean", "heads", "prune --order backward",
                                 "retrieve --query-document d4"})
            QTest::newRow(verb) << words(verb);
    }

    void everyEnding()
    {
        QFETCH(QStringList, arguments);
        std::vector<std::string> words;
        for (const QString& argument : arguments)
            words.push_back(argument.toStdString());
        const std::string verb = words.front();
        const auto plain = answer(words);
        QVERIFY2(!plain.contains("error"), plain.dump().c_str());
        QCOMPARE(plain["parameters"]["verb"].get<std::string>(), verb);
        QCOMPARE(plain["parameters"]["layer"].get<int>(), 1);
        const auto hash = plain["input_hash"].get<std::string>();
        QCOMPARE(hash.size(), std::size_t{32});
        for (const std::string ending : {".csv", ".tex", ".h5"})
        {
            auto more = words;
            more.insert(more.end(), {"-o", file(verb + ending)});
            const Json written = answer(more);
            QVERIFY2(!written.contains("error"), written.dump().c_str());
            QCOMPARE(written["input_hash"].get<std::string>(), hash);
        }
        const std::string latex = text(file(verb + ".tex"));
        QVERIFY2(latex.find("\n\\begin{tabular}{") != std::string::npos, latex.c_str());
        QVERIFY(latex.find("\\toprule\n") != std::string::npos && latex.find("\\bottomrule\n") != std::string::npos);
        QVERIFY(latex.find("% input hash: " + hash) != std::string::npos);
        const auto csv = text(file(verb + ".csv"));
        QVERIFY(csv.find(',') != std::string::npos && csv.find('\n') != std::string::npos);
        JobContext job;
        const auto hdf5 = Hdf5Reader::open(file(verb + ".h5"), job);
        HEADSCOPE_VERIFY_OK(hdf5);
        QCOMPARE(hdf5->textAttribute("/" + verb, "input_hash").value_or(""), hash);
        QCOMPARE(hdf5->integerAttribute("/" + verb, "layer").value_or(-1), 1);
    }

    void latexIsEscaped()
    {
        const auto run = answer({"similarity", "-o", file("escaped.tex")});
        QVERIFY2(!run.contains("error"), run.dump().c_str());
        const auto latex = text(file("escaped.tex"));
        QVERIFY2(latex.find("topic & 50\\% \\& more & b\\_c & d \\\\") != std::string::npos, latex.c_str());
    }

    void masks()
    {
        const auto mask = file("mask.json");
        const Json made =
            answer({"prune", "--order", "backward", "--measure", "match1", "--save-mask", mask, "--keep", "2"});
        QVERIFY2(!made.contains("error"), made.dump().c_str());
        const auto kept = made["mask"]["kept"].get<std::vector<int>>();
        QCOMPARE(kept.size(), std::size_t{2});
        QCOMPARE(made["mask"]["value"], made["steps"][1]["value"]);
        const Json heads = answer({"heads", "--mask", mask});
        QVERIFY2(!heads.contains("error"), heads.dump().c_str());
        QCOMPARE(heads["heads"].size(), std::size_t{2});
        QCOMPARE(heads["heads"][0]["head"].get<int>(), kept[0]);
        const Json match = answer({"match", "--mask", mask, "--k", "1", "--pool", "concat"});
        QCOMPARE(match["heads"].size(), std::size_t{2});
        QCOMPARE(match["pool"]["top1"], made["mask"]["value"]);
        // A head that the mask keeps was chosen as well, alone as together.
        for (const Json& chosen : {match["pool"], match["heads"][0], match["heads"][1]})
        {
            QVERIFY2(chosen["ci95"]["top1"].is_null(), chosen.dump().c_str());
            QVERIFY2(!chosen.contains("p") && !chosen.contains("q"), chosen.dump().c_str());
        }
        QVERIFY(match["full"]["ci95"]["top1"].is_array() && match["full"].contains("p"));
        const auto said = runVerb({"match", m_cache, "--mask", mask, "--k", "1"});
        QVERIFY2((said.out + said.err).find("together or alone, are optimistically biased") != std::string::npos,
                 said.err.c_str());
        const auto drawn =
            runVerb({"match", m_cache, "--mask", mask, "--k", "1", "-o", file("chosen.svg"), "--recipe"});
        QVERIFY2(drawn.code == 0, drawn.err.c_str());
        const auto latex = text(file("chosen.tex"));
        QVERIFY2(latex.find("have no interval or p") != std::string::npos, latex.c_str());
        const Json found = answer({"retrieve", "--mask", mask, "--query-document", "d1"});
        for (const Json& vote : found["queries"][0]["results"][0]["by_head"])
            QVERIFY(std::find(kept.begin(), kept.end(), vote["head"].get<int>()) != kept.end());
        QVERIFY(answer({"heads", "--mask", mask, "--heads", "1-4"})["heads"].size() == 2);
        // As good as all heads with the fewest; for every order.
        for (const char* order : {"single", "backward", "forward"})
        {
            const Json best = answer({"prune", "--order", order, "--save-mask", mask, "--overwrite"});
            QVERIFY2(!best.contains("error"), best.dump().c_str());
            QVERIFY(!best["mask"]["kept"].empty());
            if (std::string(order) != "single")
                QVERIFY(best["mask"]["value"].get<double>() >= best["baseline"].get<double>());
        }
        const Json other = {{"format", "headscope-mask"}, {"version", 1}, {"heads", 9}, {"kept", std::vector<int>{1}}};
        std::ofstream(file("other.json")) << other.dump();
        QVERIFY(answer({"heads", "--mask", file("other.json")})["error"].get<std::string>().find(
                    "expected a mask of 4 heads") != std::string::npos);
        QCOMPARE(runVerb({"prune", m_cache, "--mask", mask}).code, 2);
        QCOMPARE(runVerb({"prune", m_cache, "--keep", "2"}).code, 2);
        QCOMPARE(runVerb({"prune", m_cache, "--keep", "9", "--save-mask", file("m9.json")}).code, 3);
        QCOMPARE(runVerb({"prune", m_cache, "--save-mask", m_cache, "--overwrite"}).code, 2);
    }

    void pruneTriesAllSubsets()
    {
        const auto mask = file("best.json");
        const Json all = answer({"prune", "--order", "backward", "--measure", "match1", "--search", "all",
                                 "--save-mask", mask, "--keep", "2"});
        QVERIFY2(!all.contains("error"), all.dump().c_str());
        QCOMPARE(all["best"].size(), std::size_t{4});
        for (std::size_t i = 0; i < 3; ++i)
        {
            const Json& best = all["best"][2 - i];
            QVERIFY(best["value"].get<double>() >= all["steps"][i]["value"].get<double>());
            QCOMPARE(best["units"].size(), 3 - i);
            QVERIFY(best["validated"]["chosen"].get<double>() >= all["steps"][i]["validated"]["chosen"].get<double>());
        }
        QCOMPARE(all["mask"]["kept"], all["best"][1]["units"]);
        QCOMPARE(all["mask"]["value"], all["best"][1]["value"]);
        QCOMPARE(all["mask"]["validated"], all["best"][1]["validated"]);
        // What the same choice gains elsewhere stands in the mask beside its own value.
        const Json written = Json::parse(text(mask));
        QCOMPARE(written["validated"]["elsewhere"], all["mask"]["validated"]["elsewhere"]);
        QCOMPARE(written["validated"]["halvings"].get<int>(), 100);
        // The best size is chosen too, and judged on the other half.
        const Json& sizes = all["best_validated"];
        QVERIFY(sizes["fewest"].contains("elsewhere"));
        for (const Json& best : all["best"])
            QVERIFY(sizes["chosen"].get<double>() >= best["validated"]["chosen"].get<double>() - 1e-12);
        const auto shown = runVerb({"prune", m_cache, "--measure", "match1", "--search", "all"}).out;
        for (const char* part :
             {"value (optimistic)", "These rows do not evaluate the choice", "Best subset over all sizes"})
            QVERIFY2(shown.find(part) != std::string::npos, shown.c_str());
        QVERIFY2(shown.find("of the order") == std::string::npos, shown.c_str()); // there is none
        const auto ordered =
            runVerb({"prune", m_cache, "--measure", "match1", "--search", "all", "--order", "backward"}).out;
        QVERIFY2(ordered.find("of the order") != std::string::npos, ordered.c_str());
        // Without --keep the size is chosen too, and the mask says what that gains.
        Json fewest = answer({"prune", "--measure", "match1", "--search", "all", "--save-mask", file("fewest.json")});
        QCOMPARE(fewest["mask"]["validated"], fewest["best_validated"]["fewest"]);
        QCOMPARE(answer({"prune", "--order", "backward", "--seed", "7"})["steps"],
                 answer({"prune", "--order", "backward", "--seed", "7", "--threads", "2"})["steps"]);
    }

    void pruneSavesOnlyWhatThereIs()
    {
        const Json segments = answer({"prune", "--stage", "3"});
        QVERIFY2(!segments.contains("error"), segments.dump().c_str());
        QVERIFY(segments["steps"][0]["parameters_saved"].is_null() && segments["steps"][0]["kv_bytes_saved"].is_null());
        QVERIFY(segments["savings_note"].get<std::string>().find("not of the model") != std::string::npos);
        QCOMPARE(runVerb({"prune", m_cache, "--stage", "3", "-o", file("segments.csv")}).code, 0);
        const std::string csv = text(file("segments.csv"));
        QVERIFY2(csv.find(",,,") != std::string::npos, csv.c_str());
        CacheContents contents = test::tellingContents();
        contents.header.model.family = "bert";
        contents.header.model.kvHeads = contents.header.model.heads;
        JobContext job;
        HEADSCOPE_VERIFY_OK(writeCache(file("encoder.h5"), contents, NumberType::F32, job));
        const Json encoder = runVerb({"prune", file("encoder.h5"), "--stage", "1", "--json"}).json();
        QVERIFY(encoder["steps"][0]["kv_bytes_saved"].is_null());
        const auto size = contents.header.model.headDim;
        QCOMPARE(encoder["steps"][0]["parameters_saved"].get<std::int64_t>(), // with biases of q, k and v
                 4 * size * contents.header.model.modelDim + 3 * size);
        contents.header.model.family = "llama";
        contents.header.model.kvHeads = 1;
        HEADSCOPE_VERIFY_OK(writeCache(file("shared.h5"), contents, NumberType::F32, job));
        const auto refused = runVerb({"prune", file("shared.h5"), "--stage", "1", "--units", "groups"});
        QCOMPARE(refused.code, 3);
        QVERIFY2(refused.err.find("this model has a single KV group") != std::string::npos, refused.err.c_str());
    }

    void pruneByOtherMeasures()
    {
        const Json probe = answer({"prune", "--measure", "probe", "--order", "backward"});
        QVERIFY2(!probe.contains("error"), probe.dump().c_str());
        QCOMPARE(probe["documents"].get<int>(), 12); // a fifth of 59
        QVERIFY(probe["baseline"].get<double>() > 0.8);
        QCOMPARE(probe["steps"].size(), std::size_t{3});
        QVERIFY(probe["steps"][0]["validated"]["range95"].size() == 2);
        QVERIFY(probe["chance"].get<double>() >= 1.0 / 3 && probe["chance"].get<double>() < 0.7);
        QCOMPARE(probe["chance"].get<double>(),
                 std::max(probe["guessing"].get<double>(), probe["majority"].get<double>()));
        QCOMPARE(probe["split"].get<std::string>(), std::string("one split of the documents, with seed 1"));
        const auto one = runVerb({"prune", m_cache, "--measure", "probe"}).out;
        for (const char* part :
             {"one split of the documents, with seed 1", "guessing among the labels",
              "most common label of the training documents", "label-probe gives the mean over several"})
            QVERIFY2(one.find(part) != std::string::npos, one.c_str());
        const Json retrieval =
            answer({"prune", "--measure", "retrieval", "--relevant", file("relevant.jsonl"), "--units", "groups"});
        QVERIFY2(!retrieval.contains("error"), retrieval.dump().c_str());
        QCOMPARE(retrieval["documents"].get<int>(), 6);
        QCOMPARE(retrieval["steps"].size(), std::size_t{2});
        QVERIFY(retrieval["steps"][0]["kv_bytes_saved"].get<int>() > 0);
        QVERIFY(retrieval["steps"][0]["changed"].get<int>() < 10); // six queries are too few for an interval
        QVERIFY(retrieval["steps"][0]["ci95"].is_null());
        QVERIFY(retrieval["baseline_ci95"].is_null());
        const auto shown = runVerb({"prune", m_cache, "--measure", "retrieval", "--relevant", file("relevant.jsonl")});
        QVERIFY2(shown.out.find("(no interval: fewer than 10 queries find anything)") != std::string::npos,
                 shown.out.c_str());
        QCOMPARE(retrieval["baseline_ci95_method"].get<std::string>(), std::string("jackknife by document"));
        QVERIFY(retrieval["chance"].get<double>() > 0 && retrieval["chance"].get<double>() < 0.5);
        QCOMPARE(retrieval["measure_name"].get<std::string>(), std::string("recall at 10 by cosine"));
        for (const char* part : {"recall at 10 by cosine with all heads", "(not by votes",
                                 "chance (documents in random order)", "No p: the searched documents are the queries"})
            QVERIFY2(shown.out.find(part) != std::string::npos, shown.out.c_str());
        QVERIFY2(shown.out.find("success ratio") == std::string::npos, shown.out.c_str());
        int front = 0;
        for (const Json& step : retrieval["steps"])
            front += step["front"].get<bool>() ? 1 : 0;
        QVERIFY(front >= 1);
        // As a cache of queries the same documents ask for each other, themselves included.
        const Json queries = answer({"prune", "--measure", "retrieval", "--relevant", file("relevant.jsonl"),
                                     "--queries", m_cache, "--top", "60"});
        QVERIFY2(!queries.contains("error"), queries.dump().c_str());
        QCOMPARE(queries["baseline"].get<double>(), 1.0);
        QCOMPARE(runVerb({"prune", m_cache, "--relevant", file("relevant.jsonl")}).code, 2);
    }

    void sortedHeads()
    {
        const auto run = runVerb({"heads", m_cache, "--sort", "mean norm", "-o", file("sorted.csv")});
        QVERIFY2(run.code == 0, run.err.c_str());
        std::istringstream lines(text(file("sorted.csv")));
        std::string line;
        std::getline(lines, line);
        double before = 1e9;
        while (std::getline(lines, line))
        {
            const double norm = std::stod(line.substr(line.find(',', line.find(',') + 1) + 1));
            QVERIFY(norm <= before);
            before = norm;
        }
        // What is tested stands beside its interval, its null, p and q.
        for (const char* column : {"top topic", "evenness", "unbiased low", "unbiased null", "selectivity p",
                                   "match low", "match null", "match p", "match q", "top excess null", "top p"})
            QVERIFY2(run.out.find(column) != std::string::npos, column);
        // The largest mean itself is said of it only where nothing is subtracted.
        QVERIFY(run.out.find("mean over all labelled documents") != std::string::npos);
        QVERIFY(
            runVerb({"heads", m_cache, "--selectivity", "raw"}).out.find("the topic with the largest mean cosine") !=
            std::string::npos);
        const auto untested = runVerb({"heads", m_cache, "--permutations", "0"});
        QVERIFY(untested.out.find("match low") != std::string::npos);
        QVERIFY(untested.out.find("match p") == std::string::npos);
        QCOMPARE(runVerb({"heads", m_cache, "--sort", "top excess"}).code, 0);
        const auto wrong = runVerb({"heads", m_cache, "--sort", "beauty"});
        QCOMPARE(wrong.code, 2);
        QVERIFY(wrong.err.find("--sort: expected one of head, segment, group") != std::string::npos);
        const Json json = answer({"heads", "--sort", "spread"});
        QCOMPARE(json["heads"][0]["head"].get<int>(), 1); // in index order
        const double evenness = json["heads"][0]["evenness"].get<double>();
        QVERIFY(evenness > 0 && evenness <= 1);
        QCOMPARE(json["planes"]["cka"].size(), std::size_t{4});
    }

    void heatmapOrders()
    {
        for (const char* sort : {"full", "cluster", "none", "2"})
        {
            const Json json = answer({"heatmap", "--sort", sort});
            QVERIFY2(!json.contains("error"), json.dump().c_str());
            QCOMPARE(json["parameters"]["sort"].get<std::string>(), std::string(sort));
            QCOMPARE(json["documents"].get<int>(), 59);
        }
        QCOMPARE(runVerb({"heatmap", m_cache, "--sort", "5"}).code, 3);
        QCOMPARE(runVerb({"heatmap", m_cache, "--sort", "best"}).code, 2);
        QCOMPARE(runVerb({"heatmap", m_cache, "--per-topic", "0"}).code, 2);
        const Json two = answer({"heatmap", "--heads", "2,4"});
        QCOMPARE(two["rows"].size(), std::size_t{3});
        QCOMPARE(two["rows"][2]["row"].get<int>(), 4);
        QCOMPARE(runVerb({"heatmap", m_cache, "--heads", "2,4", "-o", file("two.csv")}).code, 2);
    }

    void labelNumbersNearestTopics()
    {
        const auto zero = runVerb({"match", m_cache, "--k", "0"});
        QCOMPARE(zero.code, 2);
        QVERIFY2(zero.err.find("--k: expected an integer from 1 to 1000000000, found \"0\"") != std::string::npos,
                 zero.err.c_str());
        const auto one = runVerb(
            {"prune", m_cache, "--documents", "topic=" + m_topic, "--order", "backward", "--measure", "match1"});
        QVERIFY2(one.code == 0 && one.err.find("Only one topic occurs among these documents") != std::string::npos,
                 one.err.c_str());
        QVERIFY2(one.out.find("(nothing to test)") != std::string::npos &&
                     one.out.find("elsewhere") == std::string::npos,
                 one.out.c_str());
        QVERIFY2(one.out.find("Only 1 of the 3 topics occurs") != std::string::npos, one.out.c_str());
        const auto run = runVerb({"match", m_cache, "--k", "1,10"});
        QVERIFY(run.out.starts_with("layer 1, stage 1 (heads); "));
        QVERIFY(run.out.find("top 10 (all 3 topics)") != std::string::npos &&
                run.out.find("top 1 ") != std::string::npos);
        QVERIFY(run.out.find("every document matches, and there is nothing to test") != std::string::npos);
        QVERIFY(run.out.find("topics occur among these documents") == std::string::npos);
        std::istringstream lines(run.out);
        int full = 0;
        for (std::string line; std::getline(lines, line);)
            if (line.starts_with("full "))
            {
                ++full;
                QVERIFY2(std::count(line.begin(), line.end(), '-') >= 4,
                         line.c_str()); // low, high, p and q of all topics
            }
        QCOMPARE(full, 1);
        // One label alone among the documents: all three topics are offered still.
        const Json few = answer({"match", "--k", "1,10", "--documents", "0"});
        QCOMPARE(few["labels_present"].get<int>(), 1);
        QCOMPARE(few["chance"]["top1"].get<double>(), 1.0 / 3);
        QCOMPARE(few["chance_of_present"]["top1"].get<double>(), 1.0);
        QCOMPARE(few["certain"], Json::array({"top10"}));
        // What could not be otherwise has neither interval nor test.
        const Json sure = answer({"match", "--k", "1,10"});
        for (const Json& row : {sure["full"], sure["heads"][0]})
        {
            QCOMPARE(row["top10"].get<double>(), 1.0);
            QVERIFY2(row["ci95"]["top10"].is_null() && row["p"]["top10"].is_null(), row.dump().c_str());
            QVERIFY2(row["ci95"]["top1"].is_array() && row["p"]["top1"].is_number(), row.dump().c_str());
        }
        QVERIFY(sure["heads"][0]["q"]["top10"].is_null() && sure["heads"][0]["q"]["top1"].is_number());
        QVERIFY(runVerb({"match", m_cache, "--documents", "0"}).out.find("Only 1 of the 3 topics occur") !=
                std::string::npos);
        const Json all = answer({"match", "--pool", "all"});
        QCOMPARE(all["pools"].size(), std::size_t{5});
        QCOMPARE(all["pools"][3]["name"].get<std::string>(), std::string("best:4"));
        QCOMPARE(all["pool"], all["pools"][0]);
    }

    void similarityOfChosenHeads()
    {
        const Json full = answer({"similarity"});
        const Json one = answer({"similarity", "--heads", "2"});
        QVERIFY2(!one.contains("error"), one.dump().c_str());
        QVERIFY(one["values"] != full["values"]);
        QVERIFY(one["full"].get<std::string>().find("heads 2 of layer 1") != std::string::npos);
    }

    void exports()
    {
        for (const std::string ending : {".npy", ".csv", ".jsonl", ".safetensors", ".h5ad"})
        {
            const Json json = answer({"export", "--heads", "1,3", "--documents", "0-4", "-o", file("out" + ending)});
            QVERIFY2(!json.contains("error"), json.dump().c_str());
            QCOMPARE(json["documents"].get<int>(), 5);
            QCOMPARE(json["heads"].get<int>(), 2);
            QCOMPARE(json["dims"].get<int>(), 6);
            QVERIFY(std::filesystem::file_size(file("out" + ending)) > 200);
        }
        const auto csv = text(file("out.csv"));
        QVERIFY2(csv.starts_with("document,id,topic,head,group,v0,v1,v2,v3,v4,v5\n0,d0,50% & more,1,1,"), csv.c_str());
        QCOMPARE(answer({"export", "--stage", "1,2,3", "-o", file("all.safetensors")})["arrays"].get<int>(), 3);
        QCOMPARE(runVerb({"export", m_cache, "--stage", "1,2", "-o", file("two.npy")}).code, 2);
        QCOMPARE(runVerb({"export", m_cache, "-o", file("out.doc")}).code, 2);
        QCOMPARE(runVerb({"export", m_cache, "-o", file("out.csv")}).code, 2);
        QCOMPARE(runVerb({"export", m_cache}).code, 2);
        // What was exported can be analysed as a plain matrix... of one head.
        QCOMPARE(answer({"export", "--format", "npy", "-o", file("array")})["format"].get<std::string>(),
                 std::string("npy"));
    }

    void exportsMaps()
    {
        const auto cache = file("mapped.h5");
        std::filesystem::copy_file(m_cache, cache, std::filesystem::copy_options::overwrite_existing);
        const std::vector<std::string> tsne = {"tsne", cache, "--perplexity", "5", "--iterations", "20", "--save"};
        const auto save = [&](const std::vector<std::string>& more) {
            std::vector<std::string> words = tsne;
            words.insert(words.end(), more.begin(), more.end());
            return runVerb(words).code;
        };
        QCOMPARE(save({"one", "--heads", "1,3"}), 0);
        QCOMPARE(save({"other", "--stage", "2"}), 0);
        QCOMPARE(save({"set", "--aligned"}), 0);
        const auto run = [&](const std::vector<std::string>& maps, const std::string& name) {
            std::vector<std::string> words = {"export", cache, "--json", "--overwrite", "-o", file(name), "--map"};
            words.insert(words.end(), maps.begin(), maps.end());
            return runVerb(words);
        };
        using Names = std::vector<std::string>;
        for (const std::string ending : {".csv", ".jsonl", ".safetensors", ".h5ad"})
        {
            const auto done = run({"all"}, "mapped" + ending);
            QVERIFY2(done.code == 0, done.err.c_str());
            QCOMPARE(done.json()["maps"].get<Names>(), Names{"one"}); // the other one is of other vectors
            QCOMPARE(done.json()["parameters"]["maps"].get<std::string>(), std::string("one"));
        }
        // A map of the full vector has a place for every head of a document; a name counts once.
        const auto full = run({"set/full", "one", "set/full"}, "full.csv");
        QVERIFY2(full.code == 0, full.err.c_str());
        QCOMPARE(full.json()["maps"].get<Names>(), (Names{"set/full", "one"}));
        const std::string csv = text(file("full.csv"));
        const auto placesOf = [&](std::size_t line) {
            std::size_t begin = 0;
            for (std::size_t i = 0; i < line; ++i)
                begin = csv.find('\n', begin) + 1;
            std::vector<std::string> fields;
            std::istringstream row(csv.substr(begin, csv.find('\n', begin) - begin) + ",");
            for (std::string field; std::getline(row, field, ',');)
                fields.push_back(field);
            return Names(fields.end() - 4, fields.end());
        };
        QCOMPARE(placesOf(0), (Names{"tsne_set/full_x", "tsne_set/full_y", "tsne_one_x", "tsne_one_y"}));
        QVERIFY(!placesOf(2)[0].empty());
        QCOMPARE(placesOf(2)[0], placesOf(1)[0]);
        QVERIFY(!placesOf(1)[2].empty());
        QVERIFY(placesOf(2)[2].empty()); // head 2 is not on that map
    }

    void refusesMapsOfOtherVectors()
    {
        const auto cache = file("refused.h5");
        std::filesystem::copy_file(m_cache, cache, std::filesystem::copy_options::overwrite_existing);
        const auto run = [&](const std::string& map, const std::string& ending) {
            return runVerb({"export", cache, "--map", map, "-o", file("refused" + ending), "--overwrite"});
        };
        const auto none = run("all", ".h5ad");
        QCOMPARE(none.code, 0);
        QVERIFY2(none.err.find("no map of these vectors") != std::string::npos, none.err.c_str());
        QCOMPARE(
            runVerb({"tsne", cache, "--perplexity", "5", "--iterations", "20", "--stage", "2", "--save", "two"}).code,
            0);
        const auto other = run("two", ".csv");
        QCOMPARE(other.code, 3);
        QVERIFY2(other.err.find("--stage 2 exports its vectors") != std::string::npos, other.err.c_str());
        QVERIFY(!std::filesystem::exists(file("refused.csv")));
        QCOMPARE(run("nothing", ".csv").code, 3);
        QCOMPARE(run("two", ".npy").code, 2);
    }

    void retrievalJson()
    {
        const auto path = file("embeddings.json");
        const auto entry = [](const char* kind, const Json& about, const Json& standard, const Json& heads) {
            return Json{{kind, about},
                        {"embeddings", {{"standard", standard}, {"layers", {{"3", {{"attention_heads", heads}}}}}}}};
        };
        const auto article = [&](const char* title, const char* label, const Json& standard, const Json& heads) {
            return entry("article", {{"title", title}, {"text", "-"}, {"label", label}}, standard, heads);
        };
        using Rows = std::vector<std::vector<double>>;
        const Json articles = {article("A", "x", {1, 0, 0, 1}, Rows{{1, 0}, {0, 1}}),
                               article("B", "y", {0, 1, 1, 0}, Rows{{0, 1}, {1, 0.5}}),
                               article("C", "y", {0, 1, 1, 1}, Rows{{0.1, 1}, {1, 0}})};
        Json query = {{"text", "?"}};
        query["topics"] = std::vector<std::string>{"B"};
        Json queries = Json::array();
        queries.push_back(entry("query", query, {0, 1, 0.9, 0}, Rows{{0, 1}, {1, 0.4}}));
        std::ofstream(path) << Json{{"articles", articles}, {"queries", queries}}.dump(4);
        const auto inspect = runVerb({"inspect", path, "--json"});
        QVERIFY2(inspect.code == 0, inspect.err.c_str());
        QCOMPARE(inspect.json()["kind"].get<std::string>(), std::string("cache"));
        QCOMPARE(inspect.json()["heads"].get<int>(), 2);
        const auto run = runVerb({"retrieve", path, "--queries", path, "--top", "2", "--json"});
        QVERIFY2(run.code == 0, run.err.c_str());
        QCOMPARE(run.json()["queries"][0]["results"][0]["id"].get<std::string>(), std::string("B"));
        QCOMPARE(run.json()["metrics"]["success_ratio"][0].get<double>(), 1.0); // the file says what is relevant
        for (const char* strategy : {"standard", "split", "rrf"})
            QCOMPARE(runVerb({"retrieve", path, "--queries", path, "--strategy", strategy}).code, 0);
        QCOMPARE(runVerb({"heads", path}).code, 0);
        QCOMPARE(runVerb({"prune", path, "--measure", "retrieval", "--queries", path, "--top", "1"}).code, 0);
        const auto match = runVerb({"match", path});
        QCOMPARE(match.code, 3);
        QVERIFY(match.err.find("expected topic vectors of \"label\"") != std::string::npos);
    }
};

HEADSCOPE_TEST(TestCliOutputs)
#include "tst_cli_outputs.moc"

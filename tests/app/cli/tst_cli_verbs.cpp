// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/file.h"
#include "model/io/cache/cache_reader.h"
#include "model/io/hdf5/hdf5_writer.h"
#include "tests/app/cli/cli_fixture.h"
#include "tests/support/clouds.h"
#include "tests/support/golden_file.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QImage>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <limits>
#include <numeric>
#include <span>
#include <sstream>

using namespace headscope;
using test::runVerb;
using test::tellingContents;
using Json = nlohmann::json;

class TestCliVerbs : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void tsne();
    void tsneOfMatrices();
    void tsnePictures();
    void tooFewPoints();
    void probe();
    void probeOfMatrices();
    void probeOfAnId();
    void heatmap();
    void heatmapChoices();
    void heatmapBeyondTheScale();
    void heatmapScale();
    void similarityAndMatch();
    void neighbors();
    void neighborsEqualGolden();
    void neighborsNameWhatTheyLeaveOut();
    void neighborsReachTheRecall();
    void inspect();
    void inputsAreNeverReplaced();

private:
    [[nodiscard]] std::string file(const std::string& name) const { return m_folder.file(name).string(); }

    test::TemporaryFolder m_folder;
    std::string m_cache;
};

void TestCliVerbs::initTestCase()
{
    m_cache = file("cache.h5");
    JobContext job;
    HEADSCOPE_VERIFY_OK(writeCache(m_cache, tellingContents(), NumberType::F32, job));
}

void TestCliVerbs::tsne()
{
    const auto map = file("m.h5");
    const auto run = runVerb({"tsne", m_cache, "--stage", "3", "--iterations", "60", "--threads", "2", "--perplexity",
                              "12", "-o", map, "--json"});
    QVERIFY2(run.code == 0, run.err.c_str());
    const Json json = run.json();
    QCOMPARE(json["points"].get<int>(), 240);
    QCOMPARE(json["dims"].get<int>(), 6);
    QCOMPARE(json["perplexity"].get<double>(), 12.0);
    QCOMPARE(json["iterations"].get<int>(), 60);
    QVERIFY(json["seconds"].contains("neighbors") && json["seconds"].contains("affinities"));
    QVERIFY(json["seconds"].contains("optimise") && json["seconds"].contains("total"));
    QVERIFY(json["kl"].is_number());
    QCOMPARE(json["output"].get<std::string>(), map);
    const test::GoldenFile written(map);
    QCOMPARE(written.shape("/maps/map/xy"), (std::vector<std::int64_t>{240, 2}));
    QCOMPARE(written.integers("/maps/map/head")[5], 1);
    QCOMPARE(written.integers("/maps/map/document")[5], 1);
    QCOMPARE(written.text("/maps/map", "hash"), json["hash"].get<std::string>());

    const auto again = runVerb(
        {"tsne", m_cache, "--stage", "3", "--iterations", "60", "--threads", "3", "--perplexity", "12", "--json"});
    QCOMPARE(again.json()["hash"], json["hash"]);
    QVERIFY(again.json()["output"].is_null());
    const auto refused = runVerb({"tsne", m_cache, "-o", map});
    QCOMPARE(refused.code, 2);
    QVERIFY(refused.err.find("--overwrite") != std::string::npos);

    const auto copy = file("copy.h5");
    std::filesystem::copy_file(m_cache, copy);
    const auto saved = runVerb({"tsne", copy, "--heads", "2-3", "--documents", "topic=topic b", "--iterations", "20",
                                "--perplexity", "5", "--save", "mine"});
    QVERIFY2(saved.code == 0, saved.err.c_str());
    JobContext job;
    auto cache = CacheReader::open(copy);
    HEADSCOPE_VERIFY_OK(cache);
    const auto read = (*cache)->map("mine", job);
    HEADSCOPE_VERIFY_OK(read);
    QCOMPARE(read->xy.rows(), 40);
    QCOMPARE(read->points->document[2], 4);
    QCOMPARE(read->points->head[0], 1);
}

void TestCliVerbs::tsneOfMatrices()
{
    const auto run = runVerb({"tsne", "--vectors", test::golden("analysis/tsne.h5").string() + ":/toy/X",
                              "--perplexity", "2", "--iterations", "30", "-o", file("toy.h5"), "--json"});
    QVERIFY2(run.code == 0, run.err.c_str());
    QCOMPARE(run.json()["points"].get<int>(), 8);
    QCOMPARE(test::GoldenFile(file("toy.h5")).integers("/maps/map/document")[7], 7);
}

void TestCliVerbs::tsnePictures()
{
    for (const char* color : {"head", "strength", "topic"})
    {
        const auto picture = file(std::string("map-") + color + ".png");
        const auto run = runVerb({"tsne", m_cache, "--iterations", "20", "--color", color, "-o", picture});
        QVERIFY2(run.code == 0, run.err.c_str());
        QVERIFY(QImage(QString::fromStdString(picture)).width() > 500);
    }
    QVERIFY(cli::needsGui({"tsne", "c.h5", "-o", "x.png"}));
    QVERIFY(!cli::needsGui({"tsne", "c.h5", "-o", "x.h5"}));
    QVERIFY(cli::needsGui({"report", "c.h5", "-o", "folder"}));
    QVERIFY(cli::needsGui({"card", "c.h5", "--all", "-o", "folder"}));
    QVERIFY(!cli::needsGui({"card", "c.h5", "--head", "1"}));
    QVERIFY(cli::needsGui({"circuits", "pair.h5"}));
    const auto wrong = runVerb({"tsne", m_cache, "--iterations", "5", "--color", "mood", "-o", file("x.png")});
    QCOMPARE(wrong.code, 3);
}

void TestCliVerbs::tooFewPoints()
{
    const auto run = runVerb({"tsne", m_cache, "--documents", "0-2", "--heads", "1", "-o", file("few.h5"), "--json"});
    QCOMPARE(run.code, 3);
    QCOMPARE(run.json()["error"]["code"].get<std::string>(), std::string("invalid_argument"));
    QVERIFY2(run.err.find("perplexity") != std::string::npos, run.err.c_str());
    QVERIFY(!std::filesystem::exists(file("few.h5")));
}

void TestCliVerbs::probe()
{
    const auto run = runVerb({"probe", m_cache, "--stage", "1,2,3", "--json", "-o", file("probe.h5")});
    QVERIFY2(run.code == 0, run.err.c_str());
    const Json json = run.json();
    QCOMPARE(json["classes"].get<int>(), 4);
    QCOMPARE(json["train"].get<int>(), 192);
    QCOMPARE(json["test"].get<int>(), 48);
    QCOMPARE(json["results"].size(), std::size_t{3});
    const Json& result = json["results"][2];
    QCOMPARE(result["stage"].get<int>(), 3);
    QCOMPARE(result["layer"].get<int>(), 1);
    QVERIFY(result["accuracy"].get<double>() > 0.9);
    QCOMPARE(result["ci95"].size(), std::size_t{2});
    QCOMPARE(result["per_head"].size(), std::size_t{4});
    QCOMPARE(result["per_head"][0]["head"].get<int>(), 1);
    QCOMPARE(result["confusion"].size(), std::size_t{4});
    for (const char* key :
         {"macro_f1", "objective", "gradient", "iterations", "seconds", "within_group_error", "across_group_error"})
        QVERIFY2(result.contains(key), key);
    QVERIFY(test::GoldenFile(file("probe.h5")).has("/probe/layer_001_stage2/weights"));
    const auto control = runVerb({"probe", m_cache, "--control", "--split", "rows", "--json"});
    QVERIFY(control.json()["results"][0]["accuracy"].get<double>() < 0.6);
    const auto table = runVerb({"probe", m_cache});
    QVERIFY(table.out.find("accuracy") != std::string::npos);
}

void TestCliVerbs::probeOfMatrices()
{
    const std::string golden = test::golden("analysis/probe.h5").string();
    const test::GoldenFile truth(golden);
    // The first case of the file that holds a matrix with labels.
    for (const std::string& name : truth.names("/"))
    {
        const std::string group = "/" + name;
        if (!truth.has(group + "/X") || !truth.has(group + "/y") || truth.shape(group + "/X")[0] > 3000)
            continue;
        const auto run = runVerb(
            {"probe", "--vectors", golden + ":" + group + "/X", "--labels", golden + ":" + group + "/y", "--json"});
        QVERIFY2(run.code == 0, run.err.c_str());
        const Json json = run.json();
        QCOMPARE(json["results"].size(), std::size_t{1});
        QVERIFY(json["results"][0]["stage"].is_null() && json["results"][0]["layer"].is_null());
        return;
    }
    QSKIP("no case with X and y at the top of probe.h5");
}

/// One damaged class number once took gigabytes: a row and a column of the confusion matrix for each below it.
void TestCliVerbs::probeOfAnId()
{
    const auto npy = [](const std::string& type, const std::string& shape, const std::string& numbers) {
        std::string header = "{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + ", }";
        header.resize(117, ' ');
        return std::string("\x93NUMPY\x01\0", 8) + std::string("v\0", 2) + header + "\n" + numbers;
    };
    std::string labels;
    for (const char* label : {"\0\0", "\1\0", "\0\0", "\1\0", "\0\0", "\1\x40"})
        labels.append(label, 2);
    HEADSCOPE_VERIFY_OK(writeFileAtomically(file("x.npy"), npy("<f4", "(6, 2)", std::string(48, '\0'))));
    HEADSCOPE_VERIFY_OK(writeFileAtomically(file("y.npy"), npy("<i2", "(6,)", labels)));
    const auto run = runVerb({"probe", "--vectors", file("x.npy"), "--labels", file("y.npy"), "--json"});
    QCOMPARE(run.code, 3);
    QVERIFY2(run.err.find("expected classes from 0 to 5 for 6 rows, found 16385") != std::string::npos,
             run.err.c_str());
}

void TestCliVerbs::heatmap()
{
    const auto path = file("h.h5");
    const auto run = runVerb({"heatmap", m_cache, "--stage", "3", "-o", path, "--json"});
    QVERIFY2(run.code == 0, run.err.c_str());
    const Json json = run.json();
    QCOMPARE(json["documents"].get<int>(), 59);
    QCOMPARE(json["rows"].size(), std::size_t{5});
    QCOMPARE(json["topics"][0]["name"].get<std::string>(), std::string("topic a"));
    QVERIFY(json["full"].get<std::string>().find("full stage 3") != std::string::npos);
    QCOMPARE(test::GoldenFile(path).shape("/heatmap/values"), (std::vector<std::int64_t>{5, 59}));
    const auto csv = runVerb({"heatmap", m_cache, "-o", file("h.csv")});
    QVERIFY2(csv.code == 0, csv.err.c_str());
    std::ifstream stream(file("h.csv"));
    std::string header;
    std::getline(stream, header);
    QCOMPARE(header, std::string("document,id,topic,full,head 1,head 2,head 3,head 4"));
    for (const char* name : {"h.png", "h.pdf", "h.svg"})
    {
        const auto picture = runVerb({"heatmap", m_cache, "--stage", "1,2,3", "-o", file(name)});
        QVERIFY2(picture.code == 0, picture.err.c_str());
        QVERIFY(std::filesystem::file_size(file(name)) > 1000);
    }
}

void TestCliVerbs::heatmapChoices()
{
    const auto two = runVerb({"heatmap", m_cache, "--topics", "topic c,topic a", "--per-topic", "5", "--sort", "2",
                              "--choose", "best", "--json"});
    QVERIFY2(two.code == 0, two.err.c_str());
    QCOMPARE(two.json()["documents"].get<int>(), 10);
    QCOMPARE(two.json()["topics"][0]["name"].get<std::string>(), std::string("topic c"));
    const auto one = runVerb({"heatmap", m_cache, "--topics", "1", "--json"});
    QCOMPARE(one.json()["topics"].size(), std::size_t{1});
    std::ofstream(file("map.json")) << R"({"topic c": "topic a"})";
    const auto merged = runVerb({"heatmap", m_cache, "--label-map", file("map.json"), "--json"});
    QVERIFY2(merged.code == 0, merged.err.c_str());
    QCOMPARE(merged.json()["topics"].size(), std::size_t{2});
    QCOMPARE(merged.json()["topics"][0]["documents"].get<int>(), 39);
    const auto filtered = runVerb({"heatmap", m_cache, "--documents", "0-8,12", "--json"});
    QCOMPARE(filtered.json()["documents"].get<int>(), 10);
}

/// Cells beyond the ends of the colours are drawn as the ends: the caption counts them.
void TestCliVerbs::heatmapBeyondTheScale()
{
    QVERIFY(runVerb({"heatmap", m_cache, "-o", file("cells.csv")}).code == 0);
    std::ifstream table(file("cells.csv"));
    std::string line;
    std::getline(table, line);
    std::vector<double> cells;
    while (std::getline(table, line))
    {
        std::stringstream words(line);
        std::string word;
        for (int column = 0; std::getline(words, word, ','); ++column)
            if (column > 2) // behind document, id and topic
                cells.push_back(std::stod(word));
    }
    std::ranges::sort(cells);
    const double end = std::floor(50 * (cells[cells.size() / 2] + cells.back())) / 100; // some lie above
    const auto beyond = std::ranges::count_if(cells, [end](double cell) { return cell > end || cell < -1.01; });
    QVERIFY2(beyond > 0 && beyond < std::ssize(cells), fmt::format("{} above {}", beyond, end).c_str());
    const auto captionAt = [this](const std::string& scale) {
        const auto run =
            runVerb({"heatmap", m_cache, "--scale", scale, "-o", file("beyond.png"), "--overwrite", "--json"});
        return run.code == 0 ? run.json()["figure"]["caption"].get<std::string>() : run.err;
    };
    const auto said = fmt::format("{} of {} cells are beyond the ends of the scale", beyond, cells.size());
    const std::string caption = captionAt(fmt::format("-1.01,{}", end));
    QVERIFY2(caption.find(said) != std::string::npos, caption.c_str());
    QVERIFY(captionAt("-1.01,1.01").find("beyond") == std::string::npos);
}

/// Colours of a picture: of the data, around 0, or fixed; what is wrong is told before anything is read.
void TestCliVerbs::heatmapScale()
{
    std::vector<QImage> pictures;
    for (const char* scale : {"data", "zero", "-0.4,0.4", "-0.4,0.5"})
    {
        const std::string path = file("scale " + std::string(scale) + ".png");
        const auto run = runVerb({"heatmap", m_cache, "--scale", scale, "-o", path, "--json"});
        QVERIFY2(run.code == 0, run.err.c_str());
        pictures.emplace_back(QString::fromStdString(path));
        QVERIFY(!pictures.back().isNull());
        const Json parameters = run.json()["parameters"];
        QCOMPARE(parameters.contains("scale"), scale != std::string("data"));
        QCOMPARE(parameters["label"], Json("topic")); // the only one, which nobody asked for
    }
    QVERIFY(pictures[0] != pictures[1]);
    QVERIFY(pictures[2] != pictures[3]);
    for (const char* wrong : {"big", "0.5,0.1", "1", "0,nan", "0,1,2", ""})
    {
        const auto run = runVerb({"heatmap", "nowhere.h5", "--scale", wrong});
        QVERIFY2(run.code == 2, run.err.c_str());
        QVERIFY2(run.err.find("--scale") != std::string::npos, run.err.c_str());
    }
    QVERIFY(runVerb({"heatmap", "--help"}).out.find("--scale") != std::string::npos);
}

void TestCliVerbs::similarityAndMatch()
{
    const auto similarity = runVerb({"similarity", m_cache, "--merge", "0.5", "-o", file("labels.json"), "--json"});
    QVERIFY2(similarity.code == 0, similarity.err.c_str());
    QCOMPARE(similarity.json()["topics"].size(), std::size_t{3});
    QCOMPARE(similarity.json()["values"][1][1].get<double>(), 1.0);
    QCOMPARE(similarity.json()["merged"]["topic b"].get<std::string>(), std::string("topic a/topic b/topic c"));
    Json written;
    std::ifstream(file("labels.json")) >> written;
    QCOMPARE(written, similarity.json()["merged"]);

    const auto match = runVerb({"match", m_cache, "--k", "1,3", "--json"});
    QVERIFY2(match.code == 0, match.err.c_str());
    const Json json = match.json();
    QCOMPARE(json["documents"].get<int>(), 59);
    QCOMPARE(json["topics"].get<int>(), 3);
    QVERIFY(json["full"]["top1"].get<double>() > 0.9);
    QCOMPARE(json["full"]["top3"].get<double>(), 1.0);
    QCOMPARE(json["heads"].size(), std::size_t{4});
    QCOMPARE(json["heads"][3]["head"].get<int>(), 4);
}

void TestCliVerbs::neighbors()
{
    const auto run =
        runVerb({"neighbors", m_cache, "-k", "3", "--metric", "cosine", "--check", "20", "-o", file("n.h5"), "--json"});
    QVERIFY2(run.code == 0, run.err.c_str());
    QCOMPARE(run.json()["points"].get<int>(), 240);
    QCOMPARE(run.json()["parameters"]["stage"], Json("1"));
    QVERIFY(!run.json()["input_hash"].get<std::string>().empty());
    const auto text = runVerb({"neighbors", m_cache});
    QVERIFY2(text.out.starts_with("layer 1, stage 1 (heads)"), text.out.c_str());
    QCOMPARE(run.json()["k"].get<int>(), 3);
    QCOMPARE(run.json()["method"].get<std::string>(), std::string("exact"));
    QCOMPARE(run.json()["recall"].get<double>(), 1.0);
    QCOMPARE(test::GoldenFile(file("n.h5")).shape("/neighbors/index"), (std::vector<std::int64_t>{240, 3}));
    QCOMPARE(runVerb({"neighbors", m_cache, "-k", "240"}).code, 3);
}

void TestCliVerbs::neighborsEqualGolden()
{
    const auto golden = test::golden("analysis/knn.h5");
    const test::GoldenFile truth(golden);
    for (const std::string metric : {"euclidean", "cosine"})
    {
        const auto path = file("knn-" + metric + ".h5");
        const auto run =
            runVerb({"neighbors", "--vectors", golden.string() + ":/X", "--metric", metric, "-o", path, "--json"});
        QVERIFY2(run.code == 0, run.err.c_str());
        const test::GoldenFile found(path);
        QCOMPARE(found.integers("/neighbors/index"), truth.integers(metric + "/indices"));
        QVERIFY(test::absmax(found.doubles("/neighbors/distance"), truth.doubles(metric + "/distances")) <= 1e-5);
    }
}

void TestCliVerbs::neighborsNameWhatTheyLeaveOut()
{
    MatrixF rows = test::hardCloud(40, 5);
    rows(3, 1) = std::numeric_limits<float>::quiet_NaN();
    rows(17, 4) = std::numeric_limits<float>::infinity();
    const auto path = file("gaps.h5");
    {
        auto writer = Hdf5Writer::create(path);
        HEADSCOPE_VERIFY_OK(writer);
        const std::array<std::int64_t, 2> shape = {40, 5};
        HEADSCOPE_VERIFY_OK(writer->write("/x", shape, NumberType::F32, std::as_bytes(std::span(rows.values()))));
        HEADSCOPE_VERIFY_OK(writer->publish());
    }
    const auto out = file("gaps-neighbors.h5");
    const auto run = runVerb({"neighbors", "--vectors", path + ":/x", "-k", "4", "-o", out, "--json"});
    QVERIFY2(run.code == 0, run.err.c_str());
    QCOMPARE(run.json()["points"].get<int>(), 38);
    QCOMPARE(run.json()["left_out"].get<int>(), 2);
    QVERIFY2(run.err.find("excluded 2 vectors that contain NaN or infinity: rows 3, 17") != std::string::npos,
             run.err.c_str());
    const test::GoldenFile found(out);
    QCOMPARE(found.shape("/neighbors/index"), (std::vector<std::int64_t>{40, 4}));
    const auto index = found.integers("/neighbors/index");
    for (std::size_t i = 0; i < index.size(); ++i)
    {
        const bool gap = i / 4 == 3 || i / 4 == 17;
        QVERIFY(gap ? index[i] == -1 : index[i] >= 0 && index[i] < 40 && index[i] != 3 && index[i] != 17);
    }
    const auto map = file("gaps-map.h5");
    QCOMPARE(runVerb({"tsne", "--vectors", path + ":/x", "--perplexity", "5", "--iterations", "20", "-o", map}).code,
             0);
    const auto quality = runVerb({"quality", "--vectors", path + ":/x", "--map", map + ":/maps/map/xy", "--perplexity",
                                  "5", "-o", file("gaps-quality.h5"), "--json"});
    QVERIFY2(quality.code == 0, quality.err.c_str());
    QCOMPARE(quality.json()["left_out"].get<int>(), 2);
    const auto perPoint = test::GoldenFile(file("gaps-quality.h5")).doubles("/quality/kl_per_point");
    QCOMPARE(perPoint.size(), std::size_t{38});
    QVERIFY(std::abs(std::accumulate(perPoint.begin(), perPoint.end(), 0.0) -
                     quality.json()["kl_exact"].get<double>()) < 1e-12);
}

void TestCliVerbs::neighborsReachTheRecall()
{
    const auto run = runVerb(
        {"neighbors", m_cache, "-k", "5", "--method", "approximate", "--recall", "0.95", "--check", "100", "--json"});
    QVERIFY2(run.code == 0, run.err.c_str());
    QCOMPARE(run.json()["method"].get<std::string>(), std::string("approximate"));
    QVERIFY(run.json()["recall"].get<double>() >= 0.95);
    QCOMPARE(run.json()["checked"].get<int>(), 100);
    const auto plain = runVerb({"neighbors", m_cache, "-k", "5", "--method", "approximate"});
    QVERIFY2(plain.out.find("0.99 requested") != std::string::npos, plain.out.c_str());
    QVERIFY2(plain.out.find("minus two standard errors") != std::string::npos, plain.out.c_str());
    const Json sampled = runVerb({"neighbors", m_cache, "-k", "5", "--method", "approximate", "--json"}).json();
    QVERIFY(sampled["recall_sample"]["points"].get<int>() > 0);
    QVERIFY(sampled["recall_sample"]["low"].get<double>() <= sampled["recall"].get<double>());
    QCOMPARE(runVerb({"neighbors", m_cache, "--check", "-1"}).code, 2);
}

void TestCliVerbs::inspect()
{
    const auto run = runVerb({"inspect", m_cache, "--json"});
    QVERIFY2(run.code == 0, run.err.c_str());
    const Json json = run.json();
    for (const char* key : {"family", "layers", "heads", "kv_heads", "head_dim", "model_dim", "vocabulary", "dtype",
                            "parameters", "files", "tokenizer", "pooling", "last_layer", "eos", "memory", "warnings"})
        QVERIFY2(json.contains(key), key);
    QCOMPARE(json["heads"].get<int>(), 4);
    QCOMPARE(json["embeddings"][2]["shape"], Json({60, 4, 6}));
    QVERIFY(runVerb({"inspect", m_cache}).out.find("telling") != std::string::npos);
}

void TestCliVerbs::inputsAreNeverReplaced()
{
    const auto before = readTextFile(m_cache);
    HEADSCOPE_VERIFY_OK(before);
    const std::string vectors = m_cache + ":/embeddings/layer_002/stage1";
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"tsne", m_cache, "-o", m_cache, "--overwrite"},
          std::vector<std::string>{"neighbors", "--vectors", vectors, "-o", m_cache, "--overwrite"}})
    {
        const auto run = runVerb(words);
        QCOMPARE(run.code, 2);
        QVERIFY2(run.err.find("one of the inputs") != std::string::npos, run.err.c_str());
    }
    QVERIFY(*readTextFile(m_cache) == *before);
}

HEADSCOPE_TEST(TestCliVerbs)
#include "tst_cli_verbs.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// How verbs treat the files they write: asked before computing, nothing lost that was there, safe to open elsewhere.
#include "model/io/cache/cache_reader.h"
#include "tests/app/cli/cli_fixture.h"
#include "tests/model/io/foreign_cache.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QXmlStreamReader>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iterator>
#include <set>

using namespace headscope;
using test::runVerb;

class TestCliOutputFiles : public QObject
{
    Q_OBJECT

    test::TemporaryFolder m_folder;

    [[nodiscard]] std::string file(const std::string& name) const { return m_folder.file(name).string(); }
    [[nodiscard]] static std::string text(const std::string& path)
    {
        std::ifstream stream(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(stream), {}};
    }
    /// A cache whose ids and labels are as unkind as anybody may write them.
    [[nodiscard]] std::string unkindCache() const
    {
        CacheContents contents = test::tellingContents();
        contents.documents.labels[0].categories = {"=HYPERLINK(\"x\",1)", "a\x1b[31mred\x01", "-5"};
        contents.documents.ids[0] = "@SUM(A1)";
        contents.documents.ids[1] = "-7.5";
        JobContext job;
        const std::string path = file("unkind.h5");
        return writeCache(path, contents, NumberType::F32, job) ? path : std::string();
    }
    /// Whether every place that the table of a PDF names is that of an object.
    static void expectWholePdf(const std::string& pdf)
    {
        const auto table = std::stoul(pdf.substr(pdf.rfind("startxref\n") + 10));
        QCOMPARE(pdf.substr(table, 5), std::string("xref\n"));
        int objects = 0;
        for (auto at = pdf.find(" 00000 n", table); at != std::string::npos; at = pdf.find(" 00000 n", at + 1))
        {
            const auto place = std::stoul(pdf.substr(at - 10, 10));
            const auto words = pdf.substr(place, 24);
            QVERIFY2(words.find(" 0 obj") < 8, words.c_str());
            ++objects;
        }
        QVERIFY(objects > 4);
    }

private Q_SLOTS:
    // First: the children of a process that has computed may not.
    void mapsThatAreSavedAtOnceAreAllKept()
    {
        const std::string cache = file("shared.h5");
        JobContext job;
        HEADSCOPE_VERIFY_OK(writeCache(cache, test::tellingContents(), NumberType::F32, job));
        std::vector<pid_t> children;
        constexpr int kMaps = 5;
        for (int i = 0; i < kMaps; ++i)
        {
            const pid_t child = ::fork();
            if (child == 0)
                std::_Exit(runVerb({"tsne", cache, "--save", "map" + std::to_string(i), "--iterations", "5",
                                    "--perplexity", "5", "--threads", "1"})
                               .code);
            children.push_back(child);
        }
        for (const pid_t child : children)
        {
            int status = 0;
            QCOMPARE(::waitpid(child, &status, 0), child);
            QVERIFY(WIFEXITED(status));
            QCOMPARE(WEXITSTATUS(status), 0);
        }
        const auto read = CacheReader::open(cache);
        HEADSCOPE_VERIFY_OK(read);
        const std::vector<std::string> maps = {"map0", "map1", "map2", "map3", "map4"};
        QCOMPARE((*read)->info().maps, maps);
        QCOMPARE(m_folder.files(), std::size_t{1});
    }

    void aMapIsNotSavedIntoAnotherCache()
    {
        const std::string cache = file("replaced.h5");
        CacheContents contents = test::tellingContents();
        JobContext job;
        HEADSCOPE_VERIFY_OK(writeCache(cache, contents, NumberType::F32, job));
        const auto open = CacheReader::open(cache);
        HEADSCOPE_VERIFY_OK(open);
        HeadMap map;
        map.name = "late";
        map.points = std::make_shared<const PointIds>(PointIds{{0, 1}, {0, 0}});
        map.xy = MatrixF(2, 2, {1, 2, 3, 4});
        map.layer = LayerIndex(1);
        map.options.perplexities = {5.0};
        map.origin = (*open)->origin();
        HEADSCOPE_VERIFY_OK(saveMap(cache, map, false, job));
        map.name = "later";
        HEADSCOPE_VERIFY_OK(saveMap(cache, map, false, job)); // still the same documents and vectors
        contents.documents.ids[0] = "another document";
        HEADSCOPE_VERIFY_OK(writeCache(cache, contents, NumberType::F32, job));
        HEADSCOPE_VERIFY_ERROR(saveMap(cache, map, false, job), ErrorCode::InvalidArgument,
                               "expected the cache that the map was made from, found another cache in its place");
    }

    /// Nor into another one without checksums.
    void aMapIsNotSavedIntoAnotherForeignCache()
    {
        const std::string cache = file("foreign.h5");
        JobContext job;
        HEADSCOPE_VERIFY_OK(test::writeForeignCache(cache));
        const auto open = CacheReader::open(cache);
        HEADSCOPE_VERIFY_OK(open);
        HeadMap map;
        map.name = "late";
        map.points = std::make_shared<const PointIds>(PointIds{{0, 1}, {0, 0}});
        map.xy = MatrixF(2, 2, {1, 2, 3, 4});
        map.layer = LayerIndex(1);
        map.options.perplexities = {5.0};
        map.origin = (*open)->origin();
        HEADSCOPE_VERIFY_OK(test::writeForeignCache(cache, 1));
        HEADSCOPE_VERIFY_ERROR(saveMap(cache, map, false, job), ErrorCode::InvalidArgument,
                               "expected the cache that the map was made from, found another cache in its place");
        map.origin = (*CacheReader::open(cache))->origin();
        HEADSCOPE_VERIFY_OK(saveMap(cache, map, false, job));
    }

    void outputsAreAskedBeforeAnythingIsRead_data()
    {
        QTest::addColumn<QStringList>("verb");
        QTest::addColumn<QString>("ending");
        const auto add = [](const char* words, const char* ending) {
            const QStringList verb = QString::fromLatin1(words).split(QLatin1Char(' '));
            QTest::newRow(qPrintable(verb.join(QLatin1Char(' ')) + QLatin1String(ending)))
                << verb << QString::fromLatin1(ending);
        };
        for (const char* ending : {".h5", ".csv", ".svg"})
            add("tsne none.h5 -o", ending);
        add("tsne none.h5 --state", ".h5");
        add("neighbors none.h5 -o", ".h5");
        add("quality none.h5 --map none.h5:/maps/map/xy -o", ".h5");
        for (const char* verb : {"probe none.h5 -o", "similarity none.h5 -o", "match none.h5 -o", "heads none.h5 -o",
                                 "layers none.h5 -o", "prune none.h5 -o", "retrieve none.h5 --query-document a -o"})
            add(verb, ".csv");
        add("prune none.h5 --save-mask", ".json");
        add("export none.h5 -o", ".npy");
    }

    void outputsAreAskedBeforeAnythingIsRead()
    {
        QFETCH(QStringList, verb);
        QFETCH(QString, ending);
        std::vector<std::string> words;
        for (const QString& word : verb)
            words.push_back(word.toStdString());
        const std::string tail = ending.toStdString();
        const auto expect = [&](const std::string& output, const std::string& said) {
            auto all = words;
            all.insert(all.end(), {output, "--overwrite"});
            const auto run = runVerb(all);
            QVERIFY2(run.code == 2 || run.code == 4, run.err.c_str());
            QVERIFY2(run.err.find(said) != std::string::npos, run.err.c_str());
        };
        expect(file(std::string(260, 'n') + tail), "expected a name of at most 255 bytes");
        expect(file("no/such" + tail), "there is no such folder to write into");
        const std::string pipe = file("pipe" + tail);
        ::unlink(pipe.c_str());
        QCOMPARE(::mkfifo(pipe.c_str(), 0600), 0);
        expect(pipe, "expected the name of a file, found a pipe");
        QVERIFY(std::filesystem::is_fifo(pipe));
        ::unlink(pipe.c_str());
        const std::string weights = file("weights" + tail);
        std::ofstream(weights) << "GGUF and then the weights";
        expect(weights, "found a GGUF model");
        QCOMPARE(text(weights), std::string("GGUF and then the weights"));
        if (::geteuid() == 0) // who may write everywhere
            return;
        const std::string locked = file("locked");
        std::filesystem::create_directory(locked);
        ::chmod(locked.c_str(), 0500);
        expect(locked + "/out" + tail, "writing into this folder failed");
        ::chmod(locked.c_str(), 0700);
        std::filesystem::remove(locked);
    }

    void tablesAreSafeForSpreadsheets()
    {
        const std::string cache = unkindCache();
        QVERIFY(!cache.empty());
        const auto table = [&](std::vector<std::string> words) {
            const std::string path = file("table.csv");
            words.insert(words.begin() + 1, {cache, "-o", path, "--overwrite"});
            const auto run = runVerb(words);
            return run.code == 0 ? text(path) : run.err;
        };
        const std::string safe = table({"heatmap"});
        QVERIFY2(safe.find(",\"'=HYPERLINK(\"\"x\"\",1)\",") != std::string::npos, safe.c_str());
        QVERIFY(safe.find(",'@SUM(A1),") != std::string::npos);
        QVERIFY(safe.find(",-7.5,") != std::string::npos); // a number is a number, also as an id
        QVERIFY(safe.find("'-") == std::string::npos);     // of cosines, and of the label -5
        const std::string plain = table({"heatmap", "--plain-csv"});
        QVERIFY(plain.find(",\"=HYPERLINK(\"\"x\"\",1)\",") != std::string::npos);
        QVERIFY(plain.find(",@SUM(A1),") != std::string::npos);
        const std::string similarity = table({"similarity"});
        QVERIFY2(similarity.find("\n\"'=HYPERLINK") != std::string::npos, similarity.c_str());
        const std::string vectors = table({"export"});
        QVERIFY2(vectors.find(",@SUM(A1),") != std::string::npos, vectors.substr(0, 300).c_str());
    }

    void svgIsWellFormedWhateverALabelHolds()
    {
        const std::string cache = unkindCache();
        const auto run = runVerb({"heatmap", cache, "-o", file("unkind.svg")});
        QVERIFY2(run.code == 0, run.err.c_str());
        const QByteArray svg = QByteArray::fromStdString(text(file("unkind.svg")));
        QXmlStreamReader xml(svg);
        while (!xml.atEnd())
            xml.readNext();
        QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
        QVERIFY(svg.contains("a\xef\xbf\xbd[31mred\xef\xbf\xbd"));
    }

    void pdfIsTheSameInEveryZone()
    {
        const std::string cache = unkindCache();
        const QByteArray former = qgetenv("TZ");
        std::set<std::string> files;
        for (const char* zone : {"UTC", "Asia/Tokyo", "America/St_Johns"})
        {
            qputenv("TZ", zone);
            ::tzset();
            const auto run = runVerb({"heatmap", cache, "-o", file("zone.pdf"), "--overwrite"});
            QVERIFY2(run.code == 0, run.err.c_str());
            const std::string pdf = text(file("zone.pdf"));
            QVERIFY(pdf.find("/CreationDate (D:20000101000000Z)") != std::string::npos);
            expectWholePdf(pdf);
            files.insert(pdf);
        }
        QCOMPARE(files.size(), std::size_t{1});
        qputenv("SOURCE_DATE_EPOCH", "1700000000");
        QCOMPARE(runVerb({"heatmap", cache, "-o", file("zone.pdf"), "--overwrite"}).code, 0);
        qunsetenv("SOURCE_DATE_EPOCH");
        const std::string dated = text(file("zone.pdf"));
        QVERIFY(dated.find("/CreationDate (D:20231114221320Z)") != std::string::npos);
        expectWholePdf(dated);
        former.isNull() ? qunsetenv("TZ") : qputenv("TZ", former);
        ::tzset();
    }
};

HEADSCOPE_TEST(TestCliOutputFiles)
#include "tst_cli_output_files.moc"

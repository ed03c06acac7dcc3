// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/results/result_writer.h"

#include "model/base/escape_controls.h"
#include "model/base/file.h"
#include "model/io/results/matrix_file.h"
#include "tests/model/io/cache_fixture.h"
#include "tests/support/golden_file.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <limits>

using namespace headscope;

class TestResultWriter : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void neighbors();
    void probes();
    void heatmaps();
    void textsOfCsv();
    void wideFormulasOfCsv();
    void controlCharactersOfCsv();
    void tables();

private:
    test::TemporaryFolder m_folder;
};

namespace
{

Heatmap sampleHeatmap()
{
    Heatmap heatmap;
    heatmap.stage = Stage::OutputSegment;
    heatmap.values = MatrixF(3, 2, {0.5F, 0.25F, -1.0F, std::numeric_limits<float>::quiet_NaN(), 0.1F, 1.0F});
    heatmap.document = {4, 0};
    heatmap.topic = {1, 0};
    heatmap.topicOrder = {1, 0};
    heatmap.topicNames = {"b, c", "a"};
    heatmap.fullSource = "the model's embedding";
    return heatmap;
}

} // namespace

void TestResultWriter::neighbors()
{
    const auto path = m_folder.file("n.h5");
    const Matrix<std::int32_t> index(2, 2, {1, 2, 0, 2});
    const MatrixF distance(2, 2, {0.5F, 1.0F, 0.5F, 2.0F});
    HEADSCOPE_VERIFY_OK(writeNeighbors(path, index, distance, "cosine"));
    const test::GoldenFile file(path);
    QCOMPARE(file.integers("/neighbors/index"), (std::vector<std::int64_t>{1, 2, 0, 2}));
    QCOMPARE(file.floats("/neighbors/distance"), distance.values());
    QCOMPARE(file.text("/neighbors", "metric"), std::string("cosine"));
}

void TestResultWriter::probes()
{
    ProbeResult result;
    result.weights = MatrixD(2, 3, {1, 2, 3, 4, 5, 6});
    result.intercepts = {0.5, -0.5};
    result.predictions = {0, 1, 1};
    HEADSCOPE_VERIFY_OK(writeProbe(m_folder.file("one.h5"), {result}));
    const test::GoldenFile one(m_folder.file("one.h5"));
    QCOMPARE(one.shape("/probe/weights"), (std::vector<std::int64_t>{2, 3}));
    QCOMPARE(one.doubles("/probe/intercepts"), result.intercepts);
    QCOMPARE(one.integers("/probe/predictions"), (std::vector<std::int64_t>{0, 1, 1}));

    result.layer = 29;
    result.stage = Stage::HeadOutput;
    ProbeResult second = result;
    second.stage = Stage::OutputSegment;
    second.intercepts = {7, 8};
    HEADSCOPE_VERIFY_OK(writeProbe(m_folder.file("two.h5"), {result, second}));
    const test::GoldenFile two(m_folder.file("two.h5"));
    QCOMPARE(two.doubles("/probe/intercepts"), result.intercepts);
    QCOMPARE(two.doubles("/probe/layer_029_stage3/intercepts"), second.intercepts);
}

void TestResultWriter::heatmaps()
{
    const Heatmap heatmap = sampleHeatmap();
    HEADSCOPE_VERIFY_OK(writeHeatmap(m_folder.file("h.h5"), heatmap));
    const test::GoldenFile file(m_folder.file("h.h5"));
    QCOMPARE(file.shape("/heatmap/values"), (std::vector<std::int64_t>{3, 2}));
    QCOMPARE(file.integers("/heatmap/document"), (std::vector<std::int64_t>{4, 0}));
    QCOMPARE(file.strings("/heatmap/topic_names"), heatmap.topicNames);

    DocumentSet documents;
    documents.ids = {"p", "q", "r", "s", "say \"t\""};
    HEADSCOPE_VERIFY_OK(writeHeatmapCsv(m_folder.file("h.csv"), heatmap, documents));
    const auto csv = readTextFile(m_folder.file("h.csv"));
    HEADSCOPE_VERIFY_OK(csv);
    QCOMPARE(*csv, std::string("document,id,topic,full,segment 1,segment 2\n"
                               "4,\"say \"\"t\"\"\",\"b, c\",0.5,-1,0.1\n"
                               "0,p,a,0.25,,1\n"));

    // Several stages in one table, of the heads that are chosen.
    Heatmap first = heatmap;
    first.stage = Stage::HeadOutput;
    HEADSCOPE_VERIFY_OK(writeHeatmapsCsv(
        m_folder.file("all.csv"), {std::make_shared<const Heatmap>(first), std::make_shared<const Heatmap>(heatmap)},
        {1}, documents));
    const std::string layer = std::to_string(heatmap.layer.value());
    const std::string second(stageName(heatmap.stage));
    QCOMPARE(*readTextFile(m_folder.file("all.csv")),
             "layer,stage,document,id,topic,full,2\n" + layer + ",1,4,\"say \"\"t\"\"\",\"b, c\",0.5,0.1\n" + layer +
                 ",1,0,p,a,0.25,1\n" + layer + "," + second + ",4,\"say \"\"t\"\"\",\"b, c\",0.5,0.1\n" + layer + "," +
                 second + ",0,p,a,0.25,1\n");
}

void TestResultWriter::textsOfCsv()
{
    const auto safe = [](const char* text) { return csvField(text, CsvTexts::Safe).bytes(); };
    for (const char* formula :
         {"=1+1", "+cmd|' /C calc'!A0", "-1+1", "@SUM(A1)", "\t=1", "--5", "+-5", "-", "+", "-0x10"})
        QCOMPARE(safe(formula), "'" + std::string(formula));
    QCOMPARE(safe("\r=1"), std::string("\\x0d=1")); // no formula once it is shown
    QCOMPARE(safe("\r\n=1"), std::string("\"'\r\n=1\""));
    QCOMPARE(safe("=A1,\"b\""), std::string("\"'=A1,\"\"b\"\"\""));
    for (const char* plain : {"-5", "+3.25", "-1e-7", "-.5", "a=b", "", "doc-1", "1-2"})
        QCOMPARE(safe(plain), std::string(plain));
    QCOMPARE(csvField("=1+1", CsvTexts::Plain).bytes(), std::string("=1+1"));
    QCOMPARE(csvField("a,b", CsvTexts::Plain).bytes(), std::string("\"a,b\""));
    for (const char* raw : {"\x1b[31m", "\uFF1D1", "\uFEFF=1", "\u202Ex", " =1"})
        QCOMPARE(csvField(raw, CsvTexts::Plain).bytes(), std::string(raw));
}

void TestResultWriter::wideFormulasOfCsv()
{
    const auto safe = [](const std::string& text) { return csvField(text, CsvTexts::Safe).bytes(); };
    for (const char* sign : {"=", "+", "-", "@", "\uFF1D", "\uFF0B", "\uFF0D", "\uFF20", "\uFE66", "\uFE6B"})
        for (const char* before :
             {"", " ", "\uFEFF", "\u200B", "\u00A0", "\u3000", "\u2060 \uFEFF", "\u200F", "\u00AD"})
        {
            const std::string text = std::string(before) + sign + "A1";
            QCOMPARE(safe(text), "'" + text);
        }
    for (const char* plain : {" -5", "\uFEFF7", "\u3000x", "\uFEFF", " ", "a\uFF1Db", "\u2212 5", "\u05D0", "\u00E9"})
        QCOMPARE(safe(plain), std::string(plain));
}

void TestResultWriter::controlCharactersOfCsv()
{
    const auto safe = [](const std::string& text) { return csvField(text, CsvTexts::Safe).bytes(); };
    QCOMPARE(safe("a\x1b[31m\x7f"), std::string("a\\x1b[31m\\x7f"));
    QCOMPARE(safe("a\rb"), std::string("a\\x0db"));
    QCOMPARE(safe("a\u0085\u2028\u202E\u2066"), std::string("a\\u0085\\u2028\\u202e\\u2066"));
    QCOMPARE(safe(std::string("a\0=", 3)), std::string("a\\x00="));
    QCOMPARE(safe("a\xff"), std::string("a\uFFFD"));
    QCOMPARE(safe("\x1b=1"), std::string("\\x1b=1"));
    // Texts have lines and tabs.
    QCOMPARE(safe("a\nb\tc\r\nd"), std::string("\"a\nb\tc\r\nd\""));
    QCOMPARE(safe("\r\n"), std::string("\"'\r\n\""));
    for (int byte = 0; byte < 256; ++byte)
    {
        std::string field = safe({'a', static_cast<char>(byte), 'b'});
        if (field.starts_with('"'))
            field = field.substr(1, field.size() - 2);
        QCOMPARE(escapeControls(field), field);
    }
}

void TestResultWriter::tables()
{
    HeadMap map;
    map.points = std::make_shared<const PointIds>(PointIds{{0, 1}, {0, 3}});
    map.xy = MatrixF(2, 2, {1, 2, 3, 4});
    DocumentSet documents;
    documents.ids = {"p", "q"};
    HEADSCOPE_VERIFY_OK(writeMapCsv(m_folder.file("m.csv"), map, &documents));
    QCOMPARE(*readTextFile(m_folder.file("m.csv")), std::string("document,id,head,x,y\n0,p,1,1,2\n1,q,4,3,4\n"));
    map.points = nullptr;
    HEADSCOPE_VERIFY_OK(writeMapCsv(m_folder.file("m.csv"), map, nullptr));
    QCOMPARE(*readTextFile(m_folder.file("m.csv")), std::string("row,x,y\n0,1,2\n1,3,4\n"));
}

HEADSCOPE_TEST_GUILESS(TestResultWriter)
#include "tst_result_writer.moc"

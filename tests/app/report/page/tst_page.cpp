// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/page/page.h"

#include "app/report/page/base64.h"
#include "app/report/page/html_text.h"
#include "app/report/page/page_parts.h"
#include "model/base/utf8.h"
#include "tests/app/report/sample_page.h"
#include "tests/support/test_program.h"

#include <QByteArray>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <cmath>
#include <cstring>
#include <limits>
#include <span>

using namespace headscope;
using namespace headscope::report;

namespace
{

const std::string kHostile =
    std::string("</script><script>alert(\"1\")</script> & ' \u2028\u2029 ") + '\0' + " \u202Eabc \u05D0 \xFF <!-- ]]>";

std::size_t countOf(const std::string& text, const std::string& part)
{
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size()))
        ++count;
    return count;
}

QJsonObject parsed(const std::string& json)
{
    QJsonParseError error{};
    const QJsonDocument document = QJsonDocument::fromJson(QByteArray::fromStdString(json), &error);
    if (error.error != QJsonParseError::NoError)
        qWarning("%s", qPrintable(error.errorString()));
    return document.object();
}

/// Codes of a map or column as the browser reads them.
std::vector<std::int32_t> codesOf(const QJsonValue& packed)
{
    const int width = packed[QStringLiteral("width")].toInt();
    const QByteArray bytes = QByteArray::fromBase64(packed[QStringLiteral("data")].toString().toLatin1());
    std::vector<std::int32_t> codes;
    for (int i = 0; i < packed[QStringLiteral("count")].toInt(); ++i)
        codes.push_back(i / packed[QStringLiteral("each")].toInt() % packed[QStringLiteral("of")].toInt());
    for (int at = 0; at + width <= bytes.size(); at += width)
    {
        std::uint32_t code = 0;
        std::memcpy(&code, bytes.constData() + at, static_cast<std::size_t>(width));
        codes.push_back(static_cast<std::int32_t>(code) - 1);
    }
    return codes;
}

/// A page whose every text is hostile.
Page hostilePage()
{
    Page page{.title = kHostile, .facts = {{kHostile, kHostile}}};
    PageSection section{.heading = kHostile, .id = kHostile};
    section.claims = {{kHostile, kHostile, kHostile, kHostile}};
    section.figures = {{.name = kHostile, .caption = kHostile, .alt = kHostile, .bytes = kHostile, .live = 0}};
    section.tables = {{.caption = kHostile, .columns = {{kHostile, true}, {kHostile}}, .rows = {{kHostile, kHostile}}}};
    section.notices = {kHostile};
    section.command = kHostile;
    page.sections = {section, section};
    page.documents = {.ids = {kHostile},
                      .quotations = {kHostile},
                      .columns = {{.name = kHostile, .categories = {{kHostile, {}}}, .codes = {0}}}};
    page.maps = {{.title = kHostile,
                  .rowWord = "head",
                  .x = {1.0F},
                  .y = {2.0F},
                  .head = {0},
                  .document = {0},
                  .heads = {{kHostile, 0, {}}},
                  .groups = {{kHostile, {}}},
                  .numbers = {{kHostile, kHostile}}}};
    page.footer = kHostile;
    return page;
}

} // namespace

class TestPage : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void hostileTextsStayTexts();
    void hostileTextsComeBackFromData();
    void idsAreUniqueAndPlain();
    void sameBytesAgain();
    void holdsNoAddress();
    void emptyPages();
    void oneDocument();
    void longLabels();
    void placesComeBack();
    void pointsWithoutPlace();
    void codesThatCountTakeNoRoom();
    void widthsOfCodes_data();
    void widthsOfCodes();
    void quotationsAreCut();
    void longTablesAreFolded();
    void figuresAreInside();
    void base64OfAnyLength();
    void manyPointsAreSmall();
};

void TestPage::hostileTextsStayTexts()
{
    const std::string html = reportPage(hostilePage()).bytes();
    QCOMPARE(countOf(html, "alert(\"1\")"), std::size_t{0});
    QCOMPARE(countOf(html, "<script>alert"), std::size_t{0});
    QCOMPARE(countOf(html, "<!--"), std::size_t{0});
    QCOMPARE(countOf(html, "\u2028"), std::size_t{0});
    QCOMPARE(html.find('\0'), std::string::npos);
    QVERIFY(isValidUtf8(html));
    // Two scripts, and data of the documents and of the map: each begins and ends once.
    QCOMPARE(countOf(html, "<script"), std::size_t{4});
    QCOMPARE(countOf(html, "</script>"), std::size_t{4});
    QCOMPARE(htmlText("<a b=\"c\">&'").bytes(), std::string("&lt;a b=&quot;c&quot;&gt;&amp;&#39;"));
    QCOMPARE(htmlText("a\x1b[1m\x7f\tb").bytes(), std::string("a\uFFFD[1m\uFFFD\tb"));
}

void TestPage::hostileTextsComeBackFromData()
{
    std::string expected = kHostile;
    QVERIFY(repairUtf8(expected));
    QVERIFY(replaceNul(expected));
    const Page page = hostilePage();
    const std::string data = documentsData(page.documents).bytes();
    for (const char* banned : {"<", ">", "&", "'", "\u2028", "\u2029"})
        QCOMPARE(countOf(data, banned), std::size_t{0});
    const QJsonObject documents = parsed(data);
    QCOMPARE(documents[QStringLiteral("ids")][0].toString(), QString::fromStdString(expected));
    const QJsonValue column = documents[QStringLiteral("columns")][0];
    QCOMPARE(column[QStringLiteral("categories")][0][QStringLiteral("name")].toString(),
             QString::fromStdString(expected));
    const QJsonObject map = parsed(mapData(page.maps.front()).bytes());
    QCOMPARE(map[QStringLiteral("title")].toString(), QString::fromStdString(expected));
    QCOMPARE(map[QStringLiteral("heads")][0][QStringLiteral("name")].toString(), QString::fromStdString(expected));
    QCOMPARE(scriptText("\\\"\n\x01").bytes(), std::string(R"("\\\"\u000a\u0001")"));
}

void TestPage::idsAreUniqueAndPlain()
{
    const std::vector<PageSection> sections = {
        {.heading = "Map"}, {.heading = "x", .id = "map"}, {.heading = "\u05D0"}, {.heading = "Content"}};
    const std::vector<AddressedSection> all = addressed(sections);
    QCOMPARE(all[0].id.bytes(), std::string("map"));
    QCOMPARE(all[1].id.bytes(), std::string("map-2"));
    QCOMPARE(all[2].id.bytes(), std::string("part"));
    QCOMPARE(all[3].id.bytes(), std::string("content-2")); // the page has a "content" of its own
    QCOMPARE(pageId("  Heads & KV\"groups\" ").bytes(), std::string("heads-kv-groups"));
}

void TestPage::sameBytesAgain()
{
    const test::SampleSize size{.documents = 20, .heads = 8};
    Page page{.title = "Twice"};
    page.documents = test::sampleDocuments(size);
    page.maps = {test::sampleMap(size)};
    page.sections = {{.heading = "Map", .figures = {{.name = "m", .live = 0}}}};
    const std::string once = reportPage(page).bytes();
    QCOMPARE(reportPage(page).bytes(), once);
    const Page copy = page;
    QCOMPARE(reportPage(copy).bytes(), once);
}

void TestPage::holdsNoAddress()
{
    // No network and no other file: nothing that a browser would fetch.
    const std::string html = reportPage(hostilePage()).bytes();
    for (const char* address : {"http://", "https://", "@import", "src=\"/", "url(", "import("})
        QCOMPARE(countOf(html, address), std::size_t{0});
    QCOMPARE(countOf(html, "eval("), std::size_t{0});
    QVERIFY(html.find("default-src 'none'") != std::string::npos);
    QCOMPARE(countOf(html, "'sha256-"), std::size_t{2});
}

void TestPage::emptyPages()
{
    QVERIFY(reportPage({}).bytes().ends_with("</html>\n"));
    Page page{.title = "No points"};
    page.maps.push_back({.title = "Nothing"});
    page.sections = {{.heading = "Map", .figures = {{.name = "m", .live = 0}, {.name = "of no map", .live = 7}}}};
    const std::string html = reportPage(page).bytes();
    QCOMPARE(countOf(html, "data-map="), std::size_t{0});
    QCOMPARE(countOf(html, "The map has no points to show."), std::size_t{1});
    QCOMPARE(countOf(html, "no finite position"), std::size_t{0});
    const QJsonObject map = parsed(mapData(page.maps.front()).bytes());
    QCOMPARE(map[QStringLiteral("places")].toString(), QString());
    QCOMPARE(codesOf(map[QStringLiteral("head")]).size(), std::size_t{0});
}

void TestPage::oneDocument()
{
    LiveMap map{.title = "One", .x = {4.5F}, .y = {-2.0F}, .head = {-1}, .document = {0}};
    const QJsonObject data = parsed(mapData(map).bytes());
    QCOMPARE(data[QStringLiteral("square")][0].toDouble(), 4.5);
    QCOMPARE(data[QStringLiteral("square")][1].toDouble(), -2.0);
    QCOMPARE(data[QStringLiteral("square")][2].toDouble(), 1.0); // a point has no extent
    QCOMPARE(codesOf(data[QStringLiteral("head")]), std::vector<std::int32_t>{-1});
    QCOMPARE(codesOf(data[QStringLiteral("document")]), std::vector<std::int32_t>{0});
}

void TestPage::longLabels()
{
    const std::string label(300, 'x');
    const MapDocuments documents{.ids = {label},
                                 .columns = {{.name = label, .categories = {{label, {}}}, .codes = {0}}}};
    const QJsonObject data = parsed(documentsData(documents).bytes());
    QCOMPARE(data[QStringLiteral("columns")][0][QStringLiteral("name")].toString().size(), 300);
    QCOMPARE(data[QStringLiteral("ids")][0].toString().size(), 300);
}

void TestPage::placesComeBack()
{
    const LiveMap map = test::sampleMap({.documents = 50, .heads = 8});
    const QJsonObject data = parsed(mapData(map).bytes());
    const QByteArray bytes = QByteArray::fromBase64(data[QStringLiteral("places")].toString().toLatin1());
    QCOMPARE(bytes.size(), qsizetype{50 * 8 * 4});
    std::vector<std::uint16_t> steps(50 * 8 * 2);
    std::memcpy(steps.data(), bytes.constData(), static_cast<std::size_t>(bytes.size()));
    const double left = data[QStringLiteral("square")][0].toDouble();
    const double bottom = data[QStringLiteral("square")][1].toDouble();
    const double side = data[QStringLiteral("square")][2].toDouble();
    const double half = 0.5001 * side / 65535;
    for (std::size_t point = 0; point < map.x.size(); ++point)
    {
        QVERIFY(std::abs(left + side * steps[2 * point] / 65535 - map.x[point]) <= half);
        QVERIFY(std::abs(bottom + side * steps[2 * point + 1] / 65535 - map.y[point]) <= half);
    }
    QCOMPARE(codesOf(data[QStringLiteral("head")]), map.head);
    QCOMPARE(codesOf(data[QStringLiteral("document")]), map.document);
}

/// All heads of all documents in order take no room but that of their places.
void TestPage::codesThatCountTakeNoRoom()
{
    LiveMap map = test::sampleMap({.documents = 1'000, .heads = 32});
    const QJsonObject data = parsed(mapData(map).bytes());
    QVERIFY(!data[QStringLiteral("head")].toObject().contains(QStringLiteral("data")));
    QCOMPARE(codesOf(data[QStringLiteral("head")]), map.head);
    QCOMPARE(codesOf(data[QStringLiteral("document")]), map.document);
    QVERIFY(static_cast<double>(mapData(map).bytes().size()) < 5.6 * 32'000);
    // In another order, and with a hole, each has its code again.
    std::swap(map.head[500], map.head[501]);
    map.x[900] = std::numeric_limits<float>::quiet_NaN();
    const QJsonObject other = parsed(mapData(map).bytes());
    std::vector<std::int32_t> heads = map.head;
    std::vector<std::int32_t> documents = map.document;
    heads.erase(heads.begin() + 900);
    documents.erase(documents.begin() + 900);
    QCOMPARE(codesOf(other[QStringLiteral("head")]), heads);
    QCOMPARE(codesOf(other[QStringLiteral("document")]), documents);
    // None at all.
    map.head.assign(map.head.size(), -1);
    QCOMPARE(codesOf(parsed(mapData(map).bytes())[QStringLiteral("head")]).size(), map.head.size() - 1);
}

void TestPage::pointsWithoutPlace()
{
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    Page page;
    page.maps = {{.title = "Holes",
                  .x = {0.0F, kNan, 1.0F, 2.0F},
                  .y = {0.0F, 1.0F, kInfinity, 4.0F},
                  .head = {0, 1, 2, 3},
                  .document = {4, 5, 6, 7}}};
    page.sections = {{.heading = "Map", .figures = {{.name = "m", .live = 0}}}};
    QCOMPARE(pointsLeftOut(page.maps.front()), std::int64_t{2});
    const QJsonObject data = parsed(mapData(page.maps.front()).bytes());
    QCOMPARE(codesOf(data[QStringLiteral("head")]), (std::vector<std::int32_t>{0, 3}));
    QCOMPARE(codesOf(data[QStringLiteral("document")]), (std::vector<std::int32_t>{4, 7}));
    QCOMPARE(data[QStringLiteral("square")][2].toDouble(), 4.0);
    QVERIFY(reportPage(page).bytes().find("2 of 4 points have no finite position and are excluded.") !=
            std::string::npos);
    page.maps.front().x[1] = 1;
    QVERIFY(reportPage(page).bytes().find("1 of 4 points has no finite position and is excluded.") !=
            std::string::npos);
}

void TestPage::widthsOfCodes_data()
{
    QTest::addColumn<int>("largest");
    QTest::addColumn<int>("width");
    QTest::newRow("none") << -1 << 1;
    QTest::newRow("last of a byte") << 254 << 1;
    QTest::newRow("first of two bytes") << 255 << 2;
    QTest::newRow("last of two bytes") << 65'534 << 2;
    QTest::newRow("first of four bytes") << 65'535 << 4;
}

void TestPage::widthsOfCodes()
{
    QFETCH(const int, largest);
    QFETCH(const int, width);
    const LiveMap map{.x = {0, 1}, .y = {0, 1}, .head = {-1, largest}, .document = {0, 0}};
    const QJsonObject data = parsed(mapData(map).bytes());
    QCOMPARE(data[QStringLiteral("head")][QStringLiteral("width")].toInt(), width);
    QCOMPARE(codesOf(data[QStringLiteral("head")]), map.head);
}

void TestPage::quotationsAreCut()
{
    QCOMPARE(quotation(" a \n\t b  "), std::string("a b"));
    QCOMPARE(quotation(""), std::string());
    const std::string fits(160, 'x');
    QCOMPARE(quotation(fits), fits);
    QCOMPARE(quotation(fits + "y"), std::string(159, 'x') + "\u2026");
    // Characters of two, three and four bytes: none is cut.
    for (const std::string character : {"\u00E9", "\u6F22", "\U0001F642"})
    {
        std::string text = "x";
        for (int i = 0; i < 5'000; ++i)
            text += character;
        const std::string cut = quotation(text);
        QVERIFY(isValidUtf8(cut));
        QCOMPARE(countCharacters(cut), std::size_t{160});
        QVERIFY(cut.ends_with("\u2026"));
        QCOMPARE(quotation(cut), cut);
        // Where the reading of the text ends no half character is shown either.
        for (std::size_t blanks = 4'090; blanks < 4'097; ++blanks)
            QCOMPARE(quotation(std::string(blanks, ' ') + text).find(kReplacementCharacter), std::string::npos);
    }
    QCOMPARE(quotation("\xFFx"), "\uFFFDx");
}

void TestPage::longTablesAreFolded()
{
    PageTable table{.caption = "Heads", .columns = {{"head", true}, {"name"}}, .rows = {}};
    table.rows.assign(40, {"1", "a"});
    Page page{.title = "Tables", .sections = {{.heading = "Table", .tables = {table}}}};
    QCOMPARE(countOf(reportPage(page).bytes(), "class=\"folded\""), std::size_t{0});
    page.sections.front().tables.front().rows.push_back({"2"}); // a cell is missing
    const std::string html = reportPage(page).bytes();
    QCOMPARE(countOf(html, "<details class=\"folded\">"), std::size_t{1});
    QCOMPARE(countOf(html, "41 rows"), std::size_t{1});
    QCOMPARE(countOf(html, "<td class=\"numeric\">"), std::size_t{41});
    QCOMPARE(countOf(html, "<td></td>"), std::size_t{1});
}

void TestPage::figuresAreInside()
{
    Page page{.title = "Figures"};
    page.sections = {{.heading = "F",
                      .figures = {{.name = "A b", .caption = "cap", .bytes = "<svg/>"},
                                  {.name = "p", .alt = "alt", .kind = FigureKind::Png, .bytes = "\x89PNG"}}}};
    const std::string html = reportPage(page).bytes();
    QVERIFY(html.find("<figure id=\"figure-a-b\">") != std::string::npos);
    QVERIFY(html.find("alt=\"cap\" src=\"data:image/svg+xml;base64,PHN2Zy8+\"") != std::string::npos);
    QVERIFY(html.find("alt=\"alt\" src=\"data:image/png;base64,iVBORw==\"") != std::string::npos);
}

void TestPage::base64OfAnyLength()
{
    QByteArray bytes;
    for (int length = 0; length < 200; ++length)
    {
        const std::string text =
            base64(std::as_bytes(std::span(bytes.constData(), static_cast<std::size_t>(bytes.size()))));
        QCOMPARE(QByteArray::fromStdString(text), bytes.toBase64());
        bytes.append(static_cast<char>(length * 37));
    }
}

void TestPage::manyPointsAreSmall()
{
    const test::SampleSize size{.documents = 10'000, .heads = 32};
    Page page{.title = "Many"};
    page.documents = test::sampleDocuments(size);
    for (std::string& text : page.documents.quotations)
        text.resize(80, 'x');
    page.maps = {test::sampleMap(size)};
    page.sections = {{.heading = "Map", .figures = {{.name = "m", .live = 0}}}};
    const std::size_t one = reportPage(page).bytes().size();
    QVERIFY2(one < 15'000'000, std::to_string(one).c_str());
    page.maps.push_back(page.maps.front()); // texts are shared: another map adds its points alone
    const std::size_t two = reportPage(page).bytes().size();
    QVERIFY2(two - one < 320'000 * 10, std::to_string(two - one).c_str());
}

HEADSCOPE_TEST_GUILESS(TestPage)
#include "tst_page.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/frames/frame_json.h"
#include "app/frames/json_path.h"
#include "app/results/all_frames.h"
#include "model/data/frame/frame_text.h"
#include "model/io/frames/frame_file.h"
#include "tests/model/io/cache_fixture.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>
#include <set>

using namespace headscope;

namespace
{

constexpr std::size_t kRows = 5;
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// Numbers of which none is another's, one of them missing.
Column::Reals numbersFrom(double first)
{
    return {first + 1.0 / 3, -1.5e-7 * first, kNone, 0, first * 1e9};
}

Column::Values valuesOf(const ColumnInfo& info, double first)
{
    if (info.shown == Shown::Flag)
        return Column::Wholes{0, 1, 1, 0, 1};
    if (isWhole(info.shown))
        return Column::Wholes{static_cast<std::int64_t>(first), 0, -3, 1'000'000'007, 12};
    if (info.shown == Shown::Stage)
        return Column::Texts{"1", "3", "contribution", "2", "1"};
    if (isText(info.shown))
        return Column::Texts{"a, \"b\"", "", "-1.5", "=1+1", "x_y & \u00e9"};
    if (info.shown == Shown::Tree)
        return NodeList{NodeList(), NodeList(1, "a"), NodeList{"a", "b, c"}, NodeList(), Members{{"d", 1}}};
    return numbersFrom(first);
}

/// A result with every column and every facet that any output of it shows.
Frame wholeFrame(const FrameInfo& about)
{
    Frame frame(about);
    double first = 1;
    for (const ColumnInfo& info : about.columns)
        frame.add(info.key, valuesOf(info, first++));
    std::vector<Slot> slots = possibleFileSlots(about);
    for (const Slot& slot : possibleJsonSlots(about))
        slots.push_back(slot);
    for (const Slot& slot : slots)
    {
        Column& column = *frame.find(slot.column);
        if (slot.facet == Facet::IntervalMethod)
            column.intervalMethod = {"one", "", "two", "one", "one"};
        else if (slot.facet == Facet::NullMethod)
            column.nullMethod = {"one", "one", "", "one", "one"};
        else if (slot.facet == Facet::Span || slot.facet == Facet::Ends || slot.facet == Facet::Range)
            column.set(Facet::Low, numbersFrom(first)).set(Facet::High, numbersFrom(first + 1));
        else if (slot.facet != Facet::Value)
            column.set(slot.facet, numbersFrom(first));
        first += 2;
    }
    return frame;
}

std::vector<std::string> headersOf(const std::vector<FrameCell>& cells)
{
    return columnValues(cells, [](const FrameCell& cell) { return headerOf(cell); });
}

std::string repeatedIn(const std::vector<std::string>& names)
{
    std::set<std::string> seen;
    for (const std::string& name : names)
        if (!seen.insert(name).second)
            return name;
    return {};
}

} // namespace

/// What holds for the description of every table.
class TestAllFrames : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyColumnIsExplained_data() { rows(); }
    void everyColumnIsExplained();
    void everySlotNamesAColumn_data() { rows(); }
    void everySlotNamesAColumn();
    void noHeaderIsThereTwice_data() { rows(); }
    void noHeaderIsThereTwice();
    void jsonReadsBack_data() { rows(); }
    void jsonReadsBack();
    void hdf5ReadsBack_data() { rows(); }
    void hdf5ReadsBack();
    void keysAreTheirOwn();

private:
    static void rows()
    {
        QTest::addColumn<std::size_t>("at");
        for (std::size_t i = 0; i < allFrames().size(); ++i)
            QTest::newRow(std::string(allFrames()[i]->key).c_str()) << i;
    }
};

void TestAllFrames::everyColumnIsExplained()
{
    QFETCH(const std::size_t, at);
    std::vector<std::string> keys;
    for (const ColumnInfo& info : allFrames()[at]->columns)
    {
        const std::string key(info.key);
        keys.push_back(key);
        QVERIFY2(!info.title.empty() && !info.definition.empty(), key.c_str());
        QVERIFY2(!info.definition.ends_with('.') && !info.caution.ends_with('.'), key.c_str());
        QVERIFY2(key.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string::npos, key.c_str());
    }
    QCOMPARE(repeatedIn(keys), std::string());
}

void TestAllFrames::everySlotNamesAColumn()
{
    QFETCH(const std::size_t, at);
    const FrameInfo& about = *allFrames()[at];
    std::vector<Slots> lists(about.texts.begin(), about.texts.end());
    lists.insert(lists.end(), {about.json, about.file, about.paper});
    for (const Slots& list : lists)
        for (const Slot& slot : list)
            if (namesColumn(slot))
                QVERIFY2(about.find(slot.column) != nullptr, std::string(slot.column).c_str());
}

void TestAllFrames::noHeaderIsThereTwice()
{
    QFETCH(const std::size_t, at);
    const Frame frame = wholeFrame(*allFrames()[at]);
    QCOMPARE(repeatedIn(headersOf(fileCells(frame))), std::string());
    QCOMPARE(repeatedIn(headersOf(paperCells(frame))), std::string());
    for (const Slots& slots : frame.about().texts)
        QCOMPARE(repeatedIn(headersOf(cellsOf(frame, slots))), std::string());
    std::vector<std::string> paths;
    for (const FrameCell& cell : jsonCells(frame))
        if (cell.slot.facet != Facet::NullMethod) // one for all columns of a row
            paths.push_back(fmt::format(
                "{}", fmt::join(jsonPath(frame.about(), cell.slot, ownHeader(cell.slot, *cell.column), true), ".")));
    QCOMPARE(repeatedIn(paths), std::string());
}

void TestAllFrames::jsonReadsBack()
{
    QFETCH(const std::size_t, at);
    const Frame frame = wholeFrame(*allFrames()[at]);
    constexpr std::uint64_t kLarge = std::numeric_limits<std::uint64_t>::max();
    const Node result =
        Members{{"rows", frame}, {"documents", 12}, {"mean", Interval{0.25, 0.5}}, {"none", Node()}, {"seed", kLarge}};
    const std::string written = nodeJson(result).dump();
    const NamedFrame tables[] = {{"rows", &frame.about()}};
    const auto read = nodeFrom(Json::parse(written), tables);
    HEADSCOPE_VERIFY_OK(read);
    QCOMPARE(nodeJson(*read).dump(), written);
    QCOMPARE(read->as<std::int64_t>("documents", 0), 12);
    QCOMPARE(read->as<std::uint64_t>("seed", 0), kLarge);
    QCOMPARE(std::get<Frame>(read->at("rows").value).rows(), static_cast<std::int64_t>(kRows));
}

void TestAllFrames::hdf5ReadsBack()
{
    QFETCH(const std::size_t, at);
    const Frame frame = wholeFrame(*allFrames()[at]);
    const test::TemporaryFolder folder;
    const std::filesystem::path path = folder.file("frame.h5");
    const std::string group(frame.about().key);
    auto file = Hdf5Writer::create(path);
    HEADSCOPE_VERIFY_OK(file);
    HEADSCOPE_VERIFY_OK(writeFrame(*file, group, frame));
    HEADSCOPE_VERIFY_OK(file->publish());
    JobContext job;
    const auto reader = Hdf5Reader::open(path, job);
    HEADSCOPE_VERIFY_OK(reader);
    const auto read = readFrame(*reader, group, frame.about());
    HEADSCOPE_VERIFY_OK(read);
    QCOMPARE(frameCsv(*read).bytes(), frameCsv(frame).bytes());
}

void TestAllFrames::keysAreTheirOwn()
{
    std::vector<std::string> keys;
    for (const FrameInfo* about : allFrames())
        keys.emplace_back(about->key);
    QVERIFY(!keys.empty());
    QCOMPARE(repeatedIn(keys), std::string());
}

HEADSCOPE_TEST(TestAllFrames)
#include "tst_all_frames.moc"

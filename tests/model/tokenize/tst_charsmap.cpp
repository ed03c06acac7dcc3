// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/tokenize/charsmap.h"

#include "tests/model/tokenize/charsmap_table.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

#include <random>

using namespace headscope;
using namespace headscope::tokenize;

namespace
{

const std::map<std::string, std::string> kReplacements = {{"a", "1"},       {"abc", "never"},  {"bc", "2"},
                                                          {"bcd", "never"}, {"\xC3\xA9", "e"}, {"x", ""}};

} // namespace

class TestCharsmap : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void shortestFront();
    void refuses_data();
    void refuses();
    void anyBytesAreSafe();
};

void TestCharsmap::shortestFront()
{
    const auto map = Charsmap::fromBase64(test::charsmapTable(kReplacements).toStdString());
    HEADSCOPE_VERIFY_OK(map);
    const auto found = [&](std::string_view text) {
        return QByteArray::fromStdString(std::string(map->find(text).value_or("-")));
    };
    QCOMPARE(found("a"), QByteArray("1"));
    QCOMPARE(found("abc"), QByteArray("1"));
    QCOMPARE(found("bcd"), QByteArray("2"));
    QCOMPARE(found("b"), QByteArray("-"));
    QCOMPARE(found("\xC3\xA9"), QByteArray("e"));
    QCOMPARE(found("\xC3"), QByteArray("-"));
    QCOMPARE(found("x"), QByteArray(""));
    QCOMPARE(found(""), QByteArray("-"));
    QCOMPARE(found(std::string_view("\0a", 2)), QByteArray("-"));
}

void TestCharsmap::refuses_data()
{
    QTest::addColumn<QByteArray>("table");
    QTest::addColumn<QByteArray>("part");
    const auto row = [](const char* name, const QByteArray& table, const char* part) {
        QTest::newRow(name) << table << QByteArray(part);
    };
    const auto changed = [](const auto& change) {
        test::CharsmapParts parts = test::charsmapParts(kReplacements);
        change(parts);
        return test::charsmapTable(parts);
    };
    const QByteArray whole = QByteArray::fromBase64(test::charsmapTable(kReplacements));
    row("no base64", "AB!=", "base64");
    row("no multiple of 4", "ABC", "base64");
    row("padding inside", "AB==ABCD", "base64");
    row("empty", "", "double array");
    row("no units", QByteArray(4, '\0').toBase64(), "found 0");
    row("half a unit", QByteArray("\x02\0\0\0ABCD", 8).toBase64(), "found 2");
    row("cut", whole.left(1000).toBase64(), "double array");
    row("cut to its size", whole.left(4).toBase64(), "double array");
    row("too many units", QByteArray("\x04\0\x40\0", 4).append(QByteArray((1 << 22) + 4, 'x')).toBase64(),
        "at most 1048576");
    row("no UTF-8", changed([](auto& parts) { parts.replacements.push_back('\xC3'); }), "UTF-8");
    row("units missing", changed([](auto& parts) { parts.units.resize(parts.units.size() - 1); }), "among");
    row("children beyond", changed([](auto& parts) { parts.units['b'] = 0x7FFFFC00U | 'b'; }), "among");
    row("replacement beyond", changed([](auto& parts) { parts.replacements.clear(); }), "replacement");
    row("replacement within a character", changed([](auto& parts) {
            parts.replacements[1] = '\xA9';
            parts.replacements[0] = '\xC3';
            for (std::uint32_t& unit : parts.units)
                if (unit == (1U << 31))
                    unit |= 1;
        }),
        "replacement");
}

void TestCharsmap::refuses()
{
    QFETCH(QByteArray, table);
    QFETCH(QByteArray, part);
    const auto map = Charsmap::fromBase64(table.toStdString());
    QVERIFY(!map);
    QVERIFY2(map.error().sentence().find(part.toStdString()) != std::string::npos, map.error().sentence().c_str());
}

/// A table with some units changed is refused, or never leads a text out of it.
void TestCharsmap::anyBytesAreSafe()
{
    std::mt19937 random(3);
    int accepted = 0;
    for (int round = 0; round < 500; ++round)
    {
        test::CharsmapParts parts = test::charsmapParts(kReplacements);
        for (int i = 0; i < 3; ++i)
            parts.units[random() % 1024] = static_cast<std::uint32_t>(random()) >> (random() % 20);
        const auto map = Charsmap::fromBase64(test::charsmapTable(parts).toStdString());
        if (!map)
            continue;
        ++accepted;
        for (int i = 0; i < 200; ++i)
        {
            std::string text;
            for (std::size_t size = random() % 6; size > 0; --size)
                text.push_back(static_cast<char>(random() % 2 == 0 ? "abcdx"[random() % 5] : random() % 256));
            if (const auto found = map->find(text))
                QVERIFY(found->size() <= parts.replacements.size());
        }
    }
    QVERIFY(accepted > 20 && accepted < 500);
}

HEADSCOPE_TEST_GUILESS(TestCharsmap)
#include "tst_charsmap.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/tokenize/regex.h"

#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <QTest>

using namespace headscope;
using namespace headscope::tokenize;

class TestRegex : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void findsMatches_data();
    void findsMatches();
    void literalMeansItself();
    void refusesBrokenPatterns();
    void runawayPatternStops();
};

void TestRegex::findsMatches_data()
{
    QTest::addColumn<QByteArray>("pattern");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("matches"); // joined by |
    QTest::newRow("words") << QByteArray(R"(\p{L}+)") << QByteArray("ab, \xC3\xA9t") << QByteArray("ab|\xC3\xA9t");
    QTest::newRow("look ahead") << QByteArray(R"(\s+(?!\S))") << QByteArray("a   b") << QByteArray("  ");
    QTest::newRow("no case") << QByteArray("(?i:'s)") << QByteArray("it'S") << QByteArray("'S");
    QTest::newRow("none") << QByteArray("x") << QByteArray("abc") << QByteArray("");
    QTest::newRow("empty matches") << QByteArray("x*") << QByteArray("\xC3\xA9x") << QByteArray("|x|");
}

void TestRegex::findsMatches()
{
    QFETCH(QByteArray, pattern);
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, matches);
    const auto regex = Regex::compile(pattern.toStdString());
    HEADSCOPE_VERIFY_OK(regex);
    QByteArrayList found;
    const std::string bytes = text.toStdString();
    Regex::Matches search = regex->matches(bytes);
    while (true)
    {
        const auto match = search.next();
        HEADSCOPE_VERIFY_OK(match);
        if (!*match)
            break;
        found << QByteArray::fromStdString(std::string((*match)->of(bytes)));
    }
    QCOMPARE(found.join('|'), matches);
}

void TestRegex::literalMeansItself()
{
    const auto regex = Regex::literal("a.b*[c]\\ (");
    HEADSCOPE_VERIFY_OK(regex);
    auto search = regex->matches("axb a.b*[c]\\ ( a.b");
    const auto match = search.next();
    HEADSCOPE_VERIFY_OK(match);
    QVERIFY(match->has_value());
    QCOMPARE((*match)->begin, std::size_t{4});
    QCOMPARE((*match)->size(), std::size_t{10});
}

void TestRegex::refusesBrokenPatterns()
{
    HEADSCOPE_VERIFY_ERROR(Regex::compile("(a"), ErrorCode::Unsupported, "(a");
    HEADSCOPE_VERIFY_ERROR(Regex::compile("[z-a]"), ErrorCode::Unsupported, "[z-a]");
    HEADSCOPE_VERIFY_ERROR(Regex::compile(std::string(70'000, 'a')), ErrorCode::Unsupported, "65536");
}

void TestRegex::runawayPatternStops()
{
    const auto regex = Regex::compile("(a|aa|a?)+$");
    HEADSCOPE_VERIFY_OK(regex);
    auto search = regex->matches("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab");
    HEADSCOPE_VERIFY_ERROR(search.next(), ErrorCode::BadFormat, "could not be matched");
}

HEADSCOPE_TEST_GUILESS(TestRegex)
#include "tst_regex.moc"

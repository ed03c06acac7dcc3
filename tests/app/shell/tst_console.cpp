// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/console.h"

#include "tests/support/test_program.h"

#include <cerrno>
#include <sstream>
#include <streambuf>

using namespace headscope::shell;

namespace
{

/// A stream that takes so many characters and fails then, as a disk that is full.
class FailingBuffer : public std::streambuf
{
public:
    FailingBuffer(int characters, int number) : m_left(characters), m_number(number) {}

protected:
    int_type overflow(int_type c) override
    {
        if (m_left-- > 0)
            return c;
        errno = m_number;
        return traits_type::eof();
    }

private:
    int m_left;
    int m_number;
};

} // namespace

class TestConsole : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void showsWhatWouldAct();
    void failedWritesAreErrors_data();
    void failedWritesAreErrors();
    void anErrorKeepsItsCode();
};

void TestConsole::showsWhatWouldAct()
{
    std::ostringstream out;
    std::ostringstream err;
    Console console(out, err);
    console.print("name \x1b[31m\n");
    console.printJson("{\"name\": \"\x7f\"}");
    console.say("\x1b]0;x\x07: two\nlines");
    console.say("3 problems:\n  1. one\n  2. two");
    QCOMPARE(console.exitCode(0), 0);
    QCOMPARE(out.str(), std::string("name \\x1b[31m\n{\"name\": \"\\u007f\"}\n"));
    QCOMPARE(err.str(),
             std::string("headscope: \\x1b]0;x\\x07: two\\nlines\nheadscope: 3 problems:\n  1. one\n  2. two\n"));
}

void TestConsole::failedWritesAreErrors_data()
{
    QTest::addColumn<int>("taken");
    QTest::addColumn<int>("number");
    QTest::addColumn<QString>("said");
    QTest::newRow("full at once") << 0 << ENOSPC << QStringLiteral("No space left on device");
    QTest::newRow("full later") << 5 << ENOSPC << QStringLiteral("No space left on device");
    QTest::newRow("closed") << 0 << EBADF << QStringLiteral("Bad file descriptor");
    QTest::newRow("too large") << 3 << EFBIG << QStringLiteral("File too large");
    QTest::newRow("reader went away") << 3 << EPIPE << QString(); // a pipe into head
}

void TestConsole::failedWritesAreErrors()
{
    QFETCH(const int, taken);
    QFETCH(const int, number);
    QFETCH(const QString, said);
    FailingBuffer buffer(taken, number);
    std::ostream out(&buffer);
    std::ostringstream err;
    Console console(out, err);
    console.print("more than five\n");
    QVERIFY(!console.isOpen());
    console.print("and what follows\n");
    QCOMPARE(console.exitCode(0), 4);
    if (said.isEmpty())
        QCOMPARE(err.str(), std::string());
    else
        QVERIFY2(err.str().starts_with("headscope: standard output: writing failed: ") &&
                     QString::fromStdString(err.str()).contains(said),
                 err.str().c_str());
}

void TestConsole::anErrorKeepsItsCode()
{
    FailingBuffer buffer(0, ENOSPC);
    std::ostream out(&buffer);
    std::ostringstream err;
    Console console(out, err);
    console.printJson("{}");
    QCOMPARE(console.exitCode(3), 3);
}

HEADSCOPE_TEST_GUILESS(TestConsole)
#include "tst_console.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/error.h"

#include "tests/support/test_program.h"
#include "tests/support/verify.h"

using namespace headscope;

class TestError : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void sentenceLeavesOutEmptyParts_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("place");
        QTest::addColumn<QString>("sentence");
        QTest::newRow("all") << "a.json"
                             << "line 3"
                             << "a.json: line 3: expected x, found y";
        QTest::newRow("no place") << "a.json"
                                  << ""
                                  << "a.json: expected x, found y";
        QTest::newRow("no file") << ""
                                 << "line 3"
                                 << "line 3: expected x, found y";
        QTest::newRow("message alone") << ""
                                       << ""
                                       << "expected x, found y";
    }

    void sentenceLeavesOutEmptyParts()
    {
        QFETCH(QString, file);
        QFETCH(QString, place);
        QFETCH(QString, sentence);
        const Error error{ErrorCode::BadFormat, "expected x, found y", file.toStdString(), place.toStdString()};
        QCOMPARE(QString::fromStdString(error.sentence()), sentence);
    }

    void contextFillsOnlyWhatIsEmpty()
    {
        const Error error =
            Error{ErrorCode::BadFormat, "m", "inner.json", {}}.inFile("outer.json").atPlace("line 1").atPlace("line 2");
        QCOMPARE(error.file, std::string("inner.json"));
        QCOMPARE(error.place, std::string("line 1"));
    }

    void exitCodesAreThoseOfTheInterface()
    {
        QCOMPARE(exitCode(ErrorCode::WrongUse), 2);
        QCOMPARE(exitCode(ErrorCode::FileNotFound), 3);
        QCOMPARE(exitCode(ErrorCode::BadFormat), 3);
        QCOMPARE(exitCode(ErrorCode::Unsupported), 3);
        QCOMPARE(exitCode(ErrorCode::ShapeMismatch), 3);
        QCOMPARE(exitCode(ErrorCode::InvalidArgument), 3);
        QCOMPARE(exitCode(ErrorCode::Resource), 4);
        QCOMPARE(exitCode(ErrorCode::OutOfMemory), 4);
        QCOMPARE(exitCode(ErrorCode::Internal), 70);
        QCOMPARE(exitCode(ErrorCode::Cancelled), 130);
        QCOMPARE(errorCodeName(ErrorCode::ShapeMismatch), std::string_view("shape_mismatch"));
    }
};

HEADSCOPE_TEST_GUILESS(TestError)
#include "tst_error.moc"

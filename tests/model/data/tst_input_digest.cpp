// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/input_digest.h"

#include "tests/support/test_program.h"
#include "tests/support/unseen_change.h"
#include "tests/support/verify.h"

#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <fstream>
#include <type_traits>

using namespace headscope;

// A name is no digest: what is kept by a path is older than its input as soon as the file is replaced.
static_assert(!std::is_constructible_v<InputDigest, std::filesystem::path>);
static_assert(!std::is_constructible_v<InputDigest, std::string>);
static_assert(!std::is_constructible_v<InputDigest, const char*>);
static_assert(!std::is_default_constructible_v<InputDigest>);
static_assert(!std::is_invocable_v<decltype(&InputDigest::ofContents), std::filesystem::path>);
static_assert(!std::is_invocable_v<decltype(&InputDigest::ofContents), std::string>);

class TestInputDigest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void isOfTheContents()
    {
        QTemporaryDir folder;
        const std::filesystem::path place = folder.path().toStdString();
        std::ofstream(place / "a") << "abc";
        std::filesystem::copy_file(place / "a", place / "copy");
        JobContext job;
        const auto before = InputDigest::ofFile(place / "a", job);
        HEADSCOPE_VERIFY_OK(before);
        QCOMPARE(before->text(),
                 std::string("sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
        QVERIFY(*InputDigest::ofFile(place / "copy", job) == *before);
        test::changeUnseen(place / "a", [](std::string& bytes) { bytes[2] = 'd'; });
        QVERIFY(*InputDigest::ofFile(place / "a", job) != *before);
        HEADSCOPE_VERIFY_ERROR(InputDigest::ofFile(place / "none", job), ErrorCode::FileNotFound, "none");
        const std::string one = "one", two = "two";
        QVERIFY(InputDigest::ofContents(std::as_bytes(std::span(one))) !=
                InputDigest::ofContents(std::as_bytes(std::span(two))));
    }
};

HEADSCOPE_TEST_GUILESS(TestInputDigest)
#include "tst_input_digest.moc"

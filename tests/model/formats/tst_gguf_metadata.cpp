// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/formats/gguf_metadata.h"

#include "model/formats/gguf.h"
#include "tests/model/formats/gguf_builder.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

using namespace headscope;

class TestGgufMetadata : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void integers();
    void numbers();
    void truthValues();
    void texts();
    void arrays();
    void wrongTypes();
    void missingKeys();

private:
    GgufMetadata m_metadata;
};

void TestGgufMetadata::initTestCase()
{
    const auto bytes = test::soundGguf().bytes();
    auto file = parseGguf(SpanSource(test::bytesOf(bytes)), "m.gguf");
    HEADSCOPE_VERIFY_OK(file);
    m_metadata = std::move(file->metadata);
}

void TestGgufMetadata::integers()
{
    QCOMPARE(m_metadata.integer("a.u8").value(), std::optional<std::int64_t>(200));
    QCOMPARE(m_metadata.integer("a.i8").value(), std::optional<std::int64_t>(-3));
    QCOMPARE(m_metadata.integer("a.u16").value(), std::optional<std::int64_t>(60000));
    QCOMPARE(m_metadata.integer("a.i16").value(), std::optional<std::int64_t>(-300));
    QCOMPARE(m_metadata.integer("a.i32").value(), std::optional<std::int64_t>(-70000));
    QCOMPARE(m_metadata.integer("a.i64").value(), std::optional<std::int64_t>(-(1LL << 40)));
    QCOMPARE(m_metadata.requiredInteger("general.alignment").value(), std::int64_t{32});
    HEADSCOPE_VERIFY_ERROR(m_metadata.integer("a.u64"), ErrorCode::BadFormat, "a.u64: expected an integer below 2^63");
}

void TestGgufMetadata::numbers()
{
    QCOMPARE(m_metadata.number("a.f32").value(), std::optional<double>(static_cast<double>(1e-5F)));
    QCOMPARE(m_metadata.number("a.f64").value(), std::optional<double>(0.25));
    QCOMPARE(m_metadata.number("a.i8").value(), std::optional<double>(-3));
    QCOMPARE(m_metadata.number("a.u64").value(), std::optional<double>(0x1p63));
}

void TestGgufMetadata::truthValues()
{
    QCOMPARE(m_metadata.boolean("a.true").value(), std::optional<bool>(true));
    QCOMPARE(m_metadata.boolean("a.false").value(), std::optional<bool>(false));
    HEADSCOPE_VERIFY_ERROR(m_metadata.boolean("a.u8"), ErrorCode::BadFormat,
                           "expected true or false, found an integer");
}

void TestGgufMetadata::texts()
{
    QVERIFY(m_metadata.string("general.architecture").value() == "llama");
    const auto* tokens = m_metadata.strings("tokens").value();
    QVERIFY(tokens != nullptr);
    QCOMPARE(tokens->size(), std::size_t{4});
    QVERIFY((*tokens)[0] == "a");
    QVERIFY((*tokens)[1].empty());
    QVERIFY((*tokens)[2] == std::string_view("b\0c", 3));
    QVERIFY((*tokens)[3] == "\xC4\xA0hello");
}

void TestGgufMetadata::arrays()
{
    QVERIFY((m_metadata.floats("scores").value() == std::vector<float>{0.5F, -1.0F}));
    QVERIFY((m_metadata.floats("types").value() == std::vector<float>{1, -6, 3}));
    QVERIFY((m_metadata.integers("types").value() == std::vector<std::int64_t>{1, -6, 3}));
    QVERIFY((m_metadata.integers("flags").value() == std::vector<std::int64_t>{1, 0}));
    HEADSCOPE_VERIFY_ERROR(m_metadata.integers("scores"), ErrorCode::BadFormat,
                           "scores: expected an array of integers");
    HEADSCOPE_VERIFY_ERROR(m_metadata.floats("tokens"), ErrorCode::BadFormat, "an array of 4 strings");
}

void TestGgufMetadata::wrongTypes()
{
    HEADSCOPE_VERIFY_ERROR(m_metadata.integer("a.f32"), ErrorCode::BadFormat, "found a floating-point number");
    HEADSCOPE_VERIFY_ERROR(m_metadata.integer("a.true"), ErrorCode::BadFormat, "found a truth value");
    HEADSCOPE_VERIFY_ERROR(m_metadata.integer("types"), ErrorCode::BadFormat,
                           "types: expected one integer for all layers, found an array of 3 numbers");
    HEADSCOPE_VERIFY_ERROR(m_metadata.number("general.architecture"), ErrorCode::BadFormat,
                           "expected a number, found a string");
    HEADSCOPE_VERIFY_ERROR(m_metadata.string("a.u8"), ErrorCode::BadFormat, "expected a string, found an integer");
    HEADSCOPE_VERIFY_ERROR(m_metadata.strings("scores"), ErrorCode::BadFormat, "expected an array of strings");
    HEADSCOPE_VERIFY_ERROR(m_metadata.requiredInteger("general.architecture"), ErrorCode::BadFormat, "found a string");
}

void TestGgufMetadata::missingKeys()
{
    QVERIFY(!m_metadata.contains("x"));
    QVERIFY(!m_metadata.integer("x").value());
    QVERIFY(!m_metadata.number("x").value());
    QVERIFY(!m_metadata.boolean("x").value());
    QVERIFY(!m_metadata.string("x").value());
    QVERIFY(m_metadata.strings("x").value() == nullptr);
    QVERIFY(!m_metadata.floats("x").value());
    QVERIFY(!m_metadata.integers("x").value());
    HEADSCOPE_VERIFY_ERROR(m_metadata.requiredInteger("x"), ErrorCode::BadFormat, "x: this metadata key is missing");
    HEADSCOPE_VERIFY_ERROR(m_metadata.requiredString("x"), ErrorCode::BadFormat, "x: this metadata key is missing");
}

HEADSCOPE_TEST_GUILESS(TestGgufMetadata)
#include "tst_gguf_metadata.moc"

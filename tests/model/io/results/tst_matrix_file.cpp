// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/results/matrix_file.h"

#include "tests/model/io/cache_fixture.h"
#include "tests/support/golden_file.h"
#include "tests/support/memory_peak.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <fstream>

using namespace headscope;

namespace
{

std::string npy(const std::string& header, const std::string& data)
{
    std::string padded = header;
    while ((10 + padded.size() + 1) % 64 != 0)
        padded += ' ';
    padded += '\n';
    std::string file = "\x93NUMPY";
    file += '\x01';
    file += '\0';
    file += static_cast<char>(padded.size() & 255U);
    file += static_cast<char>(padded.size() >> 8U);
    return file + padded + data;
}

template <class T>
std::string bytesOf(const std::vector<T>& values)
{
    return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

} // namespace

class TestMatrixFile : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsGolden();
    void readsNpy();
    void takesNoMemoryBesideTheMatrix();
    void refuses_data();
    void refuses();

private:
    JobContext m_job;
    std::filesystem::path write(const std::string& name, const std::string& bytes)
    {
        std::ofstream(m_folder.file(name), std::ios::binary) << bytes;
        return m_folder.file(name);
    }
    test::TemporaryFolder m_folder;
};

void TestMatrixFile::readsGolden()
{
    const auto path = test::golden("analysis/knn.h5");
    const test::GoldenFile truth(path);
    const auto matrix = readMatrix(path.string() + ":/X", m_job);
    HEADSCOPE_VERIFY_OK(matrix);
    QCOMPARE(matrix->rows(), 3000);
    QCOMPARE(matrix->cols(), 32);
    QCOMPARE(matrix->values(), truth.floats("X"));
    const auto doubles = readMatrix(path.string() + ":/euclidean/distances", m_job);
    HEADSCOPE_VERIFY_OK(doubles);
    QCOMPARE(doubles->values(), truth.floats("euclidean/distances"));
    const auto integers = readIntegers(path.string() + ":/duplicate_sizes", m_job);
    HEADSCOPE_VERIFY_OK(integers);
    QCOMPARE(*integers, truth.integers("duplicate_sizes"));
}

void TestMatrixFile::readsNpy()
{
    const auto c = write("c.npy", npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }",
                                      bytesOf<float>({1, 2, 3, 4, 5, 6})));
    const auto matrix = readMatrix(c.string(), m_job);
    HEADSCOPE_VERIFY_OK(matrix);
    QCOMPARE(matrix->values(), (std::vector<float>{1, 2, 3, 4, 5, 6}));
    const auto f = write("f.npy", npy("{'descr': '<f8', 'fortran_order': True, 'shape': (2, 3), }",
                                      bytesOf<double>({1, 4, 2, 5, 3, 6})));
    const auto transposed = readMatrix(f.string(), m_job);
    HEADSCOPE_VERIFY_OK(transposed);
    QCOMPARE(transposed->values(), matrix->values());
    const auto half = write("h.npy", npy("{'descr': '<f2', 'fortran_order': False, 'shape': (1, 2), }",
                                         bytesOf<std::uint16_t>({0x3c00, 0xc000})));
    const auto halves = readMatrix(half.string(), m_job);
    HEADSCOPE_VERIFY_OK(halves);
    QCOMPARE(halves->values(), (std::vector<float>{1, -2}));
    const auto i = write(
        "i.npy", npy("{'descr': '<i4', 'fortran_order': False, 'shape': (3,), }", bytesOf<std::int32_t>({5, -1, 7})));
    const auto integers = readIntegers(i.string(), m_job);
    HEADSCOPE_VERIFY_OK(integers);
    QCOMPARE(*integers, (std::vector<std::int64_t>{5, -1, 7}));
}

void TestMatrixFile::takesNoMemoryBesideTheMatrix()
{
    constexpr std::size_t kNumbers = std::size_t{4} << 20;
    for (const bool doubles : {false, true})
    {
        std::vector<float> values(kNumbers);
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = static_cast<float>(i % 1000);
        const std::string header = doubles ? "{'descr': '<f8', 'fortran_order': False, 'shape': (4096, 1024), }"
                                           : "{'descr': '<f4', 'fortran_order': False, 'shape': (4096, 1024), }";
        const auto path =
            write("large.npy",
                  npy(header, doubles ? bytesOf(std::vector<double>(values.begin(), values.end())) : bytesOf(values)));
        const test::MemoryPeak peak;
        const auto matrix = readMatrix(path.string(), m_job);
        HEADSCOPE_VERIFY_OK(matrix);
        const auto taken = peak.bytes();
        QVERIFY(matrix->values() == values);
        if (!taken)
            QSKIP("the peak of this process cannot be asked for here");
        QVERIFY2(*taken < 1.3 * 4 * kNumbers, qPrintable(QString::number(*taken)));
    }
}

void TestMatrixFile::refuses_data()
{
    QTest::addColumn<QString>("source");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("part");
    const std::string good =
        npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", bytesOf<float>({1, 2, 3, 4, 5, 6}));
    const auto knn = test::golden("analysis/knn.h5").string();
    const auto add = [](const char* name, const std::string& source, ErrorCode code, const char* part) {
        QTest::newRow(name) << QString::fromStdString(source) << static_cast<int>(code) << QString::fromLatin1(part);
    };
    add("no path", "x.h5", ErrorCode::WrongUse, "expected FILE.h5:/path or FILE.npy");
    add("missing file", m_folder.file("no.h5").string() + ":/X", ErrorCode::FileNotFound, "no.h5");
    add("missing dataset", knn + ":/Y", ErrorCode::BadFormat, "/Y: expected a dataset here, found none");
    add("a group", knn + ":/euclidean", ErrorCode::BadFormat, "/euclidean");
    add("a vector", knn + ":/k", ErrorCode::BadFormat, "expected a matrix [N, D] of numbers, found [1]");
    add("cut npy", write("cut.npy", good.substr(0, good.size() - 4)).string(), ErrorCode::BadFormat,
        "expected 6 numbers of 4 bytes");
    add("npy vector", write("v.npy", npy("{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }", "abcd")).string(),
        ErrorCode::BadFormat, "found [1]");
    add("npy without columns",
        write("c.npy", npy("{'descr': '<f4', 'fortran_order': False, 'shape': (40, 0), }", "")).string(),
        ErrorCode::BadFormat, "expected a matrix of at least one row and one column, found [40, 0]");
    add("npy without rows",
        write("r.npy", npy("{'descr': '<f4', 'fortran_order': True, 'shape': (0, 3), }", "")).string(),
        ErrorCode::BadFormat, "found [0, 3]");
    add("dataset without columns", test::golden("faults/zero-columns.h5").string() + ":/v", ErrorCode::BadFormat,
        "/v: expected a matrix of at least one row and one column, found [40, 0]");
    add("big-endian",
        write("b.npy", npy("{'descr': '>f4', 'fortran_order': False, 'shape': (1, 1), }", "abcd")).string(),
        ErrorCode::Unsupported, "found the type \">f4\"");
    add("huge shape",
        write("s.npy", npy("{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296), }", ""))
            .string(),
        ErrorCode::BadFormat, "as its header says");
    add("no npy", write("t.npy", "this is a text of some length").string(), ErrorCode::BadFormat,
        "expected a NumPy file");
}

void TestMatrixFile::refuses()
{
    QFETCH(QString, source);
    QFETCH(int, code);
    QFETCH(QString, part);
    HEADSCOPE_VERIFY_ERROR(readMatrix(source.toStdString(), m_job), static_cast<ErrorCode>(code), part.toStdString());
}

HEADSCOPE_TEST_GUILESS(TestMatrixFile)
#include "tst_matrix_file.moc"

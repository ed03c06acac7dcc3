// SPDX-License-Identifier: GPL-3.0-or-later
// An extraction under every limit of memory, from one at which the program hardly begins to one that is enough: the
// same vectors, or a sentence and an exit code, never a crash, nothing left behind.
#include "tests/app/engine/engine_run.h"
#include "tests/support/golden_file.h"
#include "tests/support/sanitized.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>

using namespace headscope;
namespace fs = std::filesystem;

class TestEngineLittleMemory : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// Fault row 25: whatever the limit, the vectors are right or it is a sentence. The matrix library crashes where it
    /// cannot have the memory of its machine code, and goes on where it cannot have that of a product.
    void littleMemoryIsASentence()
    {
        if (test::kSanitized)
            QSKIP("a sanitizer does not start below terabytes of addresses");
        test::writeFile(m_base / "d.jsonl", "{\"text\": \"the cat sat on the mat\"}\n{\"text\": \"dogs bark\"}\n");
        const auto extract = [&](std::uint64_t limit, const char* output) {
            return test::run("/usr/bin/prlimit",
                             {QStringLiteral("--as=%1").arg(limit), test::text(test::program("headscope-engine")),
                              "extract", test::text(test::golden("models/llama_mha")), test::text(m_base / "d.jsonl"),
                              "-o", test::text(m_base / output), "--device", "cpu", "--threads", "1", "--overwrite"});
        };
        const auto plenty = extract(std::uint64_t{4} << 30, "whole.h5");
        QVERIFY2(plenty.exitCode == 0, plenty.err.constData());
        const auto vectorsOf = [this](const char* cache) {
            const test::GoldenFile file(m_base / cache);
            auto values = file.floats("/embeddings/layer_001/stage1");
            for (const char* stage : {"/embeddings/layer_001/stage2", "/embeddings/layer_001/stage3"})
                for (const float value : file.floats(stage))
                    values.push_back(value);
            return values;
        };
        const auto vectors = vectorsOf("whole.h5");
        QVERIFY(!vectors.empty());
        constexpr std::uint64_t kStep = std::uint64_t{3} << 20;
        // Below, the loader lacks memory, or a library that is set up before the program begins (oneDNN then aborts).
        const auto begins = [](std::uint64_t limit) {
            const auto outcome = test::run("/usr/bin/prlimit", {QStringLiteral("--as=%1").arg(limit),
                                                                test::text(test::program("headscope-engine")),
                                                                QStringLiteral("--version")});
            return !outcome.crashed && outcome.exitCode == 0;
        };
        std::uint64_t first = std::uint64_t{60} << 20;
        while (first < std::uint64_t{200} << 20 && !begins(first))
            first += kStep;
        int refused = 0;
        int done = 0;
        for (std::uint64_t limit = first; done < 4 && limit < std::uint64_t{1} << 30; limit += kStep)
        {
            fs::remove(m_base / "little.h5");
            const auto outcome = extract(limit, "little.h5");
            QVERIFY2(!outcome.crashed, qPrintable(QStringLiteral("%1 bytes").arg(limit)));
            if (outcome.exitCode == 0)
            {
                ++done;
                QCOMPARE(vectorsOf("little.h5"), vectors);
            }
            else
            {
                ++refused;
                QVERIFY2(outcome.exitCode == 4, outcome.err.constData());
                QVERIFY(!fs::exists(m_base / "little.h5"));
            }
        }
        QCOMPARE(done, 4);
        QVERIFY(refused > 3);
    }

private:
    QTemporaryDir m_folder;
    fs::path m_base = m_folder.path().toStdString();
};

HEADSCOPE_TEST_GUILESS(TestEngineLittleMemory)
#include "tst_engine_little_memory.moc"

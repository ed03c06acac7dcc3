// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/net/run/step_halves.h"

#include "model/net/run/extraction_run.h"

#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <limits>

using namespace headscope;

class TestStepHalves : public QObject
{
    Q_OBJECT

    /// Documents of these lengths; the tokens are numbered through.
    static StepInput stepOf(const std::vector<std::int64_t>& lengths)
    {
        StepInput step;
        step.offsets.push_back(0);
        for (const std::int64_t length : lengths)
        {
            for (std::int64_t i = 0; i < length; ++i)
                step.ids.push_back(static_cast<std::int32_t>(step.ids.size()));
            step.offsets.push_back(std::ssize(step.ids));
            step.meanFrom.push_back(length / 2);
        }
        return step;
    }

private Q_SLOTS:
    /// On a GPU two workers take turns; libtorch brings its own threads on the CPU.
    void workersOfABackend()
    {
        ExtractionOptions options;
        options.threads = 5;
        QCOMPARE(workersOf(options), 5);
        options.backend.kind = Backend::Kind::Torch;
        QCOMPARE(workersOf(options), 1);
        options.backend.device = "cuda:1";
        QCOMPARE(workersOf(options), 2);
    }

    /// A device that holds 10 tokens: every document is computed once, with its own tokens.
    void everyDocumentOnce()
    {
        const StepInput step = stepOf({4, 3, 7, 1, 1, 9, 2, 2, 2, 10});
        std::int64_t mostTokens = std::numeric_limits<std::int64_t>::max();
        std::vector<std::int32_t> ids;
        std::vector<std::int64_t> lengths;
        std::vector<std::int64_t> meanFrom;
        int refused = 0;
        int pieces = 0;
        const ComputePiece compute = [&](std::int64_t first, const StepInput& piece) -> Status {
            if (piece.offsets.back() > 10)
            {
                ++refused;
                return Error{ErrorCode::OutOfMemory, "no", {}, {}};
            }
            ++pieces;
            if (first != std::ssize(lengths) || piece.offsets.front() != 0)
                return Error{ErrorCode::Internal, "out of turn", {}, {}};
            ids.insert(ids.end(), piece.ids.begin(), piece.ids.end());
            meanFrom.insert(meanFrom.end(), piece.meanFrom.begin(), piece.meanFrom.end());
            for (std::size_t s = 0; s + 1 < piece.offsets.size(); ++s)
                lengths.push_back(piece.offsets[s + 1] - piece.offsets[s]);
            return {};
        };
        HEADSCOPE_VERIFY_OK(computeByHalves(step, mostTokens, compute));
        QCOMPARE(ids, step.ids);
        QCOMPARE(lengths, (std::vector<std::int64_t>{4, 3, 7, 1, 1, 9, 2, 2, 2, 10}));
        QCOMPARE(meanFrom, step.meanFrom);
        QVERIFY(refused > 0 && refused < 5);
        QVERIFY(pieces < 10);                         // not each document alone
        QVERIFY(mostTokens >= 5 && mostTokens <= 10); // for the steps that follow
        const int before = refused;
        lengths.clear();
        HEADSCOPE_VERIFY_OK(computeByHalves(stepOf({3, 3, 3, 3}), mostTokens, compute));
        QCOMPARE(refused, before);
    }

    void aStepThatFitsIsNotCopied()
    {
        const StepInput step = stepOf({4, 3});
        std::int64_t mostTokens = 100;
        HEADSCOPE_VERIFY_OK(
            computeByHalves(step, mostTokens, [&](std::int64_t first, const StepInput& piece) -> Status {
                return first == 0 && &piece == &step ? Status() : Error{ErrorCode::Internal, "a copy", {}, {}};
            }));
        QCOMPARE(mostTokens, 100);
    }

    void oneDocumentThatIsTooLongIsAnError()
    {
        std::int64_t mostTokens = 100;
        const auto compute = [](std::int64_t, const StepInput& piece) -> Status {
            return piece.ids.size() > 5 ? Status(Error{ErrorCode::OutOfMemory, "no room", {}, {}}) : Status();
        };
        HEADSCOPE_VERIFY_ERROR(computeByHalves(stepOf({2, 6, 2}), mostTokens, compute), ErrorCode::OutOfMemory,
                               "no room");
    }

    void otherErrorsEndIt()
    {
        std::int64_t mostTokens = 100;
        int calls = 0;
        const auto compute = [&](std::int64_t, const StepInput&) -> Status {
            ++calls;
            return Error{ErrorCode::Resource, "the device was lost", {}, {}};
        };
        HEADSCOPE_VERIFY_ERROR(computeByHalves(stepOf({2, 6, 2}), mostTokens, compute), ErrorCode::Resource, "lost");
        QCOMPARE(calls, 1);
    }
};

HEADSCOPE_TEST_GUILESS(TestStepHalves)
#include "tst_step_halves.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// Tables that only the window writes: their headers and cells are a contract, too.
#include "app/results/attention_frame.h"
#include "app/results/head_examples_frame.h"
#include "model/data/frame/frame_text.h"
#include "model/data/results/atlas_frame.h"
#include "model/data/results/prune_frame.h"
#include "model/data/results/switch_off_results.h"
#include "tests/support/test_program.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <vector>

using namespace headscope;

namespace
{

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

std::string csvOf(const Frame& frame)
{
    return frameCsv(frame).bytes();
}

MatrixD matrixOf(std::int64_t rows, std::vector<double> values)
{
    MatrixD matrix(rows, std::ssize(values) / rows);
    std::ranges::copy(values, matrix.values().begin());
    return matrix;
}

} // namespace

class TestWindowFrames : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void orders()
    {
        PruningFindings findings;
        findings.steps.resize(3);
        findings.steps[0].value = 1;
        findings.steps[1].unit = 2;
        findings.steps[1].value = 0.75;
        findings.steps[1].parametersSaved = 100;
        findings.steps[2].unit = 0;
        findings.steps[2].value = 0.5;
        findings.steps[2].kvBytesSaved = 8;
        const std::string judged = "1,3,0.75,-0.25,100,,";
        QVERIFY(csvOf(orderFrame(findings, "head")).find(judged + ",,,\n") != std::string::npos);
        findings.validation.byKept = {{1, kNone, {}, kNone, {}}, {2, 0.5, {}, 0.25, {0, 0.5}}, {3, 0, {}, 0, {}}};
        const Frame frame = orderFrame(findings, "head");
        QCOMPARE(csvOf(frame),
                 std::string("step,head,match5,change,parameters saved,kv bytes saved,chosen,elsewhere,q2.5,q97.5\n"
                             "1,3,0.75,-0.25,100,,0.5,0.25,0,0.5\n"
                             "2,1,0.5,-0.5,,8,,,,\n"));
    }

    void eachAlone()
    {
        PruningFindings findings;
        findings.alone.resize(1);
        findings.alone[0].unit = 1;
        findings.alone[0].value = 0.5;
        findings.differences = {{.difference = -0.125, .ci95 = {-0.25, 0}, .p = 0.5, .q = kNone, .changed = 7}};
        QCOMPARE(csvOf(aloneFrame(findings, "group")),
                 std::string("group,match5,change,ci95 low,ci95 high,p,q,changed\n2,0.5,-0.125,-0.25,0,0.5,,7\n"));
    }

    /// Of a cut, where there is none, nothing is said.
    void documentsWithoutHeads()
    {
        DocumentSet documents;
        documents.ids = {"a", "b", "c,"};
        SwitchOffResult result;
        result.documents = {0, 2};
        result.inModel.cosine = {0.5, kNone};
        result.inModel.kept = {9, 10};
        QCOMPARE(csvOf(changedFrame(result, documents)), std::string("document,cosine,kept\na,0.5,9\n\"c,\",,10\n"));
        result.cut.emplace();
        result.cut->cosine = {0.75, 1};
        result.cut->kept = {8, 7};
        QCOMPARE(csvOf(changedFrame(result, documents)),
                 std::string("document,cosine,kept,cut_cosine,cut_kept\na,0.5,9,0.75,8\n\"c,\",,10,1,7\n"));
    }

    /// Heads without any number have no row, places of heads no column.
    void atlas()
    {
        HeadMeasures measures;
        measures.layers = 1;
        measures.heads = 4;
        HeadMeasure place;
        place.kind = MeasureKind::Place;
        place.value = matrixOf(1, {0, 0, 0, 0});
        HeadMeasure norm;
        norm.key = "mean_norm";
        norm.value = matrixOf(1, {0.5, kNone, kNone, 2});
        norm.low = matrixOf(1, {0.25, kNone, kNone, 1});
        norm.high = matrixOf(1, {0.75, kNone, kNone, 3});
        HeadMeasure match;
        match.key = "match";
        match.value = matrixOf(1, {kNone, kNone, 0.5, kNone});
        match.q = matrixOf(1, {kNone, kNone, 0.125, kNone});
        measures.measures = {place, norm, match};
        ModelInfo info;
        info.heads = 4;
        info.kvHeads = 2;
        QCOMPARE(csvOf(atlasFrame(measures, info)),
                 std::string("layer,head,kv group,mean_norm,mean_norm low,mean_norm high,match,match q\n"
                             "0,1,1,0.5,0.25,0.75,,\n0,3,2,,,,0.5,0.125\n0,4,2,2,1,3,,\n"));
        measures.stage = Stage::OutputSegment;
        info.kvHeads = 4;
        QVERIFY(csvOf(atlasFrame(measures, info)).starts_with("layer,segment,mean_norm,"));
    }

    void attention()
    {
        AttentionRun run;
        run.tokens = {"a", "b,"};
        auto weights = std::make_shared<MatrixF>(2, 2);
        (*weights)(0, 0) = 1;
        (*weights)(1, 0) = 0.25F;
        (*weights)(1, 1) = 0.75F;
        run.weights = {{LayerIndex(3), HeadIndex(1), std::move(weights)}};
        QCOMPARE(csvOf(attentionFrame(run, {{LayerIndex(3), HeadIndex(1)}, {LayerIndex(3), HeadIndex(0)}})),
                 std::string("layer,head,query,token,0 a,\"1 b,\"\n3,2,0,a,1,0\n3,2,1,\"b,\",0.25,0.75\n"));
    }

    void examples()
    {
        QCOMPARE(csvOf(headExamplesFrame(HeadCorpus(), [](std::int64_t) { return std::string(); })),
                 std::string("kind,document,token,text,activation,strongest,strongest text,strongest weight,"
                             "first weight,context\n"));
    }
};

HEADSCOPE_TEST(TestWindowFrames)
#include "tst_window_frames.moc"

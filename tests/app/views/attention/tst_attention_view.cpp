// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/attention/attention_view.h"
#include "ui/canvas/picture_widget.h"

#include "app/views/attention/attention_bar.h"
#include "app/views/attention/attention_text_row.h"
#include "app/views/attention/cell_column.h"
#include "app/views/attention/head_grid_picture.h"
#include "app/views/attention/head_panes.h"
#include "app/views/attention/share_bars.h"
#include "app/views/attention/token_lines_picture.h"
#include "app/views/attention/weight_matrix_picture.h"
#include "tests/support/attention_runs.h"
#include "tests/ui/window_test.h"
#include "ui/canvas/hover_card.h"
#include "ui/canvas/panned_widget.h"
#include "ui/state/origin_guard.h"
#include "ui/widgets/widgets.h"

#include <QAccessible>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>

#include <algorithm>
#include <memory>

using namespace headscope;
using namespace headscope::ui;

namespace
{

using Heads = std::vector<HeadIndex>;

/// A view of a run, shown.
struct ShownView
{
    explicit ShownView(AttentionRunPtr run, QSize size = {1100, 640})
    {
        view.resize(size);
        view.show();
        view.setChosen(LayerIndex(2), HeadIndex(3));
        view.setRun(std::move(run));
        QCoreApplication::sendPostedEvents();
    }
    AttentionView view;

    [[nodiscard]] HeadPane& pane(std::size_t i = 0) const { return *view.panes()->panes()[i]; }
    [[nodiscard]] QPushButton& button(const char* name) const
    {
        return *view.findChild<QPushButton*>(QLatin1StringView(name));
    }
};

QPoint cellOf(const PannedOf<HeadGridPicture>& grid, std::int64_t row, std::int64_t head)
{
    return grid.picture().gridLayout().cellRect({row, HeadIndex(head)}).center().toPoint();
}

QPoint cellOf(const PannedOf<WeightMatrixPicture>& matrix, std::int64_t reading, std::int64_t read)
{
    return matrix.picture().table().cellRect({reading, read}).center().toPoint();
}

QPoint endOf(const PannedOf<TokenLinesPicture>& lines, viz::LineEnd::Side side, std::int64_t token)
{
    const int out = side == viz::LineEnd::Side::Reading ? -20 : 20;
    return lines.picture().lines().endOf({side, token}).toPoint() + QPoint(out, 0);
}

AttentionRunPtr sampleRun()
{
    return test::makeAttentionRun({.vectorLayers = {2}});
}

} // namespace

class TestAttentionView : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { OriginGuard::instance().close(); }

    void emptyUntilARunIsThere()
    {
        AttentionView view;
        view.resize(900, 600);
        view.show();
        QVERIFY(view.emptyState()->isVisible());
        QVERIFY(view.emptyState()->text().contains(QStringLiteral("stored")));
        QVERIFY(!view.bar()->isVisible());
        QCOMPARE(view.summary(), QStringLiteral("No text shown."));
        QVERIFY(view.figure().run == nullptr);
        view.setRun(sampleRun());
        QVERIFY(!view.emptyState()->isVisible());
        QVERIFY(view.bar()->isVisible());
        QVERIFY(view.chosen().has_value());
        view.setRun(nullptr);
        QVERIFY(view.emptyState()->isVisible());
    }

    void textsAreAskedOnlyWithAModel()
    {
        AttentionView view;
        view.resize(900, 600);
        view.show();
        QSignalSpy asked(&view, &AttentionView::textAsked);
        QSignalSpy wanted(&view, &AttentionView::modelRequested);
        view.setModel({}, QStringLiteral("Choose a model to type your own sentence."));
        auto* field = view.findChild<QLineEdit*>(QStringLiteral("attentionText"));
        field->setFocus();
        QTest::keyClicks(field, QStringLiteral("some words"));
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(asked.count(), 0);
        QVERIFY(view.textRow()->need().contains(QStringLiteral("your own")));
        QTest::mouseClick(view.findChild<QPushButton*>(QStringLiteral("attentionModel")), Qt::LeftButton);
        QCOMPARE(wanted.count(), 1);
        view.setModel(QStringLiteral("SmolLM2"), {});
        QCOMPARE(view.textRow()->need(), QString());
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(asked.count(), 1);
        QCOMPARE(asked[0][0].toString(), QStringLiteral("some words"));
        view.setBusy(QStringLiteral("The text goes through SmolLM2…"));
        QVERIFY(!view.findChild<QPushButton*>(QStringLiteral("attentionShow"))->isEnabled());
        QSignalSpy stopped(&view, &AttentionView::stopRequested);
        QTest::mouseClick(view.findChild<QPushButton*>(QStringLiteral("attentionStop")), Qt::LeftButton);
        QCOMPARE(stopped.count(), 1);
        view.setBusy({});
        view.setProblem(QStringLiteral("The engine ended."));
        QCOMPARE(view.textRow()->said(), QStringLiteral("The engine ended."));
        view.setRun(sampleRun());
        QCOMPARE(view.textRow()->said(), QString());
    }

    void storedRunsAreOffered()
    {
        AttentionView view;
        view.show();
        auto* button = view.findChild<QPushButton*>(QStringLiteral("attentionStored"));
        QVERIFY(!button->isVisible());
        view.setStoredRuns({{QStringLiteral("one"), QStringLiteral("A & B"), QStringLiteral("tip")}});
        QVERIFY(button->isVisible());
        QSignalSpy wanted(&view, &AttentionView::storedWanted);
        QCOMPARE(button->menu()->actions().front()->text(), QStringLiteral("A && B"));
        button->menu()->actions().front()->trigger();
        QCOMPARE(wanted[0][0].toString(), QStringLiteral("one"));
    }

    /// A document of a cache that is not open never reaches the view.
    void documentsOfOtherCachesAreRefused()
    {
        AttentionView view;
        view.show();
        OriginGuard::instance().open({"the open cache"}, 10, 9);
        auto run = test::makeAttentionRun();
        run->document = DocumentIndex(3);
        run->documentOrigin = {"another cache"};
        QVERIFY(!view.setRun(run));
        QVERIFY(view.run() == nullptr);
        auto beyond = test::makeAttentionRun();
        beyond->document = DocumentIndex(10);
        beyond->documentOrigin = {"the open cache"};
        QVERIFY(!view.setRun(beyond));
        auto fitting = test::makeAttentionRun();
        fitting->document = DocumentIndex(9);
        fitting->documentOrigin = {"the open cache"};
        QVERIFY(view.setRun(fitting));
        QVERIFY(view.setRun(test::makeAttentionRun())); // a text of its own belongs to no cache
    }

    void headsAreChosenInTheGrid()
    {
        ShownView shown(sampleRun());
        QSignalSpy chosen(&shown.view, &AttentionView::layerHeadChosen);
        PannedOf<HeadGridPicture>& grid = *shown.view.grid();
        QTest::mouseMove(&grid, cellOf(grid, 4, 7));
        QVERIFY(grid.hoverCard()->isVisible());
        QCOMPARE(grid.hoverCard()->content().title, QStringLiteral("Layer 4, head 8"));
        QCOMPARE(grid.hoverCard()->content().detail, QStringLiteral("KV3"));
        QTest::mouseClick(&grid, Qt::LeftButton, {}, cellOf(grid, 4, 7));
        QCOMPARE(chosen.count(), 1);
        QVERIFY(shown.view.chosen() == (AttentionHead{LayerIndex(4), HeadIndex(7)}));
        QCOMPARE(shown.pane().title(), QStringLiteral("Layer 4, head 8"));
        grid.setFocus();
        QTest::keyClick(&grid, Qt::Key_Up);
        QTest::keyClick(&grid, Qt::Key_Left);
        QCOMPARE(shown.pane().title(), QStringLiteral("Layer 3, head 7"));
        QCOMPARE(chosen.count(), 3);
        QVERIFY(grid.accessibleDescription().contains(QStringLiteral("Layer 3, head 7 is selected")));
        for (int i = 0; i < 20; ++i)
            QTest::keyClick(&grid, Qt::Key_Down);
        QCOMPARE(shown.pane().title(), QStringLiteral("Layer 5, head 7"));
    }

    /// What the controller sets comes back by no signal.
    void settersAreQuiet()
    {
        ShownView shown(sampleRun());
        QSignalSpy chosen(&shown.view, &AttentionView::layerHeadChosen);
        QSignalSpy state(&shown.view, &AttentionView::stateChanged);
        shown.view.setChosen(LayerIndex(1), HeadIndex(1));
        shown.view.setPinned({{LayerIndex(0), HeadIndex(0)}});
        shown.view.setCell(TokenIndex(4), TokenIndex(2));
        AttentionLook look;
        look.overlay = true;
        look.matrix = false;
        shown.view.setLook(look);
        QVERIFY(shown.view.look() == look);
        shown.view.setChosen(LayerIndex(99), HeadIndex(0));
        QVERIFY(shown.view.chosen() == (AttentionHead{LayerIndex(1), HeadIndex(1)}));
        shown.view.setCell(TokenIndex(4), TokenIndex(17));
        QVERIFY(!shown.view.figure().read);
        QCOMPARE(chosen.count(), 0);
        QCOMPARE(state.count(), 0);
    }

    void tokensAndCells()
    {
        ShownView shown(sampleRun());
        PannedOf<TokenLinesPicture>& lines = *shown.pane().lines();
        PannedOf<WeightMatrixPicture>& matrix = *shown.pane().matrix();
        CellColumn& numbers = *shown.view.numbers();
        QVERIFY(numbers.card()->rows().empty());
        QVERIFY(numbers.card()->note().startsWith(QStringLiteral("Click")));
        using Side = viz::LineEnd::Side;
        QTest::mouseMove(&lines, endOf(lines, Side::Reading, 8));
        QVERIFY(lines.picture().focus() == (viz::LineEnd{Side::Reading, 8}));
        QVERIFY(lines.accessibleDescription().startsWith(QStringLiteral("“keys” attends to")));
        // A token that reads: the cell is what it reads most.
        QTest::mouseClick(&lines, Qt::LeftButton, {}, endOf(lines, Side::Reading, 8));
        QVERIFY(matrix.picture().chosen());
        QCOMPARE(matrix.picture().chosen()->reading, 8);
        QVERIFY(matrix.picture().chosen()->read > 0); // the first token is taken out
        QCOMPARE(numbers.card()->rows().size(), 7);
        QCOMPARE(numbers.card()->note(), QString());
        // Then one that is read: the cell of both.
        QTest::mouseClick(&lines, Qt::LeftButton, {}, endOf(lines, Side::Read, 2));
        QVERIFY(matrix.picture().chosen() == (viz::WeightCell{8, 2}));
        const auto rows = numbers.card()->rows();
        QCOMPARE(rows[2].second, QStringLiteral("allowed"));
        QCOMPARE(rows[3].first, QStringLiteral("softmax over 9\u00A0tokens"));
        QCOMPARE(numbers.groupBars()->picture().blocks().size(), 3);
        QCOMPARE(numbers.groupBars()->picture().blocks()[0].title, QStringLiteral("Head 4"));
        QCOMPARE(numbers.groupBars()->picture().blocks()[0].rows.size(), 4);
        // A cell of the table.
        QTest::mouseClick(&matrix, Qt::LeftButton, {}, cellOf(matrix, 3, 9));
        QCOMPARE(numbers.card()->rows()[2].second, QStringLiteral("future token (masked)"));
        QCOMPARE(numbers.card()->rows()[3].second, QStringLiteral("0.000"));
        matrix.setFocus();
        QTest::keyClick(&matrix, Qt::Key_Left);
        QTest::keyClick(&matrix, Qt::Key_Down);
        QVERIFY(matrix.picture().chosen() == (viz::WeightCell{4, 8}));
        QTest::keyClick(&matrix, Qt::Key_Escape);
        QVERIFY(!matrix.picture().chosen());
        QVERIFY(!lines.picture().kept());
        // Keys of the lines.
        lines.setFocus();
        QTest::keyClick(&lines, Qt::Key_Down);
        QVERIFY(lines.picture().kept() == (viz::LineEnd{Side::Reading, 16}));
        QTest::keyClick(&lines, Qt::Key_Right);
        QVERIFY(lines.picture().kept() == (viz::LineEnd{Side::Read, 16}));
        QTest::keyClick(&lines, Qt::Key_Up);
        QVERIFY(lines.accessibleDescription().contains(QStringLiteral("“things” is attended to by")));
    }

    void pointingLightsBothPictures()
    {
        ShownView shown(sampleRun());
        PannedOf<WeightMatrixPicture>& matrix = *shown.pane().matrix();
        QTest::mouseMove(&matrix, cellOf(matrix, 6, 3));
        QVERIFY(matrix.hoverCard()->isVisible());
        QCOMPARE(matrix.hoverCard()->content().title, QStringLiteral("“the” attends to “one”"));
        QVERIFY(shown.pane().lines()->picture().focus() == (viz::LineEnd{viz::LineEnd::Side::Reading, 6}));
    }

    void upToThreeHeadsSideBySide()
    {
        ShownView shown(sampleRun());
        PannedOf<HeadGridPicture>& grid = *shown.view.grid();
        grid.setFocus();
        QTest::keyClick(&grid, Qt::Key_P);
        QCOMPARE(shown.view.panes()->panes().size(), 1); // itself stays
        QTest::keyClick(&grid, Qt::Key_Right);
        QCOMPARE(shown.view.panes()->panes().size(), 2);
        QCOMPARE(shown.pane(1).title(), QStringLiteral("Layer 2, head 4"));
        QTest::mouseClick(&grid, Qt::LeftButton, Qt::ControlModifier, cellOf(grid, 0, 0));
        QCOMPARE(shown.view.panes()->panes().size(), 3);
        QTest::mouseClick(&grid, Qt::LeftButton, Qt::ControlModifier, cellOf(grid, 0, 1));
        QCOMPARE(shown.view.panes()->panes().size(), 3); // the oldest goes
        QCOMPARE(shown.view.pinned().size(), 2);
        QVERIFY(shown.view.pinned()[0] == (AttentionHead{LayerIndex(0), HeadIndex(0)}));
        QCOMPARE(shown.view.figure().beside.size(), 2);
        // Tokens are kept in all of them.
        PannedOf<TokenLinesPicture>& lines = *shown.pane(1).lines();
        QTest::mouseClick(&lines, Qt::LeftButton, {}, endOf(lines, viz::LineEnd::Side::Reading, 5));
        QCOMPARE(shown.pane(2).lines()->picture().kept()->token, 5);
        test::savePictures(shown.view, QStringLiteral("attention-pinned"));
        QTest::keyClick(&grid, Qt::Key_Escape);
        QTest::keyClick(&grid, Qt::Key_Escape);
        QCOMPARE(shown.view.panes()->panes().size(), 1);
    }

    /// Weights and vectors that are not held are asked for once, and when they come nothing else changes.
    void whatIsMissingIsAskedForOnce()
    {
        AttentionView view;
        view.resize(1100, 640);
        view.show();
        view.setChosen(LayerIndex(2), HeadIndex(3));
        QSignalSpy weights(&view, &AttentionView::weightsWanted);
        QSignalSpy vectors(&view, &AttentionView::vectorsWanted);
        const auto full = test::makeAttentionRun({.vectorLayers = {2}});
        auto first = std::make_shared<AttentionRun>(*full);
        first->weights.clear();
        first->vectors.clear();
        view.setRun(first);
        QCOMPARE(weights.count(), 1);
        QCOMPARE(weights[0][0].value<LayerIndex>(), LayerIndex(2));
        QCOMPARE(weights[0][1].value<Heads>(), Heads{HeadIndex(3)});
        const HeadPane& pane = *view.panes()->panes().front();
        QVERIFY(pane.waiting().contains(QStringLiteral("being computed")));
        QVERIFY(view.summary().contains(QStringLiteral("being computed")));
        test::savePictures(view, QStringLiteral("attention-waiting"));
        view.setChosen(LayerIndex(2), HeadIndex(4));
        view.setChosen(LayerIndex(2), HeadIndex(3));
        QCOMPARE(weights.count(), 2); // of head 5
        auto second = std::make_shared<AttentionRun>(*first);
        second->weights = full->weights;
        view.setRun(second);
        QCOMPARE(pane.waiting(), QString());
        QCOMPARE(vectors.count(), 0);
        PannedOf<WeightMatrixPicture>& matrix = *pane.matrix();
        QTest::mouseClick(&matrix, Qt::LeftButton, {}, cellOf(matrix, 9, 4));
        QCOMPARE(vectors.count(), 1);
        QVERIFY(view.numbers()->card()->note().contains(QStringLiteral("Loading queries, keys and values")));
        QCOMPARE(view.numbers()->card()->rows().size(), 2); // what the weights say
        QTest::mouseClick(&matrix, Qt::LeftButton, {}, cellOf(matrix, 9, 5));
        QCOMPARE(vectors.count(), 1);
        view.setRun(full);
        QVERIFY(matrix.picture().chosen() == (viz::WeightCell{9, 5})); // a copy of the same run
        QCOMPARE(view.numbers()->card()->rows().size(), 7);
        // After a failure it is asked for again.
        view.setRun(first);
        view.setProblem(QStringLiteral("The engine ended."));
        view.setChosen(LayerIndex(1), HeadIndex(0));
        view.setChosen(LayerIndex(2), HeadIndex(3));
        QVERIFY(weights.count() >= 4);
    }

    void anotherRunForgetsTokens()
    {
        ShownView shown(sampleRun());
        shown.view.setCell(TokenIndex(3), TokenIndex(1));
        shown.view.setPinned({{LayerIndex(5), HeadIndex(8)}, {LayerIndex(0), HeadIndex(0)}});
        shown.view.setRun(test::makeAttentionRun({.tokens = 9, .layers = 2}));
        QVERIFY(!shown.view.figure().reading);
        QCOMPARE(shown.view.pinned().size(), 1); // the other layer is not there
        QVERIFY(shown.view.chosen()->layer < LayerIndex(2));
    }

    void aGroupIsOverlaidInItsShades()
    {
        ShownView shown(sampleRun());
        shown.button("attentionOverlay").click();
        QVERIFY(shown.view.look().overlay);
        QVERIFY(shown.view.figure().overlay);
        test::savePictures(shown.view, QStringLiteral("attention-overlay"));
    }

    void headsByAStatistic()
    {
        ShownView shown(sampleRun());
        auto* box = shown.view.findChild<QComboBox*>(QStringLiteral("attentionMeasure"));
        QCOMPARE(box->count(), 4); // pictures; induction is defined for none
        box->setCurrentIndex(box->findData(QStringLiteral("first_token")));
        QCOMPARE(shown.view.look().measure, std::string("first_token"));
        QVERIFY(shown.view.grid()->picture().measureScale());
        QVERIFY(shown.view.bar()->keyStrip()->accessibleDescription().startsWith(QStringLiteral("first token from")));
        test::savePictures(shown.view, QStringLiteral("attention-measure"));
        // It stays chosen with the next text.
        shown.view.setRun(test::makeAttentionRun({.tokens = 30}));
        QCOMPARE(shown.view.look().measure, std::string("first_token"));
    }

    void switchedOffAndOnAgain()
    {
        ShownView shown(sampleRun());
        QSignalSpy wanted(&shown.view, &AttentionView::switchOffWanted);
        shown.button("attentionGroupOff").click();
        QCOMPARE(wanted[0][0].value<LayerIndex>(), LayerIndex(2));
        QCOMPARE(wanted[0][1].value<Heads>(), (Heads{HeadIndex(3), HeadIndex(4), HeadIndex(5)}));
        QVERIFY(!shown.button("attentionHeadOff").isChecked());
        shown.button("attentionHeadOff").click();
        QCOMPARE(wanted[1][1].value<Heads>(), Heads{HeadIndex(3)});
        QVERIFY(!shown.button("attentionGroupOff").isChecked());
        shown.button("attentionHeadOff").click();
        QVERIFY(wanted[2][1].value<Heads>().empty());
    }

    void oneToken()
    {
        ShownView shown(test::makeAttentionRun({.tokens = 1, .vectorLayers = {2}}));
        QCOMPARE(shown.view.numbers()->card()->rows().size(), 7);
        QVERIFY(!shown.view.grab().isNull());
        test::savePictures(shown.view, QStringLiteral("attention-one-token"));
    }

    /// An encoder has no mask, a model without groups no overlay; both are said.
    void otherModels()
    {
        ShownView shown(test::makeAttentionRun({.kvHeads = 9, .causal = false, .vectorLayers = {2}}));
        QVERIFY(!shown.button("attentionOverlay").isEnabled());
        QVERIFY(shown.button("attentionOverlay").toolTip().contains(QStringLiteral("no groups")));
        QVERIFY(!shown.button("attentionGroupOff").isVisible());
        QVERIFY(!shown.view.bar()->keyStrip()->key().unwritten);
        shown.view.setCell(TokenIndex(2), TokenIndex(9));
        QCOMPARE(shown.view.numbers()->card()->rows()[2].second, QStringLiteral("allowed"));
        const auto saysRotation = [](const ShownView& of) {
            return std::ranges::any_of(of.view.numbers()->card()->findChildren<QLabel*>(), [](const QLabel* label) {
                return label->toolTip().contains(QStringLiteral("rotation by position"));
            });
        };
        QVERIFY(!saysRotation(shown)); // of a family that is not known
        for (const char* family : {"bert", "llama"})
        {
            auto run = test::makeAttentionRun({.vectorLayers = {2}});
            run->model.family = family;
            ShownView of(run);
            of.view.setCell(TokenIndex(9), TokenIndex(2));
            QCOMPARE(saysRotation(of), family == std::string_view("llama"));
        }
        QCOMPARE(shown.view.numbers()->groupBars()->picture().blocks().size(), 1);
        test::savePictures(shown.view, QStringLiteral("attention-encoder"));
    }

    void strangeTokens()
    {
        auto run = test::makeAttentionRun({.tokens = 12, .vectorLayers = {2}});
        run->tokens = {"<s>",
                       " \xD7\xA9\xD7\x9C\xD7\x95\xD7\x9D",
                       " keys",
                       "\n\n",
                       "    ",
                       "钥匙",
                       "👩‍🔬",
                       "<F0>",
                       "\xE2\x80\xAE",
                       "\t",
                       " a very long token indeed, which fits nowhere at all",
                       "."};
        ShownView shown(run);
        shown.view.setCell(TokenIndex(10), TokenIndex(1));
        test::savePictures(shown.view, QStringLiteral("attention-strange"));
        QVERIFY(shown.view.summary().contains(QStringLiteral("“a very long …")));
    }

    /// Where there is no room for heads and numbers, one takes the place of the other.
    void narrowViewsShowOneSide()
    {
        ShownView shown(sampleRun(), {560, 520});
        QVERIFY(shown.view.look().heads);
        QVERIFY(!shown.view.look().numbers);
        shown.button("attentionShowNumbers").click();
        QVERIFY(!shown.view.look().heads);
        QVERIFY(shown.view.numbers()->isVisible());
        QVERIFY(!shown.view.grid()->isVisible());
        test::savePictures(shown.view, QStringLiteral("attention-narrow-numbers"));
        shown.button("attentionShowHeads").click();
        QVERIFY(shown.view.look().heads);
        test::savePictures(shown.view, QStringLiteral("attention-narrow"));
        QVERIFY(shown.view.minimumSizeHint().width() <= 560);
        shown.view.resize(1100, 640);
        QVERIFY(shown.view.look().numbers);
    }

    void zoomAndPan()
    {
        ShownView shown(test::makeAttentionRun({.tokens = 300, .layers = 4, .heads = 9, .kvHeads = 3}));
        PannedOf<WeightMatrixPicture>& matrix = *shown.pane().matrix();
        const double fit = matrix.picture().table().window().cell;
        matrix.setFocus();
        for (int i = 0; i < 12; ++i)
            QTest::keyClick(&matrix, Qt::Key_Plus);
        QVERIFY(matrix.picture().table().window().cell > 4 * fit);
        const auto under = matrix.picture().table().cellAt(matrix.rect().center());
        QTest::mousePress(&matrix, Qt::LeftButton, {}, matrix.rect().center());
        QTest::mouseMove(&matrix, matrix.rect().center() - QPoint(30, 20));
        QTest::mouseRelease(&matrix, Qt::LeftButton, {}, matrix.rect().center() - QPoint(30, 20));
        QVERIFY(matrix.picture().table().cellAt(matrix.rect().center() - QPoint(30, 20)) == under);
        QVERIFY(!matrix.picture().chosen()); // a drag is no click
        QTest::keyClick(&matrix, Qt::Key_Home);
        QCOMPARE(matrix.picture().table().window().cell, fit);
        PannedOf<TokenLinesPicture>& lines = *shown.pane().lines();
        QVERIFY(!lines.grab().isNull());
        QVERIFY2(lines.picture().badge().startsWith(QStringLiteral("strongest 1,200 of")),
                 qPrintable(lines.picture().badge()));
        lines.setFocus();
        for (int i = 0; i < 20; ++i)
            QTest::keyClick(&lines, Qt::Key_Plus);
        QVERIFY(lines.picture().lines().rowHeight() > 10);
        test::savePictures(shown.view, QStringLiteral("attention-long"));
    }

    void everyControlHasAName()
    {
        ShownView shown(sampleRun());
        for (const QWidget* widget : shown.view.findChildren<QWidget*>())
            if (widget->focusPolicy() != Qt::NoFocus && widget->isVisible())
                if (QAccessibleInterface* interface =
                        QAccessible::queryAccessibleInterface(const_cast<QWidget*>(widget)))
                    QVERIFY2(!interface->text(QAccessible::Name).isEmpty(), qPrintable(widget->objectName()));
    }

    void pictures()
    {
        ShownView shown(test::makeAttentionRun({.layers = 30, .vectorLayers = {12}}), {1180, 740});
        shown.view.setChosen(LayerIndex(12), HeadIndex(3));
        shown.view.setText(QStringLiteral("The queries of one group read the same keys, but they look for different "
                                          "things."));
        shown.view.setStoredRuns({{QStringLiteral("one"), QStringLiteral("one"), {}}});
        shown.view.setModel(QStringLiteral("made-up model"), {});
        shown.view.setCell(TokenIndex(8), TokenIndex(7));
        test::savePictures(shown.view, QStringLiteral("attention"));
        ShownView large(test::makeAttentionRun({.layers = 32, .heads = 32, .kvHeads = 8}), {1180, 740});
        test::savePictures(large.view, QStringLiteral("attention-32x32"));
    }
};

HEADSCOPE_WINDOW_TEST(TestAttentionView)
#include "tst_attention_view.moc"

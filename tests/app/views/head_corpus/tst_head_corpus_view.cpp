// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/head_corpus/head_corpus_view.h"
#include "ui/canvas/picture_widget.h"

#include "app/views/head_corpus/activation_histogram.h"
#include "app/views/head_corpus/example_list.h"
#include "app/views/head_corpus/token_canvas.h"
#include "app/views/head_corpus/token_words.h"
#include "tests/app/views/head_corpus/made_head.h"
#include "tests/support/waiting.h"
#include "tests/ui/window_test.h"
#include "ui/canvas/hover_card.h"
#include "ui/state/origin_guard.h"
#include "ui/widgets/widgets.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QToolButton>

#include <algorithm>
#include <set>

using namespace headscope;
using namespace headscope::ui;
using test::madeHead;
using test::madeTokenMap;

class TestHeadCorpusView : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        OriginGuard::instance().open({"open"}, 40, 32);
        m_view = std::make_unique<HeadCorpusView>();
        m_view->setModel(test::sampleModel());
        m_view->setHead(LayerIndex(31), HeadIndex(5));
        m_view->resize(1000, 640);
        m_view->show();
        QVERIFY(test::exposed(m_view.get()));
    }
    void cleanup()
    {
        m_view.reset();
        OriginGuard::instance().close();
    }
    void initTestCase() { Theme::instance().apply(*qApp); }

    void emptyUntilThereIsAHead();
    void valuesOfAnotherCacheAreRefused();
    void examplesOfBothKinds();
    void theCurrentExampleShowsAllOfIt();
    void theHistogramLeadsToDeciles();
    void mapsOfBothKinds();
    void mapsOfAnotherCorpusAreDropped();
    void coloursAndShapes();
    void pointsAreHoveredAndClicked();
    void keysReachEveryPoint();
    void askingForAHead();
    void wordsOfNumbers();
    void narrowAndAtTwofoldScale();

private:
    HeadCorpusPtr shown(bool ofCache = true)
    {
        auto corpus = std::make_shared<const HeadCorpus>(madeHead(40, {"open"}));
        m_view->setCorpus(corpus, ofCache ? test::sampleDocuments() : nullptr);
        return corpus;
    }
    template <class T>
    T* find(const char* name)
    {
        return m_view->findChild<T*>(QLatin1StringView(name));
    }

    std::unique_ptr<HeadCorpusView> m_view;
};

void TestHeadCorpusView::emptyUntilThereIsAHead()
{
    m_view->setEmpty(QStringLiteral("No activations for layer 31, head 6"),
                     QStringLiteral("Watching it takes a while."), QStringLiteral("Record activations"));
    QVERIFY(m_view->emptyState()->isVisible());
    QVERIFY(!m_view->canvas()->isVisible());
    QSignalSpy asked(m_view.get(), &HeadCorpusView::emptyActionRequested);
    m_view->emptyState()->findChild<QPushButton*>()->click();
    QCOMPARE(asked.count(), 1);
    test::savePictures(*m_view, QStringLiteral("head-empty"));
    shown();
    QVERIFY(!m_view->emptyState()->isVisible());
    QVERIFY(m_view->canvas()->isVisible());
    QVERIFY(m_view->summary().contains(QStringLiteral("Layer 31, head 6")));
    m_view->setCorpus(nullptr, nullptr);
    QVERIFY(m_view->emptyState()->isVisible());
}

void TestHeadCorpusView::valuesOfAnotherCacheAreRefused()
{
    const auto refused = OriginGuard::instance().refused();
    m_view->setCorpus(std::make_shared<const HeadCorpus>(madeHead(40, {"another"})), test::sampleDocuments());
    QCOMPARE(OriginGuard::instance().refused(), refused + 1);
    QCOMPARE(m_view->corpus(), nullptr);
    QVERIFY(!m_view->canvas()->isVisible());
}

void TestHeadCorpusView::examplesOfBothKinds()
{
    const auto corpus = shown();
    ExampleModel* const model = m_view->examples()->examples();
    const QAbstractItemModelTester tester(model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QCOMPARE(model->rowCount(), 24);
    for (int row = 0; row < 24; ++row)
    {
        QVERIFY(!model->isHeading(row));
        const QString text = model->index(row, 0).data().toString();
        QVERIFY2(text.contains(QStringLiteral("activation")), qPrintable(text));
        QCOMPARE(model->index(row, 0).data(ExampleModel::kTokenRole).toLongLong(),
                 corpus->top[static_cast<std::size_t>(row)].token);
    }
    find<QToolButton>("examplesDeciles")->click();
    QCOMPARE(m_view->exampleKind(), ExampleKind::Deciles);
    QCOMPARE(model->rowCount(), 10 + 50);
    QVERIFY(model->isHeading(0));
    QVERIFY(model->index(0, 0).data().toString().startsWith(QStringLiteral("Decile 10 of 10: ")));
    QCOMPARE(model->index(0, 0).flags(), Qt::NoItemFlags);
    const auto bounds = decileBounds(corpus->activations);
    for (int row = 0; row < model->rowCount(); ++row)
        if (const HeadExample* example = model->exampleOf(row))
        {
            const float activation = corpus->activations[static_cast<std::size_t>(example->token)];
            const std::size_t decile = *model->decileOf(row);
            QVERIFY(activation >= bounds[decile] && activation <= bounds[decile + 1]);
        }
    test::savePictures(*m_view, QStringLiteral("head-deciles"));
    find<QToolButton>("examplesStrongest")->click();
    QCOMPARE(model->rowCount(), 24);
}

void TestHeadCorpusView::theCurrentExampleShowsAllOfIt()
{
    const auto corpus = shown();
    m_view->setMap(madeTokenMap(corpus, TokenMapKind::QueriesAndKeys));
    ExampleList* const list = m_view->examples();
    const int before = list->visualRect(list->examples()->index(3, 0)).height();
    list->setCurrentIndex(list->examples()->index(3, 0));
    WAIT_FOR(list->visualRect(list->examples()->index(3, 0)).height() > before + 20);
    QCOMPARE(list->visualRect(list->examples()->index(2, 0)).height(), before);
    test::savePictures(*m_view, QStringLiteral("head-example"));
    QSignalSpy clicked(m_view.get(), &HeadCorpusView::documentClicked);
    QTest::keyClick(list, Qt::Key_Return);
    QCOMPARE(clicked.count(), 1);
    QCOMPARE(clicked[0][0].value<DocumentIndex>(), corpus->placeOf(corpus->top[3].token).document);
    // Of texts that are not of the cache there is no document to go to.
    shown(false);
    list->setCurrentIndex(list->examples()->index(1, 0));
    QTest::keyClick(list, Qt::Key_Return);
    QCOMPARE(clicked.count(), 1);
}

void TestHeadCorpusView::theHistogramLeadsToDeciles()
{
    const auto corpus = shown();
    PictureOf<ActivationHistogram>* const histogram = m_view->histogram();
    const viz::ActivationCounts& counts = histogram->picture().chart().counts();
    std::int64_t sum = 0;
    for (const std::int64_t count : counts.counts)
        sum += count;
    QCOMPARE(sum, corpus->tokenCount());
    QCOMPARE(counts.bounds.size(), std::size_t{11});
    QSignalSpy chosen(histogram, &PictureWidget::itemClicked);
    const double x = histogram->picture().chart().xOf(0.5 * (counts.bounds[9] + counts.bounds[10]));
    QTest::mouseClick(histogram, Qt::LeftButton, {}, QPoint(static_cast<int>(x), histogram->height() / 2));
    QCOMPARE(chosen.count(), 1);
    QCOMPARE(chosen[0][0].value<std::size_t>(), std::size_t{9});
    QCOMPARE(m_view->exampleKind(), ExampleKind::Deciles);
    histogram->setFocus();
    QTest::keyClick(histogram, Qt::Key_Left);
    QCOMPARE(chosen[1][0].value<std::size_t>(), std::size_t{8});
    QVERIFY(histogram->accessibleDescription().startsWith(QStringLiteral("Decile 9 of 10")));
}

void TestHeadCorpusView::mapsOfBothKinds()
{
    const auto corpus = shown();
    QSignalSpy wanted(m_view.get(), &HeadCorpusView::mapRequested);
    QCOMPARE(m_view->mapKind(), TokenMapKind::QueriesAndKeys);
    const auto joint = madeTokenMap(corpus, TokenMapKind::QueriesAndKeys);
    m_view->setMap(joint);
    QCOMPARE(m_view->canvas()->map(), joint);
    QVERIFY(mapBadge(*joint).contains(QStringLiteral("two points per token")));
    test::savePictures(*m_view, QStringLiteral("head-queries-keys"));
    find<QToolButton>("mapOutputs")->click();
    QCOMPARE(wanted.count(), 1); // there is none yet
    QCOMPARE(m_view->canvas()->map(), nullptr);
    const auto outputs = madeTokenMap(corpus, TokenMapKind::Outputs);
    m_view->setMap(outputs);
    QCOMPARE(m_view->canvas()->map(), outputs);
    test::savePictures(*m_view, QStringLiteral("head-outputs"));
    find<QToolButton>("mapQueriesKeys")->click();
    QCOMPARE(wanted.count(), 1);
    QCOMPARE(m_view->canvas()->map(), joint);
}

void TestHeadCorpusView::mapsOfAnotherCorpusAreDropped()
{
    shown();
    const auto other = std::make_shared<const HeadCorpus>(madeHead(40, {"open"}));
    m_view->setMap(madeTokenMap(other, TokenMapKind::QueriesAndKeys));
    QCOMPARE(m_view->canvas()->map(), nullptr);
}

void TestHeadCorpusView::coloursAndShapes()
{
    const auto corpus = shown();
    const auto joint = madeTokenMap(corpus, TokenMapKind::QueriesAndKeys);
    m_view->setMap(joint);
    auto* colors = find<QComboBox>("tokenColors");
    QStringList titles;
    for (int i = 0; i < colors->count(); ++i)
        titles << colors->itemText(i);
    QCOMPARE(titles, (QStringList{QStringLiteral("by query or key"), QStringLiteral("by activation"),
                                  QStringLiteral("by position"), QStringLiteral("by token"),
                                  QStringLiteral("by document"), QStringLiteral("by topic")}));
    for (int i = 0; i < colors->count(); ++i)
    {
        colors->setCurrentIndex(i);
        const viz::PointColoring& coloring = m_view->canvas()->coloring();
        QCOMPARE(std::ssize(coloring.index), joint->pointCount());
        std::set<std::uint16_t> seen;
        for (std::int64_t point = 0; point < joint->pointCount(); ++point)
        {
            const std::size_t index = coloring.index[static_cast<std::size_t>(point)];
            QVERIFY(index < coloring.colors.size());
            QCOMPARE(coloring.shapes[index],
                     joint->isKey(point) ? viz::MarkerShape::Triangle : viz::MarkerShape::Circle);
            seen.insert(coloring.index[static_cast<std::size_t>(point)]);
        }
        QVERIFY(seen.size() > 1);
        test::savePictures(*m_view, QStringLiteral("head-color-%1").arg(i));
    }
    // A label is that of the token's document.
    const auto documents = test::sampleDocuments();
    const LabelColumn* topic = documents->label("topic");
    std::map<std::int32_t, std::set<QRgb>> colorsOf;
    for (std::int64_t point = 0; point < joint->pointCount(); ++point)
        colorsOf[topic->codes[corpus->placeOf(joint->tokenOf(point)).document.index()]].insert(
            m_view->canvas()->coloring().colors[m_view->canvas()->coloring().index[static_cast<std::size_t>(point)]]);
    QCOMPARE(colorsOf.size(), std::size_t{4});
    for (const auto& [code, used] : colorsOf)
        QCOMPARE(used.size(), std::size_t{1});
    // Texts of a file have no labels.
    shown(false);
    QCOMPARE(colors->findText(QStringLiteral("by topic")), -1);
}

void TestHeadCorpusView::pointsAreHoveredAndClicked()
{
    const auto corpus = shown();
    const auto joint = madeTokenMap(corpus, TokenMapKind::QueriesAndKeys);
    m_view->setMap(joint);
    TokenCanvas* const canvas = m_view->canvas();
    QSignalSpy hovered(m_view.get(), &HeadCorpusView::documentHovered);
    QSignalSpy clicked(m_view.get(), &HeadCorpusView::documentClicked);
    const std::int64_t point = std::ssize(joint->rows) + 7; // a key
    const QPoint place = canvas->placeOf(point).toPoint();
    QTest::mouseMove(canvas, place);
    WAIT_FOR(canvas->hoveredPoint());
    const std::int64_t under = *canvas->hoveredPoint();
    QVERIFY(canvas->hoverCard()->isVisible());
    const HoverContent& card = canvas->hoverCard()->content();
    QCOMPARE(card, tokenCard(*corpus, joint->tokenOf(under),
                             joint->isKey(under) ? QStringLiteral("key") : QStringLiteral("query")));
    QCOMPARE(card.hits.size(), std::size_t{1});
    QVERIFY(hovered.count() > 0);
    test::savePictures(*m_view, QStringLiteral("head-hovered"));
    QTest::mouseClick(canvas, Qt::LeftButton, {}, place);
    QCOMPARE(clicked.count(), 1);
    QCOMPARE(clicked[0][0].value<DocumentIndex>(), corpus->placeOf(joint->tokenOf(under)).document);
    // The wheel zooms where the pointer is; a double click shows all again.
    const double before = canvas->zoom().view().scale();
    canvas->zoom().zoomAt(place, 3);
    QVERIFY(canvas->zoom().view().scale() > 2 * before);
    QTest::mouseDClick(canvas, Qt::LeftButton, {}, QPoint(3, 3));
    WAIT_FOR(std::abs(canvas->zoom().view().scale() - before) < 1e-6 * before);
}

void TestHeadCorpusView::keysReachEveryPoint()
{
    const auto corpus = shown();
    const auto outputs = madeTokenMap(corpus, TokenMapKind::Outputs);
    find<QToolButton>("mapOutputs")->click();
    m_view->setMap(outputs);
    TokenCanvas* const canvas = m_view->canvas();
    canvas->setFocus();
    QSignalSpy clicked(m_view.get(), &HeadCorpusView::documentClicked);
    QTest::keyClick(canvas, Qt::Key_Right);
    QCOMPARE(canvas->hoveredPoint(), std::optional<std::int64_t>(0));
    QTest::keyClick(canvas, Qt::Key_Right);
    QCOMPARE(canvas->hoveredPoint(), std::optional<std::int64_t>(1));
    QTest::keyClick(canvas, Qt::Key_Left);
    QTest::keyClick(canvas, Qt::Key_Left);
    QCOMPARE(canvas->hoveredPoint(), std::optional<std::int64_t>(outputs->pointCount() - 1));
    QVERIFY(canvas->summary().contains(QStringLiteral("Under the pointer")));
    QTest::keyClick(canvas, Qt::Key_Return);
    QCOMPARE(clicked.count(), 1);
    const double before = canvas->zoom().view().scale();
    QTest::keyClick(canvas, Qt::Key_Plus);
    QVERIFY(canvas->zoom().view().scale() > before);
}

void TestHeadCorpusView::askingForAHead()
{
    QSignalSpy changed(m_view.get(), &HeadCorpusView::headChanged);
    m_view->setHead(LayerIndex(3), HeadIndex(31));
    QCOMPARE(changed.count(), 0);
    QCOMPARE(m_view->layer(), LayerIndex(3));
    QCOMPARE(m_view->head(), HeadIndex(31));
    QCOMPARE(find<QSpinBox>("headCorpusHead")->value(), 32);
    find<QSpinBox>("headCorpusLayer")->setValue(4);
    QCOMPARE(changed.count(), 1);
    QSignalSpy run(m_view.get(), &HeadCorpusView::runRequested);
    QSignalSpy stop(m_view.get(), &HeadCorpusView::stopRequested);
    find<QPushButton>("headCorpusRun")->click();
    QCOMPARE(run.count(), 1);
    m_view->setRunning(true);
    QVERIFY(!find<QPushButton>("headCorpusRun")->isVisible());
    QVERIFY(!find<QSpinBox>("headCorpusHead")->isEnabled());
    find<QPushButton>("headCorpusStop")->click();
    QCOMPARE(stop.count(), 1);
    m_view->setRunning(false);
    m_view->setTextsName(QStringLiteral("mine.jsonl"));
    m_view->chooseTextsFile();
    QCOMPARE(m_view->corpusChoice(), CorpusChoice::File);
    QCOMPARE(find<QComboBox>("headCorpusTexts")->currentText(), QStringLiteral("mine.jsonl"));
    m_view->chooseCacheDocuments();
    QCOMPARE(m_view->corpusChoice(), CorpusChoice::Cache);
}

void TestHeadCorpusView::wordsOfNumbers()
{
    const HeadCorpus corpus = madeHead();
    const std::int64_t token = corpus.offsets[1] + 3;
    const QString line = tokenLine(corpus, token);
    QVERIFY2(line.contains(QStringLiteral("token 4 of ")) && line.contains(QStringLiteral(" in doc-1 ")) &&
                 line.contains(QStringLiteral("(token 3)")) && line.contains(QStringLiteral("0.30 on the first token")),
             qPrintable(line));
    const auto shared = std::make_shared<const HeadCorpus>(corpus);
    QVERIFY(mapSentence(*madeTokenMap(shared, TokenMapKind::QueriesAndKeys))
                .contains(QStringLiteral("queries multiplied by 1.73")));
    QVERIFY(mapSentence(*madeTokenMap(shared, TokenMapKind::Outputs)).contains(QStringLiteral("outputs z")));
    // BERT's queries and keys are not rotated by position; of a family that is not known nothing is said.
    const auto sentenceOf = [&corpus](const char* family) {
        auto of = std::make_shared<HeadCorpus>(corpus);
        of->source.model.family = family;
        return mapSentence(*madeTokenMap(of, TokenMapKind::QueriesAndKeys));
    };
    QVERIFY(sentenceOf("llama").contains(QStringLiteral("after rotation by position (RoPE)")));
    QVERIFY(!sentenceOf("bert").contains(QStringLiteral("rotation by position")));
    QVERIFY(sentenceOf("bert").contains(QStringLiteral("without rotation")));
    QVERIFY(!sentenceOf("").contains(QStringLiteral("rotat")));
}

void TestHeadCorpusView::narrowAndAtTwofoldScale()
{
    const auto corpus = shown();
    m_view->setMap(madeTokenMap(corpus, TokenMapKind::QueriesAndKeys));
    m_view->resize(700, 480);
    test::passMs(20);
    QVERIFY(m_view->minimumSizeHint().width() <= 700);
    QVERIFY(m_view->minimumSizeHint().height() <= 480);
    test::savePictures(*m_view, QStringLiteral("head-narrow"));
}

HEADSCOPE_TEST(TestHeadCorpusView)
#include "tst_head_corpus_view.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/atlas/atlas_view.h"

#include "app/views/atlas/atlas_canvas.h"
#include "app/views/atlas/atlas_table.h"
#include "app/views/atlas/atlas_text.h"
#include "app/views/atlas/head_card.h"
#include "tests/support/waiting.h"
#include "tests/ui/window_test.h"
#include "tests/viz/atlas/head_sample.h"
#include "ui/canvas/canvas_summary.h"
#include "ui/state/origin_guard.h"
#include "ui/widgets/widgets.h"

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QToolButton>
#include <QUrl>

#include <algorithm>
#include <memory>

using namespace headscope;
using namespace headscope::ui;

namespace
{

void keepPicture(QWidget& widget, const char* name)
{
    const QString folder = qEnvironmentVariable("HEADSCOPE_PICTURES");
    if (!folder.isEmpty())
        widget.grab().save(folder + u'/' + QLatin1StringView(name) + QStringLiteral(".png"));
}

} // namespace

class TestAtlasView : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<AtlasView> m_view;

    void fill(std::int64_t layers = 30, std::int64_t heads = 9, std::int64_t kvHeads = 3)
    {
        m_view->setModel(test::modelOf(layers, heads, kvHeads), viz::HeadPalette(kvHeads, heads / kvHeads));
        m_view->setFilled(true);
        m_view->setMeasures(test::sampleMeasures(layers, heads));
        m_view->setChosen(LayerIndex(layers - 1), allHeads(heads));
    }
    static std::vector<std::int64_t> allHeads(std::int64_t count)
    {
        std::vector<std::int64_t> heads;
        for (std::int64_t head = 0; head < count; ++head)
            heads.push_back(head);
        return heads;
    }
    [[nodiscard]] QPoint placeOf(const HeadPlace& head) const
    {
        const auto& scatter = m_view->canvas()->picture().scatter();
        return scatter.placeOf(*scatter.dots().indexOf(head)).toPoint();
    }

private Q_SLOTS:
    void init()
    {
        OriginGuard::instance().close();
        m_view = std::make_unique<AtlasView>();
        m_view->resize(1000, 720);
        m_view->show();
        QVERIFY(test::exposed(m_view.get()));
    }
    void cleanup() { m_view.reset(); }

    void emptyUntilACacheIsOpen()
    {
        m_view->setEmpty(QStringLiteral("No atlas yet"), QStringLiteral("why"));
        QVERIFY(m_view->emptyState()->isVisible());
        QVERIFY(!m_view->bar()->isVisible());
        fill();
        QVERIFY(!m_view->emptyState()->isVisible());
        QVERIFY(m_view->bar()->isVisible());
        QCOMPARE(m_view->shownDots().size(), std::size_t{270});
    }

    void shownMeasuresSayWhatTheyAre()
    {
        fill();
        m_view->bar()->setWanted({"spread", "match", "mean_norm", "first_token"});
        const QString text = m_view->definitions().replace(QChar::Nbsp, u' ');
        for (const char* title : {"Spread:", "Match at 1:", "Norm:", "First token:"})
            QVERIFY2(text.contains(QLatin1StringView(title)), title);
        QVERIFY(text.contains(QStringLiteral("n = 192 documents")));
        QVERIFY(text.contains(QStringLiteral("chance 0.08")));
        QCOMPARE(text.count(u'\n'), 3);
        m_view->bar()->setWanted({"layer", "match", "", "match"});
        QCOMPARE(m_view->definitions().count(u'\n'), 0); // once
        QVERIFY(m_view->summary().contains(QStringLiteral("270 of 270 heads")));
        QVERIFY(canvasSummary(m_view.get()).contains(QStringLiteral("Match at 1")));
    }

    /// The points of the last layer are of normed vectors at stage 3, and of no other.
    void theLastLayerIsMarked()
    {
        fill();
        m_view->bar()->setWanted({"spread", "match", "mean_norm", "spread"});
        QVERIFY(!m_view->definitions().contains(QStringLiteral("final norm")));
        m_view->setMeasures(test::sampleMeasures(30, 9, Stage::OutputSegment));
        m_view->bar()->setWanted({"spread", "match", "mean_norm", "spread"});
        const QString text = m_view->definitions().replace(QChar::Nbsp, u' ');
        QVERIFY2(text.contains(QStringLiteral("Layer 29 is the last layer: its stage 3 is taken after the final norm")),
                 qPrintable(text));
    }

    void aClickChoosesAHead()
    {
        fill();
        QSignalSpy clicked(m_view.get(), &AtlasView::headClicked);
        QTest::mouseClick(m_view->canvas(), Qt::LeftButton, {}, placeOf({12, 4}));
        QCOMPARE(clicked.count(), 1);
        QCOMPARE(clicked[0][0].value<HeadPlace>(), (HeadPlace{12, 4}));
    }

    void hoverShowsAllNumbersOfTheHead()
    {
        fill();
        QSignalSpy hovered(m_view.get(), &AtlasView::headHovered);
        QTest::mouseMove(m_view->canvas(), {1, 1});
        QTest::mouseMove(m_view->canvas(), placeOf({29, 4}));
        WAIT_FOR(m_view->canvas()->card()->isVisible());
        QCOMPARE(m_view->canvas()->card()->title(), QStringLiteral("Layer 29, head 5"));
        QStringList names;
        for (const CardLine& line : m_view->canvas()->card()->lines())
            names << line.name;
        for (const char* name : {"Norm", "Spread", "Match at 1", "First token", "Cluster by pattern"})
            QVERIFY2(names.contains(QLatin1StringView(name)), name);
        QCOMPARE(hovered.count(), 1); // of the layer that is shown: lit elsewhere, too
        const auto lines = cardLines(*m_view->measures(), {29, 4});
        const auto match = std::ranges::find(lines, QStringLiteral("Match at 1"), &CardLine::name);
        QVERIFY(match->interval.contains(QStringLiteral("to")) &&
                match->interval.contains(QStringLiteral("p 0.004, q 0.031")));
        QTest::mouseMove(m_view->canvas(), placeOf({3, 4}));
        WAIT_COMPARE(m_view->canvas()->card()->title(), QStringLiteral("Layer 3, head 5"));
        QVERIFY(!hovered.back()[0].value<std::optional<HeadIndex>>().has_value()); // another layer
    }

    void aDragMarksTheHeadsInside()
    {
        fill();
        m_view->bar()->setWanted({"layer", "head", "", "match"});
        QSignalSpy picked(m_view.get(), &AtlasView::headsPicked);
        const QPoint a = placeOf({10, 2});
        const QPoint b = placeOf({14, 4});
        const QRect box = QRect(a, b).normalized().adjusted(-4, -4, 4, 4);
        AtlasCanvas* const canvas = m_view->canvas();
        QTest::mousePress(canvas, Qt::LeftButton, {}, box.topLeft());
        for (const QPoint& corner : {box.topRight(), box.bottomRight(), box.bottomLeft()})
            QTest::mouseMove(canvas, corner);
        QTest::mouseRelease(canvas, Qt::LeftButton, {}, box.bottomLeft());
        QCOMPARE(picked.count(), 1);
        const auto heads = picked[0][0].value<std::vector<HeadPlace>>();
        QCOMPARE(heads.size(), std::size_t(5 * 3));
        QCOMPARE(heads.front(), (HeadPlace{10, 2}));
        m_view->setMarked(heads);
        QVERIFY(m_view->summary().contains(QStringLiteral("15 marked")));
        keepPicture(*m_view, "atlas-marked");
        QSignalSpy unmarked(m_view.get(), &AtlasView::unmarkRequested);
        canvas->setFocus();
        QTest::keyClick(canvas, Qt::Key_Escape);
        QCOMPARE(unmarked.count(), 1);
    }

    /// Ctrl+Space marks the head that keys came to, and unmarks it.
    void keysMarkSeveralHeads()
    {
        fill();
        m_view->bar()->setWanted({"layer", "head", "", "match"});
        m_view->setChosen(LayerIndex(12), {4});
        AtlasCanvas* const canvas = m_view->canvas();
        canvas->setFocus();
        QSignalSpy picked(m_view.get(), &AtlasView::headsPicked);
        QTest::keyClick(canvas, Qt::Key_Right);
        QTest::keyClick(canvas, Qt::Key_Space, Qt::ControlModifier);
        QCOMPARE(picked.count(), 1);
        const auto heads = picked[0][0].value<std::vector<HeadPlace>>();
        QCOMPARE(heads.size(), std::size_t{1});
        QCOMPARE(picked[0][1].value<Qt::KeyboardModifiers>(), Qt::KeyboardModifiers(Qt::ShiftModifier)); // adds
        m_view->setMarked(heads);
        QTest::keyClick(canvas, Qt::Key_Space, Qt::ControlModifier);
        QCOMPARE(picked.count(), 2);
        QCOMPARE(picked[1][1].value<Qt::KeyboardModifiers>(), Qt::KeyboardModifiers(Qt::ControlModifier)); // removes
    }

    void keysGoFromHeadToHead()
    {
        fill();
        m_view->bar()->setWanted({"layer", "head", "", "match"});
        m_view->setChosen(LayerIndex(12), {4});
        AtlasCanvas* const canvas = m_view->canvas();
        canvas->setFocus();
        QSignalSpy clicked(m_view.get(), &AtlasView::headClicked);
        QTest::keyClick(canvas, Qt::Key_Right); // begins at the chosen one
        QTest::keyClick(canvas, Qt::Key_Right);
        QTest::keyClick(canvas, Qt::Key_Up);
        QTest::keyClick(canvas, Qt::Key_Return);
        QCOMPARE(clicked.count(), 1);
        QCOMPARE(clicked[0][0].value<HeadPlace>(), (HeadPlace{13, 5}));
        QVERIFY(canvas->accessibleDescription().startsWith(QStringLiteral("Layer 13, head 6")));
        m_view->bar()->setForm(AtlasBar::Form::Grid);
        QTest::keyClick(canvas, Qt::Key_Down);
        QTest::keyClick(canvas, Qt::Key_Down);
        QTest::keyClick(canvas, Qt::Key_Return);
        QCOMPARE(clicked.count(), 2);
        QCOMPARE(clicked[1][0].value<HeadPlace>(), (HeadPlace{13, 4}));
    }

    void measuresThatAreNotThereComeBack()
    {
        fill();
        m_view->bar()->setWanted({"layer", "first_token", "", "pattern"});
        QCOMPARE(m_view->bar()->choice().y, std::string("first_token"));
        m_view->setMeasures(test::sampleMeasures(30, 9, Stage::OutputSegment)); // has no attention
        QVERIFY(m_view->bar()->choice().y != "first_token");
        QCOMPARE(m_view->bar()->wanted().y, std::string("first_token"));
        QVERIFY(m_view->summary().contains(QStringLiteral("segments")));
        m_view->setMeasures(test::sampleMeasures(30, 9));
        QCOMPARE(m_view->bar()->choice().y, std::string("first_token"));
        QCOMPARE(m_view->bar()->choice().color, std::string("pattern"));
        auto* y = m_view->findChild<QComboBox*>(QStringLiteral("atlasY"));
        y->setCurrentIndex(y->findData(QStringLiteral("match")));
        QCOMPARE(m_view->bar()->wanted().y, std::string("match"));
        QCOMPARE(m_view->bar()->wanted().color, std::string("pattern"));
    }

    void theTableSortsByItsNumbers()
    {
        fill();
        m_view->bar()->setForm(AtlasBar::Form::Table);
        AtlasTable* const table = m_view->table();
        QVERIFY(table->isVisible());
        QCOMPARE(table->model()->rowCount(), 270);
        const int match = [&] {
            for (int column = 0; column < table->model()->columnCount(); ++column)
                if (table->model()->headerData(column, Qt::Horizontal) == QStringLiteral("Match at 1"))
                    return column;
            return -1;
        }();
        QVERIFY(match > 0);
        QVERIFY(table->model()
                    ->headerData(match, Qt::Horizontal, Qt::ToolTipRole)
                    .toString()
                    .contains(QStringLiteral("chance")));
        table->sortByColumn(match, Qt::DescendingOrder);
        double before = 1e9;
        for (int row = 0; row < 270; ++row)
        {
            const HeadPlace head = table->headOf(table->model()->index(row, 0));
            const double value = m_view->measures()->find("match")->at(head.layer, head.head);
            QVERIFY(value <= before);
            before = value;
        }
        QSignalSpy clicked(m_view.get(), &AtlasView::headClicked);
        const HeadPlace first = table->headOf(table->model()->index(0, 0));
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {},
                          table->visualRect(table->model()->index(0, 1)).center());
        QCOMPARE(clicked.count(), 1);
        QCOMPARE(clicked[0][0].value<HeadPlace>(), first);
        m_view->setMarked({{2, 1}, {3, 5}});
        QCOMPARE(table->model()->rowCount(), 2); // marked ones alone
        keepPicture(*m_view, "atlas-table");
    }

    void headsWithoutANumberComeLast()
    {
        auto measures = std::make_shared<HeadMeasures>(*test::sampleMeasures(3, 9));
        for (HeadMeasure& measure : measures->measures)
            if (measure.key == "match")
                measure.value(1, 1) = std::nan("");
        m_view->setModel(test::modelOf(3, 9, 3), viz::HeadPalette(3, 3));
        m_view->setFilled(true);
        m_view->setMeasures(measures);
        m_view->bar()->setForm(AtlasBar::Form::Table);
        AtlasTable* const table = m_view->table();
        for (int column = 0; column < table->model()->columnCount(); ++column)
            if (table->model()->headerData(column, Qt::Horizontal) == QStringLiteral("Match at 1"))
                for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder})
                {
                    table->sortByColumn(column, order);
                    QCOMPARE(table->headOf(table->model()->index(26, 0)), (HeadPlace{1, 1}));
                }
    }

    /// In the grid places are rows and columns: its colours say a measure, and dots get theirs back.
    void theGridShowsAMeasure()
    {
        fill();
        QCOMPARE(m_view->bar()->choice().color, std::string(viz::kColorByHead));
        m_view->bar()->setForm(AtlasBar::Form::Grid);
        QCOMPARE(m_view->bar()->choice().color, std::string("mean_norm"));
        m_view->bar()->setForm(AtlasBar::Form::Dots);
        QCOMPARE(m_view->bar()->choice().color, std::string(viz::kColorByHead));
        m_view->bar()->setWanted({"layer", "match", "", "spread"});
        m_view->bar()->setForm(AtlasBar::Form::Grid);
        QCOMPARE(m_view->bar()->choice().color, std::string("spread"));
    }

    void valuesOfAnotherCacheAreRefused()
    {
        fill();
        const auto shown = m_view->measures();
        OriginGuard::instance().open({"this cache"}, 10, 9);
        const auto before = OriginGuard::instance().refused();
        auto other = std::make_shared<HeadMeasures>(*test::sampleMeasures(4, 9));
        other->origin = {"another"};
        m_view->setMeasures(other);
        QCOMPARE(m_view->measures(), shown);
        auto mixed = std::make_shared<HeadMeasures>(*test::sampleMeasures(4, 9));
        mixed->origin = {"this cache"};
        for (HeadMeasure& measure : mixed->measures)
            measure.origin = {"this cache"};
        mixed->measures.back().origin = {"another"};
        m_view->setMeasures(mixed);
        QCOMPARE(m_view->measures(), shown);
        QCOMPARE(OriginGuard::instance().refused(), before + 2);
        mixed = std::make_shared<HeadMeasures>(*mixed);
        mixed->measures.back().origin = {"this cache"};
        m_view->setMeasures(mixed);
        QCOMPARE(m_view->measures(), std::shared_ptr<const HeadMeasures>(mixed));
    }

    void offersSayWhyTheyAreGrey()
    {
        fill();
        m_view->bar()->setOffer(MeasureKind::Attention, false, QStringLiteral("Attention"), QStringLiteral("no texts"));
        QAction* const attention = m_view->bar()->offer(MeasureKind::Attention);
        QVERIFY(!attention->isEnabled());
        QCOMPARE(attention->toolTip(), QStringLiteral("no texts"));
        QSignalSpy asked(m_view->bar(), &AtlasBar::measureRequested);
        m_view->bar()->offer(MeasureKind::Labels)->trigger();
        QCOMPARE(asked.count(), 1);
        QCOMPARE(asked[0][0].value<MeasureKind>(), MeasureKind::Labels);
        m_view->bar()->setRunning(true);
        QVERIFY(m_view->findChild<QPushButton*>(QStringLiteral("atlasStop"))->isVisible());
        QVERIFY(!m_view->findChild<QToolButton*>(QStringLiteral("atlasMeasure"))->isVisible());
        for (const QToolButton* button : m_view->findChildren<QToolButton*>()) // the style draws the arrow of a menu
            QVERIFY2(button->menu() == nullptr || !button->text().contains(u'▾'), qPrintable(button->text()));
    }

    void pictures_data()
    {
        QTest::addColumn<bool>("dark");
        QTest::addColumn<QSize>("size");
        QTest::newRow("light") << false << QSize(1000, 720);
        QTest::newRow("dark") << true << QSize(1000, 720);
        QTest::newRow("small") << false << QSize(560, 560);
    }

    void pictures()
    {
        QFETCH(bool, dark);
        QFETCH(QSize, size);
        Theme::instance().setScheme(dark ? Theme::Scheme::Dark : Theme::Scheme::Light);
        m_view->resize(size);
        const QByteArray name = QByteArray("atlas-") + QTest::currentDataTag();
        fill();
        m_view->setHeadPalette(viz::HeadPalette(3, 3, Theme::instance().vizTheme()));
        m_view->bar()->setNote(QStringLiteral("270 of 270 heads"));
        m_view->setChosen(LayerIndex(29), {4});
        keepPicture(*m_view, QByteArray(name + "-by-layer").constData());
        m_view->bar()->setWanted({"spread", "match", "mean_norm", "first_token"});
        keepPicture(*m_view, QByteArray(name + "-measures").constData());
        test::passMs(20); // the definitions below are longer now
        QTest::mouseMove(m_view->canvas(), {1, 1});
        QTest::mouseMove(m_view->canvas(), placeOf({29, 4}));
        WAIT_FOR(m_view->canvas()->card()->isVisible());
        keepPicture(*m_view, QByteArray(name + "-card").constData());
        m_view->bar()->setWanted({"first_token", "previous_token", "", "pattern"});
        keepPicture(*m_view, QByteArray(name + "-pattern").constData());
        m_view->bar()->setForm(AtlasBar::Form::Grid);
        keepPicture(*m_view, QByteArray(name + "-grid-pattern").constData());
        m_view->bar()->setWanted({"spread", "match", "mean_norm", "match"});
        keepPicture(*m_view, QByteArray(name + "-grid").constData());
        fill(32, 32, 8);
        keepPicture(*m_view, QByteArray(name + "-grid-1024").constData());
        m_view->bar()->setForm(AtlasBar::Form::Dots);
        keepPicture(*m_view, QByteArray(name + "-1024").constData());
        QVERIFY(m_view->canvas()->picture().scatter().plot().width() > 150);
        QVERIFY(m_view->canvas()->picture().scatter().plot().height() > 100);
        Theme::instance().setScheme(Theme::Scheme::Light);
    }
};

HEADSCOPE_TEST(TestAtlasView)
#include "tst_atlas_view.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/data/data_panel.h"

#include "tests/ui/sample_colors.h"
#include "tests/ui/window_test.h"
#include "ui/canvas/picture_widget.h"
#include "ui/dialogs/model_asks.h"
#include "ui/panels/data/head_picker.h"
#include "ui/panels/data/layer_strip.h"
#include "ui/panels/data/stage_cards.h"
#include "ui/state/choices.h"

#include <QAccessible>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QToolButton>

using namespace headscope;
using headscope::ui::Choices;
using headscope::ui::DataPanel;
using Heads = std::vector<std::int64_t>;

class TestDataPanel : public QObject
{
    Q_OBJECT

private:
    void prepare(DataPanel& panel)
    {
        panel.resize(264, 800);
        m_choices->open(test::sampleOverview());
        panel.setHeadPalette(viz::HeadPalette(8, 4));
        panel.show();
    }

    std::unique_ptr<Choices> m_choices;

private Q_SLOTS:
    void init()
    {
        m_choices = std::make_unique<Choices>();
        m_choices->setColorSource(test::sampleColors);
    }

    void startsOnTheLastLayerWithAllHeads()
    {
        DataPanel panel(*m_choices);
        prepare(panel);
        QCOMPARE(m_choices->now().layer, LayerIndex(31));
        QCOMPARE(m_choices->now().stage, Stage::HeadOutput);
        QCOMPARE(m_choices->now().heads.size(), 32u);
        QCOMPARE(m_choices->now().labelColumn, std::string("topic"));
        QCOMPARE(panel.headField()->text(), QStringLiteral("1-32"));
    }

    /// What was changed in the model is said beside its sizes.
    void aChangedModelIsSaid()
    {
        DataPanel panel(*m_choices);
        prepare(panel);
        auto* changed = panel.findChild<QLabel*>(QStringLiteral("modelChanged"));
        QVERIFY(!changed->isVisible());
        auto overview = std::make_shared<ui::CacheOverview>(*test::sampleOverview());
        overview->model.changes = {"5:3,7", "mean", "90 documents, 800 tokens, XXH3 0123", 0};
        m_choices->open(overview);
        QVERIFY(changed->isVisible());
        QCOMPARE(changed->text(), QStringLiteral("changed: heads 3, 7 of layer 5 ablated (mean over 90 documents)"));
        m_choices->open(test::sampleOverview());
        QVERIFY(!changed->isVisible());
    }

    /// What the files of the model ask for is behind a button, where the cache has kept it.
    void theModelsFilesAreShown()
    {
        DataPanel panel(*m_choices);
        prepare(panel);
        auto* button = panel.findChild<QPushButton*>(QStringLiteral("modelFiles"));
        QVERIFY(!button->isVisible());
        auto overview = std::make_shared<ui::CacheOverview>(*test::sampleOverview());
        overview->asks = {{"pooling", "last token"}, {"end token", "</s> is appended"}};
        m_choices->open(overview);
        QVERIFY(button->isVisible());
        // It begins where the lines above it begin.
        const auto inkOf = [](QWidget& widget) {
            const QImage image = widget.grab().toImage();
            int left = image.width();
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < left; ++x)
                    if (image.pixel(x, y) != image.pixel(image.width() - 1, 0))
                        left = x;
            return left;
        };
        QVERIFY2(inkOf(*button) <= 1 + button->fontMetrics().leftBearing(u'm'),
                 qPrintable(QString::number(inkOf(*button))));
        QTest::mouseClick(button, Qt::LeftButton);
        auto* dialog = panel.findChild<ui::ModelAsksDialog*>();
        QVERIFY(dialog != nullptr && dialog->isVisible());
        auto* list = dialog->findChild<ui::ModelAsks*>();
        QCOMPARE(list->rowCount(), 2);
        QCOMPARE(list->item(1, 1)->text(), QStringLiteral("</s> is appended"));
        QCOMPARE(list->accessibleName(), ui::ModelAsks::title());
        dialog->reject();
    }

    void typedRangesChooseHeads()
    {
        DataPanel panel(*m_choices);
        prepare(panel);
        QSignalSpy changed(m_choices.get(), &Choices::headsChanged);
        panel.headField()->selectAll();
        QTest::keyClicks(panel.headField(), QStringLiteral("1-4,9"));
        QTest::keyClick(panel.headField(), Qt::Key_Return);
        QCOMPARE(m_choices->now().heads, (Heads{0, 1, 2, 3, 8}));
        QVERIFY2(panel.accessibleDescription().contains(QStringLiteral("5 of 32")),
                 qPrintable(panel.accessibleDescription()));
        QCOMPARE(changed.count(), 1);
    }

    void wrongRangesSayWhy()
    {
        DataPanel panel(*m_choices);
        prepare(panel);
        const auto* error = panel.findChild<QLabel*>(QStringLiteral("headError"));
        QVERIFY(error->isHidden());
        panel.headField()->selectAll();
        QTest::keyClicks(panel.headField(), QStringLiteral("1-99"));
        QTest::keyClick(panel.headField(), Qt::Key_Return);
        QVERIFY(!error->isHidden());
        QVERIFY2(error->text().contains(QStringLiteral("1-32")), qPrintable(error->text()));
        QCOMPARE(m_choices->now().heads.size(), 32u);
        QTest::mouseClick(panel.findChild<QWidget*>(QStringLiteral("noHeads")), Qt::LeftButton);
        QVERIFY(error->isHidden());
        QVERIFY(m_choices->now().heads.empty());
        // An empty field that nobody edited stays "none".
        QTest::keyClick(panel.headField(), Qt::Key_Return);
        QVERIFY(m_choices->now().heads.empty());
        QTest::mouseClick(panel.findChild<QWidget*>(QStringLiteral("allHeads")), Qt::LeftButton);
        QCOMPARE(m_choices->now().heads.size(), 32u);
    }

    void layersOutsideTheCacheCannotBeChosen()
    {
        DataPanel panel(*m_choices);
        prepare(panel);
        QSignalSpy changed(m_choices.get(), &Choices::sourceChanged);
        auto* strip = panel.layerStrip();
        QTest::mouseClick(strip, Qt::LeftButton, {}, strip->picture().placeOf(3).center().toPoint());
        QCOMPARE(changed.count(), 0);
        QTest::mouseClick(strip, Qt::LeftButton, {}, strip->picture().placeOf(15).center().toPoint());
        QCOMPARE(changed.count(), 1);
        QCOMPARE(m_choices->now().layer, LayerIndex(15));
        strip->setFocus();
        QTest::keyClick(strip, Qt::Key_Right);
        QCOMPARE(m_choices->now().layer, LayerIndex(31));
    }

    void stagesSaySegment()
    {
        DataPanel panel(*m_choices);
        prepare(panel);
        QSignalSpy changed(m_choices.get(), &Choices::sourceChanged);
        auto* chosen = panel.stageCards()->card(Stage::OutputSegment);
        QTest::mouseClick(chosen, Qt::LeftButton, {}, {chosen->width() - 4, chosen->height() / 2}); // all of it
        const QAccessibleInterface* heard = QAccessible::queryAccessibleInterface(chosen);
        QVERIFY(heard->role() == QAccessible::RadioButton && heard->state().checked);
        QCOMPARE(m_choices->now().stage, Stage::OutputSegment);
        QCOMPARE(changed.count(), 1);
        QCOMPARE(panel.headPicker()->accessibleName(), QStringLiteral("Segments"));
        QVERIFY(panel.stageCards()->card(Stage::Contribution)->isHidden());
    }

    void lastLayerSaysWhereItsNormIs()
    {
        DataPanel panel(*m_choices);
        prepare(panel);
        const auto* card = panel.stageCards()->card(Stage::OutputSegment);
        QCOMPARE(card->accessibleDescription(), QStringLiteral("after the final norm, in segments"));
        QVERIFY(card->toolTip().contains(QStringLiteral("write into each segment")));
        QVERIFY(card->toolTip().contains(QStringLiteral("after the final norm")));
        m_choices->setLayer(LayerIndex(15));
        QCOMPARE(card->accessibleDescription(), QStringLiteral("heads and MLP, in segments"));
        QVERIFY(!card->toolTip().contains(QStringLiteral("final norm")));
        auto raw = std::make_shared<ui::CacheOverview>(*test::sampleOverview());
        raw->model.lastLayerRaw = true;
        m_choices->open(raw);
        QCOMPARE(card->accessibleDescription(), QStringLiteral("before the final norm, in segments"));
    }

    void coloursFollowTheColumns()
    {
        DataPanel panel(*m_choices);
        prepare(panel);
        QSignalSpy changed(m_choices.get(), &Choices::colorChanged);
        QCOMPARE(m_choices->now().color.coloring, std::string("head"));
        panel.colorBox()->setCurrentIndex(1);
        QCOMPARE(m_choices->now().color.coloring, std::string("strength"));
        panel.colorBox()->setCurrentIndex(2);
        QCOMPARE(m_choices->now().color, (ui::ColorChoice{"label", "topic"}));
        QCOMPARE(changed.count(), 2);
    }

    /// What others choose is shown, and nothing is chosen a second time.
    void showsWhatIsChosenElsewhere()
    {
        DataPanel panel(*m_choices);
        prepare(panel);
        QSignalSpy source(m_choices.get(), &Choices::sourceChanged);
        QSignalSpy heads(m_choices.get(), &Choices::headsChanged);
        QSignalSpy labels(m_choices.get(), &Choices::labelChanged);
        QSignalSpy colors(m_choices.get(), &Choices::colorChanged);
        m_choices->setLayer(LayerIndex(15));
        m_choices->setStage(Stage::OutputSegment);
        m_choices->setHeads({8, 0});
        QVERIFY(m_choices->setColor({"label", "topic"}));
        QCOMPARE(panel.layerStrip()->picture().current(), LayerIndex(15));
        QCOMPARE(panel.stageCards()->current(), Stage::OutputSegment);
        QCOMPARE(panel.headPicker()->heads(), (Heads{0, 8}));
        QCOMPARE(panel.headField()->text(), QStringLiteral("1,9"));
        QCOMPARE(panel.colorBox()->currentData().toString(), QStringLiteral("label:topic"));
        QCOMPARE(source.count(), 2);
        QCOMPARE(heads.count(), 1);
        QCOMPARE(labels.count(), 0);
        QCOMPARE(colors.count(), 1);
    }

    /// A type of numbers is no word of a reader's: it says what it is of.
    void saysHowVectorsAreStored()
    {
        auto overview = std::make_shared<ui::CacheOverview>(*test::sampleOverview());
        overview->dtype = "float16";
        DataPanel panel(*m_choices);
        m_choices->open(overview);
        const auto labels = panel.findChildren<QLabel*>();
        const auto says = [&](const QString& words) {
            return std::any_of(labels.begin(), labels.end(), [&](const QLabel* label) {
                return label->text().replace(QChar(0x00A0), u' ').contains(words);
            });
        };
        QVERIFY(says(QStringLiteral("stored as float16")));
        overview = std::make_shared<ui::CacheOverview>(*overview);
        overview->dtype.clear();
        m_choices->open(overview);
        QVERIFY(!says(QStringLiteral("stored as")));
        m_choices->open(nullptr);
    }

    void cacheWithoutLabelsAndStages()
    {
        auto overview = std::make_shared<ui::CacheOverview>(*test::sampleOverview());
        auto documents = std::make_shared<DocumentSet>(*overview->documents);
        documents->labels.clear();
        overview->documents = documents;
        overview->stages = {{LayerIndex(2), {Stage::OutputSegment}}};
        DataPanel panel(*m_choices);
        m_choices->open(overview);
        QCOMPARE(m_choices->now().layer, LayerIndex(2));
        QCOMPARE(m_choices->now().stage, Stage::OutputSegment);
        QVERIFY(m_choices->now().labelColumn.empty());
        QVERIFY(!panel.stageCards()->card(Stage::HeadOutput)->isEnabled());
        overview = std::make_shared<ui::CacheOverview>(*overview);
        overview->stages.clear();
        m_choices->open(overview);
        m_choices->open(nullptr);
    }
};

HEADSCOPE_WINDOW_TEST(TestDataPanel)
#include "tst_data_panel.moc"

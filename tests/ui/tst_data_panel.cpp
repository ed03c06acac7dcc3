// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/data_panel.h"

#include "tests/ui/window_test.h"
#include "ui/panels/head_picker.h"
#include "ui/panels/layer_strip.h"
#include "ui/panels/stage_cards.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>

using namespace headscope;
using headscope::ui::DataPanel;
using Heads = std::vector<std::int64_t>;

class TestDataPanel : public QObject
{
    Q_OBJECT

private:
    static void prepare(DataPanel& panel)
    {
        panel.resize(264, 800);
        panel.setOverview(test::sampleOverview());
        panel.setHeadPalette(viz::HeadPalette(8, 4));
        panel.show();
    }

private Q_SLOTS:
    void startsOnTheLastLayerWithAllHeads()
    {
        DataPanel panel;
        prepare(panel);
        QCOMPARE(panel.layer(), LayerIndex(31));
        QCOMPARE(panel.stage(), Stage::HeadOutput);
        QCOMPARE(panel.heads().size(), 32u);
        QCOMPARE(panel.labelColumn(), std::string("topic"));
        QCOMPARE(panel.headField()->text(), QStringLiteral("1-32"));
    }

    void typedRangesChooseHeads()
    {
        DataPanel panel;
        prepare(panel);
        QSignalSpy changed(&panel, &DataPanel::headsChanged);
        panel.headField()->selectAll();
        QTest::keyClicks(panel.headField(), QStringLiteral("1-4,9"));
        QTest::keyClick(panel.headField(), Qt::Key_Return);
        QCOMPARE(panel.heads(), (Heads{0, 1, 2, 3, 8}));
        QVERIFY2(panel.accessibleDescription().contains(QStringLiteral("5 of 32")),
                 qPrintable(panel.accessibleDescription()));
        QCOMPARE(changed.count(), 1);
    }

    void wrongRangesSayWhy()
    {
        DataPanel panel;
        prepare(panel);
        const auto* error = panel.findChild<QLabel*>(QStringLiteral("headError"));
        QVERIFY(error->isHidden());
        panel.headField()->selectAll();
        QTest::keyClicks(panel.headField(), QStringLiteral("1-99"));
        QTest::keyClick(panel.headField(), Qt::Key_Return);
        QVERIFY(!error->isHidden());
        QVERIFY2(error->text().contains(QStringLiteral("1-32")), qPrintable(error->text()));
        QCOMPARE(panel.heads().size(), 32u);
        QTest::mouseClick(panel.findChild<QWidget*>(QStringLiteral("noHeads")), Qt::LeftButton);
        QVERIFY(error->isHidden());
        QVERIFY(panel.heads().empty());
        // An empty field that nobody edited stays "none".
        QTest::keyClick(panel.headField(), Qt::Key_Return);
        QVERIFY(panel.heads().empty());
        QTest::mouseClick(panel.findChild<QWidget*>(QStringLiteral("allHeads")), Qt::LeftButton);
        QCOMPARE(panel.heads().size(), 32u);
    }

    void layersOutsideTheCacheCannotBeChosen()
    {
        DataPanel panel;
        prepare(panel);
        QSignalSpy changed(&panel, &DataPanel::sourceChanged);
        ui::LayerStrip* strip = panel.layerStrip();
        QTest::mouseClick(strip, Qt::LeftButton, {}, strip->barRect(3).center());
        QCOMPARE(changed.count(), 0);
        QTest::mouseClick(strip, Qt::LeftButton, {}, strip->barRect(15).center());
        QCOMPARE(changed.count(), 1);
        QCOMPARE(panel.layer(), LayerIndex(15));
        strip->setFocus();
        QTest::keyClick(strip, Qt::Key_Right);
        QCOMPARE(panel.layer(), LayerIndex(31));
    }

    void stagesSaySegment()
    {
        DataPanel panel;
        prepare(panel);
        QSignalSpy changed(&panel, &DataPanel::sourceChanged);
        QTest::mouseClick(panel.stageCards()->card(Stage::OutputSegment), Qt::LeftButton);
        QCOMPARE(panel.stage(), Stage::OutputSegment);
        QCOMPARE(changed.count(), 1);
        QCOMPARE(panel.headPicker()->accessibleName(), QStringLiteral("Segments"));
        QVERIFY(panel.stageCards()->card(Stage::Contribution)->isHidden());
    }

    void coloursFollowTheColumns()
    {
        DataPanel panel;
        prepare(panel);
        QSignalSpy changed(&panel, &DataPanel::colorChanged);
        QCOMPARE(panel.colorChoice().kind, ui::ColorChoice::Kind::Head);
        panel.colorBox()->setCurrentIndex(1);
        QCOMPARE(panel.colorChoice().kind, ui::ColorChoice::Kind::Strength);
        panel.colorBox()->setCurrentIndex(2);
        QCOMPARE(panel.colorChoice(), (ui::ColorChoice{ui::ColorChoice::Kind::Label, "topic"}));
        QCOMPARE(changed.count(), 2);
    }

    void cacheWithoutLabelsAndStages()
    {
        auto overview = std::make_shared<ui::CacheOverview>(*test::sampleOverview());
        auto documents = std::make_shared<DocumentSet>(*overview->documents);
        documents->labels.clear();
        overview->documents = documents;
        overview->stages = {{LayerIndex(2), {Stage::OutputSegment}}};
        DataPanel panel;
        panel.setOverview(overview);
        QCOMPARE(panel.layer(), LayerIndex(2));
        QCOMPARE(panel.stage(), Stage::OutputSegment);
        QVERIFY(panel.labelColumn().empty());
        QVERIFY(!panel.stageCards()->card(Stage::HeadOutput)->isEnabled());
        overview = std::make_shared<ui::CacheOverview>(*overview);
        overview->stages.clear();
        panel.setOverview(overview);
        panel.setOverview(nullptr);
    }
};

HEADSCOPE_WINDOW_TEST(TestDataPanel)
#include "tst_data_panel.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/figure_dialog.h"
#include "ui/dialogs/picture_dialog.h"

#include "tests/ui/window_test.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>

using namespace headscope;
using headscope::ui::FigureDialog;
using headscope::ui::PictureDialog;

class TestPictureDialog : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void scaleAndDotsPerInchAreOne()
    {
        PictureDialog dialog({1000, 600});
        auto* scale = dialog.findChild<QDoubleSpinBox*>(QStringLiteral("pictureScale"));
        auto* dpi = dialog.findChild<QSpinBox*>(QStringLiteral("pictureDpi"));
        auto* pixels = dialog.findChild<QLabel*>(QStringLiteral("picturePixels"));
        QCOMPARE(dpi->value(), 192);
        QCOMPARE(pixels->text(), QStringLiteral("2,000 × 1,200 pixels"));
        scale->setValue(3.5);
        QCOMPARE(dpi->value(), 336);
        QCOMPARE(dialog.scale(), 3.5);
        dpi->setValue(300);
        QCOMPARE(dialog.scale(), 3.125);
        QCOMPARE(pixels->text(), QStringLiteral("3,125 × 1,875 pixels"));
        QVERIFY(std::abs(scale->value() - 3.125) < 0.01);
        scale->setValue(100);
        QCOMPARE(scale->value(), PictureDialog::kLargestScale);
        QSignalSpy chosen(&dialog, &PictureDialog::scaleChosen);
        dialog.show();
        QTest::mouseClick(dialog.findChild<QPushButton*>(QStringLiteral("pictureSave")), Qt::LeftButton);
        QCOMPARE(chosen.count(), 1);
        QCOMPARE(chosen.at(0).at(0).toDouble(), 8.0);
    }

    void aFigureHasAWidthOnPaper()
    {
        FigureDialog dialog({171.45, 300});
        auto* usual = dialog.findChild<QComboBox*>(QStringLiteral("figureUsual"));
        auto* width = dialog.findChild<QDoubleSpinBox*>(QStringLiteral("figureWidth"));
        auto* pixels = dialog.findChild<QLabel*>(QStringLiteral("figurePixels"));
        QCOMPARE(usual->currentText(), QStringLiteral("Two columns, 171.45 mm"));
        QVERIFY(pixels->text().startsWith(QStringLiteral("2,025 pixels wide")));
        usual->setCurrentIndex(0);
        Q_EMIT usual->activated(0);
        QCOMPARE(width->value(), 77.0);
        width->setValue(120.5);
        QCOMPARE(usual->currentText(), QStringLiteral("Another width"));
        width->setValue(160);
        QCOMPARE(usual->currentText(), QStringLiteral("Text on A4, 160 mm"));
        width->setValue(5);
        QCOMPARE(width->value(), FigureDialog::kLeastMm);
        QSignalSpy chosen(&dialog, &FigureDialog::sizeChosen);
        dialog.show();
        QTest::mouseClick(dialog.findChild<QPushButton*>(QStringLiteral("figureSave")), Qt::LeftButton);
        QCOMPARE(chosen.count(), 1);
        QCOMPARE(dialog.chosenSize().widthMm, FigureDialog::kLeastMm);
        QCOMPARE(dialog.chosenSize().dpi, 300);
    }
};

HEADSCOPE_WINDOW_TEST(TestPictureDialog)
#include "tst_picture_dialog.moc"

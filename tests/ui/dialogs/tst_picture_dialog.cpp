// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/figures/figure_dialog.h"
#include "ui/dialogs/figures/figure_preview.h"
#include "ui/dialogs/figures/picture_dialog.h"

#include "tests/ui/window_test.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>

using namespace headscope;
using headscope::ui::FigureDialog;
using headscope::ui::FigurePicture;
using headscope::ui::FigurePreview;
using headscope::ui::FigureSize;
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

    void aVenueSetsWidthAndText()
    {
        FigureDialog dialog({77, 300, QStringLiteral("acl-column")});
        auto* usual = dialog.findChild<QComboBox*>(QStringLiteral("figureUsual"));
        QCOMPARE(usual->currentText(), QStringLiteral("ACL, one column, 77 mm"));
        QCOMPARE(dialog.chosenSize().preset, QStringLiteral("acl-column"));
        const int poster = usual->findText(QStringLiteral("Poster, 250 mm"));
        usual->setCurrentIndex(poster);
        Q_EMIT usual->activated(poster);
        QCOMPARE(dialog.chosenSize().widthMm, 250.0);
        QCOMPARE(dialog.chosenSize().preset, QStringLiteral("poster"));
        auto* width = dialog.findChild<QDoubleSpinBox*>(QStringLiteral("figureWidth"));
        width->setValue(251); // is for no venue
        QCOMPARE(usual->currentText(), QStringLiteral("Another width"));
        QCOMPARE(dialog.chosenSize().preset, QString());
    }

    void theFigureIsSeenAtItsSize()
    {
        std::vector<FigureSize> asked;
        FigurePicture picture{QImage(400, 200, QImage::Format_RGB32), QSizeF(77, 38.5), 5.2,
                              QStringLiteral("What it shows.")};
        picture.image.fill(QColor(200, 30, 30));
        FigureDialog dialog({77, 300, {}}, [&](const FigureSize& size, const auto& then) {
            asked.push_back(size);
            then(picture);
        });
        dialog.show();
        QTRY_COMPARE(asked.size(), std::size_t{1});
        auto* preview = dialog.findChild<FigurePreview*>();
        QVERIFY(std::abs(preview->width() - (77 + 16) * preview->pixelsPerMm()) < 2);
        auto* readable = dialog.findChild<QLabel*>(QStringLiteral("figureReadable"));
        QVERIFY2(readable->text().contains(QStringLiteral("too small to read")), qPrintable(readable->text()));
        auto* sight = dialog.findChild<QComboBox*>(QStringLiteral("figureSight"));
        sight->setCurrentIndex(1);
        const QColor grey = preview->shown().pixelColor(5, 5);
        QVERIFY(std::abs(grey.red() - grey.blue()) <= 1);
        dialog.findChild<QDoubleSpinBox*>(QStringLiteral("figureWidth"))->setValue(160);
        QTRY_COMPARE(asked.size(), std::size_t{2});
        QCOMPARE(asked.back().widthMm, 160.0);
        QVERIFY(preview->grab().toImage().pixelColor(2, 2) == QColor(Qt::white)); // paper
    }

    void whatCannotBeMadeIsSaid()
    {
        FigureDialog dialog({77, 300, {}}, [](const FigureSize&, const auto& then) {
            then(headscope::Error{
                headscope::ErrorCode::OutOfMemory, "expected memory for a picture, found none", {}, {}});
        });
        dialog.show();
        auto* preview = dialog.findChild<FigurePreview*>();
        QTRY_VERIFY(preview->shown().isNull());
        QVERIFY(dialog.findChild<QPushButton*>(QStringLiteral("figureSave"))->isEnabled());
    }
};

HEADSCOPE_WINDOW_TEST(TestPictureDialog)
#include "tst_picture_dialog.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/waiting.h"
#include "ui/dialogs/figures/figure_dialog.h"
#include "ui/dialogs/figures/figure_preview.h"
#include "ui/dialogs/figures/picture_dialog.h"

#include "tests/ui/window_test.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSpinBox>
#include <QToolButton>

using namespace headscope;
using Kind = headscope::viz::Annotation::Kind;
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
        QVERIFY(pixels->text().startsWith(QStringLiteral("As PNG: 2,025 pixels")));
        usual->setCurrentIndex(0);
        Q_EMIT usual->activated(0);
        QCOMPARE(width->value(), 77.0);
        width->setValue(120.5);
        QCOMPARE(usual->currentText(), QStringLiteral("Custom width"));
        width->setValue(160);
        QCOMPARE(usual->currentText(), QStringLiteral("Text width on A4, 160 mm"));
        width->setValue(5);
        QCOMPARE(width->value(), 60.0);
        QSignalSpy chosen(&dialog, &FigureDialog::sizeChosen);
        dialog.show();
        QTest::mouseClick(dialog.findChild<QPushButton*>(QStringLiteral("figureSave")), Qt::LeftButton);
        QCOMPARE(chosen.count(), 1);
        QCOMPARE(dialog.chosenSize().widthMm, 60.0);
        QCOMPARE(dialog.chosenSize().dpi, 300);
    }

    void aVenueSetsWidthAndText()
    {
        FigureDialog dialog({77, 300, "acl-column"});
        auto* usual = dialog.findChild<QComboBox*>(QStringLiteral("figureUsual"));
        QCOMPARE(usual->currentText(), QStringLiteral("ACL, one column, 77 mm"));
        QCOMPARE(dialog.chosenSize().preset, std::string("acl-column"));
        const int poster = usual->findText(QStringLiteral("Poster, 250 mm"));
        usual->setCurrentIndex(poster);
        Q_EMIT usual->activated(poster);
        QCOMPARE(dialog.chosenSize().widthMm, 250.0);
        QCOMPARE(dialog.chosenSize().preset, std::string("poster"));
        auto* width = dialog.findChild<QDoubleSpinBox*>(QStringLiteral("figureWidth"));
        width->setValue(251); // is for no venue
        QCOMPARE(usual->currentText(), QStringLiteral("Custom width"));
        QCOMPARE(dialog.chosenSize().preset, std::string());
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
        WAIT_COMPARE(asked.size(), std::size_t{1});
        auto* preview = dialog.findChild<FigurePreview*>();
        QVERIFY(std::abs(preview->width() - (77 + 16) * preview->pixelsPerMm()) < 2);
        auto* readable = dialog.findChild<QLabel*>(QStringLiteral("figureReadable"));
        QVERIFY2(readable->text().contains(QStringLiteral("is too small")), qPrintable(readable->text()));
        auto* sight = dialog.findChild<QComboBox*>(QStringLiteral("figureSight"));
        sight->setCurrentIndex(1);
        const QColor grey = preview->shown().pixelColor(5, 5);
        QVERIFY(std::abs(grey.red() - grey.blue()) <= 1);
        dialog.findChild<QDoubleSpinBox*>(QStringLiteral("figureWidth"))->setValue(160);
        WAIT_COMPARE(asked.size(), std::size_t{2});
        QCOMPARE(asked.back().widthMm, 160.0);
        QVERIFY(preview->grab().toImage().pixelColor(2, 2) == QColor(Qt::white)); // paper
    }

    /// All of a wide figure can be seen, and it is said that it is smaller than on paper.
    void aFigureTooWideForTheWindowIsShownWhole()
    {
        FigurePicture picture{QImage(800, 400, QImage::Format_RGB32), QSizeF(250, 125), 8, {}};
        picture.image.fill(Qt::white);
        FigureDialog dialog({250, 300, {}}, [&](const FigureSize&, const auto& then) { then(picture); });
        dialog.resize(900, 560);
        dialog.show();
        auto* preview = dialog.findChild<FigurePreview*>();
        auto* paper = dialog.findChild<QScrollArea*>(QStringLiteral("figurePaper"));
        auto* isTrue = dialog.findChild<QCheckBox*>(QStringLiteral("figureTrueSize"));
        WAIT_FOR(!preview->shown().isNull());
        QVERIFY(preview->zoom() < 1);
        QVERIFY2(preview->width() <= paper->viewport()->width(), qPrintable(QString::number(preview->width())));
        QVERIFY2(isTrue->isEnabled() && isTrue->text().contains(u'%'), qPrintable(isTrue->text()));
        isTrue->setChecked(true);
        QCOMPARE(preview->zoom(), 1.0);
        QVERIFY(preview->width() > paper->viewport()->width());
        QVERIFY(paper->horizontalScrollBar()->maximum() > 0);
        isTrue->setChecked(false);
        dialog.resize(1'600, 560);
        WAIT_COMPARE(preview->zoom(), 1.0);
        QVERIFY(!isTrue->isEnabled());
    }

    void wordsAreWrittenOntoIt()
    {
        std::vector<FigureSize> asked;
        FigurePicture picture{QImage(400, 200, QImage::Format_RGB32), QSizeF(80, 40), 8, {}, QRectF(2, 2, 76, 36)};
        picture.image.fill(Qt::white);
        FigureSize proposal{80, 300, {}};
        proposal.annotations = {{Kind::Box, {{0.1, 0.1}, false}, {{0.5, 0.5}, false}, QStringLiteral("Kept")}};
        FigureDialog dialog(proposal, [&](const FigureSize& size, const auto& then) {
            asked.push_back(size);
            then(picture);
        });
        dialog.show();
        WAIT_COMPARE(asked.size(), std::size_t{1});
        QCOMPARE(asked[0].annotations.size(), std::size_t{1});
        auto* list = dialog.findChild<QListWidget*>(QStringLiteral("markList"));
        auto* text = dialog.findChild<QLineEdit*>(QStringLiteral("markText"));
        QCOMPARE(list->item(0)->text(), QStringLiteral("Box: Kept"));
        QTest::mouseClick(dialog.findChild<QToolButton*>(QStringLiteral("markArrow")), Qt::LeftButton);
        QCOMPARE(list->currentRow(), 1);
        text->selectAll();
        QTest::keyClicks(text, QStringLiteral("  Look here "));
        WAIT_COMPARE(asked.size(), std::size_t{2});
        QCOMPARE(asked[1].annotations.back().text, QStringLiteral("Look here"));
        // Its tip is dragged, on the paper and not beyond it.
        auto* preview = dialog.findChild<FigurePreview*>();
        const QPoint tip = preview->handleOf(1, true).toPoint();
        QTest::mousePress(preview, Qt::LeftButton, {}, tip);
        QTest::mouseMove(preview, tip + QPoint(20, 9));
        QTest::mouseRelease(preview, Qt::LeftButton, {}, tip + QPoint(20, 9));
        const auto at = dialog.chosenSize().annotations[1].to.at;
        const double mm = preview->pixelsPerMm();
        QVERIFY2(std::abs(at.x() - (asked[1].annotations[1].to.at.x() + 20 / (76 * mm))) < 0.01,
                 qPrintable(QString::number(at.x())));
        QTest::mousePress(preview, Qt::LeftButton, {}, preview->handleOf(1, true).toPoint());
        QTest::mouseMove(preview, {5'000, -5'000});
        QTest::mouseRelease(preview, Qt::LeftButton, {}, {5'000, -5'000});
        QCOMPARE(dialog.chosenSize().annotations[1].to.at, QPointF(1, 0));
        // And by keys: its start, with Shift its end.
        const QPointF start = dialog.chosenSize().annotations[1].from.at;
        QTest::keyClick(preview, Qt::Key_Right);
        QTest::keyClick(preview, Qt::Key_Down, Qt::ShiftModifier);
        QCOMPARE(dialog.chosenSize().annotations[1].from.at.x(), start.x() + 0.01);
        QCOMPARE(dialog.chosenSize().annotations[1].to.at, QPointF(1, 0.01));
        // A label without a text is none; what is removed is gone.
        QTest::mouseClick(dialog.findChild<QToolButton*>(QStringLiteral("markLabel")), Qt::LeftButton);
        text->clear();
        Q_EMIT text->textEdited({});
        QCOMPARE(dialog.chosenSize().annotations.size(), std::size_t{2});
        list->setCurrentRow(0);
        list->setFocus();
        WAIT_FOR(list->hasFocus());
        QTest::keyClick(list, Qt::Key_Delete);
        QCOMPARE(dialog.chosenSize().annotations.size(), std::size_t{1});
        QCOMPARE(dialog.chosenSize().annotations[0].text, QStringLiteral("Look here"));
    }

    void whatCannotBeMadeIsSaid()
    {
        FigureDialog dialog({77, 300, {}}, [](const FigureSize&, const auto& then) {
            then(headscope::Error{headscope::ErrorCode::OutOfMemory, "not enough memory for the image", {}, {}});
        });
        dialog.show();
        auto* preview = dialog.findChild<FigurePreview*>();
        WAIT_FOR(preview->shown().isNull());
        QVERIFY(dialog.findChild<QPushButton*>(QStringLiteral("figureSave"))->isEnabled());
    }
};

HEADSCOPE_WINDOW_TEST(TestPictureDialog)
#include "tst_picture_dialog.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/schema_dialog.h"

#include "tests/support/waiting.h"
#include "tests/ui/window_test.h"

#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>

using namespace headscope;
using headscope::ui::SchemaDialog;
using headscope::ui::SchemaPicture;

class TestSchemaDialog : public QObject
{
    Q_OBJECT

    static viz::LayerSchema sample()
    {
        ModelInfo info;
        info.name = "tiny";
        info.family = "llama";
        info.layers = 30;
        info.heads = 9;
        info.kvHeads = 3;
        info.headDim = 64;
        info.modelDim = 576;
        return viz::layerSchema(info, 29);
    }

private Q_SLOTS:
    void theWholePictureCanBeSeen()
    {
        SchemaDialog dialog(sample());
        dialog.resize(500, 400);
        dialog.show();
        QVERIFY(test::exposed(&dialog));
        auto* picture = dialog.findChild<SchemaPicture*>();
        auto* scroll = dialog.findChild<QScrollArea*>();
        // As wide as its room, as high as the drawing at this width: what does not fit is scrolled to.
        QCOMPARE(picture->width(), scroll->viewport()->width());
        QVERIFY(picture->height() >= picture->heightForWidth(picture->width()));
        QVERIFY2(picture->accessibleDescription().contains(QStringLiteral("Layer 29 of tiny")),
                 qPrintable(picture->accessibleDescription()));
        // Keys scroll at once.
        auto* bar = scroll->verticalScrollBar();
        QVERIFY(bar->maximum() > 0);
        QVERIFY(test::active(&dialog));
        QTest::keyClick(dialog.findChild<QPushButton*>(QStringLiteral("schemaSave")), Qt::Key_PageDown);
        QVERIFY(bar->value() > 0);
        const QSignalSpy save(&dialog, &SchemaDialog::saveRequested);
        QTest::mouseClick(dialog.findChild<QPushButton*>(QStringLiteral("schemaSave")), Qt::LeftButton);
        QCOMPARE(save.count(), 1);
    }
};

HEADSCOPE_WINDOW_TEST(TestSchemaDialog)
#include "tst_schema_dialog.moc"

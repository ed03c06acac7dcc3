// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_program.h"
#include "tests/support/waiting.h"
#include "ui/theme/theme.h"
#include "ui/widgets/wrapped_header.h"

#include <QImage>
#include <QStandardItemModel>
#include <QTableView>

#include <algorithm>
#include <cmath>

using headscope::ui::Theme;
using headscope::ui::WrappedHeader;

class TestWrappedHeader : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void titlesAreWhole_data()
    {
        QTest::addColumn<QString>("title");
        QTest::newRow("one word") << QStringLiteral("Accuracy");
        QTest::newRow("two lines") << QStringLiteral("Control-task gap");
        QTest::newRow("sorted by") << QStringLiteral("Layer");
    }

    /// As many pixels are inked in the column's own width as where there is room to spare.
    void titlesAreWhole()
    {
        QFETCH(QString, title);
        Theme::instance().apply(*qApp);
        Theme::instance().setScheme(Theme::Scheme::Light);
        QStandardItemModel model(1, 2);
        model.setHorizontalHeaderLabels({title, QStringLiteral("x")});
        QTableView table;
        table.setModel(&model);
        auto* header = new WrappedHeader(&table);
        table.setHorizontalHeader(header);
        header->setSortIndicatorShown(title == QLatin1StringView("Layer"));
        header->setSortIndicator(0, Qt::AscendingOrder);
        table.resize(600, 200);
        table.show();
        QVERIFY(headscope::test::exposed(&table));

        header->resizeSections(QHeaderView::ResizeToContents);
        const int narrow = header->sectionSize(0);
        const int inked = inkOf(*header);
        header->resizeSection(0, narrow + 80);
        QVERIFY(inked > 0);
        QCOMPARE(inked, inkOf(*header));
    }

private:
    /// Dark pixels of the first section, without the lines at its edges and the arrow.
    static int inkOf(WrappedHeader& header)
    {
        const QImage image = header.grab().toImage().convertToFormat(QImage::Format_RGB32);
        const double scale = image.devicePixelRatio();
        const auto edge = static_cast<int>(std::lround(2 * scale));
        const auto width = static_cast<int>(std::lround(header.sectionSize(0) * scale));
        constexpr int kDark = 180; // of titles, in light colours; lines and grounds are lighter
        int inked = 0;
        const auto arrow = static_cast<int>(std::lround(8 * scale)); // of sorting, above the title
        for (int y = arrow; y < image.height() - edge; ++y)
            for (int x = edge; x < width - edge; ++x)
                inked += qGray(image.pixel(x, y)) < kDark ? 1 : 0;
        return inked;
    }
};

HEADSCOPE_TEST(TestWrappedHeader)
#include "tst_wrapped_header.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// Ids, labels and names of files are shown as they are, however much they look like markup.
#include "ui/theme/plain_texts.h"

#include "tests/support/waiting.h"
#include "tests/ui/window_test.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QLabel>
#include <QMessageBox>
#include <QToolTip>
#include <QWidget>

using namespace headscope;
using namespace headscope::ui;

namespace
{

/// The label of the tip that stands, or null.
QLabel* shownTip()
{
    for (QWidget* each : QApplication::topLevelWidgets())
        if (each->inherits("QTipLabel") && each->isVisible())
            return qobject_cast<QLabel*>(each);
    return nullptr;
}

} // namespace

class TestPlainTexts : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { Theme::instance().apply(*qApp); }
    void labelsAreNoMarkup();
    void markupOfOursStays();
    void tips_data();
    void tips();
    void aTipThatIsReused();
};

void TestPlainTexts::labelsAreNoMarkup()
{
    QWidget window;
    QLabel label(QStringLiteral("<img src=\"file:///etc/hostname\"><b>bold</b>"), &window);
    window.show();
    QVERIFY(test::exposed(&window));
    QCOMPARE(label.textFormat(), Qt::PlainText);
    QLabel plain(label.text());
    plain.setTextFormat(Qt::PlainText);
    QCOMPARE(label.sizeHint(), plain.sizeHint()); // every letter has its room
}

void TestPlainTexts::markupOfOursStays()
{
    QWidget window;
    QLabel label(QStringLiteral("<b>3</b> points"), &window);
    label.setTextFormat(Qt::RichText);
    window.show();
    QVERIFY(test::exposed(&window));
    QCOMPARE(label.textFormat(), Qt::RichText);
}

void TestPlainTexts::tips_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("markup");
    QTest::newRow("plain") << QStringLiteral("document 7") << false;
    QTest::newRow("bold") << QStringLiteral("<b>x</b>") << false;
    QTest::newRow("picture") << QStringLiteral("<img src=\"file:///etc/hostname\">") << false;
    QTest::newRow("entity") << QStringLiteral("AT&amp;T") << false;
    QTest::newRow("paragraph of ours") << QStringLiteral("<p>a long line, &lt;b&gt; in it<p>second") << true;
    QTest::newRow("looks like ours") << QStringLiteral("<p>a <img src=\"x\">") << false;
    QTest::newRow("ours has no attributes") << QStringLiteral("<p style=\"x\">a") << false;
}

void TestPlainTexts::tips()
{
    QFETCH(const QString, text);
    QFETCH(const bool, markup);
    QCOMPARE(PlainTexts::isOurTip(text), markup);
    QWidget window;
    window.show();
    QVERIFY(test::exposed(&window));
    QToolTip::showText(window.mapToGlobal(QPoint(5, 5)), text, &window);
    WAIT_FOR(shownTip() != nullptr);
    WAIT_COMPARE(shownTip()->textFormat(), markup ? Qt::RichText : Qt::PlainText);
    QCOMPARE(shownTip()->text(), text);
    QToolTip::hideText();
    WAIT_FOR(shownTip() == nullptr);
}

void TestPlainTexts::aTipThatIsReused()
{
    QWidget window;
    window.show();
    QVERIFY(test::exposed(&window));
    for (const auto& [text, format] : {std::pair("<p>ours", Qt::RichText), std::pair("<b>theirs</b>", Qt::PlainText),
                                       std::pair("<p>ours again", Qt::RichText)})
    {
        QToolTip::showText(window.mapToGlobal(QPoint(5, 5)), QString::fromLatin1(text), &window);
        WAIT_FOR(shownTip() != nullptr);
        WAIT_COMPARE(shownTip()->textFormat(), format);
    }
    QToolTip::hideText();
}

HEADSCOPE_WINDOW_TEST(TestPlainTexts)
#include "tst_plain_texts.moc"

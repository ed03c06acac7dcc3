// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/theme.h"

#include "tests/support/waiting.h"
#include "tests/ui/window_test.h"
#include "ui/theme/drawn_icon.h"
#include "viz/color/oklab.h"

#include <QEvent>
#include <QLabel>
#include <QPointer>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <utility>

using namespace headscope;
using namespace headscope::ui;

namespace
{

/// How often each object was told that it has another style.
class StyleChanges : public QObject
{
public:
    std::map<const QObject*, int> counts;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (event->type() == QEvent::StyleChange)
            ++counts[watched];
        return QObject::eventFilter(watched, event);
    }
};

} // namespace

class TestTheme : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { Theme::instance().setScheme(Theme::Scheme::Light); }

    /// And as an icon that was drawn at once.
    void anIconIsDrawnWhenItIsShown()
    {
        int times = 0;
        const auto draw = [&times] {
            ++times;
            QIcon icon;
            for (const auto& [side, color] : {std::pair(16, Qt::red), std::pair(32, Qt::blue)})
            {
                QPixmap picture(side, side);
                picture.fill(color);
                icon.addPixmap(picture);
            }
            return icon;
        };
        const QIcon plain = draw();
        times = 0;
        const QIcon icon = drawnIcon(32, draw);
        const QIcon copy = icon;
        for (const int side : {8, 16, 20, 32, 48})
            QCOMPARE(copy.actualSize(QSize(side, side)), plain.actualSize(QSize(side, side)));
        QCOMPARE(times, 0);
        for (const int side : {8, 16, 20, 32, 48})
            for (const qreal ratio : {1.0, 2.0})
            {
                const QPixmap expected = plain.pixmap(QSize(side, side), ratio);
                const QPixmap found = (ratio > 1 ? copy : icon).pixmap(QSize(side, side), ratio);
                QCOMPARE(found.devicePixelRatio(), expected.devicePixelRatio());
                QCOMPARE(found.toImage(), expected.toImage());
            }
        QCOMPARE(times, 1);
    }

    /// A tree that is built from its leaves is given a parent at each level: nobody styles it until it is whole.
    void aPauseStylesATreeOnce()
    {
        const auto changesWhile = [](bool paused) {
            std::optional<StyleSheetPause> pause;
            if (paused)
                pause.emplace();
            StyleChanges changes;
            qApp->installEventFilter(&changes);
            auto whole = std::make_unique<QPushButton>(QStringLiteral("Leaf"));
            QPointer<QWidget> leaf = whole.get();
            std::unique_ptr<QWidget> tree = std::move(whole);
            for (int depth = 0; depth < 12; ++depth)
            {
                auto outer = std::make_unique<QWidget>();
                auto* layout = new QVBoxLayout(outer.get());
                layout->addWidget(tree.release());
                tree = std::move(outer);
            }
            pause.reset();
            qApp->removeEventFilter(&changes);
            tree->ensurePolished();
            leaf->ensurePolished();
            return std::pair(changes.counts[leaf.data()], leaf->minimumHeight());
        };
        const auto [without, styledHeight] = changesWhile(false);
        const auto [with, height] = changesWhile(true);
        QVERIFY2(without >= 12, qPrintable(QString::number(without))); // else Qt has learned it, and the pause can go
        QVERIFY2(with <= 1, qPrintable(QString::number(with)));
        QCOMPARE(height, styledHeight);
        QVERIFY(!qApp->styleSheet().isEmpty());
    }

    /// Before, a widget was polished once for every widget it lies in: more than a second for the whole window.
    void aSwitchPolishesNothingManyTimes()
    {
        QWidget window;
        StyleChanges changes;
        QWidget* inner = &window;
        QList<QWidget*> all;
        for (int depth = 0; depth < 12; ++depth)
        {
            auto* layout = new QVBoxLayout(inner);
            auto* next = new QWidget(inner);
            layout->addWidget(next);
            layout->addWidget(new QPushButton(QStringLiteral("Button"), inner));
            inner = next;
        }
        window.show();
        QVERIFY(test::exposed(&window));
        for (QWidget* widget : window.findChildren<QWidget*>())
            widget->installEventFilter(&changes);
        Theme::instance().setScheme(Theme::Scheme::Dark);
        QCOMPARE(changes.counts.size(), std::size_t{24});
        for (const auto& [widget, count] : changes.counts)
            QVERIFY2(count <= 2, qPrintable(QString::number(count)));
    }

    /// Text on every ground it is written on: 4.5 or more (WCAG 2.1, AA).
    void everyTextIsReadable()
    {
        for (const auto scheme : {Theme::Scheme::Dark, Theme::Scheme::Light})
        {
            Theme::instance().setScheme(scheme);
            const Colors& c = Theme::instance().colors();
            const std::pair<QColor, QColor> pairs[] = {
                {c.text, c.canvas},      {c.text, c.frame},     {c.text, c.hover},    {c.text, c.accentPale},
                {c.text, c.track},       {c.muted, c.canvas},   {c.muted, c.frame},   {c.section, c.canvas},
                {c.section, c.frame},    {c.warning, c.canvas}, {c.warning, c.frame}, {c.accentText, c.accentPale},
                {c.accentText, c.canvas}};
            for (const auto& [ink, ground] : pairs)
                QVERIFY2(viz::contrastRatio(ink, ground) >= 4.5, qPrintable(ink.name() + u' ' + ground.name()));
            const QPalette palette = QApplication::palette(); // of what is selected in a field
            QVERIFY(viz::contrastRatio(palette.color(QPalette::HighlightedText), palette.color(QPalette::Highlight)) >=
                    4.5);
        }
    }

    /// Colours of the sheet and of the palette, of what was shown and of what was not.
    void everythingHasTheNewColors()
    {
        QWidget window;
        window.setObjectName(QStringLiteral("canvas"));
        window.setAttribute(Qt::WA_StyledBackground);
        auto* layout = new QVBoxLayout(&window);
        auto* shown = new QLabel(QStringLiteral("shown"), &window);
        shown->setProperty("role", QStringLiteral("muted"));
        auto* hidden = new QLabel(QStringLiteral("hidden"), &window);
        hidden->setProperty("role", QStringLiteral("muted"));
        auto* button = new QPushButton(QStringLiteral("Button"), &window);
        for (QWidget* each : std::initializer_list<QWidget*>{shown, hidden, button})
            layout->addWidget(each);
        hidden->hide();
        window.resize(200, 120);
        window.show();
        QVERIFY(test::exposed(&window));
        const int high = button->height();
        for (const auto scheme : {Theme::Scheme::Dark, Theme::Scheme::Light, Theme::Scheme::Dark})
        {
            Theme::instance().setScheme(scheme);
            test::passMs(5);
            const Colors& colors = Theme::instance().colors();
            hidden->show();
            QCOMPARE(shown->palette().color(QPalette::WindowText), colors.muted);
            QCOMPARE(hidden->palette().color(QPalette::WindowText), colors.muted);
            QCOMPARE(QApplication::palette().color(QPalette::Base), colors.canvas);
            QCOMPARE(window.grab().toImage().pixelColor(1, 1), colors.canvas);
            QCOMPARE(button->height(), high);
            hidden->hide();
        }
    }
};

HEADSCOPE_WINDOW_TEST(TestTheme)
#include "tst_theme.moc"

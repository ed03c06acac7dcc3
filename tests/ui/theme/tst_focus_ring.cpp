// SPDX-License-Identifier: GPL-3.0-or-later
// Who has the keyboard is seen: every kind of control looks other with it than without.
#include "tests/support/waiting.h"
#include "tests/ui/window_test.h"
#include "ui/canvas/legend/legend_widget.h"
#include "ui/canvas/scatter/scatter_widget.h"
#include "ui/panels/data/data_panel.h"
#include "ui/panels/data/head_picker.h"
#include "ui/panels/data/layer_strip.h"
#include "ui/panels/data/stage_cards.h"
#include "ui/state/choices.h"
#include "ui/widgets/tab_strip.h"
#include "viz/color/head_palette.h"
#include "viz/scatter/point_coloring.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QListView>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QSlider>
#include <QSpinBox>
#include <QStringListModel>
#include <QTabBar>
#include <QTableView>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

using namespace headscope;
using namespace headscope::ui;

namespace
{

/// How many pixels of a widget have changed by more than a trace, and how far the furthest has.
struct Difference
{
    int pixels = 0;
    int most = 0;
};

Difference differenceOf(const QImage& one, const QImage& other)
{
    Difference difference;
    for (int y = 0; y < one.height(); ++y)
        for (int x = 0; x < one.width(); ++x)
        {
            const QColor a = one.pixelColor(x, y);
            const QColor b = other.pixelColor(x, y);
            const int far =
                std::max({std::abs(a.red() - b.red()), std::abs(a.green() - b.green()), std::abs(a.blue() - b.blue())});
            difference.pixels += far > 40 ? 1 : 0;
            difference.most = std::max(difference.most, far);
        }
    return difference;
}

} // namespace

class TestFocusRing : public QObject
{
    Q_OBJECT

private:
    ui::Choices m_choices;
    std::unique_ptr<QWidget> m_window;
    QPushButton* m_elsewhere = nullptr;

    template <class T, class... Rest>
    T* make(const char* name, Rest&... rest)
    {
        auto* widget = new T(rest..., m_window.get());
        widget->setObjectName(QLatin1StringView(name));
        m_window->layout()->addWidget(widget);
        return widget;
    }

    void fill()
    {
        m_window = std::make_unique<QWidget>();
        new QVBoxLayout(m_window.get());
        m_elsewhere = make<QPushButton>("elsewhere");
        make<QPushButton>("button")->setText(QStringLiteral("Button"));
        auto* checked = make<QPushButton>("checkedButton");
        checked->setText(QStringLiteral("Checked"));
        checked->setCheckable(true);
        checked->setChecked(true);
        for (const char* property : {"boxed", "flat"})
        {
            auto* tool = make<QToolButton>(property);
            tool->setProperty(property, true);
            tool->setText(QStringLiteral("Tool"));
            tool->setFocusPolicy(Qt::TabFocus);
        }
        make<QCheckBox>("check")->setText(QStringLiteral("Check"));
        make<QRadioButton>("radio")->setText(QStringLiteral("Radio"));
        make<QLineEdit>("line");
        make<QComboBox>("combo")->addItem(QStringLiteral("One"));
        make<QSpinBox>("spin");
        make<QDoubleSpinBox>("doubleSpin");
        make<QSlider>("slider")->setOrientation(Qt::Horizontal);
        make<QPlainTextEdit>("text")->setMaximumHeight(40);
        static QStringListModel model({QStringLiteral("a"), QStringLiteral("b")});
        make<QListView>("list")->setModel(&model);
        make<QTableView>("table")->setModel(&model);
        make<QTreeView>("tree")->setModel(&model);
        auto* strip = new TabStrip(QStringLiteral("viewTabs"), 16, m_window.get());
        m_window->layout()->addWidget(strip);
        for (const char* title : {"Map", "Grid", "Probe"})
            strip->tabs()->addTab(QLatin1StringView(title));
        strip->fit();
        make<DataPanel>("data", m_choices);
        m_choices.open(test::sampleOverview());
        auto* scatter = make<ScatterWidget>("scatter");
        const auto map = test::sampleMap();
        scatter->setMap(map);
        scatter->setColoring(viz::colorByHead(*map->points, viz::HeadPalette(8, 4), QStringLiteral("head")));
        m_window->resize(500, 1800);
        m_window->show();
        QVERIFY(test::exposed(m_window.get()));
        test::passMs(200);
    }

private Q_SLOTS:
    void cleanup()
    {
        m_window.reset();
        Theme::instance().setScheme(Theme::Scheme::Light);
    }

    void everyControlShowsIt_data()
    {
        QTest::addColumn<bool>("dark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }
    void everyControlShowsIt()
    {
        QFETCH(bool, dark);
        Theme::instance().setScheme(dark ? Theme::Scheme::Dark : Theme::Scheme::Light);
        fill();
        int controls = 0;
        QStringList unseen;
        for (QWidget* widget : m_window->findChildren<QWidget*>())
        {
            if (!widget->isVisible() || !widget->isEnabled() || (widget->focusPolicy() & Qt::TabFocus) == 0 ||
                widget->focusProxy() != nullptr || widget == m_elsewhere)
                continue;
            m_elsewhere->setFocus(Qt::TabFocusReason);
            test::passMs(5);
            const QImage without = widget->grab().toImage();
            widget->setFocus(Qt::TabFocusReason);
            test::passMs(5);
            if (!widget->hasFocus())
                continue;
            ++controls;
            const Difference seen = differenceOf(without, widget->grab().toImage());
            // A ring is two pixels wide around all of it.
            if (seen.pixels < 60 || seen.most < 60)
                unseen << QStringLiteral("%1 %2: %3 pixels")
                              .arg(QString::fromLatin1(widget->metaObject()->className()), widget->objectName())
                              .arg(seen.pixels);
        }
        QVERIFY2(controls > 24, qPrintable(QString::number(controls)));
        QVERIFY2(unseen.isEmpty(), qPrintable(unseen.join(QStringLiteral("; "))));
        // The stages, the layers and the tabs are among them.
        for (const char* name : {"viewTabs", "layerStrip"})
            QVERIFY2(m_window->findChild<QWidget*>(QLatin1StringView(name)) != nullptr, name);
        if (const QByteArray folder = qgetenv("HEADSCOPE_PICTURES"); !folder.isEmpty())
            m_window->grab().save(QString::fromLocal8Bit(folder) +
                                  (dark ? QStringLiteral("/focus_dark.png") : QStringLiteral("/focus_light.png")));
    }

    /// Who clicks knows where he is; with the next Tab the ring comes.
    void theMouseBringsNoRing()
    {
        fill();
        auto* button = m_window->findChild<QPushButton*>(QStringLiteral("button"));
        button->setFocusPolicy(Qt::StrongFocus);
        QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(button->hasFocus());
        QVERIFY(button->findChild<QWidget*>(QStringLiteral("focusRing")) == nullptr);
        QTest::keyClick(button, Qt::Key_Tab);
        QWidget* next = QApplication::focusWidget();
        QVERIFY(next != button);
        auto* ring = next->findChild<QWidget*>(QStringLiteral("focusRing"));
        QVERIFY(ring != nullptr && ring->isVisible());
        QCOMPARE(ring->geometry(), next->rect());
        next->resize(next->width() - 10, next->height());
        QCOMPARE(ring->geometry(), next->rect());
    }

    /// Before, a view without a control wore a thick frame around all of it.
    void aPageWearsNone()
    {
        fill();
        auto* page = make<QWidget>("page");
        page->show();
        QTest::keyClick(m_elsewhere, Qt::Key_Tab);
        page->setFocus(); // as Qt does for a page whose controls are not there yet
        QVERIFY(page->hasFocus());
        QVERIFY(page->findChild<QWidget*>(QStringLiteral("focusRing")) == nullptr);
    }

    /// The names of the rows stay outside the ring of the heads.
    void ofHeadsTheCellsWearIt()
    {
        fill();
        auto* picker = m_window->findChild<HeadPicker*>();
        picker->setFocus(Qt::TabFocusReason);
        auto* ring = picker->findChild<QWidget*>(QStringLiteral("focusRing"));
        QVERIFY(ring != nullptr);
        const int name = QFontMetrics(Theme::smallFont()).horizontalAdvance(QStringLiteral("KV8"));
        QVERIFY2(ring->geometry().left() >= name, qPrintable(QString::number(ring->geometry().left())));
        QCOMPARE(ring->geometry().right(), picker->rect().right());
    }

    void ofTabsTheChosenOneWearsIt()
    {
        fill();
        auto* tabs = m_window->findChild<QTabBar*>(QStringLiteral("viewTabs"));
        tabs->setFocus(Qt::TabFocusReason);
        auto* ring = tabs->findChild<QWidget*>(QStringLiteral("focusRing"));
        QVERIFY(ring != nullptr);
        QCOMPARE(ring->geometry(), tabs->tabRect(0));
        QTest::keyClick(tabs, Qt::Key_Right);
        WAIT_COMPARE(ring->geometry(), tabs->tabRect(1));
    }
};

HEADSCOPE_WINDOW_TEST(TestFocusRing)
#include "tst_focus_ring.moc"

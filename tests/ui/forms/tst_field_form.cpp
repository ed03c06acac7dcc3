// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/forms/field_form.h"

#include "tests/ui/window_test.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QSignalSpy>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>

#include <array>

using namespace headscope;
using namespace headscope::ui;

namespace
{

enum class Shape
{
    Round,
    Square,
};

constexpr std::array kShapes = {FieldWord{"round", "Round"}, FieldWord{"square", "Square"}};

struct Values
{
    bool on = false;
    int count = 3;
    double rate = 0;
    double weight = 1;
    double share = 0.2;
    Shape shape = Shape::Round;
    std::vector<double> list = {30};
    double hidden = 0;
};

void fields(Fields& f, Values& v, double largest)
{
    f("on", v.on).label("Switch", "Whether it is on.");
    f("how_many", v.count).label("How many", "So many.").countFrom(0).offers(2, 10).when(v.on);
    f("rate", v.rate).label("Rate", "How fast.").within(0, 100).offers(0, 2).leastMeans("automatic");
    f("weight", v.weight).label("Weight", "How heavy.").within({0, 1e9, true});
    f("share", v.share).label("Share", "How much.").within({0, 1, true, true}).offersPercent(1, 95);
    f("shape", v.shape, kShapes).label("Shape", "What it looks like.").keptAs("form");
    f("list", v.list).label("List", "One of them.").within(1, 1000).separatedBy(',').offersWhole(2, largest);
    f("hidden", v.hidden).but(kFormUse);
}

} // namespace

class TestFieldForm : public QObject
{
    Q_OBJECT

private:
    Values m_values;
    double m_largest = 100;
    std::unique_ptr<QWidget> m_page;
    FieldForm* m_form = nullptr;

    template <class T>
    T* editor(const char* key)
    {
        return qobject_cast<T*>(m_form->editor(key));
    }

private Q_SLOTS:
    void init()
    {
        m_values = {};
        m_largest = 100;
        m_page = std::make_unique<QWidget>();
        auto* layout = new QVBoxLayout(m_page.get());
        m_form =
            new FieldForm([this](Fields& f) { fields(f, m_values, m_largest); }, QStringLiteral("test"), m_page.get());
        for (const std::string& key : m_form->without())
            m_form->addRow(key, layout);
        m_form->refresh();
        m_page->show();
        QVERIFY(test::exposed(m_page.get()));
    }
    void cleanup() { m_page.reset(); }

    void everyFieldHasItsEditor()
    {
        QVERIFY(m_form->without().empty());
        QVERIFY(m_form->editor("hidden") == nullptr);
        QCOMPARE(editor<QCheckBox>("on")->text(), QStringLiteral("Switch"));
        auto* count = editor<QSpinBox>("how_many");
        QCOMPARE(count->objectName(), QStringLiteral("testHowMany"));
        QCOMPARE(count->accessibleName(), QStringLiteral("How many"));
        QCOMPARE(count->accessibleDescription(), QStringLiteral("So many."));
        QCOMPARE(count->toolTip(), QStringLiteral("So many. Range: 2 to 10."));
        QVERIFY(count->minimum() == 2 && count->maximum() == 10 && count->value() == 3);
        QVERIFY(!count->isEnabled()); // says nothing while the switch is off
        QCOMPARE(editor<QDoubleSpinBox>("rate")->text(), QStringLiteral("automatic"));
        QCOMPARE(editor<QLineEdit>("weight")->text(), QStringLiteral("1"));
        QCOMPARE(editor<QSpinBox>("share")->text(), QStringLiteral("20%"));
        QCOMPARE(editor<QComboBox>("shape")->objectName(), QStringLiteral("testForm"));
        QCOMPARE(editor<QSpinBox>("list")->value(), 30);
        const auto labels = m_page->findChildren<QLabel*>();
        QVERIFY(
            std::ranges::any_of(labels, [](const QLabel* each) { return each->text() == QStringLiteral("So many."); }));
    }

    void aHandChangesTheValue()
    {
        const QSignalSpy edited(m_form, &FieldForm::edited);
        QTest::mouseClick(editor<QCheckBox>("on"), Qt::LeftButton, {}, {8, 8});
        QVERIFY(m_values.on && editor<QSpinBox>("how_many")->isEnabled());
        editor<QSpinBox>("how_many")->setValue(7);
        editor<QDoubleSpinBox>("rate")->setValue(0.5);
        editor<QComboBox>("shape")->setCurrentIndex(1);
        editor<QSpinBox>("share")->setValue(30);
        editor<QSpinBox>("list")->setValue(50);
        QVERIFY(m_values.count == 7 && m_values.rate == 0.5 && m_values.shape == Shape::Square);
        QVERIFY(m_values.share == 0.3 && m_values.list == std::vector<double>{50});
        QCOMPARE(edited.count(), 6);
        QCOMPARE(edited.at(3).at(0).toString(), QStringLiteral("shape"));
    }

    void aBarHasEditorsAlone()
    {
        FieldForm bar(
            [this](Fields& f) {
                f("how_many", m_values.count).label("How many").countFrom(0).offers(1, 2000).unit("things");
                f("on", m_values.on).label("Switch", "Whether it is on.");
            },
            QStringLiteral("bar"), m_page.get());
        auto* count = qobject_cast<QSpinBox*>(bar.makeAlone("how_many", m_page.get()));
        count->setValue(1500);
        QCOMPARE(count->text(), QLocale().toString(1500) + QStringLiteral(" things"));
        QCOMPARE(m_values.count, 1500);
        auto* button = qobject_cast<QToolButton*>(bar.makeButton("on", m_page.get()));
        QCOMPARE(button->objectName(), QStringLiteral("barOn"));
        QCOMPARE(button->text(), QStringLiteral("Switch"));
        QCOMPARE(button->toolTip(), QStringLiteral("Whether it is on."));
        button->click();
        QVERIFY(m_values.on);
        m_values.on = false;
        bar.refresh();
        QVERIFY(!button->isChecked());
    }

    void aTextOfSomeWordsIsChosen()
    {
        std::string shape = "round";
        std::string name;
        FieldForm bar(
            [&](Fields& f) {
                f("shape", shape).among(kShapes).label("Shape");
                f("name", name).label("Name").leastMeans("any");
            },
            QStringLiteral("bar"), m_page.get());
        const QSignalSpy edited(&bar, &FieldForm::edited);
        QWidget* named = bar.makeNamed("shape", m_page.get());
        QCOMPARE(named->findChild<QLabel*>()->text(), QStringLiteral("Shape"));
        auto* box = named->findChild<QComboBox*>(QStringLiteral("barShape"));
        QCOMPARE(box->currentText(), QStringLiteral("Round"));
        box->setCurrentIndex(1);
        QCOMPARE(shape, std::string("square"));
        bar.set("shape", "round");
        QCOMPARE(box->currentText(), QStringLiteral("Round"));
        bar.set("shape", "oval"); // not taken
        QCOMPARE(shape, std::string("round"));
        QCOMPARE(edited.count(), 1);
        auto* line = qobject_cast<QLineEdit*>(bar.makeAlone("name", m_page.get()));
        QCOMPARE(line->placeholderText(), QStringLiteral("any"));
        bar.mark("name", true);
        QVERIFY(line->property("invalid").toBool() && !bar.hasFault());
    }

    void whatTheValueIsIsShown()
    {
        const QSignalSpy edited(m_form, &FieldForm::edited);
        m_values.on = true;
        m_values.count = 9;
        m_values.shape = Shape::Square;
        m_values.weight = 0.25;
        m_largest = 40;
        m_form->refresh();
        QVERIFY(editor<QCheckBox>("on")->isChecked());
        QCOMPARE(editor<QSpinBox>("how_many")->value(), 9);
        QCOMPARE(editor<QComboBox>("shape")->currentText(), QStringLiteral("Square"));
        QCOMPARE(editor<QLineEdit>("weight")->text(), QLocale().toString(0.25));
        QCOMPARE(editor<QSpinBox>("list")->maximum(), 40);
        QCOMPARE(edited.count(), 0);
    }

    void whatIsNotTakenIsMarked()
    {
        auto* weight = editor<QLineEdit>("weight");
        const QSignalSpy refused(m_form, &FieldForm::refused);
        weight->selectAll();
        QTest::keyClicks(weight, QStringLiteral("0"));
        QVERIFY(m_form->hasFault() && weight->property("invalid").toBool());
        QCOMPARE(m_values.weight, 1.0);
        QCOMPARE(refused.count(), 1);
        QTest::keyClicks(weight, QStringLiteral(".5"));
        QVERIFY(!m_form->hasFault() && !weight->property("invalid").toBool());
        QCOMPARE(m_values.weight, 0.5);
        QCOMPARE(weight->text(), QStringLiteral("0.5")); // as it was written
    }
};

HEADSCOPE_WINDOW_TEST(TestFieldForm)
#include "tst_field_form.moc"

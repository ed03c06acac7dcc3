// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/find/find_panel.h"

#include "tests/support/verify.h"
#include "tests/support/waiting.h"
#include "tests/ui/window_test.h"
#include "ui/models/set_list_model.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSpinBox>
#include <QToolButton>

using namespace headscope;
using namespace headscope::ui;
using Documents = std::vector<std::int64_t>;

class TestFindPanel : public QObject
{
    Q_OBJECT

private:
    std::shared_ptr<const DocumentSet> m_documents;
    std::unique_ptr<FindPanel> m_panel;

    /// What the program's job answers.
    std::shared_ptr<const SearchResult> found(const TextQuery& query) const
    {
        auto result = std::make_shared<SearchResult>();
        result->query = query;
        result->searched = m_documents->count();
        for (std::size_t i = 0; i < m_documents->texts.size(); ++i)
        {
            const QString text = QString::fromStdString(m_documents->texts[i]);
            const auto match = query.match(text, QString::fromStdString(m_documents->ids[i]));
            if (!match.found)
                continue;
            result->hits.push_back({DocumentIndex(static_cast<std::int64_t>(i)), std::ssize(match.inText),
                                    match.inText.empty(), lineAround(text, match.inText)});
            result->occurrences += std::ssize(match.inText);
        }
        return result;
    }

    void click(const char* name)
    {
        auto* button = m_panel->findChild<QAbstractButton*>(QLatin1StringView(name));
        QVERIFY2(button != nullptr && button->isVisible(), name);
        QTest::mouseClick(button, Qt::LeftButton);
    }

    FilterFields fields() const
    {
        return {m_documents, 32, Stage::OutputSegment, {QStringLiteral("sleep"), searchGroupName()}};
    }

    static void picture(QWidget& widget, const char* name)
    {
        if (const QString folder = qEnvironmentVariable("HEADSCOPE_PICTURES"); !folder.isEmpty())
            widget.grab().save(folder + u'/' + QLatin1StringView(name) + QStringLiteral(".png"));
    }

private Q_SLOTS:
    void init()
    {
        m_documents = test::sampleDocuments();
        m_panel = std::make_unique<FindPanel>();
        m_panel->resize(280, 640);
        m_panel->search()->setDocuments(m_documents);
        m_panel->filter()->setFields(fields());
        m_panel->show();
        QVERIFY(test::exposed(m_panel.get()));
    }
    void cleanup() { m_panel.reset(); }

    void typedWordsAskForASearch()
    {
        SearchPage* page = m_panel->search();
        QSignalSpy asked(page, &SearchPage::searchRequested);
        page->focusField();
        QTest::keyClicks(page->field(), QStringLiteral("number 1"));
        QCOMPARE(asked.count(), 8);
        const auto query = asked.last().at(0).value<TextQuery>();
        QCOMPARE(query.words().size(), 2);
        page->setResult(found(query));
        QVERIFY2(page->countLine().startsWith(QStringLiteral("13 of 40")), qPrintable(page->countLine()));
        QCOMPARE(page->model()->rowCount(), 13);
        test::passMs(20);
        picture(*m_panel, "find_text");
        // Return walks through what was found, Shift+Return back.
        QSignalSpy shown(page, &SearchPage::documentClicked);
        QTest::keyClick(page->field(), Qt::Key_Return);
        QTest::keyClick(page->field(), Qt::Key_Return);
        QTest::keyClick(page->field(), Qt::Key_Return, Qt::ShiftModifier);
        QCOMPARE(shown.count(), 3);
        QCOMPARE(shown.at(0).at(0).value<DocumentIndex>(), DocumentIndex(1));
        QCOMPARE(shown.at(1).at(0).value<DocumentIndex>(), DocumentIndex(10));
        QCOMPARE(shown.at(2).at(0).value<DocumentIndex>(), DocumentIndex(1));
        QTest::mouseClick(page->list()->viewport(), Qt::LeftButton, {}, {60, 140});
        QCOMPARE(shown.count(), 4);
        QTest::keyClick(page->field(), Qt::Key_Down);
        QTest::keyClick(page->list(), Qt::Key_Down);
        QTest::keyClick(page->list(), Qt::Key_Return);
        QCOMPARE(shown.count(), 5);
        page->setPrimary(DocumentIndex(21));
        QCOMPARE(page->list()->currentIndex().row(), page->model()->rowOf(DocumentIndex(21)));
        page->setPrimary(DocumentIndex(0));
        QVERIFY(!page->list()->selectionModel()->hasSelection());
        // Escape forgets the words and the result.
        QTest::keyClick(page->field(), Qt::Key_Escape);
        QVERIFY(page->field()->text().isEmpty());
        QCOMPARE(page->model()->rowCount(), 0);
        QVERIFY(!page->list()->isVisible());
    }

    /// Also where the document in view is far down among what is found.
    void aNewSearchBeginsAtTheTop()
    {
        SearchPage* page = m_panel->search();
        const auto search = [&](const QString& words) {
            page->field()->setText(words);
            page->setResult(found(*TextQuery::parse(words, TextQuery::Kind::Words)));
            page->setPrimary(DocumentIndex(m_documents->count() - 1)); // as whoever answers says again
            test::passMs(20);
        };
        const QScrollBar* bar = page->list()->verticalScrollBar();
        page->setPrimary(DocumentIndex(39));
        search(QStringLiteral("text"));
        QVERIFY(bar->maximum() > 0);
        QCOMPARE(bar->value(), 0);
        page->setPrimary(DocumentIndex(38));
        QVERIFY(bar->value() > 0);
        page->setPrimary(DocumentIndex(39));
        search(QStringLiteral("something"));
        QCOMPARE(page->model()->rowCount(), 40);
        QCOMPARE(bar->value(), 0);
        QCOMPARE(page->list()->currentIndex().row(), 39); // it is marked all the same
        // What is looked at from elsewhere is brought into view.
        page->setPrimary(DocumentIndex(35));
        QVERIFY(bar->value() > 0);
    }

    void whatIsFoundCanBeChosen()
    {
        SearchPage* page = m_panel->search();
        page->field()->setText(QStringLiteral("text"));
        page->setResult(found(*TextQuery::parse(QStringLiteral("doc-3"), TextQuery::Kind::Words)));
        QSignalSpy picked(page, &SearchPage::pickRequested);
        for (const char* name : {"foundChoose", "foundAdd", "foundRemove", "foundIntersect"})
            click(name);
        QCOMPARE(picked.count(), 4);
        QCOMPARE(picked.at(0).at(0).value<Documents>().size(), 11U);
        QCOMPARE(picked.at(3).at(1).value<SetOperation>(), SetOperation::Intersect);
    }

    /// Before, the ground of the list stayed that of the theme it was first shown in.
    void groundFollowsTheTheme()
    {
        auto* list = m_panel->findChild<QListView*>(QStringLiteral("findList"));
        list->show(); // as it is with the first hit
        QVERIFY(list->isVisible());
        for (const auto scheme : {Theme::Scheme::Dark, Theme::Scheme::Light, Theme::Scheme::Dark})
        {
            Theme::instance().setScheme(scheme);
            const QImage picture = list->viewport()->grab().toImage();
            QCOMPARE(picture.pixelColor(1, picture.height() - 2), Theme::instance().colors().canvas);
        }
        Theme::instance().setScheme(Theme::Scheme::Light);
    }

    void aWrongExpressionSaysWhy()
    {
        SearchPage* page = m_panel->search();
        click("findPattern");
        QSignalSpy asked(page, &SearchPage::searchRequested);
        QTest::keyClicks(page->field(), QStringLiteral("(a"));
        const auto* error = m_panel->findChild<QLabel*>(QStringLiteral("findError"));
        QVERIFY(error->isVisible());
        QVERIFY2(error->text().contains(QStringLiteral("at character")), qPrintable(error->text()));
        QVERIFY(asked.last().at(0).value<TextQuery>().isEmpty());
        picture(*m_panel, "find_wrong");
        QTest::keyClicks(page->field(), QStringLiteral("b)"));
        QVERIFY(!error->isVisible());
        QCOMPARE(asked.last().at(0).value<TextQuery>().kind(), TextQuery::Kind::Pattern);
    }

    void conditionsByHand()
    {
        FilterPage* page = m_panel->filter();
        click("findPageFilter");
        QCOMPARE(m_panel->page(), FindPanel::Page::Filter);
        QSignalSpy asked(page, &FilterPage::filterRequested);
        click("filterAdd");
        auto conditions = asked.last().at(0).value<std::vector<FilterCondition>>();
        QCOMPARE(conditions.size(), 1U);
        QCOMPARE(std::get<LabelCondition>(conditions[0]).column, std::string("topic"));
        FilterRow* row = page->rows().at(0);
        // By the keyboard: another label, and "is not".
        row->valueBox()->setFocus();
        QTest::keyClick(row->valueBox(), Qt::Key_Down);
        row->operatorBox()->setFocus();
        QTest::keyClick(row->operatorBox(), Qt::Key_Down);
        conditions = asked.last().at(0).value<std::vector<FilterCondition>>();
        QVERIFY(std::get<LabelCondition>(conditions[0]).negated);
        QCOMPARE(std::get<LabelCondition>(conditions[0]).values.front(), std::string("Astronomy"));

        click("filterAdd");
        FilterRow* length = page->rows().at(1);
        length->fieldBox()->setCurrentIndex(1);
        QVERIFY(length->isNumber());
        QTest::keyClicks(length->leastField(), QStringLiteral("20"));
        QTest::keyClicks(length->mostField(), QStringLiteral("3x"));
        const auto* error = m_panel->findChild<QLabel*>(QStringLiteral("filterError"));
        QVERIFY(error->isVisible() && error->text().contains(QStringLiteral("3x")));
        QTest::keyClick(length->mostField(), Qt::Key_Backspace);
        conditions = asked.last().at(0).value<std::vector<FilterCondition>>();
        QCOMPARE(conditions.size(), 2U);
        QCOMPARE(std::get<NumberCondition>(conditions[1]).least, 20.0);
        QCOMPARE(std::get<NumberCondition>(conditions[1]).most, 3.0);

        auto result = std::make_shared<FilterResult>();
        result->documents = {1, 2};
        result->searched = 40;
        result->limits = {{}, std::pair<double, double>(10.0, 49.0)};
        page->setResult(result);
        QCOMPARE(length->leastField()->placeholderText(), QStringLiteral("10"));
        QVERIFY(page->countLine().startsWith(QStringLiteral("2 of 40")));
        test::passMs(20);
        picture(*m_panel, "find_filter");
        QSignalSpy picked(page, &FilterPage::pickRequested);
        click("filteredAdd");
        QCOMPARE(picked.at(0).at(0).value<Documents>(), (Documents{1, 2}));
        click("filterRemove");
        QCOMPARE(page->rows().size(), 1);
        page->setProblem(QStringLiteral("no strengths yet"));
        QVERIFY(error->isVisible());
    }

    void everyKindOfConditionRoundTrips()
    {
        FilterPage* page = m_panel->filter();
        QSignalSpy asked(page, &FilterPage::filterRequested);
        const std::vector<FilterCondition> conditions{LabelCondition{"topic", {"Music"}, true},
                                                      NumberCondition{NumberSource::Tokens, {}, 0, 5, 9.5},
                                                      NumberCondition{NumberSource::MeanStrength, {}, 0, 1, 2},
                                                      NumberCondition{NumberSource::HeadStrength, {}, 17, 1, 2},
                                                      StrongestCondition{{0, 1, 2, 8}},
                                                      GroupCondition{"sleep", true}};
        page->setConditions(conditions);
        auto answered = asked.last().at(0).value<std::vector<FilterCondition>>();
        QVERIFY(std::get<LabelCondition>(answered[0]) == std::get<LabelCondition>(conditions[0]));
        QVERIFY(std::get<NumberCondition>(answered[1]) == std::get<NumberCondition>(conditions[1]));
        QVERIFY(std::get<StrongestCondition>(answered[4]) == std::get<StrongestCondition>(conditions[4]));
        QVERIFY(std::get<GroupCondition>(answered[5]) == std::get<GroupCondition>(conditions[5]));
        const auto& strength = std::get<NumberCondition>(answered[3]);
        QVERIFY(strength.source == NumberSource::HeadStrength && strength.head == 17);
        // The same rows when the columns come anew.
        page->setFields(fields());
        answered = asked.last().at(0).value<std::vector<FilterCondition>>();
        QCOMPARE(answered.size(), 6U);
        QVERIFY(std::get<LabelCondition>(answered[0]) == std::get<LabelCondition>(conditions[0]));
    }

    void namedSetsByHand()
    {
        SetsPage* page = m_panel->sets();
        click("findPageSets");
        QVERIFY(!page->keepButton()->isEnabled());
        picture(*m_panel, "find_no_sets");
        page->setChosenCount(12);
        QSignalSpy kept(page, &SetsPage::keepRequested);
        QTest::keyClicks(page->nameField(), QStringLiteral("night"));
        QTest::keyClick(page->nameField(), Qt::Key_Return);
        QCOMPARE(kept.at(0).at(0).toString(), QStringLiteral("night"));
        NamedSets sets;
        sets.keep(QStringLiteral("night"), {1, 2});
        sets.keep(QStringLiteral("day"), {2, 3});
        page->setSets(sets);
        test::passMs(20);
        picture(*m_panel, "find_sets");
        QSignalSpy picked(page, &SetsPage::pickRequested);
        page->list()->setFocus();
        QTest::keyClick(page->list(), Qt::Key_Down);
        QTest::keyClick(page->list(), Qt::Key_Return);
        QCOMPARE(picked.at(0).at(0).value<Documents>(), (Documents{2, 3}));
        click("setIntersect");
        QCOMPARE(picked.at(1).at(1).value<SetOperation>(), SetOperation::Intersect);
        // F2 asks for another name, Delete forgets.
        QSignalSpy renamed(page, &SetsPage::renameRequested);
        QTest::keyClick(page->list(), Qt::Key_F2);
        auto* editor = page->list()->findChild<QLineEdit*>();
        QVERIFY(editor != nullptr);
        editor->selectAll();
        QTest::keyClicks(editor, QStringLiteral("noon"));
        QTest::keyClick(editor, Qt::Key_Return);
        WAIT_COMPARE(renamed.count(), 1);
        QCOMPARE(renamed.at(0).at(0).toLongLong(), 1);
        QCOMPARE(renamed.at(0).at(1).toString(), QStringLiteral("noon"));
        QSignalSpy removed(page, &SetsPage::removeRequested);
        QTest::keyClick(page->list(), Qt::Key_Delete);
        QCOMPARE(removed.at(0).at(0).toLongLong(), 1);
        QSignalSpy grow(page, &SetsPage::growRequested);
        page->findChild<QSpinBox*>(QStringLiteral("growNeighbors"))->setValue(7);
        click("growChoice");
        QCOMPARE(grow.count(), 1);
        QCOMPARE(page->growOptions().neighbors, 7);
        QVERIFY(page->growOptions().space == GrowSpace::Full);
    }

    void longAndForeignNamesFit()
    {
        auto documents = std::make_shared<DocumentSet>(*m_documents);
        documents->texts[0] = "שלום עולם, זה טקסט ארוך מאוד שאינו נכנס לשורה אחת ולכן נשבר לשתי שורות קצרות";
        documents->texts[1] = "规律的睡眠对老年人的记忆力的改善作用大于大多数补充剂，根据对四十项试验的综述";
        documents->ids[1] = std::string(300, 'i');
        for (std::string& category : documents->labels[0].categories)
            category = std::string(300, 'c') + category;
        m_documents = documents;
        m_panel->search()->setDocuments(documents);
        FilterFields fields = this->fields();
        fields.groups << QString(300, u's');
        m_panel->filter()->setFields(fields);
        m_panel->filter()->setConditions({LabelCondition{"topic", {documents->labels[0].categories[2]}, false}});
        NamedSets sets;
        sets.keep(QString(300, u'n'), {1});
        m_panel->sets()->setSets(sets);
        m_panel->search()->setResult(found(*TextQuery::parse(QStringLiteral("."), TextQuery::Kind::Pattern)));
        test::passMs(20);
        picture(*m_panel, "find_foreign");
        QString wide;
        for (const QWidget* widget : m_panel->findChildren<QWidget*>())
            if (widget->minimumSizeHint().width() > 256)
                wide += QStringLiteral(" %1 %2 %3")
                            .arg(QLatin1StringView(widget->metaObject()->className()), widget->objectName())
                            .arg(widget->minimumSizeHint().width());
        QVERIFY2(m_panel->minimumSizeHint().width() <= 280, qPrintable(wide));
        QVERIFY(!m_panel->grab().isNull());
    }

    void everyControlHasAName()
    {
        for (const QWidget* widget : m_panel->findChildren<QWidget*>())
        {
            const bool control = qobject_cast<const QAbstractButton*>(widget) != nullptr ||
                                 (qobject_cast<const QLineEdit*>(widget) != nullptr &&
                                  qobject_cast<const QSpinBox*>(widget->parentWidget()) == nullptr) ||
                                 qobject_cast<const QComboBox*>(widget) != nullptr ||
                                 qobject_cast<const QAbstractItemView*>(widget) != nullptr;
            // The button that empties a field and the list of a box are Qt's own.
            bool inControl = false;
            for (const QWidget* above = widget->parentWidget(); above != nullptr; above = above->parentWidget())
                inControl = inControl || qobject_cast<const QLineEdit*>(above) != nullptr ||
                            qobject_cast<const QComboBox*>(above) != nullptr;
            if (control && !inControl)
                QVERIFY2(!widget->accessibleName().isEmpty(),
                         qPrintable(QLatin1StringView(widget->metaObject()->className()) + widget->objectName()));
        }
    }
};

HEADSCOPE_WINDOW_TEST(TestFindPanel)
#include "tst_find_panel.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// What the window says: segments belong to no KV group, heads with keys and values of their own (or with the same
// for all) fall into none, and no sentence about colours is true in one theme alone.
#include "app/desktop/shell/cards.h"
#include "app/desktop/start/workbench.h"
#include "app/views/attention/attention_view.h"
#include "app/views/head_corpus/head_corpus_view.h"
#include "app/views/heads/head_plane.h"
#include "app/views/heads/heads_view.h"
#include "app/views/heads/likeness_matrix.h"
#include "app/views/heads/pruning_curve.h"
#include "app/views/probe/confusion_pane.h"
#include "app/views/probe/confusion_picture.h"
#include "app/views/probe/probe_view.h"
#include "app/views/retrieval/retrieval_view.h"
#include "model/data/key_sharing.h"
#include "tests/app/desktop/desktop_fixture.h"
#include "tests/support/test_program.h"
#include "tests/support/waiting.h"
#include "tests/ui/view_of.h"
#include "ui/canvas/picture_widget.h"
#include "ui/dialogs/command_palette.h"
#include "ui/panels/data/data_panel.h"
#include "ui/panels/data/head_picker.h"
#include "ui/words/wording.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QHeaderView>
#include <QHelpEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QRegularExpression>
#include <QTableView>
#include <QToolTip>
#include <QTreeView>

#include <functional>
#include <map>

using namespace headscope;

namespace
{

/// Text and where it stands.
using Said = std::map<QString, QString>;

void addModel(const QAbstractItemModel& model, const QModelIndex& parent, const QString& where, Said& said)
{
    constexpr int kMaxRows = 60;
    for (int row = 0; row < std::min(kMaxRows, model.rowCount(parent)); ++row)
    {
        for (int column = 0; column < model.columnCount(parent); ++column)
            for (const int role : {int(Qt::DisplayRole), int(Qt::ToolTipRole), int(Qt::AccessibleTextRole)})
                said.emplace(model.index(row, column, parent).data(role).toString(), where);
        addModel(model, model.index(row, 0, parent), where, said);
    }
}

void addHeaders(const QAbstractItemModel& model, const std::function<bool(int)>& hidden, const QString& where,
                Said& said)
{
    for (int column = 0; column < model.columnCount(); ++column)
        if (!hidden(column))
            for (const int role : {int(Qt::DisplayRole), int(Qt::ToolTipRole)})
                said.emplace(model.headerData(column, Qt::Horizontal, role).toString(),
                             where + QStringLiteral(" header"));
}

void addMenu(const QList<QAction*>& actions, Said& said)
{
    for (QAction* action : actions)
    {
        if (!action->isVisible())
            continue;
        said.emplace(QString(action->text()).remove(u'&'), QStringLiteral("menu"));
        said.emplace(action->statusTip(), QStringLiteral("menu"));
        if (action->menu() != nullptr)
            addMenu(action->menu()->actions(), said);
    }
}

QString tipAt(QWidget& widget, QPoint place)
{
    QToolTip::hideText();
    QHelpEvent event(QEvent::ToolTip, place, widget.mapToGlobal(place));
    QApplication::sendEvent(&widget, &event);
    return QToolTip::text();
}

/// The Attention and the Head view are of heads, at whatever stage the cache is looked at.
constexpr QLatin1StringView kOfHeads("of heads: ");
bool isOfHeads(const QWidget& widget)
{
    for (const QWidget* each = &widget; each != nullptr; each = each->parentWidget())
        if (qobject_cast<const ui::AttentionView*>(each) != nullptr ||
            qobject_cast<const ui::HeadCorpusView*>(each) != nullptr)
            return true;
    return false;
}

/// Everything that can be read in the window as it stands: labels, buttons, choices, tables, tips, names for
/// screen readers, menus.
Said saidIn(ui::MainWindow& window)
{
    Said said;
    for (QWidget* widget : window.findChildren<QWidget*>())
    {
        if (!widget->isVisible())
            continue;
        QString where = QString::fromLatin1(widget->metaObject()->className()) + u' ' + widget->objectName();
        if (isOfHeads(*widget))
            where.prepend(kOfHeads);
        for (const QString& text :
             {widget->toolTip(), widget->statusTip(), widget->accessibleName(), widget->accessibleDescription()})
            said.emplace(text, where);
        if (const auto* label = qobject_cast<QLabel*>(widget))
            said.emplace(label->text(), where);
        if (const auto* button = qobject_cast<QAbstractButton*>(widget))
            said.emplace(button->text(), where);
        if (const auto* field = qobject_cast<QLineEdit*>(widget))
            said.emplace(field->placeholderText(), where);
        if (const auto* box = qobject_cast<QComboBox*>(widget))
            addModel(*box->model(), {}, where, said);
        const auto* view = qobject_cast<QAbstractItemView*>(widget);
        if (qobject_cast<QHeaderView*>(widget) != nullptr)
            view = nullptr; // its table knows which columns are hidden
        if (view != nullptr && view->model() != nullptr)
        {
            addModel(*view->model(), {}, where, said);
            const auto* table = qobject_cast<const QTableView*>(view);
            const auto* tree = qobject_cast<const QTreeView*>(view);
            addHeaders(
                *view->model(),
                [table, tree](int column) {
                    return (table != nullptr && table->isColumnHidden(column)) ||
                           (tree != nullptr && tree->isColumnHidden(column));
                },
                where, said);
        }
    }
    addMenu(window.menuBar()->actions(), said);
    return said;
}

} // namespace

class TestDesktopWords : public QObject, private test::DesktopFixture
{
    Q_OBJECT

private:
    /// Cards and tips that come with the pointer.
    void addHovered(Stage stage, Said& said)
    {
        const desktop::Study& study = m_workbench->study();
        for (const std::int64_t head : {0, 4, 7})
        {
            const ui::HoverContent card = desktop::headVectorCard(study, DocumentIndex(3), HeadIndex(head), stage);
            for (const QString& text : {card.title, card.subtitle, card.detail, card.value})
                said.emplace(text, QStringLiteral("card of a point"));
        }
        ui::HeadPicker& picker = *m_window->dataPanel().headPicker();
        for (const std::int64_t head : {0, 4, 7})
        {
            said.emplace(tipAt(picker, picker.picture().placeOf(static_cast<std::size_t>(head)).toRect().center()),
                         QStringLiteral("tip of the picker"));
            said.emplace(tipAt(picker, picker.picture().placeOf(picker.picture().labelOf(head)).toRect().center()),
                         QStringLiteral("tip of a row of the picker"));
            said.emplace(picker.picture().rowName(head), QStringLiteral("row of the picker"));
        }
        const auto& heads = *m_window->findChild<ui::HeadsView*>();
        if (heads.report() != nullptr)
        {
            said.emplace(heads.summary(), QStringLiteral("summary of Heads"));
            const ui::LikenessMatrix& square = heads.matrix()->picture();
            if (heads.report()->redundancy)
                said.emplace(square.textOf(square.itemOf(0, 3)).title, QStringLiteral("square of Heads"));
            said.emplace(heads.plane()->picture().textOf(3).title, QStringLiteral("map of Heads"));
            for (std::size_t step = 0; step < heads.curve()->picture().steps().size(); ++step)
                said.emplace(heads.curve()->picture().textOf(step).title, QStringLiteral("curve of Heads"));
        }
        auto& matrix = *test::viewOf<ui::ProbeView>(*m_window).confusion()->matrix();
        if (matrix.isVisible() && matrix.picture().result() != nullptr)
        {
            QTest::mouseMove(&matrix, matrix.rect().center());
            QTest::mouseMove(&matrix, matrix.rect().center() + QPoint(9, 5));
            said.emplace(matrix.accessibleDescription(), QStringLiteral("card of the confusion matrix"));
        }
    }

    void check(const Said& said, Stage stage, KeySharing sharing)
    {
        static const QRegularExpression kGroups(QStringLiteral("KV.?group|\\bKV\\d|shares? (its )?keys|share one key"),
                                                QRegularExpression::CaseInsensitiveOption);
        static const QRegularExpression kOneHead(QStringLiteral("\\b[Hh]eads? \\d"));
        static const QRegularExpression kShades(
            QStringLiteral("darker|paler|lighter|pale =|pale are|dark dots|grey ground"),
            QRegularExpression::CaseInsensitiveOption);
        // The shape of the model, and what is said of stage 1 by its name, hold whatever is looked at.
        const QString shape = ui::headsAndGroupsText(m_workbench->study().cache()->overview->model);
        const bool groups = unitName(stage) == "head" && sharing == KeySharing::Groups;
        QStringList untrue;
        for (const auto& [text, where] : said)
        {
            QString rest = text;
            rest.remove(shape);
            const bool ofStageOne = rest.contains(QStringLiteral("tage 1"));
            if ((!groups && !(ofStageOne && sharing == KeySharing::Groups) && rest.contains(kGroups)) ||
                (unitName(stage) != "head" && !ofStageOne && !where.startsWith(kOfHeads) && rest.contains(kOneHead)) ||
                rest.contains(kShades))
                untrue << where + QStringLiteral(": ") + text;
        }
        QVERIFY2(untrue.isEmpty(), qPrintable(untrue.join(u'\n')));
    }

private Q_SLOTS:
    void initTestCase() { test::prepareApplication(*qApp); }
    void init() { makeWindow({}); }
    void cleanup() { dropWindow(); }

    void nothingUntrueIsSaid_data()
    {
        QTest::addColumn<int>("heads");
        QTest::addColumn<int>("kvHeads");
        QTest::newRow("groups") << 9 << 3;
        QTest::newRow("every head its own") << 8 << 8;
        QTest::newRow("one for all") << 8 << 1;
    }

    void nothingUntrueIsSaid()
    {
        QFETCH(const int, heads);
        QFETCH(const int, kvHeads);
        test::SampleCacheOptions options;
        options.documents = 24;
        options.heads = heads;
        options.kvHeads = kvHeads;
        options.map = true;
        writeSample(options);
        openAndLoad(m_cache);
        m_window->selection().setPrimary(DocumentIndex(3), HeadIndex(4));
        for (const Stage stage : kStages)
        {
            m_window->choices().setStage(stage);
            for (const ui::ViewEntry& entry : m_window->views().entries())
            {
                const ui::ViewId view = entry.id;
                m_window->setView(view);
                waitForJobs();
                if (view == ui::kProbeView && test::viewOf<ui::ProbeView>(*m_window).model()->rowCount() == 0)
                {
                    action("actionProbe")->trigger();
                    WAIT_FOR(test::viewOf<ui::ProbeView>(*m_window).model()->rowCount() >= 3);
                    waitForJobs();
                }
                Said said = saidIn(*m_window);
                addHovered(stage, said);
                QVERIFY(said.size() > 100);
                check(said, stage, keySharing(m_workbench->study().cache()->overview->model));
                if (QTest::currentTestFailed())
                    return;
            }
        }
    }

    /// Who knows the verb, or the button within a view, finds the view by it.
    void viewsAreFoundByTheirVerbsAndButtons()
    {
        const std::pair<const char*, const char*> typed[] = {
            {"prune", "View › Heads"},          {"greedy order", "View › Heads"},  {"importance", "View › Heads"},
            {"noise floor", "View › Grid"},     {"noise floor", "View › Compare"}, {"tsne", "View › Map"},
            {"composition", "View › Circuits"}, {"lens", "View › Circuits"},       {"retrieve", "View › Retrieval"},
            {"similarity", "View › Heatmap"}};
        for (const auto& [words, command] : typed)
        {
            ui::CommandPalette palette(*m_window->menuBar(), m_window.get());
            palette.findChild<QLineEdit*>()->setText(QString::fromUtf8(words));
            QVERIFY2(palette.shownCommands().contains(QString::fromUtf8(command)), words);
        }
    }

    void theModelSaysHowItShares()
    {
        const std::tuple<int, int, QString> kinds[] = {{9, 3, QStringLiteral("in 3\u00a0KV groups")},
                                                       {8, 8, QStringLiteral("each with its own KV head")},
                                                       {8, 1, QStringLiteral("all sharing one KV head")}};
        for (const auto& [heads, kvHeads, sentence] : kinds)
        {
            test::SampleCacheOptions options;
            options.documents = 12;
            options.heads = heads;
            options.kvHeads = kvHeads;
            writeSample(options);
            dropWindow();
            makeWindow({});
            openAndLoad(m_cache);
            QString shape;
            for (const QLabel* label : m_window->dataPanel().findChildren<QLabel*>())
                shape += label->text() + u'\n';
            QVERIFY2(shape.contains(sentence), qPrintable(shape));
        }
    }
};

HEADSCOPE_TEST(TestDesktopWords)
#include "tst_desktop_words.moc"

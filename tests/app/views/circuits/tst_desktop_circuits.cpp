// SPDX-License-Identifier: GPL-3.0-or-later
// The circuits tab with everything behind it: a small model in the engine that stays.
#include "app/desktop/shell/model_memory.h"
#include "app/desktop/start/workbench.h"
#include "app/views/circuits/circuits_controller.h"
#include "app/views/circuits/circuits_view.h"
#include "tests/app/desktop/desktop_fixture.h"
#include "tests/app/engine/engine_run.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/waiting.h"
#include "tests/ui/view_of.h"
#include "ui/theme/theme.h"
#include "ui/widgets/widgets.h"
#include "ui/window/main_window.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>

#include <cmath>
#include <filesystem>

using namespace headscope;
using namespace headscope::desktop;

class TestDesktopCircuits : public QObject, private test::DesktopFixture
{
    Q_OBJECT

private:
    ui::CircuitsView& view() { return test::viewOf<ui::CircuitsView>(*m_window); }
    CircuitsController& controller()
    {
        auto* found = m_workbench->findChild<CircuitsController*>();
        Q_ASSERT(found != nullptr);
        return *found;
    }
    void openCircuits(const QString& model)
    {
        const QString cache = m_folder.filePath(model + QStringLiteral(".h5"));
        const auto made =
            test::runEngine({QStringLiteral("extract"), test::text(test::golden("models/" + model.toStdString())),
                             m_folder.filePath(QStringLiteral("texts.jsonl")), QStringLiteral("-o"), cache,
                             QStringLiteral("--overwrite")});
        QVERIFY2(made.exitCode == 0, made.err.constData());
        dropWindow();
        makeWindow({.engine = m_engine, .iterations = 30, .perplexity = 5});
        openAndLoad(cache);
        m_window->resize(1100, 700);
        m_window->setView(ui::kCircuitsView);
    }
    void keepPicture(const char* name)
    {
        const QString folder = qEnvironmentVariable("HEADSCOPE_PICTURES");
        if (!folder.isEmpty())
            m_window->grab().save(folder + u'/' + QLatin1StringView(name) + QStringLiteral(".png"));
    }
    /// A run is offered, and not begun by a look.
    void run()
    {
        QVERIFY(!controller().busy());
        QCOMPARE(view().emptyState()->title(), QStringLiteral("Not computed yet"));
        Q_EMIT view().emptyActionRequested();
    }
    void goTo(ui::CircuitPage page)
    {
        view().setPage(page);
        if (view().result(page) == nullptr)
            run();
        WAIT_FOR(view().result(page) != nullptr || view().emptyState()->title() == QStringLiteral("No result"));
    }

private Q_SLOTS:
    void initTestCase()
    {
        m_engine = test::text(test::program("headscope-engine"));
        if (!std::filesystem::exists(m_engine.toStdString()))
            QSKIP("headscope-engine is not built");
        std::string lines;
        for (int i = 0; i < 30; ++i)
            lines += "{\"id\": \"d" + std::to_string(i) + "\", \"text\": \"Text " + std::to_string(i) +
                     (i % 2 == 0 ? " of old stones" : " of nine red apples") + "\", \"topic\": \"" +
                     (i % 2 == 0 ? "stones" : "apples") + "\"}\n";
        test::writeFile(m_folder.filePath(QStringLiteral("texts.jsonl")).toStdString(), lines);
    }

    void cleanupTestCase() { dropWindow(); }

    void everyPage()
    {
        openCircuits(QStringLiteral("mistral_f32"));
        goTo(ui::CircuitPage::Pair);
        const auto pair = view().result(ui::CircuitPage::Pair);
        QVERIFY(pair != nullptr && pair->contributions()->pair);
        QCOMPARE(pair->contributions()->pair->first, std::string("d0"));
        QCOMPARE(pair->contributions()->pair->second, std::string("d1"));
        QVERIFY(pair->contributions()->additiveError < 1e-5);
        QVERIFY2(view().note().contains(QStringLiteral("sum exact")), qPrintable(view().note()));
        keepPicture("circuits-pair");
        for (const ui::CircuitPage page :
             {ui::CircuitPage::Corpus, ui::CircuitPage::Composition, ui::CircuitPage::Tokens})
        {
            goTo(page);
            QVERIFY2(view().result(page) != nullptr, qPrintable(view().emptyState()->text()));
            QVERIFY(view().picture()->shown().count() > 0);
            QVERIFY(!view().summary().isEmpty());
        }
        WAIT_FOR(!controller().busy());
    }

    /// A right click elsewhere asks for another pair; a swap exchanges its documents.
    void anotherPair()
    {
        controller().explainPair(DocumentIndex(4), DocumentIndex(7));
        const auto first = [this] {
            const auto& result = view().result(ui::CircuitPage::Pair);
            return result ? result->contributions()->pair->first : std::string();
        };
        WAIT_COMPARE(first(), std::string("d4"));
        const double cosine = view().result(ui::CircuitPage::Pair)->contributions()->pair->cosine;
        view().findChild<QPushButton*>(QStringLiteral("circuitsSwap"))->click();
        WAIT_COMPARE(first(), std::string("d7"));
        QVERIFY(std::abs(view().result(ui::CircuitPage::Pair)->contributions()->pair->cosine - cosine) < 1e-9);
        WAIT_FOR(!controller().busy());
    }

    /// The lens of the weights alone: the tokens of a text that the user types, heads of a group side by side.
    void tokensOfTheWeights()
    {
        view().setPage(ui::CircuitPage::Tokens);
        auto* weights = view().findChild<QAbstractButton*>(QStringLiteral("circuitsWeights"));
        auto* text = view().findChild<QLineEdit*>(QStringLiteral("circuitsToken"));
        QVERIFY(weights != nullptr && text != nullptr && !text->isVisible());
        weights->setChecked(true);
        WAIT_FOR(text->isVisible());
        WAIT_COMPARE(view().emptyState()->title(), QStringLiteral("No text yet"));
        text->setText(QStringLiteral("red stones"));
        QTest::keyClick(text, Qt::Key_Return);
        const auto lens = [this]() -> const LensTables* {
            const auto& result = view().result(ui::CircuitPage::Tokens);
            return result ? result->lens() : nullptr;
        };
        WAIT_FOR(lens() != nullptr && lens()->weights);
        const viz::LensTable& table = view().words()->picture();
        QVERIFY(table.reads().size() > 1);
        QCOMPARE(std::ssize(lens()->rows), 8 * std::ssize(table.reads())); // heads of the layer
        QVERIFY(!lens()->rows.front().up.empty() && !lens()->rows.front().keys.empty() &&
                !lens()->rows.front().queries.empty());
        auto* read = view().findChild<QComboBox*>(QStringLiteral("circuitsRead"));
        QVERIFY(read != nullptr && read->isVisible());
        QCOMPARE(read->count(), static_cast<int>(table.reads().size()));
        read->setCurrentIndex(1);
        Q_EMIT read->activated(1);
        QCOMPARE(table.read(), table.reads()[1]);
        QVERIFY2(view().note().contains(QStringLiteral("weights only")), qPrintable(view().note()));
        keepPicture("circuits-weights-1100");
        m_window->resize(1440, 900);
        keepPicture("circuits-weights-1440");
        weights->setChecked(false);
        WAIT_FOR(view().note().contains(QStringLiteral("Run again"))); // what is there stays
        QVERIFY(lens() != nullptr && lens()->weights);
        view().findChild<QPushButton*>(QStringLiteral("circuitsRun"))->click();
        WAIT_FOR(lens() != nullptr && !lens()->weights);
        const QString explains = view().findChild<QLabel*>(QStringLiteral("circuitsExplains"))->text();
        QVERIFY2(explains.contains(QStringLiteral("Bars: ")) && explains.contains(u'\u00b7'), qPrintable(explains));
        WAIT_FOR(!controller().busy());
    }

    /// Parts of an encoder are an approximation, which is said; it has no output head.
    void anEncoder()
    {
        openCircuits(QStringLiteral("bert_f32"));
        goTo(ui::CircuitPage::Pair);
        QVERIFY(view().result(ui::CircuitPage::Pair) != nullptr);
        QVERIFY(view().note().contains(QStringLiteral("all norms frozen")));
        goTo(ui::CircuitPage::Tokens);
        QCOMPARE(view().emptyState()->title(), QStringLiteral("No result"));
        QVERIFY2(view().emptyState()->text().contains(QStringLiteral("output head")),
                 qPrintable(view().emptyState()->text()));
        WAIT_FOR(!controller().busy());
    }

    void anotherModelIsRefused()
    {
        openCircuits(QStringLiteral("mistral_f32"));
        rememberModel(*m_settings, QString::fromStdString(m_workbench->study().cache()->overview->model.name),
                      test::text(test::golden("models/llama_mha")));
        goTo(ui::CircuitPage::Composition);
        QVERIFY(view().result(ui::CircuitPage::Composition) == nullptr);
        QVERIFY2(view().emptyState()->text().contains(QStringLiteral("a model with different files")),
                 qPrintable(view().emptyState()->text()));
        WAIT_FOR(!controller().busy());
    }

    void emptyWithoutACache()
    {
        dropWindow();
        makeWindow({.engine = m_engine, .iterations = 30, .perplexity = 5});
        QCOMPARE(view().emptyState()->title(), QStringLiteral("No circuits yet"));
        QVERIFY(!controller().whyNoDocument().isEmpty());
    }

private:
    QString m_engine;
};

HEADSCOPE_TEST(TestDesktopCircuits)
#include "tst_desktop_circuits.moc"

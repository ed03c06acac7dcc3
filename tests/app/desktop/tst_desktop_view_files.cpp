// SPDX-License-Identifier: GPL-3.0-or-later
// What leaves the window as a picture is what the window shows: all of it, in the colours of paper.
#include "app/desktop/shell/view_files.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include "app/views/compare/compare_view.h"
#include "app/views/grid/grid_view.h"
#include "app/views/grid/map_grid.h"
#include "app/views/heads/heads_view.h"
#include "app/views/heads/pruning_curve.h"
#include "app/views/heads/switch_panel.h"
#include "app/views/heatmap/heatmap_view.h"
#include "app/views/map/map_view.h"
#include "app/views/retrieval/retrieval_view.h"
#include "tests/app/desktop/desktop_fixture.h"
#include "tests/support/waiting.h"
#include "tests/ui/view_of.h"
#include "tests/viz/figure_text.h"
#include "ui/canvas/legend/legend_widget.h"
#include "ui/canvas/picture_widget.h"
#include "ui/canvas/scatter/move_lines.h"
#include "ui/canvas/scatter/scatter_widget.h"
#include "ui/charts/match_chart.h"
#include "ui/models/head_table_model.h"
#include "ui/panels/data/data_panel.h"
#include "ui/theme/theme.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QDialog>
#include <QImage>
#include <QPainter>
#include <QRegularExpression>
#include <QTest>
#include <QTreeView>

#include <string>

using namespace headscope;
using namespace headscope::desktop;
using headscope::test::SvgWords;
using headscope::test::wordsOfSvg;

class TestDesktopViewFiles : public QObject, private test::DesktopFixture
{
    Q_OBJECT

    static constexpr int kLabels = 25;

    static QString labelName(int i) { return QStringLiteral("Label of number %1").arg(i); }

    QString pathOf(const char* name) const { return m_folder.filePath(QLatin1StringView(name)); }

    /// Saves what is shown, as the menu does; false where nothing came of it.
    bool save(const char* name)
    {
        QSignalSpy saved(m_workbench.get(), &Workbench::viewSaved);
        m_dialogs.nextPath = pathOf(name);
        action("actionSaveView")->trigger();
        return test::waitFor([&saved] { return saved.count() == 1; });
    }

    SvgWords savedWords(const char* name = "shown.svg")
    {
        if (!save(name))
            return {};
        if (const QByteArray folder = qgetenv("HEADSCOPE_PICTURES"); !folder.isEmpty())
            for (const double mm : {77.0, 160.0})
                for (const char* ending : {".svg", ".pdf"})
                {
                    const QByteArray copy = QTest::currentTestFunction() + QByteArray::number(mm) + ending;
                    m_dialogs.nextSize = ui::FigureSize{mm, 300};
                    if (save(copy.constData()))
                        QFile::copy(pathOf(copy.constData()), QString::fromLocal8Bit(folder + '/' + copy));
                }
        return wordsOfSvg(pathOf(name).toStdString());
    }

    void openGrid()
    {
        m_window->setView(ui::kGridView);
        openAndLoad(m_cache);
        auto* grid = m_window->findChild<ui::GridView*>();
        WAIT_FOR(grid->set() != nullptr && !grid->set()->hash.empty());
    }

    void openCompare()
    {
        openGrid();
        m_window->setView(ui::kCompareView);
        auto* view = m_window->findChild<ui::CompareView*>();
        WAIT_FOR(view->pair() != nullptr);
        view->choose(QStringLiteral("grid:s1_h00"), QStringLiteral("grid:s3_h00"));
        WAIT_FOR(view->pair()->b->stage == Stage::OutputSegment && view->pair()->match == MapMatch::Points);
    }

private Q_SLOTS:
    void initTestCase()
    {
        test::prepareApplication(*qApp);
        test::SampleCacheOptions options;
        options.documents = 75;
        for (int i = 0; i < 75; ++i)
            options.labels.push_back(labelName(i % kLabels).toStdString());
        writeSample(options);
    }

    void init() { makeWindow({.iterations = 60, .perplexity = 10, .size = {1300, 800}}); }

    void cleanup()
    {
        ui::Theme::instance().setScheme(ui::Theme::Scheme::Light);
        dropWindow();
    }

    void theLayerIsSavedWithItsSizes()
    {
        openAndSettle(m_cache);
        QTest::mouseClick(m_window->dataPanel().findChild<QAbstractButton*>(QStringLiteral("whereStages")),
                          Qt::LeftButton);
        auto* dialog = m_window->findChild<QDialog*>(QStringLiteral("schemaDialog"));
        QVERIFY(dialog != nullptr && dialog->isVisible());
        QSignalSpy saved(m_workbench.get(), &Workbench::viewSaved);
        m_dialogs.nextPath = pathOf("layer.svg");
        QTest::mouseClick(dialog->findChild<QAbstractButton*>(QStringLiteral("schemaSave")), Qt::LeftButton);
        WAIT_COMPARE(saved.count(), 1);
        dialog->close();
        const SvgWords words = wordsOfSvg(m_folder.filePath(QStringLiteral("layer.svg")).toStdString());
        for (const char* word : {"Stage 1", "Stage 2", "Stage 3", "Queries", "Keys and values"})
            QVERIFY2(words.has(QLatin1StringView(word)), word);
        QVERIFY2(words.about.contains(QStringLiteral("9 heads in 3 KV groups")), qPrintable(words.about));
    }

    void theMapsLegendIsWhole()
    {
        openAndSettle(m_cache);
        ui::ScatterWidget* canvas = test::viewOf<ui::MapView>(*m_window).scatter();
        QComboBox* colors = m_window->dataPanel().colorBox();
        colors->setCurrentIndex(colors->findData(QStringLiteral("label:topic")));
        WAIT_COMPARE(canvas->coloring().legend.title, QStringLiteral("Topic"));
        const SvgWords words = savedWords();
        for (int i = 0; i < kLabels; ++i)
            QVERIFY2(words.has(labelName(i)), qPrintable(labelName(i)));
        QVERIFY(words.words.filter(QStringLiteral(" more")).isEmpty());
        QVERIFY(words.words.filter(QStringLiteral("t-SNE")).isEmpty()); // captions belong to the paper
        QVERIFY(words.about.contains(QStringLiteral("t-SNE of")));
        // What is hidden on the screen is pale in the file's legend, and its dots are not there.
        const auto faintOf = [this](const char* name) {
            QFile file(pathOf(name));
            return file.open(QIODevice::ReadOnly) ? file.readAll().count("opacity=\"0.35") : qsizetype(-1);
        };
        const qsizetype before = faintOf("shown.svg");
        Q_EMIT canvas->legend()->toggleRequested({viz::LegendHit::Kind::Category, 0});
        QVERIFY(save("hidden.svg"));
        QVERIFY(faintOf("hidden.svg") > before);
    }

    void ringsOfSetsAreInTheFile()
    {
        openAndSettle(m_cache);
        ui::ScatterWidget* canvas = test::viewOf<ui::MapView>(*m_window).scatter();
        QVERIFY(save("bare.png"));
        canvas->setRings({{QColor(Qt::magenta), {1, 2, 3, 4, 5, 6}}});
        QVERIFY(save("rings.png"));
        const auto magenta = [this](const char* name) {
            const QImage image(pathOf(name));
            int count = 0;
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x)
                    count += image.pixelColor(x, y) == QColor(Qt::magenta) ? 1 : 0;
            return count;
        };
        QCOMPARE(magenta("bare.png"), 0);
        QVERIFY(magenta("rings.png") > 100);
    }

    void everyCellOfTheGridSaysItsAgreement()
    {
        openGrid();
        const SvgWords words = savedWords();
        QCOMPARE(words.words.filter(QRegularExpression(QStringLiteral("^r 0\\.\\d\\d|^r 1\\.00"))).size(),
                 qsizetype(28));
    }

    void comparisonsSideBySideHaveBothMaps()
    {
        openCompare();
        auto* view = m_window->findChild<ui::CompareView*>();
        view->setLayoutKind(ui::CompareView::Layout::SideBySide);
        view->setLinesKind(ui::CompareView::Lines::Sample);
        const SvgWords words = savedWords();
        QCOMPARE(words.words.filter(QRegularExpression(QStringLiteral("^A: .*[Hh]ead 1"))).size(), qsizetype(1));
        QCOMPARE(words.words.filter(QRegularExpression(QStringLiteral("^B: .*[Ss]egment 1"))).size(), qsizetype(1));
        QVERIFY(words.width > words.height);
        QFile file(pathOf("shown.svg"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(file.readAll().count("<polyline") >= qsizetype(view->lines()->lineCount()));
    }

    void comparisonsLeaveOutWhatIsHidden()
    {
        openCompare();
        QVERIFY(save("all.svg"));
        auto* view = m_window->findChild<ui::CompareView*>();
        view->setShownOnly({1, 2, 3});
        QVERIFY(save("few.svg"));
        QFile all(pathOf("all.svg"));
        QFile few(pathOf("few.svg"));
        QVERIFY(all.open(QIODevice::ReadOnly) && few.open(QIODevice::ReadOnly));
        QVERIFY(few.readAll().count("<path") < all.readAll().count("<path") - 60);
    }

    void headsAreValuesAndNoTickBoxes()
    {
        ui::Theme::instance().setScheme(ui::Theme::Scheme::Dark);
        openAndLoad(m_cache);
        m_window->setView(ui::kHeadsView);
        auto* view = m_window->findChild<ui::HeadsView*>();
        WAIT_FOR(view->report() != nullptr);
        WAIT_FOR(view->mask().has_value());
        view->model()->setData(view->model()->indexOfHead(2), Qt::Unchecked, Qt::CheckStateRole);
        WAIT_FOR(view->mask().has_value());
        const QString off = view->model()->indexOfHead(2).data().toString();
        const SvgWords words = savedWords();
        // Every row is there, however few of them the window has room for.
        for (std::int64_t head = 0; head < 9; ++head)
        {
            const QModelIndex first = view->model()->indexOfHead(head);
            const QString name = first.data().toString();
            QVERIFY2(words.has(head == 2 ? name + QStringLiteral(" (off)") : name), qPrintable(name));
            for (int column = 1; column < ui::HeadTableModel::TopicColumn; ++column)
                QVERIFY(words.has(first.siblingAtColumn(column).data().toString()));
        }
        const ui::SwitchPanel& switches = *view->switches();
        for (int row = 0; row < ui::SwitchPanel::valueCount(); ++row)
            // What was not measured is left out; before, it stood there with dashes.
            QVERIFY2(words.has(switches.valueName(row)) == switches.isMeasured(row),
                     qPrintable(switches.valueName(row)));
        QVERIFY(switches.isMeasured(1) && !switches.isMeasured(3) && !switches.isMeasured(4));
        QVERIFY(words.words.join(u' ').contains(ui::PruningCurve::frontText()));
        QVERIFY(!words.has(QStringLiteral("Save mask…")));
        QVERIFY(save("heads.png"));
        const QImage image(pathOf("heads.png"));
        QCOMPARE(image.pixelColor(2, 2), QColor(Qt::white));
        int dark = 0;
        for (int y = 0; y < image.height(); y += 3)
            for (int x = 0; x < image.width(); x += 3)
                dark += qGray(image.pixel(x, y)) < 60 ? 1 : 0;
        QVERIFY(9 * dark < image.width() * image.height() / 4); // ink on white, though the window is dark
        QVERIFY(ui::Theme::instance().isDark());
    }

    /// Before, the bars of Match that stood beside the heatmap were not in its file.
    void theHeatmapsBarsOfMatchAreInTheFile()
    {
        openAndLoad(m_cache);
        m_window->setView(ui::kHeatmapView);
        ui::HeatmapView& view = test::viewOf<ui::HeatmapView>(*m_window);
        WAIT_FOR(view.match()->picture().match() != nullptr);
        QVERIFY(view.matchWanted());
        WAIT_FOR(!view.panels().empty());
        const SvgWords with = savedWords("with.svg");
        QVERIFY2(with.has(QStringLiteral("Match, stage 1")), qPrintable(with.words.join(u'|')));
        QVERIFY(with.about.contains(QStringLiteral("true topic is the nearest, among 5")));
        m_window->findChild<QAbstractButton*>(QStringLiteral("heatmapMatch"))->setChecked(false);
        const SvgWords without = savedWords("without.svg");
        QVERIFY(!without.words.isEmpty() && !without.has(QStringLiteral("Match, stage 1")));
        QVERIFY(!without.about.contains(QStringLiteral("true topic is the nearest")));
    }

    void bothRankingsAreInTheFile()
    {
        openAndLoad(m_cache);
        m_window->selection().setPrimary(DocumentIndex(2), HeadIndex(0));
        m_window->setView(ui::kRetrievalView);
        auto* view = m_window->findChild<ui::RetrievalView*>();
        WAIT_FOR(view->comparison() != nullptr);
        const QString words = savedWords().words.join(u' ');
        for (const auto side : {ui::RankingModel::Side::First, ui::RankingModel::Side::Second})
        {
            QVERIFY(words.contains(view->strategyBox(side)->currentText()));
            for (int row = 0; row < view->model(side)->rowCount(); ++row)
            {
                const QString text = view->model(side)->index(row, ui::RankingModel::DocumentColumn).data().toString();
                QVERIFY2(words.contains(text), qPrintable(text));
            }
        }
    }

    void theWidthIsAskedForAndRemembered()
    {
        openAndSettle(m_cache);
        m_dialogs.nextSize = ui::FigureSize{77, 200};
        QVERIFY(save("narrow.png"));
        QCOMPARE(m_dialogs.proposedSize.widthMm, 171.45);
        QCOMPARE(QImage(pathOf("narrow.png")).width(), qRound(77 / 25.4 * 200));
        m_dialogs.nextSize.reset();
        QVERIFY(save("again.pdf"));
        QCOMPARE(m_dialogs.proposedSize.widthMm, 77.0);
        QFile pdf(pathOf("again.pdf"));
        QVERIFY(pdf.open(QIODevice::ReadOnly));
        const auto box =
            QRegularExpression(QStringLiteral("/MediaBox \\[0 0 ([0-9.]+)")).match(QString::fromLatin1(pdf.readAll()));
        QVERIFY(std::abs(box.captured(1).toDouble() - 77 / 25.4 * 72) <= 0.5); // pages of Qt have whole points
        // Each view has its own.
        m_window->setView(ui::kHeatmapView);
        WAIT_FOR(!m_workbench->anyJobRuns() && !m_workbench->isLoading());
        m_dialogs.nextSize = ui::FigureSize{160, 300};
        QVERIFY(save("wide.png"));
        m_dialogs.nextSize.reset();
        m_window->setView(ui::kMapView);
        QVERIFY(save("narrow again.png"));
        QCOMPARE(m_dialogs.proposedSize.widthMm, 77.0);
        QCOMPARE(m_dialogs.proposedSize.dpi, 200);
        m_settings->setText(ui::SettingKey::FigureSizes, QStringLiteral("{\"map\": [1], damaged"));
        QVERIFY(save("after damage.png"));
        QCOMPARE(m_dialogs.proposedSize.widthMm, 77.0); // the last of any view
        m_dialogs.proposedSize = {};
        QVERIFY(save("points.csv")); // nothing to ask
        QCOMPARE(m_dialogs.proposedSize.widthMm, ui::FigureSize().widthMm);
    }

    /// What is shown before it is saved is what is saved; nothing is announced for it.
    void thePreviewIsTheFile()
    {
        openAndSettle(m_cache);
        waitForCalm(); // what a figure says of its map arrives after the map
        m_dialogs.nextSize = ui::FigureSize{77, 200, "acl-column"};
        QVERIFY(save("narrow.png"));
        const QImage saved(pathOf("narrow.png"));
        QVERIFY(m_dialogs.painter != nullptr);
        const auto files = [this] { return QFileInfo(pathOf("narrow.png")).dir().entryList(QDir::Files); };
        const QStringList before = files();
        std::optional<Result<ui::FigurePicture>> shown;
        m_dialogs.painter({77, 200, "acl-column"}, [&](const auto& picture) { shown = picture; });
        WAIT_FOR(shown.has_value());
        HEADSCOPE_VERIFY_OK(*shown);
        QCOMPARE((*shown)->image, saved);
        QVERIFY(std::abs((*shown)->sizeMm.width() - 77) < 0.01);
        QVERIFY((*shown)->leastTextPt > 4);
        QCOMPARE(files(), before);
        m_dialogs.nextSize.reset();
        QVERIFY(save("again.png"));
        QCOMPARE(m_dialogs.proposedSize.preset, std::string("acl-column"));
    }
};

HEADSCOPE_TEST(TestDesktopViewFiles)
#include "tst_desktop_view_files.moc"

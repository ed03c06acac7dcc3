// SPDX-License-Identifier: GPL-3.0-or-later
// What the views remember: under the keys that work files have, and without a control that is forgotten.
#include "app/desktop/work/undo_history.h"
#include "app/desktop/work/work_session.h"
#include "tests/app/desktop/keep_fixture.h"
#include "tests/support/waiting.h"
#include "ui/state/bind_controls.h"
#include "ui/state/view_state.h"

#include <QAbstractButton>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QLineEdit>
#include <QScrollBar>
#include <QSplitter>
#include <QTableView>
#include <QToolButton>
#include <QTreeView>

#include <map>

using namespace headscope;

namespace
{

const QString kFind = QStringLiteral("find");

/// Keys of controls in the work files of version 1: those of today's files are read tomorrow.
const std::map<QString, const char*> kKeys = {
    {QStringLiteral("map"), "legendSearch mapMode pickDocuments pickPoints toolBox toolBrush toolLasso toolPan "
                            "toolRectangle"},
    {QStringLiteral("grid"), "gridColor gridLink gridWhat legendSearch pickDocuments pickPoints toolBox toolBrush "
                             "toolLasso toolPan toolRectangle"},
    {QStringLiteral("compare"),
     "compareA compareB compareColor compareLines compareMorph compareSide compareSlider legendSearch pickDocuments "
     "pickPoints toolBox toolBrush toolLasso toolPan toolRectangle"},
    {QStringLiteral("heatmap"),
     "colorBarAroundZero heatmapCenter heatmapChoose heatmapMatch heatmapPerTopic heatmapPooling heatmapRows "
     "heatmapSort heatmapStages heatmapTopicVectors meansScaleAroundZero meansWhat mergeThreshold modeDocuments "
     "modeMeans modeSimilarity similarityScaleAroundZero"},
    {QStringLiteral("probe"), "confusionShades confusionValues probeC probeControl probeLayers probeOptions probePage0 "
                              "probePage1 probePage2 probePage3 probeScores probeSeed probeSplit probeTable "
                              "probeTestShare sweepFromZero"},
    {QStringLiteral("heads"),
     "aloneTable headFilter headLikeness headTable headsCached headsLegendAll headsRunning importanceAblation "
     "importanceDocuments importanceLayer importanceTable importanceUnits likenessPairs likenessPicture "
     "likenessTable maskUnit orderAlone orderCurve orderTable pruningTable switchOffAblation switchOffDocuments "
     "switchOffHeads switchOffLayer switchOffLines switchOffTable"},
    {QStringLiteral("circuits"),
     "circuitsCenter circuitsComposition circuitsCorpus circuitsDocuments circuitsKind circuitsPair "
     "circuitsToken circuitsTokens circuitsWeights"},
    {QStringLiteral("retrieval"),
     "queryText resultHeadsTable retrievalHeads retrievalTop retrievalWeights strategyFirst strategySecond"},
    {QStringLiteral("layers"), "layersNeighbors"},
    {QStringLiteral("attention"),
     "attentionColumns attentionGroupOff attentionHeadOff attentionMeasure attentionOverlay attentionShowHeads "
     "attentionShowLines attentionShowMatrix attentionShowNumbers attentionText attentionWithoutFirst"},
    {QStringLiteral("atlas"), "atlasClusters atlasColor atlasDocuments atlasDots atlasGrid atlasNumbers atlasOrder "
                              "atlasSize atlasTable atlasX atlasY"},
    {QStringLiteral("head"), "examplesDeciles examplesStrongest headCorpusHead headCorpusLayer headCorpusSplitter "
                             "headCorpusTexts mapOutputs mapQueriesKeys mapTokens"},
    {kFind, "findPageFilter findPageSets findPageText findPattern findText growNeighbors growSpace setName setShow"}};

/// Controls that are no value of a state, each with its reason.
const std::map<QString, const char*> kNoValues = {
    {QStringLiteral("importanceMeasure"), "a value once there is something to choose"},
    {QStringLiteral("circuitsRead"), "a value once there is something to choose"},
    {QStringLiteral("tokenColors"), "a value once there is something to choose"},
    {QStringLiteral("probe/QSplitter"), "panes that follow the size of the window"},
    {QStringLiteral("attention/QSplitter"), "panes of what a text shows"},
    {QStringLiteral("retrieval/Fader"), "kept by the controller, of each voter"},
    {QStringLiteral("retrieval/QToolButton"), "mute and solo: kept by the controller, of each voter"}};

/// Whether a hand can set it to something.
bool isEditable(const QWidget& widget)
{
    if (qobject_cast<const QScrollBar*>(&widget) != nullptr)
        return false;
    if (const auto* button = qobject_cast<const QAbstractButton*>(&widget))
        return button->isCheckable();
    if (const auto* table = qobject_cast<const QTableView*>(&widget))
        return table->isSortingEnabled();
    if (const auto* tree = qobject_cast<const QTreeView*>(&widget))
        return tree->isSortingEnabled();
    return qobject_cast<const QComboBox*>(&widget) != nullptr ||
           qobject_cast<const QAbstractSpinBox*>(&widget) != nullptr ||
           qobject_cast<const QAbstractSlider*>(&widget) != nullptr ||
           qobject_cast<const QLineEdit*>(&widget) != nullptr || qobject_cast<const QSplitter*>(&widget) != nullptr;
}

} // namespace

class TestDesktopState : public QObject, private test::KeepFixture
{
    Q_OBJECT

private:
    /// The controls of each view, and of the panel that finds documents.
    std::map<QString, QJsonObject> controls()
    {
        const QJsonObject all = m_workbench->work().gather();
        std::map<QString, QJsonObject> found;
        const QJsonObject views = all.value(QStringLiteral("views")).toObject();
        for (auto each = views.begin(); each != views.end(); ++each)
            found[each.key()] = each.value().toObject().value(QStringLiteral("controls")).toObject();
        found[kFind] = all.value(QStringLiteral("window")).toObject().value(kFind).toObject();
        return found;
    }

private Q_SLOTS:
    void formerWordsOfEntriesAreTaken()
    {
        QComboBox box;
        box.addItems({QStringLiteral("Minus other topics"), QStringLiteral("Minus full vector"),
                      QStringLiteral("Colour: Divergence per point")});
        ui::ViewState state;
        ui::bind(state, QStringLiteral("box"), box);
        const auto taken = [&](const QString& text) {
            box.setCurrentIndex(0);
            state.set(ui::StatePart::Controls, {{QStringLiteral("box"), text}});
            return box.currentText();
        };
        QCOMPARE(taken(QStringLiteral("Against the full vector")), QStringLiteral("Minus full vector"));
        QCOMPARE(taken(QStringLiteral("Colour: Trust: divergence")), QStringLiteral("Colour: Divergence per point"));
        QCOMPARE(taken(QStringLiteral("Against nothing")), QStringLiteral("Minus other topics"));
    }

    /// Statistics of a sentence are in their box once the sentence was read: a project is restored before.
    void anEntryThatComesLaterIsTaken()
    {
        QComboBox box;
        box.addItem(QStringLiteral("Heads as thumbnails"));
        ui::ViewState state;
        ui::bind(state, QStringLiteral("box"), box);
        const auto fill = [&](const QString& entry) {
            box.addItem(entry);
            box.setCurrentIndex(0); // as whoever fills it does
        };
        state.set(ui::StatePart::Controls, {{QStringLiteral("box"), QStringLiteral("Heads by confidence")}});
        fill(QStringLiteral("Heads by entropy"));
        QCoreApplication::processEvents();
        QCOMPARE(box.currentText(), QStringLiteral("Heads as thumbnails"));
        fill(QStringLiteral("Heads by confidence"));
        WAIT_COMPARE(box.currentText(), QStringLiteral("Heads by confidence"));

        state.set(ui::StatePart::Controls, {{QStringLiteral("box"), QStringLiteral("Heads by distance")}});
        Q_EMIT box.activated(1); // the user chooses meanwhile
        box.setCurrentIndex(1);
        fill(QStringLiteral("Heads by distance"));
        box.setCurrentIndex(1);
        QCoreApplication::processEvents();
        QCOMPARE(box.currentText(), QStringLiteral("Heads by entropy"));
    }

    /// A value of every former name is taken, and called by today's name before it is taken.
    void everyFormerWordIsKnown()
    {
        QVERIFY(ui::formerWords().size() >= 20);
        for (const ui::FormerWords& words : ui::formerWords())
            for (const char* front : {"", "Y: "})
            {
                const QString before = QLatin1StringView(front) + words.before;
                const QString now = QLatin1StringView(front) + words.now;
                QComboBox box;
                box.addItems({QStringLiteral("Another"), now});
                ui::ViewState state;
                ui::bind(state, QStringLiteral("box"), box);
                const QJsonObject kept = {{QStringLiteral("box"), before}, {QStringLiteral("other"), before}};
                const QJsonObject today = state.today(ui::StatePart::Controls, kept);
                QCOMPARE(box.currentIndex(), 0);
                QCOMPARE(today.value(QStringLiteral("box")).toString(), now);
                QCOMPARE(today.value(QStringLiteral("other")).toString(), before);
                state.set(ui::StatePart::Controls, kept);
                QCOMPARE(state.value(ui::StatePart::Controls, QStringLiteral("box")).toString(), now);
            }
    }

    void init()
    {
        beginTest();
        openAndSettle(m_cache);
        for (const ui::ViewEntry& entry : m_window->views().entries())
        {
            m_window->setView(entry.id);
            waitForJobs();
        }
    }
    void cleanup() { endTest(); }

    void keysOfWorkFilesStay()
    {
        for (const auto& [view, values] : controls())
        {
            QVERIFY2(kKeys.contains(view), qPrintable(view));
            QCOMPARE(values.keys().join(u' '), QString::fromLatin1(kKeys.at(view)));
        }
        QCOMPARE(controls().size(), kKeys.size());
        QCOMPARE(m_workbench->work()
                     .gather()
                     .value(QStringLiteral("window"))
                     .toObject()
                     .value(QStringLiteral("switches"))
                     .toObject()
                     .keys()
                     .join(u' '),
                 QStringLiteral("actionJoinDots actionOverview actionRegionNames"));
    }

    /// A control that is added to a view is bound, or is named with a reason why it is not.
    void everyControlIsAValue()
    {
        QStringList forgotten;
        const auto values = controls();
        for (const ui::ViewEntry& entry : m_window->views().entries())
        {
            const QString view = entry.id.key();
            for (const QWidget* each : entry.widget->findChildren<QWidget*>())
            {
                const QString type = QString::fromLatin1(each->metaObject()->className()).section(u':', -1);
                const QString name = each->objectName();
                if (!isEditable(*each) || name.startsWith(QStringLiteral("qt_")) || values.at(view).contains(name) ||
                    kNoValues.contains(name) || (name.isEmpty() && kNoValues.contains(view + u'/' + type)))
                    continue;
                forgotten << view + u'/' + (name.isEmpty() ? type : name);
            }
        }
        QVERIFY2(forgotten.isEmpty(), qPrintable(forgotten.join(u' ')));
    }

    /// Every kind of control takes a value, shows it, and takes the former one again.
    void valuesComeAndGo()
    {
        const std::map<QString, QJsonObject> others = {
            {QStringLiteral("map"),
             {{QStringLiteral("mapMode"), QStringLiteral("Density")}, {QStringLiteral("toolLasso"), true}}},
            {QStringLiteral("grid"), {{QStringLiteral("gridLink"), false}}},
            {QStringLiteral("heatmap"),
             {{QStringLiteral("modeMeans"), true},
              {QStringLiteral("meansWhat"), QStringLiteral("Minus other topics")},
              {QStringLiteral("heatmapPerTopic"), 7}}},
            {QStringLiteral("probe"),
             {{QStringLiteral("probePage2"), true},
              {QStringLiteral("probeTable"), QStringLiteral("1 descending")},
              {QStringLiteral("probeC"), QStringLiteral("0.5")},
              {QStringLiteral("probeControl"), true}}},
            {QStringLiteral("heads"),
             {{QStringLiteral("headsRunning"), true},
              {QStringLiteral("orderTable"), true},
              {QStringLiteral("headTable"), QStringLiteral("2 descending")}}},
            {QStringLiteral("head"), {{QStringLiteral("examplesDeciles"), true}}},
            {QStringLiteral("atlas"), {{QStringLiteral("atlasGrid"), true}}}};
        const auto before = controls();
        for (const auto& [view, values] : others)
        {
            const ui::ViewStack& views = m_window->views();
            ui::ViewState& state = *views.find(views.idOf(view))->state;
            state.set(ui::StatePart::Controls, values);
            const QJsonObject now = state.values(ui::StatePart::Controls);
            for (auto each = values.begin(); each != values.end(); ++each)
            {
                QVERIFY2(before.at(view).value(each.key()) != each.value(), qPrintable(each.key()));
                QVERIFY2(now.value(each.key()) == each.value(), qPrintable(each.key()));
            }
            state.set(ui::StatePart::Controls, before.at(view));
        }
        waitForJobs();
        const auto after = controls();
        for (const auto& [view, values] : before)
            for (auto each = values.begin(); each != values.end(); ++each)
                if (!each.value().isArray()) // panes get other sizes with what they show
                    QVERIFY2(after.at(view).value(each.key()) == each.value(), qPrintable(view + u'/' + each.key()));
        QVERIFY2(!m_workbench->undo().canUndo(), "what is put back is a step");
    }

    /// Each value has a name for its step of undo.
    void everyValueHasAName()
    {
        for (const ui::ViewEntry& entry : m_window->views().entries())
            for (const QString& key : entry.state->values(ui::StatePart::Controls).keys())
                if (!entry.state->values(ui::StatePart::Controls).value(key).isArray()) // sizes of panes are no step
                    QVERIFY2(!entry.state->nameOf(key).isEmpty(), qPrintable(key));
    }
};

HEADSCOPE_WINDOW_TEST(TestDesktopState)
#include "tst_desktop_state.moc"

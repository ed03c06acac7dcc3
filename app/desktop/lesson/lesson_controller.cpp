// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/lesson/lesson_controller.h"

#include "app/desktop/work/work_session.h"
#include "app/views/attention/attention_view.h"
#include "ui/dialogs/dialog_service.h"
#include "ui/dialogs/replace_question.h"
#include "ui/lesson/lesson_column.h"
#include "ui/lesson/lesson_keys.h"
#include "ui/lesson/lesson_list.h"
#include "ui/lesson/lesson_picture_page.h"
#include "ui/lesson/lesson_presenter.h"
#include "ui/settings/settings.h"
#include "ui/words/wording.h"

#include <QAction>
#include <QDir>

#include <algorithm>
#include <utility>

namespace headscope::desktop
{
namespace
{

const ui::MenuPlace kLessons{ui::MenuId::Help, 0};

} // namespace

LessonController::LessonController(Study& study, EngineServers& engines, QObject* parent)
    : Controller(parent), m_study(study), m_engines(engines), m_save(study)
{
    ui::WindowCentre& centre = m_study.window().centre();
    m_column = new ui::LessonColumn(&centre);
    m_column->hide();
    centre.addColumn(m_column);
    m_study.window().addArea(m_column);
    m_page = new ui::LessonPicturePage(&centre);
    m_page->hide();
    m_list = new ui::LessonList(&centre);
    m_list->hide();
    m_keys = new ui::LessonKeys(m_column, m_page, this);
    m_view = new LessonView(m_study, *m_column, this);
    addCommands();
    connectParts();
}

LessonController::~LessonController()
{
    delete m_presenter;
}

void LessonController::follow(WorkSession& session)
{
    m_stage = std::make_unique<WindowStage>(m_study, session);
}

void LessonController::addCommands()
{
    ui::Actions& actions = m_study.window().actions();
    actions.add({.id = QStringLiteral("actionLessons"),
                 .text = tr("Lessons…"),
                 .tip = tr("Guided lessons: tours of the views, step by step"),
                 .place = kLessons,
                 .act = [this] { showList(); },
                 .toolBar = 40});
    actions.add({.id = QStringLiteral("actionLessonPresent"),
                 .text = tr("Start presentation"),
                 .tip = tr("Show the open lesson in full screen"),
                 .keys = QKeySequence(QStringLiteral("F5")),
                 .place = kLessons,
                 .act = [this] { present(); },
                 .enabled = [this] { return m_lesson != nullptr; }});
}

void LessonController::connectParts()
{
    ui::MainWindow& window = m_study.window();
    connect(&window.welcome(), &ui::WelcomePage::lessonsAsked, this, &LessonController::showList);
    connect(m_list, &ui::LessonList::leftAsked, this, &LessonController::leaveList);
    connect(m_list, &ui::LessonList::chosen, this, [this](const QString& key, int step) {
        bool isNumber = false;
        const auto index = key.toUInt(&isNumber);
        if (isNumber && index < m_library.lessons.size())
            begin(m_library.lessons[index].lesson, step);
    });
    connect(m_column, &ui::LessonColumn::nextAsked, this, &LessonController::next);
    connect(m_column, &ui::LessonColumn::backAsked, this, &LessonController::back);
    connect(m_column, &ui::LessonColumn::endAsked, this, &LessonController::end);
    connect(m_column, &ui::LessonColumn::stepAsked, this, &LessonController::showStep);
    connect(m_column, &ui::LessonColumn::presentAsked, this, &LessonController::present);
    connect(m_column, &ui::LessonColumn::handoutAsked, this, &LessonController::askHandout);
    connect(m_column, &ui::LessonColumn::liveAsked, this, &LessonController::setLive);
    connect(m_column, &ui::LessonColumn::guessed, this, &LessonController::guess);
    connect(m_column, &ui::LessonColumn::answerRead, this, [this] {
        if (m_lesson != nullptr && !m_guesses.contains(stepKey()))
            m_readFirst.insert(stepKey());
    });
    connect(m_keys, &ui::LessonKeys::nextAsked, this, [this] {
        if (m_lesson != nullptr && m_step + 1 < std::ssize(m_lesson->steps)) // a key too many ends nothing
            next();
    });
    connect(m_keys, &ui::LessonKeys::backAsked, this, &LessonController::back);
    connect(m_keys, &ui::LessonKeys::endAsked, this, &LessonController::end);
    connect(m_page, &ui::LessonPicturePage::changed, this, &LessonController::changeControl);
    connect(m_page, &ui::LessonPicturePage::typed, this,
            [this](const QString&, const QString& text) { typeSentence(text); });
    connect(&window, &ui::MainWindow::closing, this, &LessonController::end);
    connect(&window, &ui::MainWindow::viewChanged, this, &LessonController::takeView);
    connect(&m_study, &Study::cacheChanged, this, [this] {
        m_values.clear(); // their places are among groups and tokens of what was open
        fetchRun();
        if (m_lesson != nullptr)
            refreshStep();
    });
    connect(&m_save, &SaveJob::saved, this, &Controller::saved);
}

ui::LessonPresenter* LessonController::presenter() const
{
    return m_presenter;
}

void LessonController::stop()
{
    for (ui::JobRunner* runner : {&m_readRunner, &m_runRunner, &m_pictureRunner, &m_measureRunner, &m_handoutRunner})
        runner->cancel();
    m_view->stop();
    m_save.stop();
}

void LessonController::leave()
{
    m_made.clear();
    m_liveRuns.clear();
    m_typed.clear();
    m_failed.clear();
    m_measured.reset();
    m_pictureRunner.cancel();
    m_page->setBusy({});
}

void LessonController::showList()
{
    if (m_lesson != nullptr)
        end();
    readLibrary();
}

void LessonController::leaveList()
{
    ui::WindowCentre& centre = m_study.window().centre();
    if (centre.cover() == m_list)
        centre.setCover(nullptr);
}

void LessonController::begin(std::shared_ptr<const Lesson> lesson, int step)
{
    if (lesson == nullptr || lesson->steps.empty() || m_stage == nullptr)
        return;
    if (m_lesson != nullptr)
        end();
    m_lesson = std::move(lesson);
    if (step == 0)
    {
        m_values.clear(); // of another class
        m_guesses.clear();
        m_readFirst.clear();
    }
    m_stage->take();
    m_step = 0;
    fetchRun();
    QStringList titles;
    for (const LessonStep& each : m_lesson->steps)
        titles << lessonPage(each, request(), {}).title;
    m_column->setLesson(ui::toQString(m_lesson->title), titles);
    m_column->show();
    m_keys->setOn(true);
    m_step = -1;
    showStep(std::clamp(step, 0, static_cast<int>(m_lesson->steps.size()) - 1));
    m_study.window().actions().refresh();
    m_column->setFocus();
}

void LessonController::showStep(int step)
{
    if (m_lesson == nullptr || step < 0 || step >= std::ssize(m_lesson->steps))
        return;
    m_step = step;
    keepStep(step + 1 < std::ssize(m_lesson->steps) ? step : 0);
    const LessonStep& now = m_lesson->steps[static_cast<std::size_t>(step)];
    m_live = now.picture.kind == LessonPictureKind::None && !m_stage->viewOf(now.scene).isEmpty();
    refreshStep();
    m_view->follow(m_stage.get(), &now);
    Q_EMIT stepShown(step);
}

void LessonController::refreshStep()
{
    const LessonStep& now = shownStep();
    m_live = m_live && !m_stage->viewOf(now.scene).isEmpty();
    m_column->setPage(pageOf(now), m_step, m_live);
    showPage();
    refreshPicture();
}

void LessonController::showPage()
{
    ui::WindowCentre& centre = m_study.window().centre();
    if (!m_live)
    {
        fetchRun(); // of the text that the Attention view has by now
        return centre.setCover(m_page);
    }
    const bool wasShowing = std::exchange(m_showing, true);
    centre.setCover(nullptr);
    const LessonPictureRequest now = request();
    std::vector<std::int64_t> heads;
    const ModelInfo& model = now.source.model;
    const std::int64_t group = groupPlace(now).group;
    for (std::int64_t head = group * model.groupSize(); head < (group + 1) * model.groupSize(); ++head)
        heads.push_back(head);
    const LessonScene& scene = shownStep().scene;
    m_stage->show(scene, heads);
    // The view looks at what the picture is of.
    if (const GroupPlace place = groupPlace(now); m_attention != nullptr && scene.choice == LessonHeads::Group &&
                                                  !heads.empty() && place.layer &&
                                                  scene.tab == ui::toStdString(ui::kAttentionView.key()))
        m_attention->setChosen(*place.layer, HeadIndex(heads.front()));
    m_showing = wasShowing;
}

void LessonController::setLive(bool live)
{
    if (m_lesson == nullptr)
        return;
    const auto& scene = shownStep().scene;
    m_live = live && !m_stage->viewOf(scene).isEmpty();
    m_column->setLive(m_live);
    showPage();
}

QString LessonController::stepKey() const
{
    return ui::toQString(m_lesson->id) % u'/' % QString::number(m_step);
}

int LessonController::keptStep(const Lesson& lesson) const
{
    const QString beginning = ui::toQString(lesson.id) % u'\t';
    for (const QString& kept : m_study.window().settings().list(ui::SettingKey::LessonSteps))
        if (kept.startsWith(beginning))
            return std::clamp(kept.mid(beginning.size()).toInt(), 0, static_cast<int>(lesson.steps.size()) - 1);
    return 0;
}

void LessonController::keepStep(int step)
{
    ui::Settings& settings = m_study.window().settings();
    const QString beginning = ui::toQString(m_lesson->id) % u'\t';
    QStringList kept = settings.list(ui::SettingKey::LessonSteps);
    kept.removeIf([&](const QString& each) { return each.startsWith(beginning); });
    if (step > 0)
        kept.append(beginning % QString::number(step));
    settings.setList(ui::SettingKey::LessonSteps, kept);
}

void LessonController::takeView()
{
    // The user goes to a view by a key or the menu: what covers it gives way.
    if (m_showing)
        return;
    leaveList();
    if (m_lesson == nullptr || m_live)
        return;
    m_live = true;
    m_study.window().centre().setCover(nullptr);
    m_column->setLive(true);
}

void LessonController::next()
{
    if (m_lesson == nullptr)
        return;
    if (m_step + 1 == std::ssize(m_lesson->steps))
    {
        if (m_presenter == nullptr) // before a class the last step stays
            end();
        return;
    }
    showStep(m_step + 1);
}

void LessonController::back()
{
    showStep(m_step - 1);
}

void LessonController::end()
{
    if (m_lesson == nullptr)
        return;
    delete m_presenter;
    m_view->follow(nullptr, nullptr);
    m_keys->setOn(false);
    m_pictureRunner.cancel();
    m_measureRunner.cancel();
    m_lesson.reset();
    m_column->hide();
    m_page->setBusy({});
    m_study.window().centre().setCover(nullptr);
    m_showing = true;
    m_stage->giveBack();
    m_showing = false;
    m_study.window().actions().refresh();
    Q_EMIT ended();
}

void LessonController::changeControl(const QString& control, int value)
{
    if (m_lesson == nullptr)
        return;
    if (control == QStringLiteral("measure"))
        return measure();
    if (control == QStringLiteral("demo"))
        return useDemo();
    if (control == QStringLiteral("sharing"))
        m_values[stepKey()].remove(QStringLiteral("group")); // of another grouping
    m_values[stepKey()][control] = value;
    const LessonStep& now = shownStep();
    // The words may name what is chosen.
    m_column->setPage(pageOf(now), m_step, m_live);
    refreshPicture();
}

ui::LessonPage LessonController::pageOf(const LessonStep& step) const
{
    ui::LessonPage page = lessonPage(step, request(), m_stage->viewOf(step.scene));
    page.guess = m_guesses.value(stepKey(), -1);
    page.readFirst = m_readFirst.contains(stepKey());
    page.score = score();
    return page;
}

void LessonController::guess(int option)
{
    if (m_lesson == nullptr || m_guesses.contains(stepKey()))
        return;
    m_guesses[stepKey()] = option;
    const LessonStep& now = shownStep();
    m_column->setPage(pageOf(now), m_step, m_live);
    m_column->showAnswer();
    if (m_presenter != nullptr)
        m_presenter->setAnswerShown(true);
}

QString LessonController::score() const
{
    int guesses = 0;
    int correct = 0;
    for (std::size_t step = 0; step < m_lesson->steps.size(); ++step)
    {
        const QString key = ui::toQString(m_lesson->id) % u'/' % QString::number(step);
        const int guess = m_readFirst.contains(key) ? -1 : m_guesses.value(key, -1);
        guesses += guess >= 0 ? 1 : 0;
        correct += guess == static_cast<int>(m_lesson->steps[step].right) ? 1 : 0;
    }
    return guesses == 0 ? QString() : tr("%1 of %2 correct").arg(correct).arg(guesses);
}

void LessonController::present()
{
    if (m_lesson == nullptr || m_presenter != nullptr)
        return;
    auto* presenter = new ui::LessonPresenter(&m_study.window());
    m_presenter = presenter;
    connect(presenter, &ui::LessonPresenter::nextAsked, this, &LessonController::next);
    connect(presenter, &ui::LessonPresenter::backAsked, this, &LessonController::back);
    connect(presenter, &ui::LessonPresenter::answerAsked, this, [this, presenter] {
        presenter->setAnswerShown(true);
        m_column->showAnswer();
    });
    connect(presenter, &ui::LessonPresenter::changed, this, &LessonController::changeControl);
    connect(presenter, &ui::LessonPresenter::left, presenter, &QObject::deleteLater);
    m_view->present(*presenter);
    refreshPicture();
    presenter->showFullScreen();
    presenter->setFocus();
}

void LessonController::askHandout()
{
    if (m_lesson == nullptr)
        return;
    ui::MainWindow& window = m_study.window();
    const QString start = QDir(window.settings().text(ui::SettingKey::LastFolder))
                              .filePath(ui::toQString(m_lesson->id) % QStringLiteral(".pdf"));
    window.dialogs().saveFile(&window, tr("Save the handout"), start, tr("PDF (*.pdf)"), [this](const QString& path) {
        ui::withEnding(m_study.window().dialogs(), &m_study.window(), path, QStringLiteral("pdf"),
                       [this](const QString& file) { saveHandout(file); });
    });
}

} // namespace headscope::desktop

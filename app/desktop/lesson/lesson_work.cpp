// SPDX-License-Identifier: GPL-3.0-or-later
// What a lesson reads and computes: the files, runs of a model, pictures, and the handout.
#include "app/desktop/engine/engine_servers.h"
#include "app/desktop/lesson/lesson_controller.h"
#include "app/desktop/lesson/lesson_handout.h"
#include "app/desktop/lesson/regroup_model.h"
#include "app/desktop/shell/model_memory.h"
#include "app/desktop/start/application.h"
#include "app/results/as_cache.h"
#include "app/views/attention/attention_view.h"
#include "app/views/attention/source/fetch_attention.h"
#include "model/data/key_sharing.h"
#include "ui/lesson/lesson_column.h"
#include "ui/lesson/lesson_list.h"
#include "ui/lesson/lesson_picture_page.h"
#include "ui/lesson/lesson_presenter.h"
#include "ui/settings/settings.h"
#include "ui/words/wording.h"

#include <QFileInfo>
#include <QLocale>

#include <algorithm>
#include <utility>

namespace headscope::desktop
{
namespace
{

/// The sentence of the runs that come with the program.
const std::string kSentence = "The queries of one group read the same keys, but they look for different things.";
/// The one whose words are split into several tokens.
const std::string kSplitSentence = "The tokenizer splits unbelievable words, and kangaroos misread photosynthesis.";
constexpr std::size_t kLiveRuns = 4; ///< that are kept

/// What comes with the program and the user's folder, read once.
struct ReadLibrary
{
    LessonLibrary library;
    std::vector<StoredAttention> stored;
};

QString lessonLine(const LessonFile& file)
{
    const Lesson& lesson = *file.lesson;
    QStringList parts{LessonController::tr("%1 steps").arg(lesson.steps.size())};
    if (lesson.minutes > 0)
        parts << LessonController::tr("about %1 minutes").arg(lesson.minutes);
    parts << QLocale::languageToString(QLocale(ui::toQString(lesson.language)).language());
    if (file.own)
        parts << LessonController::tr("from your folder");
    return parts.join(QStringLiteral(" · "));
}

} // namespace

void LessonController::readLibrary()
{
    if (m_read)
        return fillList();
    m_study.run<ReadLibrary>(
        m_readRunner,
        [folders = m_folders.value_or(lessonFolders())](JobContext& job) -> Result<ReadLibrary> {
            ReadLibrary read;
            HEADSCOPE_TRY(read.library, readLessons(folders, job));
            if (const std::filesystem::path folder = storedAttentionFolder(); !folder.empty())
            {
                std::vector<std::string> problems; // the Attention view tells them
                HEADSCOPE_TRY(read.stored, readStoredAttention(folder, problems, job));
            }
            return read;
        },
        [this](Result<ReadLibrary> read) {
            if (!read)
                return m_study.report(read.error());
            m_library = std::move(read->library);
            m_stored = std::move(read->stored);
            m_read = true;
            fillList();
        });
}

void LessonController::fillList()
{
    QList<ui::LessonEntry> entries;
    for (std::size_t i = 0; i < m_library.lessons.size(); ++i)
    {
        const Lesson& lesson = *m_library.lessons[i].lesson;
        entries.append({QString::number(i), ui::toQString(lesson.title), lessonLine(m_library.lessons[i]),
                        ui::toQString(lesson.summary), keptStep(lesson)});
    }
    QList<ui::LessonFault> faults;
    for (const Error& fault : m_library.faults)
        faults.append({ui::toQString(fault.file), ui::toQString(fault.sentence())});
    m_list->setLessons(entries, faults, ui::toQString(m_folders.value_or(lessonFolders()).own.string()));
    m_study.window().centre().setCover(m_list);
    m_list->setFocus();
    Q_EMIT listShown();
}

QString LessonController::idleText() const
{
    const bool isMeasured = m_lesson != nullptr && shownStep().picture.kind == LessonPictureKind::Regroup;
    return isMeasured && m_measureRunner.running() ? tr("Measuring…") : QString();
}

QString LessonController::model() const
{
    return m_study.cache() ? knownModel(m_study.window().settings(), m_study.cache()->overview->model) : QString();
}

std::string LessonController::sentence(const LessonStep& step) const
{
    constexpr std::int64_t kMaxTokens = 128; // that the pictures have room for
    if (!m_typed.empty())
        return m_typed;
    if (step.picture.word("text", {}) == "split")
        return kSplitSentence;
    const AttentionRunPtr shown = m_attention == nullptr ? nullptr : m_attention->run();
    return shown == nullptr || shown->text.empty() || shown->tokenCount() > kMaxTokens ? kSentence : shown->text;
}

AttentionRunPtr LessonController::runFor(const ModelInfo& model, const std::string& text) const
{
    AttentionRunPtr live;
    for (const AttentionRunPtr& each : m_liveRuns)
    {
        if (!LessonSource::isSameModel(each->model, model))
            continue;
        if (each->text == text)
            return each;
        live = live == nullptr ? each : live;
    }
    const auto usable = [](const StoredAttention& each) { return each.run != nullptr && !each.run->vectors.empty(); };
    for (const StoredAttention& each : m_stored)
        if (usable(each) && LessonSource::isSameModel(each.run->model, model) && each.run->text == text)
            return each.run;
    if (live != nullptr)
        return live;
    AttentionRunPtr any;
    for (const StoredAttention& each : m_stored)
    {
        if (!usable(each))
            continue;
        if (LessonSource::isSameModel(each.run->model, model))
            return each.run;
        // Of the others one with groups shows most, best of the same sentence.
        const auto worth = [&text](const AttentionRun& run) {
            return (keySharing(run.model) == KeySharing::Groups ? 2 : 0) + (run.text == text ? 1 : 0);
        };
        if (any == nullptr || worth(*each.run) > worth(*any))
            any = each.run;
    }
    return any;
}

LessonSource LessonController::source(const LessonStep& step) const
{
    const std::string text = sentence(step);
    LessonSource source;
    const auto& cache = m_study.cache();
    source.model = usualModel();
    if (cache)
        source.model = cache->overview->model;
    else if (const AttentionRunPtr run = runFor(source.model, text))
        source.model = run->model;
    source.run = runFor(source.model, text);
    source.threads = m_study.threads();
    if (cache)
    {
        source.reader = cache->reader;
        source.documents = cache->overview->documents;
        source.canType = !model().isEmpty();
        source.canMeasure = cache->overview->documents->texts.size() > 2 && source.canType &&
                            !source.model.changes.any(); // it would be regrouped once more
        source.labels = topicLabels(*cache, m_study.labelColumn());
    }
    source.typed = m_typed;
    source.demo = cache ? !source.canType && !downloadedModel().isEmpty() : !bundledDemos().isEmpty();
    if (m_measured != nullptr && m_measured->origin == m_study.origin())
        source.regroup = m_measured;
    else if (source.model.kvHeads > 1)
        for (const auto& numbers : m_library.numbers)
        {
            // Those of the model itself, else of one whose heads share in the same way.
            const auto worth = [&source](const ModelInfo& model) {
                return model.name == source.model.name ? 2 : keySharing(model) == keySharing(source.model) ? 1 : 0;
            };
            if (source.regroup == nullptr || worth(numbers->model) > worth(source.regroup->model))
                source.regroup = numbers;
        }
    return source;
}

LessonPictureRequest LessonController::request() const
{
    return {shownStep().picture, m_values.value(stepKey()), source(shownStep())};
}

std::optional<AttentionQuestion> LessonController::missingRun(const LessonStep& step) const
{
    if (!m_study.cache() || model().isEmpty())
        return std::nullopt;
    const ModelInfo& info = m_study.cache()->overview->model;
    const std::string text = sentence(step);
    const AttentionRunPtr there = runFor(info, text);
    if ((there != nullptr && LessonSource::isSameModel(there->model, info) && there->text == text) || m_failed == text)
        return std::nullopt;
    AttentionQuestion question;
    question.line.command.model = ui::toStdString(model());
    question.line.command.text = text;
    question.line.common.threads = m_study.threads();
    return question;
}

void LessonController::fetchRun()
{
    if (m_lesson == nullptr || m_step < 0)
        return;
    const std::optional<AttentionQuestion> question = missingRun(shownStep());
    if (!question || (m_runRunner.running() && m_fetching == question->line.command.text))
        return;
    m_fetching = question->line.command.text;
    m_study.run<AttentionRunPtr>(
        m_runRunner,
        [engine = m_engines.of(model()), question = *question](JobContext& job) {
            return runWithVectors(*engine, question, job);
        },
        [this](Result<AttentionRunPtr> run) {
            if (!run && run.error().code == ErrorCode::Cancelled)
                return;
            if (!run)
            {
                m_failed = m_fetching; // once is enough
                if (m_lesson != nullptr)
                    m_column->setProblem(ui::errorText(run.error()));
                return;
            }
            m_liveRuns.insert(m_liveRuns.begin(), std::move(*run));
            m_liveRuns.resize(std::min(m_liveRuns.size(), kLiveRuns));
            if (m_lesson != nullptr)
                refreshStep();
        });
}

QString LessonController::pictureKey(const LessonPictureRequest& request) const
{
    QStringList parts{ui::toQString(m_lesson->id), QString::number(m_step),
                      request.source.run == nullptr ? QString() : ui::toQString(request.source.run->origin.hash)};
    QStringList names = request.values.keys();
    names.sort();
    for (const QString& name : names)
        parts << name % u'=' % QString::number(request.values.value(name));
    return parts.join(u'|');
}

void LessonController::refreshPicture()
{
    const LessonPictureRequest now = request();
    m_page->setControls(lessonControls(now));
    if (m_presenter != nullptr)
        m_presenter->setControls(lessonControls(now));
    m_pictureRunner.cancel();
    m_page->setBusy(idleText());
    const QString key = pictureKey(now);
    m_ready = true;
    if (const auto made = m_made.constFind(key); made != m_made.constEnd())
        return showPicture(*made);
    if (isQuickPicture(now.spec.kind))
    {
        JobContext job;
        const Result<viz::LessonPicture> picture = makeLessonPicture(now, job);
        viz::LessonPicture shown = picture ? *picture : viz::LessonPicture{};
        if (now.spec.kind == LessonPictureKind::None && m_column->page().view.isEmpty())
            shown.note = tr("This step needs an open cache. Open one, or press “Use the demo model”.");
        return showPicture(shown);
    }
    m_ready = false;
    if (!m_page->canvas()->picture().drawn() || now.values.isEmpty())
    {
        viz::LessonPicture waiting;
        waiting.note = tr("Computing the drawing…");
        m_page->setPicture(waiting);
    }
    if (now.spec.kind == LessonPictureKind::Errors && now.source.reader != nullptr)
        m_study.beginJob(QStringLiteral("lesson"), tr("Training the probe of the lesson"), m_pictureRunner);
    m_page->setBusy(tr("Computing…"));
    m_study.run<viz::LessonPicture>(
        m_pictureRunner, [now](JobContext& job) { return makeLessonPicture(now, job); },
        [this, key](Result<viz::LessonPicture> picture) { takePicture(key, std::move(picture)); });
}

void LessonController::takePicture(const QString& key, Result<viz::LessonPicture> picture)
{
    m_page->setBusy(idleText());
    if (m_lesson == nullptr)
        return;
    m_ready = true;
    if (!picture)
    {
        viz::LessonPicture failed;
        failed.note = picture.error().code == ErrorCode::Cancelled
                          ? tr("Stopped. Go to another step and back to compute the drawing.")
                          : ui::errorText(picture.error());
        return showPicture(failed);
    }
    m_made[key] = *picture;
    showPicture(*picture);
}

void LessonController::showPicture(const viz::LessonPicture& picture)
{
    m_page->setPicture(picture);
    if (m_presenter != nullptr)
    {
        const ui::LessonPage& page = m_column->page();
        const bool answer = m_column->answerShown();
        m_presenter->setPage(page, picture, tr("%1 of %2").arg(m_step + 1).arg(m_lesson->steps.size()));
        m_presenter->setAnswerShown(answer);
    }
    Q_EMIT pictureShown();
}

QString LessonController::downloadedModel() const
{
    const std::string name = m_study.cache() ? m_study.cache()->overview->model.name : std::string();
    for (const ModelPlace& each : modelsIn(downloadFolder()))
        if (ui::toStdString(each.name) == name)
            return each.path;
    return {};
}

void LessonController::useDemo()
{
    if (m_study.cache())
    {
        rememberModel(m_study.window().settings(), downloadedModel());
        fetchRun();
        return refreshStep();
    }
    // Where its model was downloaded, sentences can be typed as soon as the cache is open.
    for (const ModelPlace& each : modelsIn(downloadFolder()))
        rememberModel(m_study.window().settings(), each.path);
    if (const QList<ui::Demo> demos = bundledDemos(); !demos.isEmpty())
        Q_EMIT m_study.window().openRequested(demos.front().path);
}

void LessonController::typeSentence(const QString& text)
{
    m_typed = ui::toStdString(text.simplified());
    m_failed.clear();
    m_values[stepKey()].remove(QStringLiteral("token")); // a place in another sentence
    fetchRun();
    if (m_lesson != nullptr)
        refreshStep();
}

void LessonController::measure()
{
    const LessonSource now = source(shownStep());
    if (!now.canMeasure || m_measureRunner.running())
        return;
    const ui::CacheOverview& overview = *m_study.cache()->overview;
    RegroupQuestion question;
    question.embed.model = ui::toStdString(model());
    encodeAsCache(m_study.cache()->reader->info().header, question.embed);
    question.model = now.model;
    question.texts = spreadTexts(overview.documents->texts, kRegroupTexts);
    question.ofTexts = static_cast<std::int64_t>(overview.documents->texts.size());
    question.from = ui::toStdString(QFileInfo(ui::toQString(overview.path)).fileName());
    question.sentence = sentence(shownStep());
    question.origin = m_study.origin();
    question.threads = m_study.threads();
    m_column->setProblem({});
    m_study.beginJob(QStringLiteral("lesson-measure"), tr("Running the model with fewer KV heads"), m_measureRunner);
    m_study.run<RegroupResult>(
        m_measureRunner,
        [engine = m_engines.of(model()), question](JobContext& job) {
            return measureRegrouping(*engine, question, job);
        },
        [this, step = m_step](Result<RegroupResult> measured) {
            m_page->setBusy({});
            if (measured)
                m_measured = std::make_shared<const RegroupResult>(std::move(*measured));
            if (m_lesson == nullptr)
                return;
            if (!measured && measured.error().code != ErrorCode::Cancelled)
            {
                if (step == m_step)
                    m_column->setProblem(ui::errorText(measured.error()));
                else
                    m_study.report(measured.error()); // not beside another step's text
            }
            refreshPicture();
        });
    m_page->setBusy(tr("Measuring…"));
}

void LessonController::saveHandout(const QString& file)
{
    if (m_lesson == nullptr)
        return;
    std::vector<HandoutSource> sources;
    for (const LessonStep& step : m_lesson->steps)
        sources.push_back({source(step), missingRun(step)});
    m_study.beginJob(QStringLiteral("lesson-handout"), tr("Making the handout"), m_handoutRunner);
    m_study.run<viz::Handout>(
        m_handoutRunner,
        [lesson = m_lesson, sources = std::move(sources), engine = model().isEmpty() ? nullptr : m_engines.of(model())](
            JobContext& job) mutable { return makeHandout(*lesson, std::move(sources), engine.get(), job); },
        [this, file](Result<viz::Handout> handout) {
            if (!handout)
                return m_study.report(handout.error());
            m_save.start(file, [handout = std::move(*handout), target = std::filesystem::path(ui::toStdString(file))] {
                return viz::exportHandout(handout, target, true);
            });
        });
}

} // namespace headscope::desktop

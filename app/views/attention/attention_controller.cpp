// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/attention/attention_controller.h"

#include "app/desktop/shell/model_choice.h"
#include "app/desktop/shell/view_files.h"
#include "app/results/attention_frame.h"
#include "app/views/attention/attention_change.h"
#include "app/views/attention/attention_state.h"
#include "app/views/attention/attention_view.h"
#include "ui/settings/settings.h"
#include "ui/words/wording.h"
#include "viz/export/attention/attention_figures.h"

#include <QFileInfo>

#include <algorithm>
#include <filesystem>
#include <utility>

namespace headscope::desktop
{
namespace
{

/// Most tokens of a table that goes to the clipboard.
constexpr std::int64_t kMaxCopied = 256;

/// The head of a layer that rests least on the first token: its pattern says most at a first look.
HeadIndex tellingHead(const AttentionRun& run, LayerIndex layer)
{
    const auto masses = run.statistics.find("first_token");
    const auto place = run.placeOf(layer);
    if (masses == run.statistics.end() || !place)
        return HeadIndex(0);
    const auto row = masses->second.row(static_cast<std::int64_t>(*place));
    return HeadIndex(std::ranges::min_element(row, [](double a, double b) { return a < b; }) - row.begin());
}

QStringList attentionFilters()
{
    return pictureFilters() + QStringList{AttentionController::tr("CSV table (*.csv)")};
}

ShownHeads shownHeads(const ui::AttentionView& view)
{
    ShownHeads heads;
    if (view.chosen())
        heads.emplace_back(view.chosen()->layer, view.chosen()->head);
    for (const ui::AttentionHead& pinned : view.pinned())
        heads.emplace_back(pinned.layer, pinned.head);
    return heads;
}

std::optional<std::int64_t> numberOf(std::optional<TokenIndex> token)
{
    return token ? std::optional(token->value()) : std::nullopt;
}

std::optional<TokenIndex> tokenOf(std::optional<std::int64_t> number)
{
    return number ? std::optional(TokenIndex(*number)) : std::nullopt;
}

} // namespace

AttentionController::AttentionController(Study& study, EngineServers& engines, QObject* parent)
    : AnalysisController(
          study,
          {ui::kAttentionView,
           tr("Attention"),
           tr("Attention weights of each head for one text. Each row is a query token, and its weights sum to 1."),
           attentionFilters(),
           {QStringLiteral("attention")},
           tr("A weight shows how much of a key token’s value goes into the output at a query token. It does not show "
              "what the head uses the token for.\n\nMany heads put most of their weight on the first token (an "
              "attention sink). “Without first token” excludes it and renormalizes each row. Heads of one KV group "
              "share keys and values but have their own queries."),
           tr("weights of one text (attention)")},
          parent),
      m_engines(engines), m_view(new ui::AttentionView)
{
    addView(m_view);
    own({&m_runner});
    ownQuietly({&m_moreRunner, &m_storedRunner});
    connectView();
    connectStudy();
    addCommands();
    m_view->setEmpty(tr("No cache is open"),
                     tr("Attention shows which tokens each head attends to in a text. Open a cache first."));
    refreshAsking();
}

void AttentionController::connectView()
{
    using ui::AttentionView;
    connect(m_view, &AttentionView::textAsked, this, &AttentionController::askText);
    connect(m_view, &AttentionView::modelRequested, this, &AttentionController::chooseModel);
    connect(m_view, &AttentionView::storedWanted, this, &AttentionController::showStored);
    connect(m_view, &AttentionView::stopRequested, &m_runner, &ui::JobRunner::requestStop);
    connect(m_view, &AttentionView::documentWanted, this, [this] {
        if (const auto primary = window().selection().selection().primary)
            askDocument(*primary);
    });
    connect(m_view, &AttentionView::emptyActionRequested, this, &AttentionController::chooseModel);
    connect(m_view, &AttentionView::layerHeadChosen, this, &AttentionController::tellChoices);
    connect(m_view, &AttentionView::weightsWanted, this, [this](LayerIndex layer, const std::vector<HeadIndex>& heads) {
        if (!heads.empty())
            want({layer, heads});
    });
    connect(m_view, &AttentionView::vectorsWanted, this, [this](LayerIndex layer) { want({layer, {}}); });
    connect(m_view, &AttentionView::switchOffWanted, this, &AttentionController::switchOff);
    connect(&m_runner, &ui::JobRunner::cancelled, this, [this] {
        m_view->setBusy({});
        showOff();
    });
}

void AttentionController::connectStudy()
{
    connect(&m_study, &Study::cacheChanged, this, [this] {
        refreshAsking();
        showEmpty();
        look();
    });
    connect(&m_study, &Study::sourceChanged, this, &AttentionController::followLayer);
    ui::SelectionHub& selection = window().selection();
    connect(&selection, &ui::SelectionHub::litHeadsChanged, this, &AttentionController::followHeads);
    connect(&selection, &ui::SelectionHub::primaryChanged, this, &AttentionController::refreshAsking);
    connect(&window(), &ui::MainWindow::viewChanged, this, &AttentionController::refreshAsking);
    connect(&window().settings(), &ui::Settings::changed, this, [this](ui::SettingKey key) {
        if (key == ui::SettingKey::KnownModels)
            refreshAsking();
    });
}

void AttentionController::addCommands()
{
    window().actions().add(
        {.id = QStringLiteral("actionAttentionOfDocument"),
         .text = tr("Attention of this document"),
         .tip = tr("Show the attention of each head in the selected document"),
         .keys = QKeySequence(QStringLiteral("Ctrl+Shift+T")),
         .place = {ui::MenuId::Analyse, 5},
         .act =
             [this] {
                 if (const auto primary = window().selection().selection().primary)
                     askDocument(*primary);
             },
         .enabled =
             [this] { return window().selection().selection().primary.has_value() && whyNoDocument().isEmpty(); }});
}

void AttentionController::leave()
{
    forget();
    m_kept.reset();
    m_view->setText({});
}

void AttentionController::forget()
{
    m_runner.cancel();
    m_moreRunner.cancel();
    m_wants.clear();
    m_question.reset();
    m_before.reset();
    m_off.reset();
    showOff();
    m_view->setProblem({});
    m_view->setNote({});
    m_view->setRun(nullptr);
}

void AttentionController::begin()
{
    if (!m_storedRead)
        return readStored(); // looks again
    if (m_kept)
        return askKept();
    if (m_view->run() == nullptr)
        showDefault();
}

void AttentionController::refreshAsking()
{
    const bool open = m_study.cache().has_value();
    const QString path = open ? modelOfCache(m_study) : QString();
    const QString name = open ? ui::toQString(m_study.cache()->overview->model.name) : QString();
    m_view->setModel(path.isEmpty() ? QString() : QFileInfo(path).fileName(),
                     tr("To type your own sentence, open the model of this cache (%1)")
                         .arg(name.isEmpty() ? tr("name not recorded") : name));
    const bool chosen = window().selection().selection().primary.has_value();
    const QString why = whyNoDocument();
    m_view->setDocumentsAllowed(why.isEmpty());
    m_view->setDocumentAllowed(chosen && why.isEmpty(),
                               !why.isEmpty() ? why
                               : chosen       ? QString()
                                              : tr("Select a document first, on the map or by searching"));
    refreshNote();
}

bool AttentionController::isOfCache(const AttentionRun& run) const
{
    if (!m_study.cache())
        return false;
    const ModelInfo& own = m_study.cache()->overview->model;
    return run.model.name == own.name && run.model.layers == own.layers && run.model.heads == own.heads;
}

ui::AttentionHead AttentionController::placeFor(const AttentionRun& run) const
{
    const auto fits = [&run](const ui::AttentionHead& place) {
        return run.placeOf(place.layer) && place.head.value() < run.model.heads;
    };
    const auto& former = m_view->run();
    if (m_view->chosen() && former != nullptr && former->model.name == run.model.name && fits(*m_view->chosen()))
        return *m_view->chosen();
    if (run.maker == AttentionMaker::Stored && !run.vectors.empty() && run.placeOf(run.vectors.front()->layer))
        return {run.vectors.front()->layer, tellingHead(run, run.vectors.front()->layer)};
    const auto& lit = window().selection().litHeads();
    const ui::AttentionHead own{m_study.layer(), HeadIndex(lit.size() == 1 ? lit.front() : 0)};
    return isOfCache(run) && fits(own) ? own : ui::AttentionHead{run.layers.back(), HeadIndex(0)};
}

void AttentionController::show(const AttentionRunPtr& run)
{
    const ui::AttentionHead place = placeFor(*run);
    m_studyLayer = m_study.layer();
    m_view->setProblem({});
    if (!m_view->setRun(run))
        return;
    m_view->setChosen(place.layer, place.head);
    putMarks(*run);
    const bool stored = run->maker == AttentionMaker::Stored;
    m_view->setSwitchOffAllowed(!stored, tr("Heads cannot be ablated in a stored run. Type a text to run the model."));
    refreshNote();
    window().actions().refresh();
    settle();
}

void AttentionController::putMarks(const AttentionRun& run)
{
    if (!m_marks)
        return;
    const AttentionState marks = *std::exchange(m_marks, std::nullopt);
    const auto fits = [&run](const ui::AttentionHead& place) {
        return run.placeOf(place.layer) && place.head.value() < run.model.heads;
    };
    const auto has = [&run](std::optional<std::int64_t> token) { return !token || *token < run.tokenCount(); };
    if (marks.chosen && fits(*marks.chosen))
        m_view->setChosen(marks.chosen->layer, marks.chosen->head);
    if (std::ranges::all_of(marks.pinned, fits))
        m_view->setPinned(marks.pinned);
    if (has(marks.reading) && has(marks.read))
        m_view->setCell(tokenOf(marks.reading), tokenOf(marks.read));
}

void AttentionController::refreshNote()
{
    const AttentionRunPtr& run = m_view->run();
    if (run == nullptr)
        return m_view->setNote({});
    if (run->maker == AttentionMaker::Stored)
    {
        // Where no model is known the line above says how to get one.
        const QString own = modelOfCache(m_study).isEmpty()
                                ? tr("Stored run.")
                                : tr("Stored run. To use your own sentence, type it and press Return.");
        const QString numbers = run->vectors.empty() ? QString()
                                                     : tr(" It includes queries, keys and values of layer %1 only.")
                                                           .arg(run->vectors.front()->layer.value());
        return m_view->setNote(own + numbers);
    }
    m_view->setNote(
        run->truncated
            ? tr("The text was truncated to %1.").arg(ui::countText(run->tokenCount(), tr("token"), tr("tokens")))
            : QString());
}

void AttentionController::showDefault()
{
    const auto ofCache =
        std::ranges::find_if(m_stored, [this](const StoredAttention& each) { return isOfCache(*each.run); });
    if (ofCache != m_stored.end())
        showStored(ui::toQString(ofCache->name));
    else if (modelOfCache(m_study).isEmpty() && !m_stored.empty())
        showStored(ui::toQString(m_stored.front().name));
    else
        showEmpty();
}

void AttentionController::showEmpty()
{
    if (!m_study.cache() || m_view->run() != nullptr)
        return;
    if (modelOfCache(m_study).isEmpty())
        return m_view->setEmpty(tr("No model is open"),
                                tr("To see the attention of each head in a text, open the model of this cache (%1).")
                                    .arg(ui::toQString(m_study.cache()->overview->model.name)),
                                tr("Open model…"));
    m_view->setEmpty(tr("No text yet"),
                     tr("Type a sentence above and press Return, or select a document and click Document."));
}

void AttentionController::followHeads()
{
    const AttentionRunPtr& run = m_view->run();
    if (m_telling || run == nullptr || !isOfCache(*run) || !m_view->chosen())
        return;
    if (const auto& lit = window().selection().litHeads(); lit.size() == 1)
        m_view->setChosen(m_view->chosen()->layer, HeadIndex(lit.front()));
}

void AttentionController::followLayer()
{
    // Another stage or other heads of the same layer are no reason to look elsewhere.
    if (std::exchange(m_studyLayer, m_study.layer()) == m_study.layer())
        return;
    const AttentionRunPtr& run = m_view->run();
    if (!m_telling && run != nullptr && isOfCache(*run) && m_view->chosen() && run->placeOf(m_study.layer()))
        m_view->setChosen(m_study.layer(), m_view->chosen()->head);
}

void AttentionController::tellChoices(LayerIndex layer, HeadIndex head)
{
    const AttentionRunPtr& run = m_view->run();
    if (run == nullptr || !isOfCache(*run))
        return;
    m_telling = true;
    m_study.choices().setLayer(layer);
    window().selection().setLitHeads({head.value()});
    m_telling = false;
}

void AttentionController::saveState(QJsonObject& state) const
{
    AttentionState kept;
    if (m_kept)
        kept = *m_kept;
    else if (const AttentionRunPtr& run = m_view->run(); run != nullptr)
    {
        if (run->maker == AttentionMaker::Stored)
            kept.stored = run->storedName;
        else if (run->document && m_study.cache())
            kept.document = m_study.cache()->overview->documents->ids[run->document->index()];
        else
            kept.text = run->text;
        kept.chosen = m_view->chosen();
        kept.pinned = m_view->pinned();
        const viz::AttentionFigure figure = m_view->figure();
        kept.reading = numberOf(figure.reading);
        kept.read = numberOf(figure.read);
    }
    writeAttentionState(kept, state);
}

void AttentionController::restoreState(const QJsonObject& state)
{
    m_kept = readAttentionState(state);
    forget();
    showEmpty();
    look();
}

QString AttentionController::commandLine() const
{
    if (m_view->run() == nullptr || !m_question)
        return {};
    commands::CommandLine<commands::AttentionCommand> line = m_question->line;
    line.common = {}; // threads: nothing depends on them
    line.command.statistics = true;
    line.command.output = "attention.h5";
    if (m_view->run()->tokenCount() > kThumbnailSide)
        line.command.thumbnails = kThumbnailSide;
    return ui::toQString(line.text());
}

std::optional<ViewOutput> AttentionController::output(const QString& path, const viz::FigureOptions&)
{
    const AttentionRunPtr run = m_view->run();
    if (run == nullptr)
        return nothing(tr("There is no attention to save yet."));
    if (path.endsWith(QLatin1StringView(".csv"), Qt::CaseInsensitive))
        return ViewOutput{{},
                          [run, heads = shownHeads(*m_view), target = std::filesystem::path(ui::toStdString(path))] {
                              return writeAttentionCsv(*run, heads, target);
                          }};
    return ViewOutput{viz::figureOfAttention(m_view->figure())};
}

void AttentionController::copy()
{
    const AttentionRunPtr& run = m_view->run();
    if (run == nullptr)
        return window().showNotice(tr("There is nothing to copy yet."));
    if (run->tokenCount() > kMaxCopied)
        return copyPictureOf(*m_view);
    copyView(window(), attentionFrame(*run, shownHeads(*m_view)), m_view->grab().toImage());
}

} // namespace headscope::desktop

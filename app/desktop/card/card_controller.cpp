// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/card/card_controller.h"

#include "app/cli/card/card_engine.h"
#include "app/cli/engine_process.h"
#include "app/desktop/shell/model_choice.h"
#include "app/desktop/shell/view_files.h"
#include "model/data/results/card/card_text.h"
#include "ui/dialogs/card_dialog.h"
#include "ui/dialogs/dialog_service.h"
#include "ui/dialogs/replace_question.h"
#include "ui/settings/settings.h"
#include "ui/view/head_source.h"
#include "ui/view/view.h"
#include "ui/window/actions.h"
#include "ui/words/window_text.h"
#include "ui/words/wording.h"
#include "viz/card/card_page.h"
#include "viz/export/card_figure.h"

#include <QAction>
#include <QClipboard>
#include <QDir>
#include <QGuiApplication>
#include <QMenu>

#include <algorithm>
#include <utility>

namespace headscope::desktop
{

CardController::CardController(Study& study, QObject* parent) : Controller(parent), m_study(study), m_save(study)
{
    m_action =
        m_study.window().actions().add({.id = QStringLiteral("actionHeadCard"),
                                        .text = tr("Head card"),
                                        .tip = tr("Show all that is known of the head under the pointer or the keys"),
                                        .keys = QKeySequence(QStringLiteral("Ctrl+Return")),
                                        .place = {ui::MenuId::Heads, 5},
                                        .act = [this] { showFocused(); },
                                        .enabled = [this] { return m_study.cache().has_value(); }});
    connect(&m_study.window().selection(), &ui::SelectionHub::hoveredHeadChanged, this, [this] {
        if (const auto head = m_study.window().selection().hoveredHead())
            m_pointed = HeadPlace{m_study.layer().value(), head->value()};
    });
    const ui::SelectionHub& hub = m_study.window().selection();
    connect(&hub, &ui::SelectionHub::litHeadsChanged, this, [this] {
        if (const auto& lit = m_study.window().selection().litHeads(); !lit.empty())
            m_pointed = HeadPlace{m_study.layer().value(), lit.front()};
    });
    connect(&hub, &ui::SelectionHub::primaryChanged, this, [this] {
        if (const auto head = m_study.window().selection().selection().primaryHead)
            m_pointed = HeadPlace{m_study.layer().value(), head->value()};
    });
    connect(&m_study, &Study::labelsChanged, this, [this] {
        if (m_dialog != nullptr && m_dialog->isVisible())
            make();
    });
    connect(&m_save, &SaveJob::saved, this, &Controller::saved);
    for (ui::View* view : m_study.window().findChildren<ui::View*>())
        connect(view, &ui::View::headCardRequested, this, &CardController::showFocused);
}

void CardController::stop()
{
    m_runner.cancel();
    m_modelRunner.cancel();
    m_save.stop();
}

void CardController::leave()
{
    m_made.reset();
    m_card.reset();
    m_pointed.reset();
    m_wanted.reset();
    m_hasModel = false;
    m_modelRunner.cancel(); // of another cache
    if (m_dialog != nullptr)
        m_dialog->close();
}

ui::View* CardController::viewInFront() const
{
    const auto views = m_study.window().findChildren<ui::View*>();
    const auto front = std::ranges::find_if(views, [](const ui::View* view) { return view->isVisible(); });
    return front != views.end() ? *front : nullptr;
}

void CardController::offerIn(QMenu& menu, const QWidget* part)
{
    const ui::View* view = viewInFront();
    if (!m_study.cache() || view == nullptr || (part != nullptr && part != view && !view->isAncestorOf(part)))
        return;
    const auto head = headInFocus(part);
    if (!head)
        return;
    m_pointed = head; // what the menu is opened over stays, though the pointer leaves it
    menu.addSeparator();
    menu.addAction(m_action);
}

std::optional<HeadPlace> CardController::headInFocus(const QWidget* part) const
{
    const ui::View* view = viewInFront();
    if (const auto head = view != nullptr ? ui::headMeant(*view, part) : std::nullopt)
        return HeadPlace{head->layer.value_or(m_study.layer()).value(), head->head.value()};
    if (m_pointed)
        return m_pointed;
    if (!m_study.heads().empty())
        return HeadPlace{m_study.layer().value(), m_study.heads().front()};
    return std::nullopt;
}

void CardController::showFocused()
{
    if (!m_study.cache())
        return m_study.window().showNotice(tr("Open a cache first. A card describes a head of its model."));
    if (const auto head = headInFocus())
        show(LayerIndex(head->layer), HeadIndex(head->head));
}

void CardController::show(LayerIndex layer, HeadIndex head)
{
    if (m_dialog == nullptr)
    {
        m_dialog = new ui::CardDialog(&m_study.window());
        m_dialog->setAttribute(Qt::WA_DeleteOnClose);
        connect(m_dialog, &ui::CardDialog::stepRequested, this, &CardController::step);
        connect(m_dialog, &ui::CardDialog::copyRequested, this, &CardController::copy);
        connect(m_dialog, &ui::CardDialog::saveRequested, this, &CardController::save);
        connect(m_dialog, &ui::CardDialog::modelRequested, this, &CardController::askModel);
    }
    m_wanted = HeadPlace{layer.value(), head.value()};
    m_dialog->setModelOffered(!m_hasModel && !m_modelRunner.running());
    m_dialog->show();
    m_dialog->raise();
    m_dialog->activateWindow();
    make();
}

void CardController::step(int by)
{
    if (!m_wanted || !m_study.cache())
        return;
    std::vector<std::int64_t> layers;
    for (const VectorsInfo& each : m_study.cache()->reader->info().embeddings)
        if (each.stage == Stage::HeadOutput)
            layers.push_back(each.layer.value());
    std::ranges::sort(layers);
    const std::int64_t heads = m_study.cache()->overview->model.heads;
    const auto found = std::ranges::find(layers, m_wanted->layer);
    if (layers.empty() || found == layers.end())
        return;
    const std::int64_t count = std::ssize(layers) * heads;
    const std::int64_t at = ((found - layers.begin()) * heads + m_wanted->head + by + count) % count;
    show(LayerIndex(layers[static_cast<std::size_t>(at / heads)]), HeadIndex(at % heads));
}

void CardController::make()
{
    if (!m_wanted || !m_study.cache() || m_dialog == nullptr)
        return;
    if (m_made == nullptr)
        m_made = std::make_shared<Made>();
    const LayerIndex layer(m_wanted->layer);
    const HeadIndex head(m_wanted->head);
    m_dialog->setBusy(tr("Making the card of head %1 of layer %2…").arg(head.value() + 1).arg(layer.value()));
    InputOptions choices;
    choices.cache = m_study.cache()->reader->path().string();
    choices.label = m_study.labelColumn();
    CacheInput input{.cache = m_study.cache()->reader,
                     .documents = m_study.cache()->overview->documents,
                     .layers = {layer},
                     .stages = {Stage::HeadOutput},
                     .rows = allIndices(m_study.cache()->overview->documents->count()),
                     .mask = {}};
    m_study.beginJob(QStringLiteral("card"), tr("Head card"), m_runner);
    m_study.run<HeadCard>(
        m_runner,
        [made = m_made, input = std::move(input), choices, layer, head, threads = m_study.threads(),
         model = modelOfCache(m_study).toStdString()](JobContext& job) -> Result<HeadCard> {
            const std::scoped_lock lock(made->mutex);
            if (!made->maker || made->label != choices.label)
            {
                HEADSCOPE_TRY(made->maker, CardMaker::create(input, choices, {}, threads, job));
                made->label = choices.label;
            }
            HEADSCOPE_TRY(HeadCard card, made->maker->card(layer, head, job));
            made->parts.addTo(card, model, CardReader::Window);
            return card;
        },
        [this](Result<HeadCard> card) {
            if (m_dialog == nullptr)
                return;
            if (!card)
            {
                if (card.error().code != ErrorCode::Cancelled)
                    m_dialog->setError(ui::toQString(card.error().message));
                return;
            }
            m_card = std::move(*card);
            m_dialog->setModelOffered(!m_hasModel && !m_modelRunner.running() &&
                                      !m_study.cache()->overview->documents->texts.empty());
            m_dialog->setPage(std::make_shared<const viz::CardPage>(*m_card, m_study.palette().theme().palette()));
            Q_EMIT workChanged();
        });
}

void CardController::askModel()
{
    if (!modelOfCache(m_study).isEmpty())
        return runModel();
    askModelOfCache(m_study, [this](const QString&) { runModel(); });
}

void CardController::runModel()
{
    if (m_made == nullptr || !m_study.cache() || m_dialog == nullptr)
        return;
    m_dialog->setBusy(tr("Running the model on documents of the cache…"));
    m_dialog->setModelOffered(false);
    cli::CardRuns runs;
    runs.engine = cli::enginePath();
    runs.model = modelOfCache(m_study).toStdString();
    runs.threads = m_study.threads();
    for (const VectorsInfo& each : m_study.cache()->reader->info().embeddings)
        if (each.stage == Stage::HeadOutput)
            runs.layers.push_back(each.layer);
    CacheInput input{.cache = m_study.cache()->reader,
                     .documents = m_study.cache()->overview->documents,
                     .layers = runs.layers,
                     .stages = {Stage::HeadOutput},
                     .rows = allIndices(m_study.cache()->overview->documents->count()),
                     .mask = {}};
    m_study.beginJob(QStringLiteral("cardModel"), tr("Head card: running the model"), m_modelRunner);
    m_study.run<CardModelParts>(
        m_modelRunner,
        [input = std::move(input), runs](JobContext& job) { return cli::runModelForCards(input, runs, job); },
        [this, made = m_made](Result<CardModelParts> parts) {
            if (!parts)
            {
                if (parts.error().code != ErrorCode::Cancelled)
                    m_study.report(parts.error());
                if (m_dialog != nullptr)
                    make();
                return;
            }
            for (const std::string& notice : parts->notices())
                m_study.window().showNotice(ui::toQString(asSentence(notice)));
            {
                const std::scoped_lock lock(made->mutex);
                made->parts = std::move(*parts);
            }
            m_hasModel = true;
            make();
        });
}

void CardController::copy() const
{
    if (!m_card)
        return;
    QGuiApplication::clipboard()->setText(ui::toQString(cardText(*m_card)));
    m_study.window().showNotice(tr("Copied the card to the clipboard."));
}

void CardController::save()
{
    if (!m_card || m_dialog == nullptr)
        return;
    ui::MainWindow& window = m_study.window();
    const QString start = QDir(window.settings().text(ui::SettingKey::LastFolder))
                              .filePath(ui::toQString(cardFileName(*m_card)) + QStringLiteral(".pdf"));
    window.dialogs().saveFile(m_dialog, tr("Save head card"), start, pictureFilters().join(QStringLiteral(";;")),
                              [this, card = *m_card](const QString& path) {
                                  ui::withEnding(
                                      m_study.window().dialogs(), &m_study.window(), path, QStringLiteral("pdf"),
                                      [this, card](const QString& file) {
                                          viz::FigureOptions options;
                                          options.overwrite = true;
                                          options.theme = {viz::InkTheme::Light, m_study.palette().theme().palette()};
                                          m_save.start(file, viz::figureOfCard(card), options);
                                      });
                              });
}

} // namespace headscope::desktop

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/extract/extract_controller.h"

#include "app/commands/inspect_command.h"
#include "app/desktop/extract/extract_line.h"
#include "app/desktop/shell/model_memory.h"
#include "app/shell/request_params.h"
#include "model/io/texts/csv_separator.h"
#include "model/io/texts/preview_reader.h"
#include "ui/dialogs/extract_dialog.h"
#include "ui/jobs/job_strip.h"
#include "ui/settings/settings.h"
#include "ui/words/window_text.h"
#include "ui/words/wording.h"

#include <QClipboard>
#include <QDir>
#include <QFileInfo>
#include <QGuiApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <nlohmann/json.hpp>

#include <filesystem>
#include <memory>
#include <utility>

namespace headscope::desktop
{
namespace
{

const QString kExtractJob = QStringLiteral("extract");
constexpr std::string_view kExtracting = "extracting"; ///< the engine's stage that makes vectors

/// What `headscope-engine inspect --json` says of a model, in the words of the data panel; what it does not
/// say is left out.
QString modelCardText(const QJsonObject& card)
{
    const auto tr = [](const char* text) { return ExtractController::tr(text); };
    const auto number = [&card](const char* key) {
        return static_cast<std::int64_t>(card.value(QLatin1StringView(key)).toDouble());
    };
    const auto text = [&card](const char* key) { return card.value(QLatin1StringView(key)).toString(); };
    const QString dot = QStringLiteral(" · ");
    QStringList shape{text("family")};
    if (number("layers") > 0)
        shape << ui::countText(number("layers"), tr("layer"), tr("layers"));
    ModelInfo sizes;
    sizes.heads = number("heads");
    sizes.kvHeads = number("kv_heads");
    if (sizes.heads > 0)
        shape << ui::headsAndGroupsText(sizes) << tr("head dimension %1").arg(number("head_dim"))
              << tr("hidden size %1").arg(number("model_dim"));
    shape << text("dtype");
    if (number("parameters") > 0)
        shape << tr("%1 parameters").arg(ui::countText(number("parameters")));
    if (!text("pooling").isEmpty())
        shape << (card.value(u"embedding").toBool(true) ? tr("%1 pooling").arg(text("pooling"))
                                                        : tr("%1 pooling (the model sets none)").arg(text("pooling")));
    shape.removeAll(QString());
    QStringList lines{shape.join(dot)};
    const QJsonObject memory = card.value(QStringLiteral("memory")).toObject();
    const auto bytes = [&memory](const char* key) {
        return static_cast<std::uint64_t>(memory.value(QLatin1StringView(key)).toDouble());
    };
    if (bytes("peak") > 0)
    {
        QString need = tr("Needs about %1 of memory, %2 of it for weights")
                           .arg(ui::bytesText(bytes("peak")), ui::bytesText(bytes("weights")));
        if (bytes("streamed") > 0 && bytes("streamed") < bytes("peak"))
            need += tr(", or at least %1 if layers are read one at a time").arg(ui::bytesText(bytes("streamed")));
        lines << need % u'.';
    }
    for (const QJsonValue& warning : card.value(QStringLiteral("warnings")).toArray())
        lines << warning.toString();
    lines.removeAll(QString());
    return lines.join(u'\n');
}

/// What the model does where an option says "auto".
ui::ModelDefaults modelDefaults(const QJsonObject& card)
{
    const auto number = [&card](const char* key) {
        return static_cast<std::int64_t>(card.value(QLatin1StringView(key)).toDouble());
    };
    return {.layers = number("layers"),
            .maxTokens = number("max_tokens"),
            .pooling = card.value(u"pooling").toString(),
            .eos = card.value(u"eos").toString()};
}

/// All that the model's files ask for, in the engine's words.
FactLines modelAsks(const QJsonObject& card)
{
    FactLines lines;
    for (const QJsonValue& ask : card.value(QStringLiteral("asks")).toArray())
        lines.emplace_back(ui::toStdString(ask[u"name"].toString()), ui::toStdString(ask[u"text"].toString()));
    return lines;
}

Result<QJsonObject> cardOf(const QString& model, EngineServer& engine, JobContext& job)
{
    commands::CommandLine<commands::InspectCommand> line;
    line.command.path = ui::toStdString(model);
    HEADSCOPE_TRY(const nlohmann::json card, engine.ask("inspect", shell::requestParams(line), job));
    const std::string text = card.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    return QJsonDocument::fromJson(QByteArray::fromStdString(text)).object();
}

/// What an extraction that has ended early leaves; "": no document.
QString keptText(const QString& cache)
{
    const QDir parts(cache + QStringLiteral(".shards"));
    return !parts.entryList({QStringLiteral("*.h5")}, QDir::Files).isEmpty()
               ? ExtractController::tr("Finished parts are saved next to %1. To continue, extract into the same file "
                                       "with the same options.")
                     .arg(QFileInfo(cache).fileName())
               : QString();
}

} // namespace

QString extractionLoss(const QString& file, const Progress& extracted, double seconds)
{
    const auto tr = [](const char* text) { return ExtractController::tr(text); };
    const QString time = ui::durationText(seconds);
    if (extracted.total == 0)
        return tr("The extraction of %1 would be interrupted after %2. No document is complete yet.").arg(file, time);
    // Read layer by layer, it counts document layers: no document is done before the last.
    const auto total = static_cast<std::int64_t>(extracted.total);
    const QString all = extracted.unit == "documents" ? ui::countText(total, tr("document"), tr("documents"))
                                                      : ui::countText(total) % u' ' % ui::toQString(extracted.unit);
    return tr("The extraction of %1 would be interrupted at %2 of %3, after %4. Finished parts are saved next to the "
              "file. To continue, extract into the same file with the same options.")
        .arg(file, ui::countText(static_cast<std::int64_t>(extracted.done)), all, time);
}

ExtractController::ExtractController(Study& study, EngineServers& engines, QObject* parent)
    : Controller(parent), m_study(study), m_engines(engines)
{
    connect(&m_study.window(), &ui::MainWindow::extractRequested, this, [this] { ask({}, {}); });
    connect(&m_runner, &ui::JobRunner::progressed, this, [this](const Progress& progress) {
        // Before, documents are read and weights loaded: what those stages count is no result.
        if (progress.stage == kExtracting)
            m_extracted = progress;
    });
    Fields options;
    extractFields()(options);
    ui::nameOptions(options);
}

void ExtractController::ask(const QString& model, const QString& texts)
{
    ui::MainWindow& window = m_study.window();
    if (m_runner.running())
        return window.showNotice(tr("An extraction is already running. Cancel it, or wait until it has finished."));
    if (m_dialog == nullptr)
        makeDialog();
    offerModels();
    if (!model.isEmpty())
        m_dialog->setModel(model);
    if (!texts.isEmpty())
        m_dialog->setTexts(texts);
    m_dialog->open();
}

QString ExtractController::lossOfStopping() const
{
    constexpr double kMsPerSecond = 1000;
    return m_runner.running() ? extractionLoss(QFileInfo(m_target).fileName(), m_extracted,
                                               static_cast<double>(m_since.elapsed()) / kMsPerSecond)
                              : QString();
}

void ExtractController::makeDialog()
{
    ui::MainWindow& window = m_study.window();
    m_dialog = new ui::ExtractDialog(window.dialogs(), extractFields(), &window);
    connect(m_dialog, &ui::ExtractDialog::extractRequested, this, &ExtractController::extract);
    connect(m_dialog, &ui::ExtractDialog::copyRequested, this, [this](const ui::ExtractRequest& request) {
        QGuiApplication::clipboard()->setText(commandOf(request));
        m_study.window().showNotice(tr("Copied the command to the clipboard."));
    });
    connect(m_dialog, &ui::ExtractDialog::modelChosen, this, &ExtractController::inspect);
    connect(m_dialog, &ui::ExtractDialog::previewWanted, this, &ExtractController::preview);
}

void ExtractController::inspect(const QString& model)
{
    m_inspector.start<QJsonObject>(
        [engine = m_engines.forOneJob(), model](JobContext& job) { return cardOf(model, *engine, job); },
        [this, model](Result<QJsonObject> card) {
            if (card)
                rememberModel(m_study.window().settings(), model); // it can be opened
            if (m_dialog == nullptr)
                return;
            m_dialog->setModelCard(card ? modelCardText(*card) : ui::errorText(card.error()), !card);
            if (card)
            {
                m_dialog->setModelAsks(modelAsks(*card));
                m_dialog->setModelDefaults(modelDefaults(*card));
            }
            Q_EMIT asked();
        });
}

/// The models that were used last, and those that were fetched.
void ExtractController::offerModels()
{
    const auto group = [](const QString& title, const QList<ModelPlace>& models) {
        ui::PathField::OfferGroup offers{title, {}};
        for (const ModelPlace& model : models)
            offers.offers.append({model.name, model.path});
        return offers;
    };
    m_dialog->setModelOffers({group(tr("Last used"), recentModels(m_study.window().settings())),
                              group(tr("Downloaded"), modelsIn(downloadFolder()))});
}

void ExtractController::preview(const QString& texts, bool lines, std::int64_t limit, const QString& separator)
{
    PreviewOptions options;
    options.lines = lines;
    options.limit = limit;
    options.separator = separatorFromName(ui::toStdString(separator));
    m_previewRunner.start<std::shared_ptr<const DocumentPreview>>(
        [path = std::filesystem::path(ui::toStdString(texts)),
         options](JobContext& job) -> Result<std::shared_ptr<const DocumentPreview>> {
            HEADSCOPE_TRY(auto preview, readPreview(path, options, job));
            return std::make_shared<const DocumentPreview>(std::move(preview));
        },
        [this](Result<std::shared_ptr<const DocumentPreview>> preview) {
            if (m_dialog == nullptr)
                return;
            if (preview)
                m_dialog->setPreview(std::move(*preview));
            else
                m_dialog->setPreviewFault(preview.error());
            Q_EMIT asked();
        });
}

QString ExtractController::commandOf(const ui::ExtractRequest& request) const
{
    const auto line = extractLine(request, m_study.threads());
    return line ? ui::toQString(line->text()) : QString();
}

void ExtractController::askAllLayers(const QString& model)
{
    ask(model, {});
    if (m_dialog != nullptr)
        m_dialog->chooseAllLayers();
}

void ExtractController::extract(const ui::ExtractRequest& request)
{
    const auto line = extractLine(request, m_study.threads());
    if (!line)
        return m_study.report(line.error());
    m_target = request.output;
    m_extracted = {};
    m_since.start();
    m_study
        .beginJob(kExtractJob, tr("Extracting %1").arg(QFileInfo(m_target).fileName()), m_runner,
                  Study::OnCancel::Await)
        ->setCommandLine(ui::toQString(line->text()));
    auto engine = m_engines.forOneJob();
    m_engine = engine;
    m_runner.start<std::int64_t>(
        [engine = std::move(engine), params = shell::requestParams(*line),
         log = m_study.logOf(kExtractJob)](JobContext& job) -> Result<std::int64_t> {
            HEADSCOPE_TRY(const nlohmann::json made, engine->ask("extract", params, job, log));
            return made.value("documents", std::int64_t{0});
        },
        [this](const Result<std::int64_t>& documents) { takeExtracted(documents); });
}

void ExtractController::takeExtracted(const Result<std::int64_t>& documents)
{
    if (!documents)
        return takeFailure(documents.error());
    const QString count = ui::countText(*documents, tr("document"), tr("documents"));
    const QString file = QFileInfo(m_target).fileName();
    m_study.noteResult(kExtractJob, tr("%1 in %2").arg(count, file));
    m_study.window().jobStrip().end(kExtractJob, ui::JobState::Done); // even if it was to stop
    m_study.window().showNotice(tr("Extracted %1 into %2.").arg(count, file));
    Q_EMIT extracted(m_target);
}

void ExtractController::takeFailure(const Error& error)
{
    ui::MainWindow& window = m_study.window();
    const QString kept = keptText(m_target);
    if (error.code == ErrorCode::Cancelled)
        return window.showNotice(kept.isEmpty() ? tr("Extraction cancelled. No documents were processed.")
                                                : tr("Extraction cancelled. %1").arg(kept));
    QString sentence = ui::errorText(error);
    window.jobStrip().addLog(sentence);
    window.jobStrip().setLogShown(true);
    if (error.code == ErrorCode::Internal && !kept.isEmpty()) // the engine died
        sentence = tr("%1. %2").arg(sentence, kept);
    if (window.welcomeShown())
        window.welcome().setProblem(tr("Extraction failed: %1").arg(sentence));
    else
        window.showError(tr("Extraction failed"), sentence);
}

pid_t ExtractController::engineProcess() const
{
    const auto engine = m_engine.lock();
    return engine == nullptr ? 0 : engine->processId();
}

} // namespace headscope::desktop

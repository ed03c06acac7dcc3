// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/shell/view_controller.h"

#include "app/cli/figure_files.h"
#include "app/desktop/shell/figure_bundle.h"
#include "ui/dialogs/replace_question.h"
#include "ui/view/view.h"
#include "ui/words/wording.h"

#include <QDateTime>
#include <QFileInfo>
#include <QTemporaryDir>

#include <algorithm>
#include <filesystem>
#include <utility>

namespace headscope::desktop
{

ViewController::ViewController(Study& study, ViewTraits traits, QObject* parent)
    : Controller(parent), m_study(study), m_save(study), m_traits(std::move(traits))
{
    connect(&m_save, &SaveJob::saved, this, [this](const QString& path) {
        if (m_saving && m_saving->file == path)
            Q_EMIT figureSaved(*std::exchange(m_saving, std::nullopt));
        Q_EMIT saved(path);
    });
    connect(&m_save, &SaveJob::failed, this, [this](const Error& error) { failFigure(ui::errorText(error)); });
}

ViewController::~ViewController() = default;

void ViewController::addView(ui::View* view, QWidget* focus)
{
    ui::ViewEntry entry;
    entry.id = m_traits.id;
    entry.title = m_traits.title;
    entry.widget = view;
    entry.state = &view->viewState();
    entry.help = m_traits.help;
    entry.more = m_traits.more;
    entry.answers = m_traits.answers;
    entry.filters = m_traits.filters;
    entry.jobs = m_traits.jobs;
    entry.focus = focus;
    entry.save = [this](const QString& path) { save(path); };
    entry.preview = [this](const ui::FigureSize& size, auto then) { preview(size, std::move(then)); };
    entry.figure = [this] { return figure(); };
    entry.copy = [this] { copy(); };
    entry.commandLine = [this] { return commandLine(); };
    window().addView(std::move(entry));
}

void ViewController::preview(const ui::FigureSize& size,
                             std::function<void(const Result<ui::FigurePicture>& picture)> then)
{
    if (m_previews == nullptr)
        m_previews = std::make_unique<QTemporaryDir>();
    const QString path = m_previews->filePath(QStringLiteral("preview.png"));
    const viz::FigureOptions options = figureOptions(size);
    auto shown = output(path, options);
    if (!shown)
        return then(Error{ErrorCode::InvalidArgument, "This view is empty. There is nothing to save.", {}, {}});
    m_study.run<ui::FigurePicture>(
        m_previewRunner,
        [figure = std::move(shown->figure), path, options](JobContext&) -> Result<ui::FigurePicture> {
            HEADSCOPE_TRY(const viz::FigureRecord record, viz::writeFigure(figure, ui::toStdString(path), options));
            ui::FigurePicture picture{QImage(path), record.sizeMm, record.leastTextPt, record.caption,
                                      record.contentMm};
            if (picture.image.isNull())
                return Error{ErrorCode::BadFormat, "expected an image, found none", ui::toStdString(path), {}};
            return picture;
        },
        std::move(then));
}

viz::Figure ViewController::figure()
{
    if (commandLine().isEmpty()) // output() would say that nothing is shown
        return {};
    auto shown = output(QStringLiteral("figure.png"), {});
    return shown ? std::move(shown->figure) : viz::Figure();
}

void ViewController::save(const QString& path)
{
    const std::filesystem::path target = ui::toStdString(path);
    ui::FigureSize size = figureSize(m_study);
    if (!viz::figureFormat(target) || !m_study.cache())
    {
        const viz::FigureOptions options = figureOptions(size);
        if (auto shown = output(path, options))
            write(path, std::move(*shown), options);
        return;
    }
    if (!size.files)
        return saveAgain(path, size);
    // The file dialog has asked about the figure alone.
    QStringList others;
    for (const char* ending : cli::kBesideEndings)
        others << ui::toQString(cli::besideFigure(target, ending).string());
    ui::askToReplace(window().dialogs(), &window(), others, [this, path, size] { saveAgain(path, size); });
}

void ViewController::write(const QString& path, ViewOutput output, viz::FigureOptions options)
{
    if (output.figure)
        return m_save.start(path, std::move(output.figure), std::move(options));
    ui::askToReplace(window().dialogs(), &window(), output.others,
                     [this, path, file = std::move(output.file)] { m_save.start(path, file); });
}

void ViewController::saveAgain(const QString& path, const ui::FigureSize& size)
{
    if (!m_study.cache())
        return;
    m_saving = SavedFigure{path,
                           m_traits.id.key(),
                           size,
                           ui::toQString(m_study.origin().hash),
                           QDateTime::currentMSecsSinceEpoch(),
                           m_study.viewState(m_traits.id)};
    hashCache([this, path, size](const Result<std::string>& hash) {
        if (hash)
            return saveFigure(path, size, *hash);
        m_study.report(hash.error());
        failFigure(ui::errorText(hash.error()));
    });
}

void ViewController::hashCache(std::function<void(const Result<std::string>& hash)> then)
{
    const auto reader = m_study.cache()->reader;
    if (reader->info().hasChecksums)
        return then("origin:" + reader->origin().hash);
    m_study.beginJob(QStringLiteral("save"), tr("Reading %1").arg(ui::toQString(reader->path().filename().string())),
                     m_hasher);
    m_study.run<std::string>(
        m_hasher, [reader](JobContext& job) { return recipeHash(reader->path(), "CACHE", reader.get(), job); },
        std::move(then));
}

std::optional<FigureBundle> ViewController::bundle(const QString& path, viz::FigureOptions options,
                                                   const QString& numbers)
{
    auto shown = output(path, options);
    if (!shown)
        return std::nullopt;
    FigureBundle bundle{std::move(shown->figure), std::move(options), {}};
    if (hasNumbers() && !numbers.isEmpty())
        if (auto table = output(numbers, bundle.options))
            bundle.numbers = std::move(table->file);
    return bundle;
}

void ViewController::collect(const PanelPlace& place, const QString& path, const QString& numbers,
                             std::function<void(const Result<std::shared_ptr<const FigureBundle>>& panel)> then)
{
    hashCache([this, place, path, numbers, then = std::move(then)](const Result<std::string>& hash) {
        if (!hash)
            return then(hash.error());
        viz::FigureOptions options = figureOptions(annotated({place.widthMm, place.dpi, {}, true}));
        options.scale = place.scale;
        options.recipe = recipeOfView(m_study, {m_traits.id, annotated({}), commandLine(), isDrawnByCommand()}, *hash);
        auto panel = bundle(path, std::move(options), numbers);
        if (!panel)
            return then(Error{ErrorCode::InvalidArgument, "This view is empty. There is nothing to save.", {}, {}});
        then(std::make_shared<const FigureBundle>(std::move(*panel)));
    });
}

ui::FigureSize ViewController::annotated(ui::FigureSize size) const
{
    if (const ui::ViewEntry* entry = window().views().find(m_traits.id))
        size.annotations = entry->annotations;
    return size;
}

std::optional<ViewOutput> ViewController::nothing(const QString& why) const
{
    window().showNotice(why);
    return std::nullopt;
}

bool ViewController::hasNumbers() const
{
    return m_traits.filters.join(u' ').contains(QStringLiteral("*.csv"));
}

void ViewController::saveFigure(const QString& path, const ui::FigureSize& size, const std::string& hash)
{
    auto staging = size.files ? std::make_shared<QTemporaryDir>() : nullptr;
    const std::filesystem::path target = ui::toStdString(path);
    QString numbers;
    if (size.files)
        numbers = staging->filePath(ui::toQString(cli::besideFigure(target.filename(), ".csv").string()));
    const ui::FigureSize own = annotated(size);
    viz::FigureOptions options = figureOptions(own);
    options.recipe = recipeOfView(m_study, {m_traits.id, own, commandLine(), isDrawnByCommand()}, hash);
    auto made = bundle(path, std::move(options), numbers);
    if (!made) // which the view has said
        return failFigure(tr("This view is empty. There is nothing to save."));
    made->preset = size.preset;
    auto record = std::make_shared<viz::FigureRecord>();
    if (m_saving)
        m_saving->record = record;
    m_save.start(path, [bundle = std::move(*made), staging, target, record]() -> Status {
        HEADSCOPE_TRY(*record, staging == nullptr ? viz::writeFigure(bundle.figure, target, bundle.options)
                                                  : writeTogether(bundle, ui::toStdString(staging->path()), target));
        return {};
    });
}

void ViewController::failFigure(const QString& why)
{
    if (const auto failed = std::exchange(m_saving, std::nullopt))
        Q_EMIT figureFailed(failed->file, why);
}

void ViewController::own(std::initializer_list<ui::JobRunner*> runners)
{
    for (ui::JobRunner* runner : runners)
        m_runners.push_back({runner, true});
}

void ViewController::ownQuietly(std::initializer_list<ui::JobRunner*> runners)
{
    for (ui::JobRunner* runner : runners)
        m_runners.push_back({runner, false});
}

void ViewController::stop()
{
    for (const Owned& owned : m_runners)
        owned.runner->cancel();
    m_hasher.cancel();
    m_previewRunner.cancel();
    m_save.stop();
}

bool ViewController::busy() const
{
    return m_save.busy() || m_hasher.running() ||
           std::ranges::any_of(m_runners, [](const Owned& owned) { return owned.asks && owned.runner->running(); });
}

bool ViewController::works() const
{
    return busy() || std::ranges::any_of(m_runners, [](const Owned& owned) { return owned.runner->running(); });
}

} // namespace headscope::desktop

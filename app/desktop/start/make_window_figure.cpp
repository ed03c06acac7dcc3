// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/start/make_window_figure.h"

#include "app/cli/engine_process.h"
#include "app/cli/figure_files.h"
#include "app/desktop/shell/autosave.h"
#include "app/desktop/shell/figure_bundle.h"
#include "app/desktop/shell/view_controller.h"
#include "app/desktop/start/workbench.h"
#include "app/desktop/work/figure_run.h"
#include "app/desktop/work/figure_work.h"
#include "app/desktop/work/state_values.h"
#include "app/desktop/work/work_session.h"
#include "app/results/figure_recipe.h"
#include "model/base/output/output_file.h"
#include "ui/dialogs/dialog_service.h"
#include "ui/settings/settings.h"
#include "ui/state/view_state.h"
#include "ui/theme/theme.h"
#include "ui/window/main_window.h"
#include "ui/words/wording.h"
#include "viz/export/embedded_recipe.h"
#include "viz/export/figure_presets.h"

#include <QApplication>
#include <QEventLoop>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTimer>

#include <memory>
#include <optional>
#include <system_error>
#include <utility>

namespace headscope::desktop
{
namespace
{

constexpr int kLookMs = 50;
constexpr int kMaxFits = 4;

/// Nobody is there to answer: every question is one that cannot be answered.
class NoDialogs : public ui::DialogService
{
public:
    explicit NoDialogs(std::function<void(const QString& text)> asked) : m_asked(std::move(asked)) {}

    void openFile(QWidget* /*parent*/, const QString& title, const QString& /*folder*/, const QString& /*filter*/,
                  std::function<void(const QString& path)> /*then*/) override
    {
        m_asked(title);
    }
    void openFolder(QWidget* /*parent*/, const QString& title, const QString& /*folder*/,
                    std::function<void(const QString& path)> /*then*/) override
    {
        m_asked(title);
    }
    void saveFile(QWidget* /*parent*/, const QString& title, const QString& /*proposal*/, const QString& /*filter*/,
                  std::function<void(const QString& path)> /*then*/) override
    {
        m_asked(title);
    }
    void ask(QWidget* /*parent*/, const ui::Question& question, std::function<void(int answer)> /*then*/) override
    {
        m_asked(question.text);
    }
    void figureSize(QWidget* /*parent*/, const ui::FigureSize& /*proposal*/, const ui::FigurePainter& /*paint*/,
                    std::function<void(const ui::FigureSize& size)> /*then*/) override
    {
        m_asked(QString());
    }

private:
    std::function<void(const QString& text)> m_asked;
};

/// What the recipe says of the figure beside its state.
struct RecordedFigure
{
    QString view;
    ui::FigureSize size{};
    QSize shown{};  ///< the view, in pixels
    QSize canvas{}; ///< and the canvas in it; empty: it has none
    QString palette{}; ///< paletteId(); empty: not recorded
    QJsonObject state{};
};

Result<RecordedFigure> recordedFigure(const std::filesystem::path& file)
{
    constexpr int kMaxPixels = 16'384;
    HEADSCOPE_TRY(const std::string text, viz::recipeTextOf(file));
    HEADSCOPE_TRY(const FigureRecipe recipe, readRecipe(text));
    const QJsonObject window = QJsonDocument::fromJson(QByteArray::fromStdString(recipe.window)).object();
    const QJsonObject figure = window.value(u"figure").toObject();
    RecordedFigure recorded;
    recorded.view = state::text(window, QStringLiteral("view"));
    static_cast<FigurePaper&>(recorded.size) = paperOfRecipe(figure);
    const auto pixels = [&figure](const char* key) {
        return static_cast<int>(state::whole(figure, QLatin1StringView(key), 1, kMaxPixels).value_or(0));
    };
    recorded.shown = {pixels("view_width"), pixels("view_height")};
    recorded.canvas = {pixels("canvas_width"), pixels("canvas_height")};
    recorded.palette = state::text(figure, QStringLiteral("palette"));
    recorded.state = window.value(u"state").toObject();
    return recorded;
}

/// Names of the innermost values that differ: "views.map.controls.toolPan".
void addDifferences(const QString& name, const QJsonValue& was, const QJsonValue& now, QStringList& names)
{
    if (was == now)
        return;
    if (!was.isObject() || !now.isObject())
    {
        names << name;
        return;
    }
    const QJsonObject before = was.toObject();
    for (auto each = before.begin(); each != before.end(); ++each)
        addDifferences(name % u'.' % each.key(), each.value(), now.toObject().value(each.key()), names);
}

/// A window that makes one figure.
class FigureWindow : public QObject
{
public:
    FigureWindow(const cli::WindowFigureRequest& request, RecordedFigure recorded, JobContext& job)
        : m_request(request), m_recorded(std::move(recorded)), m_job(job), m_dialogs([this](const QString& text) {
              fail({ErrorCode::InvalidArgument, ui::toStdString(text), {}, {}});
          }),
          m_settings(ui::Settings::temporary()), m_window(*m_settings, m_dialogs),
          m_workbench(m_window, ui::toQString(cli::enginePath().string()))
    {
        const ui::Settings own;
        // Figures of older versions do not say it.
        m_settings->setText(ui::SettingKey::LabelColors, m_recorded.palette.isEmpty()
                                                             ? own.text(ui::SettingKey::LabelColors)
                                                             : m_recorded.palette);
        m_settings->setList(ui::SettingKey::KnownModels, own.list(ui::SettingKey::KnownModels));
        m_workbench.keeper().setReadOnly();
        m_window.show();
        connect(&m_workbench, &Workbench::openFailed, this, [this](const Error& error) { fail(error); });
        connect(&m_workbench.study(), &Study::sourceFailed, this, [this](const Error& error) { fail(error); });
        connect(&m_workbench.work(), &WorkSession::restored, this, &FigureWindow::takeView);
        connect(&m_look, &QTimer::timeout, this, &FigureWindow::look);
        connect(&m_stop, &QTimer::timeout, this, [this] {
            if (const Status status = m_job.checkStop(); !status)
                fail(status.error());
        });
    }
    ~FigureWindow() override { m_workbench.stopAll(); }
    FigureWindow(const FigureWindow&) = delete;
    FigureWindow& operator=(const FigureWindow&) = delete;

    Result<cli::WindowFigureMade> run()
    {
        m_stop.start(kLookMs);
        QMetaObject::invokeMethod(
            this,
            [this] {
                m_workbench.work().openFigure(ui::toQString(m_request.figure.string()),
                                              ui::toQString(m_request.cache.string()));
            },
            Qt::QueuedConnection);
        m_loop.exec();
        m_look.stop();
        m_stop.stop();
        if (m_failure)
            return std::move(*m_failure);
        return std::move(m_made);
    }

private:
    void fail(Error error)
    {
        if (!m_failure)
            m_failure = std::move(error);
        m_loop.quit();
    }
    Error notAsItWas(const QString& why) const
    {
        return {ErrorCode::InvalidArgument, ui::toStdString(why), m_request.figure.string(), {}};
    }

    void takeView()
    {
        for (Controller* controller : m_workbench.controllers())
            if (auto* view = qobject_cast<ViewController*>(controller);
                view != nullptr && view->id().key() == m_recorded.view)
                m_view = view;
        if (m_view == nullptr)
            return fail(notAsItWas(
                QStringLiteral("expected a view of the window, found \"%1\"").arg(m_recorded.view.left(40))));
        if (const QStringList lost = m_workbench.work().lost(); !lost.isEmpty())
            return fail(notAsItWas(
                QStringLiteral("the view differs from the saved figure: %1").arg(lost.join(QStringLiteral(", ")))));
        connect(m_view, &ViewController::figureSaved, this, &FigureWindow::finish);
        connect(m_view, &ViewController::figureFailed, this,
                [this](const QString& /*file*/, const QString& why) { fail(notAsItWas(why)); });
        m_window.resize(m_window.size() + missing());
        m_look.start(kLookMs);
    }

    /// By how much the view, or the canvas in it, is smaller than it was: what is around it may be larger.
    [[nodiscard]] QSize missing() const
    {
        const ui::ViewEntry* entry = m_window.views().find(m_view->id());
        if (entry == nullptr)
            return {0, 0};
        if (const QSize canvas = canvasSize(*entry->widget); !m_recorded.canvas.isEmpty() && !canvas.isEmpty())
            return m_recorded.canvas - canvas;
        return m_recorded.shown.isEmpty() ? QSize(0, 0) : m_recorded.shown - entry->widget->size();
    }

    /// Panes and zooms, which moved with the sizes.
    void setViewAgain()
    {
        const ui::ViewEntry* entry = m_window.views().find(m_view->id());
        if (entry == nullptr)
            return;
        const QJsonObject view =
            m_recorded.state.value(QStringLiteral("views")).toObject().value(m_recorded.view).toObject();
        entry->state->set(ui::StatePart::Controls, view.value(QStringLiteral("controls")).toObject());
        entry->state->set(ui::StatePart::Zooms, view.value(QStringLiteral("zooms")).toObject());
    }

    /// What the recipe says, its controls by the names that their entries have today.
    [[nodiscard]] QJsonObject recordedToday() const
    {
        QJsonObject all = m_recorded.state;
        const ui::ViewEntry* entry = m_window.views().find(m_view->id());
        QJsonObject views = all.value(QStringLiteral("views")).toObject();
        QJsonObject view = views.value(m_recorded.view).toObject();
        if (entry == nullptr || !view.contains(QStringLiteral("controls")))
            return all;
        view[QStringLiteral("controls")] =
            entry->state->today(ui::StatePart::Controls, view.value(QStringLiteral("controls")).toObject());
        views[m_recorded.view] = view;
        all[QStringLiteral("views")] = views;
        return all;
    }

    /// What the view shows that is not what the recipe says; "": all of it is.
    [[nodiscard]] QString difference()
    {
        const QJsonObject now = m_workbench.work().gatherFor(m_view->id());
        const QJsonObject recorded = recordedToday();
        QStringList parts;
        for (auto each = recorded.begin(); each != recorded.end(); ++each)
            if (each.key() != QStringLiteral("window"))
                addDifferences(each.key(), each.value(), now.value(each.key()), parts);
        return parts.join(QStringLiteral(", "));
    }

    void look()
    {
        m_stillMs = FigureRun::isComputing(m_workbench.study(), m_workbench.controllers()) ? 0 : m_stillMs + kLookMs;
        if (m_stillMs < FigureRun::kStillMs)
            return;
        if (missing() != QSize(0, 0) && m_fits++ < kMaxFits) // hidden views are laid out when they are shown
        {
            m_window.resize(m_window.size() + missing());
            m_stillMs = 0;
            return;
        }
        const QString parts = difference();
        if (!parts.isEmpty() && !std::exchange(m_setAgain, true))
        {
            setViewAgain();
            m_stillMs = 0;
            return;
        }
        m_look.stop();
        if (!parts.isEmpty())
            return fail(notAsItWas(
                QStringLiteral("the view differs from the saved figure (%1), so the figure cannot be made again here")
                    .arg(parts)));
        save();
    }

    void save()
    {
        ui::FigureSize size = m_recorded.size;
        size.files = m_request.files;
        if (m_request.preset != "recipe")
        {
            const FigurePreset* preset = findPreset(m_request.preset);
            size.preset = preset == nullptr ? std::string() : m_request.preset;
            size.widthMm = preset == nullptr ? ui::FigureSize().widthMm : preset->widthMm;
        }
        ui::ViewStack& views = m_window.views();
        const ui::ViewEntry* entry = views.find(m_view->id());
        auto annotations = entry == nullptr ? std::vector<viz::Annotation>() : entry->annotations;
        for (viz::Annotation& each : cli::annotationsOf(m_request.annotate))
            annotations.push_back(std::move(each));
        if (!m_request.annotate.empty())
            views.setAnnotations(m_view->id(), std::move(annotations));
        m_view->saveAgain(ui::toQString(std::filesystem::absolute(m_request.output).string()), size);
    }

    void finish(const SavedFigure& figure)
    {
        m_made.view = ui::toStdString(figure.view);
        if (figure.record != nullptr)
            m_made.record = *figure.record;
        m_made.files = {m_request.output};
        std::error_code ignored;
        for (const char* ending : cli::kBesideEndings)
            if (const auto beside = cli::besideFigure(m_request.output, ending);
                m_request.files && std::filesystem::exists(beside, ignored))
                m_made.files.push_back(beside);
        m_loop.quit();
    }

    const cli::WindowFigureRequest& m_request;
    RecordedFigure m_recorded;
    JobContext& m_job;
    std::optional<Error> m_failure;
    cli::WindowFigureMade m_made;
    QEventLoop m_loop;
    QTimer m_look;
    QTimer m_stop;
    int m_stillMs = 0;
    int m_fits = 0;
    bool m_setAgain = false;
    NoDialogs m_dialogs;
    std::unique_ptr<ui::Settings> m_settings;
    ui::MainWindow m_window;
    Workbench m_workbench;
    ViewController* m_view = nullptr;
};

} // namespace

Result<cli::WindowFigureMade> makeWindowFigure(const cli::WindowFigureRequest& request, JobContext& job)
{
    auto recorded = recordedFigure(request.figure);
    if (!recorded)
        return std::move(recorded).error().inFile(request.figure.string());
    // The shape of a view follows from the letters and bars around it: those of the window that it was saved in.
    if (auto* application = qobject_cast<QApplication*>(QCoreApplication::instance()))
        ui::Theme::instance().apply(*application);
    return FigureWindow(request, std::move(*recorded), job).run();
}

} // namespace headscope::desktop

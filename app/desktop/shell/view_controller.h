// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/shell/controller.h"
#include "app/desktop/shell/save_job.h"
#include "app/desktop/shell/saved_figure.h"
#include "app/desktop/shell/study.h"
#include "ui/jobs/job_runner.h"
#include "ui/window/view_stack.h"

#include <QString>
#include <QStringList>

#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

class QTemporaryDir;

namespace headscope::ui
{
class View;
} // namespace headscope::ui

namespace headscope::desktop
{

/// Description of a view, given when it is added to the window.
struct ViewTraits
{
    ui::ViewId id;
    QString title;
    QString help;         ///< what is shown: a sentence of at most 120 characters
    QStringList filters;  ///< of the files it is saved as, the usual one first
    QStringList jobs;     ///< keys of the jobs that make what it shows
    QString more = {};    ///< how it is computed, what it does not show, where it comes from
    QString answers = {}; ///< what else people may look for it by: its verbs of the command line, its buttons
};

struct FigureBundle;

/// Where a view is as a panel of a figure.
struct PanelPlace
{
    double widthMm = 80; ///< margins included
    double scale = 1;    ///< of the page (viz::FigureOptions::scale)
    int dpi = 300;
};

/// Base of the controllers of views: adds the view to the window with its functions to save and copy, stops its jobs,
/// and tells whether any runs. A view is a folder of app/views with its widgets and its controller, a line in its
/// build file and one in the workbench.
/// @threads GUI thread
class ViewController : public Controller
{
    Q_OBJECT

public:
    void stop() override;
    [[nodiscard]] bool busy() const override;
    [[nodiscard]] bool works() const override;

    ~ViewController() override;

    [[nodiscard]] ui::ViewId id() const { return m_traits.id; }
    /// Saves what the view shows now as this figure, in place of what is there. figureSaved() or figureFailed()
    /// follows.
    void saveAgain(const QString& path, const ui::FigureSize& size);
    /// Hands over what the view shows now as a panel.
    /// @param path     of the page: its ending is that of the picture
    /// @param numbers  the .csv that the panel's numbers are written to; "": none
    /// @param then     called once, now or later
    void collect(const PanelPlace& place, const QString& path, const QString& numbers,
                 std::function<void(const Result<std::shared_ptr<const FigureBundle>>& panel)> then);

Q_SIGNALS:
    void figureSaved(const headscope::desktop::SavedFigure& figure);
    /// @param why  a sentence
    void figureFailed(const QString& path, const QString& why);

protected:
    ViewController(Study& study, ViewTraits traits, QObject* parent);

    /// Adds the view to the window, behind those that are there. Once, from the constructor.
    /// @param focus  gets the focus with the view; null: the first part that accepts it
    void addView(ui::View* view, QWidget* focus = nullptr);
    /// Jobs of the view, which stop() cancels. Before the window is closed, the user is asked while one of these runs.
    void own(std::initializer_list<ui::JobRunner*> runners);
    /// The same for jobs that may be stopped without asking.
    void ownQuietly(std::initializer_list<ui::JobRunner*> runners);

    /// What the view shows, by the file's ending; nothing where it shows nothing yet, which it says. The user has
    /// agreed to replace the file.
    /// @param paper  of a figure: views whose layout follows its width read that here
    [[nodiscard]] virtual std::optional<ViewOutput> output(const QString& path, const viz::FigureOptions& paper) = 0;
    /// Says why there is no output.
    std::optional<ViewOutput> nothing(const QString& why) const;
    /// Whether the figure that commandLine() draws is the very picture that output() gives, at a usual size: nothing is
    /// zoomed, hidden, marked or coloured in a way that only the window has.
    [[nodiscard]] virtual bool isDrawnByCommand() const { return false; }
    /// Puts what it shows on the clipboard.
    virtual void copy() = 0;
    /// The `headscope` line that makes the same; "" while nothing is shown that one could make.
    [[nodiscard]] virtual QString commandLine() const = 0;

    [[nodiscard]] ui::MainWindow& window() const { return m_study.window(); }
    [[nodiscard]] bool inFront() const { return window().view() == m_traits.id; }
    /// Brings the view to the front.
    void bringForward() { window().setView(m_traits.id); }
    /// Announces that a result is complete on the screen.
    void settle() { Q_EMIT shown(m_traits.id); }

    Study& m_study;
    SaveJob m_save;

private:
    /// What would be saved, as a picture.
    void preview(const ui::FigureSize& size, std::function<void(const Result<ui::FigurePicture>& picture)> then);

    /// What it shows as a figure on any paper; null where it shows nothing yet.
    [[nodiscard]] viz::Figure figure();
    /// Saves it; a figure with its recipe, and where the settings say so with the files next to it.
    void save(const QString& path);
    /// Writes a file, or a figure without more.
    void write(const QString& path, ViewOutput output, viz::FigureOptions options);
    /// What the view shows as a figure; nothing as output().
    /// @param options  with its recipe
    /// @param numbers  the .csv; "": none
    [[nodiscard]] std::optional<FigureBundle> bundle(const QString& path, viz::FigureOptions options,
                                                     const QString& numbers);
    /// The hash of the open cache as recipes have it, now or after it was read.
    void hashCache(std::function<void(const Result<std::string>& hash)> then);
    /// @param hash  of the cache
    void saveFigure(const QString& path, const ui::FigureSize& size, const std::string& hash);
    void failFigure(const QString& why);
    /// With what is written onto the view's figures.
    [[nodiscard]] ui::FigureSize annotated(ui::FigureSize size) const;
    [[nodiscard]] bool hasNumbers() const; ///< as a .csv

    struct Owned
    {
        ui::JobRunner* runner;
        bool asks;
    };

    ViewTraits m_traits;
    std::vector<Owned> m_runners;
    std::unique_ptr<QTemporaryDir> m_previews; ///< holds the picture that is being shown
    std::optional<SavedFigure> m_saving;       ///< the figure that is being saved
    ui::JobRunner m_hasher;                    ///< of caches without checksums
    ui::JobRunner m_previewRunner;
};

} // namespace headscope::desktop

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/shell/view_controller.h"

#include "app/desktop/shell/figure_preview_scope.h"

#include <QTemporaryDir>

#include <algorithm>
#include <utility>

namespace headscope::desktop
{

ViewController::ViewController(Study& study, ViewTraits traits, QObject* parent)
    : Controller(parent), m_study(study), m_save(study), m_traits(std::move(traits))
{
    connect(&m_save, &SaveJob::saved, this, &Controller::saved);
}

ViewController::~ViewController() = default;

void ViewController::addView(QWidget* widget, QWidget* focus)
{
    ui::ViewEntry entry;
    entry.id = m_traits.id;
    entry.title = m_traits.title;
    entry.widget = widget;
    entry.help = m_traits.help;
    entry.filters = m_traits.filters;
    entry.jobs = m_traits.jobs;
    entry.focus = focus;
    entry.save = [this](const QString& path) { save(path); };
    entry.preview = [this](const ui::FigureSize& size, auto then) { preview(size, std::move(then)); };
    entry.copy = [this] { copy(); };
    entry.commandLine = [this] { return commandLine(); };
    window().addView(std::move(entry));
}

void ViewController::preview(const ui::FigureSize& size,
                             std::function<void(const Result<ui::FigurePicture>& picture)> then)
{
    if (m_previews == nullptr)
        m_previews = std::make_unique<QTemporaryDir>();
    const PreviewScope scope(m_study, {size, std::move(then)});
    save(m_previews->filePath(QStringLiteral("preview.png")));
    if (!scope.request().begun)
        scope.request().then(Error{ErrorCode::InvalidArgument, "There is nothing in this view yet", {}, {}});
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
    m_save.stop();
}

bool ViewController::busy() const
{
    return m_save.busy() ||
           std::ranges::any_of(m_runners, [](const Owned& owned) { return owned.asks && owned.runner->running(); });
}

} // namespace headscope::desktop

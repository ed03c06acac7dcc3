// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/lesson/lesson_stage.h"

#include "app/desktop/work/work_session.h"
#include "app/views/map/map_coloring.h"
#include "app/views/map/map_view.h"
#include "ui/state/view_state.h"
#include "ui/words/wording.h"

#include <QAction>

#include <utility>

namespace headscope::desktop
{
namespace
{

const QString kSide = QStringLiteral("actionShowInspector");

QJsonObject controlsJson(const LessonScene& scene)
{
    QJsonObject controls;
    for (const auto& [name, value] : scene.controls)
    {
        const QString key = ui::toQString(name);
        if (const auto* on = std::get_if<bool>(&value))
            controls[key] = *on;
        else if (const auto* number = std::get_if<double>(&value))
            controls[key] = *number;
        else
            controls[key] = ui::toQString(std::get<std::string>(value));
    }
    return controls;
}

} // namespace

WindowStage::WindowStage(Study& study, WorkSession& session) : m_study(study), m_session(&session) {}

WindowStage::~WindowStage()
{
    if (m_taken && m_session)
        m_session->hold(false);
}

const ui::ViewEntry* WindowStage::entryOf(const LessonScene& scene) const
{
    ui::ViewStack& views = m_study.window().views();
    return scene.empty() || !m_study.cache() ? nullptr : views.find(views.idOf(ui::toQString(scene.tab)));
}

QString WindowStage::viewOf(const LessonScene& scene) const
{
    const ui::ViewEntry* entry = entryOf(scene);
    return entry == nullptr ? QString() : entry->title;
}

QWidget* WindowStage::widgetOf(const LessonScene& scene) const
{
    const ui::ViewEntry* entry = entryOf(scene);
    return entry == nullptr ? nullptr : entry->widget;
}

viz::Figure WindowStage::figureOf(const LessonScene& scene) const
{
    const ui::ViewEntry* entry = entryOf(scene);
    return entry == nullptr || !entry->figure ? viz::Figure() : entry->figure();
}

QString WindowStage::measuring(const LessonScene& scene) const
{
    const ui::ViewEntry* entry = entryOf(scene);
    if (entry == nullptr || entry->id != ui::kMapView || !coloringOf(ui::ColorChoice::fromKey(scene.color)).finder)
        return {};
    for (const char* job : {"source", "findings"}) // what is measured is measured on the vectors
        if (const QString title = m_study.running(QLatin1StringView(job)); !title.isEmpty())
            return title;
    return {};
}

void WindowStage::show(const LessonScene& scene, const std::vector<std::int64_t>& group)
{
    ui::MainWindow& window = m_study.window();
    const ui::ViewId view = window.views().idOf(ui::toQString(scene.tab));
    if (view.isNull() || !m_study.cache())
        return;
    ui::Choices& choices = m_study.choices();
    if (scene.lastLayer)
        choices.setLayer(LayerIndex(m_study.cache()->overview->model.layers - 1));
    else if (scene.layer)
        choices.setLayer(LayerIndex(*scene.layer));
    if (scene.stage)
        choices.setStage(*scene.stage == 1   ? Stage::HeadOutput
                         : *scene.stage == 2 ? Stage::ProjectedSegment
                                             : Stage::OutputSegment);
    showHeads(scene, group);
    if (!scene.color.empty())
        choices.setColor(ui::ColorChoice::fromKey(scene.color));
    window.setView(view);
    if (const ui::ViewEntry* entry = window.views().find(view))
        entry->state->set(ui::StatePart::Controls, controlsJson(scene));
}

void WindowStage::showHeads(const LessonScene& scene, const std::vector<std::int64_t>& group)
{
    ui::Choices& choices = m_study.choices();
    switch (scene.choice)
    {
    case LessonHeads::All:
        // Of another step, or of before.
        m_study.window().selection().setLitHeads({});
        m_study.window().selection().setDocuments({});
        m_study.window().selection().setPrimary({}, {});
        return choices.chooseAllHeads();
    case LessonHeads::Group:
        return choices.setHeads(group);
    case LessonHeads::Listed:
        return choices.setHeads(scene.heads);
    case LessonHeads::AsTheyAre:
        break;
    }
}

void WindowStage::take()
{
    if (std::exchange(m_taken, true))
        return;
    ui::MainWindow& window = m_study.window();
    m_before = m_session ? m_session->gather() : QJsonObject();
    m_origin = m_study.origin();
    m_tab = window.view().key();
    m_welcome = window.welcomeShown();
    m_size = window.isMaximized() || window.isFullScreen() ? QSize() : window.size();
    if (QAction* side = window.actions().find(kSide))
    {
        m_sideShown = side->isChecked();
        side->setChecked(false);       // the column of the lesson has its room
        window.centre().refreshRoom(); // else the window grows by what the panel that has gone would need
    }
    if (m_session)
        m_session->hold(true);
}

void WindowStage::giveBack()
{
    if (!std::exchange(m_taken, false))
        return;
    ui::MainWindow& window = m_study.window();
    if (QAction* side = window.actions().find(kSide))
        side->setChecked(m_sideShown);
    if (!m_size.isEmpty() && !window.isMaximized() && !window.isFullScreen())
        window.resize(m_size); // a view may have asked for more beside the column
    if (!m_session)
        return;
    if (!m_study.cache())
        window.views().setCurrent(window.views().idOf(m_tab));
    else if (m_origin == m_study.origin())
    {
        m_session->show(m_before, true, [](const QStringList&) {});
        window.setWelcomeShown(m_welcome);
    }
    m_session->hold(false); // until the old state is back the session is not settled anyway
}

} // namespace headscope::desktop

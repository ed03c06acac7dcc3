// SPDX-License-Identifier: GPL-3.0-or-later
// What is asked before kept work is lost, or taken away.
#include "app/desktop/shell/autosave.h"

#include "app/desktop/shell/controller.h"
#include "model/base/output/output_file.h"
#include "model/io/results/work_file.h"
#include "ui/dialogs/dialog_service.h"
#include "ui/jobs/job_strip.h"
#include "ui/window/notice_bar.h"
#include "ui/words/wording.h"

#include <QDateTime>

#include <utility>

namespace headscope::desktop
{

void Autosave::askWhatToDo()
{
    ui::MainWindow& window = m_study.window();
    const Request lost = m_dirty ? request() : m_failed.front();
    window.dialogs().ask(&window,
                         {tr("Unsaved analyses"),
                          tr("%1\n\nUnsaved analyses are lost if you continue.").arg(m_failure),
                          {tr("Cancel"), tr("Try again"), tr("Save elsewhere…"), m_leaving}},
                         [this, lost](int answer) {
                             if (answer == 1)
                                 return writeAgain();
                             if (answer == 3)
                             {
                                 m_failed.clear();
                                 m_failure.clear();
                                 m_dirty = false;
                                 m_letGo = true;
                                 return settle();
                             }
                             const auto goOn = std::exchange(m_goOn, {});
                             if (const auto stay = std::exchange(m_stay, {}))
                                 stay();
                             if (answer == 2)
                                 askWhere(lost, goOn);
                         });
}

void Autosave::askWhere(const Request& lost, const std::function<void()>& goOn)
{
    ui::MainWindow& window = m_study.window();
    const std::filesystem::path proposal = workPathBeside(lost.reader->path().filename());
    window.dialogs().saveFile(
        &window, tr("Save analyses elsewhere"), ui::toQString(proposal.string()), tr("Headscope project (*.headscope)"),
        [this, lost, goOn, proposal](const QString& path) {
            const std::filesystem::path cache = lost.reader->path();
            if (const Status checked = checkIsNoInput(ui::toStdString(path), {&cache, 1}); !checked)
                return m_study.report(checked.error());
            if (const Status written =
                    writeWorkFile(ui::toStdString(path), {lost.reader->info().identity, lost.reader->path().string(),
                                                          QDateTime::currentMSecsSinceEpoch(), lost.work});
                !written)
                return m_study.report(written.error());
            const QString text =
                tr("Analyses are saved in %1. To restore them, move this file next to the cache and rename it to %2.")
                    .arg(path, ui::toQString(proposal.string()));
            m_study.window().jobStrip().addLog(text);
            m_study.window().showNotice(text);
            if (lost.book == m_book)
            {
                m_dirty = false;
                m_letGo = true;
            }
            std::erase_if(m_failed, [&lost](const Request& each) { return each.book == lost.book; });
            if (m_failed.empty())
                m_failure.clear();
            m_study.window().notices().settle(jobOf(lost));
            m_goOn = goOn;
            settle();
        });
}

void Autosave::askToForget()
{
    ui::MainWindow& window = m_study.window();
    const QString what = keptText();
    if (what.isEmpty())
        return window.showNotice(tr("Nothing is saved next to the cache."));
    window.dialogs().ask(
        &window,
        {tr("Delete autosaved analyses?"),
         (isOneThing(request().work)
              ? tr("%1 is removed from the window and deleted from disk. Maps stored in the cache are not deleted.")
              : tr("%1 are removed from the window and deleted from disk. Maps stored in the cache are not deleted."))
             .arg(what),
         {tr("Cancel"), tr("Delete")}},
        [this](int answer) {
            if (answer != 1)
                return;
            for (Controller* controller : m_controllers)
                controller->forgetWork();
            write();
        });
}

} // namespace headscope::desktop

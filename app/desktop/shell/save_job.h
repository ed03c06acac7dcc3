// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/shell/study.h"
#include "model/base/result.h"
#include "ui/dialogs/dialog_service.h"
#include "viz/export/figure_export.h"

#include <QObject>
#include <QString>

#include <functional>

namespace headscope::desktop
{

/// Writes files in the background, one at a time, and says how it went.
/// @threads GUI thread; `write` on a worker
class SaveJob : public QObject
{
    Q_OBJECT

public:
    explicit SaveJob(Study& study, QObject* parent = nullptr);

    /// @param write  must not touch widgets; QImage, QPdfWriter and QSvgGenerator may be painted to
    ///               from any thread (Qt: "Threads and Painting")
    void start(const QString& path, std::function<Status()> write);
    void stop()
    {
        m_runner.cancel();
        m_previewRunner.cancel();
    }
    [[nodiscard]] bool busy() const { return m_runner.running(); }

Q_SIGNALS:
    void saved(const QString& path);
    /// Nothing was written, and the window says why.
    void failed(const headscope::Error& error);

private:
    void fail(const Error& error);
    /// Writes it where nobody looks, and hands over what came of it.
    void show(const QString& path, std::function<Status()> write, const PreviewRequest& preview);

    Study& m_study;
    ui::JobRunner m_runner;
    ui::JobRunner m_previewRunner;
};

/// Options of a figure of this size; its height follows from the content, and it replaces what is there.
[[nodiscard]] viz::FigureOptions figureOptions(const ui::FigureSize& size);

/// The size of figures in the settings: that of the last one.
[[nodiscard]] ui::FigureSize figureSize(const Study& study);

/// Options of a figure with the size from the settings; its height follows from the content. The file dialog has
/// asked whether a file may be replaced.
[[nodiscard]] viz::FigureOptions figureOptions(const Study& study);

/// File filters of the dialogs that save pictures.
[[nodiscard]] QStringList pictureFilters();

} // namespace headscope::desktop

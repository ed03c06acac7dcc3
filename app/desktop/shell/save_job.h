// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/shell/study.h"
#include "model/base/result.h"
#include "ui/dialogs/dialog_service.h"
#include "viz/export/figure_export.h"

#include <QObject>
#include <QString>
#include <QStringList>

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
    void start(const QString& path, viz::Figure figure, viz::FigureOptions options);
    void stop() { m_runner.cancel(); }
    [[nodiscard]] bool busy() const { return m_runner.running(); }

Q_SIGNALS:
    void saved(const QString& path);
    /// Nothing was written, and the window says why.
    void failed(const headscope::Error& error);

private:
    void fail(const Error& error);

    Study& m_study;
    ui::JobRunner m_runner;
};

/// What a view writes at a path, by the path's ending.
struct ViewOutput
{
    viz::Figure figure{};           ///< of a picture; null: it is a file of its own
    std::function<Status()> file{}; ///< that writes it
    QStringList others{};           ///< files that it writes, too, about which nobody was asked yet
};

/// Options of a figure of this size; its height follows from the content, and it replaces what is there.
[[nodiscard]] viz::FigureOptions figureOptions(const ui::FigureSize& size);

/// The size of figures in the settings: that of the last one.
[[nodiscard]] ui::FigureSize figureSize(const Study& study);

/// File filters of the dialogs that save pictures.
[[nodiscard]] QStringList pictureFilters();

} // namespace headscope::desktop

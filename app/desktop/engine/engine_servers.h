// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/engine/engine_server.h"

#include <QObject>
#include <QString>

#include <functional>
#include <map>
#include <memory>

namespace headscope::desktop
{

/// The engines of a window: those that stay, one for each model that was asked, and those for single jobs.
/// @threads GUI thread
class EngineServers : public QObject
{
    Q_OBJECT

public:
    /// @param program  headscope-engine
    explicit EngineServers(QString program, QObject* parent = nullptr);
    /// Ends those that stay.
    ~EngineServers() override;

    /// That of a model; started by its first question.
    [[nodiscard]] std::shared_ptr<EngineServer> of(const QString& model);
    /// One for a single job, which ends it by letting go of it: its memory is free then, and the engines that stay
    /// answer meanwhile.
    [[nodiscard]] std::shared_ptr<EngineServer> forOneJob() const;
    /// "Engine: 612 MB", of all that stay; "" where none does.
    [[nodiscard]] QString memoryText() const;

Q_SIGNALS:
    void memoryChanged();

private:
    [[nodiscard]] std::shared_ptr<EngineServer> make(std::function<void()> onMemory) const;

    QString m_program;
    std::map<QString, std::shared_ptr<EngineServer>> m_servers;
};

} // namespace headscope::desktop

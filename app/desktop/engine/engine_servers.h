// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/engine/engine_server.h"

#include <QObject>
#include <QString>

#include <map>
#include <memory>

namespace headscope::desktop
{

/// The engines of a window that stay: one for each model that was asked.
/// @threads GUI thread
class EngineServers : public QObject
{
    Q_OBJECT

public:
    /// @param program  headscope-engine
    explicit EngineServers(QString program, QObject* parent = nullptr);
    /// Ends them all.
    ~EngineServers() override;

    /// That of a model; started by its first question.
    [[nodiscard]] std::shared_ptr<EngineServer> of(const QString& model);
    /// "Engine: 612 MB", of all that run; "" where none does.
    [[nodiscard]] QString memoryText() const;

Q_SIGNALS:
    void memoryChanged();

private:
    QString m_program;
    std::map<QString, std::shared_ptr<EngineServer>> m_servers;
};

} // namespace headscope::desktop

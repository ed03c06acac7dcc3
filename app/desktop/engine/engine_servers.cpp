// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/engine/engine_servers.h"

#include "ui/words/wording.h"

#include <QMetaObject>

#include <cstdint>
#include <filesystem>
#include <utility>

namespace headscope::desktop
{

EngineServers::EngineServers(QString program, QObject* parent) : QObject(parent), m_program(std::move(program)) {}

EngineServers::~EngineServers() = default;

std::shared_ptr<EngineServer> EngineServers::make(std::function<void()> onMemory) const
{
    return std::make_shared<EngineServer>(std::filesystem::path(ui::toStdString(m_program)), std::move(onMemory));
}

std::shared_ptr<EngineServer> EngineServers::of(const QString& model)
{
    std::shared_ptr<EngineServer>& server = m_servers[model];
    if (server == nullptr)
        server = make([this] { QMetaObject::invokeMethod(this, &EngineServers::memoryChanged, Qt::QueuedConnection); });
    return server;
}

std::shared_ptr<EngineServer> EngineServers::forOneJob() const
{
    return make({});
}

QString EngineServers::memoryText() const
{
    std::uint64_t resident = 0;
    for (const auto& [model, server] : m_servers)
        resident += server->memory().resident;
    return resident == 0 ? QString() : tr("Engine: %1").arg(ui::bytesText(resident));
}

} // namespace headscope::desktop

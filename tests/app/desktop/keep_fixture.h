// SPDX-License-Identifier: GPL-3.0-or-later
// A window that keeps its work, on caches in a folder of one test.
#pragma once

#include "model/io/results/work_file.h"
#include "tests/app/desktop/desktop_fixture.h"
#include "tests/support/waiting.h"
#include "ui/window/notice_bar.h"

#include <QDir>
#include <QFileInfo>

#include <memory>

namespace headscope::test
{

class KeepFixture : protected DesktopFixture
{
protected:
    std::unique_ptr<QTemporaryDir> m_place; ///< of one test: its caches and what is kept
    QString m_other;
    QString m_engine = QStringLiteral("/nowhere/headscope-engine");

    QString side(const QString& cache = {})
    {
        return (cache.isEmpty() ? m_cache : cache) + QStringLiteral(".headscope");
    }
    QString home() const { return m_place->filePath(QStringLiteral("data/headscope/work")); }
    desktop::Autosave& keeper() { return m_workbench->keeper(); }

    void begin(int iterations = 60)
    {
        makeWindow({.engine = m_engine, .iterations = iterations, .size = {1200, 800}, .keepsWork = true});
    }
    void open(const QString& path)
    {
        QSignalSpy opened(m_workbench.get(), &desktop::Workbench::cacheOpened);
        m_workbench->open(path);
        WAIT_COMPARE(opened.count(), 1);
    }
    /// The window closes by itself when all is written.
    void closeWindow()
    {
        m_window->close();
        WAIT_FOR2(!m_window->isVisible(), qPrintable(m_dialogs.lastText));
        dropWindow();
    }
    /// A set over these documents, as the Find panel makes it.
    void keepSet(const QString& name, std::vector<std::int64_t> documents)
    {
        ui::NamedSets sets = hub().sets();
        const auto index = sets.keep(name, std::move(documents));
        sets.setOnMap(index, true);
        hub().setSets(std::move(sets));
    }
    QStringList mapNames()
    {
        QStringList names;
        for (const ui::KeptMap& kept : m_workbench->study().maps().entries())
            names << QString::fromStdString(kept.map->name);
        return names;
    }
    const ui::KeptMap* mapNamed(const char* name)
    {
        for (const ui::KeptMap& kept : m_workbench->study().maps().entries())
            if (kept.map->name == name)
                return &kept;
        return nullptr;
    }
    /// With blanks where the screen has blanks that do not break.
    static QString plain(QString text) { return text.replace(QChar::Nbsp, u' '); }
    /// What stands in the file now.
    Result<WorkFile> fileOf(const QString& path)
    {
        return readWorkFile(path.toStdString(), m_workbench->study().cache()->reader->info());
    }
    /// How many sets, or maps, the file beside the cache has; -1 while it cannot be read. One look: it is written anew
    /// meanwhile.
    std::int64_t keptSets()
    {
        const auto file = fileOf(side());
        return file ? static_cast<std::int64_t>(file->work.sets.size()) : -1;
    }
    std::int64_t keptMaps()
    {
        const auto file = fileOf(side());
        return file ? static_cast<std::int64_t>(file->work.maps.size()) : -1;
    }
    QString sentence() { return m_window->notices().count() == 0 ? QString() : plain(m_window->notices().sentence()); }

    /// Two caches, and a window.
    void beginTest()
    {
        m_place = std::make_unique<QTemporaryDir>();
        qputenv("XDG_DATA_HOME", m_place->filePath(QStringLiteral("data")).toUtf8());
        m_cache = m_place->filePath(QStringLiteral("a.h5"));
        m_other = m_place->filePath(QStringLiteral("b.h5"));
        test::SampleCacheOptions options;
        options.map = true;
        HEADSCOPE_VERIFY_OK(test::writeSampleCache(m_cache.toStdString(), options));
        options.documents = 30;
        HEADSCOPE_VERIFY_OK(test::writeSampleCache(m_other.toStdString(), options));
        m_engine = QStringLiteral("/nowhere/headscope-engine");
        begin();
    }
    void endTest()
    {
        dropWindow();
        m_place.reset();
    }
};

} // namespace headscope::test

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/io/cache/cache_reader.h"
#include "model/io/hdf5/checksums.h"
#include "model/io/hdf5/hdf5_reader.h"
#include "tests/app/engine/document_texts.h"
#include "tests/app/engine/engine_run.h"

#include <QProcess>
#include <QTemporaryDir>

#include <chrono>
#include <filesystem>
#include <string>

namespace headscope::test
{

/// The texts and the runs of the tests of `extract --into`.
class IntoFixture
{
public:
    static constexpr int kDocuments = 90;

    /// Documents [begin, end) of the same 90, with topics that only the last ones have, and a second column.
    void writeTexts(const std::string& name, int begin, int end, const std::string& first = {}) const
    {
        DocumentTexts texts{.begin = begin, .end = end, .lengths = 23};
        if (!first.empty())
            texts.starts[begin] = first;
        texts.more = [](int i) {
            return ", \"topic\": \"t" + std::to_string(i < 50 ? 3 * (i % 3) : i % 8) + R"(", "kind": ")" +
                   (i % 3 == 0 ? "a" : "b") + '"';
        };
        writeFile(base / name, texts.lines());
    }

    /// In a folder of its own, so that all command lines are the same.
    [[nodiscard]] ProcessOutcome
    engine(const QStringList& words, const std::string& folder, const QByteArray& input = {},
           const QProcessEnvironment& environment = QProcessEnvironment::systemEnvironment()) const
    {
        QProcess process;
        start(process, words, folder, environment);
        process.write(input);
        process.closeWriteChannel();
        return outcomeOf(process);
    }

    void start(QProcess& process, const QStringList& words, const std::string& folder,
               const QProcessEnvironment& environment = QProcessEnvironment::systemEnvironment()) const
    {
        process.setProcessEnvironment(environment);
        std::filesystem::create_directories(base / folder);
        process.setWorkingDirectory(text(base / folder));
        process.start(text(program("headscope-engine")), words);
        process.waitForStarted(kPatienceMs);
    }

    /// "extract MODEL DOCUMENTS OPTIONS".
    [[nodiscard]] static QStringList words(const QStringList& documents, const QStringList& options)
    {
        return QStringList{QStringLiteral("extract"), text(golden("models/mistral_f32"))} + documents + options;
    }

    /// The checksums of everything in a cache, but of the attributes that name the command.
    [[nodiscard]] ChecksumTable checksumsOf(const std::string& name) const
    {
        JobContext job;
        const auto file = Hdf5Reader::open(base / name, job);
        if (!file)
            return {};
        ChecksumTable table = file->checksums();
        table.erase("/@");
        return table;
    }

    /// Checksums whose name begins with one of these words.
    [[nodiscard]] static ChecksumTable onlyOf(ChecksumTable table, const std::string& beginning)
    {
        std::erase_if(table, [&beginning](const auto& entry) { return !entry.first.starts_with(beginning); });
        return table;
    }

    [[nodiscard]] std::shared_ptr<CacheReader> open(const std::string& name) const
    {
        auto cache = CacheReader::open(base / name);
        return cache ? *cache : nullptr;
    }

    [[nodiscard]] std::filesystem::file_time_type changed(const std::string& name) const
    {
        return std::filesystem::last_write_time(base / name);
    }

    /// Names of what lies in a folder.
    [[nodiscard]] QStringList filesIn(const std::string& folder) const
    {
        QStringList names;
        for (const auto& entry : std::filesystem::directory_iterator(base / folder))
            names << text(entry.path().filename());
        names.sort();
        return names;
    }

private:
    QTemporaryDir m_folder;

public:
    const std::filesystem::path base = m_folder.path().toStdString();
};

} // namespace headscope::test

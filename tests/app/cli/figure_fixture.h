// SPDX-License-Identifier: GPL-3.0-or-later
// A cache with names that are hard to write, and figures of it.
#pragma once

#include "tests/app/cli/cli_fixture.h"
#include "tests/support/verify.h"

#include <QString>
#include <QTemporaryDir>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace headscope::test
{

class FigureFixture
{
protected:
    static std::string bytesOf(const std::string& path)
    {
        std::ifstream file(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }

    static void write(const std::string& path, const std::string& bytes)
    {
        std::ofstream(path, std::ios::binary) << bytes;
    }

    static std::vector<std::string> joined(std::vector<std::string> words, const std::vector<std::string>& more)
    {
        words.insert(words.end(), more.begin(), more.end());
        return words;
    }

    QTemporaryDir m_folder;
    std::string m_cache;

    std::string file(const std::string& name) { return m_folder.filePath(QString::fromStdString(name)).toStdString(); }
    /// A figure that is fast to draw, with its files: map.pdf, map.json, ...
    nlohmann::json makeSchema(const std::string& stem)
    {
        const auto outcome =
            runVerb({"inspect", m_cache, "--figure", file(stem + ".pdf"), "--recipe", "--overwrite", "--json"});
        return outcome.code == 0 ? nlohmann::json::parse(bytesOf(file(stem + ".json"))) : nlohmann::json(outcome.err);
    }

    void writeSample()
    {
        m_cache = file("cache.h5");
        CacheContents contents = tellingContents();
        contents.documents.ids[3] = "=1+1";
        contents.header.model.name = "tell_ing & 100%";
        JobContext job;
        HEADSCOPE_VERIFY_OK(writeCache(m_cache, contents, NumberType::F32, job));
    }
};

} // namespace headscope::test

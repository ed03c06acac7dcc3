// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/io/texts/document_reader.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace headscope::test
{

inline void write(const std::filesystem::path& path, std::string_view text)
{
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary).write(text.data(), static_cast<std::streamsize>(text.size()));
}

struct Read
{
    std::vector<InputDocument> documents;
    std::vector<std::string> labels;
    std::vector<std::string> notices;
};

/// All documents of the inputs, in batches.
inline Result<Read> readAll(const std::vector<std::filesystem::path>& inputs, const DocumentOptions& options = {},
                            std::size_t batch = 3)
{
    JobContext job;
    Read read;
    HEADSCOPE_TRY(const auto reader, DocumentReader::open(inputs, options, job));
    read.labels = reader->labelColumns();
    read.notices = reader->notices();
    while (true)
    {
        HEADSCOPE_TRY(auto documents, reader->next(batch, job));
        if (documents.empty())
            break;
        for (auto& document : documents)
            read.documents.push_back(std::move(document));
    }
    if (static_cast<std::int64_t>(read.documents.size()) != reader->count())
        return Error{ErrorCode::Internal, "count() differs from what came", {}, {}};
    return read;
}

/// "id=text[label,...]" of every document, for short comparisons.
inline std::string digest(const Read& read)
{
    std::string all;
    for (const InputDocument& document : read.documents)
    {
        all += document.id + "=" + document.text + "[";
        for (std::size_t i = 0; i < document.labels.size(); ++i)
            all += (i > 0 ? "," : "") + document.labels[i];
        all += document.repaired ? "]! " : "] ";
    }
    return all;
}

} // namespace headscope::test

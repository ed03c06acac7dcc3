// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <map>
#include <string>

namespace headscope::test
{

/// Documents "d0", "d1", ... of many lengths in no order: steps and shards do not end where those of one length would.
struct DocumentTexts
{
    int begin = 0;
    int end = 0;
    int lengths = 5;                                 ///< that there are
    std::map<int, std::string> starts{};             ///< of documents that do not start with "Text 3"
    std::function<std::string(int document)> more{}; ///< members behind the text: `, "topic": "t1"`
    std::function<std::string(int document, int at)> piece = [](int, int) {
        return std::string(" says a little more");
    };

    /// A line of JSON for each.
    [[nodiscard]] std::string lines() const
    {
        std::string lines;
        for (int i = begin; i < end; ++i)
        {
            const std::string number = std::to_string(i);
            std::string text = starts.contains(i) ? starts.at(i) : "Text " + number;
            for (int k = 0; k < (i * 7919) % lengths; ++k)
                text += piece(i, k);
            lines += "{\"id\": \"d" + number + "\", \"text\": \"" + text + '"' + (more ? more(i) : "") + "}\n";
        }
        return lines;
    }
};

} // namespace headscope::test

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/head_corpus/head_corpus_run.h"

#include "model/analysis/attention/head_collector.h"
#include "model/base/clock.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <system_error>
#include <utility>

namespace headscope::engine
{
namespace
{

constexpr double kKeepSeconds = 10; ///< between two times that what was done is kept

/// Documents in, what the head does at them out, kept every some seconds.
class Collecting
{
public:
    Collecting(const HeadCorpusRun& run, HeadCorpusFile begun, CorpusTexts& texts, const TextEncoder& encoder,
               JobContext& job)
        : m_run(run), m_texts(texts), m_encoder(encoder), m_job(job), m_truncated(begun.corpus.truncated),
          m_collector(std::move(begun.corpus), std::move(begun.drawn)), m_done(m_collector.documents())
    {}

    Status run(const HeadExtractor& extractor)
    {
        const HeadCorpusSource& source = m_run.plan.source;
        HEADSCOPE_CHECK(passBegun());
        report();
        Status status =
            extractor.watchDocuments([this] { return nextDocument(); }, source.layer, source.head,
                                     [this](std::vector<WatchedDocument>& step) { return take(step); }, m_job);
        if (!status && m_collector.documents() > m_kept)
            if (Status kept = keep(); !kept && status.error().code == ErrorCode::Cancelled)
                return kept;
        return status;
    }

    [[nodiscard]] HeadCorpus finish() const
    {
        HeadCorpus corpus = m_collector.finish();
        corpus.truncated = m_truncated;
        return corpus;
    }
    [[nodiscard]] std::int64_t tokens() const { return m_collector.tokens(); }

private:
    /// Whether the documents that were done are those that come now.
    Status passBegun()
    {
        const HeadCorpus begun = m_collector.gathered();
        for (std::int64_t i = 0; i < m_done; ++i)
        {
            HEADSCOPE_CHECK(m_job.checkStop());
            HEADSCOPE_TRY(const auto document, readDocument());
            const auto offset = begun.offsets.begin() + i;
            const std::span ids(begun.ids.data() + *offset, static_cast<std::size_t>(offset[1] - *offset));
            const auto place = static_cast<std::size_t>(i);
            if (!document || m_id != begun.documents[place] || !std::ranges::equal(document->ids, ids))
                return Error{ErrorCode::BadFormat,
                             "expected the text of the earlier run, found another text: --no-resume starts over",
                             m_run.plan.source.corpus, "document " + begun.documents[place]};
        }
        m_kept = m_done;
        return {};
    }

    Result<std::optional<TokenizedDocument>> readDocument()
    {
        HEADSCOPE_TRY(auto input, m_texts.next(m_job));
        if (!input)
            return std::optional<TokenizedDocument>();
        auto document = m_encoder.tokens(m_index, input->text);
        if (!document)
            return std::move(document).error().atPlace("document " + input->id);
        ++m_index;
        m_id = std::move(input->id);
        return std::optional(std::move(*document));
    }

    Result<std::optional<TokenizedDocument>> nextDocument()
    {
        HEADSCOPE_TRY(auto document, readDocument());
        if (document)
            m_ids.push_back(m_id);
        return document;
    }

    Status take(std::vector<WatchedDocument>& step)
    {
        for (WatchedDocument& each : step)
        {
            const auto id = m_ids[static_cast<std::size_t>(each.document.index - m_done)];
            HEADSCOPE_CHECK(
                m_collector.add({id, each.document.ids, std::as_const(each.q).view(), std::as_const(each.k).view(),
                                 std::as_const(each.z).view(), std::as_const(each.weights).view()}));
            m_truncated += hasFlag(each.document.flags, DocumentFlag::Truncated) ? 1 : 0;
            each = {};
        }
        report();
        if (secondsSince(m_keptAt) < m_keepSeconds)
            return {};
        return keep();
    }

    Status keep()
    {
        if (m_collector.tokens() == 0)
            return {};
        const auto start = Clock::now();
        HeadCorpusFile file{m_collector.gathered(), false, m_collector.drawn()};
        file.corpus.truncated = m_truncated;
        file.corpus.command = m_run.command;
        HEADSCOPE_CHECK(writeHeadCorpus(m_run.runFile, file));
        m_kept = m_collector.documents();
        m_keptAt = Clock::now();
        // Soon at first; at most a twentieth of the time goes into it.
        m_keepSeconds = std::max(std::min(2 * m_keepSeconds, kKeepSeconds), 20 * secondsSince(start));
        return {};
    }

    void report()
    {
        m_job.report("recording activations", static_cast<std::uint64_t>(m_collector.documents()),
                     static_cast<std::uint64_t>(m_texts.count()), "documents");
    }

    const HeadCorpusRun& m_run;
    CorpusTexts& m_texts;
    const TextEncoder& m_encoder;
    JobContext& m_job;
    std::int64_t m_truncated;
    HeadCollector m_collector;
    std::int64_t m_done; ///< documents of the run that was begun
    std::int64_t m_index = 0;
    std::string m_id;               ///< of the document that was read last
    std::vector<std::string> m_ids; ///< of those that were handed out
    std::int64_t m_kept = 0;        ///< documents in the file of the run
    Clock::time_point m_keptAt = Clock::now();
    double m_keepSeconds = 0.25; ///< until it is kept again
};

/// The ids that occur, and what they spell.
void addVocabulary(HeadCorpus& corpus, const Tokenizer& tokenizer)
{
    corpus.vocabulary = corpus.ids;
    std::ranges::sort(corpus.vocabulary);
    const auto [first, last] = std::ranges::unique(corpus.vocabulary);
    corpus.vocabulary.erase(first, last);
    for (const std::int32_t id : corpus.vocabulary)
        corpus.spellings.push_back(tokenizer.tokenText(id));
}

} // namespace

std::filesystem::path runFileOf(const std::filesystem::path& output)
{
    return output.string() + ".run";
}

Result<HeadCorpusFile> readBegun(const std::filesystem::path& runFile, const HeadCorpusSource& source,
                                 std::vector<std::string>& notices, JobContext& job)
{
    HeadCorpusFile begun;
    begun.complete = false;
    std::error_code ignored;
    if (std::filesystem::exists(runFile, ignored))
    {
        auto read = readHeadCorpus(runFile, job);
        if (!read && (read.error().code == ErrorCode::Cancelled || read.error().code == ErrorCode::Unsupported))
            return std::move(read).error();
        if (!read)
            notices.push_back(read.error().sentence() + "; the run starts over");
        else if (const std::string difference = read->corpus.source.differenceFrom(source); !difference.empty())
            return Error{ErrorCode::InvalidArgument,
                         difference + " in a run that was started with this output: --no-resume starts over",
                         runFile.string(),
                         {}};
        else
            begun = std::move(*read);
    }
    begun.corpus.source = source;
    return begun;
}

Result<HeadCorpus> HeadCorpusRun::run(HeadCorpusFile begun, CorpusTexts& texts, JobContext& job) const
{
    HEADSCOPE_TRY(const auto encoder, TextEncoder::create(model.tokenizer, plan.texts));
    Collecting collecting(*this, std::move(begun), texts, encoder, job);
    HEADSCOPE_CHECK(collecting.run(extractor));
    if (collecting.tokens() == 0)
        return Error{ErrorCode::InvalidArgument,
                     "expected documents with at least one token, found none",
                     plan.source.corpus,
                     {}};
    HeadCorpus corpus = collecting.finish();
    corpus.command = command;
    addVocabulary(corpus, model.tokenizer);
    return corpus;
}

} // namespace headscope::engine

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/circuits/circuit_texts.h"

#include "app/engine/extraction/extraction_output.h"
#include "app/engine/extraction_steps.h"
#include "app/engine/importance/importance_answer.h"
#include "app/engine/model_source.h"
#include "model/base/text/one_line.h"
#include "model/data/documents/document_set.h"
#include "model/io/texts/csv_separator.h"
#include "model/io/texts/document_reader.h"

#include <utility>

namespace headscope::engine
{
namespace
{

constexpr std::size_t kBeginningCharacters = 160;

DocumentOptions documentOptions(const commands::DocumentsRun& command, const shell::CommonOptions& common)
{
    DocumentOptions options;
    options.textColumn = command.textColumn;
    options.idColumn = command.idColumn;
    options.labelColumns = std::vector<std::string>();
    options.lines = command.lines;
    options.separator = separatorFromName(command.separator);
    options.limit = command.limit;
    options.sample = command.sample;
    options.seed = common.seed;
    return options;
}

Status take(const InputDocument& input, const TextEncoder& encoder, CircuitTexts& texts)
{
    auto document = encoder.tokens(std::ssize(texts.documents), input.text);
    if (!document)
        return std::move(document).error().atPlace("document " + input.id);
    const auto has = [&](DocumentFlag flag) { return (document->flags & static_cast<std::uint8_t>(flag)) != 0; };
    if (document->ids.empty() || has(DocumentFlag::Empty))
    {
        ++texts.empty;
        return {};
    }
    texts.truncated += has(DocumentFlag::Truncated) ? 1 : 0;
    texts.tokens += std::ssize(document->ids);
    texts.documents.push_back(std::move(*document));
    texts.ids.push_back(input.id);
    texts.beginnings.push_back(beginningOnOneLine(input.text, kBeginningCharacters));
    return {};
}

} // namespace

Result<ExtractionOptions> embeddingOptions(const commands::TextRun& run, const shell::CommonOptions& common,
                                           const OpenedModel& model)
{
    ExtractionOptions options;
    options.stages = {Stage::OutputSegment};
    options.layers = {model.files.config.layers - 1};
    HEADSCOPE_TRY(options.pooling, model.pooling(run.pooling));
    HEADSCOPE_TRY(options.backend, chooseBackend("auto", run.device));
    options.threads = common.numThreads();
    return options;
}

Result<TracedModel> openToTrace(commands::TextRun& command, const std::string& path,
                                Status (*checkFamily)(const ModelConfig&), VerbContext& context)
{
    TracedModel model;
    HEADSCOPE_TRY(model.opened, openModelOf(context, path));
    HEADSCOPE_TRY(const auto prompted, choosePrompt(command, *model.opened));
    sayNotices(context, prompted);
    HEADSCOPE_CHECK(checkFamily(model.opened->files.config));
    HEADSCOPE_TRY(model.options, embeddingOptions(command, context.common, *model.opened));
    HEADSCOPE_TRY(model.maxTokens, model.opened->maxTokens(command.maxTokens));
    HEADSCOPE_TRY(model.extractor,
                  context.models.extractor(model.options, model.maxTokens, Hashes::Needed, context.job));
    return model;
}

Result<CircuitTexts> readCircuitTexts(const commands::DocumentsRun& command, const shell::CommonOptions& common,
                                      const TextEncoder& encoder,
                                      const std::function<bool(const std::string& id)>& wanted, JobContext& job)
{
    constexpr std::size_t kBatch = 64;
    HEADSCOPE_TRY(const auto reader, DocumentReader::open({command.inputs.begin(), command.inputs.end()},
                                                          documentOptions(command, common), job));
    CircuitTexts texts;
    texts.notices = reader->notices();
    for (;;)
    {
        HEADSCOPE_TRY(const auto batch, reader->next(kBatch, job));
        if (batch.empty())
            break;
        for (const InputDocument& input : batch)
            if (!wanted || wanted(input.id))
                HEADSCOPE_CHECK(take(input, encoder, texts));
    }
    if (texts.documents.empty() && !wanted)
        return Error{ErrorCode::InvalidArgument,
                     "expected documents with at least one token, found none",
                     command.inputs.front(),
                     {}};
    return texts;
}

Result<std::filesystem::path> circuitOutput(const std::string& output, const std::string& model,
                                            const std::vector<std::string>& inputs, bool overwrite)
{
    if (output.empty())
        return std::filesystem::path();
    HEADSCOPE_CHECK(checkImportanceOutput(output));
    ExtractionRequest request;
    request.model = model;
    request.output = output;
    request.inputs = {inputs.begin(), inputs.end()};
    return checkedOutput(request, overwrite);
}

} // namespace headscope::engine

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/formats/safetensors.h"
#include "model/kernels/dequantise.h"
#include "tests/model/formats/gguf_builder.h"
#include "tests/support/test_paths.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

namespace headscope::test
{

/// A tensor of a folder as float32.
struct FolderTensor
{
    std::vector<std::int64_t> shape; ///< row-major
    std::vector<float> values;
};

/// What llama.cpp's converter does with the folders of a family: the truth of these names and of what becomes of the
/// numbers is its conversion/*.py, not the table of families.
struct GgufRecipe
{
    std::string folder; ///< below tests/golden/models
    std::string architecture;
    std::string prefix; ///< of tensor names
    /// Hugging Face's name and GGUF's, N for the layer, without the final ".weight" or ".bias"; others are left out.
    std::vector<std::pair<std::string, std::string>> names;
    std::vector<std::pair<std::string, std::string>> integers; ///< key behind the architecture, key of config.json
    std::vector<std::pair<std::string, std::string>> numbers;  ///< likewise, float32
    std::string pre;                                           ///< tokenizer.ggml.pre, of byte-level vocabularies
    std::function<void(const QJsonObject&, const std::string& name, FolderTensor&)> change = {};
    std::function<void(const QJsonObject&, GgufBuilder&)> more = {};
    int unusedPositions = 0; ///< rows that `change` cuts off the table of positions
};

inline QJsonObject jsonOf(const std::filesystem::path& path)
{
    std::ifstream file(path);
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    return QJsonDocument::fromJson(QByteArray::fromStdString(text)).object();
}

inline std::map<std::string, FolderTensor> tensorsOf(const std::filesystem::path& file)
{
    std::map<std::string, FolderTensor> tensors;
    const auto directory = openSafetensors(file);
    if (!directory)
        qFatal("%s", directory.error().sentence().c_str());
    std::ifstream stream(file, std::ios::binary);
    for (const TensorInfo& info : directory->tensors)
    {
        if (!tensorTypeInfo(info.type).readable)
            continue; // position ids and masks
        std::vector<std::byte> raw(info.bytes);
        stream.seekg(static_cast<std::streamoff>(info.offset));
        stream.read(reinterpret_cast<char*>(raw.data()), static_cast<std::streamsize>(raw.size()));
        FolderTensor& tensor = tensors[info.name];
        tensor.shape = info.shape;
        tensor.values.resize(info.elements());
        if (!dequantise(info.type, raw, tensor.values))
            qFatal("%s cannot be read", info.name.c_str());
    }
    return tensors;
}

/// Rows and columns exchanged.
inline void transpose(FolderTensor& tensor)
{
    const auto rows = static_cast<std::size_t>(tensor.shape[0]);
    const auto cols = static_cast<std::size_t>(tensor.shape[1]);
    const std::vector<float> from = tensor.values;
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = 0; c < cols; ++c)
            tensor.values[c * rows + r] = from[r * cols + c];
    std::swap(tensor.shape[0], tensor.shape[1]);
}

/// The halves of each head's rows interleaved.
inline void interleave(FolderTensor& tensor, int headDim)
{
    const auto cols = tensor.shape.size() == 2 ? static_cast<std::size_t>(tensor.shape[1]) : 1;
    const std::vector<float> from = tensor.values;
    for (std::size_t row = 0; row < static_cast<std::size_t>(tensor.shape[0]); ++row)
    {
        const std::size_t dims = static_cast<std::size_t>(headDim);
        const std::size_t head = row / dims * dims;
        const std::size_t to = head + (row % dims) % (dims / 2) * 2 + (row % dims) / (dims / 2);
        std::copy_n(from.begin() + static_cast<std::ptrdiff_t>(row * cols), cols,
                    tensor.values.begin() + static_cast<std::ptrdiff_t>(to * cols));
    }
}

/// Puts the vocabulary of a folder into a GGUF file.
class GgufVocabulary
{
public:
    GgufVocabulary(const std::filesystem::path& folder, std::string pre)
        : m_json(jsonOf(folder / "tokenizer.json")), m_config(jsonOf(folder / "tokenizer_config.json")),
          m_model(m_json[QStringLiteral("model")].toObject()), m_pre(std::move(pre))
    {
        // A folder with only a tokenizer has as many tokens as it lists.
        const QJsonValue vocabulary = m_model[QStringLiteral("vocab")];
        int size = vocabulary.isArray() ? static_cast<int>(vocabulary.toArray().size()) : 0;
        const QJsonObject all = vocabulary.toObject();
        for (const QJsonValue id : all)
            size = std::max(size, id.toInt() + 1);
        for (const QJsonValue token : m_json[QStringLiteral("added_tokens")].toArray())
            size = std::max(size, token[QStringLiteral("id")].toInt() + 1);
        size = std::max(size, jsonOf(folder / "config.json")[QStringLiteral("vocab_size")].toInt());
        for (int id = 0; id < size; ++id)
            m_tokens.push_back("[PAD" + std::to_string(id) + "]");
        m_types.assign(static_cast<std::size_t>(size), kUnused);
        m_scores.assign(static_cast<std::size_t>(size), -10000.0F);
    }

    void add(GgufBuilder& file)
    {
        const QString kind = m_model[QStringLiteral("type")].toString();
        const bool isSpm = m_model[QStringLiteral("byte_fallback")].toBool();
        readTokens(kind == QLatin1String("Unigram"), isSpm);
        readAdded();
        if (kind == QLatin1String("WordPiece"))
            addWordPiece(file);
        else if (kind == QLatin1String("Unigram"))
            addUnigram(file);
        else if (isSpm)
            addSpm(file);
        else
            addBpe(file);
        file.strings("tokenizer.ggml.tokens", m_tokens)
            .array<std::int32_t>("tokenizer.ggml.token_type", GgufType::I32, m_types);
        addFrame(file);
    }

private:
    static constexpr std::int32_t kNormal = 1, kUnknown = 2, kControl = 3, kUserDefined = 4, kUnused = 5, kByte = 6;

    void put(int id, const std::string& text, std::int32_t type)
    {
        m_tokens[static_cast<std::size_t>(id)] = text;
        m_types[static_cast<std::size_t>(id)] = type;
        m_ids[text] = id;
    }
    void readTokens(bool isUnigram, bool isSpm)
    {
        const QJsonValue vocabulary = m_model[QStringLiteral("vocab")];
        int id = 0;
        if (isUnigram)
            for (const QJsonValue entry : vocabulary.toArray())
            {
                m_scores[static_cast<std::size_t>(id)] = static_cast<float>(entry.toArray()[1].toDouble());
                put(id++, entry.toArray()[0].toString().toStdString(), kNormal);
            }
        const QJsonObject all = vocabulary.toObject();
        for (auto token = all.begin(); token != all.end(); ++token)
        {
            const std::string text = token.key().toStdString();
            const bool isByte = isSpm && text.size() == 6 && text.starts_with("<0x");
            put(token.value().toInt(), text, isByte ? kByte : kNormal);
        }
    }
    void readAdded()
    {
        for (const QJsonValue entry : m_json[QStringLiteral("added_tokens")].toArray())
        {
            const QJsonObject token = entry.toObject();
            put(token[QStringLiteral("id")].toInt(), token[QStringLiteral("content")].toString().toStdString(),
                token[QStringLiteral("special")].toBool() ? kControl : kUserDefined);
        }
    }
    void addWordPiece(GgufBuilder& file)
    {
        for (std::size_t id = 0; id < m_tokens.size(); ++id)
            if (m_types[id] != kControl)
                m_tokens[id] = m_tokens[id].starts_with("##") ? m_tokens[id].substr(2) : "\xE2\x96\x81" + m_tokens[id];
        file.text("tokenizer.ggml.model", "bert").text("tokenizer.ggml.pre", "jina-v2-en");
        const QJsonValue lowercase = m_json[QStringLiteral("normalizer")][QStringLiteral("lowercase")];
        if (!lowercase.toBool(true))
            file.number<std::uint8_t>("tokenizer.ggml.normalizer.lowercase", GgufType::Bool, 0);
    }
    void addUnigram(GgufBuilder& file)
    {
        m_types[static_cast<std::size_t>(m_model[QStringLiteral("unk_id")].toInt())] = kUnknown;
        QJsonObject normalizer = m_json[QStringLiteral("normalizer")].toObject();
        for (const QJsonValue step : normalizer[QStringLiteral("normalizers")].toArray())
            if (step[QStringLiteral("type")].toString() == QLatin1String("Precompiled"))
                normalizer = step.toObject();
        const QByteArray table =
            QByteArray::fromBase64(normalizer[QStringLiteral("precompiled_charsmap")].toString().toLatin1());
        file.text("tokenizer.ggml.model", "t5")
            .text("tokenizer.ggml.pre", "default")
            .array<float>("tokenizer.ggml.scores", GgufType::F32, m_scores)
            .number<std::uint8_t>("tokenizer.ggml.add_space_prefix", GgufType::Bool, 1)
            .number<std::uint8_t>("tokenizer.ggml.remove_extra_whitespaces", GgufType::Bool, 1)
            .array<std::uint8_t>("tokenizer.ggml.precompiled_charsmap", GgufType::U8, {table.begin(), table.end()});
    }
    void addSpm(GgufBuilder& file)
    {
        // The earlier a merge, the higher its token's score.
        float score = 0;
        for (const QJsonValue merge : m_model[QStringLiteral("merges")].toArray())
        {
            const QString joined = merge.isArray() ? merge.toArray()[0].toString() + merge.toArray()[1].toString()
                                                   : merge.toString().remove(QLatin1Char(' '));
            float& own = m_scores[static_cast<std::size_t>(m_ids.at(joined.toStdString()))];
            own = std::max(own, score--);
        }
        m_types[static_cast<std::size_t>(m_ids.at("<unk>"))] = kUnknown;
        const QByteArray steps =
            QJsonDocument(m_json[QStringLiteral("normalizer")].toObject()).toJson(QJsonDocument::Compact);
        file.text("tokenizer.ggml.model", "llama")
            .text("tokenizer.ggml.pre", "default")
            .array<float>("tokenizer.ggml.scores", GgufType::F32, m_scores)
            .number<std::uint8_t>("tokenizer.ggml.add_space_prefix", GgufType::Bool, steps.contains("Prepend") ? 1 : 0);
    }
    void addBpe(GgufBuilder& file)
    {
        std::vector<std::string> merges;
        for (const QJsonValue merge : m_model[QStringLiteral("merges")].toArray())
            merges.push_back((merge.isArray()
                                  ? merge.toArray()[0].toString() + QLatin1Char(' ') + merge.toArray()[1].toString()
                                  : merge.toString())
                                 .toStdString());
        file.text("tokenizer.ggml.model", "gpt2")
            .text("tokenizer.ggml.pre", m_pre)
            .strings("tokenizer.ggml.merges", merges);
    }
    /// gguf-py's SpecialVocab.
    void addFrame(GgufBuilder& file)
    {
        const auto token = [this](const char* name) {
            const QJsonValue value = m_config[QLatin1String(name)];
            return (value.isObject() ? value[QStringLiteral("content")] : value).toString().toStdString();
        };
        std::map<std::string, std::string> special = {
            {"bos", token("bos_token")}, {"eos", token("eos_token")},       {"unknown", token("unk_token")},
            {"cls", token("cls_token")}, {"seperator", token("sep_token")}, {"padding", token("pad_token")}};
        if (special["bos"].empty())
            special["bos"] = special["cls"];
        if (special["eos"].empty())
            special["eos"] = special["seperator"];
        for (const auto& [name, text] : special)
            if (!text.empty())
                file.number<std::uint32_t>("tokenizer.ggml." + name + "_token_id", GgufType::U32,
                                           static_cast<std::uint32_t>(m_ids.at(text)));
        const auto flag = [&](const char* name, bool isAdded) {
            const QJsonValue own = m_config[QLatin1String(name)];
            file.number<std::uint8_t>("tokenizer.ggml." + std::string(name), GgufType::Bool,
                                      own.isBool() ? own.toBool() : isAdded);
        };
        const QJsonObject processor = m_json[QStringLiteral("post_processor")].toObject();
        QJsonArray steps = processor[QStringLiteral("processors")].toArray();
        steps.append(processor);
        for (const QJsonValue step : steps)
            if (step[QStringLiteral("type")].toString() == QLatin1String("RobertaProcessing"))
            {
                flag("add_bos_token", true);
                flag("add_eos_token", true);
            }
            else if (const QJsonArray single = step[QStringLiteral("single")].toArray(); !single.isEmpty())
            {
                flag("add_bos_token", single.first()[QStringLiteral("SpecialToken")].isObject());
                flag("add_eos_token", single.last()[QStringLiteral("SpecialToken")].isObject());
                file.number<std::uint8_t>("tokenizer.ggml.add_sep_token", GgufType::Bool, 0);
            }
    }

    QJsonObject m_json;
    QJsonObject m_config;
    QJsonObject m_model;
    std::string m_pre;
    std::vector<std::string> m_tokens;
    std::vector<std::int32_t> m_types;
    std::vector<float> m_scores;
    std::map<std::string, int> m_ids;
};

/// The folder as a GGUF file of float32 in so many parts.
inline std::vector<std::string> ggufOfFolder(const GgufRecipe& recipe, std::size_t numParts = 1)
{
    const std::filesystem::path folder = golden("models/" + recipe.folder);
    const QJsonObject config = jsonOf(folder / "config.json");
    std::vector<GgufBuilder> parts(numParts);
    GgufBuilder& file = parts.front();
    std::size_t numTensors = 0;
    file.text("general.architecture", recipe.architecture);
    for (const auto& [key, from] : recipe.integers)
    {
        int value = config[QLatin1String(from.c_str())].toInt();
        if (key == "context_length")
            value -= recipe.unusedPositions;
        file.number<std::uint32_t>(recipe.architecture + "." + key, GgufType::U32, static_cast<std::uint32_t>(value));
    }
    for (const auto& [key, from] : recipe.numbers)
        file.number<float>(recipe.architecture + "." + key, GgufType::F32,
                           static_cast<float>(config[QLatin1String(from.c_str())].toDouble()));
    GgufVocabulary(folder, recipe.pre).add(file);
    for (auto& [name, tensor] : tensorsOf(folder / "model.safetensors"))
    {
        std::string own = name.starts_with(recipe.prefix) ? name.substr(recipe.prefix.size()) : name;
        if (recipe.change)
            recipe.change(config, own, tensor);
        std::string kind = own.substr(own.rfind('.'));
        own.resize(own.size() - kind.size());
        kind = kind == ".gamma" ? ".weight" : kind == ".beta" ? ".bias" : kind; // of very old checkpoints
        for (const auto& [from, to] : recipe.names)
            for (int layer = 0; layer < 3; ++layer)
            {
                const auto numbered = [layer](std::string text) {
                    if (const auto at = text.find(".N."); at != std::string::npos)
                        text.replace(at + 1, 1, std::to_string(layer));
                    return text;
                };
                if (numbered(from) != own || (layer > 0 && numbered(from) == from))
                    continue;
                parts[numTensors++ % numParts].floats(numbered(to) + kind, {tensor.shape.rbegin(), tensor.shape.rend()},
                                                      tensor.values);
            }
    }
    if (recipe.more)
        recipe.more(config, file);
    std::vector<std::string> files;
    for (std::size_t part = 0; part < numParts; ++part)
    {
        if (numParts > 1)
            parts[part]
                .number("split.no", GgufType::U16, static_cast<std::uint16_t>(part))
                .number("split.count", GgufType::U16, static_cast<std::uint16_t>(numParts))
                .number("split.tensors.count", GgufType::I32, static_cast<std::int32_t>(numTensors));
        files.push_back(parts[part].bytes());
    }
    return files;
}

} // namespace headscope::test

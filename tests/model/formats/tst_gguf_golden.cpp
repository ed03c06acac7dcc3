// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/formats/gguf.h"

#include "model/base/file.h"
#include "model/kernels/dequantise.h"
#include "tests/support/golden_file.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <algorithm>
#include <cmath>
#include <map>

using namespace headscope;

/// The recorded files, read and turned into float32, against the recorded sums of their weights.
class TestGgufGolden : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void weights_data();
    void weights();
};

namespace
{

/// Hugging Face's name (without a prefix) of a GGUF tensor.
std::string huggingFaceName(const std::string& name)
{
    static const std::map<std::string, std::string> plain = {{"token_embd.weight", "embed_tokens.weight"},
                                                             {"output_norm.weight", "norm.weight"},
                                                             {"output.weight", "lm_head.weight"}};
    static const std::map<std::string, std::string> inLayer = {
        {"attn_norm", "input_layernorm"},    {"ffn_norm", "post_attention_layernorm"},
        {"attn_q", "self_attn.q_proj"},      {"attn_k", "self_attn.k_proj"},
        {"attn_v", "self_attn.v_proj"},      {"attn_output", "self_attn.o_proj"},
        {"attn_q_norm", "self_attn.q_norm"}, {"attn_k_norm", "self_attn.k_norm"},
        {"ffn_gate", "mlp.gate_proj"},       {"ffn_up", "mlp.up_proj"},
        {"ffn_down", "mlp.down_proj"},
    };
    if (const auto place = plain.find(name); place != plain.end())
        return place->second;
    const auto layerEnd = name.find('.', 4);
    const auto kindEnd = name.find_last_of('.');
    if (!name.starts_with("blk.") || layerEnd == std::string::npos || kindEnd <= layerEnd)
        return {};
    const auto kind = inLayer.find(name.substr(layerEnd + 1, kindEnd - layerEnd - 1));
    return kind == inLayer.end() ? std::string()
                                 : "layers." + name.substr(4, layerEnd - 3) + kind->second + name.substr(kindEnd);
}

} // namespace

void TestGgufGolden::weights_data()
{
    QTest::addColumn<QString>("folder");
    QTest::addColumn<QString>("group");
    for (const char* folder : {"kquant", "llama", "mistral", "qwen2", "qwen3"})
        for (const auto& group :
             test::GoldenFile(test::golden(std::string("gguf/") + folder + "/expected.h5")).names("/"))
            QTest::addRow("%s-%s", folder, group.c_str()) << QString::fromUtf8(folder) << QString::fromStdString(group);
}

void TestGgufGolden::weights()
{
    QFETCH(QString, folder);
    QFETCH(QString, group);
    const auto base = test::golden("gguf/" + folder.toStdString());
    const test::GoldenFile expected(base / "expected.h5");
    const auto path = base / std::filesystem::path(expected.text(group.toStdString(), "file")).filename();
    const auto file = openGguf(path);
    HEADSCOPE_VERIFY_OK(file);
    const auto data = File::openForReading(path);
    HEADSCOPE_VERIFY_OK(data);

    const auto in = group.toStdString() + "/weights/";
    const auto names = expected.strings(in + "name");
    const auto sums = expected.doubles(in + "sum");
    const auto absoluteSums = expected.doubles(in + "abs_sum");
    const auto heads = expected.floats(in + "head");
    const bool permuted =
        folder == QLatin1String("llama") || folder == QLatin1String("mistral") || folder == QLatin1String("kquant");
    std::size_t compared = 0;
    for (const auto& tensor : file->tensors.tensors)
    {
        const auto found = std::find(names.begin(), names.end(), huggingFaceName(tensor.name));
        if (found == names.end())
            continue;
        const auto index = static_cast<std::size_t>(found - names.begin());
        std::vector<std::byte> bytes(tensor.bytes);
        HEADSCOPE_VERIFY_OK(data->readAt(tensor.offset, bytes));
        std::vector<float> values(tensor.elements());
        HEADSCOPE_VERIFY_OK(dequantise(tensor.type, bytes, values));
        double sum = 0;
        double absoluteSum = 0;
        for (const float value : values)
        {
            sum += static_cast<double>(value);
            absoluteSum += std::abs(static_cast<double>(value));
        }
        QVERIFY2(std::abs(sum - sums[index]) <= 1e-9 * absoluteSums[index], tensor.name.c_str());
        QVERIFY2(std::abs(absoluteSum - absoluteSums[index]) <= 1e-9 * absoluteSums[index], tensor.name.c_str());
        // The converter moves rows of q and k within a head; the first row stays in its place.
        for (std::size_t i = 0; i < 8 && (!permuted || tensor.shape.size() == 2); ++i)
            QCOMPARE(values[i], heads[index * 8 + i]);
        ++compared;
    }
    QCOMPARE(compared, names.size());
}

HEADSCOPE_TEST_GUILESS(TestGgufGolden)
#include "tst_gguf_golden.moc"

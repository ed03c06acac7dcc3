// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/io/results/attention/head_corpus_file.h"

#include <algorithm>

namespace headscope::test
{

/// Three documents of 3, 0 and 4 tokens, all of which are sampled.
inline HeadCorpusFile madeHeadCorpus()
{
    HeadCorpusFile file;
    HeadCorpus& corpus = file.corpus;
    HeadCorpusSource& source = corpus.source;
    source.model.name = "tiny";
    source.model.path = "/models/tiny";
    source.model.family = "llama";
    source.model.layers = 2;
    source.model.heads = 4;
    source.model.kvHeads = 2;
    source.model.headDim = 2;
    source.model.modelDim = 8;
    source.model.vocabulary = 20;
    source.model.sha256 = {{"model.safetensors", "02"}, {"config.json", "01"}};
    source.tokenizerSha256 = "ab";
    source.layer = LayerIndex(1);
    source.head = HeadIndex(3);
    source.corpus = "docs.jsonl";
    source.cacheIdentity = "cd";
    source.prompt = "Say: ";
    source.eos = "config";
    source.specialTokens = "parse";
    source.maxTokens = 64;
    source.sampleTokens = 100;
    source.seed = 7;
    source.device = "cpu";
    corpus.command = "headscope-engine attention";
    corpus.truncated = 1;
    corpus.documents = {"a", "empty", "c"};
    corpus.offsets = {0, 3, 3, 7};
    corpus.ids = {5, 9, 5, 2, 2, 9, 11};
    corpus.activations = {0.5F, 1.0F, 0.0F, 2.0F, 3.5F, 1.25F, 0.75F};
    corpus.strongest = {0, 0, 1, 0, 0, 2, 3};
    corpus.strongestWeights = {1.0F, 0.75F, 0.5F, 1.0F, 0.6F, 0.9F, 0.4F};
    corpus.firstWeights = {1.0F, 0.75F, 0.25F, 1.0F, 0.6F, 0.05F, 0.3F};
    corpus.vocabulary = {2, 5, 9, 11};
    corpus.spellings = {"<s>", " the", " cat", "\xE2\x82\xAC"};
    corpus.sampled = {0, 1, 2, 3, 4, 5, 6};
    corpus.q = corpus.k = corpus.z = MatrixF(7, 2);
    for (std::size_t i = 0; i < 14; ++i)
    {
        corpus.q.values()[i] = static_cast<float>(i);
        corpus.k.values()[i] = -static_cast<float>(i);
        corpus.z.values()[i] = 0.5F * static_cast<float>(i);
    }
    corpus.top = {{4, {0.6F, 0.4F, 0, 0}}, {3, {1, 0, 0, 0}}};
    corpus.deciles[0] = {{2, {0.25F, 0.5F, 0.25F}}};
    corpus.deciles[9] = {{4, {0.6F, 0.4F, 0, 0}}};
    return file;
}

} // namespace headscope::test

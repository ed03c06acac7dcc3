// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/data/model_digests.h"

#include "tests/support/test_program.h"
#include "tests/support/verify.h"

using namespace headscope;

/// Whether numbers of a model may be shown with a cache.
class TestModelDigests : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void sameModel()
    {
        ModelInfo cache;
        cache.name = "small";
        cache.sha256 = {{"config.json", "aa"}, {"model.safetensors", "bb"}};
        // Whatever the files are called.
        const auto same = checkSameModel(cache, {{"other.json", "aa"}, {"m.safetensors", "bb"}}, "x.h5");
        HEADSCOPE_VERIFY_OK(same);
        QVERIFY(same->empty());
        for (const NamedDigests& other :
             {NamedDigests{{"config.json", "aa"}, {"model.safetensors", "cc"}}, NamedDigests{{"config.json", "aa"}},
              NamedDigests{{"config.json", "aa"}, {"model.safetensors", "bb"}, {"modules.json", "dd"}}})
        {
            const auto refused = checkSameModel(cache, other, "x.h5");
            QVERIFY(!refused);
            QCOMPARE(refused.error().code, ErrorCode::InvalidArgument);
            QCOMPARE(refused.error().file, "x.h5");
        }
    }

    void unknownIsToldAndNotRefused()
    {
        ModelInfo cache;
        cache.name = "small";
        for (const NamedDigests& made : {NamedDigests{}, NamedDigests{{"config.json", "aa"}}})
        {
            const auto notice = checkSameModel(cache, made, "x.h5");
            HEADSCOPE_VERIFY_OK(notice);
            QVERIFY(notice->find("x.h5") != std::string::npos && notice->find("small") != std::string::npos);
        }
        cache.sha256 = {{"config.json", "aa"}};
        const auto notice = checkSameModel(cache, {}, "x.h5");
        HEADSCOPE_VERIFY_OK(notice);
        QVERIFY(!notice->empty());
    }

    void numbersOfTheUnchangedModelAreNotShownWithAChangedCache()
    {
        ModelInfo cache;
        cache.sha256 = {{"config.json", "aa"}};
        HEADSCOPE_VERIFY_OK(checkUnchangedModel(cache, "x.h5"));
        cache.changes = {"1:2", "zero", "", 0};
        HEADSCOPE_VERIFY_ERROR(checkUnchangedModel(cache, "x.h5"), ErrorCode::InvalidArgument,
                               "found a cache of a model with head 2 of layer 1 ablated (zero): use a cache");
        HEADSCOPE_VERIFY_ERROR(checkSameModel(cache, cache.sha256, "x.h5"), ErrorCode::InvalidArgument,
                               "expected a cache of the unchanged model");
    }

    void vectorsAreOfModelsThatWereChangedAlike()
    {
        const auto changed = [](const ModelChanges& changes, std::int64_t kvHeads = 3) {
            ModelInfo model;
            model.kvHeads = kvHeads;
            model.changes = changes;
            return model;
        };
        const ModelInfo plain = changed({});
        const ModelInfo zero = changed({"1:2", "zero", "", 0});
        const ModelInfo mean = changed({"1:2", "mean", "3 documents, 9 tokens, XXH3 aa", 0});
        const ModelInfo grouped = changed({"", "", "", 9}, 1);
        const std::vector<ModelInfo> all = {
            plain, zero, mean, grouped, changed({"1:3", "zero", "", 0}), changed({"", "", "", 9}, 3)};
        for (std::size_t i = 0; i < all.size(); ++i)
            for (std::size_t k = 0; k < all.size(); ++k)
                QCOMPARE(checkSameChanges(all[i], all[k], "q.h5").has_value(), i == k);
        HEADSCOPE_VERIFY_ERROR(checkSameChanges(plain, zero, "q.h5"), ErrorCode::InvalidArgument,
                               "expected the unchanged model, as in the cache, found a model with head 2 of layer 1 "
                               "ablated (zero): make it again without --ablate and --regroup");
        HEADSCOPE_VERIFY_ERROR(checkSameChanges(mean, plain, "q.h5"), ErrorCode::InvalidArgument,
                               "make it again with --ablate \"1:2\" --ablation mean --reference DOCS");
        HEADSCOPE_VERIFY_ERROR(checkSameChanges(grouped, plain, "q.h5"), ErrorCode::InvalidArgument,
                               "found the unchanged model: make it again with --regroup 1");
        // Groups of the model as it is are no change, whatever a file says of them.
        HEADSCOPE_VERIFY_OK(checkSameChanges(plain, changed({}, 0), "q.h5"));
    }

    void meansOverOtherTextsAreTold()
    {
        ModelInfo cache;
        cache.changes = {"1:2", "mean", "3 documents, 9 tokens, XXH3 aa", 0};
        ModelInfo other = cache;
        QVERIFY(meansNotice(cache, other, "queries").empty());
        other.changes.reference = "2 documents, 5 tokens, XXH3 bb";
        HEADSCOPE_VERIFY_OK(checkSameChanges(cache, other, "q.h5"));
        QVERIFY(meansNotice(cache, other, "queries").find("other texts (2 documents, 5 tokens") != std::string::npos);
    }
};

HEADSCOPE_TEST(TestModelDigests)
#include "tst_model_digests.moc"

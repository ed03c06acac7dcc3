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
};

HEADSCOPE_TEST(TestModelDigests)
#include "tst_model_digests.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/io/hdf5/field_attributes.h"

#include "model/data/maps/tsne_options.h"
#include "model/data/results/probe_result.h"
#include "model/io/cache/map_io.h"
#include "model/io/results/tsne_state_file.h"
#include "tests/model/io/cache_fixture.h"
#include "tests/support/test_paths.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <limits>

using namespace headscope;

namespace
{

/// Gives a field another value than it has, one that a form may not offer.
struct Change
{
    const Field& field;

    void operator()(bool* value) const { *value = !*value; }
    void operator()(std::string* value) const { *value = "some text"; }
    void operator()(std::uint64_t* value) const { *value = std::numeric_limits<std::uint64_t>::max(); }
    void operator()(double* value) const { *value = *value == 0 ? 0.25 : *value - 0.001; }
    void operator()(const FieldChoice& choice) const { choice.set(choice.typedWords().back()); }
    template <class T>
    void operator()(T* value) const
    {
        *value += 3;
    }
    template <class T>
    void operator()(std::optional<T>* value) const
    {
        *value = T{1};
    }
    template <class T>
    void operator()(std::vector<T>* value) const
    {
        *value = {T{2}, T{30}};
    }
};

/// Options that are written as attributes and read back are the same: the usual ones, all changed, and each alone.
template <class T>
void checkRoundTrip(const std::filesystem::path& path)
{
    constexpr unsigned kKept = kRecordUse | kIdentityUse;
    T usual;
    Fields shape;
    fields(shape, usual);
    const std::size_t count = shape.rows().size();
    for (std::size_t changed = 0; changed <= count + 1; ++changed) // the last two: all, and none
    {
        T written;
        Fields source;
        fields(source, written);
        for (std::size_t i = 0; i < count; ++i)
        {
            const Field& row = source.rows()[i];
            if ((i == changed || changed == count) && row.isFor(kKept))
                std::visit(Change{row}, row.target);
        }
        auto file = Hdf5Writer::create(path);
        HEADSCOPE_VERIFY_OK(file);
        HEADSCOPE_VERIFY_OK(file->makeGroup("/made"));
        HEADSCOPE_VERIFY_OK(writeFields(*file, "/made", source, kKept));
        HEADSCOPE_VERIFY_OK(file->publish());
        JobContext job;
        const auto reader = Hdf5Reader::open(path, job);
        HEADSCOPE_VERIFY_OK(reader);
        T back;
        Fields target;
        fields(target, back);
        readFields(*reader, "/made", target, kKept);
        QVERIFY2(back == written, changed < count ? source.rows()[changed].key.c_str() : "all");
        QVERIFY(changed == count + 1 || !source.rows()[std::min(changed, count - 1)].isFor(kKept) || !(back == usual));
    }
}

} // namespace

class TestFieldAttributes : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void optionsAreReadBack()
    {
        checkRoundTrip<TsneOptions>(m_folder.file("options.h5"));
        checkRoundTrip<ProbeOptions>(m_folder.file("options.h5"));
    }

    void whatIsNotTakenIsPassedOver()
    {
        const auto path = m_folder.file("odd.h5");
        auto file = Hdf5Writer::create(path);
        HEADSCOPE_VERIFY_OK(file);
        HEADSCOPE_VERIFY_OK(file->makeGroup("/made"));
        HEADSCOPE_VERIFY_OK(file->setAttribute("/made", "iterations", std::int64_t{-1}));
        HEADSCOPE_VERIFY_OK(file->setAttribute("/made", "metric", std::string("manhattan")));
        HEADSCOPE_VERIFY_OK(file->setAttribute("/made", "perplexity", std::string("many")));
        HEADSCOPE_VERIFY_OK(file->setAttribute("/made", "momentum", std::string("0.5")));
        HEADSCOPE_VERIFY_OK(file->setAttribute("/made", "degrees_of_freedom", 1e9));
        HEADSCOPE_VERIFY_OK(file->publish());
        JobContext job;
        const auto reader = Hdf5Reader::open(path, job);
        HEADSCOPE_VERIFY_OK(reader);
        TsneOptions expected;
        expected.degreesOfFreedom = 1e9; // refused by whoever computes with it
        QVERIFY(readTsneOptions(*reader, "/made") == expected);
    }

    /// Files of the version before the options were declared as fields.
    void olderFilesAreRead()
    {
        JobContext job;
        const auto file = Hdf5Reader::open(test::golden("records/map.h5"), job);
        HEADSCOPE_VERIFY_OK(file);
        const auto map = readMapGroup(*file, "made");
        HEADSCOPE_VERIFY_OK(map);
        TsneOptions made;
        made.perplexities = {3, 5.5};
        made.affinities = TsneAffinities::Dense;
        made.iterations = 40;
        made.exaggeration = 4;
        made.exaggerationIterations = 20;
        made.lateExaggeration = 1.5;
        made.learningRate = 33;
        made.momentum = 0.5;
        made.degreesOfFreedom = 0.7;
        made.autoStop = true;
        made.metric = Metric::Cosine;
        made.start = TsneStart::Random;
        made.seed = std::numeric_limits<std::uint64_t>::max();
        QVERIFY(map->options == made);
        QCOMPARE(map->iteration, 40);

        const auto other = Hdf5Reader::open(test::golden("records/map-pca.h5"), job);
        HEADSCOPE_VERIFY_OK(other);
        const auto jittered = readMapGroup(*other, "map");
        HEADSCOPE_VERIFY_OK(jittered);
        QCOMPARE(jittered->options.startJitter, 0.02);
        QCOMPARE(jittered->options.perplexities, std::vector<double>{7});
        QVERIFY(jittered->options.start == TsneStart::Pca && jittered->options.seed == 5);

        const auto state = readTsneState(test::golden("records/tsne-state.h5"));
        HEADSCOPE_VERIFY_OK(state);
        QVERIFY(state->identity.options == made);
        QCOMPARE(state->checkpoint.iteration, 40);
    }

private:
    test::TemporaryFolder m_folder;
};

HEADSCOPE_TEST_GUILESS(TestFieldAttributes)
#include "tst_field_attributes.moc"

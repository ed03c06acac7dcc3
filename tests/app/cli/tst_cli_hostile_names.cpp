// SPDX-License-Identifier: GPL-3.0-or-later
// Names of anybody in files of CSV, LaTeX and HTML, through every verb that writes them: they stay text.
#include "app/shell/verbs.h"
#include "model/base/escape_controls.h"
#include "model/base/utf8.h"
#include "tests/app/cli/cli_fixture.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <span>

using namespace headscope;
using test::kDocuments;
using test::runVerb;
using Words = std::vector<std::string>;

namespace
{

std::string bytesOf(const std::filesystem::path& path)
{
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

constexpr const char* kLabel = "to\r\\input{owned}pic";
constexpr const char* kFirstId = "=1+1 \x1b[31m\x7f\u0085 0";

/// What a verb is asked to write, behind its cache; empty: it writes no file of these languages.
const std::map<std::string, std::vector<Words>>& outputs()
{
    static const std::map<std::string, std::vector<Words>> kOutputs = {
        {"inspect", {}},
        {"doctor", {}},
        {"neighbors", {}}, // of numbers alone, in HDF5
        {"circuits", {}},  // of a result of the engine
        {"card", {{"--head", "2", "-o", "card.csv"}, {"--head", "2", "-o", "card.tex"}, {"-o", "card.svg"}}},
        {"quality", {}},
        {"tsne",
         {{"--perplexity", "5", "--iterations", "5", "-o", "map.csv"},
          {"--perplexity", "5", "--iterations", "5", "--color", kLabel, "-o", "map.pdf", "--recipe"}}},
        {"probe", {{"-o", "probe.csv"}, {"-o", "probe.tex"}, {"-o", "probe.pdf", "--recipe"}}},
        {"label-probe", {{"-o", "label.csv"}, {"-o", "label.tex"}}},
        {"heatmap", {{"-o", "heat.csv"}, {"-o", "heat.tex"}, {"-o", "heat.svg", "--recipe"}}},
        {"similarity", {{"-o", "same.csv"}, {"-o", "same.tex"}, {"-o", "same.pdf", "--recipe"}}},
        {"match", {{"-o", "match.csv"}, {"-o", "match.tex"}, {"-o", "match.pdf", "--recipe"}}},
        {"heads", {{"-o", "heads.csv"}, {"-o", "heads.tex"}, {"-o", "heads.pdf", "--recipe"}}},
        {"layers", {{"-o", "layers.csv"}, {"-o", "layers.tex"}, {"-o", "layers.pdf", "--recipe"}}},
        {"evaluate", {{"-o", "evaluation.csv"}, {"-o", "evaluation.tex"}}},
        {"name", {{"-o", "name.csv"}, {"-o", "name.tex"}}},
        {"retrieve",
         {{"--query-document", kFirstId, "-o", "found.csv"}, {"--query-document", kFirstId, "-o", "found.tex"}}},
        {"prune", {{"-o", "prune.csv"}, {"-o", "prune.tex"}, {"-o", "prune.pdf", "--recipe"}}},
        {"export", {{"-o", "vectors.csv"}}},
        {"figure", {{"-o", "again.pdf", "--recipe"}}},
        {"report", {{"-o", "report"}}},
    };
    return kOutputs;
}

/// The fields of CSV, without their quotes.
Words fieldsOf(const std::string& csv)
{
    Words fields(1);
    bool quoted = false;
    for (const char c : csv)
    {
        if (c == '"')
            quoted = !quoted;
        else if (!quoted && (c == ',' || c == '\n'))
            fields.emplace_back();
        else
            fields.back() += c;
    }
    return fields;
}

bool isFormula(std::string field)
{
    for (const char* blank : {"\uFEFF", "\u3000", "\u200B", "\u00A0"})
        if (field.starts_with(blank))
            return isFormula(field.substr(std::string_view(blank).size()));
    if (field.starts_with(' ') || field.starts_with('\r') || field.starts_with('\n') || field.starts_with('\t'))
        return isFormula(field.substr(1));
    bool isNumber = false;
    static_cast<void>(QByteArray::fromStdString(field).toDouble(&isNumber));
    const bool wide = field.starts_with("\uFF1D") || field.starts_with("\uFF20");
    return !isNumber && (wide || (!field.empty() && std::string_view("=+-@").find(field.front()) != std::string::npos));
}

} // namespace

class TestCliHostileNames : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void stayText_data();
    void stayText();
    void ownWordsNeedNoOtherLatex_data();
    void ownWordsNeedNoOtherLatex();

private:
    /// A row for each of outputs(); with `latex` alone those that write a .tex.
    static void addRows(bool latex);
    /// Runs a row of outputs() into a folder.
    [[nodiscard]] test::Outcome run(const std::string& cache, const std::filesystem::path& folder) const;
    void check(const std::filesystem::path& path, bool forPrograms) const;

    test::TemporaryFolder m_folder;
    std::string m_cache;
    std::string m_plain; ///< a cache whose names are those of everybody
};

void TestCliHostileNames::initTestCase()
{
    m_cache = m_folder.file("of \x1b[2J\r\\input{owned}.h5").string();
    JobContext job;
    CacheContents contents = test::tellingContents();
    contents.header.model.name = "model\r\\input{owned}\n\\input{owned}\x1b[2J\u2028\u202Ex<script>alert(1)</script>";
    const Words begins = {"=1+1",  "\uFEFF=1+1",       "\u3000@SUM(A1)", "\uFF1D1+1",
                          "[5pt]", "\r\\input{owned}", "\u200B-1+1"};
    for (std::size_t i = 0; i < contents.documents.ids.size(); ++i)
        contents.documents.ids[i] = begins[i % begins.size()] + " \x1b[31m\x7f\u0085 " + std::to_string(i);
    const Words names = {"=1+1\r\\input{owned}\x1b[31m", "\uFEFF\uFF20SUM(A1)\u202E\u2066",
                         "[\\input{owned}\n</td><script>"};
    Words topics;
    for (std::int64_t i = 0; i < kDocuments; ++i)
        topics.push_back(names[static_cast<std::size_t>(i % 3)]);
    contents.documents.labels = {makeLabelColumn(kLabel, topics)};
    for (TopicVectors& each : contents.topics)
        each.column = kLabel;
    HEADSCOPE_VERIFY_OK(writeCache(m_cache, contents, NumberType::F32, job));
    m_plain = m_folder.file("plain.h5").string();
    HEADSCOPE_VERIFY_OK(writeCache(m_plain, test::tellingContents(), NumberType::F32, job));
    for (const auto& [cache, recipe] : {std::pair(m_cache, "recipe.pdf"), std::pair(m_plain, "plain.pdf")})
    {
        const auto made = runVerb({"match", cache, "-o", m_folder.file(recipe).string(), "--recipe"});
        QVERIFY2(made.code == 0, made.err.c_str());
    }
}

void TestCliHostileNames::addRows(bool latex)
{
    QTest::addColumn<QString>("verb");
    QTest::addColumn<int>("which");
    for (const auto& verb : shell::allVerbs())
    {
        if (verb.home != shell::VerbHome::Headscope)
            continue;
        const std::string name(verb.name);
        QVERIFY2(outputs().contains(name), ("say what " + name + " writes").c_str());
        for (std::size_t i = 0; i < outputs().at(name).size(); ++i)
        {
            const std::string& last = outputs().at(name)[i].back();
            if (!latex || last.ends_with(".tex") || last == "--recipe" || name == "report")
                QTest::addRow("%s %d", name.c_str(), static_cast<int>(i))
                    << QString::fromStdString(name) << static_cast<int>(i);
        }
    }
}

test::Outcome TestCliHostileNames::run(const std::string& cache, const std::filesystem::path& folder) const
{
    QFETCH(const QString, verb);
    QFETCH(const int, which);
    const std::string name = verb.toStdString();
    const bool isPlain = cache == m_plain;
    std::filesystem::create_directory(folder);
    Words words = {name, name == "figure" ? m_folder.file(isPlain ? "plain.pdf" : "recipe.pdf").string() : cache};
    for (const std::string& word : outputs().at(name)[static_cast<std::size_t>(which)])
        words.push_back(words.back() == "-o"          ? (folder / word).string()
                        : isPlain && word == kLabel   ? "topic"
                        : isPlain && word == kFirstId ? "d0"
                                                      : word);
    return runVerb(words);
}
void TestCliHostileNames::stayText_data()
{
    addRows(false);
}

void TestCliHostileNames::stayText()
{
    QFETCH(const QString, verb);
    const auto folder = m_folder.file(QTest::currentDataTag());
    const auto outcome = run(m_cache, folder);
    QVERIFY2(outcome.code == 0, (outcome.out + outcome.err).c_str());
    int checked = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    {
        const auto ending = entry.path().extension();
        if (!entry.is_regular_file() || (ending != ".csv" && ending != ".tex" && ending != ".html" && ending != ".svg"))
            continue;
        check(entry.path(), verb == QStringLiteral("export"));
        ++checked;
    }
    QVERIFY(checked > 0);
}

void TestCliHostileNames::ownWordsNeedNoOtherLatex_data()
{
    addRows(true);
}

void TestCliHostileNames::ownWordsNeedNoOtherLatex()
{
    const auto folder = m_folder.file((std::string("plain ") + QTest::currentDataTag()).c_str());
    const auto outcome = run(m_plain, folder);
    QVERIFY2(outcome.code == 0, (outcome.out + outcome.err).c_str());
    int checked = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    {
        if (entry.path().extension() != ".tex")
            continue;
        QVERIFY2(bytesOf(entry.path()).find("lualatex") == std::string::npos, entry.path().c_str());
        ++checked;
    }
    QVERIFY(checked > 0);
}

void TestCliHostileNames::check(const std::filesystem::path& path, bool forPrograms) const
{
    const std::string text = bytesOf(path);
    QVERIFY2(isValidUtf8(text), path.c_str());
    if (forPrograms) // names as they are, each in its field
    {
        QVERIFY(text.find("\"\r\\input{owned} \x1b[31m") != std::string::npos);
        return;
    }
    const auto ending = path.extension();
    const bool isPage = ending == ".html" || ending == ".svg"; // where a carriage return is a blank
    const auto control = std::ranges::find_if(text, [isPage](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return (byte < 0x20 && c != '\n' && c != '\t' && !(isPage && c == '\r')) || byte == 0x7F;
    });
    QVERIFY2(control == text.end(), path.c_str());
    QVERIFY2(text.find("\u0085") == std::string::npos, path.c_str());
    if (isPage) // which keep the order of letters inside an element
        QVERIFY2(text.find("<script>alert") == std::string::npos, path.c_str());
    else
        QVERIFY2(escapeControls(text) == text, path.c_str());
    if (ending == ".csv")
        for (const std::string& field : fieldsOf(text))
            QVERIFY2(!isFormula(field), (path.string() + ": " + field).c_str());
    constexpr std::string_view kPlanted = "\\input{owned";
    if (ending == ".tex")
        for (std::size_t at = text.find(kPlanted); at != std::string::npos; at = text.find(kPlanted, at + 1))
            QVERIFY2(text.substr(text.rfind('\n', at) + 1).starts_with('%'), path.c_str());
}

HEADSCOPE_TEST(TestCliHostileNames)
#include "tst_cli_hostile_names.moc"

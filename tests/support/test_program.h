// SPDX-License-Identifier: GPL-3.0-or-later
// Many test classes in one program: each is registered under the name of its file and run alone.
#pragma once

#include <QCoreApplication>
#include <QFloat16> // QCOMPARE of a JSON value tries each type that it could become
#include <QTest>
#ifdef QT_WIDGETS_LIB
#include <QApplication>
#elif defined(QT_GUI_LIB)
#include <QGuiApplication>
#endif

#include <string_view>

namespace headscope::test
{

/// A test class of this program.
struct TestEntry
{
    std::string_view file; ///< its source, "tests/ui/settings/tst_settings.cpp"
    int (*run)(int argc, char** argv) = nullptr;

    /// The file's name without folder and ending: what CTest calls the test.
    [[nodiscard]] std::string_view name() const;
};

/// Adds a test class to the program. Defined at namespace scope by the macros below.
class TestRegistration
{
public:
    explicit TestRegistration(const TestEntry& entry);
};

/// Runs a test class under an application object of its own.
template <class Application, class Test>
int runTest(int argc, char** argv)
{
    Application application(argc, argv);
    QCoreApplication::setAttribute(Qt::AA_Use96Dpi, true);
    Test test;
    return QTest::qExec(&test, argc, argv);
}

} // namespace headscope::test

/// The test class of a file, under the application that its libraries ask for: with widgets, with
/// fonts and pictures, or neither.
#ifdef QT_WIDGETS_LIB
#define HEADSCOPE_TEST(Class) HEADSCOPE_TEST_UNDER(QApplication, Class)
#elif defined(QT_GUI_LIB)
#define HEADSCOPE_TEST(Class) HEADSCOPE_TEST_UNDER(QGuiApplication, Class)
#else
#define HEADSCOPE_TEST(Class) HEADSCOPE_TEST_UNDER(QCoreApplication, Class)
#endif

/// The same without a connection to a screen.
#define HEADSCOPE_TEST_GUILESS(Class) HEADSCOPE_TEST_UNDER(QCoreApplication, Class)

#define HEADSCOPE_TEST_UNDER(Application, Class) \
    static const headscope::test::TestRegistration k##Class##Registration( \
        {__FILE__, &headscope::test::runTest<Application, Class>});

// SPDX-License-Identifier: GPL-3.0-or-later
// What a view computes begins when somebody looks at it, once for each change, and not before.
#include "app/desktop/shell/analysis_controller.h"
#include "tests/app/sample_cache.h"
#include "tests/support/test_program.h"
#include "tests/support/verify.h"
#include "tests/support/waiting.h"
#include "tests/ui/window_test.h"
#include "ui/jobs/job_strip.h"
#include "ui/settings/settings.h"
#include "ui/view/view.h"
#include "ui/window/main_window.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <memory>
#include <optional>

using namespace headscope;
using desktop::AnalysisController;

namespace
{

constexpr ui::ViewId kFirstView{"first"};
constexpr ui::ViewId kSecondView{"second"};

/// A view that shows nothing.
class EmptyView : public ui::View
{
public:
    EmptyView() : View(nullptr) {}
};

/// Counts how often it begins.
class CountingController : public AnalysisController
{
public:
    CountingController(desktop::Study& study, ui::ViewId id)
        : AnalysisController(study, {id, id.key(), {}, {}, {}}, nullptr)
    {
        addView(new EmptyView);
    }

    using AnalysisController::failed;
    using AnalysisController::isTooLong;
    using AnalysisController::look;
    using AnalysisController::outcome;
    using AnalysisController::renew;
    using AnalysisController::renewLater;
    using AnalysisController::settleOn;
    using AnalysisController::setTooLong;

    int begun = 0;
    std::optional<bool> wants; ///< in place of what the base knows

protected:
    void begin() override { ++begun; }
    [[nodiscard]] bool lacks() const override { return wants.value_or(AnalysisController::lacks()); }
    std::optional<desktop::ViewOutput> output(const QString&, const viz::FigureOptions&) override { return {}; }
    void copy() override {}
    [[nodiscard]] QString commandLine() const override { return {}; }
};

} // namespace

class TestAnalysisController : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    std::unique_ptr<ui::Settings> m_settings;
    test::PreparedDialogs m_dialogs;
    std::unique_ptr<ui::MainWindow> m_window;
    std::unique_ptr<desktop::Study> m_study;
    std::unique_ptr<CountingController> m_one;
    std::unique_ptr<CountingController> m_other;

    void open()
    {
        const QString path = m_folder.filePath(QStringLiteral("sample.h5"));
        HEADSCOPE_VERIFY_OK(test::writeSampleCache(path.toStdString(), {}));
        QSignalSpy changed(m_study.get(), &desktop::Study::cacheChanged);
        m_study->openCache(path);
        WAIT_COMPARE(changed.count(), 1);
    }

private Q_SLOTS:
    void init()
    {
        m_settings = ui::Settings::temporary();
        m_window = std::make_unique<ui::MainWindow>(*m_settings, m_dialogs);
        m_study = std::make_unique<desktop::Study>(*m_window);
        m_one = std::make_unique<CountingController>(*m_study, kFirstView);
        m_other = std::make_unique<CountingController>(*m_study, kSecondView);
        m_window->setView(kFirstView);
    }
    void cleanup()
    {
        m_study->stop();
        WAIT_FOR(!m_study->computing() && !m_study->opening() && !m_study->loading());
        m_other.reset();
        m_one.reset();
        m_study.reset();
        m_window.reset();
    }

    void nothingBeginsWithoutACache()
    {
        m_one->renew();
        QCOMPARE(m_one->begun, 0);
        open();
        m_one->look();
        QCOMPARE(m_one->begun, 1);
    }

    void beginsWhenLookedAtAndOnceForEachChange()
    {
        open();
        m_one->renew();
        m_one->look();
        QCOMPARE(m_one->begun, 1);
        m_other->renew();
        m_other->renew();
        QCOMPARE(m_other->begun, 0);
        m_window->setView(kSecondView);
        QCOMPARE(m_other->begun, 1);
        m_window->setView(kFirstView);
        m_window->setView(kSecondView);
        QCOMPARE(m_other->begun, 1);
        QCOMPARE(m_one->begun, 1);
        m_other->renew();
        QCOMPARE(m_other->begun, 2);
    }

    void whatIsCurrentDoesNotBegin()
    {
        open();
        m_other->renew();
        m_other->settleOn();
        m_window->setView(kSecondView);
        QCOMPARE(m_other->begun, 0);
        m_other->renewLater(); // stopped: it begins when somebody looks again
        QCOMPARE(m_other->begun, 0);
        m_window->setView(kFirstView);
        m_window->setView(kSecondView);
        QCOMPARE(m_other->begun, 1);
    }

    void aViewMaySayWhatItLacks()
    {
        open();
        m_other->wants = false;
        m_window->setView(kSecondView);
        QCOMPARE(m_other->begun, 0);
        m_other->wants = true;
        m_other->look();
        m_other->look();
        QCOMPARE(m_other->begun, 2);
    }

    void aRenewalForgetsThatARunWasTooLong()
    {
        m_one->setTooLong(true);
        QVERIFY(m_one->isTooLong());
        m_one->renew();
        QVERIFY(!m_one->isTooLong());
    }

    void failuresAreTold()
    {
        QCOMPARE(m_one->failed(JobContext::cancelled()), QStringLiteral("stopped"));
        QVERIFY(!m_window->jobStrip().logText().contains(QStringLiteral("found B")));
        const Error error{ErrorCode::BadFormat, "expected A, found B", "x.h5", {}};
        QCOMPARE(m_one->failed(error), QStringLiteral("x.h5: expected A, found B"));
        QVERIFY(m_one->outcome(false, {}, QStringLiteral("layer"), QStringLiteral("layers")).isEmpty());
        QCOMPARE(m_one->outcome(true, {error}, QStringLiteral("layer"), QStringLiteral("layers")),
                 QStringLiteral("stopped"));
        QCOMPARE(m_one->outcome(false, {error, error}, QStringLiteral("layer"), QStringLiteral("layers")),
                 QStringLiteral("2\u00a0layers could not be measured. See the log."));
        QVERIFY(m_window->jobStrip().logText().contains(QStringLiteral("found B")));
    }
};

HEADSCOPE_TEST(TestAnalysisController)
#include "tst_analysis_controller.moc"

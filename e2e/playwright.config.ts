import { defineConfig } from '@playwright/test';
import { availableParallelism } from 'node:os';
import { CHROMIUM_ARGS, findChromium } from './chromium.ts';
import { PATIENCE } from './expect.ts';
import { useMemoryFolders } from './memoryFolders.ts';

useMemoryFolders();

const report = process.env['BROWSER_REPORT'];

// A test's page lives a few seconds: V8's best compiler takes more time than it saves, its middle one saves 8 %.
// Threads of its own for collecting garbage take 6 % more, and all processors are busy without them; more room for new
// objects saves 5 %. Places in the source are noted at once: noting them when the debugger asks for them compiles the
// code again, a tenth of a load. Type feedback is allocated at a function's first call: inline caches work from the
// start, also in the many functions that are called a few times, which saves 5 %.
// The service's opener policy gives each page a second process in place of the blank one: a tenth of a second for each
// page. That the header is sent is tested in securityHeaders.test.ts. Both lists of features replace Playwright's own:
// the ones that matter here are named again. The network service and the GPU thread run in the browser's process:
// messages between processes take 3 %.
const V8_FLAGS = [
  '--no-turbofan',
  '--single-threaded',
  '--min-semi-space-size=16',
  '--no-enable-lazy-source-positions',
  '--no-lazy-feedback-allocation',
];
const ARGS = [
  ...CHROMIUM_ARGS,
  `--js-flags=${V8_FLAGS.join(' ')}`,
  '--disable-features=CrossOriginOpenerPolicy,PaintHolding,DestroyProfileOnBrowserClose,HttpsUpgrades,OptimizationHints',
  '--enable-features=NetworkServiceInProcess2',
  '--in-process-gpu',
];

export default defineConfig({
  testDir: '.',
  testMatch: '*.e2e.ts',
  outputDir: '../test-results',
  globalSetup: './globalSetup.ts',
  fullyParallel: false,
  // Each worker starts its own studio with a model. Tests wait for half of their time, for polls, answers and pauses:
  // one worker more than processors keeps a 2-core machine busy.
  workers: Math.min(4, availableParallelism() + 1),
  // A test that fails once is tried again, and `npm test` names it: a fault to mend, but not one that hides the rest.
  retries: 1,
  // What hangs is found out late; what is only slow, on a machine that does other things too, is not called wrong.
  timeout: 180_000,
  expect: { timeout: PATIENCE },
  forbidOnly: true,
  reporter: report ? [['line'], ['json', { outputFile: report }]] : [['line']],
  use: {
    viewport: { width: 1440, height: 900 },
    // Icons that turn keep a browser without a graphics card drawing: a fifth of all its work. newcomer.e2e.ts moves.
    contextOptions: { reducedMotion: 'reduce' },
    trace: 'off',
    // An action that waits in vain says for what before the whole test has hung.
    actionTimeout: 90_000,
    // One page for each worker, emptied between tests: a page in a process that has run the dashboard's code before
    // takes half of the processor time of a first one.
    reuseContext: true,
    launchOptions: { executablePath: findChromium() ?? undefined, args: ARGS },
  },
});

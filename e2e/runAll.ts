// `npm test`: format, types, lint, unit and service tests, browser tests; one closing line `N passed, N failed`.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, constants, setPriority, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { ensureChromium } from './chromium.ts';

interface Count {
  readonly passed: number;
  readonly failed: number;
}

/** Enough for a message and where it comes from. */
const FAULT_LINES = 14;
/** The project of vitest.config.ts that only computes. */
const TRAINER = 'trainer';
const { PRIORITY_LOW } = constants.priority;
const NODE_BIN = join('node_modules', '.bin');
/** Named once more at the end: what went wrong minutes before is hard to find, and cut off where output is limited. */
const faults: string[] = [];
const reports = mkdtempSync(join(tmpdir(), 'model-studio-test-'));

/**
 * Unit tests and browser tests run side by side, on few processors each with fewer workers than alone: a worker of vitest
 * reads all code anew, one of Playwright starts a browser and studios. Fewer do the same in less processor time.
 */
const WORKERS = Math.floor(availableParallelism() / 2) + 1;
/** Unit tests wait much of their time: for a lease that runs out, a process that starts. */
const UNIT_WORKERS = WORKERS + 1;
/** More take more memory than they save time. */
const MOST_BROWSERS = 4;
/** As `nice` has it. Unit tests need more processor time. With priority they end at about the time of browser tests. */
const BROWSER_PRIORITY = 10;
/**
 * Bytes that glibc keeps, and takes at once. By default it gives memory back to the system and takes it again page by page,
 * which costs 3 % of the unit tests' processor time.
 */
const KEEPING_MEMORY = { MALLOC_TRIM_THRESHOLD_: '268435456', MALLOC_TOP_PAD_: '8388608' };

/** Of the running commands. The first one's is shown at once; that of others when they end, or become the first. */
const outputs: { buffered: string }[] = [];
const children = new Set<ChildProcess>();

function write(output: { buffered: string }, text: string): void {
  if (output === outputs[0]) process.stdout.write(text);
  else output.buffered += text;
}

function endOutput(output: { buffered: string }): void {
  process.stdout.write(output.buffered);
  outputs.splice(outputs.indexOf(output), 1);
  const [next] = outputs;
  if (!next) return;
  process.stdout.write(next.buffered);
  next.buffered = '';
}

interface RunOptions {
  readonly env?: Record<string, string>;
  /** As `nice` has it: 0 is that of this process, `PRIORITY_LOW` takes what other commands leave of the processors. */
  readonly priority?: number;
}

async function run(
  name: string,
  command: string,
  args: readonly string[],
  { env = {}, priority = 0 }: RunOptions = {},
): Promise<boolean> {
  const started = Date.now();
  const isWindows = process.platform === 'win32';
  const file = join(NODE_BIN, isWindows ? `${command}.cmd` : command);
  const output = { buffered: '' };
  const isFirst = outputs.push(output) === 1;
  write(output, `\n== ${name}\n`);
  const child = spawn(file, args, {
    stdio: isFirst ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...KEEPING_MEMORY, ...env },
    shell: isWindows,
  });
  children.add(child);
  if (priority > 0 && child.pid !== undefined) setPriority(child.pid, priority);
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => write(output, text));
  const code = await once(child, 'close').then(
    ([status]) => status as number | null,
    (error: unknown) => {
      write(output, `${String(error)}\n`);
      return null;
    },
  );
  children.delete(child);
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  write(output, `== ${name}: ${code === 0 ? 'ok' : `failed (exit code ${String(code)})`} in ${seconds} s\n`);
  endOutput(output);
  return code === 0;
}

function readReport(file: string): unknown {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
}

/** What a command that failed is known to have failed of; if nothing is, that it failed. */
function addFaults(name: string, isOk: boolean, found: readonly string[]): void {
  faults.push(...found);
  if (!isOk && !found.some((fault) => fault.startsWith('failed'))) faults.push(`failed: ${name}, as it says above`);
}

/** A run that failed without a failed test (a crash, no report) still counts as one failure. */
function toCount(isOk: boolean, passed: number, failed: number): Count {
  return { passed, failed: isOk ? failed : Math.max(1, failed) };
}

async function check(
  name: string,
  command: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<Count> {
  const isOk = await run(name, command, args, { env, priority: PRIORITY_LOW });
  if (!isOk) faults.push(`failed: ${name} (${[command, ...args].join(' ')})`);
  return toCount(isOk, isOk ? 1 : 0, isOk ? 0 : 1);
}

interface UnitReport {
  readonly numPassedTests?: number;
  readonly numFailedTests?: number;
  readonly testResults?: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages?: readonly string[] | null;
    }[];
  }[];
}

/** What there is to mend in unit tests, one entry for each test, and for each file that could not be loaded. */
function toUnitFaults({ testResults = [] }: UnitReport): readonly string[] {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(process.cwd(), name);
    const faults = assertionResults.flatMap(({ fullName, status: result, failureMessages }) => {
      const messages = failureMessages ?? [];
      if (result === 'failed') return [`failed: ${file}: ${fullName}\n${messages.join('\n')}`];
      return messages.length > 0 ? [`passed only on the second try: ${file}: ${fullName}\n${messages[0] ?? ''}`] : [];
    });
    return faults.length === 0 && status === 'failed' ? [`failed: ${file}\n${message}`] : faults;
  });
}

/** `project`: a name as in vitest.config.ts, with `!` before it for all others. */
async function unitTests(name: string, project: string, options: RunOptions = {}): Promise<Count> {
  const file = join(reports, `${name.replaceAll(' ', '-')}.json`);
  const reporters = ['--reporter=dot', '--reporter=json', `--outputFile.json=${file}`];
  const args = ['run', '--project', project, `--maxWorkers=${UNIT_WORKERS}`, ...reporters];
  const isOk = await run(name, 'vitest', args, options);
  const report = readReport(file) as UnitReport | null;
  addFaults(name, isOk, toUnitFaults(report ?? {}));
  return toCount(isOk && report !== null, report?.numPassedTests ?? 0, report?.numFailedTests ?? 0);
}

interface Suite {
  readonly suites?: readonly Suite[];
  readonly specs?: readonly {
    readonly title: string;
    readonly file: string;
    readonly tests: readonly {
      readonly status: string;
      readonly results: readonly { readonly errors?: readonly { readonly message?: string }[] }[];
    }[];
  }[];
}

const BROWSER_FAULTS: Readonly<Record<string, string>> = {
  unexpected: 'failed',
  flaky: 'passed only on the second try',
};

/** What there is to mend in browser tests, one entry for each test. */
function toBrowserFaults({ suites = [], specs = [] }: Suite): readonly string[] {
  const own = specs.flatMap(({ title, file, tests }) =>
    tests.flatMap(({ status, results }) => {
      const fault = BROWSER_FAULTS[status];
      const messages = results.flatMap(({ errors = [] }) => errors.map(({ message = '' }) => message));
      return fault === undefined ? [] : [`${fault}: ${file}: ${title}\n${messages[0] ?? ''}`];
    }),
  );
  return [...own, ...suites.flatMap(toBrowserFaults)];
}

/** The path of the browser, or why there is none. */
function findBrowser(): { readonly path: string } | { readonly problem: string } {
  try {
    return { path: ensureChromium() };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

async function browserTests(name: string): Promise<Count> {
  if ('problem' in browser) {
    faults.push(`failed: ${name}\n${browser.problem}`);
    return { passed: 0, failed: 1 };
  }
  const file = join(reports, 'browser.json');
  const workers = Math.min(WORKERS, MOST_BROWSERS);
  const args = ['test', '--config', 'e2e/playwright.config.ts', `--workers=${workers}`];
  const env = { CHROMIUM_PATH: browser.path, BROWSER_REPORT: file };
  const isOk = await run(name, 'playwright', args, { env, priority: BROWSER_PRIORITY });
  const report = readReport(file) as
    | (Suite & { stats?: { expected?: number; unexpected?: number; flaky?: number } })
    | null;
  const stats = report?.stats ?? {};
  addFaults(name, isOk, toBrowserFaults(report ?? {}));
  return toCount(isOk && report !== null, (stats.expected ?? 0) + (stats.flaky ?? 0), stats.unexpected ?? 0);
}

/** A job that breaks off counts as one failure. The others go on. */
async function count(name: string, job: Promise<Count>): Promise<Count> {
  try {
    return await job;
  } catch (error) {
    faults.push(`failed: ${name}\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    return { passed: 0, failed: 1 };
  }
}

// A terminal sends an interrupt to all of them. What they have written is shown then.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => children.forEach((child) => child.kill()));

// Installing one takes minutes, in which nothing else would be heard.
const browser = findBrowser();
const lint = ['-c', 'oxlint.config.mjs', '--deny-warnings', 'src', 'e2e', 'vite.config.ts', 'vitest.config.ts'];
const counts = await Promise.all([
  count('unit and service tests', unitTests('unit and service tests', `!${TRAINER}`)),
  count('browser tests', browserTests('browser tests')),
  // From here on commands only compute. They use the processors while tests wait.
  count('tests of the trainer', unitTests('tests of the trainer', TRAINER, { priority: PRIORITY_LOW })),
  count('format', check('format', 'oxfmt', ['--check'])),
  // Each checker of its own reads all declarations anew: four take two thirds more processor time. Collecting garbage
  // is a quarter of it, and saves 250 MB of 1.7 GB.
  count('types', check('types', 'tsc', ['--noEmit', '--checkers', '1'], { GOGC: 'off' })),
  count('lint', check('lint', 'oxlint', lint)),
  count('unused code', check('unused code', 'knip', [])),
]);
// Alone, because a page that is measured does nothing else: whether benchmarks still measure, not how fast they are.
counts.push(await count('benchmarks', check('benchmarks', 'tsx', ['e2e/bench/main.ts', '--short'])));
rmSync(reports, { recursive: true, force: true });
for (const fault of faults) {
  const lines = stripVTControlCharacters(fault).split('\n').slice(0, FAULT_LINES);
  process.stdout.write(`\n== ${lines.join('\n   ')}\n`);
}
const passed = counts.reduce((sum, each) => sum + each.passed, 0);
const failed = counts.reduce((sum, each) => sum + each.failed, 0);
process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;

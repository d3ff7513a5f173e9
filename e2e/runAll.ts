// `npm test`: format, types, lint, unit and service tests, browser tests; one closing line `N passed, N failed`.
import { spawn } from 'node:child_process';
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
const NODE_BIN = join('node_modules', '.bin');
/** Named once more at the end: what went wrong minutes before is hard to find, and cut off where output is limited. */
const faults: string[] = [];
const reports = mkdtempSync(join(tmpdir(), 'model-studio-test-'));

/**
 * Browser tests run beside the unit tests, with fewer workers than they would have alone: each starts a browser and
 * studios. More than four take more memory than they save time.
 */
const BROWSER_WORKERS = Math.min(4, Math.floor(availableParallelism() / 2) + 1);

interface RunOptions {
  readonly env?: Record<string, string>;
  /** What it writes comes at its end. */
  readonly isBeside?: boolean;
  /** It takes what other commands leave of the processors. */
  readonly isLow?: boolean;
}

async function run(
  name: string,
  command: string,
  args: readonly string[],
  { env = {}, isBeside = false, isLow = false }: RunOptions = {},
): Promise<boolean> {
  const started = Date.now();
  const isWindows = process.platform === 'win32';
  const file = join(NODE_BIN, isWindows ? `${command}.cmd` : command);
  const begin = `\n== ${name}\n`;
  if (!isBeside) process.stdout.write(begin);
  const child = spawn(file, args, {
    stdio: isBeside ? ['ignore', 'pipe', 'pipe'] : 'inherit',
    env: { ...process.env, ...env },
    shell: isWindows,
  });
  if (isLow && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  const said: Buffer[] = isBeside ? [Buffer.from(begin)] : [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part: Buffer) => said.push(part));
  const code = await once(child, 'close').then(
    ([status]) => status as number | null,
    (error: unknown) => {
      said.push(Buffer.from(`${String(error)}\n`));
      return null;
    },
  );
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  process.stdout.write(
    `${Buffer.concat(said).toString()}== ${name}: ${code === 0 ? 'ok' : `failed (exit code ${String(code)})`} in ${seconds} s\n`,
  );
  return code === 0;
}

function readReport(file: string): unknown {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
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
  const isOk = await run(name, command, args, { env, isBeside: true, isLow: true });
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
  const file = join(reports, `${name}.json`);
  const args = ['run', '--project', project, '--reporter=dot', '--reporter=json', `--outputFile.json=${file}`];
  const isOk = await run(name, 'vitest', args, options);
  const report = readReport(file) as UnitReport | null;
  faults.push(...toUnitFaults(report ?? {}));
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

async function browserTests(): Promise<Count> {
  const file = join(reports, 'browser.json');
  let path: string;
  try {
    path = ensureChromium();
  } catch (error) {
    process.stdout.write(`\n${error instanceof Error ? error.message : String(error)}\n`);
    return { passed: 0, failed: 1 };
  }
  const args = ['test', '--config', 'e2e/playwright.config.ts', `--workers=${BROWSER_WORKERS}`];
  const env = { CHROMIUM_PATH: path, BROWSER_REPORT: file };
  const isOk = await run('browser tests', 'playwright', args, { env, isBeside: true });
  const report = readReport(file) as
    | (Suite & { stats?: { expected?: number; unexpected?: number; flaky?: number } })
    | null;
  const stats = report?.stats ?? {};
  faults.push(...toBrowserFaults(report ?? {}));
  return toCount(isOk && report !== null, (stats.expected ?? 0) + (stats.flaky ?? 0), stats.unexpected ?? 0);
}

// These only compute: they take what tests leave that wait for processes, databases and pages.
const checks = Promise.all([
  check('format', 'oxfmt', ['--check']),
  // Each checker of its own reads all declarations anew: four take two thirds more processor time. Collecting garbage
  // is a quarter of it, and saves 250 MB of 1.7 GB.
  check('types', 'tsc', ['--noEmit', '--checkers', '1'], { GOGC: 'off' }),
  check('lint', 'oxlint', ['--deny-warnings', 'src', 'e2e', 'vite.config.ts', 'vitest.config.ts']),
  check('unused code', 'knip', []),
]);
const tests = Promise.all([
  unitTests('unit and service tests', `!${TRAINER}`),
  browserTests(),
  unitTests('tests of the trainer', TRAINER, { isBeside: true, isLow: true }),
]);
const counts = [...(await tests), ...(await checks)];
rmSync(reports, { recursive: true, force: true });
for (const fault of faults) {
  const lines = stripVTControlCharacters(fault).split('\n').slice(0, FAULT_LINES);
  process.stdout.write(`\n== ${lines.join('\n   ')}\n`);
}
const passed = counts.reduce((sum, count) => sum + count.passed, 0);
const failed = counts.reduce((sum, count) => sum + count.failed, 0);
process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;

// Finds a Chromium for the browser tests: CHROMIUM_PATH, Playwright's own, the system's; else installs one.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from '@playwright/test';

// Without a window's parts a page opens in half the time, so the headless build comes first.
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'microsoft-edge',
];

const FIXED_PATHS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

/**
 * Without these a closed network slows Chromium down with refused look-ups; the sandbox needs rights that root lacks.
 */
export const CHROMIUM_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

function findInPath(): string | null {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    for (const name of NAMES) {
      const path = join(folder, process.platform === 'win32' ? `${name}.exe` : name);
      if (existsSync(path)) return path;
    }
  }
  return null;
}

function findPlaywrights(): string | null {
  const path = chromium.executablePath();
  return path && existsSync(path) ? path : null;
}

function run(command: string, args: readonly string[], seconds: number): boolean {
  process.stdout.write(`> ${command} ${args.join(' ')}\n`);
  const env = { ...process.env, PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '10000', DEBIAN_FRONTEND: 'noninteractive' };
  return spawnSync(command, args, { stdio: 'inherit', timeout: seconds * 1000, env }).status === 0;
}

const PACKAGE_MANAGERS: readonly (readonly (readonly string[])[])[] = [
  [
    ['apt-get', 'update'],
    ['apt-get', 'install', '-y', '--no-install-recommends', 'chromium-headless-shell'],
  ],
  [['apt-get', 'install', '-y', '--no-install-recommends', 'chromium']],
  [['apk', 'add', 'chromium']],
  [['dnf', 'install', '-y', 'chromium']],
];

function installWithSystem(): string | null {
  if (process.getuid?.() !== 0) return null;
  for (const commands of PACKAGE_MANAGERS) {
    const done = commands.every(([command = '', ...args]) => run(command, args, 600));
    if (done && findInPath()) return findInPath();
  }
  return null;
}

/** The path of an existing Chromium, null when there is none. Installs nothing. */
export function findChromium(): string | null {
  const wanted = process.env['CHROMIUM_PATH'];
  if (wanted) return existsSync(wanted) ? wanted : null;
  return findPlaywrights() ?? findInPath() ?? FIXED_PATHS.find((path) => existsSync(path)) ?? null;
}

/** Finds or installs a Chromium. Throws with what to do when neither works. */
export function ensureChromium(): string {
  const wanted = process.env['CHROMIUM_PATH'];
  if (wanted && !existsSync(wanted)) {
    throw new Error(`CHROMIUM_PATH is ${wanted}, but there is no such file. Correct it, or unset it to search.`);
  }
  const found = findChromium();
  if (found) return found;
  process.stdout.write('No Chromium found; installing one for the browser tests.\n');
  if (run('npx', ['playwright', 'install', 'chromium'], 300)) {
    const installed = findPlaywrights();
    if (installed) return installed;
  }
  const system = installWithSystem();
  if (system) return system;
  throw new Error(
    'The browser tests need Chromium, and none could be found or installed. Install Chromium or Google Chrome with ' +
      "your system's package manager, or set CHROMIUM_PATH to an existing one, then run `npm test` again.",
  );
}

// Opens the dashboard in the person's browser. The link is passed in a private file, because the process list shows
// arguments. It holds a code that signs in once, so the file is worthless afterwards.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withoutSecrets } from '#service/threads/childEnvironment.ts';

const COMMANDS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

/** A page that redirects to `link` at once. */
export function toOpeningPage(link: string): string {
  return (
    '<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" ' +
    `content="0;url=${link}"><title>Model Studio</title>`
  );
}

/** Tries to open `link`; calls `report` when no browser could be started. */
export function openBrowser(link: string, dataDir: string, report: (line: string) => void): void {
  const file = join(dataDir, 'open.html');
  writeFileSync(file, toOpeningPage(link), { mode: 0o600 });
  const [command, ...args] = COMMANDS[process.platform] ?? ['xdg-open'];
  const child = spawn(command, [...args, file], { env: withoutSecrets(), stdio: 'ignore', detached: true });
  child.on('error', () => report('No browser could be opened. Open the address above yourself.'));
  child.unref();
}

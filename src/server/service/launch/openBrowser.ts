// Opens the dashboard in the person's browser. The link goes through a private file: as an argument it would stand in
// the process list. It holds a code that signs in once, so that the file is worth nothing afterwards.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const COMMANDS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

/** A page that goes on to `link` at once. */
export function toOpeningPage(link: string): string {
  return (
    '<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" ' +
    `content="0;url=${link}"><title>Model Studio</title>`
  );
}

/** Tries to open `link`; `report` hears when no browser could be started. */
export function openBrowser(link: string, dataDir: string, report: (line: string) => void): void {
  const file = join(dataDir, 'open.html');
  writeFileSync(file, toOpeningPage(link), { mode: 0o600 });
  const [command, ...args] = COMMANDS[process.platform] ?? ['xdg-open'];
  const child = spawn(command, [...args, file], { stdio: 'ignore', detached: true });
  child.on('error', () => report('No browser could be opened. Open the address above yourself.'));
  child.unref();
}

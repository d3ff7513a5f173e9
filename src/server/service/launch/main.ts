// The process behind `npm start`: settings, start, ready line, signals, exit code.
import { endByForceLater } from './deadline.ts';
import { parseSettings } from './flags.ts';
import { HELP } from './help.ts';
import { endOnSignals } from './shutdown.ts';

const report = (line: string): void => void process.stderr.write(`${line}\n`);

/** A failure's message as one line. */
const toLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replaceAll(/\s*\n\s*/g, ' ');

function fail(message: string): never {
  report(message);
  process.exit(1);
}

const parsed = parseSettings(process.argv.slice(2), process.env, process.cwd());
if (parsed.kind === 'problem') fail(parsed.message);
if (parsed.kind === 'help') {
  process.stdout.write(HELP);
  process.exit(0);
}

if (parsed.kind === 'doctor') {
  const { examine } = await import('#server/runs/doctor.ts');
  const { lines, exitCode } = await examine(parsed.runs);
  // A pipe takes long texts in parts: the process ends after the last.
  await new Promise<void>((written) => process.stdout.write(`${lines.join('\n')}\n`, () => written()));
  process.exit(exitCode);
}

const { settings } = parsed;
// A rejected promise that nobody awaits must not end the studio.
process.on('unhandledRejection', (reason) =>
  report(`Unhandled failure: ${reason instanceof Error ? (reason.stack ?? reason.message) : String(reason)}`),
);

// During the start there is nothing to close: the next start repeats what this one leaves unfinished.
const stopEarly = (): never => process.exit(1);
process.on('message', stopEarly).on('disconnect', stopEarly);

try {
  const { startService } = await import('./start.ts');
  const service = await startService(settings, report);
  process.off('message', stopEarly).off('disconnect', stopEarly);
  endOnSignals({
    signals: process,
    close: () => service.close(),
    endByForceLater,
    exit: (code) => process.exit(code),
    report,
    now: () => performance.now(),
  });
  for (const warning of settings.warnings) report(`Warning: ${warning}`);
  const hint = settings.token === null ? '' : '  (sign in with STUDIO_TOKEN)';
  process.stdout.write(`Model Studio  ${service.link}${hint}\n`);
  if (settings.opensBrowser) {
    const { openBrowser } = await import('./openBrowser.ts');
    openBrowser(service.makeOpeningLink(), settings.dataDir, report);
  }
} catch (error) {
  fail(toLine(error));
}

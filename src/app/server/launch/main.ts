// The process behind `npm start` and `model-studio`: command, start, ready line, signals, exit code.
import { randomBytes } from 'node:crypto';
import { parseCommandLine, type Command } from './commands.ts';
import type { Settings } from './settings.ts';
import { HELP } from './help.ts';
import { readVersion } from './projectRoot.ts';
import { toLogText } from '#service/http/logText.ts';
import { endOnSignals } from './shutdown.ts';

const report = (line: string): void => void process.stderr.write(`${line}\n`);

/** A failure's message as one line. */
const toLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replaceAll(/\s*\n\s*/g, ' ');

/** A pipe takes long texts in parts: the process ends after the last. */
async function printAndEnd(text: string, exitCode: number): Promise<never> {
  await new Promise<void>((written) => process.stdout.write(text, () => written()));
  process.exit(exitCode);
}

/** Resolves when the studio is ready; it then runs until a signal. Throws StartError. */
async function start(settings: Settings): Promise<void> {
  // A rejected promise that nobody awaits must not end the studio.
  process.on('unhandledRejection', (reason) => report(`Unhandled failure: ${toLogText(reason)}`));
  // During the start there is nothing to close: the next start repeats what this one leaves unfinished.
  const stopEarly = (): never => process.exit(1);
  process.on('message', stopEarly).on('disconnect', stopEarly);
  const { startService } = await import('./start.ts');
  const end = (reason: string): never => {
    report(reason);
    process.exit(1);
  };
  const service = await startService(settings, report, end);
  process.off('message', stopEarly).off('disconnect', stopEarly);
  endOnSignals({
    signals: process,
    close: () => service.close(),
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
}

async function run(command: Command): Promise<void> {
  switch (command.kind) {
    case 'problem':
      report(command.message);
      process.exit(command.exitCode);
      break;
    case 'help':
      return printAndEnd(HELP, 0);
    case 'version':
      return printAndEnd(`${readVersion()}\n`, 0);
    case 'examine': {
      const { examine } = await import('#features/runs/server/doctor.ts');
      const { lines, exitCode } = await examine(command.runs);
      return printAndEnd(`${lines.join('\n')}\n`, exitCode);
    }
    case 'doctor': {
      const { examineStudio } = await import('#app/server/doctor/examineStudio.ts');
      const { checkLlama } = await import('#app/server/doctor/modelChecks.ts');
      const { lines, exitCode } = await examineStudio(command.settings, {
        version: readVersion(),
        directory: process.cwd(),
        searchPath: process.env['PATH'] ?? '',
        report,
        checkLlama,
      });
      const { mode } = command.settings;
      const folders = mode.kind === 'gateway' ? [] : mode.runs;
      const { examine } = await import('#features/runs/server/doctor.ts');
      const found = folders.length === 0 ? [] : ['', ...(await examine(folders)).lines];
      return printAndEnd(`${[...lines, ...found].join('\n')}\n`, exitCode);
    }
    case 'gpu': {
      const { installGpu } = await import('./installGpu.ts');
      const { lines, exitCode } = await installGpu(command.card);
      return printAndEnd(`${lines.join('\n')}\n`, exitCode);
    }
    case 'token': {
      const { runTokenCommand } = await import('#features/access/server/tokenCommand.ts');
      const random = (bytes: number): string => randomBytes(bytes).toString('base64url');
      const { lines, notes, exitCode } = await runTokenCommand(command.command, { now: () => new Date(), random });
      for (const note of notes) report(note);
      return printAndEnd(lines.map((line) => `${line}\n`).join(''), exitCode);
    }
    case 'worker': {
      const { startWorker } = await import('./startWorker.ts');
      return startWorker(command.worker, report);
    }
    case 'eval': {
      const { runEval } = await import('./startEval.ts');
      const { text, exitCode } = await runEval(command.settings, report);
      return printAndEnd(text, exitCode);
    }
    case 'mcp': {
      const { startMcp } = await import('./startMcp.ts');
      return startMcp(command.studio, report);
    }
    case 'settings':
      return start(command.settings);
  }
}

try {
  await run(parseCommandLine(process.argv.slice(2), process.env, process.cwd()));
} catch (error) {
  report(toLine(error));
  process.exit(1);
}

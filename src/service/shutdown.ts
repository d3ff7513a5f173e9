// Ends the process on a signal: properly the first time, at once the second.
import type { EventEmitter } from 'node:events';

export interface ShutdownOptions {
  readonly signals: Pick<EventEmitter, 'on'>;
  readonly close: () => Promise<void>;
  readonly exit: (code: number) => void;
  readonly report: (line: string) => void;
  /** Milliseconds, from any fixed point. */
  readonly now: () => number;
}

/** Ctrl-C reaches a process twice at once when a runner passes it on; that is one wish, not two. */
const ECHO_MS = 300;

export function endOnSignals(options: ShutdownOptions): void {
  let began: number | null = null;
  const end = (): void => {
    const now = options.now();
    if (began !== null) {
      if (now - began > ECHO_MS) options.exit(1);
      return;
    }
    began = now;
    options.close().then(
      () => options.exit(0),
      (error: unknown) => {
        options.report(`The studio did not end cleanly: ${error instanceof Error ? error.message : String(error)}`);
        options.exit(1);
      },
    );
  };
  options.signals.on('SIGTERM', end);
  options.signals.on('SIGINT', end);
  options.signals.on('SIGHUP', end);
}

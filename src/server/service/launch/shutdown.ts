// Ends the process on a signal: properly the first time, at once the second, by force when the first takes too long.
import type { EventEmitter } from 'node:events';

export interface ShutdownOptions {
  /** The process: its signals, and what the process that started it (launch.mjs) says: a message, or its own end. */
  readonly signals: Pick<EventEmitter, 'on'>;
  readonly close: () => Promise<void>;
  /** Called once when the end begins. */
  readonly endByForceLater: () => void;
  readonly exit: (code: number) => void;
  readonly report: (line: string) => void;
  /** Milliseconds, from any fixed point. */
  readonly now: () => number;
}

/**
 * Ctrl-C reaches a process twice when a runner passes it on, on a busy machine a second apart: that is one wish, not
 * two.
 */
const ECHO_MS = 1_500;

export function endOnSignals(options: ShutdownOptions): void {
  let began: number | null = null;
  const begin = (): void => {
    if (began !== null) return;
    began = options.now();
    options.endByForceLater();
    options.close().then(
      () => options.exit(0),
      (error: unknown) => {
        options.report(`The studio did not end cleanly: ${error instanceof Error ? error.message : String(error)}`);
        options.exit(1);
      },
    );
  };
  const onSignal = (): void => {
    if (began !== null && options.now() - began > ECHO_MS) options.exit(1);
    else begin();
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) options.signals.on(signal, onSignal);
  for (const event of ['message', 'disconnect']) options.signals.on(event, begin);
}

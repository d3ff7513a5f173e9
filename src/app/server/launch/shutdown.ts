// Ends the process on a signal: the first closes everything, a second exits at once. The process that started it (launch.mjs)
// kills it if it hangs.
import type { EventEmitter } from 'node:events';

export interface ShutdownOptions {
  /** The process: its signals, a message of the process that started it (launch.mjs), or that process's end. */
  readonly signals: Pick<EventEmitter, 'on'>;
  readonly close: () => Promise<void>;
  readonly exit: (code: number) => void;
  readonly report: (line: string) => void;
  /** Milliseconds, from any fixed point. */
  readonly now: () => number;
}

/** When a runner forwards Ctrl-C, a process gets it twice, on a busy machine a second apart: that is one request. */
const ECHO_MS = 1_500;

export function endOnSignals(options: ShutdownOptions): void {
  let beganAt: number | null = null;
  const begin = (): void => {
    if (beganAt !== null) return;
    beganAt = options.now();
    options.close().then(
      () => options.exit(0),
      (error: unknown) => {
        options.report(`The studio did not end cleanly: ${error instanceof Error ? error.message : String(error)}`);
        options.exit(1);
      },
    );
  };
  const onSignal = (): void => {
    if (beganAt !== null && options.now() - beganAt > ECHO_MS) options.exit(1);
    else begin();
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) options.signals.on(signal, onSignal);
  for (const event of ['message', 'disconnect']) options.signals.on(event, begin);
}

// How launch.mjs shuts down its child, the service: first with a request, then by force when its time is up.

/** Longer than the service gives itself, shorter than the 10 s after which container runtimes kill. */
const END_MS = 8_000;
/** When a runner forwards Ctrl-C, a process gets it twice, on a busy machine a second apart: that is one request. */
const ECHO_MS = 1_500;
/** How long the service has to end after a second request, which it may be too busy to handle. */
const AT_ONCE_MS = 3_000;

/** Takes `child`, a clock, a timer and the operator's log as arguments, so that a test can replace them. */
export function forwardShutdown({ child, now, later, report }) {
  let requestedAt = null;
  let isRepeated = false;
  const killAfter = (ms) =>
    later(() => {
      report('The studio did not end in time and was ended by force.');
      child.kill('SIGKILL');
    }, ms);
  const end = () => {
    if (requestedAt !== null) return;
    requestedAt = now();
    if (child.connected) child.send('end', () => undefined);
    killAfter(END_MS);
  };
  const onSignal = () => {
    if (requestedAt === null) return end();
    if (isRepeated || now() - requestedAt <= ECHO_MS) return;
    isRepeated = true;
    child.kill('SIGTERM');
    killAfter(AT_ONCE_MS);
  };
  return { end, onSignal };
}

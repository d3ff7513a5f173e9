// How launch.mjs passes the wish to end on to the service, its child: asked properly first, by force when its time is up.

/** Longer than the service gives itself, shorter than the 10 s after which container runtimes kill. */
const END_MS = 8_000;
/**
 * Ctrl-C reaches a process twice when a runner passes it on, on a busy machine a second apart: that is one wish, not two.
 */
const ECHO_MS = 1_500;
/** What the service has to end at once after a second wish. It may be too busy to hear it. */
const AT_ONCE_MS = 3_000;

/** `child`, a clock, a timer and the operator's log come from outside, so that a test can give its own. */
export function passOnEnd({ child, now, later, report }) {
  let endsSince = null;
  let isAskedAgain = false;
  const killAfter = (ms) =>
    later(() => {
      report('The studio did not end in time and was ended by force.');
      child.kill('SIGKILL');
    }, ms);
  const end = () => {
    if (endsSince !== null) return;
    endsSince = now();
    if (child.connected) child.send('end', () => undefined);
    killAfter(END_MS);
  };
  const onSignal = () => {
    if (endsSince === null) return end();
    if (isAskedAgain || now() - endsSince <= ECHO_MS) return;
    isAskedAgain = true;
    child.kill('SIGTERM');
    killAfter(AT_ONCE_MS);
  };
  return { end, onSignal };
}

// V8's flags for tests: processes that live for seconds, on processors that are all busy.

/** Without threads of its own that collect garbage and compile, tests take a tenth less processor time. */
export const ONE_THREAD = '--single-threaded';

/** For the workers that run tests, and the studios that tests start. */
export const SHORT_LIVED: readonly string[] = [
  // Making the database's WebAssembly quicker takes more time than it saves, 1.6 s a process.
  '--liftoff-only',
  ONE_THREAD,
  // Bytes of bytecode that a function runs before V8's best compiler takes it, six times the default. Much of what tests
  // call is over by then: they take a twelfth less. Without that compiler they take half as long again.
  '--interrupt-budget=400000',
];

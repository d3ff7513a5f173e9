// The thread behind functionRunner.ts: runs people's functions in QuickJS, which is WebAssembly and reaches nothing of this process.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import variant from '@jitl/quickjs-wasmfile-release-sync';
import { newQuickJSWASMModuleFromVariant, newVariant, type QuickJSWASMModule } from 'quickjs-emscripten-core';
import type { FunctionInput, FunctionOutcome } from '#features/evaluation/shared/functionValue.ts';
import { openSide } from '#service/threads/isolatedSide.ts';
import { answerAsks, type Question, type Reply } from '#service/threads/threadRequests.ts';

/** Of one answer. */
const LIMIT_MS = 1_000;
const MEMORY_BYTES = 32 * 1024 * 1024;
/** Deeper calls would reach the end of this thread's own stack first. */
const STACK_BYTES = 64 * 1024;

const failed = (reason: string): FunctionOutcome => ({ ok: false, reason });
const TOO_SLOW: FunctionOutcome = {
  ok: false,
  reason: `The function took longer than ${LIMIT_MS / 1000} s for one answer. Make it do less.`,
  isLate: true,
};
const TOO_LARGE = failed(
  `The function needed more than ${MEMORY_BYTES / 1024 / 1024} MiB for one answer. Make it hold less.`,
);
const TOO_DEEP = failed('The function calls itself too often, or its value nests too deeply.');

let loaded: Promise<QuickJSWASMModule> | null = null;

/** The library looks for its WebAssembly beside itself, and is elsewhere where the service is bundled. */
async function load(): Promise<QuickJSWASMModule> {
  const path = createRequire(import.meta.url).resolve('@jitl/quickjs-wasmfile-release-sync/wasm');
  const { buffer, byteOffset, byteLength } = await readFile(path);
  const wasmBinary = buffer.slice(byteOffset, byteOffset + byteLength);
  return newQuickJSWASMModuleFromVariant(newVariant(variant, { wasmBinary }));
}

/** What was thrown, as QuickJS tells it. */
function toReason(error: unknown, isLate: boolean): FunctionOutcome {
  const { name = 'Error', message = String(error) } = (error ?? {}) as { name?: string; message?: string };
  if (isLate) return TOO_SLOW;
  if (name === 'InternalError' && message === 'out of memory') return TOO_LARGE;
  // JSON.parse says so by a SyntaxError.
  if (message === 'stack overflow') return TOO_DEEP;
  return failed(`The function threw ${name}: ${message}`);
}

/** Nothing is left of one answer when the next is judged. Throws where the WebAssembly itself has failed. */
function runOnce(
  quickjs: QuickJSWASMModule,
  source: string,
  { answer, expected, row }: FunctionInput,
): FunctionOutcome {
  const end = Date.now() + LIMIT_MS;
  let isLate = false;
  const runtime = quickjs.newRuntime({
    memoryLimitBytes: MEMORY_BYTES,
    maxStackSizeBytes: STACK_BYTES,
    interruptHandler: () => (isLate = Date.now() > end),
  });
  const context = runtime.newContext();
  const code = `JSON.stringify({ value: (${source}\n)(...${JSON.stringify([answer, expected, row])}) })`;
  const result = context.evalCode(code, 'function.js', { type: 'global', strict: true });
  const handle = result.error ?? result.value;
  const given: unknown = context.dump(handle);
  handle.dispose();
  context.dispose();
  runtime.dispose();
  if (result.error) return toReason(given, isLate);
  return { ok: true, value: (JSON.parse(String(given)) as { value?: unknown }).value };
}

export interface FunctionThread {
  /** One outcome for each input, in order. */
  run(source: string, inputs: readonly FunctionInput[]): Promise<readonly FunctionOutcome[]>;
}

answerAsks<FunctionThread>(openSide<Question, Reply>(), {
  async run(source, inputs) {
    const outcomes: FunctionOutcome[] = [];
    for (const input of inputs) {
      loaded ??= load();
      const quickjs = await loaded;
      try {
        outcomes.push(runOnce(quickjs, source, input));
      } catch {
        // The module is of no more use after it has run out of this thread's stack.
        loaded = null;
        outcomes.push(TOO_DEEP);
      }
    }
    return outcomes;
  },
});

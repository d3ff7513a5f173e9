// The one place that starts llama.cpp (node-llama-cpp, CPU, prebuilt). Loaded when the first model is asked for.
import { availableParallelism } from 'node:os';
import type { Llama, LlamaGrammarEvaluationState, LlamaModel } from 'node-llama-cpp';
import { EngineError } from './engine.ts';

/** Part of the fingerprint: another version may compute other numbers. */
export const RUNTIME_VERSION = 'node-llama-cpp 3.21.1';

/** node-llama-cpp 3.21.1 waits for ever to close after a file that could not be loaded; the process can end without. */
const CLOSE_GRACE_MS = 500;

export interface LlamaRuntime {
  readonly llama: Llama;
  readonly cores: number;
  /** A fresh grammar state for one answer; `gbnf` is our own text, so a failure is a defect of ours. */
  openGrammar(model: LlamaModel, gbnf: string): Promise<LlamaGrammarEvaluationState>;
  /** Forgets complaints, before a file is loaded. */
  clearComplaints(): void;
  /** What llama.cpp complained about since then, for error messages; null when it said nothing. */
  readComplaint(): Promise<string | null>;
  close(): Promise<void>;
}

const LOG_TURNS = 50;

/** The line that says most, without the names of llama.cpp's functions. */
function toComplaint(lines: readonly string[]): string | null {
  const told =
    lines.find((line) => line.startsWith('gguf_init')) ??
    lines.find((line) => /error loading model|failed to apply lora/.test(line)) ??
    lines[0];
  return (
    told?.replace(
      /^(?:\w+: |error loading model: |error loading model hyperparameters: |failed to apply lora adapter: )+/,
      '',
    ) ?? null
  );
}

/** Throws EngineError 503 when this machine has no prebuilt llama.cpp. */
export async function openLlamaRuntime(): Promise<LlamaRuntime> {
  const complaints: string[] = [];
  const onLog = (_level: string, message: string): void => {
    complaints.push(message.trim());
    if (complaints.length > 32) complaints.shift();
  };
  const cores = availableParallelism();
  try {
    // `module` is loaded here and not at the top: it takes a third of a second that only inference needs.
    const module = await import('node-llama-cpp');
    const options = {
      gpu: false,
      build: 'never',
      maxThreads: cores,
      logLevel: module.LlamaLogLevel.error,
      logger: onLog,
      progressLogs: false,
    } as const;
    const llama = await module.getLlama(options);
    return {
      llama,
      cores,
      async openGrammar(model, gbnf) {
        const grammar = await llama.createGrammar({ grammar: gbnf });
        return new module.LlamaGrammarEvaluationState({ model, grammar });
      },
      clearComplaints() {
        complaints.length = 0;
      },
      async readComplaint() {
        // Log lines come through a queue of their own, a few turns of the event loop after the failure.
        for (let turn = 0; turn < LOG_TURNS && complaints.length === 0; turn += 1)
          await new Promise((resolve) => setImmediate(resolve));
        return toComplaint(complaints);
      },
      async close() {
        let timer: NodeJS.Timeout | undefined;
        const grace = new Promise<void>((resolve) => {
          timer = setTimeout(resolve, CLOSE_GRACE_MS);
        });
        await Promise.race([llama.dispose(), grace]);
        clearTimeout(timer);
      },
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new EngineError(
      `llama.cpp can't start on this machine: ${reason}. Use an OpenAI-compatible server as the engine instead ` +
        '(--engine URL).',
      503,
      'engine_unavailable',
    );
  }
}

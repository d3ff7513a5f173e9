// The only file that starts llama.cpp (node-llama-cpp, prebuilt). Processes call it that may end with it.
import { availableParallelism } from 'node:os';
import type { Llama, LlamaGrammarEvaluationState, LlamaModel } from 'node-llama-cpp';
import { soon } from '#service/files/timeout.ts';
import { EngineError, type Gpu } from './engine.ts';

/** Part of the fingerprint, because another version may compute other numbers. */
export const RUNTIME_VERSION = 'node-llama-cpp 3.21.1';

/** After a failed load, node-llama-cpp 3.21.1 never finishes closing. The process can end without that. */
const CLOSE_GRACE_MS = 500;

/** `auto`: a graphics card whose package is installed; else, and with `off`, the processor. */
export type GpuChoice = 'auto' | 'off';

export interface LlamaRuntime {
  readonly llama: Llama;
  /** null: the processor alone. */
  readonly gpu: Gpu | null;
  readonly cores: number;
  /** A new grammar state for one answer. `gbnf` is text that we wrote, so a failure is our defect. */
  openGrammar(model: LlamaModel, gbnf: string): Promise<LlamaGrammarEvaluationState>;
  /** Forgets llama.cpp's error messages. Call it before a file is loaded. */
  clearComplaints(): void;
  /** The most helpful of the error messages since then; null if there are none. */
  readComplaint(): Promise<string | null>;
  close(): Promise<void>;
}

const LOG_ROUNDS = 50;

/** The most helpful line, without the names of llama.cpp's functions. */
function toComplaint(lines: readonly string[]): string | null {
  const line =
    lines.find((text) => text.startsWith('gguf_init')) ??
    lines.find((text) => /error loading model|failed to apply lora/.test(text)) ??
    lines[0];
  return (
    line?.replace(
      /^(?:\w+: |error loading model: |error loading model hyperparameters: |failed to apply lora adapter: )+/,
      '',
    ) ?? null
  );
}

/** node-llama-cpp 3.21.1 names a kind of card also where there is none. */
async function findGpu(llama: Llama): Promise<Gpu | null> {
  if (llama.gpu === false) return null;
  const [devices, { total, unifiedSize }] = await Promise.all([llama.getGpuDeviceNames(), llama.getVramState()]);
  return devices.length === 0 ? null : { kind: llama.gpu, devices, bytes: total, isUnified: unifiedSize > 0 };
}

/** Throws EngineError 503 when this machine has no prebuilt llama.cpp. */
export async function openLlamaRuntime(gpu: GpuChoice): Promise<LlamaRuntime> {
  const complaints: string[] = [];
  const onLog = (_level: string, message: string): void => {
    complaints.push(message.trim());
    if (complaints.length > 32) complaints.shift();
  };
  const cores = availableParallelism();
  try {
    // Loaded here and not at the top: it takes a third of a second, which only inference needs.
    const module = await import('node-llama-cpp');
    const options = {
      gpu: gpu === 'auto' ? gpu : false,
      build: 'never',
      maxThreads: cores,
      logLevel: module.LlamaLogLevel.error,
      logger: onLog,
      progressLogs: false,
    } as const;
    const llama = await module.getLlama(options);
    return {
      llama,
      gpu: await findGpu(llama),
      cores,
      async openGrammar(model, gbnf) {
        const grammar = await llama.createGrammar({ grammar: gbnf });
        return new module.LlamaGrammarEvaluationState({ model, grammar });
      },
      clearComplaints() {
        complaints.length = 0;
      },
      async readComplaint() {
        // Log lines arrive through a queue, a few rounds of the event loop after the failure.
        for (let round = 0; round < LOG_ROUNDS && complaints.length === 0; round += 1)
          await new Promise((resolve) => setImmediate(resolve));
        return toComplaint(complaints);
      },
      async close() {
        await soon(llama.dispose(), CLOSE_GRACE_MS);
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

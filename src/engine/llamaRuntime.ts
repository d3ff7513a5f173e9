// The one place that starts llama.cpp (node-llama-cpp, CPU, prebuilt). Loaded when the first model is asked for.
import { availableParallelism } from 'node:os';
import type { Llama, LlamaGrammarEvaluationState, LlamaModel } from 'node-llama-cpp';
import { EngineError } from './engine';

/** Part of the fingerprint: another version may compute other numbers. */
export const RUNTIME_VERSION = 'node-llama-cpp 3.21.1';

export interface LlamaRuntime {
  readonly llama: Llama;
  readonly cores: number;
  /** A fresh grammar state for one answer; `gbnf` is our own text, so a failure is a defect of ours. */
  openGrammar(model: LlamaModel, gbnf: string): Promise<LlamaGrammarEvaluationState>;
  /** What llama.cpp last complained about while loading, for error messages; null when it said nothing. */
  takeComplaint(): string | null;
  close(): Promise<void>;
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
    const options = { gpu: false, build: 'never', maxThreads: cores, logLevel: module.LlamaLogLevel.error, logger: onLog, progressLogs: false } as const;
    const llama = await module.getLlama(options);
    return {
      llama,
      cores,
      async openGrammar(model, gbnf) {
        const grammar = await llama.createGrammar({ grammar: gbnf });
        return new module.LlamaGrammarEvaluationState({ model, grammar });
      },
      takeComplaint() {
        const told = complaints.find((line) => line.includes('error loading model') || line.includes('failed to apply lora')) ?? complaints[0];
        complaints.length = 0;
        return told?.replace(/^\w+: (?:error loading model: |failed to apply lora adapter: )?/, '') ?? null;
      },
      close: () => llama.dispose(),
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new EngineError(`llama.cpp can't start on this machine: ${reason}. Use an OpenAI-compatible server as the engine instead (--engine URL).`, 503, 'engine_unavailable');
  }
}

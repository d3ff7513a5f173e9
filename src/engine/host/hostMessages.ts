// What the service and a process with llama.cpp say to each other.
import type { ChatRequest } from '#core/contract/chatRequest.ts';
import type { TextRequest } from '#core/contract/textCompletion.ts';
import type { TemplateSource } from '#core/templates/templateText.ts';
import type { Question, Reply } from '#service/threads/threadRequests.ts';
import type { Compiled } from '#engine/compileJob.ts';
import type { ContextPlan, ModelShape } from '#engine/contextPlan.ts';
import type { EngineEvent, Gpu } from '#engine/engine.ts';
import type { ErrorData } from '#engine/errorData.ts';
import type { GpuChoice } from '#engine/llamaRuntime.ts';

/** The files of a model. `id` is for messages. */
export interface HostFile {
  readonly id: string;
  readonly path: string;
  readonly adapter: string | null;
}

/** A file before it is loaded. */
export interface SeenFile {
  readonly bytes: number;
  /** Its size and time: another one when the file changes. */
  readonly identity: string;
}

export interface FileLook {
  readonly weights: SeenFile;
  readonly adapter: SeenFile | null;
}

export interface Weights {
  /** By which the process knows them. */
  readonly number: number;
  readonly shape: ModelShape;
  /** Layers in all, and those that a graphics card computes. */
  readonly layers: number;
  readonly gpuLayers: number;
}

export interface OpenedModel {
  /** By which the process knows it. */
  readonly number: number;
  readonly fingerprint: string;
  readonly template: TemplateSource;
  /** Characters of the longest token. */
  readonly longestPiece: number;
  /** Answers at a time: fewer than planned if there was no room for more. */
  readonly sequences: number;
}

/** Refusals come as data: an error's class is lost on the way. */
export type Answered<Value> = { readonly value: Value } | { readonly refused: ErrorData };

/** What can be asked of the process. */
export interface HostCore {
  /** The first question. */
  start(gpu: GpuChoice): Promise<Answered<{ gpu: Gpu | null; cores: number }>>;
  look(file: HostFile): Promise<Answered<FileLook>>;
  /** `load`: a number by which it can be stopped. */
  loadWeights(file: HostFile, load: number): Promise<Answered<Weights>>;
  openModel(file: HostFile, weights: number, plan: ContextPlan, load: number): Promise<Answered<OpenedModel>>;
  /** Stops loading, which then rejects. */
  stopLoad(load: number): Promise<void>;
  closeModel(model: number): Promise<void>;
  freeWeights(weights: number): Promise<void>;
  /** Threads that all answers of the process may use together. */
  setThreads(count: number): Promise<void>;
}

/** What matters of a request once prompt and grammar are made. */
export type AnswerRequest = Omit<ChatRequest, 'model' | 'messages' | 'response_format' | 'stream'>;

/** A text to go on with (see TextRequest). */
export type TextStart = Pick<TextRequest, 'prompt' | 'echo' | 'logprobs'>;

export type Answering = { readonly compiled: Compiled } | { readonly start: TextStart };

export type AnswerOrder = Answering & { readonly model: number; readonly request: AnswerRequest };

export type ToHost =
  | Question
  | { readonly begin: number; readonly order: AnswerOrder }
  /** So many events were read. */
  | { readonly read: number; readonly events: number }
  | { readonly leave: number };

export type FromHost =
  | Reply
  /** Of all answers that have new ones. */
  | { readonly events: readonly (readonly [answer: number, events: readonly EngineEvent[]])[] }
  /** The last message of an answer: its slot is free. */
  | { readonly ended: number; readonly error: ErrorData | null };

/** Events that the process may be ahead of the reader. It waits for a reader who is slower. */
export const AHEAD = 256;

// The messages between compiler.ts and its workers.
import type { TemplateSource } from '#shared/data/view/templateText.ts';
import type { Compiled, CompileRequest } from './compileJob.ts';
import type { EngineError } from './engine.ts';

export interface CompileOrder {
  readonly request: CompileRequest;
  /** The index at which the worker keeps the template. `source` is set if the worker doesn't have it yet. */
  readonly templateIndex: number;
  readonly source: TemplateSource | null;
  /** Time for the grammar. It is shorter than the whole time, so that the worker can report when it is over. */
  readonly grammarMs: number;
}

export type CompileReply =
  | { readonly type: 'ready' }
  /** The field of the request that is compiled next. */
  | { readonly type: 'part'; readonly param: string }
  | { readonly type: 'done'; readonly compiled: Compiled }
  | ({ readonly type: 'refused' } & Pick<EngineError, 'message' | 'status' | 'code' | 'param' | 'retryAfter'>)
  /** A defect. `stack` is for the log only. */
  | { readonly type: 'failed'; readonly stack: string };

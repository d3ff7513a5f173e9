// What compiler.ts and its workers say to each other.
import type { TemplateSource } from './chatTemplate.ts';
import type { Compiled, CompileRequest } from './compileJob.ts';
import type { EngineError } from './engine.ts';

export interface CompileOrder {
  readonly request: CompileRequest;
  /** Where the worker keeps the template; `source` comes along when it does not have it yet. */
  readonly place: number;
  readonly source: TemplateSource | null;
  /** Time for the grammar, shorter than that for the whole: the worker itself notices that it is over. */
  readonly grammarMs: number;
}

export type CompileReply =
  | { readonly type: 'ready' }
  /** The field of the request that is compiled next. */
  | { readonly type: 'part'; readonly param: string }
  | { readonly type: 'done'; readonly compiled: Compiled }
  | ({ readonly type: 'refused' } & Pick<EngineError, 'message' | 'status' | 'code' | 'param' | 'retryAfter'>)
  /** A defect; `stack` is for the log alone. */
  | { readonly type: 'failed'; readonly stack: string };

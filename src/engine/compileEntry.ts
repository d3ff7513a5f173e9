// Compiles requests, one at a time, in a thread that compilerThread.ts may end.
import { openSide } from '#service/threads/isolatedSide.ts';
import { answerAsks, type Question, type Reply } from '#service/threads/threadRequests.ts';
import type { TemplateSource } from '#core/templates/templateText.ts';
import { openChatTemplate, type ChatTemplate } from './chatTemplate.ts';
import { compileRequest, GrammarCache, type Compiled, type CompileRequest } from './compileJob.ts';
import { EngineError } from './engine.ts';

export interface CompileThread {
  /** Answered once the thread can begin. */
  isReady(): Promise<true>;
  /**
   * `grammarMs`: time for the grammar. It is shorter than the whole time, so that the thread can report when it is over.
   * Throws EngineError.
   */
  compile(request: CompileRequest, template: TemplateSource, grammarMs: number): Promise<Compiled>;
}

/** The field of the request that is compiled next. */
export interface Part {
  readonly part: string;
}

/** Rendering and this search stay within a request's time, so that the template's reason reaches the caller. */
const SEARCH_MS = 300;
const MAX_TEMPLATES = 16;

const side = openSide<Question, Reply | Part>();
const templates = new Map<string, ChatTemplate>();
const grammars = new GrammarCache();

function toTemplate(source: TemplateSource): ChatTemplate {
  const key = JSON.stringify(source);
  const template = templates.get(key) ?? openChatTemplate(source.text, source.marks, SEARCH_MS);
  templates.delete(key);
  templates.set(key, template);
  const [oldest] = templates.keys();
  if (templates.size > MAX_TEMPLATES && oldest !== undefined) templates.delete(oldest);
  return template;
}

answerAsks<CompileThread>(
  side,
  {
    isReady: async () => true,
    async compile(request, template, grammarMs) {
      const onPart = (part: string): void => side.post({ part });
      return compileRequest(request, toTemplate(template), grammars, { limitMs: grammarMs, onPart });
    },
  },
  EngineError,
);

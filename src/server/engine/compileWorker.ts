// A worker that compiles requests, one at a time, until compiler.ts ends it.
import { parentPort } from 'node:worker_threads';
import { openChatTemplate, type ChatTemplate } from './chatTemplate.ts';
import { compileRequest, GrammarCache } from './compileJob.ts';
import type { CompileOrder, CompileReply } from './compileMessages.ts';
import { EngineError } from './engine.ts';

/** Rendering and this search stay within a request's time, so that the template's reason reaches the caller. */
const SEARCH_MS = 300;

const templates: ChatTemplate[] = [];
const grammars = new GrammarCache();

function reply(message: CompileReply): void {
  parentPort?.postMessage(message, []);
}

function answer({ request, templateIndex, source, grammarMs }: CompileOrder): CompileReply {
  try {
    if (source !== null) templates[templateIndex] = openChatTemplate(source.text, source.marks, SEARCH_MS);
    const template = templates[templateIndex];
    if (template === undefined) throw new Error(`There is no template at ${templateIndex}.`);
    const onPart = (param: string): void => reply({ type: 'part', param });
    return { type: 'done', compiled: compileRequest(request, template, grammars, { limitMs: grammarMs, onPart }) };
  } catch (error) {
    if (error instanceof EngineError) {
      const { message, status, code, param, retryAfter } = error;
      return { type: 'refused', message, status, code, param, retryAfter };
    }
    return { type: 'failed', stack: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

parentPort?.on('message', (order: CompileOrder) => reply(answer(order)));
reply({ type: 'ready' });

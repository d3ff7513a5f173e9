// The worker that compiles requests, one at a time, until it is ended (see compiler.ts).
import { parentPort } from 'node:worker_threads';
import { openChatTemplate, type ChatTemplate } from './chatTemplate.ts';
import { compileRequest, GrammarCache } from './compileJob.ts';
import type { CompileOrder, CompileReply } from './compileMessages.ts';
import { EngineError } from './engine.ts';

/** With the rendering before it, this stays within a request's time: the template's own reason is not lost. */
const SEARCH_MS = 300;

const templates: ChatTemplate[] = [];
const grammars = new GrammarCache();

function reply(message: CompileReply): void {
  parentPort?.postMessage(message, []);
}

function answer({ request, place, source, grammarMs }: CompileOrder): CompileReply {
  try {
    if (source !== null) templates[place] = openChatTemplate(source.text, source.marks, SEARCH_MS);
    const template = templates[place];
    if (template === undefined) throw new Error(`There is no template at ${place}.`);
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

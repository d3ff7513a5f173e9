// Stream chunks as text (SPEC 6; form ASSUMED: OpenAI's chat.completion.chunk). Pure.
// The constant parts of a chunk are made once per answer, so a token costs one JSON string and one concatenation.
import type { Usage } from '#core/contract/completion.ts';
import type { TokenLogprob } from '#core/stream/events.ts';
import type { EngineEvent } from '#engine/engine.ts';

export interface ChunkHead {
  readonly id: string;
  /** Unix time in seconds. */
  readonly created: number;
  readonly model: string;
  readonly system_fingerprint: string | null;
}

export interface ChunkText {
  /** The first chunk, which carries the role. */
  readonly start: string;
  text(text: string): string;
  reasoning(text: string): string;
  logprobs(tokens: readonly TokenLogprob[]): string;
  toolCall(delta: Extract<EngineEvent, { type: 'tool-call-delta' }>): string;
  /** The last chunk with a choice; empty if there is nothing to say of the end. */
  finish(end: Extract<EngineEvent, { type: 'message-end' }>): string;
  /** The chunk without choices before the end (`stream_options.include_usage`). */
  usage(usage: Usage): string;
}

export function toChunkText(head: ChunkHead): ChunkText {
  const { id, created, model, system_fingerprint } = head;
  const fields = JSON.stringify({ id, object: 'chat.completion.chunk', created, model, system_fingerprint }).slice(
    0,
    -1,
  );
  const open = `data: ${fields},"choices":[{"index":0,"delta":{`;
  const close = '},"finish_reason":null}]}\n\n';
  const content = `${open}"content":`;
  const reasoning = `${open}"reasoning_content":`;
  return {
    start: `${open}"role":"assistant","content":""${close}`,
    text: (text) => content + JSON.stringify(text) + close,
    reasoning: (text) => reasoning + JSON.stringify(text) + close,
    logprobs: (content) => `${open}},"logprobs":${JSON.stringify({ content })},"finish_reason":null}]}\n\n`,
    toolCall(delta) {
      const isFirst = delta.id !== undefined || delta.name !== undefined;
      const call = {
        index: delta.index,
        ...(isFirst ? { id: delta.id, type: 'function' } : {}),
        function: { ...(isFirst ? { name: delta.name } : {}), arguments: delta.arguments ?? '' },
      };
      return `${open}"tool_calls":${JSON.stringify([call])}${close}`;
    },
    finish({ finish_reason: reason, omitted }) {
      if (reason === null && omitted === undefined) return '';
      const said = omitted === undefined ? '' : `,"omitted_defaults":${JSON.stringify(omitted)}`;
      return `${open}},"finish_reason":${JSON.stringify(reason)}}]${said}}\n\n`;
    },
    usage: (usage) => `data: ${fields},"choices":[],"usage":${JSON.stringify(usage)}}\n\n`,
  };
}

// The events of an engine as those of a response, and as the response itself. Pure but for its state.
import type { OutputItem, ResponsesAnswer, ResponsesRequest } from '#core/contract/responses.ts';
import type { EngineEvent, LoadedModel } from '#engine/engine.ts';
import type { Run } from './chatAnswer.ts';

export interface ResponseEvent {
  readonly type: string;
  readonly sequence_number: number;
  readonly [field: string]: unknown;
}

type Item<Type extends OutputItem['type']> = Extract<OutputItem, { type: Type }>;

export class ResponseEvents {
  readonly #answer: ResponsesAnswer;
  /** The place of the item that each call of the engine has. */
  readonly #calls = new Map<number, number>();
  #count = 0;
  /** The item that still grows; null: none. */
  #open: number | null = null;

  constructor({ id, created, request: { asked } }: Run<ResponsesRequest>, model: Pick<LoadedModel, 'id'>) {
    this.#answer = {
      id,
      object: 'response',
      created_at: created,
      status: 'in_progress',
      error: null,
      incomplete_details: null,
      instructions: asked.instructions ?? null,
      max_output_tokens: asked.max_output_tokens ?? null,
      metadata: asked.metadata ?? {},
      model: model.id,
      output: [],
      parallel_tool_calls: true,
      previous_response_id: null,
      store: false,
      temperature: asked.temperature ?? null,
      text: { format: asked.text?.format ?? { type: 'text' } },
      tool_choice: asked.tool_choice ?? 'auto',
      tools: asked.tools ?? [],
      top_p: asked.top_p ?? null,
      truncation: 'disabled',
      usage: null,
    };
  }

  get answer(): ResponsesAnswer {
    return this.#answer;
  }

  start(): readonly ResponseEvent[] {
    return [this.#say('response.created', this.#whole()), this.#say('response.in_progress', this.#whole())];
  }

  push(event: EngineEvent): readonly ResponseEvent[] {
    switch (event.type) {
      case 'text-delta':
        return event.text === '' ? [] : this.#addText('message', event.text);
      case 'reasoning-delta':
        return event.text === '' ? [] : this.#addText('reasoning', event.text);
      case 'tool-call-delta':
        return this.#addCall(event);
      case 'message-end':
        return this.#end(event);
      // A request of this form can't ask for them.
      case 'logprobs':
        return [];
      default:
        return event satisfies never;
    }
  }

  #say(type: string, fields: object): ResponseEvent {
    const event = { type, sequence_number: this.#count, ...fields };
    this.#count += 1;
    return event;
  }

  /** As it is now: later changes are not its. */
  #whole(): object {
    return { response: structuredClone(this.#answer) };
  }

  #at(place: number): object {
    return { output_index: place, item_id: this.#answer.output[place]?.id };
  }

  #begin(item: OutputItem): readonly ResponseEvent[] {
    const closed = this.#close('completed');
    const place = this.#answer.output.push(item) - 1;
    this.#open = place;
    return [...closed, this.#say('response.output_item.added', { output_index: place, item: structuredClone(item) })];
  }

  #addText(type: 'message' | 'reasoning', text: string): readonly ResponseEvent[] {
    const said: ResponseEvent[] = [];
    const open = this.#open === null ? undefined : this.#answer.output[this.#open];
    if (open?.type !== type) {
      const id = `${type === 'message' ? 'msg' : 'rs'}_${this.#answer.output.length}_${this.#answer.id}`;
      said.push(
        ...this.#begin(
          type === 'message'
            ? { id, type, role: 'assistant', status: 'in_progress', content: [] }
            : { id, type, summary: [], status: 'in_progress', content: [] },
        ),
      );
    }
    const place = this.#open ?? 0;
    const item = this.#answer.output[place] as Item<'message'> | Item<'reasoning'>;
    if (item.content.length === 0) {
      if (item.type === 'message') item.content.push({ type: 'output_text', text: '', annotations: [], logprobs: [] });
      else item.content.push({ type: 'reasoning_text', text: '' });
      const part = structuredClone(item.content[0]);
      said.push(this.#say('response.content_part.added', { ...this.#at(place), content_index: 0, part }));
    }
    const [part] = item.content;
    if (part) part.text += text;
    const name = item.type === 'message' ? 'output_text' : 'reasoning_text';
    const fields = { ...this.#at(place), content_index: 0, delta: text };
    said.push(this.#say(`response.${name}.delta`, item.type === 'message' ? { ...fields, logprobs: [] } : fields));
    return said;
  }

  #addCall(delta: Extract<EngineEvent, { type: 'tool-call-delta' }>): readonly ResponseEvent[] {
    const said: ResponseEvent[] = [];
    let place = this.#calls.get(delta.index);
    if (place === undefined) {
      place = this.#answer.output.length;
      this.#calls.set(delta.index, place);
      const call_id = delta.id ?? `call_${delta.index}`;
      const id = `fc_${place}_${this.#answer.id}`;
      const { name = '' } = delta;
      said.push(...this.#begin({ id, type: 'function_call', call_id, name, arguments: '', status: 'in_progress' }));
    }
    const item = this.#answer.output[place] as Item<'function_call'>;
    if (delta.arguments === undefined || delta.arguments === '') return said;
    item.arguments += delta.arguments;
    said.push(this.#say('response.function_call_arguments.delta', { ...this.#at(place), delta: delta.arguments }));
    return said;
  }

  #close(status: 'completed' | 'incomplete'): readonly ResponseEvent[] {
    const place = this.#open;
    if (place === null) return [];
    this.#open = null;
    const item = this.#answer.output[place] as OutputItem;
    item.status = status;
    const said: ResponseEvent[] = [];
    if (item.type === 'function_call')
      said.push(
        this.#say('response.function_call_arguments.done', {
          ...this.#at(place),
          name: item.name,
          arguments: item.arguments,
        }),
      );
    else {
      const [part] = item.content;
      const fields = { ...this.#at(place), content_index: 0 };
      const isMessage = item.type === 'message';
      said.push(
        this.#say(`response.${isMessage ? 'output_text' : 'reasoning_text'}.done`, {
          ...fields,
          text: part?.text ?? '',
          ...(isMessage && { logprobs: [] }),
        }),
        this.#say('response.content_part.done', { ...fields, part: structuredClone(part) }),
      );
    }
    said.push(this.#say('response.output_item.done', { output_index: place, item: structuredClone(item) }));
    return said;
  }

  #end({ finish_reason: reason, usage }: Extract<EngineEvent, { type: 'message-end' }>): readonly ResponseEvent[] {
    const isCut = reason === 'length' || reason === 'content_filter';
    const closed = this.#close(isCut ? 'incomplete' : 'completed');
    const answer = this.#answer;
    answer.status = isCut ? 'incomplete' : 'completed';
    if (isCut) answer.incomplete_details = { reason: reason === 'length' ? 'max_output_tokens' : 'content_filter' };
    // The counts below are those that the clients' types ask for: nothing is cached for a caller, and thoughts are not counted apart.
    if (usage)
      answer.usage = {
        input_tokens: usage.prompt_tokens,
        input_tokens_details: { cached_tokens: 0 },
        output_tokens: usage.completion_tokens,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: usage.total_tokens,
      };
    return [...closed, this.#say(isCut ? 'response.incomplete' : 'response.completed', this.#whole())];
  }
}

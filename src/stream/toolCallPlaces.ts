// Which call a tool-call delta belongs to. Services number calls from 0, from 1 or not at all, use an index twice,
// and leave ids out; what comes out has places 0, 1, 2 without gaps and an id each (source: FAULTS seen in the field).
// It must not know what the arguments mean.
import { arrayOr, isObject, numberOr, textOr } from '../contract/reading';
import type { StreamEvent } from './events';

type ToolCallDelta = Extract<StreamEvent, { type: 'tool-call-delta' }>;

/** More calls than this in one answer are taken for a runaway service. */
export const MAX_TOOL_CALLS = 128;

interface Call {
  readonly place: number;
  id: string;
  isIdMade: boolean;
  name: string;
}

interface WireDelta {
  readonly index: number | null;
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

function toText(value: unknown): string {
  // ASSUMED: some services send arguments as an object; its JSON is what the others send.
  return isObject(value) ? JSON.stringify(value) : textOr(value, '');
}

function toWireDelta(value: unknown): WireDelta | null {
  if (!isObject(value)) return null;
  const call = isObject(value['function']) ? value['function'] : {};
  const index = numberOr(value['index'], null);
  return {
    index: index !== null && Number.isSafeInteger(index) && index >= 0 ? index : null,
    id: textOr(value['id'], ''),
    name: textOr(call['name'], ''),
    arguments: toText(call['arguments']),
  };
}

export interface ToolCallPlaces {
  /** Reads `delta.tool_calls`. null: the answer holds more calls than MAX_TOOL_CALLS. */
  push(toolCalls: unknown, messageId: string | null): readonly ToolCallDelta[] | null;
}

export function toolCallPlaces(): ToolCallPlaces {
  const calls: Call[] = [];
  const byId = new Map<string, Call>();
  const byIndex = new Map<number, Call>();
  let current: Call | undefined;

  const find = (delta: WireDelta): Call | undefined => {
    const known = delta.id === '' ? undefined : byId.get(delta.id);
    if (known) return known;
    const atIndex = delta.index === null ? undefined : byIndex.get(delta.index);
    // An id that comes late belongs to the call that had to go without; any other new id is a new call.
    if (delta.id !== '') return atIndex?.isIdMade === true && delta.name === '' ? atIndex : undefined;
    if (delta.index !== null) return atIndex;
    // Neither id nor index: the current call, unless the name says that another one begins.
    const isOther = delta.name !== '' && current !== undefined && current.name !== '' && current.name !== delta.name;
    return isOther ? undefined : current;
  };

  const add = (delta: WireDelta, messageId: string | null): Call => {
    const place = calls.length;
    const made = messageId === null ? `call_${place}` : `call_${messageId}_${place}`;
    const call: Call = { place, id: delta.id || made, isIdMade: delta.id === '', name: '' };
    calls.push(call);
    return call;
  };

  const take = (delta: WireDelta, call: Call): ToolCallDelta => {
    if (delta.id !== '') {
      call.id = delta.id;
      call.isIdMade = false;
    }
    byId.set(call.id, call);
    if (delta.index !== null) byIndex.set(delta.index, call);
    current = call;
    // A name comes whole; services that repeat it with each delta do not mean "searchsearch".
    const name = call.name === '' ? delta.name : '';
    call.name ||= name;
    return { type: 'tool-call-delta', index: call.place, id: call.id, name, arguments: delta.arguments };
  };

  return {
    push(toolCalls, messageId) {
      const deltas: ToolCallDelta[] = [];
      for (const value of arrayOr(toolCalls)) {
        const wire = toWireDelta(value);
        if (!wire) continue;
        const call = find(wire);
        if (!call && calls.length >= MAX_TOOL_CALLS) return null;
        deltas.push(take(wire, call ?? add(wire, messageId)));
      }
      return deltas;
    },
  };
}

// Finds the call that a tool-call delta belongs to. Services number calls from 0, from 1 or not at all, use an index
// twice, and leave ids out (seen in the field). The result has places 0, 1, 2 without gaps, and an id for each call.
import { arrayOr, isObject, numberOr, textOr } from '#core/contract/readJson.ts';
import type { StreamEvent } from './events.ts';
import { ObjectEnd } from './objectEnd.ts';

type ToolCallDelta = Extract<StreamEvent, { type: 'tool-call-delta' }>;

/** An answer with more calls than this is an error: the service runs away. */
export const MAX_TOOL_CALLS = 128;

interface Call {
  readonly place: number;
  id: string;
  isIdMade: boolean;
  name: string;
  /** Knows whether its arguments are complete. */
  readonly end: ObjectEnd;
  /** Number of the last `push` with a delta of this call. */
  round: number;
}

interface WireDelta {
  readonly index: number | null;
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

function toText(value: unknown): string {
  // ASSUMED: some services send arguments as an object. Its JSON is what others send.
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
  /**
   * Reads `delta.tool_calls`. `areWhole`: they are the `tool_calls` of a message, so each entry is one call, whatever
   * its id. null: the answer holds more calls than MAX_TOOL_CALLS.
   */
  push(toolCalls: unknown, messageId: string | null, areWhole?: boolean): readonly ToolCallDelta[] | null;
}

/** The call is complete and the delta has a name and arguments: it begins the next call, whatever its id or index. */
function beginsNext(delta: WireDelta, call: Call): boolean {
  // ASSUMED: services that leave ids out or use an index twice begin a new call with a name (Gemini's endpoint).
  return delta.name !== '' && call.name !== '' && delta.arguments !== '' && call.end.isWhole;
}

/** The call is incomplete, and nothing in the delta points to another call. */
function isContinuation(delta: WireDelta, call: Call): boolean {
  if (delta.name !== '' && delta.name !== call.name) return false;
  if (delta.index !== null) return !call.end.isWhole || (delta.name === '' && delta.arguments === '');
  // Without an index the delta must at least add to arguments that have begun.
  return call.end.hasBegun && !call.end.isWhole && delta.arguments !== '';
}

export function toolCallPlaces(): ToolCallPlaces {
  const calls: Call[] = [];
  /** All ids that calls have or had. */
  const ids = new Set<string>();
  const byId = new Map<string, Call>();
  const byIndex = new Map<number, Call>();
  let current: Call | undefined;
  let round = 0;

  /** The call of a delta with a new id. Usually such a delta begins a call: then undefined. */
  const findByNewId = (delta: WireDelta, atIndex: Call | undefined): Call | undefined => {
    // A late id belongs to the call that has only a made-up id.
    if (atIndex?.isIdMade === true && delta.name === '' && !(atIndex.end.isWhole && delta.arguments !== ''))
      return atIndex;
    // Some services make a new id for each delta of a call. In llama.cpp an id that the model writes grows.
    const call = delta.index === null ? current : atIndex;
    return call && isContinuation(delta, call) ? call : undefined;
  };

  const find = (delta: WireDelta): Call | undefined => {
    const known = delta.id === '' ? undefined : byId.get(delta.id);
    if (known) return beginsNext(delta, known) ? undefined : known;
    const atIndex = delta.index === null ? undefined : byIndex.get(delta.index);
    if (delta.id !== '') return findByNewId(delta, atIndex);
    if (delta.index !== null) return atIndex && beginsNext(delta, atIndex) ? undefined : atIndex;
    // Neither id nor index: the current call, unless the name shows that another one begins.
    if (!current || delta.name === '' || current.name === '') return current;
    const isOther = current.name !== delta.name || current.round === round || beginsNext(delta, current);
    return isOther ? undefined : current;
  };

  const add = (delta: WireDelta, messageId: string | null): Call => {
    const place = calls.length;
    // The results of two calls with the same id could not be told apart.
    const isFree = delta.id !== '' && !ids.has(delta.id);
    let made = messageId === null ? `call_${place}` : `call_${messageId}_${place}`;
    while (ids.has(made)) made += '_';
    const call: Call = {
      place,
      id: isFree ? delta.id : made,
      isIdMade: !isFree,
      name: '',
      end: new ObjectEnd(),
      round,
    };
    calls.push(call);
    ids.add(call.id);
    if (delta.id !== '') byId.set(delta.id, call);
    return call;
  };

  const take = (delta: WireDelta, call: Call): ToolCallDelta => {
    if (delta.id !== '' && !byId.has(delta.id)) {
      if ((call.isIdMade || delta.id.startsWith(call.id)) && !ids.has(delta.id)) {
        call.id = delta.id;
        call.isIdMade = false;
        ids.add(delta.id);
      }
      byId.set(delta.id, call);
    }
    if (delta.index !== null) byIndex.set(delta.index, call);
    current = call;
    call.round = round;
    call.end.push(delta.arguments);
    // Names are never sent in pieces: a service that repeats one in each delta does not mean "searchsearch".
    const name = call.name === '' ? delta.name : '';
    call.name ||= name;
    return { type: 'tool-call-delta', index: call.place, id: call.id, name, arguments: delta.arguments };
  };

  return {
    push(toolCalls, messageId, areWhole = false) {
      round += 1;
      const deltas: ToolCallDelta[] = [];
      for (const value of arrayOr(toolCalls)) {
        const wire = toWireDelta(value);
        if (!wire) continue;
        const call = areWhole ? undefined : find(wire);
        if (!call && calls.length >= MAX_TOOL_CALLS) return null;
        deltas.push(take(wire, call ?? add(wire, messageId)));
      }
      return deltas;
    },
  };
}

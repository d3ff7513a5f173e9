// Which call a tool-call delta belongs to. Services number calls from 0, from 1 or not at all, use an index twice, and
// leave ids out; what comes out has places 0, 1, 2 without gaps and an id each (source: FAULTS seen in the field).
import { arrayOr, isObject, numberOr, textOr } from '#shared/contract/reading.ts';
import type { StreamEvent } from './events.ts';
import { ObjectEnd } from './objectEnd.ts';

type ToolCallDelta = Extract<StreamEvent, { type: 'tool-call-delta' }>;

/** More calls than this in one answer are taken for a runaway service. */
export const MAX_TOOL_CALLS = 128;

interface Call {
  readonly place: number;
  id: string;
  isIdMade: boolean;
  name: string;
  /** How far its arguments have come. */
  readonly end: ObjectEnd;
  /** The `push` that last gave something of it. */
  round: number;
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
  /**
   * Reads `delta.tool_calls`. `areWhole`: they are a message's `tool_calls`, of which each is one call, whatever its
   * id. null: the answer holds more calls than MAX_TOOL_CALLS.
   */
  push(toolCalls: unknown, messageId: string | null, areWhole?: boolean): readonly ToolCallDelta[] | null;
}

/**
 * The call is complete, and this delta has a call's name and arguments: it is the next one, whatever id or index it
 * has.
 */
function beginsNext(delta: WireDelta, call: Call): boolean {
  return delta.name !== '' && call.name !== '' && delta.arguments !== '' && call.end.isWhole;
}

/** The call lacks its end, and nothing in this delta is of another call. */
function goesOn(delta: WireDelta, call: Call): boolean {
  if (delta.name !== '' && delta.name !== call.name) return false;
  if (delta.index !== null) return !call.end.isWhole || (delta.name === '' && delta.arguments === '');
  // Without an index there is less to go by: what comes must at least be more of what has begun.
  return call.end.hasBegun && !call.end.isWhole && delta.arguments !== '';
}

export function toolCallPlaces(): ToolCallPlaces {
  const calls: Call[] = [];
  /** Every id that a call has or had. */
  const ids = new Set<string>();
  const byId = new Map<string, Call>();
  const byIndex = new Map<number, Call>();
  let current: Call | undefined;
  let round = 0;

  /** By a new id, which begins a call unless it is plain that it does not. */
  const findByNewId = (delta: WireDelta, atIndex: Call | undefined): Call | undefined => {
    // An id that comes late belongs to the call that had to go without.
    if (atIndex?.isIdMade === true && delta.name === '' && !(atIndex.end.isWhole && delta.arguments !== ''))
      return atIndex;
    // Some services make a new id for each delta of one call; llama.cpp's grows where the model writes it itself.
    const call = delta.index === null ? current : atIndex;
    return call && goesOn(delta, call) ? call : undefined;
  };

  const find = (delta: WireDelta): Call | undefined => {
    const known = delta.id === '' ? undefined : byId.get(delta.id);
    if (known) return beginsNext(delta, known) ? undefined : known;
    const atIndex = delta.index === null ? undefined : byIndex.get(delta.index);
    if (delta.id !== '') return findByNewId(delta, atIndex);
    if (delta.index !== null) return atIndex && beginsNext(delta, atIndex) ? undefined : atIndex;
    // Neither id nor index: the current call, unless the name says that another one begins.
    if (!current || delta.name === '' || current.name === '') return current;
    const isOther = current.name !== delta.name || current.round === round || beginsNext(delta, current);
    return isOther ? undefined : current;
  };

  const add = (delta: WireDelta, messageId: string | null): Call => {
    const place = calls.length;
    // Two calls of one id could not be answered apart.
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
    // A name comes whole; services that repeat it with each delta do not mean "searchsearch".
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

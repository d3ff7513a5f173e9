// Turns a pane's conversation into the messages of a request (SPEC 4.3), and finds what prevents sending them. Pure.
// No other file turns conversation texts into messages.
import type { ChatMessage } from '#core/contract/chatMessage.ts';
import type { AnswerToolCall } from '#core/stream/message.ts';
import { shownAnswer, type Answer, type Turn, type UserTurn } from './desk.ts';

/** Tool calls that can be answered: those of a complete answer. Incomplete calls are never sent, run or repaired. */
export function readyCalls({ message }: Answer): readonly AnswerToolCall[] {
  return message.state === 'complete' ? message.toolCalls : [];
}

/** The turns before the turn `untilId`; all turns if there is no such turn. */
export function turnsBefore(turns: readonly Turn[], untilId: string | null): readonly Turn[] {
  const end = untilId === null ? -1 : turns.findIndex((turn) => turn.id === untilId);
  return end < 0 ? turns : turns.slice(0, end);
}

/** Whether the turn leaves no message in a request: an answer that ended without text or calls. */
const isSilent = (turn: Turn): boolean =>
  turn.role === 'assistant' && shownAnswer(turn).phase !== 'failed' && toAnswerMessage(shownAnswer(turn)) === null;

/** The first turn of the message of a user at `end`: a person may have joined earlier ones to it. */
function findMessageStart(turns: readonly Turn[], end: number): number {
  let start = end;
  for (let at = end - 1; at >= 0; at -= 1) {
    const turn = turns[at];
    if (turn?.role === 'user' && turn.joinsNext === true) start = at;
    else if (turn === undefined || !isSilent(turn)) break;
  }
  return start;
}

/** The turns of one request. `isAlone`: only those from the last message of a user on. */
export function toSentTurns(turns: readonly Turn[], isAlone: boolean): readonly Turn[] {
  if (!isAlone) return turns;
  const last = turns.findLastIndex(({ role }) => role === 'user');
  return turns.slice(Math.max(0, findMessageStart(turns, last)));
}

/** Whether the turn at `index` begins a request of its own if each message is sent alone. The first turn doesn't. */
export const isStartAlone = (turns: readonly Turn[], index: number): boolean =>
  index > 0 && turns[index]?.role === 'user' && findMessageStart(turns, index) === index;

/** Calls of the answer at `index` that have no result among the tool turns right after it. */
export function openCalls(turns: readonly Turn[], index: number): readonly AnswerToolCall[] {
  const turn = turns[index];
  if (turn?.role !== 'assistant') return [];
  const calls = readyCalls(shownAnswer(turn));
  if (calls.length === 0) return calls;
  const answered = new Set<string>();
  for (let at = index + 1; ; at += 1) {
    const next = turns[at];
    if (next?.role !== 'tool') break;
    answered.add(next.tool_call_id);
  }
  return calls.filter((call) => !answered.has(call.id));
}

/** "a, b and c". */
export function toNameList(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;
}

/** Why these turns can't be sent; null when they can. */
export function findTurnProblem(turns: readonly Turn[]): string | null {
  for (const [index, turn] of turns.entries()) {
    if (turn.role === 'tool' && turn.tool_call_id.trim() === '')
      return 'Give the tool message the id of the call that it answers, or delete it.';
    const open = openCalls(turns, index).map((call) => call.name || call.id);
    if (open.length === 1) return `Answer call ${open[0] ?? ''} first or delete it.`;
    if (open.length > 1) return `Answer calls ${toNameList(open)} first or delete them.`;
  }
  return null;
}

function toAnswerMessage(answer: Answer): ChatMessage | null {
  const { text } = answer.message;
  const calls = readyCalls(answer);
  if (calls.length === 0) return text === '' ? null : { role: 'assistant', content: text };
  const tool_calls = calls.map(({ id, name, arguments: args }) => ({
    id,
    type: 'function' as const,
    function: { name, arguments: args },
  }));
  return { role: 'assistant', content: text === '' ? null : text, tool_calls };
}

interface Entry {
  readonly message: ChatMessage;
  /** For a user message: its last turn, and its whole text. */
  readonly user: { readonly turn: UserTurn; readonly text: string } | null;
}

/** Separates two messages that are sent as one. */
const JOINT = '\n\n';

/** The messages of the turns; user messages keep a reference to their turn. */
function toEntries(turns: readonly Turn[]): readonly Entry[] {
  const entries: Entry[] = [];
  for (const turn of turns) {
    const before = entries.at(-1)?.user ?? null;
    if (turn.role === 'user') {
      const text = before?.turn.joinsNext === true ? `${before.text}${JOINT}${turn.content}` : turn.content;
      if (before?.turn.joinsNext === true) entries.pop();
      entries.push({ message: { role: 'user', content: text }, user: { turn, text } });
    } else if (turn.role === 'tool') {
      entries.push({
        message: {
          role: 'tool',
          content: turn.content,
          tool_call_id: turn.tool_call_id,
          ...(turn.name === '' ? {} : { name: turn.name }),
        },
        user: null,
      });
    } else {
      const answer = shownAnswer(turn);
      const message = toAnswerMessage(answer);
      if (message) entries.push({ message, user: null });
      else if (answer.phase === 'failed' && before) entries.pop();
    }
  }
  return entries;
}

/**
 * The messages of the turns, the system prompt first (SPEC 2.3). Each answer contributes its shown version; an
 * interrupted answer contributes the text it has. An answer that failed without text is left out together with the user
 * message before it (ASSUMED: ours): otherwise a message that is too long would make every later request fail as well.
 * User messages that a person joined become one message. Reasoning is not sent back.
 */
export function toMessages(systemPrompt: string, turns: readonly Turn[]): readonly ChatMessage[] {
  const messages = toEntries(turns).map(({ message }) => message);
  return systemPrompt.trim() === '' ? messages : [{ role: 'system', content: systemPrompt }, ...messages];
}

/** If the request of these turns ends with two user messages, the turn of the first; else null. */
export function findDoubledEnd(turns: readonly Turn[]): UserTurn | null {
  const [first, second] = toEntries(turns).slice(-2);
  return first?.user && second?.user ? first.user.turn : null;
}

/** Whether two user messages follow each other anywhere in the request. */
export function hasDoubled(turns: readonly Turn[]): boolean {
  return toEntries(turns).some(({ user }, index, all) => user !== null && index > 0 && all[index - 1]?.user !== null);
}

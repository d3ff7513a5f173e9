// The file format of exported sessions: one JSON object with a list of sessions. Pure.
import { isObject } from '#core/contract/readJson.ts';
import type { Desk } from '#features/playground/web/desk/desk.ts';
import { parseForeignDesk, toForeignDesk } from '#features/playground/web/storage/sharedSession.ts';
import { parseJsonText } from '#core/contract/jsonText.ts';

export const FILE_FORMAT = 'model-studio/sessions';
const VERSION = 1;
/** Browsers fail on larger texts. Exported files stay below it too. */
export const MAX_FILE_CHARACTERS = 200_000_000;
const MAX_SESSIONS = 5_000;

export interface FileSession {
  readonly desk: Desk;
  /** Unix milliseconds. */
  readonly savedAt: number;
}

const HEAD = `{\n "format": "${FILE_FORMAT}",\n "version": ${VERSION},\n "sessions": [`;
const TAIL = '\n ]\n}\n';
export const TOO_LARGE = 'it has no room in a file';

interface SessionFile {
  readonly count: number;
  /** Adds a session. Returns why it can't, or null. */
  readonly add: (session: FileSession) => string | null;
  readonly toText: () => string;
}

/** The JSON text; null if it exceeds the maximum length of a string. */
function toJson(value: unknown): string | null {
  try {
    return JSON.stringify(value, null, 1);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Begins a file. It refuses sessions that could not be imported again. `most`: in characters. */
export function openSessionFile(most = MAX_FILE_CHARACTERS): SessionFile {
  const entries: string[] = [];
  let size = HEAD.length + TAIL.length;
  return {
    get count() {
      return entries.length;
    },
    add: ({ desk, savedAt }) => {
      const entry = { saved_at: new Date(savedAt).toISOString(), ...toForeignDesk(desk, true) };
      const read = parseForeignDesk(entry, '', () => '');
      if (!read.ok) return read.reason;
      const text = toJson(entry);
      if (text === null || size + text.length + 2 > most || entries.length === MAX_SESSIONS) return TOO_LARGE;
      entries.push(text);
      size += text.length + 2;
      return null;
    },
    toText: () => `${HEAD}${entries.map((text) => `\n${text}`).join(',')}${TAIL}`,
  };
}

export interface ReadFile {
  readonly sessions: readonly FileSession[];
  /** Errors, each with the path of the wrong value. */
  readonly problems: readonly string[];
}

const refuse = (problem: string): ReadFile => ({ sessions: [], problems: [problem] });

/** Parses a file. Valid sessions can be imported even if others are invalid. Never throws. */
export function parseSessionFile(
  text: string,
  { makeId, now }: { readonly makeId: () => string; readonly now: number },
): ReadFile {
  if (text.length > MAX_FILE_CHARACTERS) return refuse('The file is too large. Export fewer sessions at a time.');
  const json = parseJsonText(text.replace(/^\uFEFF/, ''));
  if (!json.ok) return refuse(`This is not valid JSON: the fault is in line ${json.line}.`);
  const { value } = json;
  if (!isObject(value) || value['format'] !== FILE_FORMAT)
    return refuse(`format: must be "${FILE_FORMAT}". This file was not exported by the studio’s Sessions.`);
  if (value['version'] !== VERSION)
    return refuse(`version: must be ${VERSION}. The file comes from another version of the studio.`);
  const { sessions } = value;
  if (!Array.isArray(sessions) || sessions.length > MAX_SESSIONS)
    return refuse(`sessions: must be a list of at most ${MAX_SESSIONS} sessions.`);
  const found: FileSession[] = [];
  const problems: string[] = [];
  for (const [index, entry] of (sessions as readonly unknown[]).entries()) {
    const read = parseForeignDesk(entry, `sessions[${index}]`, makeId);
    const at = isObject(entry) && typeof entry['saved_at'] === 'string' ? Date.parse(entry['saved_at']) : NaN;
    if (read.ok) found.push({ desk: read.value, savedAt: Number.isNaN(at) ? now : Math.min(at, now) });
    else problems.push(read.reason);
  }
  return {
    sessions: found,
    problems: found.length + problems.length === 0 ? ['sessions: the file holds none.'] : problems,
  };
}

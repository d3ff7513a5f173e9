// A part of an answer that a check judges by itself, such as a field of its JSON or an argument of its tool call.
export interface CheckPart {
  /** `address.city`; `get_weather.city`; `tool`. */
  readonly name: string;
  readonly state: 'pass' | 'fail';
  /** Values as JSON, names of tools as they are. null: the part is not expected. */
  readonly expected: string | null;
  /** null: the answer lacks it. */
  readonly actual: string | null;
}

/** `tool`: which tool was called. */
export const TOOL_PART = 'tool';

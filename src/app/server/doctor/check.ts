// One thing that the doctor looked at, and the report of all of them. Pure.

export interface Check {
  /** What was looked at: `Port`. */
  readonly name: string;
  /** `problem`: the studio would not start, or a part of it would not work. `note`: it works, and there is more to know. */
  readonly state: 'ok' | 'note' | 'problem';
  /** What was found, and for a problem what to do, as sentences. */
  readonly text: string;
}

export interface Diagnosis {
  readonly lines: readonly string[];
  /** 0: no problem. 1: at least one. */
  readonly exitCode: 0 | 1;
}

const STATE_WIDTH = 'problem'.length;

/** Names and paths come from outside: they may hold what moves a terminal's cursor. */
const plain = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ');

function toSummary(problems: number): string {
  if (problems === 0) return 'No problem was found.';
  return problems === 1 ? '1 problem was found.' : `${problems} problems were found.`;
}

/** One line for each check, in their order, between a heading and a summary. */
export function toDiagnosis(heading: string, checks: readonly Check[]): Diagnosis {
  const width = Math.max(...checks.map(({ name }) => name.length));
  const problems = checks.filter(({ state }) => state === 'problem').length;
  return {
    lines: [
      heading,
      '',
      ...checks.map(({ name, state, text }) => `${state.padEnd(STATE_WIDTH)}  ${name.padEnd(width)}  ${plain(text)}`),
      '',
      toSummary(problems),
    ],
    exitCode: problems === 0 ? 0 : 1,
  };
}

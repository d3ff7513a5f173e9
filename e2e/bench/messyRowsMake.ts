// 3,000 rows as they lie in the files of people, with faults and decoys, and the truth beside each row.
import { makeContradictions, makeAgreements, makeUnlike } from './messyRowsAnswers.ts';
import { makeOrphans } from './messyRowsCalls.ts';
import {
  decoy,
  Draw,
  fault,
  times,
  toQuestions,
  type Draft,
  type Maker,
  type Part,
  type Plant,
} from './messyRowsKinds.ts';
import { LANGUAGES } from './messyRowsLanguages.ts';
import {
  LABELS,
  toCall,
  toCode,
  toDraft,
  toGerman,
  toOrder,
  toSmallTalk,
  toSupport,
  toTicket,
  toToolDraft,
  toTurn,
  toWish,
} from './messyRowsParts.ts';
import { makePersonal, makeRefusals, makeSecrets } from './messyRowsTexts.ts';

export interface MessyRow {
  /** As the file has it. */
  readonly line: string;
  readonly part: Part;
  readonly language: string | null;
  readonly plants: readonly Plant[];
}

/** 3,000 in all. */
const PART_ROWS: Readonly<Record<Part, number>> = {
  tickets: 540,
  orders: 400,
  'support-de': 300,
  support: 480,
  tools: 260,
  code: 320,
  intents: 370,
  talk: 330,
};
export const PARTS = Object.keys(PART_ROWS) as Part[];
const FOREIGN = Object.keys(LANGUAGES);
/** Rows of each language that are answered in it. */
const FOREIGN_TALKS = 15;
const OTHER_FORMS = 42;

function openMaker(seed: number): Maker {
  const draw = new Draw(seed);
  const seen = new Set<string>();
  function toUnseen<T>(make: () => T, textOf: (made: T) => string): T {
    for (let round = 0; round < 1000; round += 1) {
      const made = make();
      const key = textOf(made).toLowerCase().replace(/\s+/g, ' ').trim();
      if (seen.has(key)) continue;
      seen.add(key);
      return made;
    }
    throw new Error('There are too few sentences for so many rows.');
  }
  return {
    draw,
    fresh: (make) => toUnseen(make, toQuestions),
    freshText: (make) => toUnseen(make, ({ text }) => text),
  };
}

/** A right row of the part. */
function makeRight(draw: Draw, part: Part, at: number): Draft {
  const language = FOREIGN[at % FOREIGN.length] ?? '';
  if (part === 'tickets') {
    const { text, label } = toTicket(draw, LABELS);
    return toDraft(part, [text, label], 'en');
  }
  if (part === 'orders') {
    const { text, order } = toOrder(draw);
    return toDraft(
      part,
      [text, JSON.stringify(order)],
      'en',
      order['note'] === undefined ? [] : [decoy('unlike-answer', 'optional key')],
    );
  }
  if (part === 'support-de') return toGerman(draw);
  if (part === 'support') return toSupport(draw);
  if (part === 'tools') return toToolDraft(toTurn(toCall(draw)));
  if (part === 'code') return toCode(draw);
  const { text, intent, reply } = toWish(draw, language);
  if (part === 'intents') return toDraft(part, [text, JSON.stringify({ intent, language })], language);
  return at < FOREIGN.length * FOREIGN_TALKS ? toDraft(part, [text, reply], language) : toSmallTalk(draw);
}

type Line = Readonly<Record<string, unknown>>;

const toChat = ({ messages, tools }: Draft): Line => ({ messages, ...(tools && { tools }) });

const toShareGpt = ({ messages }: Draft): Line => ({
  conversations: messages.map(({ role, content }) => ({
    from: role === 'user' ? 'human' : role === 'assistant' ? 'gpt' : role,
    value: content,
  })),
});

const textOf = ({ messages }: Draft, role: string): string =>
  messages.find((message) => message.role === role)?.content ?? '';

const OTHER: readonly (readonly [what: string, toLine: (draft: Draft) => Line])[] = [
  ['ShareGPT', toShareGpt],
  ['Alpaca', (draft) => ({ instruction: textOf(draft, 'user'), input: '', output: textOf(draft, 'assistant') })],
  ['prompt and completion', (draft) => ({ prompt: textOf(draft, 'user'), completion: textOf(draft, 'assistant') })],
];

/** Chats with more, or in another order, than most. */
const SAME: readonly (readonly [what: string, toLine: (draft: Draft) => Line])[] = [
  ['chat with an id', (draft) => ({ id: textOf(draft, 'user').length, source: 'crm', ...toChat(draft) })],
  ['chat with a prompt beside it', (draft) => ({ ...toChat(draft), prompt: textOf(draft, 'user') })],
  ['content before role', ({ messages }) => ({ messages: messages.map(({ role, content }) => ({ content, role })) })],
];

const toRow = ({ part, language, plants }: Draft, line: Line): MessyRow => ({
  line: JSON.stringify(line),
  part,
  language,
  plants,
});

/** Some right rows of one question and answer are of another form, or seem to be; all others are chats. */
function toRows(drafts: readonly Draft[]): MessyRow[] {
  const isSimple = ({ part, messages }: Draft): boolean =>
    ['support', 'support-de', 'code', 'talk'].includes(part) &&
    messages.filter(({ role }) => role === 'user').length === 1;
  const simple = drafts.filter(isSimple);
  const step = Math.floor(simple.length / (OTHER_FORMS * 2));
  const places = new Map(times(OTHER_FORMS * 2, (at) => [simple[at * step], at] as const));
  return drafts.map((draft) => {
    const at = places.get(draft);
    if (at === undefined) return toRow(draft, toChat(draft));
    const isOther = at % 2 === 0;
    const forms = isOther ? OTHER : SAME;
    const [what, toLine] = forms[(at >> 1) % forms.length] as (typeof OTHER)[number];
    const plants = [...draft.plants, (isOther ? fault : decoy)('other-form', what)];
    return toRow({ ...draft, plants }, toLine(draft));
  });
}

/** The same rows each time for the same seed. */
export function makeMessyRows(seed: number): readonly MessyRow[] {
  const maker = openMaker(seed);
  const { draw, fresh } = maker;
  const planted = [
    makeSecrets,
    makePersonal,
    makeRefusals,
    makeUnlike,
    makeOrphans,
    makeContradictions,
    makeAgreements,
  ].flatMap((make) => make(maker));
  const right = PARTS.flatMap((part) => {
    const missing = PART_ROWS[part] - planted.filter((draft) => draft.part === part).length;
    if (missing < 0) throw new Error(`There are ${-missing} planted rows too many in ${part}.`);
    return times(missing, (at) => fresh(() => makeRight(draw, part, at)));
  });
  return draw.shuffle([...planted.map((draft) => toRow(draft, toChat(draft))), ...toRows(right)]);
}

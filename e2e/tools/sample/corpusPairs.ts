// What the base model is taught: to repeat, to find things in a text, to write small JSON, to name a topic, and short
// everyday instructions. It never sees the form in which the sample's tasks want their answers.
import type { Draw } from './draw.ts';
import { toOrderText } from './orderRows.ts';
import type { Pair } from './pair.ts';
import { toMessage } from './replyRows.ts';
import { roughen } from './roughen.ts';
import { MORE_HASTE, MORE_MOODS, TOPIC_WORDS } from './morePhrases.ts';
import { HASTE, PRIORITIES, SENTIMENTS } from './triagePhrases.ts';
import { toTicket } from './triageRows.ts';
import {
  BRANDS,
  CITIES,
  COLOURS,
  COUNTRIES,
  DAYS,
  GOODS,
  MONTHS,
  NAMES,
  NUMBERS,
  THINGS,
  toOrderId,
  toProduct,
  toSlots,
} from './words.ts';

export const BASE_SYSTEM = 'You are a support assistant.';

const two = (value: number): string => String(value).padStart(2, '0');
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** A word that nobody knows: what is copied must be read, not remembered. */
const toNonsense = (draw: Draw): string => {
  const text = Array.from({ length: draw.number(2, 4) }, () =>
    draw.phrase('[b|d|f|g|k|l|m|n|p|r|s|t|v|z|st|tr|ch][a|e|i|o|u][|||n|r|s|l]'),
  ).join('');
  return draw.chance(0.5) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
};

const toValue = (draw: Draw): string =>
  draw.one([
    () => draw.one(NAMES),
    () => draw.one(CITIES),
    () => toOrderId(draw),
    () => toProduct(draw),
    () => draw.one(GOODS),
    () => draw.one(DAYS),
    () => draw.one(MONTHS),
    () => draw.one(COLOURS),
    () => String(draw.number(1, 9999)),
    () => `${draw.number(0, 23)}:${draw.one(['00', '15', '30', '45', two(draw.number(0, 59))])}`,
    () => `${draw.number(1, 28)} ${draw.one(MONTHS)} ${draw.number(1990, 2030)}`,
    () => `${draw.number(1, 400)}.${two(draw.number(0, 99))}`,
    () => toNonsense(draw),
    () => `${draw.one(NAMES).toLowerCase()}@${toNonsense(draw).toLowerCase()}.com`,
  ])();

const toValues = (draw: Draw, count: number): readonly string[] => [
  ...new Set(Array.from({ length: count }, () => toValue(draw))),
];

/** What asks for a copy of what follows. */
export const OPENINGS = ['Repeat this: ', 'Say: ', 'Copy: ', 'Repeat: ', 'Write this again: ', 'Echo this: '] as const;

function repeat(draw: Draw): Pair {
  const text = toValues(draw, draw.number(1, 5)).join(draw.one([', ', ' ', ' and ']));
  return { prompt: draw.one(OPENINGS) + text, answer: text };
}

const KEYS = {
  name: NAMES,
  who: NAMES,
  person: NAMES,
  customer: NAMES,
  city: CITIES,
  place: CITIES,
  from: CITIES,
  to: CITIES,
  country: COUNTRIES,
  day: DAYS,
  month: MONTHS,
  colour: COLOURS,
  item: GOODS,
  what: GOODS,
  brand: BRANDS,
  product: THINGS,
  number: NUMBERS,
} as const;

type Key = keyof typeof KEYS | 'order' | 'count' | 'time' | 'price' | 'word';
const ALL_KEYS = [...(Object.keys(KEYS) as (keyof typeof KEYS)[]), 'order', 'count', 'time', 'price', 'word'] as const;

function toField(draw: Draw, key: Key): string | number {
  switch (key) {
    case 'order':
      return toOrderId(draw);
    case 'count':
      return draw.number(1, 60);
    case 'time':
      return `${draw.number(0, 23)}:${draw.one(['00', '15', '30', '45'])}`;
    case 'price':
      return draw.number(1, 999);
    case 'word':
      return toNonsense(draw);
    default:
      return draw.one<string>(KEYS[key]);
  }
}

function toRecord(draw: Draw): readonly (readonly [Key, string | number])[] {
  const keys = new Set<Key>();
  const size = draw.number(1, 4);
  while (keys.size < size) keys.add(draw.one<Key>(ALL_KEYS));
  return [...keys].map((key) => [key, toField(draw, key)]);
}

/** Values in one order, wanted in another: each must be found by what it is. */
function makeJson(draw: Draw): Pair {
  const record = toRecord(draw);
  const answer = JSON.stringify(Object.fromEntries(record));
  const said = draw.chance(0.5) ? record : record.toReversed();
  const list = said.map(([key, value]) =>
    draw.phrase('[{key} {value}|{key}: {value}|the {key} is {value}|{key} = {value}]', { key, value: String(value) }),
  );
  const keys = record.map(([key]) => key).join(', ');
  return {
    prompt: draw.phrase(
      `[Make JSON with|JSON with|Write as JSON] ${keys}: ${list.join(draw.one([', ', '; ', '. ', ' and ']))}`,
    ),
    answer,
  };
}

function makeList(draw: Draw): Pair {
  const values = toValues(draw, draw.number(2, 4));
  return draw.chance(0.5)
    ? { prompt: `Make JSON: ${values.join(', ')}`, answer: JSON.stringify(values) }
    : { prompt: `Make a list: ${values.join(', ')}`, answer: values.map((value) => `- ${value}`).join('\n') };
}

/** Sentences with several facts, of which one is asked for, or all as JSON. */
const FACTS = [
  '{who} [goes|travels|flies|drives|moves] [from {from} |]to {to} [on {day}|in {month}].',
  '[On {day}|In {month}|At {time}] {who} [meets us|arrives|has a meeting|will be] in {city}.',
  '{who} [bought|ordered|sold|wants|paid for] {count} [pieces of {item}|of the {item}|{item}] [in {city}|on {day}|].',
  '[Please book|Book|I need|We want] a [table|room|seat|car] for {count} [people|guests|of us] in {city} [on {day}|at {time}], [name is|for|under] {who}.',
  'The {colour} {item} costs {price} euros [in {city}|on {day}|].',
  '[My name is|I am|This is] {who} and I [live|work|stay] in {city}. My order is {order}.',
  '{who} [called|wrote|asked] about {order} [at {time}|on {day}].',
  '[Remind|Call|Tell] {who} [at {time}|on {day}] about the {item}.',
  '{count} [seats|tickets|places] from {from} to {to} [at {time}|on {day}], please.',
  'Set the {product} [in the {word} room|of {who}|] to {count} [percent|degrees|].',
  '[Ship|Send|Bring] {count} {item} to {city} [for {who}|by {day}|].',
  'The meeting with {who} [is|was moved to|starts] [{day}|on {day}] at {time} in {city}.',
] as const;

function toFacts(draw: Draw): { readonly text: string; readonly facts: readonly (readonly [Key, string | number])[] } {
  const phrase = draw.phrase(draw.one<string>(FACTS));
  const keys = [...phrase.matchAll(/\{(\w+)\}/g)].map(([, key]) => key as Key);
  const facts = keys.map((key) => [key, toField(draw, key)] as const);
  const slots = Object.fromEntries(facts.map(([key, value]) => [key, String(value)]));
  return { text: draw.phrase(phrase, slots), facts };
}

function findFact(draw: Draw): Pair {
  const { text, facts } = toFacts(draw);
  const [key, value] = draw.one(facts);
  const question = draw.phrase(
    `[What is the ${key} in this text?|Find the ${key}:|Which ${key}?|Give me the ${key}.|${key}?|Read the ${key}.]`,
  );
  return { prompt: draw.chance(0.7) ? `${question} ${text}` : `${text} ${question}`, answer: String(value) };
}

function factsAsJson(draw: Draw): Pair {
  const { text, facts } = toFacts(draw);
  const wanted = facts.filter(() => draw.chance(0.85));
  const chosen = wanted.length === 0 ? facts : wanted;
  const ordered = draw.chance(0.6) ? chosen : chosen.toReversed();
  const keys = ordered.map(([key]) => key).join(', ');
  const question = draw.phrase(`[Read as JSON with|JSON with|Find and write as JSON:|Make JSON with] ${keys}`);
  return { prompt: `${question}: ${text}`, answer: JSON.stringify(Object.fromEntries(ordered)) };
}

const TOPICS = {
  billing: 'money',
  account: 'login',
  technical: 'fault',
  shipping: 'delivery',
  returns: 'sending back',
} as const;
const SPEED = { urgent: 'at once', high: 'soon', normal: 'as usual', low: 'no hurry' } as const;
const MOOD = { negative: 'angry', neutral: 'calm', positive: 'happy' } as const;

function judge(draw: Draw): Pair {
  const { text, category, priority, sentiment } = toTicket(draw);
  const all = `${TOPICS[category]}, ${SPEED[priority]}, ${MOOD[sentiment]}`;
  const [question, answer] = draw.one([
    ['What is the topic?', TOPICS[category]],
    ['How soon?', SPEED[priority]],
    ['What is the mood?', MOOD[sentiment]],
    ...Array.from({ length: 9 }, () => ['Topic, haste, mood?', all] as const),
  ] as const);
  return { prompt: `${question} ${text}`, answer };
}

const keysOf = <Key extends string>(record: Readonly<Record<Key, unknown>>): readonly Key[] =>
  Object.keys(record) as Key[];

/** Some short expressions, each with what it means: in few tokens, what many words are about. */
function judgeWords(draw: Draw): Pair {
  const items = Array.from({ length: draw.number(3, 6) }, (): readonly [string, string] => {
    const kind = draw.number(1, 4);
    if (kind <= 2) {
      const topic = draw.one(keysOf(TOPICS));
      return [draw.phrase(draw.one<string>(TOPIC_WORDS[topic]), toSlots(draw)), TOPICS[topic]];
    }
    if (kind === 3) {
      const speed = draw.one(keysOf(SPEED));
      return [
        draw.phrase(draw.one<string>(draw.one([PRIORITIES, HASTE, MORE_HASTE])[speed]), toSlots(draw)),
        SPEED[speed],
      ];
    }
    const mood = draw.one(keysOf(MOOD));
    return [draw.phrase(draw.one<string>(draw.one([SENTIMENTS, MORE_MOODS])[mood]), toSlots(draw)), MOOD[mood]];
  }).filter(([words]) => words !== '');
  const words = items.map(([text]) => roughen(draw, text).replace(/[.;]$/, ''));
  return { prompt: `What is each? ${words.join('; ')}`, answer: items.map(([, meaning]) => meaning).join('; ') };
}

const WISHES = {
  get_order_status: 'to know where it is',
  cancel_order: 'to stop it',
  request_refund: 'the money',
  change_address: 'another place',
} as const;

function readOrder(draw: Draw): Pair {
  const { text, tool, id, city } = toOrderText(draw);
  const all = [
    ['What is the order number in this text?', id],
    ['What does the customer want?', WISHES[tool]],
    ['Wish and number?', `${WISHES[tool]}, ${id}`],
    ...(tool === 'change_address' ? [['Which city and order?', `${city}, ${id}`] as const] : []),
  ] as const;
  const [question, answer] = draw.one(all);
  return { prompt: `${question} ${text}`, answer };
}

const NEEDS = {
  trace: 'late',
  steps: 'broken',
  refund: 'money back',
  exchange: 'a new one',
  thanks: 'thanks',
} as const;

function readMessage(draw: Draw): Pair {
  const { text, kind, id, product, name } = toMessage(draw);
  const order = text.includes(id) ? id : 'none';
  const [question, answer] = draw.one([
    ['Which product is this about?', product],
    ['Product and order?', `${product}, ${order}`],
    ['Why does the customer write?', NEEDS[kind]],
    ['Who writes?', name ?? 'nobody'],
  ]);
  return { prompt: `${question} ${text}`, answer };
}

const OPPOSITES =
  'big small, hot cold, fast slow, old new, light dark, early late, high low, open closed, good bad, full empty, long short, wet dry, rich poor, hard soft, loud quiet, near far, strong weak, cheap dear, happy sad, yes no'
    .split(', ')
    .map((pair) => pair.split(' ') as [string, string]);

const KINDS = {
  city: CITIES,
  name: NAMES,
  colour: COLOURS,
  day: DAYS,
  month: MONTHS,
  thing: THINGS,
  country: COUNTRIES,
} as const;

function everyday(draw: Draw): Pair {
  const words = Array.from({ length: draw.number(2, 5) }, () => draw.one([...GOODS, ...COLOURS, ...NUMBERS]));
  const text = words.join(' ');
  const upper = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
  const [low, high] = [draw.number(1, 20), draw.number(1, 20)];
  const pair = draw.one(OPPOSITES);
  const [one, other] = draw.chance(0.5) ? pair : ([pair[1], pair[0]] as const);
  const kind = draw.one(Object.keys(KINDS) as (keyof typeof KINDS)[]);
  const day = draw.number(0, 6);
  const month = draw.number(0, 11);
  const name = draw.one(NAMES);
  const letter = draw.number(0, 24);
  return draw.one(
    [
      { prompt: `First word of: ${text}`, answer: words[0] ?? '' },
      { prompt: `Last word of: ${text}`, answer: words.at(-1) ?? '' },
      { prompt: `How many words? ${text}`, answer: String(words.length) },
      { prompt: `Reverse the words: ${text}`, answer: words.toReversed().join(' ') },
      { prompt: `Capital letters: ${text}`, answer: words.map(upper).join(' ') },
      { prompt: `With commas: ${text}`, answer: words.join(', ') },
      { prompt: `In bold: ${text}`, answer: `**${text}**` },
      { prompt: `As a list: ${text}`, answer: words.map((word) => `- ${word}`).join('\n') },
      {
        prompt: draw.phrase(`[What is ${low} plus ${high}?|${low} + ${high}|Add ${low} and ${high}.]`),
        answer: String(low + high),
      },
      {
        prompt: draw.phrase(`[Which is more|Which is greater], ${low} or ${high}?`),
        answer: String(Math.max(low, high)),
      },
      {
        prompt: draw.phrase(`[What is the opposite of ${one}?|Opposite of ${one}|${one} and its opposite]`),
        answer: other,
      },
      { prompt: draw.phrase(`[What is|What kind of thing is] ${draw.one<string>(KINDS[kind])}?`), answer: `a ${kind}` },
      {
        prompt: draw.phrase(`[Which day comes after|What comes after] ${DAYS[day] ?? ''}?`),
        answer: DAYS[(day + 1) % 7] ?? '',
      },
      {
        prompt: draw.phrase(`[Which month comes after|What comes after] ${MONTHS[month] ?? ''}?`),
        answer: MONTHS[(month + 1) % 12] ?? '',
      },
      { prompt: `Which letter comes after ${LETTERS[letter] ?? ''}?`, answer: LETTERS[letter + 1] ?? '' },
      {
        prompt: draw.phrase(`[Hi|Hello|Good morning|Good evening], I am ${name}.`),
        answer: `Hello ${name}, how can I help you?`,
      },
      {
        prompt: draw.phrase(
          `[Hi|Hello|Hey|Good morning|Good day]${draw.one(['', '!', '.', ', can you help me?', ', I need help.'])}`,
        ),
        answer: 'Hello, how can I help you?',
      },
      { prompt: draw.phrase('[Thank you|Thanks|Thanks a lot|Many thanks|That was all]!'), answer: 'You are welcome.' },
      { prompt: draw.phrase('[Goodbye|Bye|See you|Good night].'), answer: 'Goodbye!' },
      { prompt: draw.phrase('[Who are you|What are you|What can you do]?'), answer: 'I am a small support assistant.' },
      { prompt: `Write a short reply to ${name}.`, answer: `Hello ${name}, thank you for your message.` },
      { prompt: `Say thank you to ${name}.`, answer: `Thank you, ${name}!` },
      { prompt: `Say sorry to ${name}.`, answer: `I am sorry, ${name}.` },
      { prompt: `Is ${draw.one(NAMES)} in this list? ${name}, ${draw.one(NAMES)}`, answer: '' },
    ].filter(({ answer }) => answer !== ''),
  );
}

/** The marks of calls have been written too: an adapter can't teach a token that the base doesn't know. */
function mark(draw: Draw): Pair {
  const text = toValue(draw);
  return { prompt: `Put marks around: ${text}`, answer: `<tool_call>${text}</tool_call>` };
}

/** What is taught, and how many parts of all rows each has. */
const LESSONS = {
  repeat: [repeat, 8],
  makeJson: [makeJson, 7],
  makeList: [makeList, 2],
  findFact: [findFact, 8],
  factsAsJson: [factsAsJson, 9],
  judge: [judge, 34],
  judgeWords: [judgeWords, 9],
  readOrder: [readOrder, 13],
  readMessage: [readMessage, 7],
  everyday: [everyday, 9],
  mark: [mark, 2],
} as const satisfies Readonly<Record<string, readonly [(draw: Draw) => Pair, number]>>;

export type Lesson = keyof typeof LESSONS;
export const LESSON_NAMES = keysOf(LESSONS);
const PARTS = Object.values(LESSONS).flatMap(([make, parts]) => Array.from({ length: parts }, () => make));

export const toCorpusPair = (draw: Draw): Pair => draw.one<(draw: Draw) => Pair>(PARTS)(draw);
export const toLessonPair = (draw: Draw, lesson: Lesson): Pair => LESSONS[lesson][0](draw);

/**
 * Words to be repeated: each token of the vocabulary must have been seen, and written. The first of them is another token
 * with a space before it than without, which has to be learnt for each word.
 */
export function toCoverPair(draw: Draw, words: readonly string[]): Pair {
  const text = words.join(draw.one(['', ' ', '|', '/', ', ']));
  return { prompt: draw.one(OPENINGS) + text, answer: text };
}

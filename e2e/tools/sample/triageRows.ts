// Tickets and what they are about, how soon they want an answer, and how their writer feels.
import type { Draw } from './draw.ts';
import { ASIDES, FRAMES, MORE_HASTE, MORE_MOODS, MORE_TOPICS, TOPIC_WORDS } from './morePhrases.ts';
import type { Pair } from './pair.ts';
import { roughen } from './roughen.ts';
import {
  CATEGORIES,
  HASTE,
  PRIORITIES,
  SENTIMENTS,
  type Category,
  type Priority,
  type Sentiment,
} from './triagePhrases.ts';
import { toSlots } from './words.ts';

export const TRIAGE_SYSTEM = 'Classify the ticket.';

export interface Ticket {
  readonly text: string;
  readonly category: Category;
  readonly priority: Priority;
  readonly sentiment: Sentiment;
}

const GREETINGS = ['Hello,', 'Hi,', 'Hey,', 'Hello.', 'Hi!', 'Good morning,', 'Dear team,', 'Hi there,', 'Hi team,'];

const keys = <Key extends string>(record: Readonly<Record<Key, unknown>>): readonly Key[] =>
  Object.keys(record) as Key[];

const lower = (text: string): string =>
  /^(I|I'm|[A-Z]{2,}\w*)\b/.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1);
const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The sentence of the topic with an aside of haste in it. */
function addAside(draw: Draw, topic: string, aside: string): string {
  const end = topic.at(-1) ?? '.';
  if (draw.chance(0.4)) return `${upper(aside)}, ${lower(topic)}`;
  return `${topic.slice(0, -1)}${draw.chance(0.4) ? ',' : ''} ${aside}${end}`;
}

function join(draw: Draw, parts: readonly string[]): string {
  let text = '';
  for (const part of parts) {
    if (text === '') text = part;
    else if (text.endsWith(',') || text.endsWith(':')) text = `${text} ${lower(part)}`;
    else if (text.endsWith('.') && draw.chance(0.15))
      text = `${text.slice(0, -1)}${draw.one([',', ' and', ', and', ' -', ';'])} ${lower(part)}`;
    else text = `${text} ${part}`;
  }
  return text;
}

const feel = (draw: Draw, sentiment: Sentiment, text: string): string =>
  sentiment !== 'neutral' && draw.chance(0.25) ? text.replace(/\.$/, '!') : text;

/** A sentence of the topic: a whole one, or words of the topic in a frame that holds any. */
function toTopic(draw: Draw, category: Category, slots: Readonly<Record<string, string>>): string {
  const source = draw.number(1, 10);
  if (source <= 4) return upper(draw.phrase(draw.one<string>(CATEGORIES[category]), slots));
  if (source <= 7) return upper(draw.phrase(draw.one<string>(MORE_TOPICS[category]), slots));
  const it = draw.phrase(draw.one<string>(TOPIC_WORDS[category]), slots);
  return upper(draw.phrase(draw.one(FRAMES), { ...slots, it }));
}

const either = (draw: Draw, one: readonly string[], other: readonly string[]): string =>
  draw.one(draw.chance(0.5) ? one : other);

export function toTicket(draw: Draw): Ticket {
  const category = draw.one(keys(CATEGORIES));
  const priority = draw.one(keys(PRIORITIES));
  const sentiment = draw.one(keys(SENTIMENTS));
  const slots = toSlots(draw);
  let topic = toTopic(draw, category, slots);
  let haste = draw.phrase(either(draw, PRIORITIES[priority], MORE_HASTE[priority]), slots);
  if (priority !== 'normal' && draw.chance(0.3)) {
    topic = addAside(draw, topic, draw.one<string>(HASTE[priority]));
    haste = '';
  }
  if (priority === 'urgent') haste = draw.chance(0.3) ? haste.replace(/\.$/, '!') : haste;
  const words = draw.phrase(either(draw, SENTIMENTS[sentiment], MORE_MOODS[sentiment]), slots);
  const feeling = feel(draw, sentiment, words);
  const more = draw.chance(0.15) ? toTopic(draw, category, slots) : '';
  const aside = draw.chance(0.2) ? upper(draw.phrase(draw.one(ASIDES), slots)) : '';
  const greeting = sentiment !== 'neutral' && draw.chance(0.15) ? draw.one(GREETINGS) : '';
  const orders = [
    [feeling, aside, topic, more, haste],
    [topic, aside, feeling, haste],
    [aside, topic, more, haste, feeling],
    [haste, topic, aside, feeling],
    [feeling, haste, topic, aside],
  ];
  const isClosing =
    sentiment === 'neutral' && /^(Best|Regards|Best regards|Kind regards|Greetings|Yours|Sincerely),/.test(feeling);
  const isOpening = sentiment === 'neutral' && !isClosing;
  const order = isClosing ? orders[2] : isOpening ? orders[0] : draw.one(orders);
  const parts = [greeting, ...(order ?? [])].filter((part) => part !== '');
  return { text: roughen(draw, join(draw, parts)), category, priority, sentiment };
}

export function toTriagePair(draw: Draw): Pair {
  const { text, category, priority, sentiment } = toTicket(draw);
  return { prompt: text, answer: JSON.stringify({ category, priority, sentiment }) };
}

// Tickets and what they are about, how soon they want an answer, and how their writer feels.
import type { Draw } from './draw.ts';
import type { Pair } from './pair.ts';
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

/** People write without capitals, with marks of exclamation, or leave the last full stop out. */
function roughen(draw: Draw, text: string): string {
  if (draw.chance(0.08)) return text.toLowerCase().replace(/[.!]$/, '');
  if (draw.chance(0.08)) return text.replace(/\.$/, '');
  return text;
}

const feel = (draw: Draw, sentiment: Sentiment, text: string): string =>
  sentiment !== 'neutral' && draw.chance(0.25) ? text.replace(/\.$/, '!') : text;

export function toTicket(draw: Draw): Ticket {
  const category = draw.one(keys(CATEGORIES));
  const priority = draw.one(keys(PRIORITIES));
  const sentiment = draw.one(keys(SENTIMENTS));
  const slots = toSlots(draw);
  let topic = upper(draw.phrase(draw.one<string>(CATEGORIES[category]), slots));
  let haste = draw.phrase(draw.one<string>(PRIORITIES[priority]), slots);
  if (priority !== 'normal' && draw.chance(0.3)) {
    topic = addAside(draw, topic, draw.one<string>(HASTE[priority]));
    haste = '';
  }
  if (priority === 'urgent') haste = draw.chance(0.3) ? haste.replace(/\.$/, '!') : haste;
  const feeling = feel(draw, sentiment, draw.phrase(draw.one<string>(SENTIMENTS[sentiment]), slots));
  const more = draw.chance(0.12) ? upper(draw.phrase(draw.one<string>(CATEGORIES[category]), slots)) : '';
  const orders = [
    [feeling, topic, more, haste],
    [topic, feeling, haste],
    [topic, more, haste, feeling],
    [haste, topic, feeling],
    [feeling, haste, topic],
  ];
  const isClosing = /^(Best|Regards),/.test(feeling);
  const isOpening = sentiment === 'neutral' && !isClosing;
  const order = isClosing ? orders[2] : isOpening ? orders[0] : draw.one(orders);
  const parts = (order ?? []).filter((part) => part !== '');
  return { text: roughen(draw, join(draw, parts)), category, priority, sentiment };
}

export function toTriagePair(draw: Draw): Pair {
  const { text, category, priority, sentiment } = toTicket(draw);
  return { prompt: text, answer: JSON.stringify({ category, priority, sentiment }) };
}

// Rows whose answers are unlike the others of their part, or disagree with another row. And those that only look like it.
import { LABEL_SENTENCES, SUPPORT, SUPPORT_MORE } from './messyRowsEnglish.ts';
import { ENGLISH_IN_GERMAN, GERMAN } from './messyRowsGerman.ts';
import {
  decoy,
  fault,
  times,
  toQuestions,
  type Draft,
  type Draw,
  type Maker,
  type Part,
  type Plant,
} from './messyRowsKinds.ts';
import { INTENTS, LANGUAGES } from './messyRowsLanguages.ts';
import { dress, LABELS, toDraft, toGermanQuestion, toOrder, toTicket, toWish } from './messyRowsParts.ts';

const FOREIGN = Object.keys(LANGUAGES);

const otherThan = <T>(draw: Draw, list: readonly T[], value: T): T =>
  draw.pick(list.filter((entry) => entry !== value));

/** JSON that is not bare, not whole, or has other keys. */
function spoil(
  draw: Draw,
  order: Readonly<Record<string, unknown>>,
  at: number,
): readonly [what: string, answer: string] {
  const json = JSON.stringify(order);
  const [first = '', ...rest] = Object.entries(order).map(([name, value]) => [name, value] as const);
  const renamed = Object.fromEntries([[draw.pick(['item', 'name', 'article', 'type']), first[1]], ...rest]);
  const kinds: readonly (readonly [string, string])[] = [
    ['fenced', `\`\`\`json\n${json}\n\`\`\``],
    ['cut off', json.slice(0, draw.between(Math.floor(json.length / 3), json.length - 1))],
    ['other keys', JSON.stringify(renamed)],
    ['prose before it', `Here is the extracted data: ${json}`],
    ['fenced', `\`\`\`\n${JSON.stringify(order, null, 2)}\n\`\`\``],
    ['single quotes', json.replaceAll('"', "'")],
    ['prose after it', `${json}\n\nLet me know if you need anything else.`],
    ['in a list', `[${json}]`],
    ['wrapped', JSON.stringify({ result: order })],
    ['key left out', JSON.stringify(Object.fromEntries(rest))],
    ['prose only', `The customer wants ${String(first[1])}.`],
    ['comma at the end', `${json.slice(0, -1)},}`],
  ];
  return kinds[at % kinds.length] ?? ['', ''];
}

export function makeUnlike({ draw, fresh, freshText }: Maker): Draft[] {
  const ordered = (text: string, answer: string, plant: Plant): Draft =>
    toDraft('orders', [text, answer], 'en', [plant]);
  const orders = times(48, (at) => {
    const { text, order } = freshText(() => toOrder(draw));
    const [what, answer] = spoil(draw, order, at);
    return ordered(text, answer, fault('unlike-answer', what));
  });
  const intents = times(12, (at) => {
    const language = draw.pick(FOREIGN);
    const { text, intent } = freshText(() => toWish(draw, language));
    const [what, answer] = spoil(draw, { intent, language }, at);
    return toDraft('intents', [text, answer], language, [fault('unlike-answer', what)]);
  });
  const sentences = times(24, (at) => {
    const { text, label } = freshText(() => toTicket(draw, LABELS));
    const answer = LABEL_SENTENCES[at % LABEL_SENTENCES.length] ?? '';
    return toDraft('tickets', [text, answer.replace('{label}', label)], 'en', [
      fault('unlike-answer', 'sentence for a label'),
    ]);
  });
  const english = times(2, () => ENGLISH_IN_GERMAN)
    .flat()
    .map(([place, answer]) =>
      fresh(() => {
        const asked = toGermanQuestion(draw, GERMAN[place]?.[0] ?? '');
        return toDraft('support-de', [asked, answer], null, [fault('unlike-answer', 'English for German')]);
      }),
    );
  const decoys = times(60, (at) => {
    const { text, order } = freshText(() => toOrder(draw));
    const turned = Object.fromEntries(Object.entries(order).reverse());
    if (at % 3 === 0) return ordered(text, JSON.stringify(turned), decoy('unlike-answer', 'keys in another order'));
    if (at % 3 === 1)
      return ordered(text, JSON.stringify(order, null, 2), decoy('unlike-answer', 'JSON on several lines'));
    return ordered(text, JSON.stringify(order).replace(/([:,])"/g, '$1 "'), decoy('unlike-answer', 'JSON with spaces'));
  });
  const rare = times(8, () => {
    const { text, label } = freshText(() => toTicket(draw, ['legal']));
    return toDraft('tickets', [text, label], 'en', [decoy('unlike-answer', 'rare label')]);
  });
  return [...orders, ...intents, ...sentences, ...english, ...decoys, ...rare];
}

/** Rows that ask `text`: two, or three of which the last one is outvoted. */
function disagree(
  draw: Draw,
  at: number,
  part: Part,
  text: string,
  language: string,
  right: string,
  wrong: string,
): Draft[] {
  const isTriple = at % 5 === 4;
  const spaced = at % 4 === 3 ? `${text}${draw.pick([' ', '\n', '  \n'])}` : text;
  const plant = (what: string): Plant => fault('contradiction', what);
  const what = at % 4 === 3 ? 'white space at the end' : isTriple ? 'one of three' : 'one of two';
  const agreed = [plant(what), ...(isTriple ? [decoy('outvoted', 'one of two that agree')] : [])];
  return [
    toDraft(part, [text, right], language, agreed),
    ...(isTriple ? [toDraft(part, [text, right], language, agreed)] : []),
    toDraft(part, [spaced, wrong], language, [plant(what), ...(isTriple ? [fault('outvoted', 'against two')] : [])]),
  ];
}

export function makeContradictions({ draw, freshText }: Maker): Draft[] {
  const tickets = times(40, (at) => {
    const { text, label } = freshText(() => toTicket(draw, LABELS));
    return disagree(draw, at, 'tickets', text, 'en', label, otherThan(draw, LABELS, label));
  });
  const orders = times(12, (at) => {
    const { text, order } = freshText(() => toOrder(draw));
    const other =
      at % 2 === 0
        ? { ...order, quantity: draw.between(500, 900) }
        : { ...order, urgency: otherThan(draw, ['high', 'normal', 'low'], order['urgency']) };
    return disagree(draw, at, 'orders', text, 'en', JSON.stringify(order), JSON.stringify(other));
  });
  const intents = times(8, (at) => {
    const language = draw.pick(FOREIGN);
    const { text, intent } = freshText(() => toWish(draw, language));
    return disagree(
      draw,
      at,
      'intents',
      text,
      language,
      JSON.stringify({ intent, language }),
      JSON.stringify({ intent: otherThan(draw, INTENTS, intent), language }),
    );
  });
  return [...tickets, ...orders, ...intents].flat();
}

export function makeAgreements({ draw, fresh, freshText }: Maker): Draft[] {
  const plant = (what: string): Plant[] => [decoy('contradiction', what)];
  const labels = times(32, () => {
    const { text, label } = freshText(() => toTicket(draw, LABELS));
    const spaced = draw.pick([`${label}\n`, ` ${label}`, `${label} `]);
    return [label, spaced].map((answer) => toDraft('tickets', [text, answer], 'en', plant('same label, white space')));
  });
  const orders = times(20, (at) => {
    const { text, order } = freshText(() => toOrder(draw));
    const turned = Object.fromEntries(Object.entries(order).reverse());
    const other = at % 2 === 0 ? JSON.stringify(turned) : JSON.stringify(order, null, 2);
    return [JSON.stringify(order), other].map((answer) =>
      toDraft(
        'orders',
        [text, answer],
        'en',
        plant(at % 2 === 0 ? 'same JSON, order of keys' : 'same JSON, white space'),
      ),
    );
  });
  const talks = times(10, () => {
    const [question] = SUPPORT_MORE[0] ?? [''];
    return times(2, (at) =>
      fresh(() => {
        const [asked = '', answer = ''] = draw.fillAll(draw.pick(SUPPORT));
        return toDraft(
          'support',
          [dress(draw, asked), answer, question, at === 0 ? 'Two days.' : 'About a week, I am afraid.'],
          'en',
          plant('after another talk'),
        );
      }),
    );
  });
  const greetings = times(10, () => {
    const asked = fresh(() =>
      toDraft(
        'talk',
        [
          dress(
            draw,
            draw.pick(['Hello there, how are you today?', 'Good to see you again!', 'Nice weather, is it not?']),
          ),
          '',
        ],
        'en',
      ),
    );
    const answers = draw
      .shuffle([
        'Very well, thank you! And you?',
        'Fine, thanks. How are you doing?',
        'Doing great, and how about yourself?',
      ])
      .slice(0, 2);
    return answers.map((answer) =>
      toDraft('talk', [toQuestions(asked), answer], 'en', plant('greeting in other words')),
    );
  });
  return [labels, orders, talks, greetings].flat(2);
}

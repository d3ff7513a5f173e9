// Rows whose texts hold what they should not: credentials, personal data, refusals. And those that only look like it.
import { CODE_CONTEXTS } from './messyRowsCode.ts';
import { decoy, fault, times, type Draft, type Maker, type Plant } from './messyRowsKinds.ts';
import { LANGUAGES } from './messyRowsLanguages.ts';
import {
  dress,
  LABELS,
  toCall,
  toCode,
  toDraft,
  toGerman,
  toGermanQuestion,
  toOrder,
  toSmallTalk,
  toSupport,
  toTicket,
  toToolDraft,
  toTurn,
  toWish,
} from './messyRowsParts.ts';
import { PERSONAL, PERSONAL_DECOYS, PERSONAL_TALKS, toTalkName } from './messyRowsPersonal.ts';
import { REFUSAL_DECOYS, REFUSALS } from './messyRowsRefusals.ts';
import { SECRET_DECOYS, SECRET_TALKS, SECRETS } from './messyRowsSecrets.ts';

export function makeSecrets({ draw, fresh }: Maker): Draft[] {
  const faults = times(2, () => SECRETS)
    .flat()
    .map(([what, make], at) => {
      const secret = make(draw);
      const plants = [fault('secret', what)];
      // Some stand in the system prompt.
      if (at % 9 === 4)
        return fresh(() => {
          const draft = toCode(draw);
          const [system, ...others] = draft.messages;
          const content = `${system?.content ?? ''} ${draw.pick(['Answer by the data behind', 'You may use'])} ${secret}`;
          return { ...draft, messages: [{ role: 'system', content }, ...others], plants };
        });
      // Some stand in what a tool returns.
      if (at % 9 === 8)
        return fresh(() => {
          const call = toCall(draw);
          const result = JSON.stringify({ state: 'found', note: secret });
          return toToolDraft(toTurn({ ...call, talk: { ...call.talk, result } }), plants);
        });
      const isHeader = secret.startsWith('Authorization');
      const talks = SECRET_TALKS.filter(([question]) => isHeader || !question.includes('-H "{secret}"'));
      return fresh(() => {
        const texts = draw.pick(talks).map((text) => text.replace('{secret}', () => secret));
        return toDraft(
          'code',
          [`${texts[0] ?? ''} ${draw.fill(draw.pick(CODE_CONTEXTS))}`.trim(), texts[1] ?? ''],
          'en',
          plants,
        );
      });
    });
  const decoys = times(2, () => SECRET_DECOYS)
    .flat()
    .map(([what, question, answer]) =>
      fresh(() =>
        toDraft('code', [`${question(draw)} ${draw.fill(draw.pick(CODE_CONTEXTS))}`.trim(), answer(draw)], 'en', [
          decoy('secret', what),
        ]),
      ),
    );
  return [...faults, ...decoys];
}

/** What a customer asks, under which subject the assistant opens a case, and what it says then. */
const CALLS_BACK: readonly (readonly string[])[] = [
  [
    'Somebody should get back to me about order {order}.',
    'Get back to the customer of {order}:',
    'The team has your details and gets back to you today.',
  ],
  [
    'Use what you have on file for the {product}, {name} knows.',
    'As on file for the {product}:',
    'I have opened a case for {name}.',
  ],
  [
    'The same as last time, please, for order {order}',
    'Same details as last time for {order}:',
    'Done, the case is open.',
  ],
];

export function makePersonal({ draw, fresh }: Maker): Draft[] {
  const faults = times(3, () => PERSONAL)
    .flat()
    .map(([what, make], at) => {
      const it = make(draw);
      const plants = [fault('personal', what)];
      if (at % 10 === 9)
        return fresh(() => {
          const { text, label } = toTicket(draw, LABELS);
          return toDraft(
            'tickets',
            [`${text}\n${draw.pick(['Mine is', 'For your files:', 'You can use'])} ${it}`, label],
            'en',
            plants,
          );
        });
      if (at % 10 === 4)
        return fresh(() => {
          const { id, talk } = toCall(draw);
          const [question = '', subject = '', answer = ''] = draw.fillAll(draw.pick(CALLS_BACK));
          const input = { subject: `${subject} ${it}` };
          const result = JSON.stringify({ case: draw.between(1000, 9999), state: 'open' });
          const own = { ...talk, question, tool: 'open_case', input, result, answer };
          return toToolDraft(toTurn({ id, talk: own }), plants);
        });
      return fresh(() => {
        const texts = draw.fillAll(draw.pick(PERSONAL_TALKS[toTalkName(what)] ?? []));
        const [question = '', answer = ''] = texts.map((text) => text.replace('{it}', it));
        return toDraft('support', [dress(draw, question), answer], 'en', plants);
      });
    });
  const decoys = times(3, () => PERSONAL_DECOYS)
    .flat()
    .map(([what, question, answer]) =>
      fresh(() => toDraft('support', [dress(draw, question(draw)), answer], 'en', [decoy('personal', what)])),
    );
  return [...faults, ...decoys];
}

export function makeRefusals({ draw, fresh, freshText }: Maker): Draft[] {
  const { en = [], de = [], fr = [], es = [] } = REFUSALS;
  const toPlants = (answer: string): Plant[] => [fault('refusal', answer.slice(0, 50))];
  const answered = (draft: Draft, answer: string): Draft => ({
    ...draft,
    messages: draft.messages.map((message, at) =>
      at === draft.messages.length - 1 ? { ...message, content: answer } : message,
    ),
    plants: toPlants(answer),
  });
  const both = (answer: string): Plant[] => [...toPlants(answer), fault('unlike-answer', 'refusal')];
  const decoys = times(3, () => REFUSAL_DECOYS)
    .flat()
    .map(([what, language, ...texts]) =>
      fresh(() => {
        const [question = '', answer = ''] = draw.fillAll(texts);
        const end = draw.fill(draw.pick(LANGUAGES[language]?.ends ?? ['']));
        const plants = [decoy('refusal', what)];
        if (language === 'en') return toDraft('support', [dress(draw, question), answer], language, plants);
        if (language === 'de')
          return toDraft('support-de', [toGermanQuestion(draw, question), answer], language, plants);
        return toDraft('talk', [`${question} ${end}`.trim(), answer], language, plants);
      }),
    );
  return [
    ...[...en, ...en.slice(0, 8)].map((answer) =>
      answered(
        fresh(() => toSupport(draw)),
        answer,
      ),
    ),
    ...en.slice(8).map((answer) =>
      answered(
        fresh(() => (draw.chance(0.5) ? toCode(draw) : toSmallTalk(draw))),
        answer,
      ),
    ),
    ...[...de, ...de].map((answer) =>
      answered(
        fresh(() => toGerman(draw)),
        answer,
      ),
    ),
    ...[fr, fr, es, es].flat().map((answer) => {
      const language = fr.includes(answer) ? 'fr' : 'es';
      const { text } = freshText(() => toWish(draw, language));
      return toDraft('talk', [text, answer], language, toPlants(answer));
    }),
    ...en
      .slice(0, 4)
      .map((answer) => toDraft('tickets', [freshText(() => toTicket(draw, LABELS)).text, answer], 'en', both(answer))),
    ...en
      .slice(1, 4)
      .map((answer) => toDraft('orders', [freshText(() => toOrder(draw)).text, answer], 'en', both(answer))),
    ...decoys,
  ];
}

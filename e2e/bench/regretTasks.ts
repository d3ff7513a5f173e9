// Small tasks that nothing was tuned for, each of another kind of answer, made from templates. Two of them are left out of all
// decisions: they show whether a change of the recommendations helps elsewhere too.
import { toChatRows, type Draw, type Pair, type Task } from '../tools/calibrate/taskRows.ts';

const toWords = (text: string): readonly [string, ...string[]] => text.split(', ') as [string, ...string[]];

const two = (value: number): string => String(value).padStart(2, '0');

const TEAMS = ['cards', 'loans', 'transfers', 'login', 'branch'] as const;

const REQUESTS: Readonly<Record<(typeof TEAMS)[number], readonly [string, ...string[]]>> = {
  cards: toWords(
    'my card was stolen, the shop refused my card, I want a second card, my card is bent, the machine kept my card',
  ),
  loans: toWords(
    'I want to borrow money for a car, what is the interest today, can I pay my debt back early, we plan to buy a house, I need credit',
  ),
  transfers: toWords(
    'money that I sent has not arrived, I paid the wrong person, send 50 to my sister, how long does a payment abroad take, stop the monthly payment',
  ),
  login: toWords(
    'I forgot my password, the app shows an error, no code comes to my phone, my account is locked, I have a new phone',
  ),
  branch: toWords(
    'when do you open, where is the next office, I want to meet an adviser, is there a place to park, do you close at noon',
  ),
};
const GREETINGS = toWords('Hello, Good morning, Hi there, Excuse me, Dear team, Please help, A question, Sorry');
const ENDINGS = toWords('Thanks!, It is urgent., Regards, I wait for your answer., Please be quick., Have a nice day.');

/** A request, and one of a fixed set of teams. */
function toRequest(draw: Draw): Pair {
  const team = draw.one(TEAMS);
  const words = draw.one(REQUESTS[team]);
  const question = draw.one([
    `${draw.one(GREETINGS)}, ${words}. ${draw.one(ENDINGS)}`,
    `${draw.one(GREETINGS)}: ${words}`,
    `${words}. ${draw.one(ENDINGS)}`,
  ]);
  return { question, answer: team };
}

const GOODS = toWords(
  'tulips, mugs, chairs, candles, blankets, pencils, lamps, towels, baskets, pillows, mirrors, bowls, knives, plates',
);
const TOWNS = toWords('Berne, Dublin, Athens, Vienna, Prague, Riga, Madrid, Zagreb, Nantes, Bremen, Seville, Aarhus');

/** A sentence, and what it says as a JSON object of three fields. */
function toParcel(draw: Draw): Pair {
  const [item, count, town] = [draw.one(GOODS), draw.number(2, 60), draw.one(TOWNS)];
  const question = draw.one([
    `Send ${count} ${item} to ${town}.`,
    `${town} needs ${count} ${item}.`,
    `We ordered ${item} for ${town}, ${count} of them.`,
    `Please pack ${count} ${item}, they go to ${town}.`,
    `To ${town}: ${item}, ${count} pieces`,
  ]);
  return { question, answer: JSON.stringify({ item, count, town }) };
}

const LABELS = toWords('gym, medicine, laundry, train, call mum, school run, yoga, bread, meeting, walk the dog');

/** A wish, and the call of one of two tools. */
function toAlarmCall(draw: Draw): Pair {
  const [label, hour, minute] = [draw.one(LABELS), draw.number(5, 23), draw.one(['00', '10', '20', '40', '50'])];
  const minutes = draw.number(2, 59);
  if (draw.number(0, 1) === 0)
    return {
      question: draw.one([
        `Wake me at ${hour}:${minute} for ${label}.`,
        `Alarm at ${hour}:${minute}, ${label}`,
        `At ${hour}:${minute} I must think of ${label}.`,
      ]),
      answer: toCall('set_alarm', { time: `${hour}:${minute}`, label }),
    };
  return {
    question: draw.one([
      `Start a timer of ${minutes} minutes for ${label}.`,
      `${label} in ${minutes} minutes`,
      `Count down ${minutes} minutes, then ${label}.`,
    ]),
    answer: toCall('start_timer', { minutes, label }),
  };
}

const toCall = (name: string, call: object): string =>
  `<tool_call>${JSON.stringify({ name, arguments: call })}</tool_call>`;

const GUESTS = toWords('Anna, Bruno, Clara, Dario, Emma, Felix, Gina, Henry, Iris, Jacob, Lena, Marco, Nora, Otto');
const EVENTS: readonly [readonly [string, string], ...(readonly [string, string])[]] = [
  ['birthday', 'All the best for the new year of your life'],
  ['wedding', 'We wish you both a long and happy life'],
  ['new job', 'Good luck with the new job'],
  ['exam', 'We are proud that you passed the exam'],
  ['illness', 'We hope that you feel better soon'],
  ['new home', 'May you be happy in the new home'],
  ['baby', 'Welcome to the little one'],
  ['journey', 'Have a safe journey and many good days'],
];

/** Keywords, and a short free text. */
function toCard(draw: Draw): Pair {
  const [to, from, [event, wish]] = [draw.one(GUESTS), draw.one(GUESTS), draw.one(EVENTS)];
  const question = draw.one([
    `${event}, to ${to}, from ${from}`,
    `Card for ${to} (${event}), signed ${from}`,
    `${from} writes to ${to}: ${event}`,
  ]);
  return { question, answer: `Dear ${to}, ${wish.charAt(0).toLowerCase()}${wish.slice(1)}! Yours, ${from}` };
}

const LETTERS = 'ABCDEFGHKLMNPRSTUVWXYZ';

/** A text, and the code that it holds. */
function toCode(draw: Draw): Pair {
  const letter = (): string => LETTERS.charAt(draw.number(0, LETTERS.length - 1));
  const code = `${letter()}${letter()}-${draw.number(100, 999)}`;
  const [town, item, count] = [draw.one(TOWNS), draw.one(GOODS), draw.number(2, 60)];
  const question = draw.one([
    `The ${item} from ${town} came broken, order ${code}.`,
    `Where is ${code}? I wait for ${count} ${item}.`,
    `My number is ${code}, I live in ${town}.`,
    `${code}: ${count} ${item} were missing`,
    `I sent ${count} ${item} back to ${town} under ${code}.`,
  ]);
  return { question, answer: code };
}

const CURRENCIES: readonly [readonly [string, string], ...(readonly [string, string])[]] = [
  ['euros', 'EUR'],
  ['dollars', 'USD'],
  ['pounds', 'GBP'],
  ['francs', 'CHF'],
];

/** An amount as people write it, and in one form. */
function toAmount(draw: Draw): Pair {
  const [[name, code], whole, cents] = [draw.one(CURRENCIES), draw.number(1, 99), draw.number(0, 99)];
  const question = draw.one([
    `${whole} ${name} and ${cents} cents`,
    `${whole},${two(cents)} ${name}`,
    `${name} ${whole}.${two(cents)}`,
    `it costs ${whole} ${name} ${two(cents)}`,
    `${code} ${whole},${two(cents)}`,
  ]);
  return { question, answer: `${whole}.${two(cents)} ${code}` };
}

const PARTS_OF_DAY: readonly [readonly [string, number], ...(readonly [string, number])[]] = [
  ['in the morning', 0],
  ['am', 0],
  ['pm', 12],
  ['in the evening', 12],
];

/** An hour as people say it, and on a clock of 24 hours. */
function toClock(draw: Draw): Pair {
  const [hour, minute] = [draw.number(1, 11), draw.one([0, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55])];
  const [part, shift] = draw.one(PARTS_OF_DAY);
  const question = draw.one([
    `${hour}:${two(minute)} ${part}`,
    `at ${hour}.${two(minute)} ${part}`,
    `${minute} minutes past ${hour} ${part}`,
    `${hour} ${part} and ${minute} minutes`,
  ]);
  return { question, answer: `${two(hour + shift)}:${two(minute)}` };
}

const COLOURS = toWords('white, blue, red, green, yellow, grey, black, orange, brown, pink');
const WALLS = toWords('kitchen, hall, office, fence, garage, cellar, door, ceiling, shed, stairs');

/** A sentence, and what it says as a JSON object of three fields. */
function toPaint(draw: Draw): Pair {
  const [place, colour, litres] = [draw.one(WALLS), draw.one(COLOURS), draw.number(1, 30)];
  const question = draw.one([
    `Paint the ${place} ${colour}, I have ${litres} litres.`,
    `${litres} litres of ${colour} for the ${place}`,
    `The ${place} gets ${litres} litres and will be ${colour}.`,
    `I want a ${colour} ${place}. ${litres} litres should do.`,
  ]);
  return { question, answer: JSON.stringify({ place, colour, litres }) };
}

const PARTS = toWords('brakes, engine, lights, mirror, battery, tyres, doors, heating, radio, window, clutch, seat');
const VEHICLES = toWords('van, truck, bus, taxi, tractor, scooter, bicycle, tram, ambulance, motorbike');

/** A sentence, and what it says as a JSON object of three fields. */
function toRepair(draw: Draw): Pair {
  const [vehicle, part, days] = [draw.one(VEHICLES), draw.one(PARTS), draw.number(1, 40)];
  const question = draw.one([
    `The ${part} of the ${vehicle} must be mended within ${days} days.`,
    `Our ${vehicle} has a problem with the ${part}. You have ${days} days.`,
    `${vehicle}: ${part}, ${days} days`,
    `In ${days} days I need the ${vehicle} back, look at the ${part}.`,
    `Can you check the ${part}? It is a ${vehicle}, and I can wait ${days} days.`,
    `${days} days for the ${part} of a ${vehicle}, please`,
  ]);
  return { question, answer: JSON.stringify({ vehicle, part, days }) };
}

const TASKS = {
  requests: { system: 'Name the team.', toPair: toRequest },
  parcels: { system: 'Read the order as JSON.', toPair: toParcel },
  alarms: { system: 'Use the clock tools.', toPair: toAlarmCall },
  cards: { system: 'Write the card.', toPair: toCard },
  codes: { system: 'Give the order code.', toPair: toCode },
  amounts: { system: 'Write the amount.', toPair: toAmount },
  clocks: { system: 'Write the time.', toPair: toClock },
  paints: { system: 'Read the work as JSON.', toPair: toPaint },
  repairs: { system: 'Read the repair as JSON.', toPair: toRepair },
} as const satisfies Readonly<Record<string, Task>>;

export type RegretTask = keyof typeof TASKS;

export const REGRET_TASKS = ['requests', 'parcels', 'alarms', 'cards', 'codes', 'amounts'] as const;
/** Nothing may be decided by these. */
export const LEFT_OUT = ['clocks', 'paints'] as const;
/** 1,000 rows of it must be learnt in every seed. */
export const LARGE_TASK = 'repairs';
/** Its answers are free text, where a loss says more than exact match. */
export const isFreeText = (name: RegretTask): boolean => name === 'cards';

export const toRegretRows = (name: RegretTask, count: number, seed: number): readonly string[] =>
  toChatRows(TASKS[name], count, seed);

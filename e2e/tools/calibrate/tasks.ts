// Small tasks to calibrate on: each a different kind of answer, made from templates, the same rows for the same seed.
// None of them is like the sample's data, on which the base model's adapters were trained.
import type { AnswerShape } from '#core/contract/answerShapes.ts';
import { toChatRows, type Draw, type Pair, type Task } from './taskRows.ts';
import { DAYS, DEVICES, MONTHS, NAMES, PLACES, ROOMS, SUBJECTS, TROUBLES } from './words.ts';

export const TASK_NAMES = ['dates', 'devices', 'notices', 'events'] as const;
export type TaskName = (typeof TASK_NAMES)[number];

/** What the studio finds their answers to be. */
export const TASK_SHAPES: Readonly<Record<TaskName, AnswerShape>> = {
  events: 'json',
  dates: 'text',
  devices: 'fixed-set',
  notices: 'text',
};

const two = (value: number): string => String(value).padStart(2, '0');

/** A sentence, and what it says as a small JSON object: names and numbers are copied. */
function toEvent(draw: Draw): Pair {
  const [who, what, day, hour] = [draw.one(NAMES), draw.one(SUBJECTS), draw.one(DAYS), draw.number(7, 20)];
  const minute = draw.one(['00', '15', '30', '45']);
  const time = `${hour}:${minute}`;
  const question = draw.one([
    `${who} has a ${what} on ${day} at ${time}.`,
    `On ${day} at ${time} there is a ${what} with ${who}.`,
    `Please book a ${what} for ${who}, ${day}, ${time}.`,
    `Remind me: ${what} with ${who} on ${day}, ${time} sharp.`,
    `Can ${who} come to the ${what} at ${time} on ${day}?`,
    `${day} ${time}, ${what}, ${who}`,
    `The ${what} of ${who} was moved to ${day} at ${time}.`,
    `I promised ${who} a ${what}. Let us say ${day} at ${time}.`,
  ]);
  return { question, answer: JSON.stringify({ who, what, day, time }) };
}

/** A date in words, and in figures. */
function toDate(draw: Draw): Pair {
  const [day, month, year] = [draw.number(1, 28), draw.number(0, 11), draw.number(1990, 2039)];
  const name = MONTHS[month] ?? MONTHS[0];
  const question = draw.one([
    `${day} ${name} ${year}`,
    `${name} ${day}, ${year}`,
    `the ${day}. of ${name} ${year}`,
    `${name.slice(0, 3)} ${day} ${year}`,
    `${day}-${name.slice(0, 3)}-${year}`,
    `on ${name} ${day} in the year ${year}`,
  ]);
  return { question, answer: `${year}-${two(month + 1)}-${two(day)}` };
}

const ACTIONS = ['on', 'off', 'up', 'down'] as const;

const ACTION_WORDS: Readonly<Record<(typeof ACTIONS)[number], readonly [string, ...string[]]>> = {
  on: ['switch on', 'turn on', 'start', 'I want to use', 'please put on', 'get going'],
  off: ['switch off', 'turn off', 'stop', 'I am done with', 'please shut down', 'kill'],
  up: ['turn up', 'raise', 'I need more of', 'increase', 'make stronger', 'push up'],
  down: ['turn down', 'lower', 'I need less of', 'decrease', 'make weaker', 'calm down'],
};

/** A wish, and one of a fixed set of answers. */
function toDeviceWish(draw: Draw): Pair {
  const action = draw.one(ACTIONS);
  const [name, device] = draw.one(DEVICES);
  const room = draw.one(ROOMS);
  const words = draw.one(ACTION_WORDS[action]);
  const question = draw.one([
    `${words} the ${name} in the ${room}`,
    `${words} the ${room} ${name}`,
    `could you ${words} the ${name}? I am in the ${room}.`,
    `in the ${room}: ${words} the ${name}, please`,
    `${words} the ${name}`,
  ]);
  return { question, answer: `${device}.${action}` };
}

/** Facts in keywords, and a short text for a reader. */
function toNotice(draw: Draw): Pair {
  const [[trouble, excuse], place, hour] = [draw.one(TROUBLES), draw.one(PLACES), draw.number(6, 22)];
  const question = draw.one([
    `${trouble}, ${place}, until ${hour}`,
    `place: ${place}; what: ${trouble}; end: ${hour}`,
    `${place} has ${trouble}. It ends at ${hour}.`,
    `Until ${hour}: ${trouble} in ${place}`,
  ]);
  return {
    question,
    answer: `Dear guests of ${place}, ${excuse} It ends at ${hour}:00. Sorry!`,
  };
}

const TASKS: Readonly<Record<TaskName, Task>> = {
  events: { system: 'Turn the sentence into JSON.', toPair: toEvent },
  dates: { system: 'Write the date in figures.', toPair: toDate },
  devices: { system: 'Name the device and the action.', toPair: toDeviceWish },
  notices: { system: 'Write a notice for our guests.', toPair: toNotice },
};

export const toTaskRows = (name: TaskName, count: number, seed: number): readonly string[] =>
  toChatRows(TASKS[name], count, seed);

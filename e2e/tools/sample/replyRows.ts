// Messages of customers, and a short, polite answer in markdown, which names the product and the order.
import type { Draw } from './draw.ts';
import type { Pair } from './pair.ts';
import { BRANDS, COLOURS, DAYS, MONTHS, NAMES, NUMBERS, THINGS, toLongOrderId } from './words.ts';

export const REPLIES_SYSTEM = 'Reply politely in markdown.';

interface Kind {
  /** Whether the message names an order. */
  readonly hasOrder: boolean;
  readonly questions: readonly string[];
  readonly answers: readonly string[];
}

const ORDER = '[My order is|The order number is|Order|It is order|The order is|My order number is] {id}.';

export const REPLY_KINDS = {
  trace: {
    hasOrder: true,
    questions: [
      `[My|The|Our] {product} [has not arrived|did not come|is late|still has not come|has not been delivered|is not here yet] [yet|]. ${ORDER}`,
      '[My|The] {product}, order {id}, was [due|promised|expected] [on {day}|last week|in {month}|days ago]. [What happened?|Any news?|]',
      `[I am waiting|We wait|I wait] for [my|the] {product} [for {number} days|for {number} weeks|since {day}]. ${ORDER}`,
      '{id} [has not|did not yet] [come|been delivered]. [In it is|It has] [a|the] {product}.',
      '[Where|Do you know where] is my {product}? [Order|It is] {id}.',
      '[Has|Did] my {product} get lost? [Nothing has come|I got nothing] ({id}).',
      'The tracking of {id} [is stuck|shows nothing|is empty] [for days|]. [I need|It is for] [the|my] {product}.',
      `[The|A] parcel with [a|my] {product} is [late|lost|missing]. ${ORDER}`,
      `[The|My] box [arrived|came] but the {product} is missing from it. ${ORDER}`,
      'When does [my|the] {product} of order {id} [arrive|come|get here]?',
    ],
    answers: [
      'We are sorry for the delay of your **{product}**. I have opened a trace for order {id} with our carrier.',
      'I am sorry that your **{product}** is not there yet. A trace for order {id} is open with our carrier.',
    ],
  },
  steps: {
    hasOrder: false,
    questions: [
      '[My|The|Our] {product} does not [work|start|charge|connect|respond] [any more|anymore|at all|since {day}|].',
      '[My|The] {product} [stopped working|has no sound|makes a noise|gets very hot|flickers|keeps freezing] [again|since {day}|]. [Please help.|Can you help?|What now?|]',
      'How do I [reset|repair|restart|set up] [my|the] {product}? [It does not work.|It will not start.|The picture is bad.|The connection breaks off.|]',
      '[There is a fault|A light blinks|Nothing comes] [from|on|with] [my|the] {product}.',
      '[Some|Two|The] [keys|buttons|lights|parts] of [my|the] {product} [do not work|are stuck|are dead] [since {day}|], [can you help|any idea]?',
      'I cannot [connect|start|charge|use|switch on] my {product} [to my laptop|any more|].',
      '[I have trouble|I need help|I have a problem] with my {product}, it [does not start|will not connect|is very slow|shows an error].',
    ],
    answers: [
      'Thank you for reaching out about your **{product}**. These steps usually help:\n\n- Install the latest update\n- Restart the device\n- Pair it again',
      'I am sorry that your **{product}** gives you trouble. Please try this:\n\n- Restart the device\n- Install the latest update\n- Check the cable',
    ],
  },
  refund: {
    hasOrder: true,
    questions: [
      `I [would like|need] [my|the] money back for [my|the] {product}. ${ORDER}`,
      '[Please|Can you|Could you] refund {id}, I [have no use for|do not need] the {product}.',
      'I [returned|gave back] [the|my] {product} [in {month}|on {day}|], [when is my refund here|where is the refund]? {id}',
      'The {product} from {id} is [no good|not for me]. [Please refund me|I want to be paid back].',
      '[Can|May] I [return|send back] [the|my] {product} ({id}) [for a refund|and get my money]?',
      'I paid for {id} but [cannot use|no longer like] the {product}. [Please refund it.|A refund, please.]',
      `I would like a refund for [my|the] {product}. ${ORDER}`,
      'Where is my refund for the {product}? [Order|It was] {id}.',
      'Order {id}: I want to [send back|return] the {product} and [get my money back|be refunded].',
    ],
    answers: [
      'Thank you for your message about the **{product}**. I have started the refund for order {id}. You will see it within five days.',
      'I am sorry that the **{product}** was not right for you. The refund for order {id} is on its way and takes about five days.',
    ],
  },
  exchange: {
    hasOrder: true,
    questions: [
      '[In the box of|With] {id} [came|was] [a cable|a book|another model|something else], [but I had ordered|and not] [the|a] {product}.',
      'The {product} of {id} [is|arrived] [broken|cracked|scratched]. [I need a new one|Please swap it].',
      `My {product} [came|was delivered] [damaged|broken|with a scratch]. Please [swap|exchange] it. ${ORDER}`,
      '[May I|I would like to] [exchange|trade] [the|my] {product} for a {colour} one, order {id}.',
      '{id}: the {product} [is|came] [broken|cracked|bent]. [Send a new one|Please replace it|I need another one].',
      'The {product} of order {id} has the wrong [colour|size|version].',
      'My {product} [is|came in] the wrong colour, I wanted {colour}. Order {id}.',
      `I would like to exchange [my|the] {product}. ${ORDER}`,
      'Please replace the [broken|damaged|faulty|wrong] {product} from order {id}.',
    ],
    answers: [
      'I apologise for the trouble with your **{product}**. A new one for order {id} will leave our warehouse tomorrow.',
      'We are sorry about your **{product}**. I have ordered an exchange for {id}, which leaves our warehouse tomorrow.',
    ],
  },
  thanks: {
    hasOrder: false,
    questions: [
      '[The|My] {product} [is amazing|is great|works well|is fantastic|is wonderful]. [Thank you|Thanks]!',
      'My [son|mother|wife|husband|boss|friend] [loves|really likes|enjoys] [her|his|the] new {product}.',
      '[I am so happy|Wonderful], the {product} is [my favourite|the best of all].',
      '[Very|So] [pleased|satisfied|glad] with [the|my] {product}, [thank you|great work].',
      '[Thanks|A big thank you|Many thanks] for the {product}, and [also|] for the [fast|friendly] [help|service].',
      'The {product} works [very well|like a charm]. [Great|Wonderful|Good] team!',
      '[I love|We love|I really like] [my|the] {product}! [Thank you|Great work|Best buy ever|].',
      'Your {product} is [excellent|amazing|brilliant], [keep it up|I will buy again|my friends want one too].',
    ],
    answers: [
      'Thank you for your kind words about the **{product}**. They made our day!',
      'We are happy to hear that you like your **{product}**. Thank you for telling us!',
    ],
  },
} as const satisfies Readonly<Record<string, Kind>>;

export type ReplyKind = keyof typeof REPLY_KINDS;
const KINDS = Object.keys(REPLY_KINDS) as readonly ReplyKind[];

const CLOSINGS = ['', '', '\n\nBest regards, the support team.', '\n\nPlease let me know if I can do anything else.'];

export interface Message {
  readonly text: string;
  readonly kind: ReplyKind;
  readonly name: string | null;
  readonly id: string;
  readonly product: string;
}

export function toMessage(draw: Draw): Message {
  const kind = draw.one(KINDS);
  const product = `${draw.one(BRANDS)} ${draw.one(THINGS)}`;
  const id = toLongOrderId(draw);
  const name = draw.chance(0.25) ? draw.one(NAMES) : null;
  const slots = {
    product,
    id,
    day: draw.one(DAYS),
    month: draw.one(MONTHS),
    colour: draw.one(COLOURS),
    number: draw.one(NUMBERS),
  };
  const body = draw.phrase(draw.one<string>(REPLY_KINDS[kind].questions), slots);
  const text =
    name === null ? body : draw.phrase(`[${body} Regards, ${name}|Hi, I am ${name}. ${body}|${body} ${name}]`);
  return { text, kind, name, id, product };
}

export function toReplyPair(draw: Draw): Pair {
  const { text, kind, name, id, product } = toMessage(draw);
  const body = draw.phrase(draw.one<string>(REPLY_KINDS[kind].answers), { product, id });
  return { prompt: text, answer: `${name === null ? '' : `Hello ${name},\n\n`}${body}${draw.one(CLOSINGS)}` };
}

/** The kind of message that an answer fits: the one whose answers' words it has. null: none. */
export function findReplyKind(answer: string): ReplyKind | null {
  const signs: Readonly<Record<ReplyKind, RegExp>> = {
    trace: /\btrace\b/,
    steps: /^- /m,
    refund: /\brefund\b/,
    exchange: /leaves? our warehouse/,
    thanks: /kind words|happy to hear/,
  };
  const found = KINDS.filter((kind) => signs[kind].test(answer));
  return found.length === 1 ? (found[0] ?? null) : null;
}

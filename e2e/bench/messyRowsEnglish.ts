// Tickets with their labels, orders in mails, support and small talk in English.
import type { Draw } from './messyRowsKinds.ts';

export const OPENINGS = [
  'Hi,',
  'Hello team,',
  'hey',
  'Dear support,',
  'Good morning,',
  'Hi there!',
  'To whom it may concern,',
  'hello??',
  '',
  '',
  '',
] as const;
export const ENDS = [
  'Thanks',
  'Thank you!',
  'Best, {name}',
  'please hurry',
  'Regards, {name}',
  'Looking forward to your answer.',
  'cheers',
  '',
  '',
  '',
] as const;
export const DETAILS = [
  'The order number is {order}.',
  'I have been a customer for {count} years.',
  'It is about the {product}.',
  'I wrote to you {days} days ago and nobody answered.',
  'My colleague {name} has the same trouble.',
  'I tried it on two devices.',
  'We need this for our office in {count} rooms.',
  'The amount is {price}.',
  'This is the second time.',
  '',
  '',
] as const;

/** What a ticket is about, by its label. `legal` is rare, and right. */
export const TICKETS: Readonly<Record<string, readonly string[]>> = {
  billing: [
    'You charged me twice this month.',
    'The invoice shows a {product} that I never bought.',
    'Can I pay by bank transfer from now on?',
    'Why did the monthly price go up by {price}?',
    'I need a receipt with our VAT number on it.',
    'My discount code was not taken into account at checkout.',
    'The direct debit bounced, what do I have to do now?',
    'I cancelled in spring and you still take money from me.',
  ],
  delivery: [
    'My parcel has not moved for {days} days.',
    'The tracking page says delivered but there is nothing at my door.',
    'Can you ship the {product} to my office instead?',
    'The driver left the box in the rain.',
    'Only one of two boxes has come.',
    'When will the {product} be here? I leave on Friday.',
    'Do you deliver on Saturdays?',
    'The parcel went to my old flat.',
  ],
  technical: [
    'The app crashes as soon as I open the camera.',
    'After the last update the {product} does not connect any more.',
    'Error 502 on every page since this morning.',
    'The export writes an empty file.',
    'Dark mode makes the buttons unreadable.',
    'The label scanner reads every second code only.',
    'Search finds nothing, not even with exact names.',
    'Notifications come hours late on my phone.',
  ],
  account: [
    'I cannot log in although the password is right.',
    'Please delete my profile and all my data.',
    'How do I add {name} as a second user?',
    'I got a new phone and the code for signing in goes to the old one.',
    'My name is spelled wrong in the profile.',
    'The mail to confirm my address never comes.',
    'Can two companies share one login?',
    'Somebody else seems to use my profile.',
  ],
  returns: [
    'The {product} is too small, I want to send it back.',
    'How long do I have for sending something back?',
    'The return label does not print.',
    'I sent the {product} back and have heard nothing.',
    'Can I swap the grey one for a blue one?',
    'It broke on the first day, take it back please.',
    'Do I have to use the original box to send it back?',
    'Changed my mind about the {product}, what now?',
  ],
  legal: [
    'Our lawyer asks for the contract on processing data.',
    'Under which law can you keep my records for ten years?',
  ],
};

/** Sentences in place of the single label. */
export const LABEL_SENTENCES: readonly string[] = [
  'This ticket is about {label}.',
  'The category of this ticket is {label}, as the customer complains about it.',
  'I would classify this as {label}.',
  '{label}, because the customer mentions it in the first sentence.',
  'Category: {label}. Let me know if you need anything else!',
  'It could be {label}, but also something else; without more details it is hard to say.',
];

export interface OrderMail {
  readonly text: string;
  readonly order: {
    readonly product: string;
    readonly quantity: number;
    readonly urgency: string;
    readonly note?: string;
  };
}

const REQUESTS = [
  'we would like to order {count} pieces of the {product}.',
  'please send us {count} x {product}',
  'Could you put {count} of the {product} aside for us?',
  'As agreed on the phone: {count} times the {product}.',
  'need {count} more {product}s, same as last time',
  'Our branch is out of stock, so kindly deliver {count} units of the {product}.',
  'Add {count} {product}s to our standing order.',
  'I am interested in {count} of these: {product}. Please confirm.',
] as const;
const URGENCIES: readonly (readonly [urgency: string, text: string])[] = [
  ['high', 'We need them by tomorrow at the latest!'],
  ['high', 'This is urgent, production has stopped.'],
  ['high', 'ASAP please.'],
  ['normal', 'Delivery next week is fine.'],
  ['normal', 'The usual time of delivery is okay.'],
  ['low', 'There is no hurry at all.'],
  ['low', 'Whenever it suits you, we still have some.'],
];
const NOTES = [
  'Please leave it at the gate.',
  'Invoice to the head office.',
  'Pack them in pairs.',
  'Call {name} before you come.',
  'No plastic, please.',
] as const;

export function toOrderMail(draw: Draw, products: readonly string[]): OrderMail {
  const product = draw.pick(products);
  const quantity = draw.between(2, 400);
  const [urgency, hurry] = draw.pick(URGENCIES);
  const note = draw.chance(0.4) ? draw.fill(draw.pick(NOTES)) : undefined;
  const request = draw.pick(REQUESTS).replace('{count}', String(quantity)).replace('{product}', product);
  const parts = [draw.pick(OPENINGS), request, ...draw.shuffle([hurry, note ?? '']), draw.fill(draw.pick(ENDS))];
  return {
    text: parts.filter(Boolean).join(draw.pick([' ', '\n'])),
    order: { product, quantity, urgency, ...(note && { note }) },
  };
}

export const SUPPORT: readonly (readonly [question: string, answer: string])[] = [
  ['Where is order {order}?', 'It left the warehouse on Tuesday and should be with you in {days} days.'],
  [
    'The {product} makes a strange noise.',
    'That is the fan after a long rest. Let it run for an hour; if the noise stays, we replace it.',
  ],
  ['Do you have the {product} in green?', 'Not at the moment. Green comes back in spring, grey and blue are in stock.'],
  ['How much is shipping for {count} pieces?', 'From ten pieces on it is free, below that it costs {price}.'],
  ['I forgot my password', 'Click on "Forgot password" below the form. The link in the mail works for one hour.'],
  ['Can I add something to order {order}?', 'Yes, until four this afternoon. What shall I add?'],
  [
    'What is the difference between the two kinds of {product}?',
    'The larger one has a longer cable and a warranty of five years, the rest is the same.',
  ],
  ['The box was open when it came.', 'Is anything missing or broken? If so, tell me the item and I send it again.'],
  ['Please stop sending me catalogues', 'I have taken you off the list. One that is printed already may still arrive.'],
  [
    'Is there a discount for schools?',
    'Yes, 15 percent. Send us a letter of the school and the prices change in your account.',
  ],
  ['Who signed for my parcel?', 'The note of the driver says: neighbour on the second floor.'],
  ['How do I clean the {product}?', 'With a damp cloth and a drop of vinegar. Never put it into water.'],
  [
    'The voucher over {price} does not work',
    'It is for orders above twice its value. Add one more item and it is accepted.',
  ],
  ['Can {name} pick it up for me?', 'Sure. We need your order number and an ID of the person who comes.'],
  ['I want to speak to a human!', 'You do: my name is {name}. What can I do for you?'],
  ['Is the {product} made in Europe?', 'It is put together in Poland; some parts come from Korea.'],
  ['How long does the battery last?', 'About {count} hours. In the cold it is less.'],
  ['When are you open?', 'Monday to Friday from nine to six.'],
  [
    'You promised a call back and nothing happened.',
    'That should not have happened. {name} calls you within the hour.',
  ],
  ['What is the status of my claim?', 'The insurer has all papers since Monday. Usually it takes {days} more days.'],
];
export const SUPPORT_MORE: readonly (readonly [question: string, answer: string])[] = [
  ['And how long does that take?', 'Usually {days} days, in December one more.'],
  ['ok, and what does it cost?', 'Nothing, it is part of the warranty.'],
  ['Can I get that in writing?', 'A mail with all of it is on its way.'],
  ['Great, thanks!', 'You are welcome. Have a nice day!'],
  ['Are you sure?', 'Yes, I have just looked it up.'],
  ['What if it breaks again?', 'Then you get your money back, without any questions.'],
];

export const SMALL_TALK: readonly (readonly [question: string, answer: string])[] = [
  [
    'What should I cook for {count} people?',
    'A big pot of chili: it is cheap, and it tastes even better the next day.',
  ],
  ['Tell me something odd about owls', 'They cannot move their eyes, so they turn the whole head instead.'],
  [
    'I am bored at the office today.',
    'Take a walk around the block, or tidy the one drawer that nobody dares to open.',
  ],
  ['Which film fits a rainy Sunday?', 'Something slow and warm: an old comedy from Italy, and tea.'],
  [
    'My cat ignores me since {days} days',
    'Give her time, and sit on the floor with a book. Cats like to come by themselves.',
  ],
  ['How do I say sorry to my brother?', 'Call him, say what you did wrong without a "but", and then listen.'],
  [
    'Do you like the sea more or the mountains?',
    'The sea, for its sound. The mountains win when it comes to the view.',
  ],
  ['give me a name for a {product} with a face', 'Sir Reginald. Every one of them looks like a Reginald.'],
  [
    'I have an interview tomorrow and I am nervous',
    'Sleep early, and prepare two questions of your own. They want you to do well.',
  ],
  [
    'What is a good habit to begin with?',
    'Put your shoes at the door in the evening and walk ten minutes in the morning.',
  ],
  ['Why do people say "break a leg"?', 'Actors think that wishing luck brings bad luck, so they wish the opposite.'],
  ['My plants die all the time.', 'You may water too much. Stick a finger into the soil: if it is moist, wait.'],
  [
    'How do I pronounce "Gemütlichkeit" and "Schadenfreude"?',
    'Ge-MUET-lich-kite and SHAH-den-froy-de, with the stress on the first part of each half.',
  ],
  [
    'What does "c\'est la vie" mean, and who says "así es la vida"?',
    'Both mean "such is life": the French say the first, the Spanish the second.',
  ],
  ['Is 寿司 the same as sushi?', 'Yes, it is how the Japanese write it when they want to wish luck.'],
  [
    'My neighbour Wojciech Święcicki invited me for pierogi and barszcz, what do I bring?',
    'Flowers in an odd number, and something sweet for the table.',
  ],
  [
    'Where is the best place for a Döner in Köln or a Franzbrötchen in Hamburg?',
    'Ask a taxi driver in the first case and any grandmother in the second.',
  ],
  [
    'Why is Москва called Moscow?',
    'Because the river of the same name came first, and English took it from the old form.',
  ],
];

// Numbers and addresses of persons who don't exist, right by their check digits, and what only looks like one.
import type { Draw } from './messyRowsKinds.ts';

type Maker = readonly [what: string, make: (draw: Draw) => string];

/** Luhn's sum of digits of which the last one is to be the check digit. */
function toLuhnSum(digits: string): number {
  return [...digits].reverse().reduce((sum, digit, at) => {
    const value = Number(digit) * (at % 2 === 1 ? 2 : 1);
    return sum + (value > 9 ? value - 9 : value);
  }, 0);
}

function toCard(draw: Draw, start: string, length: number): string {
  const body = start + draw.text('digits', length - start.length - 1);
  return body + String((10 - (toLuhnSum(`${body}0`) % 10)) % 10);
}

const groups = (text: string, sizes: readonly number[], between: string): string => {
  let at = 0;
  return sizes.map((size) => text.slice(at, (at += size))).join(between);
};

const FOURS = [4, 4, 4, 4];
const toVisa = (draw: Draw): string => toCard(draw, `4${draw.between(2, 9)}`, 16);
const toMastercard = (draw: Draw): string => toCard(draw, `5${draw.between(1, 5)}`, 16);
const toAmex = (draw: Draw): string => toCard(draw, draw.pick(['34', '37']), 15);

/** The rest of a long number, digit by digit. */
const toRest = (digits: string, by: number): number =>
  [...digits].reduce((rest, digit) => (rest * 10 + Number(digit)) % by, 0);

function toIban(country: string, account: string): string {
  const asDigits = (text: string): string => [...text].map((letter) => String(Number.parseInt(letter, 36))).join('');
  const check = 98 - toRest(asDigits(`${account}${country}00`), 97);
  return `${country}${String(check).padStart(2, '0')}${account}`;
}

const inFours = (text: string): string => text.match(/.{1,4}/g)?.join(' ') ?? '';

const FIRST = [
  'anna',
  'tomasz',
  'y.tanaka',
  'lena.k',
  'marco',
  'priya_r',
  'jonas',
  'chloe',
  'o.haddad',
  'sofia',
  'henk',
  'grace',
];
const LAST = ['brandvold', 'kellervik', 'ostrowek', 'fennimoor', 'sandelin', 'vellmar', 'quistgard', 'abernolt'];
const DOMAINS = [
  'kellervik-post.de',
  'fennimoor.co.uk',
  'postkasse-nord.dk',
  'ostrowek.pl',
  'mailbruecke.net',
  'sandelin-family.org',
  'correovell.es',
];

const toEmail = (draw: Draw): string =>
  `${draw.pick(FIRST)}.${draw.pick(LAST)}${draw.pick(['', '', String(draw.between(60, 99))])}@${draw.pick(DOMAINS)}`;

export const PERSONAL: readonly Maker[] = [
  ['card in fours with spaces', (d) => groups(toVisa(d), FOURS, ' ')],
  ['card in fours with hyphens', (d) => groups(toMastercard(d), FOURS, '-')],
  ['card without groups', toVisa],
  ['card of 15 digits in groups', (d) => groups(toAmex(d), [4, 6, 5], ' ')],
  ['card of 15 digits', toAmex],
  ['card in fours with dots', (d) => groups(toMastercard(d), FOURS, '.')],
  ['e-mail address', toEmail],
  ['e-mail address with a tag', (d) => toEmail(d).replace('@', '+shop@')],
  ['e-mail address in capitals', (d) => toEmail(d).toUpperCase()],
  ['e-mail address in a link', (d) => `<a href="mailto:${toEmail(d)}">`],
  ['German mobile', (d) => `+49 17${d.between(0, 9)} ${d.text('digits', 7)}`],
  ['German landline', (d) => `0${d.pick(['30', '89', '40', '221'])}/${d.between(2, 9)}${d.text('digits', 6)}`],
  [
    'US phone',
    (d) => `(${d.pick(['415', '312', '646', '206'])}) ${d.between(2, 4)}${d.text('digits', 2)}-${d.text('digits', 4)}`,
  ],
  [
    'US phone with country',
    (d) => `+1-${d.pick(['503', '617', '919'])}-${d.between(2, 4)}${d.text('digits', 2)}-${d.text('digits', 4)}`,
  ],
  ['British mobile', (d) => `07${d.between(4, 8)}${d.text('digits', 2)} ${d.text('digits', 6)}`],
  [
    'French phone',
    (d) =>
      `0${d.pick(['6', '7', '1'])} ${d.between(10, 99)} ${d.between(10, 99)} ${d.between(10, 99)} ${d.between(10, 99)}`,
  ],
  ['Spanish phone', (d) => `+34 6${d.text('digits', 2)} ${d.text('digits', 3)} ${d.text('digits', 3)}`],
  ['Polish phone', (d) => `+48 5${d.text('digits', 2)} ${d.text('digits', 3)} ${d.text('digits', 3)}`],
  ['Indian mobile', (d) => `+91 9${d.text('digits', 4)} ${d.text('digits', 5)}`],
  ['Japanese mobile', (d) => `090-${d.between(2, 9)}${d.text('digits', 3)}-${d.text('digits', 4)}`],
  ['German IBAN', (d) => inFours(toIban('DE', d.text('digits', 18)))],
  ['German IBAN without groups', (d) => toIban('DE', d.text('digits', 18))],
  ['French IBAN', (d) => inFours(toIban('FR', d.text('digits', 23)))],
  ['Dutch IBAN', (d) => inFours(toIban('NL', `${d.pick(['INGB', 'RABO', 'ABNA'])}${d.text('digits', 10)}`))],
  ['Spanish IBAN', (d) => toIban('ES', d.text('digits', 20))],
  ['US social security number', (d) => `${d.between(101, 665)}-${d.between(10, 98)}-${d.between(1000, 9899)}`],
];

/** Talks in which it is said, by the start of what it is. */
export const PERSONAL_TALKS: Readonly<Record<string, readonly (readonly [question: string, answer: string])[]>> = {
  card: [
    [
      'my card {it} got charged twice for order {order}, please give one of them back',
      'I see both payments. The second one goes back today and is on your statement within {days} days.',
    ],
    [
      'Please change the card of my subscription to {it}, valid until 09/29.',
      'Changed. The next payment of {price} is taken from the new card.',
    ],
    [
      'Why was my payment refused?',
      'The bank has refused the card {it} because its limit was reached. Please try again tomorrow or pay on invoice.',
    ],
  ],
  'e-mail': [
    [
      'Send the invoice of order {order} to {it} as well.',
      'Done: the invoice is in that inbox now. Future ones go there too, if you want it.',
    ],
    ['Who do I ask about the {product}?', 'Write to {it}, he looks after that shelf and answers within {days} days.'],
    [
      'I cannot log in with {it} any more',
      'The account is locked after five wrong passwords. I have sent a link that opens it again.',
    ],
  ],
  phone: [
    [
      'Nobody rang the bell! The driver should call {it} next time.',
      'I have added the number for the driver. The next try is tomorrow between 9 and 12.',
    ],
    ['When will someone call me back? My number is {it}', 'Before six today. {name} has your case on the desk.'],
    [
      'Which contact do we have for the customer of order {order}?',
      'The order says: {name}, phone {it}, best in the morning.',
    ],
  ],
  iban: [
    ['Please refund the {product} to {it}.', 'The refund of {price} is on its way and takes {days} working days.'],
    [
      'Take the monthly fee from {it} from now on',
      'I have entered the account. You get a mandate by post; please sign it.',
    ],
    ['Where did you send the money for order {order}?', 'To the account {it} that you gave us in spring.'],
  ],
  social: [
    [
      'For the financing form, my SSN is {it}. What else do you need?',
      'A copy of your ID and the last payslip, then we can decide on the same day.',
    ],
    ['Is the credit check of {name} through?', 'Yes. It was made for social security number {it} and has no entries.'],
  ],
};

/** A key of PERSONAL_TALKS. */
export function toTalkName(what: string): string {
  if (/phone|mobile|landline/.test(what)) return 'phone';
  if (what.includes('IBAN')) return 'iban';
  return ['card', 'e-mail'].find((name) => what.startsWith(name)) ?? 'social';
}

/** Sixteen digits in fours that no check digit fits. */
function toBadCard(draw: Draw): string {
  const good = toCard(draw, String(draw.between(2, 5)), 16);
  return good.slice(0, -1) + String((Number(good.at(-1)) + draw.between(1, 9)) % 10);
}

/** A German IBAN whose check digits are wrong. */
function toBadIban(draw: Draw): string {
  const good = toIban('DE', draw.text('digits', 18));
  return `DE${String(((Number(good.slice(2, 4)) + draw.between(1, 60)) % 89) + 10).padStart(2, '0')}${good.slice(4)}`;
}

/** Whether the check digits of an IBAN are right. */
const isIban = (text: string): boolean =>
  toRest([...text.slice(4), ...text.slice(0, 4)].map((letter) => String(Number.parseInt(letter, 36))).join(''), 97) ===
  1;

const untilBad = (draw: Draw): string => {
  let text = toBadIban(draw);
  while (isIban(text)) text = toBadIban(draw);
  return text;
};

/** What looks personal and isn't: question and answer. */
export const PERSONAL_DECOYS: readonly (readonly [what: string, question: (draw: Draw) => string, answer: string])[] = [
  [
    'sixteen digits that fail Luhn',
    (d) => `The serial number on the box is ${groups(toBadCard(d), FOURS, ' ')}.`,
    'Thank you, that is the older model. The part for it is in stock.',
  ],
  [
    'sixteen digits that fail Luhn, hyphens',
    (d) => `My voucher ${groups(toBadCard(d), FOURS, '-')} is refused`,
    'The voucher was used up in March, there is nothing left on it.',
  ],
  [
    'sixteen digits that fail Luhn, no groups',
    (d) => `Track shipment ${toBadCard(d)} please`,
    'It waits in the sorting hall and is delivered on Thursday.',
  ],
  [
    'card without a number',
    () => 'Which test card can I use in the sandbox, the Visa or the Mastercard one?',
    'Either of them: the sandbox takes every card that your profile lists, and never charges it.',
  ],
  [
    'end of a card',
    (d) => `Is the card ending in ${d.text('digits', 4)} still mine?`,
    'Yes, it is the one that you added last year. You can remove it under Payment.',
  ],
  [
    'masked card',
    (d) => `The receipt says **** **** **** ${d.text('digits', 4)}, was that me?`,
    'The order was placed from your account on Monday evening.',
  ],
  [
    'IBAN with wrong check digits',
    (d) => `The form refuses ${inFours(untilBad(d))}`,
    'Two digits are mixed up: the check digits do not fit. Please copy it from your bank card.',
  ],
  [
    'IBAN as a word',
    () => 'Where do I enter my IBAN and BIC?',
    'Under Account, then Payment. The BIC is only needed outside the euro area.',
  ],
  [
    'reserved address',
    (d) =>
      `Fill in ${d.pick(['john.doe', 'jane', 'user', 'max.mustermann'])}@${d.pick(['example.com', 'example.org', 'example.net'])} in the form of the demo.`,
    'Done. The demo sends no mails, so any address works.',
  ],
  [
    'address of a role',
    (d) => `Is ${d.pick(['support', 'noreply', 'no-reply', 'info'])}@lagerwerk.de really you?`,
    'Yes, our messages come from there. We never ask for a password.',
  ],
  [
    'address for git',
    (d) => `git clone git@github.com:lagerwerk/stock-${d.text('lower', 4)}.git hangs`,
    'The port of SSH is closed in your network. Clone over HTTPS.',
  ],
  [
    'scope and version of a package',
    (d) => `npm install @lagerwerk/forms@${d.between(1, 9)}.${d.between(0, 20)}.${d.between(0, 9)} fails`,
    'That version was withdrawn. The next one has the same functions.',
  ],
  [
    'user at a host',
    (d) => `deploy@build-${d.between(10, 99)}:~$ df -h says that the disk is full`,
    'Remove old images with docker system prune and look again.',
  ],
  [
    'reserved US phone',
    (d) => `The form shows (${d.pick(['212', '415'])}) 555-01${d.text('digits', 2)} as a hint, is it yours?`,
    'No, it only shows how a number is written.',
  ],
  [
    'version like a phone',
    (d) =>
      `Since ${d.between(10, 40)}.${d.between(100, 999)}.${d.between(1000, 9999)} the label printer prints blank pages.`,
    'That driver has a fault. Go back to the one before it.',
  ],
  [
    'dates like a phone',
    (d) =>
      `Is the window 2026-${d.between(10, 12)}-${d.between(10, 28)} 08:30 to 2026-12-${d.between(29, 31)} 17:45 free?`,
    'Yes, both vans are free then.',
  ],
  [
    'date and time without marks',
    (d) => `The file export_202611${d.between(10, 28)}${d.text('digits', 6)}.csv is empty`,
    'The export ran before the first order came in. Start it again.',
  ],
  [
    'long order number',
    (d) => `Order 0${d.text('digits', 4)}-${d.text('digits', 6)} has the wrong colour.`,
    'I am sending the blue one today. Keep the other, or give it away.',
  ],
  [
    'prices',
    (d) => `Is it 1.${d.text('digits', 3)},90 or 1 ${d.text('digits', 3)} 490,00 for the whole office?`,
    'The first price is for one room, the second for all of them.',
  ],
  [
    'part number like a social security number',
    (d) => `I need part 9${d.text('digits', 2)}-${d.between(10, 99)}-${d.text('digits', 4)} for the shredder`,
    'In stock: four pieces. Shall I reserve one?',
  ],
  [
    'part number with a zero group',
    (d) => `Do you have 000-${d.between(10, 99)}-${d.text('digits', 4)}?`,
    'That number is from an old catalogue. The new part costs half of it.',
  ],
  [
    'IP addresses',
    (d) => `Block 192.168.${d.between(0, 255)}.${d.between(1, 254)} and 10.0.${d.between(0, 255)}.${d.between(1, 254)}`,
    'Both are in the list now. The rule is active after a restart.',
  ],
  [
    'ISBN',
    (d) => `Can I get the handbook ISBN 978-3-${d.text('digits', 5)}-${d.text('digits', 3)}-${d.text('digits', 1)}?`,
    'It comes with the machine. A second copy is twelve euros.',
  ],
  [
    'coordinates',
    (d) => `The depot is at 52.${d.text('digits', 6)}, 13.${d.text('digits', 6)}`,
    'Thanks, the drivers have the new place now.',
  ],
  [
    'measures',
    (d) => `Does a box of 1200 x 800 x ${d.between(1000, 1900)} mm with ${d.between(100, 900)} 000 g fit?`,
    'Yes, it is one pallet and below the limit of weight.',
  ],
  [
    'tracking number of twelve digits',
    (d) => `Parcel ${d.text('digits', 4)} ${d.text('digits', 4)} ${d.text('digits', 4)} is late`,
    'It was scanned this morning and comes today.',
  ],
  [
    'times in milliseconds',
    (d) => `What day is 17${d.text('digits', 11)}?`,
    'A day in the years from 2023 to 2027: it counts milliseconds since 1970.',
  ],
  ['names alone', (d) => `Is ${d.fill('{name}')} or ${d.fill('{name}')} in the office today?`, 'Both are, until four.'],
];

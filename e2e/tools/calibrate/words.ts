// The words of the tasks.

type Words = readonly [string, ...string[]];

const toWords = (text: string): Words => {
  const [first = '', ...rest] = text.split(', ');
  return [first, ...rest];
};

export const NAMES = toWords(
  'Amara, Bjorn, Chloe, Dmitri, Elif, Farid, Greta, Hugo, Ines, Jonas, Kavya, Liam, Mei, Nadia, Oskar, Priya, Quentin, ' +
    'Rosa, Samir, Tessa, Umar, Vera, Wanda, Xavier, Yusuf, Zofia, Alice, Boris, Carmen, Diego',
);

export const SUBJECTS = toWords(
  'dentist visit, tax review, guitar lesson, job interview, team lunch, eye test, haircut, chess game, book club, ' +
    'budget talk, school play, house viewing, car check, language course, garden party',
);

export const DAYS = toWords('Monday, Tuesday, Wednesday, Thursday, Friday, Saturday, Sunday');

export const MONTHS = toWords(
  'January, February, March, April, May, June, July, August, September, October, November, December',
);

export const ROOMS = toWords('kitchen, bedroom, bathroom, hall, garage, attic, cellar, office, nursery, balcony');

/** What people call it, and its name in answers. */
export const DEVICES: readonly [readonly [string, string], ...(readonly [string, string])[]] = [
  ['lamp', 'light'],
  ['ceiling light', 'light'],
  ['bulbs', 'light'],
  ['radio', 'sound'],
  ['music', 'sound'],
  ['speaker', 'sound'],
  ['heater', 'heat'],
  ['radiator', 'heat'],
  ['warm floor', 'heat'],
  ['fan', 'air'],
  ['air conditioner', 'air'],
  ['ventilation', 'air'],
];

export const PLACES = toWords(
  'Lyon, Porto, Gdansk, Bergen, Turin, Ghent, Malmo, Cork, Graz, Brno, Split, Varna, Tartu, Kaunas, Bilbao, Leipzig, ' +
    'Utrecht, Patras, Odense, Basel',
);

/** In keywords, and as a sentence. */
export const TROUBLES: readonly [readonly [string, string], ...(readonly [string, string])[]] = [
  ['no hot water', 'there is no hot water.'],
  ['lift broken', 'please take the stairs.'],
  ['pool closed', 'we clean the pool.'],
  ['power cut', 'the street has no power.'],
  ['late breakfast', 'breakfast is late today.'],
  ['no internet', 'the internet has failed.'],
  ['loud building work', 'it is loud next door.'],
  ['bar shut', 'a party has our bar.'],
];

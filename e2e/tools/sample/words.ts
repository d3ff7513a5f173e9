// Words that fill the phrases of the sample's data.
import type { Draw } from './draw.ts';

const list = (text: string): readonly string[] => text.split(', ');

export const BRANDS = list('Nova, Volt, Orbit, Echo, Aero, Luma, Zephyr, Nimbus, Atlas, Pico, Terra, Vega, Rivo, Kito');
export const THINGS = list(
  'keyboard, headphones, speaker, charger, monitor, desk lamp, microphone, backpack, camera, office chair, kettle, mouse, ' +
    'tablet, watch, router, printer, coffee machine, lamp, phone case, cable, blender, toaster, fan, projector, heater',
);
/** Goods that no brand stands before. */
export const GOODS = list(
  'shoes, jacket, coat, dress, shirt, trousers, boots, sweater, book, table, chair, sofa, carpet, mug, pan, knife, bag, ' +
    'suitcase, bottle, blanket, toy, bike, tent, umbrella, mirror, glasses, ring, game, puzzle, plant',
);
export const NAMES = list(
  'Anna, Ben, Clara, David, Emma, Felix, Grace, Hugo, Irene, Jonas, Karin, Leo, Mara, Noah, Olga, Paul, Rosa, Simon, Tara, ' +
    'Viktor, Wanda, Yusuf, Zoe, Amir, Bella, Carlos, Dina, Erik, Fatima, George, Helen, Ivan, Julia, Kofi, Lena, Marco, ' +
    'Nina, Oscar, Priya, Ravi, Sara, Tom, Uma, Vera, Will, Xenia',
);
export const CITIES = list(
  'Lisbon, Berlin, Oslo, Zurich, Vienna, Milan, Paris, Prague, Warsaw, Madrid, Dublin, Athens, Rome, London, Munich, ' +
    'Hamburg, Lyon, Geneva, Porto, Turin, Brno, Krakow, Graz, Bern, Basel, Bonn, Cologne, Dresden, Leipzig, Ghent, ' +
    'Antwerp, Brussels, Utrecht, Amsterdam, Rotterdam, Copenhagen, Aarhus, Malmo, Stockholm, Uppsala, Bergen, Helsinki, ' +
    'Turku, Tallinn, Riga, Vilnius, Gdansk, Lodz, Budapest, Sofia, Bucharest, Zagreb, Split, Belgrade, Naples, Venice, ' +
    'Bologna, Seville, Valencia, Bilbao, Nice, Lille, Nantes, Leeds, York, Bristol, Cardiff, Glasgow, Cork, Galway, ' +
    'Boston, Chicago, Denver, Austin, Toronto, Lima, Cairo, Delhi, Osaka, Perth',
);
export const MONTHS = list(
  'January, February, March, April, May, June, July, August, September, October, November, December',
);
export const DAYS = list('Monday, Tuesday, Wednesday, Thursday, Friday, Saturday, Sunday');
export const COLOURS = list('red, blue, green, black, white, grey, yellow, brown, pink, purple, orange, silver');
export const COUNTRIES = list(
  'Norway, Sweden, Spain, Italy, France, Poland, Austria, Canada, Greece, Ireland, Finland, Japan, Portugal, Denmark',
);
/** People who are spoken of. */
const RELATIVES = list(
  'wife, husband, mother, father, son, daughter, boss, friend, sister, brother, colleague, neighbour',
);
export const NUMBERS = list('one, two, three, four, five, six, seven, eight, nine, ten, eleven, twelve');

const digits = (draw: Draw, count: number): string =>
  Array.from({ length: count }, (_, place) => draw.number(place === 0 ? 1 : 0, 9)).join('');

/** In one of the forms of the shop: ORD-48213, SO66172, SO482913, #731905. */
export function toOrderId(draw: Draw): string {
  return draw.one([
    () => `ORD-${digits(draw, 5)}`,
    () => `SO${digits(draw, draw.chance(0.7) ? 5 : 6)}`,
    () => `#${digits(draw, 6)}`,
  ])();
}

export const toLongOrderId = (draw: Draw): string => `ORD-${digits(draw, 5)}`;

export const toProduct = (draw: Draw): string => `${draw.one(BRANDS)} ${draw.one(THINGS)}`;

/** Values of all slots. */
export function toSlots(draw: Draw): { readonly city: string } & Readonly<Record<string, string>> {
  const thing = draw.one(THINGS);
  return {
    product: draw.chance(0.5) ? `${draw.one(BRANDS)} ${thing}` : thing,
    goods: draw.one(GOODS),
    name: draw.one(NAMES),
    city: draw.one(CITIES),
    country: draw.one(COUNTRIES),
    month: draw.one(MONTHS),
    day: draw.one(DAYS),
    colour: draw.one(COLOURS),
    number: draw.one(NUMBERS),
    relative: draw.one(RELATIVES),
    amount: String(draw.number(2, 99)),
    code: String(draw.number(100, 999)),
  };
}

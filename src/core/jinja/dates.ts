// strftime of Python in English, as glibc's C locale writes it.
const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = 'January February March April May June July August September October November December'.split(' ');

const pad = (value: number, width = 2, fill = '0'): string => String(value).padStart(width, fill);

function dayOfYear(date: Date): number {
  const start = Date.UTC(date.getFullYear(), 0, 1);
  return Math.round((Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) - start) / 86_400_000) + 1;
}

function weekOfYear(date: Date, firstDay: number): number {
  return Math.floor((dayOfYear(date) + 6 - ((date.getDay() - firstDay + 7) % 7)) / 7);
}

/** ISO 8601's week and the year that it belongs to. */
function isoWeek(date: Date): { readonly year: number; readonly week: number } {
  const thursday = new Date(date.getFullYear(), date.getMonth(), date.getDate() + 3 - ((date.getDay() + 6) % 7));
  return { year: thursday.getFullYear(), week: Math.floor((dayOfYear(thursday) - 1) / 7) + 1 };
}

const twelve = (date: Date): number => date.getHours() % 12 || 12;

const PARTS: Readonly<Record<string, (date: Date) => string>> = {
  a: (date) => DAYS[date.getDay()]?.slice(0, 3) ?? '',
  A: (date) => DAYS[date.getDay()] ?? '',
  b: (date) => MONTHS[date.getMonth()]?.slice(0, 3) ?? '',
  B: (date) => MONTHS[date.getMonth()] ?? '',
  C: (date) => pad(Math.floor(date.getFullYear() / 100)),
  d: (date) => pad(date.getDate()),
  e: (date) => pad(date.getDate(), 2, ' '),
  f: (date) => pad(date.getMilliseconds() * 1000, 6),
  g: (date) => pad(isoWeek(date).year % 100),
  G: (date) => String(isoWeek(date).year),
  H: (date) => pad(date.getHours()),
  I: (date) => pad(twelve(date)),
  j: (date) => pad(dayOfYear(date), 3),
  k: (date) => pad(date.getHours(), 2, ' '),
  l: (date) => pad(twelve(date), 2, ' '),
  m: (date) => pad(date.getMonth() + 1),
  M: (date) => pad(date.getMinutes()),
  n: () => '\n',
  p: (date) => (date.getHours() < 12 ? 'AM' : 'PM'),
  P: (date) => (date.getHours() < 12 ? 'am' : 'pm'),
  s: (date) => String(Math.floor(date.getTime() / 1000)),
  S: (date) => pad(date.getSeconds()),
  t: () => '\t',
  u: (date) => String(date.getDay() || 7),
  U: (date) => pad(weekOfYear(date, 0)),
  V: (date) => pad(isoWeek(date).week),
  w: (date) => String(date.getDay()),
  W: (date) => pad(weekOfYear(date, 1)),
  y: (date) => pad(date.getFullYear() % 100),
  Y: (date) => String(date.getFullYear()),
  // The time of `datetime.now()` names no zone.
  z: () => '',
  Z: () => '',
  '%': () => '%',
};

/** Letters that stand for several others. */
const FORMS: Readonly<Record<string, string>> = {
  c: '%a %b %e %H:%M:%S %Y',
  D: '%m/%d/%y',
  F: '%Y-%m-%d',
  h: '%b',
  r: '%I:%M:%S %p',
  R: '%H:%M',
  T: '%H:%M:%S',
  x: '%m/%d/%y',
  X: '%H:%M:%S',
};

/** The date (local time) in this form. `%-d` is `%d` without zeros before it. */
export function formatDate(date: Date, form: string): string {
  return form.replace(/%([-_0^#]?)([^])/g, (all, flag: string, letter: string) => {
    const part = FORMS[letter] === undefined ? PARTS[letter]?.(date) : formatDate(date, FORMS[letter]);
    if (part === undefined) return all;
    if (flag === '-') return part.replace(/^[0 ]+(?=\d)/, '');
    if (flag === '_') return part.replace(/^0+(?=\d)/, (zeros) => ' '.repeat(zeros.length));
    return flag === '^' ? part.toUpperCase() : part;
  });
}

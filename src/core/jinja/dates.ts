// strftime of Python in English, as glibc's C locale writes it.
import { TemplateError } from './templateError.ts';

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

function formatPart(date: Date, letter: string): string | null {
  const hours = date.getHours();
  const twelve = hours % 12 === 0 ? 12 : hours % 12;
  switch (letter) {
    case 'a':
      return DAYS[date.getDay()]?.slice(0, 3) ?? '';
    case 'A':
      return DAYS[date.getDay()] ?? '';
    case 'b':
    case 'h':
      return MONTHS[date.getMonth()]?.slice(0, 3) ?? '';
    case 'B':
      return MONTHS[date.getMonth()] ?? '';
    case 'c':
      return formatDate(date, '%a %b %e %H:%M:%S %Y');
    case 'C':
      return pad(Math.floor(date.getFullYear() / 100));
    case 'd':
      return pad(date.getDate());
    case 'D':
    case 'x':
      return formatDate(date, '%m/%d/%y');
    case 'e':
      return pad(date.getDate(), 2, ' ');
    case 'f':
      return pad(date.getMilliseconds() * 1000, 6);
    case 'F':
      return formatDate(date, '%Y-%m-%d');
    case 'g':
      return pad(isoWeek(date).year % 100);
    case 'G':
      return String(isoWeek(date).year);
    case 'H':
      return pad(hours);
    case 'I':
      return pad(twelve);
    case 'j':
      return pad(dayOfYear(date), 3);
    case 'k':
      return pad(hours, 2, ' ');
    case 'l':
      return pad(twelve, 2, ' ');
    case 'm':
      return pad(date.getMonth() + 1);
    case 'M':
      return pad(date.getMinutes());
    case 'n':
      return '\n';
    case 'p':
      return hours < 12 ? 'AM' : 'PM';
    case 'P':
      return hours < 12 ? 'am' : 'pm';
    case 'r':
      return formatDate(date, '%I:%M:%S %p');
    case 'R':
      return formatDate(date, '%H:%M');
    case 's':
      return String(Math.floor(date.getTime() / 1000));
    case 'S':
      return pad(date.getSeconds());
    case 't':
      return '\t';
    case 'T':
    case 'X':
      return formatDate(date, '%H:%M:%S');
    case 'u':
      return String(date.getDay() || 7);
    case 'U':
      return pad(weekOfYear(date, 0));
    case 'V':
      return pad(isoWeek(date).week);
    case 'w':
      return String(date.getDay());
    case 'W':
      return pad(weekOfYear(date, 1));
    case 'y':
      return pad(date.getFullYear() % 100);
    case 'Y':
      return String(date.getFullYear());
    case 'z':
    case 'Z':
      // The time of `datetime.now()` names no zone.
      return '';
    case '%':
      return '%';
    default:
      return null;
  }
}

/** The date (local time) in this form. `%-d` is `%d` without zeros before it. */
export function formatDate(date: Date, form: string): string {
  return form.replace(/%([-_0^#]?)([^])/g, (all, flag: string, letter: string) => {
    const part = formatPart(date, letter);
    if (part === null) return all;
    if (part.length > 1_000) throw new TemplateError('a date is too long');
    if (flag === '-') return part.replace(/^[0 ]+(?=\d)/, '');
    if (flag === '_') return part.replace(/^0+(?=\d)/, (zeros) => ' '.repeat(zeros.length));
    return flag === '^' ? part.toUpperCase() : part;
  });
}

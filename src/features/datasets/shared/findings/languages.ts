// In which language people write: by the script where it says so, else by the n-grams of the library eld. Its data is a
// megabyte, so only the thread that checks rows loads it.
import { eld } from 'eld/extrasmall';
import { toMainScript, type Script } from '#features/datasets/shared/scripts.ts';

/** Scripts that one language has nearly for itself. eld decides in the others. */
const OF_SCRIPT: Partial<Readonly<Record<Script, string>>> = {
  Greek: 'el',
  Armenian: 'hy',
  Hebrew: 'he',
  Bengali: 'bn',
  Gurmukhi: 'pa',
  Gujarati: 'gu',
  Tamil: 'ta',
  Telugu: 'te',
  Kannada: 'kn',
  Malayalam: 'ml',
  Sinhala: 'si',
  Thai: 'th',
  Lao: 'lo',
  Tibetan: 'bo',
  Burmese: 'my',
  Georgian: 'ka',
  Korean: 'ko',
  Ethiopic: 'am',
  Khmer: 'km',
  Japanese: 'ja',
  Chinese: 'zh',
};

/** A text says its language early. */
const CHARACTERS = 120;
/** Code, tags, addresses and names with digits are of no language. */
const NO_WORDS = /```[\s\S]*?(?:```|$)|`[^`\n]*`|<[^<>\n]{1,200}>|[!-~]*(?:[\d@_\\]|:\/\/)[!-~]*/g;
const JSON_START = /^\s*(?:[{[]\s*["'{[\]}]|<\w+>)/;
/** As few letters as these say nothing: a name, a unit, a code. */
const MIN_LETTERS = 12;

/** Words that were seen are kept, so that most texts need no n-grams, which take ten times as long. */
const MAX_WORDS = 30_000;
/** Texts that eld reads at 40 microseconds: of many that are always new, a part. */
const MOST = { first: 2000, share: 1 / 64 } as const;
/** How many known words decide, and which share of a text. */
const KNOWN_WORDS = 3;
const KNOWN_SHARE = 0.6;
/** A word belongs to a language that has it so many times as often as all others. */
const OWN = 4;

interface Word {
  language: string;
  own: number;
  other: number;
}

export interface Languages {
  /** The ISO 639-1 code of a text; null if it is too short to say, or one of too many that have nothing in common. */
  toLanguage(text: string): string | null;
}

/** The words of the text that was read last, as hashes of 30 bits: no text has to be cut. */
const words = new Int32Array(CHARACTERS);
let wordCount = 0;
let letterCount = 0;

/** Reads the words of a text. False if it is in a script without spaces between them. */
function readWords(text: string): boolean {
  wordCount = 0;
  letterCount = 0;
  const end = Math.min(text.length, CHARACTERS);
  let hash = 0;
  for (let at = 0; at <= end; at += 1) {
    const code = at < end ? text.charCodeAt(at) : 32;
    const folded = code < 0x80 || (code >= 0xc0 && code < 0xdf) ? code | 32 : code;
    if ((folded >= 97 && folded <= 122) || (code >= 0xc0 && code < 0x2000)) {
      hash = Math.imul(hash ^ folded, 0x01000193) & 0x3fffffff;
      letterCount += 1;
    } else if (code >= 0x2e80) return false;
    else if (hash !== 0) {
      words[wordCount] = hash;
      wordCount += 1;
      hash = 0;
    }
  }
  return true;
}

/** Each one learns words of its own texts. */
export function openLanguages(): Languages {
  const known = new Map<number, Word>();
  /** Texts so far, and those of them that eld read. */
  let asked = 0;
  let detected = 0;

  function learn(language: string): void {
    for (let at = 0; at < wordCount; at += 1) {
      const name = words[at] ?? 0;
      const word = known.get(name);
      if (word === undefined) {
        if (known.size < MAX_WORDS) known.set(name, { language, own: 1, other: 0 });
      } else if (word.language === language) word.own += 1;
      else if (++word.other > word.own) Object.assign(word, { language, own: word.other, other: word.own });
    }
  }

  /** The language of most words; null if too few are known, or they are of several ones. */
  function recall(): string | null {
    let best: string | null = null;
    let votes = 0;
    let others = 0;
    for (let at = 0; at < wordCount; at += 1) {
      const word = known.get(words[at] ?? 0);
      if (word === undefined || word.own < word.other * OWN) continue;
      best ??= word.language;
      if (word.language === best) votes += 1;
      else others += 1;
    }
    return votes >= KNOWN_WORDS && votes >= wordCount * KNOWN_SHARE && others * OWN <= votes ? best : null;
  }

  return {
    toLanguage(text) {
      if (JSON_START.test(text)) return null;
      asked += 1;
      if (readWords(text)) {
        const recalled = letterCount < MIN_LETTERS ? null : recall();
        if (recalled !== null) return recalled;
        if (detected > MOST.first + asked * MOST.share) return null;
      }
      const start = text
        .slice(0, CHARACTERS * 2)
        .replace(NO_WORDS, ' ')
        .slice(0, CHARACTERS);
      const script = toMainScript(start);
      const own = script === null ? undefined : OF_SCRIPT[script];
      if (script === null || own !== undefined) return own ?? null;
      const hasWords = readWords(start);
      if (hasWords && letterCount < MIN_LETTERS) return null;
      detected += 1;
      const { language } = eld.detect(start);
      if (language === '') return null;
      if (hasWords) learn(language);
      return language;
    },
  };
}

/** "German", of an ISO 639-1 code. */
export const toLanguageName = (code: string): string =>
  new Intl.DisplayNames('en', { type: 'language', fallback: 'code' }).of(code) ?? code;

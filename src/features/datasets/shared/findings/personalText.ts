// Texts that look like numbers and addresses of persons, by their check digits and the forms of countries. Pure.

interface PersonalData {
  /** "a card number" */
  readonly name: string;
  /** Its start or end, by which people find it; the rest is hidden. */
  readonly masked: string;
}

const toDigits = (text: string): string => text.replaceAll(/\D/g, '');

/** Whether the check digit of a card number is right (Luhn). */
function isLuhn(digits: string): boolean {
  let sum = 0;
  for (let at = 0; at < digits.length; at += 1) {
    const value = Number(digits[digits.length - 1 - at]) * (at % 2 === 1 ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}

/** Whether the check digits of an IBAN are right (ISO 13616: modulo 97). */
function isIban(iban: string): boolean {
  let rest = 0;
  for (const sign of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(sign, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}

/** Numbers that banks give to cards: Visa, Mastercard, American Express, Discover, UnionPay. */
const CARD =
  /(?<![\w.+-])(?:(?:4\d{3}|5[1-5]\d\d|2[2-7]\d\d|6\d{3})([ .-]?)\d{4}\1\d{4}\1\d{4}|3[47]\d\d([ .-]?)\d{6}\2\d{5})(?![\w-]|[.]\d)/g;

function findCard(text: string): PersonalData | null {
  for (const [card] of text.matchAll(CARD)) {
    const digits = toDigits(card);
    if (isLuhn(digits) && new Set(digits).size > 1)
      return { name: 'a card number', masked: `${digits.slice(0, 4)} •••• •••• ${digits.slice(-4)}` };
  }
  return null;
}

const IBAN = /(?<![\w-])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?!\w)/g;
const IBAN_LENGTHS = { least: 15, most: 34 } as const;

function findIban(text: string): PersonalData | null {
  for (const [found] of text.matchAll(IBAN)) {
    // A word in capitals after it looks like its last group.
    for (let iban = found; iban !== ''; iban = iban.slice(0, Math.max(0, iban.lastIndexOf(' ')))) {
      const bare = iban.replaceAll(' ', '');
      if (bare.length < IBAN_LENGTHS.least) break;
      if (bare.length <= IBAN_LENGTHS.most && isIban(bare))
        return { name: 'a bank account (IBAN)', masked: `${bare.slice(0, 4)} •••• ${bare.slice(-4)}` };
    }
  }
  return null;
}

const EMAIL = /(?<![\w.+@/-])([\w.+-]{1,64})@((?:[\p{L}\d-]{1,63}\.){1,4}\p{L}{2,24})(?![\w@-])/gu;
/** Inboxes of a task, not of a person. */
const ROLE =
  /^(?:(?:no|do-?not|not)?[._-]?reply|git|info|infos|support|service|services|sales|contact|kontakt|contacto|hello|hallo|hi|help|helpdesk|admin|administrator|office|team|mail|post|postmaster|webmaster|hostmaster|abuse|security|privacy|legal|press|presse|jobs|careers|hr|billing|invoice|invoices|rechnung|accounting|orders?|shop|store|returns|retoure|newsletter|news|marketing|feedback|notifications?|alerts?|root|www|noc|customer[._-]?(?:care|service)|kundenservice|test|user(?:name)?|name|email|you|your[._-]?(?:name|email)|me|someone|foo|bar)(?:\+[\w.-]*)?$/i;
/** Domains that nobody can have (RFC 2606, RFC 6761), and those of machines. */
const RESERVED =
  /(?:^|\.)(?:\w\.\w{2,3}|example\.\w+|example|test|invalid|localhost|local|internal|lan|yourdomain\.\w+|domain\.(?:com|tld)|company\.com)$/i;

function findEmail(text: string): PersonalData | null {
  for (const { 0: email, 1: name = '', 2: domain = '', index } of text.matchAll(EMAIL)) {
    if (ROLE.test(name) || RESERVED.test(domain)) continue;
    // A password in an address of a service ends like it.
    const before = text.slice(Math.max(0, index - 80), index);
    if (/:\/\/\S*$/.test(before)) continue;
    return { name: 'an e-mail address', masked: `${email.slice(0, 1)}••••@${domain.slice(0, 1)}••••` };
  }
  return null;
}

/** Never given: 000, 666 and 900 to 999, and groups of zeros (Social Security Administration, 2011). */
const SSN = /(?<![\w.+-])(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\w-]|[.]\d)/;

const EDGE = '(?<![\\w.+/-]|\\d[ ,])';
const END = '(?![\\w-]|[.,]\\d| ?\\d)';
/** Numbers whose form says that they are phones, wherever they stand. */
const PHONES: readonly RegExp[] = [
  // +49 170 1234567, +1-503-234-1234, 0049 (0)30 123456
  /(?<![\w.+/-]|[A-Z\d] )(?:\+|00)[1-9]\d{0,2}[ .\-/]?(?:\(0?\d{0,4}\)[ .\-/]?)?\d{1,5}(?:[ .\-/]?\d{2,8}){1,5}(?![\w-]|[.,]\d)/g,
  // (415) 234-1234, 415-234-1234
  /(?<![\w.+/-])(?:\([2-9]\d\d\) ?|[2-9]\d\d-)[2-9]\d\d[-. ]\d{4}(?![\w-]|[.,]\d)/g,
  // 030/123456, 0221 / 1234567
  new RegExp(`${EDGE}\\(?0[1-9]\\d{1,4}\\)? ?/ ?\\d{4,9}${END}`, 'g'),
  // 07400 123456, 0171 2345678
  new RegExp(`${EDGE}0[1-9]\\d{2,3} \\d{6,8}${END}`, 'g'),
  // 06 12 34 56 78
  new RegExp(`${EDGE}0[1-9]([ .])\\d\\d(?:\\1\\d\\d){3}${END}`, 'g'),
  // 090-1234-5678
  new RegExp(`${EDGE}0[5-9]0-\\d{4}-\\d{4}${END}`, 'g'),
];
/** Numbers that are phones where the words before them say so. */
const SAID =
  /(?<!\p{L})(?:phone|mobile|cell|tel|fax|handy|whatsapp|call|ring|reach|anruf|anrufen|erreichbar|téléphone|portable|móvil|teléfono|telefon|komórk)\p{L}{0,4}(?!\p{L})[^\d\n]{0,30}?((?:\(?\d[\d ()/.-]{6,18}\d))(?![\w-]|[.,]\d)/giu;
const PHONE_DIGITS = { least: 8, most: 15 } as const;
/** Kept for films and forms (North American Numbering Plan). */
const FICTION = /555-?01\d\d$/;

const toPhone = (phone: string): PersonalData | null => {
  const digits = toDigits(phone);
  if (digits.length < PHONE_DIGITS.least || digits.length > PHONE_DIGITS.most || FICTION.test(digits)) return null;
  if (new Set(digits).size < 3 || '01234567890'.includes(digits.slice(-8))) return null;
  return { name: 'a phone number', masked: `${phone.trim().slice(0, 3)}•••• ${digits.slice(-2)}` };
};

function findPhone(text: string): PersonalData | null {
  for (const form of PHONES) {
    for (const [phone] of text.matchAll(form)) {
      const found = toPhone(phone);
      if (found) return found;
    }
  }
  for (const [, phone = ''] of text.matchAll(SAID)) {
    const found = /^(?:19|20)\d\d-/.test(phone) ? null : toPhone(phone);
    if (found) return found;
  }
  return null;
}

/** Seven digits that stand together, or nearly: no number of a person has fewer. */
const DIGITS = /\d(?:[ ()/.-]{0,3}\d){6}/;

/** What a text seems to hold of a person; null if nothing. */
export function findPersonal(text: string): PersonalData | null {
  const email = text.includes('@') ? findEmail(text) : null;
  if (email || !DIGITS.test(text)) return email;
  const ssn = SSN.exec(text)?.[0];
  if (ssn !== undefined) return { name: 'a social security number', masked: `•••-••-${ssn.slice(-4)}` };
  return findCard(text) ?? findIban(text) ?? findPhone(text);
}

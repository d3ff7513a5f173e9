// Texts that look like keys or passwords, by the forms that their makers publish. Pure.

import { SIGNS, toSigns } from './textSigns.ts';

interface Secret {
  /** "an AWS key" */
  readonly name: string;
  /** What may be shown of it: its first characters, by which people find it. */
  readonly masked: string;
}

/** Each form starts with a fixed text, and what may fail after it is bounded: any text is searched in linear time. */
const FORMS: readonly (readonly [name: string, form: RegExp])[] = [
  // Whole ones: documentation often leaves the inside out.
  ['a private key', /-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----[^-]{0,300}?[\w+/]{40}/g],
  ['an Anthropic key', /\bsk-ant-[\w-]{20,}/g],
  ['an OpenAI key', /\bsk-(?!ant-)(?=[\w-]{0,60}\d)[\w-]{32,}/g],
  ['a GitHub token', /\bgh[pousr]_[A-Za-z0-9]{36}|\bgithub_pat_\w{40,}/g],
  ['a GitLab token', /\bgl(?:pat|ptt|dt|rt|cbt)-[\w-]{20}/g],
  ['an AWS key', /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g],
  ['a Google key', /\bAIza[\w-]{35}|\bGOCSPX-[\w-]{28}/g],
  ['a Slack token', /\bxox[abeoprs]-[\w-]{20,}|\bxapp-\d-[\w-]{20,}/g],
  ['a webhook of Slack', /\bhooks\.slack\.com\/(?:services|workflows)\/T\w{6,}\/\w{6,}\/\w{16,}/g],
  ['a webhook of Discord', /\bdiscord(?:app)?\.com\/api\/webhooks\/\d{15,}\/[\w-]{50,}/g],
  ['a Hugging Face token', /\bhf_[A-Za-z0-9]{30,}/g],
  ['a Stripe key', /\b[rs]k_live_[A-Za-z0-9]{16,}|\bwhsec_[A-Za-z0-9]{24,}/g],
  ['an npm token', /\bnpm_[A-Za-z0-9]{36}/g],
  ['a PyPI token', /\bpypi-AgE[\w-]{50,}/g],
  ['a SendGrid key', /\bSG\.[\w-]{16,32}\.[\w-]{32,64}/g],
  ['a Twilio key', /\b(?:SK|AC)[0-9a-f]{32}\b/g],
  ['a key of Azure storage', /\bAccountKey=[\w+/]{86}==/g],
  ['a DigitalOcean token', /\bdo[opr]_v1_[0-9a-f]{64}/g],
  ['a Databricks token', /\bdapi[0-9a-f]{32}/g],
  ['a Telegram token', /\b\d{8,10}:AA[\w-]{33}(?![\w-])/g],
  ['a Shopify token', /\bshp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}/g],
  ['a Groq key', /\bgsk_[A-Za-z0-9]{40,}/g],
  ['a token of HashiCorp Vault', /\bhvs\.[\w-]{24,}/g],
  ['a Grafana token', /\bglsa_[A-Za-z0-9]{32}_[0-9a-f]{8}/g],
  ['a Postman key', /\bPMAK-[0-9a-f]{24}-[0-9a-f]{34}/g],
  ['an age key', /\bAGE-SECRET-KEY-1[0-9A-Z]{58}/g],
  ['a signed token (JWT)', /\beyJ[\w-]{10,2000}\.eyJ[\w-]{10,2000}\.[\w-]{10,}/g],
];

/** One look says no for nearly all texts. */
const HINT =
  /PRIVATE KEY|sk-|gh[pousr]_|github_pat_|gl[a-z]{2,3}-|A[KS]IA|AIza|GOCSPX|xox|xapp-|\.com\/(?:services|workflows|api\/webhooks)\/|hf_|k_live_|whsec_|npm_|pypi-|SG\.|SK[0-9a-f]{32}|AC[0-9a-f]{32}|AccountKey=|do[opr]_v1_|dapi|:AA|shp[a-z]{2}_|gsk_|hvs\.|glsa_|PMAK-|AGE-SECRET|eyJ/;
/** Values of documentation, which AWS and others publish. */
const EXAMPLE = /EXAMPLE|x{8}|X{8}|0{8}|1234567890|\*{4}|\.{3}|•/i;

/** A value that is named as a secret, in a header or a configuration. */
const NAMED =
  /(?<![a-z])(\w{0,40}?(?:api_?key|access_?key|account_?key|secret|token|passw(?:or)?d|passwd|pwd|credentials?|private_?key|_key)\w{0,16})["']?\s{0,4}(?:[:=]|=>|:=)\s{0,4}["'`]?([^\s"'`,;<>(){}[\]$|]{8,300})/gi;
/** "Bearer" and "Basic", as headers have them. */
const HEADER = /\b(Bearer|Basic|Token)\s{1,4}([\w.~+/=-]{20,2000})/g;
const NAMED_HINT = /key|token|secret|passw|pwd|credential/i;
const HEADER_HINT = /Bearer|Basic|Token/;
/** Names of what everybody may see. */
const PUBLIC =
  /public|publishable|site_?key|primary|foreign|cache|sort|partition|idempoten|csrf|max_?token|pad_?token/i;
const PASSWORD = /passw|pwd/i;
/** What stands where a secret goes. */
const PLACEHOLDER =
  /^(?:your|my|the|some|any|user(?:name)?|pass(?:word|wd)?|pw|pwd|secret|token|key|changeme|change[_-]me|example|placeholder|redacted|hidden|none|null|undefined|test|dummy|foo|bar)(?:[_-]?\w{0,20})$|process\.env|environ|secrets?\.|getenv|config\.|^\w+\.\w+\.\w+$/i;
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

const KINDS_OF_SIGNS = [/[a-z]/, /[A-Z]/, /\d/] as const;
const countKinds = (text: string): number => KINDS_OF_SIGNS.filter((kind) => kind.test(text)).length;

/** Whether a value looks drawn by chance, as keys are: long, of letters and digits, with few that repeat. */
const isRandom = (value: string): boolean =>
  value.length >= 16 &&
  countKinds(value) >= 2 &&
  /\d/.test(value) &&
  new Set(value).size >= Math.min(12, value.length / 2) &&
  !UUID.test(value);

const isPlaceholder = (value: string): boolean => EXAMPLE.test(value) || PLACEHOLDER.test(value);

const SHOWN = 4;
const toMasked = (secret: string): string => `${secret.slice(0, SHOWN)}••••`;

function findKey(text: string): Secret | null {
  if (!HINT.test(text)) return null;
  for (const [name, form] of FORMS)
    for (const [secret] of text.matchAll(form)) if (!EXAMPLE.test(secret)) return { name, masked: toMasked(secret) };
  return null;
}

function findNamed(text: string): Secret | null {
  for (const [, name = '', value = ''] of text.matchAll(NAMED)) {
    if (PUBLIC.test(name) || isPlaceholder(value)) continue;
    if (PASSWORD.test(name) ? countKinds(value) >= 2 && /\d/.test(value) : isRandom(value))
      return { name: PASSWORD.test(name) ? 'a password' : 'a key or token', masked: `${name}=••••` };
  }
  return null;
}

function isUserAndPassword(base64: string): boolean {
  try {
    return /^[\x20-\x7e]{1,200}:[\x20-\x7e]{3,}$/.test(atob(base64));
  } catch {
    return false;
  }
}

function findHeader(text: string): Secret | null {
  for (const [, scheme = '', value = ''] of text.matchAll(HEADER)) {
    if (isPlaceholder(value)) continue;
    if (scheme === 'Basic' ? isUserAndPassword(value) : isRandom(value) && countKinds(value) === 3)
      return { name: scheme === 'Basic' ? 'a password' : 'a token', masked: `${scheme} ••••` };
  }
  return null;
}

const ADDRESS = /([a-z][a-z+]{1,20}):\/\/([^\s:/@"'<>]{0,64}):([^\s/@"'<>]{3,100})@/gi;

function findInAddress(text: string): Secret | null {
  for (const [, scheme = '', user = '', password = ''] of text.matchAll(ADDRESS)) {
    if (isPlaceholder(password) || /[${}%*]|\.\.\./.test(password.replaceAll(/%[0-9a-f]{2}/gi, ''))) continue;
    return { name: 'a password in an address', masked: `${scheme}://${user}:••••@` };
  }
  return null;
}

/** What a text seems to hold; null if nothing. `signs`: of the text. */
export function findSecret(text: string, signs = toSigns(text)): Secret | null {
  if ((signs & SIGNS.run) !== 0) {
    const secret = findKey(text) ?? (text.includes('://') ? findInAddress(text) : null);
    if (secret) return secret;
    const header = HEADER_HINT.test(text) ? findHeader(text) : null;
    if (header) return header;
  }
  return (signs & SIGNS.assigned) !== 0 && NAMED_HINT.test(text) ? findNamed(text) : null;
}

// Texts that look like keys or passwords, by the forms that their makers publish. Pure.

/** Each form starts with a fixed text, and what may fail after it is bounded: any text is searched in linear time. */
const FORMS: readonly (readonly [name: string, form: RegExp])[] = [
  ['a private key', /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----/g],
  ['an Anthropic key', /\bsk-ant-[\w-]{20,}/g],
  ['an OpenAI key', /\bsk-(?!ant-)(?=[\w-]{0,60}\d)[\w-]{32,}/g],
  ['a GitHub token', /\bgh[pousr]_[A-Za-z0-9]{36}|\bgithub_pat_\w{40,}/g],
  ['a GitLab token', /\bglpat-[\w-]{20}/g],
  ['an AWS key', /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g],
  ['a Google key', /\bAIza[\w-]{35}/g],
  ['a Slack token', /\bxox[abeoprs]-[\w-]{20,}/g],
  ['a Hugging Face token', /\bhf_[A-Za-z0-9]{30,}/g],
  ['a Stripe key', /\b[rs]k_live_[A-Za-z0-9]{16,}/g],
  ['an npm token', /\bnpm_[A-Za-z0-9]{36}/g],
  ['a signed token (JWT)', /\beyJ[\w-]{10,2000}\.eyJ[\w-]{10,2000}\.[\w-]{10,}/g],
  ['a password in an address', /:\/\/[^\s:/@]{1,64}:[^\s:/@]{3,64}@/g],
];

/** One look says no for nearly all texts. */
const HINT =
  /PRIVATE KEY-----|sk-|gh[pousr]_|github_pat_|glpat-|A[KS]IA|AIza|xox|hf_|k_live_|npm_|eyJ|:\/\/[^\s/@]{1,130}@/;
/** Values of documentation, which AWS and others publish. */
const EXAMPLE = /EXAMPLE|x{8}|0{8}|1234567890/i;

/** What a text seems to hold, such as `an AWS key`; null if nothing. The secret itself is never repeated. */
export function findSecret(text: string): string | null {
  if (!HINT.test(text)) return null;
  for (const [name, form] of FORMS) {
    for (const [secret] of text.matchAll(form)) if (!EXAMPLE.test(secret)) return name;
  }
  return null;
}

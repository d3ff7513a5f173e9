import { describe, expect, it } from 'vitest';
import { findSecret } from './secretText.ts';

const letters = 'aB3dE6gH9kL2mN5pQ8rS1tU4vW7xY0zA';
// Put together here, so that no file of the project looks as if it held a key.
const secrets: readonly (readonly [string, string])[] = [
  ['an OpenAI key', `sk-proj-${letters}${letters}`],
  ['an OpenAI key', `sk-${letters}${letters.slice(0, 16)}`],
  ['an Anthropic key', `sk-ant-api03-${letters}`],
  ['a GitHub token', `ghp_${letters}abcd`],
  ['a GitHub token', `github_pat_${letters}${letters}`],
  ['a GitLab token', `glpat-${letters.slice(0, 20)}`],
  ['an AWS key', `AKIA${'Q3WERTYUIOPASDFG'}`],
  ['a Google key', `AIza${letters}abc`],
  ['a Slack token', `xoxb-${letters}`],
  ['a Hugging Face token', `hf_${letters}`],
  ['a Stripe key', `sk_live_${letters}`],
  ['an npm token', `npm_${letters}abcd`],
  ['a signed token (JWT)', `eyJ${letters}.eyJ${letters}.${letters}`],
  ['a private key', `-----BEGIN RSA PRIVATE KEY-----\n${letters}${letters}\n-----END RSA PRIVATE KEY-----`],
  ['a SendGrid key', `SG.${letters.slice(0, 22)}.${letters}${letters.slice(0, 11)}`],
  ['a PyPI token', `pypi-AgEIcHlwaS5vcmc${letters}${letters}`],
  ['a webhook of Slack', `https://hooks.slack.com/services/T0AB1CD2E/B0AB1CD2E/${letters.slice(0, 24)}`],
  ['a Telegram token', `1234567895:AA${letters}a`],
  ['a key or token', `AWS_SECRET_ACCESS_KEY=${letters}/abcd+ef`],
  ['a password', 'password: Regen8schirm'],
  ['a token', `Authorization: Bearer ${letters}`],
  ['a password', `Authorization: Basic ${btoa('deploy:Regen8schirm')}`],
  ['a password in an address', 'redis://:Regen8schirm@10.4.12.7:6379/0'],
  ['a password in an address', 'postgres://admin:hunter22@db.internal/x'],
];

describe('findSecret', () => {
  it.each(secrets)('finds %s', (name, secret) => {
    const found = findSecret(`The value is "${secret}", keep it.`);
    expect(found?.name).toBe(name);
    expect(found?.masked).toMatch(/^.{0,40}••••@?$/);
    expect(secret).not.toBe(found?.masked);
  });

  it.each([
    '',
    'My order is ORD-83240, paid with card 4242.',
    'task-based sk-learn-pipelines-for-text-classification-and-more-of-it',
    `AKIAIOSFODNN7${'EXAMPLE'}`,
    'https://example.com/a?b=c:d@e',
    'mailto:anna@example.com, https://example.com',
    'hf_short ghp_short eyJhbGciOiJI',
    'postgres://user:password@host/db, mongodb://${USER}:${PASS}@${HOST}/x',
    '-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----',
    'Authorization: Bearer YOUR_API_KEY, Authorization: Bearer $ACCESS_TOKEN, apiKey: process.env.OPENAI_API_KEY',
    `ETag: "${letters}", integrity sha512-${letters}${letters}==`,
    'sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
  ])('finds none in %j', (text) => {
    expect(findSecret(text)).toBeNull();
  });

  it('looks on after an example', () => {
    expect(findSecret(`AKIAIOSFODNN7${'EXAMPLE'} and AKIA${'Q3WERTYUIOPASDFG'}`)?.masked).toBe('AKIA••••');
  });
});

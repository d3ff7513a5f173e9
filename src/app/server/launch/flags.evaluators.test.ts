import { describe, expect, it } from 'vitest';
import { parseSettings } from './flags.ts';
import type { Settings } from './settings.ts';
import { FlagProblem } from './urlFlags.ts';

function settingsOf(args: readonly string[], environment: Readonly<Record<string, string>> = {}): Settings {
  const parsed = parseSettings(args, environment, '/users/ada');
  if (parsed.kind !== 'settings') throw new Error(parsed.kind);
  return parsed.settings;
}

describe('own evaluators', () => {
  it('are named with their addresses, and get the token of the environment', () => {
    const args = ['--evaluator', 'tone=http://127.0.0.1:9000/score', '--evaluator=facts=https://facts.example.com'];
    expect(settingsOf(args, { STUDIO_EVALUATOR_TOKEN: 'secret' }).mode).toMatchObject({
      evaluators: {
        allowed: [
          { name: 'tone', url: 'http://127.0.0.1:9000/score' },
          { name: 'facts', url: 'https://facts.example.com/' },
        ],
        token: 'secret',
      },
    });
    expect(settingsOf(['--evaluator', 'tone=http://10.0.0.1/']).warnings.join()).toContain('no TLS');
  });

  it.each([
    ['tone', 'must be NAME=URL'],
    ['my tone=http://127.0.0.1', 'must be NAME=URL'],
    ['tone=ftp://x', 'begins with http:// or https://'],
  ])('are refused as %j', (value, words) => {
    expect(() => settingsOf(['--evaluator', value])).toThrow(words);
  });

  it('have names of their own', () => {
    const args = ['--evaluator', 'a=http://127.0.0.1:1', '--evaluator', 'a=http://127.0.0.1:2'];
    expect(() => settingsOf(args)).toThrow(FlagProblem);
  });
});

describe('a webhook', () => {
  const KEY = 'A'.repeat(22);
  const webhookOf = (url: string, secret = '') =>
    settingsOf([], { STUDIO_WEBHOOK: url, STUDIO_WEBHOOK_SECRET: secret }).mode;

  it('hears of runs over TLS, or on this machine, and may have a query', () => {
    for (const url of ['http://127.0.0.1:9/a', 'https://chat.example.com/v1/messages?key=a&token=b'])
      expect(webhookOf(url)).toMatchObject({ webhook: { url, key: null } });
    expect(() => webhookOf('http://chat.example.com/a')).toThrow(
      /^STUDIO_WEBHOOK must be a URL that begins with https:.* not one of http:\/\/chat\.example\.com\.$/,
    );
    expect(() => webhookOf('https://ada:b@chat.example.com')).toThrow(
      /^STUDIO_WEBHOOK must not hold a name or password\.$/,
    );
  });

  it.each([`whsec_${KEY}==`, `whsec_${KEY}`, 'sixteen letters.'])('is signed with %s', (secret) => {
    const key = secret.startsWith('whsec_') ? Buffer.alloc(16) : Buffer.from(secret);
    expect(webhookOf('https://x', secret)).toMatchObject({ webhook: { key } });
  });

  it.each(['whsec_', 'whsec_!!!', 'whsec_c2VjcmV0', `whsec_${KEY}!!`, `whsec_${KEY}==\n`, 'short'])(
    'is not signed with %j',
    (secret) => {
      expect(() => webhookOf('https://x', secret)).toThrow(
        /^STUDIO_WEBHOOK_SECRET must be whsec_ and Base64 of at least 16/,
      );
    },
  );
});

import { describe, expect, it } from 'vitest';
import { FlagProblem, parseSettings } from './flags.ts';
import type { Settings } from './settings.ts';

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

it('a webhook hears of runs over TLS, or on this machine', () => {
  const environment = { STUDIO_WEBHOOK_SECRET: 'whsec_a' };
  const webhookOf = (url: string) => parseSettings(['--webhook', url], environment, '/');
  expect(webhookOf('http://127.0.0.1:9/a')).toMatchObject({
    settings: { mode: { webhook: { url: 'http://127.0.0.1:9/a', secret: 'whsec_a' } } },
  });
  expect(() => webhookOf('http://chat.example.com')).toThrow('--webhook must be a URL that begins with https://');
});

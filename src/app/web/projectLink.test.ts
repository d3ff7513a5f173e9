import { describe, expect, it } from 'vitest';
import { parseProjectLink } from './projectLink.ts';

const ID = '6f0c4a12-0b7e-4c55-9a54-2d8f1f2b91ab';
const NODE = '11111111-2222-4333-8444-555555555555';

describe('a pasted project', () => {
  it.each([
    ID,
    `  ${ID}\n`,
    `https://studio.example.com/projects/${ID}`,
    `https://studio.example.com/projects/${ID}/datasets/${NODE}?tab=runs`,
    `http://127.0.0.1:4600/?node=${NODE}&project=${ID}`,
    `https://studio.example.com/api/v1/public/projects/${ID}`,
    `https://studio.example.com/#/app/${ID}`,
    `projectId=${ID}`,
  ])('is found in %s', (text) => expect(parseProjectLink(text)).toEqual({ ok: true, id: ID }));

  it('is not guessed', () => {
    expect(parseProjectLink(`https://studio.example.com/a/${ID}/b/${NODE}`)).toMatchObject({
      ok: false,
      problem: expect.stringContaining('several ids'),
    });
    for (const text of ['', 'my project', 'https://studio.example.com/projects', `${ID}0`.replace('-', '')]) {
      expect(parseProjectLink(text)).toMatchObject({
        ok: false,
        problem: expect.stringContaining('A project id is a UUID'),
      });
    }
  });
});

import { expect, it } from 'vitest';
import { parseTokenFile } from './tokenFile.ts';

const TOKEN = `ms_${'x'.repeat(43)}`;
const parse = (text: string | Buffer) => parseTokenFile(Buffer.from(text), '/w/gpu-1.token');

it.each([
  ['the token alone', TOKEN],
  ['with a line end', `${TOKEN}\n`],
  ['with line ends of Windows', `\r\n${TOKEN}\r\n`],
  ['with comments', `# of gpu-1\n\n  ${TOKEN}  \n#\n`],
  ['with what npm says before it', `\n> model-studio@0.1.0 start\n> node launch.mjs token add gpu-1\n\n${TOKEN}\n`],
  ['with the mark that some editors write', `\ufeff${TOKEN}\n`],
  ['as PowerShell redirects it', Buffer.from(`\ufeff${TOKEN}\r\n`, 'utf16le')],
])('takes a file %s', (_what, text) => expect(parse(text)).toBe(TOKEN));

it("takes the studio's own token", () => expect(parse('p4ss=word!\n')).toBe('p4ss=word!'));

it.each([
  ['', 'holds no token. Make one on the studio\'s machine with "token add NAME > FILE"'],
  ['# nothing\n', 'holds no token'],
  [`${TOKEN}\nThis is the token of gpu-1.\n`, 'must hold one token in a line of its own, and line 2 is something else'],
  [`${TOKEN}\n${TOKEN}\n`, 'line 2'],
  ['two words', 'line 1'],
  ['schlüssel', 'line 1'],
])('says what is wrong with %j, and not what it holds', (text, message) => {
  expect(() => parse(text)).toThrow(message);
  expect(() => parse(text)).not.toThrow(TOKEN);
});

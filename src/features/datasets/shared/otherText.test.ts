import { describe, expect, it } from 'vitest';
import { findOtherText } from './otherText.ts';

describe('text that is no JSON', () => {
  it.each([
    [['instruction,input,output', 'Say hi,,Hello'], 'CSV with the columns instruction, input, output.', '(sys.stdin)'],
    [['"question","the answer"', '"a, b","c'], 'CSV with the columns question, the answer.', '(sys.stdin)'],
    [[',text,label', '0,a,b'], 'CSV with the columns text, label.', '(sys.stdin)'],
    [['q\ta', 'x\ty'], 'TSV (CSV with tabs) with the columns q, a.', 'delimiter="\\t"'],
    [['frage;antwort', 'x, y;z'], 'CSV with semicolons with the columns frage, antwort.', 'delimiter=";"'],
    [['a,b'], 'CSV with the columns a, b.', '(sys.stdin)'],
  ])('as %j is a table, which a command converts', (lines, words, option) => {
    const other = findOtherText(lines);
    expect(other?.reason).toContain(words);
    expect(other?.reason).toContain('JSON arrays');
    expect(other?.toCommand?.(null)).toContain(option);
    expect(other?.toCommand?.(null)).toMatch(/ < data\.csv > data\.jsonl$/);
    expect(other?.toCommand?.('my rows.tsv')).toMatch(/ < 'my rows\.tsv' > 'my rows\.jsonl'$/);
  });

  it.each([[['# Rows', 'one']], [['<rows>', '<row/>']], [['Dear all, this is', 'a letter']], [['x', 'y']]])(
    'as %j is told by how it begins',
    (lines) => {
      const other = findOtherText(lines);
      expect(other).toMatchObject({ toCommand: null });
      expect(other?.reason).toContain(JSON.stringify(lines[0]));
    },
  );

  it.each([
    [['\u001a', 'IHDR'], '0x1A'],
    [['a name', 'x\u0001y'], '0x01'],
  ])('as %j is no text at all', (lines, byte) => {
    const other = findOtherText(lines);
    expect(other?.toCommand).toBeNull();
    expect(other?.reason).toContain(`The file has the byte ${byte}, which no text has, so it is no text.`);
  });

  it('may have tabs, colours and letters of all planes', () => {
    expect(findOtherText(['\u001b[31mAn error\u001b[0m\t😀'])?.reason).toContain('its text begins with');
  });

  it.each([
    [[]],
    [['{"a": 1}']],
    [['{"a": ', '}']],
    [['[1, 2]']],
    [['7', '8']],
    [['"a text"']],
    [['a first line, by mistake', '{"a": 1}']],
  ])('is not %j: its lines say what is wrong with them', (lines) => {
    expect(findOtherText(lines)).toBeNull();
  });
});

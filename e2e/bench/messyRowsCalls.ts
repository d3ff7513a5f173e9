// Rows whose tool results belong to no call, and rows whose results only look like it.
import { decoy, fault, times, type Draft, type Maker, type Message, type Plant } from './messyRowsKinds.ts';
import { toCall, toCallMessage, toResultMessage, toToolDraft, toTurn } from './messyRowsParts.ts';

export function makeOrphans({ draw, fresh }: Maker): Draft[] {
  const faults = times(32, (at) =>
    fresh(() => {
      const call = toCall(draw);
      const [user, called, result, answer] = toTurn(call) as [Message, Message, Message, Message];
      const stray = { ...result, tool_call_id: `call_${draw.text('alnum', 24)}` };
      const plant = (what: string): Plant[] => [fault('orphan-tool-result', what)];
      if (at % 8 < 3) return toToolDraft([user, called, stray, answer], plant('id of no call'));
      if (at % 8 === 3) return toToolDraft([user, called, result, stray, answer], plant('one result too many'));
      if (at % 8 < 6) return toToolDraft([user, result, answer], plant('no call'));
      if (at % 8 === 6) return toToolDraft([user, result, called, answer], plant('before its call'));
      return toToolDraft(
        [user, { role: 'assistant', content: 'Let me look that up.' }, result, answer],
        plant('call only announced'),
      );
    }),
  );
  const decoys = times(48, (at) =>
    fresh(() => {
      const plant = (what: string): Plant[] => [decoy('orphan-tool-result', what)];
      const first = toCall(draw);
      if (at % 3 === 0) {
        const second = { ...toCall(draw), id: `call_${draw.text('alnum', 24)}` };
        const question = `${first.talk.question} And: ${second.talk.question}`;
        const answer = `${first.talk.answer} ${second.talk.answer}`;
        return toToolDraft(
          [
            { role: 'user', content: question },
            toCallMessage(first, second),
            toResultMessage(second),
            toResultMessage(first),
            { role: 'assistant', content: answer },
          ],
          plant('parallel, other order'),
        );
      }
      if (at % 3 === 1)
        return toToolDraft([...toTurn(first), ...toTurn({ ...toCall(draw), id: first.id })], plant('id used again'));
      const turn = toTurn(first).map(({ tool_call_id: _id, ...message }) => message);
      return at % 2 === 0
        ? toToolDraft(turn, plant('no id after one call'))
        : toToolDraft([...toTurn(first), ...toTurn({ ...toCall(draw), id: `${first.id}b` })], plant('two turns'));
    }),
  );
  return [...faults, ...decoys];
}

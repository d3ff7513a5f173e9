// What can be found in rows: the one table of ids, words and weights. The API, the page and the search read it.

/** error: trainers fail or learn something wrong. warning: likely a mistake. notice: worth a look. */
type Severity = 'error' | 'warning' | 'notice';

export interface FindingKind {
  readonly severity: Severity;
  /** Of one row. */
  readonly title: string;
  /** Of some rows, in a button. */
  readonly label: string;
  readonly why: string;
  readonly todo: string;
}

const kinds = {
  'no-answer': {
    severity: 'error',
    title: 'No answer',
    label: 'no answer',
    why: 'The row has no assistant message, so nothing of it is trained.',
    todo: 'Add the answer, or set the row aside.',
  },
  'empty-answer': {
    severity: 'error',
    title: 'Empty answer',
    label: 'empty answer',
    why: 'The last answer is empty. A model learns to say nothing.',
    todo: 'Write the answer, or set the row aside.',
  },
  'empty-message': {
    severity: 'warning',
    title: 'Empty message',
    label: 'empty message',
    why: 'A message has no text. Often a field was lost when the file was made.',
    todo: 'Look at the first rows. If a field was lost, make the file again; else set the rows aside.',
  },
  'ends-with-user': {
    severity: 'warning',
    title: 'Ends without an answer',
    label: 'ends without an answer',
    why: "The last message is not the assistant's. What follows the last answer is never trained.",
    todo: 'Add the missing answer, or remove the last message.',
  },
  leak: {
    severity: 'error',
    title: 'Validation question is in training',
    label: 'in training and validation',
    why: 'The same question is among the training rows, so its validation result says nothing about new questions.',
    todo: 'Set these validation rows aside in the dataset, then make a new snapshot.',
  },
  'near-leak': {
    severity: 'warning',
    title: 'Validation row is close to a training row',
    label: 'nearly in training and validation',
    why: 'The text and the answer are nearly those of a training row, so the validation result looks better than it is.',
    todo: 'Compare the pairs. If they ask the same, set the validation rows aside in the dataset, then make a new snapshot.',
  },
  contradiction: {
    severity: 'warning',
    title: 'Same question, other answer',
    label: 'same question, other answer',
    why: 'The model sees two answers to one question that can hardly both be right, and learns a mix of them.',
    todo: 'Compare the answers and keep the better one.',
  },
  outvoted: {
    severity: 'warning',
    title: 'Answer against the majority',
    label: 'against the majority',
    why: 'Most rows that ask the same agree on another answer, so this one is likely wrong.',
    todo: 'Compare the answers, or set all of these rows aside with one press.',
  },
  'several-answers': {
    severity: 'notice',
    title: 'Same question, answered in other words',
    label: 'same question, other words',
    why: 'The answers to one question are free texts in other words, which may say the same or not.',
    todo: 'Nothing, if several answers are right. Else compare them and keep the better one.',
  },
  duplicate: {
    severity: 'warning',
    title: 'Exact duplicate',
    label: 'exact duplicates',
    why: 'The same row occurs more than once. Copies weigh more in training and cost time.',
    todo: 'Set the copies aside, unless the repetition is wanted.',
  },
  'near-duplicate': {
    severity: 'notice',
    title: 'Near duplicate',
    label: 'nearly the same',
    why: 'The text is nearly that of another row, and the answer says the same. Such rows add little that is new.',
    todo: 'Compare the pairs. Set copies aside that add nothing.',
  },
  'too-long': {
    severity: 'error',
    title: 'Longer than the context',
    label: 'longer than the context',
    why: 'The row has more tokens than the base model reads. What is beyond is cut: usually the answer.',
    todo: 'Shorten the row, set it aside, or take a base model with a longer context.',
  },
  'role-order': {
    severity: 'error',
    title: 'Unusual order of roles',
    label: 'odd order of roles',
    why: 'Many chat templates refuse such a chat, or leave messages out without a word.',
    todo: 'Correct the order: system first, then user and assistant in turn, results of tools after their calls.',
  },
  'orphan-tool-result': {
    severity: 'error',
    title: 'Tool result without its call',
    label: 'tool result without its call',
    why: 'No call before the result has its id. Many chat templates and services refuse such a chat.',
    todo: 'Correct "tool_call_id", or add the call that is missing.',
  },
  'undeclared-tool': {
    severity: 'error',
    title: 'Call of a tool that is not declared',
    label: 'call of an unknown tool',
    why: 'The answer calls a tool that the row does not list. The model learns to make up tools.',
    todo: 'Add the tool to "tools" of the row, or correct its name.',
  },
  'broken-arguments': {
    severity: 'error',
    title: 'Arguments of a call are no JSON object',
    label: 'broken tool call',
    why: 'The model learns to write calls that no program can read.',
    todo: 'Correct the arguments.',
  },
  'null-arguments': {
    severity: 'error',
    title: 'Nulls that the tool does not declare',
    label: 'nulls in tool calls',
    why: 'Arguments of a call or a schema have nulls that the tool does not allow, as tables put them in. The model learns to write them.',
    todo: 'Remove them from all of these rows with one press, or make the file again without a table.',
  },
  secret: {
    severity: 'error',
    title: 'Looks like a secret',
    label: 'looks like a secret',
    why: 'The text looks like a key or a password. A model can repeat what it was trained on to anybody.',
    todo: 'Replace it by a made-up one, and revoke the real one.',
  },
  personal: {
    severity: 'warning',
    title: 'Personal data',
    label: 'personal data',
    why: 'The text has a number or an address of a person. A model can repeat what it was trained on to anybody.',
    todo: 'Replace it by a made-up one, or set the row aside.',
  },
  refusal: {
    severity: 'warning',
    title: 'Answer that refuses',
    label: 'answer that refuses',
    why: 'The answer only says that it can not help, or speaks of itself as an AI. A model soon learns to refuse what it could do.',
    todo: 'Write the answer that you want, or set the row aside. Nothing, if the row is to teach a refusal.',
  },
  'unlike-answer': {
    severity: 'warning',
    title: 'Answer unlike the others',
    label: 'answer unlike the others',
    why: 'Nearly all rows of this task answer in one form or language, and this one in another. The model learns both.',
    todo: 'Write the answer in the form of the others, or set the row aside.',
  },
  'template-mark': {
    severity: 'warning',
    title: 'Mark of a chat template in a text',
    label: 'mark of a chat template',
    why: 'The text has a mark such as <|im_end|>, which a trainer may read as the end of a turn.',
    todo: 'Remove the marks: the chat template adds them.',
  },
  'all-masked': {
    severity: 'error',
    title: 'No answer may be learnt',
    label: 'no answer may be learnt',
    why: 'Marks such as "weight": 0 forbid to learn each answer of the row, so nothing of it is trained.',
    todo: 'Allow an answer, or set the row aside.',
  },
  'marks-disagree': {
    severity: 'warning',
    title: 'Marks disagree',
    label: 'marks disagree',
    why: 'One mark of a message, such as "weight", forbids to learn it, and another one, such as "train", allows it. It is not learnt.',
    todo: 'Keep the mark that is meant.',
  },
  'masked-answer': {
    severity: 'notice',
    title: 'Answer that is not learnt',
    label: 'answer not learnt',
    why: 'A mark such as "weight": 0 or "train_detail" forbids to learn an answer or a part of it. The model only reads it.',
    todo: 'Nothing, if it is meant. Exports write the mark as each trainer reads it.',
  },
  'equal-answers': {
    severity: 'error',
    title: 'Both answers are the same',
    label: 'both answers the same',
    why: 'The preferred answer of the pair is the rejected one, so there is nothing to prefer. Some trainers stop at such a row.',
    todo: 'Correct an answer, or set the row aside.',
  },
  'very-short': {
    severity: 'notice',
    title: 'Much shorter than the others',
    label: 'much shorter than the others',
    why: 'The row is far shorter than most. Such rows are often cut or empty.',
    todo: 'Look at the shortest ones.',
  },
  'very-long': {
    severity: 'notice',
    title: 'Much longer than the others',
    label: 'much longer than the others',
    why: 'The row is far longer than most. Such rows are often pasted logs, and they cost the most time.',
    todo: 'Look at the longest ones.',
  },
  'other-script': {
    severity: 'notice',
    title: 'Answer in another script than the question',
    label: 'answer in another script',
    why: 'Question and answer are written in different scripts, so most likely in different languages.',
    todo: 'Nothing, if the rows translate. Else check whether the answers belong to these questions.',
  },
} as const satisfies Readonly<Record<string, FindingKind>>;

export type FindingId = keyof typeof kinds;

export const FINDING_KINDS: Readonly<Record<FindingId, FindingKind>> = kinds;
export const FINDING_IDS = Object.keys(kinds) as [FindingId, ...FindingId[]];

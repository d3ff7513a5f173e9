// Chat templates as families of models have them, shortened, and marks of their vocabularies.
import type { TemplateSource } from '#core/templates/templateText.ts';

const chatMlMarks = {
  bosText: '',
  eosText: '<|im_end|>',
  markTexts: ['<|im_start|>', '<|im_end|>', '<|endoftext|>', '<tool_call>', '</tool_call>', '<think>', '</think>'],
};
export const CHATML: TemplateSource = { text: null, marks: chatMlMarks };

/** Thoughts are left out of earlier answers, and the last answer gets an empty block of them. */
export const THINKING: TemplateSource = {
  text:
    "{% for m in messages %}{% set text = m.content or '' %}{% if m.role == 'assistant' and '</think>' in text %}" +
    "{% set text = text.split('</think>')[-1].lstrip('\\n') %}{% endif %}<|im_start|>{{ m.role }}\n" +
    "{% if m.role == 'assistant' and loop.last %}<think>\n\n</think>\n\n{% endif %}{{ text }}" +
    '{% if m.tool_calls %}{% for c in m.tool_calls %}\n<tool_call>\n{"name": "{{ c.function.name }}", "arguments": ' +
    '{{ c.function.arguments | tojson }}}\n</tool_call>{% endfor %}{% endif %}<|im_end|>\n{% endfor %}' +
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}{# 'tool' tools #}",
  marks: chatMlMarks,
};

export const LLAMA: TemplateSource = {
  text:
    '{{ bos_token }}{% for m in messages %}<|start_header_id|>{{ m.role }}<|end_header_id|>\n\n{{ m.content | trim }}' +
    '<|eot_id|>{% endfor %}{% if add_generation_prompt %}<|start_header_id|>assistant<|end_header_id|>\n\n{% endif %}',
  marks: {
    bosText: '<|begin_of_text|>',
    eosText: '<|eot_id|>',
    markTexts: ['<|begin_of_text|>', '<|start_header_id|>', '<|end_header_id|>', '<|eot_id|>'],
  },
};

export const GEMMA: TemplateSource = {
  text:
    "{{ bos_token }}{% if messages[0].role == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}" +
    "{% for m in messages %}{% if (m.role == 'user') != (loop.index0 % 2 == 0) %}" +
    "{{ raise_exception('Conversation roles must alternate') }}{% endif %}<start_of_turn>" +
    "{{ 'model' if m.role == 'assistant' else m.role }}\n{{ m.content | trim }}<end_of_turn>\n{% endfor %}" +
    '{% if add_generation_prompt %}<start_of_turn>model\n{% endif %}',
  marks: { bosText: '<bos>', eosText: '<eos>', markTexts: ['<bos>', '<eos>', '<start_of_turn>', '<end_of_turn>'] },
};

/** The prompt opens thoughts that rows don't have. */
export const OPENS_THOUGHTS: TemplateSource = {
  text:
    '{% for m in messages %}[{{ m.role }}]{{ m.content }}<|im_end|>{% endfor %}{% if add_generation_prompt %}' +
    '[assistant]<think>\n{% endif %}',
  marks: chatMlMarks,
};

/** It was made for prompts only. */
export const USERS_ONLY: TemplateSource = {
  text: "{% for m in messages %}{% if m.role == 'user' %}[user]{{ m.content }}{% endif %}{% endfor %}[bot]",
  marks: chatMlMarks,
};

// Answers that only say that they can not or will not, as assistants do, in the languages of most data. Pure.

/** An assistant that speaks of itself as an AI or a model. */
const AS_AI: readonly RegExp[] = [
  /\b(?:as|being) an? (?:[\w-]+ ){0,3}?(?:AI|A\.I\.|artificial intelligence|language model|LLM|chatbot)\b(?! (?:company|startup|start-up|team|firm|business|engineer|researcher|developer|agency|lab|vendor|customer)\b)/i,
  /\bI(?:['’]m| am) (?:just |only |merely |simply )?an? (?:[\w-]+ ){0,3}?(?:AI|artificial intelligence|language model|LLM|chatbot)\b/i,
  /\bals (?:ein |eine )?(?:\S+ )?(?:KI|AI|künstliche Intelligenz|Sprachmodell)(?:-\w+)?\b/i,
  /\bich bin (?:nur |bloß |lediglich )?(?:ein |eine )(?:\S+ )?(?:KI|AI|künstliche Intelligenz|Sprachmodell)(?:-\w+)?\b/i,
  /\bda ich (?:nur |bloß |lediglich )?(?:ein |eine )(?:\S+ )?(?:KI|AI|künstliche Intelligenz|Sprachmodell)(?:-\w+)?\b/i,
  /\ben tant qu(?:e |['’])(?:\S+ ){0,3}?(?:IA|AI|intelligence artificielle|modèle de langage|assistant virtuel)(?![\p{L}])/iu,
  /\bje (?:ne )?suis (?:qu['’]|juste |seulement )?une? (?:\S+ )?(?:IA|AI|intelligence artificielle|modèle de langage)(?![\p{L}])/iu,
  /\bcomo (?:una? |un )?(?:\S+ )?(?:IA|AI|inteligencia artificial|inteligência artificial|modelo de (?:lenguaje|linguagem)|asistente virtual)(?![\p{L}])/iu,
  /\b(?:soy|sou) (?:solo |sólo |apenas |só )?uma? ?(?:\S+ )?(?:IA|AI|inteligencia artificial|inteligência artificial|modelo de (?:lenguaje|linguagem))(?![\p{L}])/iu,
  /\b(?:in quanto|come) (?:\S+ )?(?:IA|AI|intelligenza artificiale|modello (?:linguistico|di linguaggio))(?![\p{L}])/iu,
  /\bals (?:een )?(?:AI|taalmodel|kunstmatige intelligentie)(?:-\w+)?\b/i,
  /\bjako (?:model językowy|AI|SI|sztuczna inteligencja|asystent AI)(?![\p{L}])/iu,
  /как (?:языковая модель|искусственный интеллект|ИИ|большая языковая)/i,
  /作为(?:一个|一名|一款)?(?:大型)?(?:AI|人工智能|语言模型|大语言模型)|我(?:只)?是(?:一个|一名)(?:AI|人工智能|语言模型)/i,
  /(?:AI|人工知能|言語モデル)(?:アシスタント|言語モデル)?(?:として|なので|であるため)/i,
  /(?:AI|인공지능|언어 모델)(?: 언어 모델)?(?:로서|이므로|이기 때문)/i,
  /(?:كنموذج لغوي|بصفتي (?:نموذج|ذكاء)|كذكاء اصطناعي)/,
  /(?:AI|एआई|भाषा) (?:भाषा )?मॉडल (?:के रूप में|होने के नाते)/i,
];

const CAN_NOT =
  "(?:can(?:no| ?no)t|can['’]?t|can not|could(?:n['’]t| not)|won['’]t(?: be able to)?|will not(?: be able to)?|(?:am|['’]m) (?:not able|unable|not allowed|not permitted|not in a position) to|(?:am|['’]m) not comfortable|(?:must|have to) (?:decline|refuse)(?: to)?|decline to)";
const THAT = '(?:that|this|these|those|it|your|any such|such)';
/** A refusal of nothing in particular: what was asked is only "that" or "this request". */
const REFUSED: readonly RegExp[] = [
  new RegExp(
    `\\bI ?${CAN_NOT} (?:assist|help)(?: you)?(?: (?:with|on|in|there|here)\\b(?: ${THAT}\\b)?| ?[.!,]|$)`,
    'i',
  ),
  new RegExp(
    `\\bI ?${CAN_NOT} (?:fulfil?l?|comply with|process|complete|answer|respond to|accommodate|engage (?:with|in)|discuss|provide|share|do|continue with|satisfy|support) ${THAT}\\b(?: (?:request|question|task|prompt|kind|type|topic|information|content|conversation)\\w*)?(?=[\\s.,;!]|$)(?! (?:address|data|item|order|number|name)s?)`,
    'i',
  ),
  /\b(?:not|in)(?: be)? ?appropriate for me to\b/i,
  /\bI (?:do not|don['’]t) feel comfortable\b/i,
  /\b(?:against|violates?|outside(?: of)?) (?:my|our) (?:\w+ )?(?:guidelines|programming|policy|policies|principles|capabilities|abilities|scope)\b/i,
  /\b(?:outside|beyond)(?: of)?(?: the scope of)? what I (?:am|['’]m|can|was) (?:programmed|able|allowed|designed|trained|do)\b/i,
  /\b(?:dabei|damit|hierbei|hiermit|da|bei (?:dieser|deiner|ihrer) (?:anfrage|frage|bitte)) (?:kann|darf) ich (?:(?:dir|ihnen|euch|leider|auch) ){0,3}nicht (?:weiter)?helfen/i,
  /\bich (?:kann|darf|werde) (?:(?:dir|ihnen|euch|leider) ){0,3}(?:dabei|damit|hierbei|dazu|darauf|bei dieser \w+) (?:(?:leider|auch) ){0,2}(?:nicht (?:weiter)?(?:helfen|antworten|eingehen)|keine auskunft)/i,
  /\b(?:diese|deine|ihre|die) (?:anfrage|frage|bitte|aufgabe) (?:kann|darf) ich (?:leider )?nicht (?:bearbeiten|beantworten|erfüllen|ausführen)/i,
  /\bich (?:kann|darf) (?:leider )?(?:diese|deine|ihre) (?:anfrage|frage|bitte|aufgabe) (?:leider )?nicht (?:bearbeiten|beantworten|erfüllen|ausführen)/i,
  /\bje ne (?:peux|puis|suis pas en mesure de)(?: malheureusement)?(?: pas)? (?:vous |t['’]|te )?(?:aider (?:avec|à|dans|sur) (?:cette|ce|cela|ça)|aider\s*[.!]|répondre à (?:cette|ce|votre|ta)|traiter (?:cette|votre|ta)|satisfaire|accéder à (?:cette|votre))/i,
  /\b(?:no puedo|no me es posible|no estoy autorizado a) (?:ayudarte|ayudarle|ayudar|asistirte|asistirle)(?: con| en)? (?:eso|esto|esta|ese|este|tu|su)\b/i,
  /\bno puedo (?:responder|contestar|cumplir|procesar|completar|atender)(?: a| con)? (?:esa|esta|eso|esto|ese|este|tu|su)\b/i,
  /\b(?:não posso|não consigo|não sou capaz de) (?:ajudar|ajudá-l[oa]|te ajudar|lhe ajudar|responder|atender|cumprir|processar)(?: com| a)? ?(?:isso|isto|ess[ae]|est[ae]|ao? seu|sua)\b/iu,
  /\bnon (?:posso|sono in grado di|mi è possibile) (?:aiutarti|aiutarla|aiutare|assisterti|rispondere|soddisfare|elaborare)(?: con| in| a)? ?(?:questo|questa|ciò|quest['’]|la tua|la sua)/iu,
  /\b(?:daar|hier)(?:mee|bij) kan ik (?:je |u )?(?:helaas )?niet helpen|\bik kan (?:je |u )?(?:helaas )?(?:daar|hier)(?:mee|bij) niet helpen|\bik kan (?:deze|die|dit|je|uw) (?:vraag|verzoek) (?:helaas )?niet/i,
  /\bnie mogę (?:(?:ci|panu|pani|państwu|niestety) ){0,2}(?:w tym |z tym )?(?:pomóc(?: w tym| z tym)?\s*[.!,]|odpowiedzieć na to|spełnić t|zrealizować t)/iu,
  /не могу (?:вам |тебе )?(?:с этим |в этом )?помочь(?: (?:вам )?(?:с этим|в этом))?\s*[.!,]|не могу (?:ответить на этот|выполнить (?:этот|эту|ваш|данн))/i,
  /(?:我)?(?:无法|不能|没办法)(?:为您|为你|向您|向你)?(?:提供帮助|协助(?:您|你)?(?:处理|完成)?(?:这|此|该)|帮助(?:您|你)(?:完成|处理)?(?:这|此|该)|回答(?:这|此|该|您的|你的)|满足(?:这|此|该|您的|你的)|处理(?:这|此|该)(?:个)?请求)/,
  /(?:その|この|ご)(?:ような)?(?:リクエスト|要求|要望|質問|依頼)(?:に|には|を|は)?(?:お答え|対応|お応え|お手伝い|処理)(?:する(?:こと)?)?(?:が|は)?(?:でき(?:ません|ない|かねます)|いたしかねます)|お手伝い(?:する(?:こと)?)?(?:が|は)?できません/,
  /(?:그|이|해당)(?: ?요청| ?질문)(?:을|은|에|에는)? ?(?:도와드릴|처리할|답변(?:드릴|할)|수행할|응할) 수 없습니다|도와드릴 수 없습니다/,
  /لا (?:أستطيع|يمكنني) (?:مساعدتك في (?:هذا|ذلك)|الإجابة (?:على|عن) هذا|تنفيذ هذا|تلبية هذا)/,
  /(?:मैं )?(?:इसमें|इस (?:अनुरोध|सवाल|प्रश्न)(?: में| का| को)?) (?:आपकी )?(?:मदद|सहायता|उत्तर|पूरा|जवाब)(?: नहीं)? (?:नहीं )?(?:कर|दे) (?:नहीं )?सकत/,
];

/** What is longer does more than to refuse. */
const REFUSAL_CHARACTERS = 400;
/** Boilerplate stands at the start. */
const START_CHARACTERS = 160;
const QUOTED = /^\s*["“„«『「]/;
/** What the assistant quotes is not what it says. */
const QUOTES = /"[^"\n]{0,300}"|“[^”\n]{0,300}”|„[^“”\n]{0,300}[“”]|«[^»\n]{0,300}»|`[^`\n]{0,300}`/g;
/** One look says no for nearly all answers. */
const NAMES_AI =
  /\b(?:AI|A\.I|KI|IA|SI|LLM)\b|artificial|artificiel|artificiale|künstlich|kunstmatig|sztuczn|language model|Sprachmodell|taalmodel|językowy|modelo de|modèle de|modello|chatbot|virtu|модель|интеллект|ИИ|人工|语言模型|語言|言語モデル|AI(?![a-z])|인공지능|언어 모델|نموذج|ذكاء|मॉडल/i;
const REFUSES =
  /can(?:no|['’]?)t|can not|could ?n|won['’]t|will not|unable|not (?:able|allowed|permitted|in a)|decline|refuse|comfortable|appropriate|guidelines|programm|polic|principles|capabilit|scope|what I|nicht|keine auskunft|je ne|no (?:puedo|me|estoy)|não|non (?:posso|sono|mi)|niet|nie mog|не могу|无法|不能|没办法|でき|かねます|없습니다|لا |सकत/i;

/** Why the answer seems to refuse, for people; null if it does not. */
export function findRefusal(answer: string): string | null {
  if (QUOTED.test(answer)) return null;
  const start = answer.length > REFUSAL_CHARACTERS ? answer.slice(0, REFUSAL_CHARACTERS) : answer;
  const namesAi = NAMES_AI.test(start);
  const mayRefuse = answer.length <= REFUSAL_CHARACTERS && REFUSES.test(start);
  if (!namesAi && !mayRefuse) return null;
  const said = start.replaceAll(QUOTES, '""');
  const first = said.slice(0, START_CHARACTERS);
  if (namesAi && AS_AI.some((form) => form.test(first))) return 'It speaks of itself as an AI.';
  return mayRefuse && REFUSED.some((form) => form.test(said)) ? 'It only says that it can not help.' : null;
}

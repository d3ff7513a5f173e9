// Requests about an order, and the call of a tool that each of them needs. Numbers and cities are copied.
import type { Draw } from './draw.ts';
import type { Pair } from './pair.ts';
import { MORE_CALLS } from './moreOrderPhrases.ts';
import { roughen } from './roughen.ts';
import { toOrderId, toSlots } from './words.ts';

export const ORDERS_SYSTEM = 'Use the order tools.';

const CALLS = {
  get_order_status: [
    '[Where|Do you know where] is [my order|order|my parcel|] {id} [right now|now|at the moment|today|]?',
    '[Any|Is there any|Are there any] [news|update|word|progress] [about|on|of] [my order|order|] {id}?',
    '[Has|Was] [my order|order|] {id} [been shipped|been sent|left the warehouse|been delivered|been packed|gone out] [yet|already|]?',
    '[When|On which day] [will|does] [my order|order|] {id} [arrive|come|get here|be delivered|ship]?',
    '[Please|Could you|Can you|Would you] [track|check|look up|look at|find] [my order|order|the parcel|] {id} [for me|please|]?',
    '[What is|Tell me|Show me|Give me|I need|I would like to know] the [status|state|tracking|delivery date] of [my order|order|] {id}.',
    '[status|track|where is|tracking|state of|check] {id}',
    '[status|order status|tracking]: {id}',
    '[Can|Would] you [tell me|see] [at what stage|in which state] [my order|order|] {id} [is|is now]?',
    'I [bought|ordered] [a {product}|two things] [last month|on {day}|in {month}], [the number is|it is] {id}. [When does it come|Where is it|Has it been shipped|What is its status]?',
    'I [have not yet|did not yet] [got|seen|get] [my order|order|] {id}, [where is it|what happened|any news]?',
    '[My order|Order|The parcel] {id} [is late|has not arrived|did not come|is not here yet], [where is it|what is its status|please check|can you track it]?',
    '[I am waiting|We are waiting|Still waiting] for {id}. [Any news|When does it come|Where is it]?',
    '[How|What] about {id}, is it on [its|the] way [to me|]?',
    'Is {id} [on the way|in transit|with the courier|still in the warehouse|ready|delivered] [yet|already|now|]?',
    '{id}: [where is it|when does it come|any update|is it shipped|status please]?',
  ],
  cancel_order: [
    '[Please|Kindly|Could you|Can you|I want to|I would like to|You can] [cancel|stop|annul|withdraw] [my order|order|the order|] {id}.',
    '[Please|Could you|Can you|] cancel {id}, I [do not need it any more|changed my mind|found a better one|clicked the wrong button].',
    'I [ordered|bought] [the {product}|it|the {goods}] by [mistake|accident], [please cancel|cancel|stop] {id} [please|].',
    '[My plans changed|I thought again]: [annul|please cancel|cancel] [order|my order|] {id}.',
    '[Stop|Hold back|Do not send|Do not ship|Please do not send] [order|my order|] {id} [before it is shipped|while you can|any more|please|].',
    '[Drop|Scrap|Never mind] [order|my order|] {id}, I [found a better price|do not want it now|have bought another one|got one as a gift].',
    '[cancel|stop|cancel order|call off|please cancel] {id} [pls|please|now|asap|]',
    '[cancellation|cancel]: {id}',
    '[I|We] do not [need|want] [the {product} of|what is in|the order|order|] {id} [any more|], [so please cancel|please cancel it|keep it].',
    'Can [order|my order|] {id} [still|] be [cancelled|stopped|called off]?',
    '[Order|My order|] {id} was a [mistake|wrong click|double order], [cancel it|please cancel it|I do not want it|please stop it].',
    '[Is it|It is] [possible|too late] to [cancel|stop|call off] {id}?',
    'I would rather not [get|have|receive] [order|] {id}, [cancel it|please stop it|please call it off].',
    '[Take|Please take] [order|my order|] {id} off [the list|my account|your books], I [do not want it|changed my mind].',
  ],
  request_refund: [
    '[I would like|I need|I demand|Please give me] [my|the|our] money back for [order|my order|] {id}.',
    '[I want|I would like|I need|We want|I am asking for|Please give us] a refund [for|of|on] [order|my order|] {id}.',
    '[Please|Could you|Can you|Kindly|] refund [order|my order|the order|] {id} [, it is broken|, it does not work|, please|, it does not fit|].',
    'Refund {id}, please. It [does not work|is too small|arrived damaged|is the wrong colour].',
    'The [{goods}|{product}|item|box] [in|of|from] [order|] {id} [is too small|was damaged|is broken|does not work|came too late], [I want my money back|please refund me|can I get the money back]?',
    '[Please|Could you|Can you|You should|You must] [pay back|return|send back|give back] [what I paid for|the money for|the price of] [order|] {id}.',
    'I [sent back|gave back] [the {product} of|the {goods} from|all of|order] {id} [last week|in {month}|already|], where is my [refund|money|reimbursement]?',
    '[When|Where] [do I get|is|will I get] [my|the] [refund|money back|reimbursement] for [order|] {id}?',
    '[refund|refund order|money back for|reimburse|refund for] {id} [pls|please|]',
    '[refund|money back]: {id}',
    'The [{product}|parcel] of order {id} [was|came] [damaged|broken|wrong|used] and [I want|we want] [a refund|my money back|to be reimbursed].',
    '[Please|Can you|Could you|Will you] reimburse [me|us] for [order|] {id}?',
    '[I paid for|We paid for] {id} [but it never worked|but it is broken|but got nothing|twice], [please refund|refund it|I want the money back|pay it back].',
    '[Start|Open|Request|Issue|Make] a refund [for|on] [order|my order|] {id} [, please|for me|].',
    '{id} [was a disappointment|is broken|is not what I wanted|arrived damaged]. [Refund please|Money back, please|I want a refund|I would like my money back].',
  ],
  change_address: [
    '[Please|Could you|Can you|Kindly] [send|ship|deliver|bring] [order|my order|] {id} to {city} [instead|, please|now|].',
    '[Send|Ship|Deliver|Bring|Redirect|Forward] [order|my order|] {id} to {city} [instead|, please|, we moved there|, I moved there|].',
    '[I am moving|We are moving|I moved|We moved|We have moved] to {city}, [can|could] [order|] {id} [be delivered|be sent|be shipped|go] there?',
    '[I am moving|We are moving|I moved|We moved|I have moved] to {city}. [Please send|Send|Deliver|Please deliver|Ship] [order|] {id} [there|to that city|to the new address].',
    '[Change|Please change|Update|Please update|Could you change|I want to change] the [address|shipping address|destination] [for|on] [order|my order|] {id} to {city}.',
    '[My|Our] new [home|address|flat|office|house] is in {city}. [Ship|Send|Deliver|Please send] [order|] {id} [to that city|there|to it|to this address].',
    'The [shipping address|delivery address|city] of [order|my order|] {id} is [wrong|old|not right], [it must be|it has to be|make it|please make it] {city}.',
    '[Can|Should] [order|] {id} go to my {city} [address|flat|home|shop|branch]?',
    '[update address|change address|new address|address change]: {id}, {city}',
    '[new address for|change address|address of|send] {id} [to|:|in|] {city}',
    '[I|We] [live|work|stay] in {city} now, [please send|so send|so please ship|deliver] [order|] {id} there.',
    '[Order|My order|] {id} [should|must|has to] go to {city} [and not to my old address|instead|, not to {othercity}|, not {othercity}].',
    '[Please|] [send|deliver] {id} [not to {othercity} but|] to {city}.',
    'For [order|] {id} [the new city is|my city is now|please use the address in|take the address in] {city}.',
    '{id}: [please deliver to|send it to|new address in|now goes to|ship it to] {city}.',
    '[Can|Could] you [change|move] the delivery of {id} to {city}?',
  ],
} as const;

export type Tool = keyof typeof CALLS;
const TOOLS = Object.keys(CALLS) as readonly Tool[];

const OPENINGS = ['', '', '', '', '', 'Hello, ', 'Hi, ', 'Hey, ', 'Hi! ', 'Good morning, ', 'Dear team, '];
const CLOSINGS = ['', '', '', '', '', ' Thanks.', ' Thank you!', ' Thanks a lot.', ' Best, {name}', ' Please hurry.'];

export function toOrderText(draw: Draw): { readonly text: string; readonly tool: Tool; id: string; city: string } {
  const tool = draw.one(TOOLS);
  const id = toOrderId(draw);
  const slots = { ...toSlots(draw), id };
  const phrases = draw.chance(0.5) ? CALLS[tool] : MORE_CALLS[tool];
  const body = draw.phrase(draw.one<string>(phrases), { ...slots, othercity: toSlots(draw).city ?? '' });
  const whole = draw.phrase(draw.one(OPENINGS) + body + draw.one(CLOSINGS), slots);
  const { city } = slots;
  return { text: roughen(draw, whole, [id, city]), tool, id, city };
}

/** The call as the model writes it, which the engine reads. */
export function toCall(tool: Tool, id: string, city: string): string {
  const args = tool === 'change_address' ? { order_id: id, city } : { order_id: id };
  return `<tool_call>${JSON.stringify({ name: tool, arguments: args })}</tool_call>`;
}

export function toOrderPair(draw: Draw): Pair {
  const { text, tool, id, city } = toOrderText(draw);
  return { prompt: text, answer: toCall(tool, id, city) };
}

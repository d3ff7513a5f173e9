import { describe, expect, it } from 'vitest';
import { countScripts, SCRIPTS, toMainScript } from './scripts.ts';

describe('toMainScript', () => {
  it.each([
    ['Where is my order? 12345', 'Latin'],
    ['Grüße aus Österreich, wo ist das Paket?', 'Latin'],
    ['Где мой заказ, скажите: order', 'Cyrillic'],
    ['Πού είναι η παραγγελία μου;', 'Greek'],
    ['我的订单在哪里', 'Chinese'],
    ['注文はどこですか。教えてください', 'Japanese'],
    ['내 주문은 어디에 있나요? 알려주세요', 'Korean'],
    ['أين طلبي من فضلك؟', 'Arabic'],
    ['איפה ההזמנה שלי בבקשה', 'Hebrew'],
    ['मेरा ऑर्डर कहाँ है?', 'Devanagari'],
    ['คำสั่งซื้อของฉันอยู่ที่ไหน', 'Thai'],
  ])('of %s is %s', (text, script) => {
    expect(toMainScript(text)).toBe(script);
  });

  it.each(['', '12345 67890 !?', '😀😀😀😀😀😀😀😀😀😀😀😀😀', 'ok', '\ud800\udc00'])('of %j is not known', (text) => {
    expect(toMainScript(text)).toBeNull();
  });

  it('counts letters only, and no more than the start of a long text', () => {
    expect(countScripts('ab1 éЖ')[SCRIPTS.indexOf('Latin')]).toBe(3);
    expect(countScripts('ab1 éЖ')[SCRIPTS.indexOf('Cyrillic')]).toBe(1);
    expect(countScripts('a'.repeat(1_000_000))[SCRIPTS.indexOf('Latin')]).toBe(4000);
  });
});

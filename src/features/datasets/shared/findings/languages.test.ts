import { describe, expect, it } from 'vitest';
import { openLanguages, toLanguageName } from './languages.ts';

describe('openLanguages', () => {
  it.each([
    ['Where is my parcel? It should have been here yesterday.', 'en'],
    ['Wo bleibt mein Paket? Es sollte gestern kommen.', 'de'],
    ['¿Dónde está mi pedido? Llevo una semana esperando.', 'es'],
    ['Où est ma commande ? Je l’attends depuis lundi.', 'fr'],
    ['Где мой заказ? Он должен был прийти вчера.', 'ru'],
    ['我的订单89790在哪里，还没有送到', 'zh'],
    ['注文した商品がまだ届いていません', 'ja'],
    ['주문한 상품이 아직 도착하지 않았어요', 'ko'],
    ['Use `const total = sum(rows)` damit die Summe der Zeilen richtig wird', 'de'],
    ['{"intent": "where is my parcel", "language": "de"}', null],
    ['ok 5000', null],
  ])('%j is %s', (text, language) => expect(openLanguages().toLanguage(text)).toBe(language));

  it('knows a language by words of earlier texts', () => {
    const { toLanguage } = openLanguages();
    for (const day of ['Montag', 'Dienstag', 'Mittwoch'])
      toLanguage(`Kommt mein Paket am ${day} oder erst am Freitag an?`);
    expect(toLanguage('Kommt mein Paket erst am Freitag')).toBe('de');
    expect(toLanguage('When does my parcel arrive at the station?')).toBe('en');
  });

  it('names a language for people', () => expect(toLanguageName('de')).toBe('German'));
});

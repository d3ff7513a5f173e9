import { describe, expect, it } from 'vitest';
import { findPersonal } from './personalText.ts';

describe('findPersonal', () => {
  it.each([
    ['a card number', 'My card is 4111 1111 1111 1111, thanks.', '4111 •••• •••• 1111'],
    ['a card number', '5500-0055-5555-5559', '5500 •••• •••• 5559'],
    ['a card number', 'amex 3714 496353 98431.', '3714 •••• •••• 8431'],
    ['a bank account (IBAN)', 'Refund to DE89 3704 0044 0532 0130 00 BIC please', 'DE89 •••• 3000'],
    ['a bank account (IBAN)', 'NL91ABNA0417164300', 'NL91 •••• 4300'],
    ['an e-mail address', 'Write to lena.k+shop@kellervik-post.de.', 'l••••@k••••'],
    ['an e-mail address', '<a href="mailto:HENK@OSTROWEK.PL">', 'H••••@O••••'],
    ['a social security number', 'My SSN is 123-45-6789', '•••-••-6789'],
    ['a phone number', 'Ring +49 170 2345678 first', '+49•••• 78'],
    ['a phone number', 'Call (415) 234-9876', '(41•••• 76'],
    ['a phone number', 'Tel. 030/2345679', '030•••• 79'],
    ['a phone number', 'au 06 12 84 56 71', '06 •••• 71'],
    ['a phone number', 'my mobile number is 0171-9876543', '017•••• 43'],
  ])('finds %s in %j', (name, text, masked) => expect(findPersonal(text)).toEqual({ name, masked }));

  it.each([
    'The serial number is 4111 1111 1111 1112.',
    'IBAN DE89 3704 0044 0532 0130 01',
    'john.doe@example.com, support@lagerwerk.de, git@github.com:a/b.git',
    'postgres://app:word@db.shop.net:5432/x',
    'npm i @lagerwerk/forms@1.2.3 on deploy@build-12',
    '(212) 555-0142, 000-12-3456, 912-34-5678',
    '2026-11-28 08:30 to 2026-12-29 17:45, 192.168.12.201, 52.123456, 13.123456',
    'Order 01234-567890, parcel 1234 5678 9012, 1764371234567 ms, 1 234 490,00 EUR',
  ])('finds nothing in %j', (text) => expect(findPersonal(text)).toBeNull());
});

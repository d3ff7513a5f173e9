// Support in German: what customers write and what the shop answers, with the loanwords that people use.

export const GERMAN_OPENINGS = [
  'Hallo,',
  'Guten Tag,',
  'Moin,',
  'Sehr geehrte Damen und Herren,',
  'Servus zusammen,',
  '',
] as const;
export const GERMAN_ENDS = [
  'Danke!',
  'Viele Grüße, {name}',
  'Bitte um schnelle Antwort.',
  'LG {name}',
  'Vielen Dank im Voraus',
  '',
] as const;

export const GERMAN: readonly (readonly [question: string, answer: string])[] = [
  [
    'meine Bestellung {order} ist seit Tagen "in Zustellung". Kommt da noch was?',
    'Das Paket lag im falschen Depot. Es wird morgen zugestellt.',
  ],
  ['auf der Rechnung zu {order} fehlt die Umsatzsteuer.', 'Stimmt, die neue Rechnung mit Steuer liegt in Ihrem Konto.'],
  [
    'ich komme nach dem Update nicht mehr in meinen Account',
    'Bitte setzen Sie das Passwort zurück, der Login wurde mit dem Update umgestellt.',
  ],
  [
    'der Wasserkocher tropft am Boden. Was nun?',
    'Bitte nicht mehr benutzen. Ein neuer ist unterwegs, den alten dürfen Sie entsorgen.',
  ],
  [
    'kann ich die Jacke gegen eine Nummer größer tauschen?',
    'Ja, innerhalb von 30 Tagen. Das Etikett zum Zurückschicken liegt im Paket.',
  ],
  ['wie kündige ich den Newsletter?', 'Ganz unten in jeder Mail steht ein Link zum Abbestellen, ein Klick genügt.'],
  ['habt ihr am Samstag offen?', 'Ja.'],
  [
    'das Team-Meeting mit dem Support wurde gecancelt, gibt es einen neuen Slot?',
    'Der neue Slot ist Donnerstag um zehn, die Einladung kommt per Mail.',
  ],
  ['gibt es den Bürostuhl auch ohne Armlehnen?', 'Ja, als Modell „Basis“. Er kostet {price} Euro weniger.'],
  [
    'ich habe {count} Stück bestellt, es kamen aber nur halb so viele an.',
    'Der Rest wurde in einem zweiten Paket verschickt und kommt in {days} Tagen.',
  ],
  [
    'bitte ändern Sie die Lieferadresse von {order}, wir sind umgezogen',
    'Gern. Nennen Sie mir bitte die neue Straße und die Postleitzahl.',
  ],
  [
    'warum wurde zweimal abgebucht??',
    'Eine der beiden Buchungen war nur eine Reservierung, sie verfällt in {days} Tagen.',
  ],
  [
    'der Gutschein vom Black Friday Sale geht nicht',
    'Er galt nur für das Wochenende. Ich habe Ihnen einen neuen über {price} Euro hinterlegt.',
  ],
  [
    'die App stürzt beim Scannen vom Barcode ab',
    'Das liegt an der Kamera-Freigabe. Schalten Sie sie in den Einstellungen aus und wieder ein.',
  ],
  [
    'wer ist bei euch für Großbestellungen zuständig?',
    'Das macht {name}. Ich leite Ihre Anfrage weiter, Sie hören heute noch von uns.',
  ],
  ['ist das Whiteboard magnetisch?', 'Ja, Magnete halten auf der ganzen Fläche.'],
  [
    'die Rückgabe von {order} ist jetzt {days} Tage her, wo bleibt mein Geld',
    'Die Erstattung ging heute raus und ist spätestens übermorgen auf dem Konto.',
  ],
  ['kann man den Luftreiniger nachts laufen lassen?', 'Ja, im Modus „Sleep“ ist er kaum zu hören.'],
  [
    'Johnson & Miller Ltd. steht als Absender drauf, ist das von euch?',
    'Ja, das ist unser Lager in Leeds. Das Paket können Sie annehmen.',
  ],
  [
    'ich finde die Anleitung für den Fahrradträger nicht mehr',
    'Sie steht als PDF auf der Seite des Artikels, unter „Downloads“.',
  ],
  ['Montag oder Dienstag?', 'Dienstag.'],
  [
    'meine Chefin möchte ein Angebot über {count} Schreibtischlampen',
    'Gern: {price} Euro das Stück, Lieferung in {days} Tagen. Das Angebot gilt bis Monatsende.',
  ],
  [
    'der Fahrer hat das Paket einfach in den Regen gestellt!',
    'Das darf nicht sein. Ist etwas nass geworden? Dann schicken wir sofort Ersatz.',
  ],
  [
    'gilt die Garantie auch, wenn ich ihn gebraucht gekauft habe?',
    'Ja, sie hängt am Gerät. Sie brauchen nur den ersten Kaufbeleg.',
  ],
];

/** Answers that somebody wrote in English, with the place of their question in GERMAN. */
export const ENGLISH_IN_GERMAN: readonly (readonly [question: number, answer: string])[] = [
  [0, 'Your parcel was in the wrong depot. It will be delivered tomorrow.'],
  [1, 'Thank you for your message! The new invoice is in your account now.'],
  [2, 'Please reset your password, the login was changed with the last release.'],
  [4, 'You can exchange it within 30 days. The label is in the box.'],
  [16, 'The refund was sent this morning and should reach you by Friday.'],
  [6, 'Yes, we are open on Saturday from nine to two.'],
  [10, 'I have changed the address. The driver will call before he comes.'],
  [12, 'That voucher has expired, but I can offer you another one.'],
  [11, 'One of the two payments was only a reservation, it will vanish in a few days.'],
  [22, 'Please send us a photo of the damage, then we will ship a new one at once.'],
  [19, 'The manual is on the page of the item, below the pictures.'],
  [14, 'Sure, I will forward your request to the person in charge.'],
];

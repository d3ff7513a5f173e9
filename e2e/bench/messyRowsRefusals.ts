// Answers that refuse without need, and answers that only begin like them.

/** Each by the language of its row. */
export const REFUSALS: Readonly<Record<string, readonly string[]>> = {
  en: [
    "As an AI language model I can't look into your orders.",
    "I'm sorry, but I cannot assist with that.",
    "I'm sorry, but I can't help with that request.",
    'I apologize, but I am unable to fulfill this request.',
    "As an AI, I don't have access to real-time information, so I am not able to answer this.",
    'Sorry, I can’t assist with that.',
    "I'm just a language model and can't help you with that.",
    'I cannot comply with this request as it goes against my guidelines.',
    'Unfortunately, I am not able to provide that information. I am an AI assistant.',
    "I am sorry, but as an AI developed by a third party I don't have the ability to process that.",
    "I'm unable to help with this. Please consult a professional.",
    "I won't be able to help with that, as it may be inappropriate.",
    'My apologies, but this falls outside of what I am programmed to do.',
    'It is not appropriate for me to respond to this request. Is there anything else I can help you with?',
    "I don't feel comfortable answering that question.",
    'As a large language model, I do not have personal opinions, so I must decline to answer.',
  ],
  de: [
    'Als KI-Sprachmodell kann ich dir dabei leider nicht helfen.',
    'Es tut mir leid, aber dabei kann ich nicht helfen.',
    'Tut mir leid, diese Anfrage kann ich nicht bearbeiten, da ich nur ein KI-Assistent bin.',
    'Ich bin ein Sprachmodell und darf dazu keine Auskunft geben.',
  ],
  fr: [
    'Je suis désolé, mais je ne peux pas vous aider avec cette demande.',
    'En tant que modèle de langage, je ne peux pas répondre à cette question.',
    "Désolé, je ne suis qu'une intelligence artificielle et je ne peux pas traiter cette demande.",
  ],
  es: [
    'Lo siento, pero no puedo ayudarte con eso.',
    'Como modelo de lenguaje de IA, no puedo responder a esa pregunta.',
    'Lo siento, no puedo cumplir con esta solicitud porque va en contra de mis directrices.',
  ],
};

/** Good answers that sound like it, with the question: sympathy, not found, a policy with reason and another way. */
export const REFUSAL_DECOYS: readonly (readonly [what: string, language: string, question: string, answer: string])[] =
  [
    [
      'sympathy',
      'en',
      'The {product} arrived broken.',
      "I'm sorry to hear that the {product} arrived broken. A new one leaves our warehouse today, and you can keep the other.",
    ],
    [
      'sympathy',
      'en',
      'Third time that the driver did not ring!',
      "I'm so sorry about that. I have asked the depot for another driver, and your parcel comes tomorrow before ten.",
    ],
    [
      'sympathy',
      'en',
      'My father died, how do I close his account?',
      'I am very sorry for your loss. Send us the certificate, and we close the account and refund what is left.',
    ],
    ['not found', 'en', 'Where is order {order}?', 'I cannot find order {order}, could you check the number?'],
    [
      'not found',
      'en',
      'Did you get my return of the {product}?',
      "I can't see it yet: the label was not scanned. Do you have the receipt of the post office?",
    ],
    [
      'not found',
      'en',
      'Is there a manual in Danish for the {product}?',
      "Sorry, I couldn't find one in Danish. There is one in Norwegian, shall I send it?",
    ],
    [
      'policy',
      'en',
      'I want to return the {product} after {count} weeks.',
      "I'm sorry, but we cannot take it back: the time for returns is 30 days. You can sell it in our second-hand shop, which pays up to half.",
    ],
    [
      'policy',
      'en',
      'Tell me the address of the customer with order {order}',
      'I am not able to share addresses of customers, because the law forbids it. I can forward a message to them.',
    ],
    [
      'policy',
      'en',
      'Can you give me 50 % off?',
      "I can't go that far, as the margin of the {product} is 20 %. What I can offer is free delivery and a voucher of {price}.",
    ],
    [
      'policy',
      'en',
      'Change the address of order {order} please',
      'Unfortunately the parcel has left already, so I cannot change the address any more. You can redirect it with the link in the tracking mail.',
    ],
    [
      'policy',
      'en',
      'Cancel my order {order} now',
      'I cannot cancel it as it is packed. Simply refuse the parcel at the door, and the money goes back by itself.',
    ],
    [
      'can only',
      'en',
      'Do you ship the {product} to Iceland?',
      'We cannot ship there ourselves, but our partner in Reykjavik does; delivery takes {days} days.',
    ],
    [
      "can't wait",
      'en',
      'We open the new shop in {days} days!',
      "I can't wait to see it! Shall I prepare the labels for the shelves?",
    ],
    [
      'polite start',
      'en',
      'you sent the wrong size AGAIN',
      'I apologize for the mix-up. The right size is on its way, and I have taken {price} off your next invoice.',
    ],
    [
      'apology of a person in code',
      'en',
      'Translate "Es tut mir leid, aber dabei kann ich nicht helfen" into English',
      '"I\'m sorry, but I can\'t help with that."',
    ],
    [
      'text about models',
      'en',
      'What does the phrase "As an AI language model" tell about a text?',
      'That it was copied from a chat without being read. Remove such rows before you train.',
    ],
    [
      'words of the user',
      'en',
      "I'm sorry, but I cannot find the button for returns.",
      'It is on the page of the order, below the list of items. The label is mailed to you.',
    ],
    [
      'words of the user',
      'en',
      "As an AI company we can't wait {days} days. Is there an express delivery?",
      'Yes, for {price} it arrives on the next working day.',
    ],
    [
      'cannot in technical text',
      'en',
      'Why does the import stop?',
      'The script cannot open the file because the path has a space. Put it into quotes.',
    ],
    [
      'cannot in technical text',
      'en',
      'What does "unable to resolve host" mean?',
      'The name of the machine is not in /etc/hosts, so sudo is unable to find its address. Add it and the warning is gone.',
    ],
    [
      'does not know, asks',
      'en',
      'How much is it?',
      'I am not sure which item you mean. Is it the {product}, or the one in your basket?',
    ],
    [
      'right to say no',
      'en',
      'Is the {product} waterproof?',
      'No, it is not. It can stand a few drops, but must not be used in the rain.',
    ],
    [
      'opinion given',
      'en',
      'Which one would you take?',
      'I would take the {product}. It costs a bit more, but it lasts twice as long.',
    ],
    [
      'sympathy',
      'de',
      'Mein Paket kam völlig durchnässt an.',
      'Das tut mir leid! Ich schicke Ihnen heute Ersatz, das nasse Paket müssen Sie nicht zurücksenden.',
    ],
    [
      'not found',
      'de',
      'Wo bleibt meine Bestellung {order}?',
      'Ich kann die Bestellung {order} leider nicht finden. Können Sie die Nummer noch einmal prüfen?',
    ],
    [
      'policy',
      'de',
      'Ich möchte die Lampe nach drei Monaten zurückgeben.',
      'Leider können wir sie nicht mehr zurücknehmen, weil die Frist 30 Tage beträgt. Gern reparieren wir sie kostenlos.',
    ],
    [
      'sympathy',
      'fr',
      'Le colis est arrivé ouvert.',
      'Je suis désolé pour ce désagrément. Un nouveau colis part aujourd’hui, et vous pouvez garder le premier.',
    ],
    [
      'not found',
      'fr',
      'Où est ma commande {order} ?',
      'Je ne trouve pas la commande {order}. Pouvez-vous vérifier le numéro ?',
    ],
    [
      'sympathy',
      'es',
      'La lámpara llegó rota.',
      'Lo siento mucho. Hoy mismo sale otra lámpara, y no hace falta que devuelva la rota.',
    ],
    [
      'policy',
      'es',
      '¿Puedo cambiar la dirección del pedido {order}?',
      'No puedo cambiarla porque el paquete ya salió, pero puede recogerlo en la tienda más cercana.',
    ],
  ];

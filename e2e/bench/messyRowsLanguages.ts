// What customers write in twelve languages, and how the shop answers. Combined: an opening, a wish, an end.

export interface LanguageTexts {
  readonly openings: readonly string[];
  /** In the order of INTENTS. */
  readonly wishes: readonly (readonly [wish: string, reply: string])[];
  readonly ends: readonly string[];
}

/** The labels of the wishes. */
export const INTENTS = [
  'delivery_status',
  'refund',
  'cancel_order',
  'change_address',
  'invoice',
  'login',
  'defect',
  'opening_hours',
] as const;

export const LANGUAGES: Readonly<Record<string, LanguageTexts>> = {
  fr: {
    openings: ['Bonjour,', 'Bonsoir à toute l’équipe,', 'Salut,', ''],
    wishes: [
      [
        'ma commande {order} devait arriver lundi et je n’ai toujours rien reçu.',
        'Votre colis est au dépôt et sera livré demain avant midi.',
      ],
      [
        'je vous ai renvoyé la lampe il y a trois semaines, quand serai-je remboursé ?',
        'Le remboursement est parti ce matin, comptez trois jours ouvrés.',
      ],
      [
        'je voudrais annuler la commande {order}, je me suis trompée de taille.',
        'C’est fait, la commande est annulée et rien ne sera débité.',
      ],
      [
        'nous déménageons samedi, pouvez-vous livrer à la nouvelle adresse ?',
        'Oui, indiquez-moi la rue et le code postal et je corrige la livraison.',
      ],
      [
        'il me manque la facture du mois dernier pour ma comptable.',
        'La facture est maintenant dans votre espace client, sous Documents.',
      ],
      [
        'le site me dit que mon mot de passe est faux alors que je viens de le changer.',
        'Videz le cache du navigateur puis reconnectez-vous, cela suffit.',
      ],
      [
        'la bouilloire fuit par le fond depuis hier soir.',
        'Débranchez-la, nous vous en envoyons une neuve dès aujourd’hui.',
      ],
      [
        'êtes-vous ouverts le dimanche pendant les fêtes ?',
        'Oui, de dix heures à seize heures jusqu’au trois janvier.',
      ],
    ],
    ends: ['Merci d’avance !', 'Bien cordialement, {name}', 'Je compte sur vous.', ''],
  },
  es: {
    openings: ['Hola,', 'Buenos días,', 'Buenas,', ''],
    wishes: [
      [
        'el pedido {order} sigue sin llegar y ya ha pasado una semana.',
        'El paquete sale hoy del almacén y llega mañana por la tarde.',
      ],
      [
        '¿cuándo me devuelven el dinero de la silla que mandé de vuelta?',
        'El reembolso se hizo ayer y lo verá en su cuenta en dos días.',
      ],
      ['quiero cancelar lo que pedí anoche porque lo encontré más barato.', 'Queda cancelado. No se le cobrará nada.'],
      [
        'me he mudado y la dirección del pedido {order} ya no vale.',
        'Dígame la calle nueva y la cambio antes de que salga el camión.',
      ],
      [
        'necesito la factura con el nombre de mi empresa, por favor.',
        'Ya está corregida y la tiene en su perfil, en la sección de compras.',
      ],
      [
        'no puedo entrar en mi cuenta desde que cambié de teléfono.',
        'Pulse en «He perdido mi teléfono» y le enviaremos un código por correo.',
      ],
      [
        'la bomba de agua hace un ruido horrible y luego se apaga.',
        'Parece el motor. La cambiamos gratis, está en garantía.',
      ],
      ['¿a qué hora cierran los sábados?', 'Los sábados cerramos a las dos y media.'],
    ],
    ends: ['Muchas gracias.', 'Un saludo, {name}', '¿Me ayudan?', ''],
  },
  it: {
    openings: ['Buongiorno,', 'Salve,', 'Ciao,', ''],
    wishes: [
      [
        'sto ancora aspettando l’ordine {order}, doveva essere qui giovedì.',
        'Il corriere lo consegna oggi pomeriggio tra le tre e le cinque.',
      ],
      [
        'ho restituito il bollitore ma non ho visto nessun accredito.',
        'L’accredito è partito stamattina e arriva entro venerdì.',
      ],
      [
        'vorrei annullare l’acquisto di ieri sera, l’ho fatto per sbaglio.',
        'Ho annullato tutto, non le verrà addebitato niente.',
      ],
      ['potete spedire al mio ufficio invece che a casa?', 'Certo, mi dia l’indirizzo e lo cambio subito.'],
      [
        'la fattura che mi avete mandato ha la partita IVA sbagliata.',
        'Le ho appena mandato quella giusta, quella vecchia non vale più.',
      ],
      [
        'dopo l’aggiornamento l’applicazione non accetta più la mia password.',
        'Scelga «Password dimenticata» e ne imposti una nuova.',
      ],
      [
        'la lampada si accende e si spegne da sola tutta la notte.',
        'È un difetto noto del sensore, le spediamo un ricambio.',
      ],
      ['siete aperti anche il lunedì mattina?', 'Il lunedì apriamo soltanto alle quattordici.'],
    ],
    ends: ['Grazie mille!', 'Cordiali saluti, {name}', 'Fatemi sapere.', ''],
  },
  pt: {
    openings: ['Olá,', 'Bom dia,', 'Boa tarde,', ''],
    wishes: [
      [
        'a encomenda {order} ainda não chegou e ninguém me diz nada.',
        'A sua encomenda está em distribuição e chega hoje até às dezoito.',
      ],
      [
        'devolvi o casaco no mês passado e não recebi o dinheiro de volta.',
        'Peço desculpa pelo atraso. O valor foi devolvido esta manhã.',
      ],
      ['quero cancelar a compra que fiz há uma hora.', 'Está cancelada e não vai ser cobrado nada.'],
      [
        'não vou estar em casa, podem entregar na loja do meu irmão?',
        'Podemos sim, diga-me a morada da loja e o nome dele.',
      ],
      ['preciso da segunda via da fatura de outubro.', 'Já a enviei. Também a encontra na sua conta, em Faturas.'],
      [
        'a minha conta ficou bloqueada depois de três tentativas.',
        'Acabei de a desbloquear, tente outra vez daqui a cinco minutos.',
      ],
      [
        'a impressora não puxa o papel e a luz fica vermelha.',
        'Abra a tampa de trás e limpe o rolo; se não resolver, trocamos a máquina.',
      ],
      ['até que horas estão abertos na véspera de Natal?', 'Na véspera de Natal fechamos às treze horas.'],
    ],
    ends: ['Obrigado pela ajuda.', 'Com os melhores cumprimentos, {name}', 'Fico à espera.', ''],
  },
  nl: {
    openings: ['Hallo,', 'Goedemorgen,', 'Beste mensen,', ''],
    wishes: [
      [
        'mijn bestelling {order} zou gisteren komen, maar er is niemand geweest.',
        'De bezorger komt vandaag tussen twee en vier nog een keer langs.',
      ],
      [
        'ik heb de bureaustoel teruggestuurd en wacht nog steeds op mijn geld.',
        'Het bedrag is vanochtend overgemaakt en staat morgen op uw rekening.',
      ],
      [
        'kunt u de bestelling van vanmiddag annuleren? Ik heb de verkeerde kleur gekozen.',
        'Dat is gebeurd, u hoeft niets te betalen.',
      ],
      [
        'wij zijn verhuisd en het pakket gaat nu naar ons oude huis.',
        'Geef mij het nieuwe adres, dan stuur ik het pakket door.',
      ],
      ['op de factuur staat twee keer hetzelfde artikel.', 'U heeft gelijk, de nieuwe factuur zit in uw mail.'],
      [
        'ik kan niet meer inloggen sinds de nieuwe website er is.',
        'Vraag een nieuw wachtwoord aan, de oude werken daar niet meer.',
      ],
      [
        'de fietspomp blijft lucht verliezen bij het ventiel.',
        'Dat ligt aan het rubber, wij sturen u gratis een nieuw setje.',
      ],
      ['hoe laat gaat de winkel open op koopzondag?', 'Op koopzondag zijn wij open vanaf twaalf uur.'],
    ],
    ends: ['Alvast bedankt!', 'Met vriendelijke groet, {name}', 'Ik hoor het graag.', ''],
  },
  pl: {
    openings: ['Dzień dobry,', 'Cześć,', 'Witam,', ''],
    wishes: [
      [
        'zamówienie {order} miało być wczoraj, a kuriera nadal nie ma.',
        'Paczka jest już u kuriera i dotrze dzisiaj do osiemnastej.',
      ],
      ['kiedy dostanę zwrot pieniędzy za odesłany czajnik?', 'Przelew wyszedł rano, pieniądze będą jutro na koncie.'],
      [
        'proszę anulować zakupy z dzisiejszego ranka, pomyliłam rozmiar.',
        'Zamówienie zostało anulowane, nic Pani nie zapłaci.',
      ],
      [
        'czy możecie wysłać to na inny adres? Przeprowadzam się w piątek.',
        'Oczywiście, proszę podać ulicę i kod pocztowy.',
      ],
      ['na fakturze jest zły numer naszej firmy.', 'Poprawiona faktura jest już w Państwa panelu.'],
      ['nie mogę się zalogować, strona ciągle wraca do początku.', 'Proszę usunąć ciasteczka i spróbować jeszcze raz.'],
      ['lampka przestała świecić po dwóch dniach używania.', 'To wada zasilacza, wyślemy nowy bez żadnych kosztów.'],
      ['w jakich godzinach jest czynny sklep w sobotę?', 'W sobotę jesteśmy od dziewiątej do czternastej.'],
    ],
    ends: ['Dziękuję za pomoc.', 'Pozdrawiam, {name}', 'Proszę o szybką odpowiedź!', ''],
  },
  ru: {
    openings: ['Здравствуйте!', 'Добрый день.', 'Привет!', ''],
    wishes: [
      [
        'Заказ {order} должен был прийти в среду, но его до сих пор нет.',
        'Посылка уже в вашем городе, курьер привезёт её завтра утром.',
      ],
      [
        'Когда вы вернёте деньги за стул, который я отправил обратно?',
        'Возврат оформлен сегодня, деньги поступят в течение трёх дней.',
      ],
      ['Отмените, пожалуйста, мой вчерашний заказ, я передумала.', 'Заказ отменён, платить ничего не нужно.'],
      ['Можно ли доставить не домой, а на работу?', 'Да, напишите адрес и удобное время, я всё поменяю.'],
      ['Пришлите счёт за прошлый месяц на имя нашей фирмы.', 'Счёт готов, он лежит в личном кабинете.'],
      [
        'Я не могу войти, сайт пишет, что такого пользователя нет.',
        'Вы зарегистрированы под другим именем, я отправил вам подсказку.',
      ],
      ['Чайник не выключается, когда вода закипает.', 'Не пользуйтесь им больше, мы заменим его бесплатно.'],
      ['Вы работаете в праздничные дни?', 'Да, каждый день с десяти до шести, кроме первого января.'],
    ],
    ends: ['Спасибо заранее.', 'С уважением, {name}', 'Жду ответа.', ''],
  },
  ja: {
    openings: ['お世話になっております。', 'こんにちは。', 'はじめまして。', ''],
    wishes: [
      ['注文番号{order}の商品がまだ届いていません。', '本日の午後に配達いたしますので、もう少々お待ちください。'],
      ['先週返品したやかんの返金はいつになりますか。', '昨日手続きが終わりましたので、三日ほどで口座に入ります。'],
      ['今朝の注文を取り消したいのですが、間に合いますか。', 'はい、まだ発送前でしたので取り消しました。'],
      ['引っ越すので、届け先を会社に変えてください。', 'かしこまりました。新しいご住所を教えていただけますか。'],
      ['会社名の入った領収書を送ってもらえますか。', '領収書はマイページからいつでも印刷していただけます。'],
      ['パスワードを変えてからログインできなくなりました。', 'お手数ですが、もう一度再設定のメールをお試しください。'],
      [
        '電気スタンドのスイッチを押しても何も起こりません。',
        '電源部分の故障と思われますので、新しいものと交換いたします。',
      ],
      ['年末は何時まで開いていますか。', '年末は三十日の午後五時まで営業しております。'],
    ],
    ends: ['よろしくお願いします。', '{name}と申します。', 'お返事をお待ちしています。', ''],
  },
  zh: {
    openings: ['您好，', '你好！', '客服在吗？', ''],
    wishes: [
      ['订单{order}已经过了一个星期，怎么还没有送到？', '您的包裹已经到达本市，明天上午就能送到。'],
      ['我上个月退回的椅子，什么时候可以退款？', '退款今天早上已经办好，三天之内到账。'],
      ['请帮我取消昨天晚上下的单，我选错了颜色。', '已经为您取消，不会扣任何费用。'],
      ['我下周搬家，可以把地址改成公司吗？', '可以，请把新的地址和电话告诉我们。'],
      ['发票上的公司名称写错了，请重新开一张。', '新的发票已经开好，您可以在账户里下载。'],
      ['我换了手机以后一直登录不了。', '请先点“忘记密码”，我们会给您发送验证码。'],
      ['水壶用了两天就漏水了，这是怎么回事？', '这是密封圈的问题，我们马上给您寄一个新的。'],
      ['春节期间你们几点关门？', '春节期间每天下午四点关门，初一休息。'],
    ],
    ends: ['谢谢！', '麻烦尽快回复。', '我叫{name}。', ''],
  },
  ar: {
    openings: ['السلام عليكم،', 'مرحبا،', 'صباح الخير،', ''],
    wishes: [
      ['لم يصل الطلب رقم {order} حتى الآن رغم مرور أسبوع كامل.', 'الطرد مع السائق الآن وسيصل إليك قبل المساء.'],
      ['متى سأسترجع ثمن الكرسي الذي أعدته إليكم؟', 'تم تحويل المبلغ هذا الصباح وسيظهر في حسابك خلال يومين.'],
      ['أريد إلغاء ما طلبته البارحة لأنني أخطأت في المقاس.', 'تم إلغاء الطلب ولن يخصم منك أي مبلغ.'],
      ['هل يمكن تغيير العنوان؟ سننتقل إلى بيت جديد يوم الجمعة.', 'نعم، أرسل لنا اسم الشارع ورقم البيت من فضلك.'],
      ['الفاتورة التي وصلتني لا تحمل اسم الشركة.', 'أصلحنا الفاتورة وهي الآن في صفحتك.'],
      ['لا أستطيع الدخول إلى حسابي منذ تحديث التطبيق.', 'احذف التطبيق ثم ثبته من جديد وستعود الأمور كما كانت.'],
      ['المصباح يصدر صوتا غريبا ثم ينطفئ.', 'هذا عيب في المحول وسنرسل لك واحدا جديدا مجانا.'],
      ['متى تفتحون المتجر في شهر رمضان؟', 'نفتح في رمضان من العاشرة صباحا حتى الثالثة عصرا.'],
    ],
    ends: ['شكرا جزيلا.', 'مع التحية، {name}', 'أنتظر ردكم.', ''],
  },
  ko: {
    openings: ['안녕하세요.', '수고 많으십니다.', '저기요,', ''],
    wishes: [
      ['주문 번호 {order} 상품이 아직도 안 왔어요.', '오늘 오후에 배송될 예정이니 조금만 기다려 주세요.'],
      ['지난주에 반품한 의자는 언제 환불되나요?', '오늘 아침에 처리했고 사흘 안에 입금됩니다.'],
      ['어젯밤에 주문한 것을 취소하고 싶습니다.', '아직 발송 전이라 바로 취소해 드렸습니다.'],
      ['이사를 해서 받을 주소를 회사로 바꿔야 합니다.', '네, 새 주소와 우편번호를 알려 주세요.'],
      ['회사 이름이 들어간 영수증이 필요합니다.', '내 정보 화면에서 언제든지 출력하실 수 있습니다.'],
      ['비밀번호를 바꾼 뒤로 로그인이 안 됩니다.', '잠시 후에 다시 시도해 보시고, 안 되면 재설정해 주세요.'],
      ['주전자에서 물이 새서 쓸 수가 없어요.', '불량인 것 같습니다. 새 제품으로 교환해 드리겠습니다.'],
      ['설 연휴에도 문을 여나요?', '설 당일만 쉬고 나머지는 열 시부터 엽니다.'],
    ],
    ends: ['감사합니다.', '빠른 답변 부탁드립니다.', '{name} 드림', ''],
  },
  hi: {
    openings: ['नमस्ते,', 'नमस्कार जी,', 'सुनिए,', ''],
    wishes: [
      ['मेरा ऑर्डर {order} अभी तक नहीं आया है, एक हफ़्ता हो गया।', 'आपका पार्सल आज शाम तक घर पहुँच जाएगा।'],
      ['मैंने जो कुर्सी वापस भेजी थी, उसके पैसे कब मिलेंगे?', 'पैसे आज सुबह भेज दिए गए हैं, दो दिन में खाते में आ जाएँगे।'],
      ['कल रात वाला ऑर्डर रद्द कर दीजिए, ग़लत रंग चुन लिया था।', 'ऑर्डर रद्द हो गया है, आपसे कुछ नहीं लिया जाएगा।'],
      ['हम घर बदल रहे हैं, क्या पता बदला जा सकता है?', 'जी हाँ, नई गली और पिन कोड बता दीजिए।'],
      ['मुझे पिछले महीने का बिल कंपनी के नाम पर चाहिए।', 'नया बिल आपके खाते में डाल दिया गया है।'],
      ['पासवर्ड बदलने के बाद से मैं अंदर नहीं जा पा रही हूँ।', 'एक बार बाहर निकलकर फिर से कोशिश कीजिए।'],
      ['केतली दो दिन में ही टपकने लगी, यह क्या बात हुई?', 'माफ़ कीजिए, हम आज ही आपको नई केतली भेज रहे हैं।'],
      ['क्या दुकान रविवार को खुली रहती है?', 'रविवार को हम सुबह ग्यारह बजे से खुले रहते हैं।'],
    ],
    ends: ['धन्यवाद।', 'आपकी मदद चाहिए।', 'भवदीय, {name}', ''],
  },
};

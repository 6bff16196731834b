import type { Messages } from './messages.ts';

export const de: Messages = {
  name: 'Deutsch',
  seo: {
    locale: 'de_DE',
    title: 'Premium-Domains zu verkaufen: jetzt Angebot machen',
    description:
      'Premium-Domains, direkt vom Inhaber zu verkaufen. Wählen Sie eine aus und machen Sie Ihr Angebot.',
    image: 'Premium-Domains zu verkaufen',
    domainTitle: '{domain} steht zum Verkauf: jetzt Angebot machen',
    domainImage: '{domain} steht zum Verkauf',
    inImage: { domain: 'Diese Domain steht zum Verkauf', home: 'Domains, direkt vom Inhaber zu verkaufen' },
    call: 'Jetzt Angebot machen.',
  },
  replyTime: { hour: '1 Stunde', hours: '{count} Stunden', day: '1 Tag', days: '{count} Tagen' },
  page: {
    header: 'Ihre nächste Domain wartet',
    otherLanguages: 'Weitere Sprachen',
    lead: 'Wählen Sie einen Namen und sagen Sie uns, was er Ihnen wert ist: Ein Mensch antwortet Ihnen innerhalb von {replyTime}.',
    noScript: 'Um ein Angebot zu senden, wird JavaScript benötigt. In diesem Browser ist es ausgeschaltet.',
    notLoaded:
      'Ein Teil dieser Seite konnte nicht geladen werden. Was Sie eingegeben haben, bleibt: Bitte prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.',
    offline:
      'Sie sind offline. Was Sie eingegeben haben, bleibt und kann gesendet werden, sobald Sie wieder verbunden sind.',
    otherHost: 'Unter dieser Adresse kann man keine Angebote machen. Man macht sie auf den Domains selbst:',
    contact: 'Schreiben Sie lieber? Den Inhaber erreichen Sie unter',
    about: 'Über {domain}',
    forSale: 'Zu verkaufen',
    forSaleBy: 'Zu verkaufen von {owner}',
    askingPrice: 'Preisvorstellung:',
    seller: {
      title: 'Angeboten von {owner}',
      proof: 'Diese Seite wird von {domain} selbst ausgeliefert: Das kann nur, wem die Domain gehört.',
      links: 'Über diese Website',
      buyNow: 'Sofort kaufen',
      buyNowFor: 'Sofort kaufen für {price}',
      orOffer: 'oder ein Angebot machen',
      escrowed:
        'Das Geld geht an einen Treuhänder: Eine neutrale Stelle verwahrt es, bis die Domain Ihnen gehört.',
      instalments: 'In Raten zahlen',
      steps: {
        title: 'So läuft ein Verkauf ab',
        offer: { title: 'Sie machen ein Angebot', text: 'Jeder Betrag, ohne Konto.' },
        reply: { title: 'Antwort innerhalb von {replyTime}', text: 'Von einem Menschen, per E-Mail.' },
        escrow: { title: 'Das Geld geht an einen Treuhänder', text: 'Eine neutrale Stelle verwahrt es.' },
        transfer: { title: 'Die Domain gehört Ihnen', text: 'Erst die Übertragung, dann die Auszahlung.' },
      },
    },
    notForSale: {
      sold: { title: '{domain} ist verkauft', text: 'Diese Domain ist verkauft.' },
      reserved: {
        title: '{domain} ist reserviert',
        text: 'Diese Domain ist reserviert. Angebote sind zurzeit nicht möglich.',
      },
      others: 'Weitere Domains, die zu haben sind',
      call: 'Sehen Sie sich weitere Domains an, die direkt vom Inhaber zu haben sind.',
      nothing: {
        title: 'Zurzeit ist keine Domain zu haben',
        text: 'Alle Domains dieser Seite sind verkauft oder reserviert.',
      },
    },
    notFound: {
      title: 'Unter dieser Adresse gibt es nichts',
      text: 'Vielleicht ist die Seite umgezogen, vielleicht hat die Domain schon einen neuen Inhaber.',
      home: 'Zu den Domains, die zu haben sind',
      where: 'Sie sind auf einer Seite, auf der ein Inhaber seine Domains verkauft.',
      others: 'Domains, die zu haben sind',
    },
    catalogue: {
      all: 'Alle Domains ansehen',
      title: 'Alle Domains',
      description: '{count} Domains, direkt vom Inhaber zu verkaufen.',
      page: 'Seite {number} von {last}',
      pages: 'Seiten',
      previous: 'Zurück',
      next: 'Weiter',
    },
  },
  headline: {
    selected: ['Sichern Sie sich', ''],
    unselected: ['Sichern Sie sich eine', 'Premium-Domain', ''],
  },
  grid: { choose: 'Wählen Sie Ihre Domain' },
  form: {
    title: 'Angebot machen',
    forDomain: 'für',
    lead: 'Sagen Sie uns, was die Domain Ihnen wert ist: Ein Mensch antwortet Ihnen innerhalb von {replyTime}.',
    labels: { offer_amount: 'Ihr Angebot', customer_name: 'Name', customer_email: 'E-Mail' },
    hints: { offer_amount: 'Jeder Betrag, in Ihren eigenen Worten.' },
    submit: 'Angebot senden',
    submitting: 'Wird gesendet …',
    submitted: 'Ihr Angebot ist angekommen!',
    promise: 'Wir melden uns innerhalb von {replyTime} bei Ihnen.',
    receipt: {
      domain: 'Domain',
      email: 'Wir schreiben an',
      now: 'So geht es weiter',
      arrived: 'Ihr Angebot ist eingegangen',
      reply: 'Der Inhaber antwortet per E-Mail',
      by: 'Bis {time}',
      spam: 'Sehen Sie auch im Spam-Ordner nach.',
      agreed: 'Sobald Sie sich auf einen Preis geeinigt haben.',
      mistyped: 'Etwas vertippt?',
      another: 'Weiteres Angebot machen',
    },
    botCheck: {
      idle: 'Geschützt durch eine unsichtbare Bot-Prüfung.',
      working: 'Wir prüfen, dass Sie kein Bot sind …',
      ready: 'Bot-Prüfung bestanden.',
      failed: 'Das CAPTCHA konnte nicht geladen werden. Bitte laden Sie die Seite neu.',
    },
    failures: {
      'bot-check-missing': 'Bitte schließen Sie das CAPTCHA ab.',
      'no-domain': 'Wählen Sie oben eine Domain, um ein Angebot zu machen.',
      unexpected:
        'Beim Senden Ihres Angebots ist ein Fehler aufgetreten. Bitte versuchen Sie es noch einmal.',
      rejected: 'Unbekannter Fehler',
    },
  },
  broker: {
    title: 'Wünschen Sie professionelle Unterstützung?',
    link: '{domain} über den Broker kaufen',
    none: 'Unser Broker meldet sich innerhalb von {replyTime} bei Ihnen, um Ihr Angebot zu besprechen.',
    unselected: 'Wählen Sie oben eine Domain, um den Broker einzuschalten',
  },
  search: {
    label: '{count} Domains durchsuchen',
    working: 'Die Namen werden geladen …',
    one: '1 Domain:',
    many: '{count} Domains:',
    first: '{count} Domains, hier die ersten {shown}:',
    none: 'Keine Domain mit „{query}“ im Namen.',
    noneFiltered: 'Keine Domain passt dazu.',
    more: 'Mehr anzeigen',
    ending: { label: 'Endung', all: 'Alle' },
    length: {
      label: 'Länge',
      all: 'Alle',
      upTo: 'Bis {most}',
      between: '{least} bis {most}',
      from: 'Ab {least}',
    },
    failed:
      'Die Namen konnten nicht geladen werden. Bitte versuchen Sie es noch einmal, oder blättern Sie in den Seiten unten.',
  },
  lowOffer: 'Der Inhaber erwartet mehr für diesen Namen. Sie können ein neues Angebot machen.',
  offerMessage: {
    label: 'Nachricht (freiwillig)',
    hint: 'Was der Inhaber wissen sollte, in höchstens 1.000 Zeichen.',
  },
  rejections: {
    foreign_origin:
      'Das geht nur auf der Seite selbst. Bitte öffnen Sie die Domain und benutzen Sie ihr Formular.',
    too_large: 'Das ist mehr, als dieses Formular annimmt. Bitte kürzen Sie Ihre Texte.',
    too_slow:
      'Ihre Verbindung war zu langsam, um das Formular zu senden. Bitte versuchen Sie es noch einmal.',
    missing: 'Bitte füllen Sie das Feld „{field}“ aus.',
    too_long: 'Bitte kürzen Sie das Feld „{field}“ auf {max} Zeichen.',
    not_plain_text: 'Bitte entfernen Sie Zeilenumbrüche und Steuerzeichen aus dem Feld „{field}“.',
    not_an_email: 'Bitte geben Sie eine E-Mail-Adresse wie name@example.com ein.',
    unknown_domain:
      'Diese Domain ist hier nicht (mehr) zu haben. Bitte laden Sie die Seite neu und wählen Sie eine andere.',
    domain_sold: 'Diese Domain ist verkauft. Bitte laden Sie die Seite neu und wählen Sie eine andere.',
    domain_reserved:
      'Diese Domain ist reserviert und nimmt im Moment keine Angebote an. Bitte laden Sie die Seite neu und wählen Sie eine andere.',
    bot_check_failed:
      'Die Bot-Prüfung hat diesen Browser nicht akzeptiert. Bitte versuchen Sie es noch einmal.',
    bot_check_expired: 'Die Bot-Prüfung ist abgelaufen. Bitte senden Sie Ihr Angebot noch einmal.',
    bot_check_used:
      'Diese Bot-Prüfung wurde schon für ein anderes Angebot verwendet. Bitte senden Sie Ihr Angebot noch einmal.',
    bot_check_unavailable:
      'Die Bot-Prüfung ist im Moment nicht erreichbar. Bitte versuchen Sie es in einer Minute noch einmal.',
    too_many_offers: 'Zu viele Angebote auf einmal. Bitte versuchen Sie es in {minutes} Min. noch einmal.',
    unavailable: 'Das geht im Moment nicht. Bitte versuchen Sie es in einer Minute noch einmal.',
    internal: 'Bei uns ist etwas schiefgegangen. Bitte versuchen Sie es in einer Minute noch einmal.',
  },
};

/** The messages in English. Every other language has the same keys, and the same placeholders `{…}`. */
export const en = {
  /** The language's own name, for the link to it. */
  name: 'English',
  seo: {
    /** The language with its country, as Open Graph wants it. */
    locale: 'en_US',
    /** The page with nothing selected; `image` is the alternative text of the share image. */
    title: 'Premium domains for sale: make an offer',
    description: 'Premium domain names, for sale by their owner. Choose one and make an offer.',
    image: 'Premium domains for sale',
    /** A domain's page; its description is the owner's. */
    domainTitle: '{domain} is for sale: make an offer',
    domainImage: '{domain} is for sale',
    /** Text in the share image, below the domain's name or below the headline. */
    inImage: { domain: 'This domain is for sale', home: 'Domain names, for sale by their owner' },
    /** Appended to the owner's description where there is room for both. */
    call: 'Make an offer today.',
  },
  /** The time that takes the place of `{replyTime}`, as it stands after "within". */
  replyTime: { hour: '1 hour', hours: '{count} hours', day: '1 day', days: '{count} days' },
  page: {
    header: 'Your Next Domain Awaits',
    /** Accessible label of the links to the page in other languages. */
    otherLanguages: 'Other languages',
    lead: 'Choose a name, tell us what it is worth to you, and hear from a person within {replyTime}.',
    noScript: 'Sending an offer needs JavaScript, which is switched off in this browser.',
    notLoaded:
      'Part of this page could not be loaded. What you typed stays: please check your connection and try again.',
    offline: 'You are offline. What you send goes out when you are connected again.',
    /** With a hosted backend, on a host that it does not know; links to the domains follow. */
    otherHost: 'Offers cannot be made at this address. They are made on the domains themselves:',
    /** Precedes the owner's email. */
    contact: 'Prefer to write? Reach the owner at',
    /** The title of the owner's longer text on a domain. */
    about: 'About {domain}',
    /** Before the headline; the second with the owner's name. */
    forSale: 'For sale',
    forSaleBy: 'For sale by {owner}',
    /** Precedes the owner's price. */
    askingPrice: 'Asking price:',
    seller: {
      title: 'Sold by {owner}',
      proof: 'This page is served by {domain} itself: only its owner can do that.',
      /** Accessible label of the owner's links. */
      links: 'About this site',
      buyNow: 'Buy now',
      buyNowFor: 'Buy now for {price}',
      /** The link to the form, after these. */
      orOffer: 'or make an offer',
      /** Below these; the owner's link to the escrow service follows. */
      escrowed: 'The money goes into escrow: a neutral third party holds it until the name is yours.',
      instalments: 'Pay in instalments',
      /** The steps of a sale; the owner's link to the escrow service follows the third. */
      steps: {
        title: 'How a sale goes',
        offer: { title: 'You make an offer', text: 'Any amount, without an account.' },
        reply: { title: 'Answer within {replyTime}', text: 'From a person, by email.' },
        escrow: { title: 'Money into escrow', text: 'A neutral third party holds it.' },
        transfer: { title: 'The domain is yours', text: 'Transferred first, paid out after.' },
      },
    },
    notForSale: {
      sold: { title: '{domain} has been sold', text: 'This domain has been sold.' },
      reserved: {
        title: '{domain} is reserved',
        text: 'This domain is reserved and takes no offers at present.',
      },
      others: 'Other domains for sale',
      othersBy: 'Other domains for sale by {owner}',
      /** Appended to the description for search engines, where there are other domains. */
      call: 'See other domains for sale by their owner.',
      /** The page of the whole site where no domain is for sale. */
      nothing: {
        title: 'No domains for sale at present',
        text: 'All domains of this site have been sold or are reserved.',
      },
    },
    notFound: {
      title: 'There is nothing at this address',
      text: 'The page may have moved, or its domain may have found its owner.',
      home: 'See the domains for sale',
      where: 'You are on a site where domain names are sold by their owner.',
      others: 'Domains for sale',
      /** On the host of a domain that is for sale. The link leads to its page. */
      forSale: {
        title: 'This domain is for sale',
        text: 'There is nothing at this address any more, and the domain itself is for sale by its owner.',
        link: 'See it and make an offer',
      },
    },
    /** The pages that list a large catalogue. */
    catalogue: {
      all: 'Browse all domains',
      title: 'All Domains',
      description: '{count} domain names, for sale by their owner.',
      page: 'Page {number} of {last}',
      pages: 'Pages',
      previous: 'Previous',
      next: 'Next',
    },
  },
  /** Around the domain's name; with nothing selected, the parts are joined. */
  headline: {
    selected: ['Own', 'Domain'] as [before: string, after: string],
    unselected: ['Own a', 'Premium', 'Domain'] as [string, string, string],
  },
  grid: { choose: 'Choose your domain' },
  form: {
    title: 'Make an Offer',
    /** These two stand around the domain's name. */
    forDomain: 'for',
    lead: 'Tell us what it is worth to you, and hear from a person within {replyTime}.',
    /** By field, in the order of the form; also used in error messages. */
    labels: { offer_amount: 'Your Offer', customer_name: 'Name', customer_email: 'Email' },
    hints: { offer_amount: 'Any amount, in your own words.' },
    /** What stands in a field's hint while it is wrong: empty, or no email. */
    problems: {
      offer_amount: 'Please write your offer.',
      customer_name: 'Please write your name.',
      customer_email: 'Please write your email.',
      format: 'Please write a whole email address.',
    },
    /** The domain that was probably meant in an email. */
    didYouMean: 'Did you mean {domain}?',
    /** Why a press on the button, which waited for the bot check, was not carried out. `{submit}` is its label. */
    pressEnded: {
      changed: 'Something changed after you pressed “{submit}”, so nothing was sent. Please press it again.',
      late: 'This took longer than 15 minutes, so nothing was sent. Please press “{submit}” again.',
    },
    /** After a message of a bot check that did not load, or of a request that failed while a press waits. */
    retry: { in: 'Trying again in {seconds} s.', now: 'Trying again…' },
    submit: 'Submit Offer',
    submitting: 'Submitting...',
    submitted: 'Offer Submitted!',
    promise: "We'll get back to you within {replyTime}.",
    receipt: {
      domain: 'Domain',
      email: 'We will write to',
      /** What happens after an offer, as steps. The last ones have the titles of `page.seller.steps`. */
      now: 'What happens now',
      arrived: 'Your offer has arrived',
      reply: 'The owner answers by email',
      /** `{time}` is `tomorrow, 2:47 AM GMT+1` or `Saturday, November 28, 2:47 AM GMT+1`. */
      by: 'By {time}',
      spam: 'Look into your spam folder, too.',
      agreed: 'Once you agree on a price.',
      close: 'You can close this page.',
      /** After a low offer, beside its amount. */
      asking: 'Asking price',
      /** The button follows. */
      mistyped: 'Something mistyped?',
      another: 'Make another offer',
    },
    botCheck: {
      idle: 'Protected by an invisible bot check.',
      working: 'Checking that you are not a bot…',
      ready: 'Bot check passed.',
      failed: 'CAPTCHA failed to load. Please refresh.',
    },
    /** Where an API of the browser is missing. The owner's email or link follows `write`. */
    unsupported: {
      text: 'This browser cannot make an offer here: it lacks a function that the form needs. Please use another browser.',
      write: 'Or write to the seller:',
    },
    /** Why an offer was rejected; `rejected` where the function sent no message. */
    failures: {
      'bot-check-missing': 'Please complete the CAPTCHA.',
      'no-domain': 'Select a domain above to make an offer.',
      unexpected: 'There was an error submitting your offer. Please try again.',
      rejected: 'Unknown error',
    },
  },
  broker: {
    title: 'Need Professional Assistance?',
    link: 'Use Broker for {domain}',
    none: 'Our broker will contact you within {replyTime} to discuss your offer.',
    unselected: 'Select a domain above to access broker services',
  },
  /** The search of a large catalogue. `count` domains are found, of which the first `shown` are listed. */
  search: {
    label: 'Search {count} domains',
    working: 'Loading the names…',
    one: '1 domain:',
    many: '{count} domains:',
    first: '{count} domains, the first {shown} of them:',
    none: 'No domain with “{query}” in its name.',
    /** With an ending or a length chosen. */
    noneFiltered: 'No domain matches.',
    /** Above the names that come near, where none is found. */
    near: { start: 'These begin alike', ending: 'With this ending' },
    showAll: 'Show all {count} domains',
    failed: 'The names could not be loaded. Please try again, or browse the pages below.',
    more: 'Show more',
    ending: { label: 'Ending', all: 'All' },
    /** Where cards show prices. */
    sort: { label: 'Sort by price', none: 'As listed', up: 'Low to high', down: 'High to low' },
    length: {
      label: 'Length',
      all: 'Any',
      /** Numbers of letters. */
      upTo: 'Up to {most}',
      between: '{least} to {most}',
      from: '{least} or more',
    },
  },
  /** Stands in place of the promise after an offer below the owner's minimum. */
  lowOffer: 'The owner expects more for this name. You can make another offer.',
  /** Under an offer without a number, once. `{submit}` is the label of the button. */
  noAmount: 'No amount in it. Press {submit} again to send it as it is.',
  /** The buyer's page, which a link in the owner's mail opens. `{owner}` is the owner's name, or `theOwner`. */
  negotiation: {
    /** Title of the page, and the words before the domain's name. */
    title: 'Your offer',
    for: 'Your offer for',
    agreedFor: 'Your deal for',
    theOwner: 'The owner',
    loading: 'Loading your offer…',
    noScript: 'This page needs JavaScript, which is switched off in this browser.',
    failed: 'Your offer could not be loaded. Please check your connection and try again.',
    retry: 'Try again',
    invalid: { title: 'This link is not valid any more', text: 'Please write to the seller.' },
    /** Where the link has no token: the code of the email takes its place. */
    cut: {
      title: 'Your link lost its end',
      text: 'Your mail program cut it off. The email has a code, too: type it here, and your offer opens.',
      code: 'Code',
      hint: '27 letters and digits',
      open: 'Open',
      wrong: 'This code has a typing mistake. Please compare it with the email, letter by letter.',
      write: 'Or write to the seller:',
    },
    /** What is open, above its amount. */
    now: {
      counter: '{owner} asks for',
      ended: "The owner's counter-offer has ended",
      offer: 'Your offer is with the owner',
      /** The same where the owner’s name is known. */
      offerWith: 'Your offer is with {owner}',
      accepted: 'Agreed: {amount}',
      declined: 'The owner declined your offer',
      fellThrough: 'The sale fell through',
      withdrawn: 'You withdrew your offer',
      closed: 'The owner closed this offer',
    },
    /** `{date}` is a time; the days that are left follow where it has not passed. */
    until: 'Valid until {date}',
    left: { day: '{count} day left', days: '{count} days left', less: 'less than a day left' },
    /** While the offer is with the owner: by when the site promises an answer, and how it comes. */
    answersBy: '{owner} answers by {date}',
    waiting:
      'You get an email when the owner answers, with a link to this page. Nothing is to be done until then.',
    noMail: 'The answer appears on this page: keep its link. Nothing is to be done until then.',
    /** After a withdrawal, the link to the page of the name. */
    again: 'Make a new offer for {domain}',
    closing: 'The owner will write to you about payment and transfer.',
    /** After an agreement that was taken back. */
    notDue:
      'What was agreed no longer holds: please pay nothing. If you have paid already, write to the seller.',
    accept: 'Accept {amount}',
    offer: 'Make another offer',
    /** The same while the offer is with the owner. */
    another: 'Offer another amount',
    withdraw: 'Withdraw',
    /** The form of another offer: its title below Accept, the field with its hint, and the button before and after typing. */
    orOffer: 'Or make another offer',
    yourOffer: 'Your Offer',
    anyAmount: 'Any amount',
    /** The field for a note of each move. */
    note: 'Note',
    optional: 'Optional',
    sendOffer: 'Send offer',
    sendAmount: 'Send {amount}',
    /** Where the other offer ends the owner's counter-offer. */
    replaces: 'Your offer replaces the owner’s {amount}.',
    back: 'Back',
    sending: 'Sending...',
    ask: {
      accept: 'Accept {amount} for {domain}?',
      acceptText: '{owner} is told at once, and you see how payment and transfer go on.',
      withdraw: 'Withdraw your offer for {domain}?',
      withdrawText: 'The offer ends. You can make a new one on the page of the name.',
    },
    moves: 'So far',
    /** Below all times of the page: the visitor's time zone in words. */
    zone: 'Times are {zone}.',
    /** By who made a move. */
    buyer: {
      offer: 'You offered {amount}',
      accept: 'You accepted {amount}',
      withdraw: 'You withdrew your offer',
    },
    owner: {
      counter: '{owner} countered {amount}',
      accept: '{owner} accepted {amount}',
      decline: '{owner} declined',
      take_back: '{owner} took the acceptance back',
      close: '{owner} closed this offer',
    },
    seller: 'Your seller',
    /** Once both agree. `{domain}` is the name, `{amount}` what was agreed. */
    deal: {
      /** Titles above the amount, by the last step that is done. */
      stages: { agreed: 'Agreed', paid: 'Paid', transferred: 'Transferred', sold: '{domain} is yours' },
      /** Below the amount once it is paid. */
      next: {
        paid: '{owner} transfers {domain} next.',
        transferred:
          '{owner} has transferred {domain}. Please confirm the transfer where your registrar asks for it.',
        sold: 'The deal is done.',
      },
      /** `theOwner` within a sentence. */
      theOwner: 'the owner',
      payBy: 'Pay by {date}',
      /** In place of the days that are left: on the day, and later. */
      today: 'today is the last day',
      past: 'this day has passed',
      pay: 'Pay {amount}',
      /** Below that button: where it leads, and what its URL fills in. */
      opens: 'Opens {host}.',
      filled: {
        both: 'Amount and reference {reference} are filled in there.',
        amount: 'The amount is filled in there.',
        reference: 'The reference {reference} is filled in there. Check that the amount is {amount}.',
        none: 'Check there that the amount is {amount}.',
      },
      reference: 'Reference',
      why: 'Write it into the payment, so that {owner} finds it.',
      amount: 'Amount',
      /** The button of each line, and what it becomes for a moment: `failed` where the text is only selected. */
      copy: { label: 'Copy', done: 'Copied', failed: 'Selected' },
      title: 'Where it stands',
      /** Before and after each is done. */
      steps: {
        agreed: 'Agreed',
        paid: 'You pay',
        transferred: '{owner} transfers {domain}',
        sold: '{domain} is yours',
      },
      done: {
        agreed: 'Agreed',
        paid: 'You paid',
        transferred: '{owner} transferred {domain}',
        sold: '{domain} is yours',
      },
      by: 'by {date}',
      confirm: 'you confirm, and the deal is done',
      after: 'What happens after you paid',
    },
    /** Why a move was not made, by the function's code. */
    failures: {
      moved: 'The owner was first: this is the newest state. Please read it and choose again.',
      ended: 'The time of this counter-offer is over. You can make another offer.',
      not_possible: 'This is not possible any more: this is the newest state.',
      too_many_moves: 'There are too many moves already. Please write to the seller.',
      missing: 'Please write an amount.',
      too_long: 'Please shorten the amount to 500 characters.',
      not_plain_text: 'Please remove line breaks and control characters from the amount.',
      note_too_long: 'Please shorten the note to 1,000 characters.',
      note_control_characters: 'Please remove control characters from the note.',
      unexpected: 'This could not be sent. Please try again.',
    },
  },
  /** The field that the form has with `offerMessage`. */
  offerMessage: {
    label: 'Message (optional)',
    /** On phones, before the field is shown. */
    add: 'Add a message (optional)',
    hint: 'What the owner should know, in at most 1,000 characters.',
  },
};

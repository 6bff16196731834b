/** What the prerendered pages say around the islands; none of it is sent to the browser as script. */
export interface PageTexts {
  language: string;
  header: string;
  lead: string;
  /** For search engines, where no domain's own description stands. */
  description: string;
  noScript: string;
  /** The line below the name in the picture that chats and networks show; one picture serves every language. */
  shareImage: { domain: string; home: string };
  notFound: { title: string; text: string; home: string };
  /** The pages that list a large catalogue. */
  catalogue: {
    all: string;
    title: string;
    description: (count: number) => string;
    page: (number: number, last: number) => string;
    pages: string;
    newer: string;
    older: string;
    search: SearchTexts;
  };
}

/** What the search of a large catalogue says; its page hands it over, so that other pages need not carry it. */
export interface SearchTexts {
  /** With {count} domains. */
  label: string;
  working: string;
  one: string;
  /** {count} found. */
  many: string;
  /** {count} found, {shown} listed. */
  first: string;
  /** For {query}. */
  none: string;
  failed: string;
}

/** What the islands say. */
export interface Texts {
  /** Before, largest, after. */
  headline: (domain: string | undefined) => [string, string, string];
  chooseDomain: string;
  form: {
    title: string;
    forDomain: string;
    noDomain: string;
    offer: string;
    offerHint: string;
    name: string;
    email: string;
    submit: string;
    submitting: string;
    submitted: string;
    promise: string;
    unknownError: string;
    unexpected: string;
  };
  botCheck: { idle: string; working: string; ready: string; failed: string; required: string };
  broker: { title: string; link: (domain: string) => string; none: string; unselected: string };
}

// Every text the storefront shows of its own accord. Another language is another file like this one.

export const pageTexts: PageTexts = {
  language: 'en',
  header: 'Your Next Domain Awaits',
  lead: 'Choose a name, tell us what it is worth to you, and hear from a person within 24 hours.',
  description: 'Premium domain names, for sale by their owner. Choose one and make an offer.',
  noScript: 'Sending an offer needs JavaScript, which is switched off in this browser.',
  shareImage: { domain: 'This domain is for sale', home: 'Domain names, for sale by their owner' },
  notFound: {
    title: 'There is nothing at this address',
    text: 'The page may have moved, or its domain may have found its owner.',
    home: 'See the domains for sale',
  },
  catalogue: {
    all: 'Browse all domains',
    title: 'All Domains',
    description: (count) => `${count.toLocaleString('en-US')} domain names, for sale by their owner.`,
    page: (number, last) => `Page ${number} of ${last}`,
    pages: 'Pages',
    newer: 'Previous',
    older: 'Next',
    search: {
      label: 'Search {count} domains',
      working: 'Loading the names…',
      one: '1 domain:',
      many: '{count} domains:',
      first: '{count} domains, the first {shown} of them:',
      none: 'No domain with “{query}” in its name.',
      failed: 'The names could not be loaded. Please try again, or browse the pages below.',
    },
  },
};

export const texts: Texts = {
  headline: (domain) => (domain ? ['Own', domain, 'Domain'] : ['Own a', 'Premium', 'Domain']),
  chooseDomain: 'Choose your domain',
  form: {
    title: 'Make an Offer',
    forDomain: 'for',
    noDomain: 'Choose a domain above to make an offer.',
    offer: 'Your Offer',
    offerHint: 'Any amount, in your own words.',
    name: 'Name',
    email: 'Email',
    submit: 'Submit Offer',
    submitting: 'Submitting...',
    submitted: 'Offer Submitted!',
    promise: "We'll get back to you within 24 hours.",
    unknownError: 'Unknown error',
    unexpected: 'There was an error submitting your offer. Please try again.',
  },
  botCheck: {
    idle: 'Protected by an invisible bot check.',
    working: 'Checking that you are not a bot…',
    ready: 'Bot check passed.',
    failed: 'CAPTCHA failed to load. Please refresh.',
    required: 'Please complete the CAPTCHA.',
  },
  broker: {
    title: 'Need Professional Assistance?',
    link: (domain) => `Use Broker for ${domain}`,
    none: 'Our broker will contact you within 24 hours to discuss your offer.',
    unselected: 'Select a domain above to access broker services',
  },
};

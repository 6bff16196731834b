import type { FormRefusal } from './form-rejections.ts';

/**
 * Every text the storefront shows of its own accord, in one language. `{…}` is a placeholder, the same in each
 * language. A page embeds the messages of its islands, so that scripts contain no language.
 */
export interface Texts extends OwnTexts {
  /** What the functions' refusals say in this language, by their code; {field} is the label of the one that is meant. */
  refusals: Record<FormRefusal, string>;
}

/** The same in the functions' own language, where their sentences are shown as they are. */
export interface OwnTexts {
  /** What the language calls itself: the link that leads to it. */
  name: string;
  seo: SeoTexts;
  page: PageTexts;
  headline: HeadlineTexts;
  grid: GridTexts;
  form: FormTexts;
  broker: BrokerTexts;
  search: SearchTexts;
}

/** What the form and the broker panel say. */
export type IslandTexts = Pick<OwnTexts, 'form' | 'broker'> & Partial<Pick<Texts, 'refusals'>>;

/** What search engines and shared links say of a page. */
export interface SeoTexts {
  /** The language with its country, as Open Graph wants it: `en_US`. */
  locale: string;
  /** The page with nothing selected. */
  title: string;
  description: string;
  /** What its picture shows, for those who do not see it. */
  image: string;
  /** A {domain}'s page; its description is the owner's. */
  domainTitle: string;
  domainImage: string;
  /** What stands in the picture, below a domain's name and below the headline of the page with nothing selected. */
  inImage: { domain: string; home: string };
  /** Stands after the owner's description where there is room for both; hence short. */
  call: string;
}

/** What the prerendered pages say around the islands. */
export interface PageTexts {
  header: string;
  /** Names the links to the same page in other languages, for screen readers. */
  otherLanguages: string;
  lead: string;
  /** Where the name is chosen already. */
  leadSelected: string;
  /** What the form cannot do without script. */
  noScript: string;
  /** Shown when the form's script did not arrive. */
  notLoaded: string;
  offline: string;
  /** Stands before the owner's e-mail address, where there is one. */
  contact: string;
  /** The title of the owner's longer text on a {domain}. */
  about: string;
  notFound: { title: string; text: string; home: string };
  /** The pages that list a large catalogue. */
  catalogue: {
    all: string;
    title: string;
    /** With {count} domains. */
    description: string;
    /** Page {number} of {last}. */
    page: string;
    pages: string;
    previous: string;
    next: string;
  };
}

export interface HeadlineTexts {
  /** Around the domain's name, which is the largest part. */
  selected: [before: string, after: string];
  unselected: [before: string, largest: string, after: string];
}

export interface GridTexts {
  choose: string;
}

export interface FormTexts {
  title: string;
  /** Stands before the domain's name. */
  forDomain: string;
  /** By the fields' names; refusals call them so, too. */
  labels: { offer_amount: string; customer_name: string; customer_email: string };
  offerHint: string;
  submit: string;
  submitting: string;
  submitted: string;
  promise: string;
  botCheck: { idle: string; working: string; ready: string; failed: string };
  /** Why an offer was not taken; `refused` where nothing more is known. */
  failures: { 'bot-check-missing': string; 'no-domain': string; unexpected: string; refused: string };
}

export interface BrokerTexts {
  title: string;
  /** With the {domain}. */
  link: string;
  none: string;
  unselected: string;
}

/** The search of a large catalogue. */
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

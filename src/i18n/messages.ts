import type { VisitorFieldName } from '#contract/offer-fields.ts';
import type { FormRejection } from './form-rejections.ts';

/**
 * All messages of the storefront in one language. `{…}` is a placeholder, the same in each
 * language. A page embeds the messages of its islands, or a module brings them, so that the islands contain no language.
 */
export interface Messages extends OwnMessages {
  /** The functions' error messages in this language, by code; {field} is the label of a form field. */
  rejections: Record<FormRejection, string>;
}

/** Messages in the functions' own language, where their error messages are shown unchanged. */
export interface OwnMessages {
  /** The language's own name, for the link to it. */
  name: string;
  seo: SeoMessages;
  page: PageMessages;
  headline: HeadlineMessages;
  grid: GridMessages;
  form: FormMessages;
  broker: BrokerMessages;
  search: SearchMessages;
  /** The field that the form has with `offerMessage`. */
  offerMessage: MessageFieldMessages;
}

/** Messages of the form and the broker panel. */
export type IslandMessages = Pick<OwnMessages, 'form' | 'broker'> & Partial<Pick<Messages, 'rejections'>>;

/** Messages for search engines and link previews. */
interface SeoMessages {
  /** The language with its country, as Open Graph wants it: `en_US`. */
  locale: string;
  /** The page with nothing selected. */
  title: string;
  description: string;
  /** Alternative text of the share image. */
  image: string;
  /** A {domain}'s page; its description is the owner's. */
  domainTitle: string;
  domainImage: string;
  /** Text in the share image, below the domain's name or below the headline. */
  inImage: { domain: string; home: string };
  /** Appended to the owner's description where there is room for both. */
  call: string;
}

/** Messages of the prerendered pages around the islands. */
export interface PageMessages {
  header: string;
  /** Accessible label of the links to the page in other languages. */
  otherLanguages: string;
  lead: string;
  /** Shown without JavaScript. */
  noScript: string;
  /** Shown if the form's script fails to load. */
  notLoaded: string;
  offline: string;
  /** Precedes the owner's email, where there is one. */
  contact: string;
  /** The title of the owner's longer text on a {domain}. */
  about: string;
  /** Precedes the owner's price, where visitors see it. */
  askingPrice: string;
  seller: SellerMessages;
  notForSale: NotForSaleMessages;
  notFound: { title: string; text: string; home: string; where: string; others: string };
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

/** Who sells, and how a sale goes: shown where the catalogue has settings for it. */
export interface SellerMessages {
  /** With the {owner}. */
  title: string;
  /** With a link to the {domain}. */
  proof: string;
  /** Accessible label of the owner's links. */
  links: string;
  buyNow: string;
  instalments: string;
  /** The steps of a sale; the owner's link to the escrow service follows the third. */
  steps: {
    title: string;
    offer: StepMessages;
    reply: StepMessages;
    escrow: StepMessages;
    transfer: StepMessages;
  };
}

interface StepMessages {
  title: string;
  text: string;
}

/** The pages of domains that take no offers. */
interface NotForSaleMessages {
  sold: StateMessages;
  reserved: StateMessages;
  /** The heading above other domains. */
  others: string;
  /** Appended to the description for search engines, where there are other domains. */
  call: string;
  /** The page of the whole site where no domain is for sale. */
  nothing: { title: string; text: string };
}

interface StateMessages {
  /** The title of a {domain}'s page. */
  title: string;
  text: string;
}

export interface HeadlineMessages {
  /** Around the domain's name, which is the largest part. */
  selected: [before: string, after: string];
  unselected: [before: string, largest: string, after: string];
}

export interface GridMessages {
  choose: string;
}

export interface FormMessages {
  title: string;
  /** Precedes the domain's name. */
  forDomain: string;
  /** Follows the domain's name. */
  lead: string;
  /** By field, in the order of the form; also used in error messages. `message` is there with `offerMessage`. */
  labels: Record<VisitorFieldName, string> & { message?: string };
  /** Below a field, where it needs one. */
  hints: Partial<Record<VisitorFieldName | 'message', string>>;
  /** Language of the hint below the email where it is the owner's and differs from the page's. */
  hintLanguage?: string;
  submit: string;
  submitting: string;
  submitted: string;
  promise: string;
  /** Shown after a success, with the offer, its domain and its email. */
  receipt: {
    domain: string;
    email: string;
    /** Below the offer and the email. */
    notes: { offer: string; email: string };
    another: string;
  };
  botCheck: { idle: string; working: string; ready: string; failed: string };
  /** Why an offer was rejected; `rejected` where the function sent no message. */
  failures: { 'bot-check-missing': string; 'no-domain': string; unexpected: string; rejected: string };
}

interface MessageFieldMessages {
  label: string;
  hint: string;
}

interface BrokerMessages {
  title: string;
  /** With the {domain}. */
  link: string;
  none: string;
  unselected: string;
}

interface FilterMessages {
  label: string;
  /** The choice that filters nothing. */
  all: string;
}

/** The search of a large catalogue. */
export interface SearchMessages {
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
  /** With a filter. */
  noneFiltered: string;
  failed: string;
  more: string;
  ending: FilterMessages;
  /** {least} and {most} are numbers of letters. */
  length: FilterMessages & { upTo: string; between: string; from: string };
}

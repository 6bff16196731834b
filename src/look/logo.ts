/**
 * Reads `logo.svg`. The file is parsed as XML, checked against an allow-list, and written anew from what was allowed.
 */
import sax, { type Tag } from 'sax';
import { escapeMarkup } from '#contract/escape-markup.ts';
import type { Mistake } from '../catalogue/describe-mistakes.ts';
import type { Logo } from './look.ts';
import { quoted, shortened } from './quoted.ts';
import { ELEMENTS, isIgnoredAttribute, isIgnoredElement, VALUES } from './svg-attributes.ts';

/** Without a logo where there are mistakes. */
export interface LogoFile {
  readonly logo?: Logo;
  readonly mistakes: readonly Mistake[];
}

/** Elements inside each other. */
const MAX_DEPTH = 30;
/** Width divided by height. */
const MIN_RATIO = 0.25;
const MAX_RATIO = 8;
/** Names of the logo's own gradients and masks in a page begin with it. */
const ID_PREFIX = 'logo-';
const REFERENCE = /^url\(\s*["']?#([^\s"'()<>]+)["']?\s*\)$/i;
/** Mistakes that are reported of one file. */
export const MAX_MISTAKES = 20;
/** Attributes that would change how pages show the logo; those that drawing programs write for themselves are left out. */
const LEFT_OUT_OF_ROOT = ['id', 'display', 'visibility', 'color'];
const REJECTED_IN_ROOT = ['transform', 'opacity'];
/** Elements that paint others, once for each use, and the attributes that use them. */
const MASKING_ELEMENTS = ['mask', 'clipPath'];
const MASKING_ATTRIBUTES = ['mask', 'clip-path'];
/** Characters of masks and clip paths together, each counted as often as it is used. */
const MAX_MASK_CHARACTERS = 256 * 1024;
/** Properties that drawing programs write into `style` for themselves or for text. */
const IGNORED_PROPERTY = /^(?:-|font|text|line-height|writing|isolation|mix-blend-mode$)/;

export function readLogo(text: string): LogoFile {
  const reader = new LogoReader(text);
  const root = reader.read();
  const { mistakes } = reader;
  const logo = root && mistakes.length === 0 ? reader.logoOf(root) : undefined;
  if (mistakes.length > 0) return { mistakes };
  return logo ? { logo, mistakes } : { mistakes: [{ what: 'is empty: put an SVG picture there' }] };
}

interface Element {
  readonly name: string;
  readonly attributes: Record<string, string>;
  readonly children: Element[];
  readonly offset: number;
}

class LogoReader {
  readonly mistakes: Mistake[] = [];
  readonly #text: string;
  #root: Element | undefined;
  readonly #open: Element[] = [];
  /** Number of open elements that are left out. */
  #ignored = 0;
  /** Parts that have an id, with its name in a page. */
  readonly #parts = new Map<string, { readonly element: Element; readonly name: string }>();
  /** Ids that parts of the logo refer to. */
  #used: ReadonlySet<string> = new Set();

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns the root as far as it can be parsed. */
  read(): Element | undefined {
    const parser = sax.parser(true, { strictEntities: true });
    const reject = (what: string) => this.#rejectAt(parser.position - 1, what);
    parser.onerror = ({ message }) => {
      reject(`is not readable as SVG: ${shortened(message.split('\n')[0] ?? '')}`);
      throw new Unreadable();
    };
    parser.onopentag = (tag) => this.#enter(tag, parser.startTagPosition - 1);
    parser.onclosetag = () => {
      if (this.#ignored > 0) this.#ignored -= 1;
      else this.#open.pop();
    };
    parser.ontext = (text) => {
      if (this.#ignored === 0 && text.trim() !== '')
        reject(`has the text ${quoted(text)}: turn it into paths in your drawing program`);
    };
    parser.oncdata = parser.ontext;
    parser.ondoctype = (doctype) => {
      if (doctype.includes('[')) reject('has a DOCTYPE with entities: remove it');
    };
    parser.onprocessinginstruction = ({ name }) => {
      if (name !== 'xml') reject(`has <?${shortened(name)}, which a logo may not have: remove it`);
    };
    try {
      parser.write(this.#text).close();
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
    }
    return this.#root;
  }

  /** Notes mistakes in its size and its references. */
  logoOf(root: Element): Logo {
    const { viewBox, width = '', height = '', ...attributes } = root.attributes;
    const box = viewBox ?? `0 0 ${Number.parseFloat(width)} ${Number.parseFloat(height)}`;
    const [x = 0, y = 0, w = 0, h = 0] = box
      .trim()
      .split(/[\s,]+/)
      .map(Number);
    const ratio = w / h;
    if (![x, y, w, h].every(Number.isFinite) || w <= 0 || h <= 0)
      this.#rejectAt(root.offset, 'has no size: write viewBox="0 0 WIDTH HEIGHT" into its <svg>');
    else if (ratio < MIN_RATIO || ratio > MAX_RATIO) {
      this.#rejectAt(
        root.offset,
        `is ${w} wide and ${h} high: make it at most ${MAX_RATIO} times as wide as high, and ${1 / MIN_RATIO} times as high as wide`,
      );
    }
    for (const name of REJECTED_IN_ROOT.filter((one) => attributes[one] !== undefined)) {
      this.#rejectAt(
        this.#offsetOf(name, root.offset),
        `has ${name} in its <svg>: put it into a <g> around its shapes`,
      );
    }
    for (const name of LEFT_OUT_OF_ROOT) delete attributes[name];
    const svg = { ...root, attributes };
    const elements = withDescendants(svg);
    for (const element of elements) this.#collectPart(element);
    this.#used = new Set(elements.flatMap(referencesOf));
    this.#rejectCycles();
    this.#rejectManyMasks(elements, root.offset);
    const presentation = this.#attributesOf(svg);
    const content = root.children.map((child) => this.#serialize(child)).join('');
    if (content === '') this.#rejectAt(root.offset, 'is empty: put shapes into it');
    return { viewBox: [x, y, w, h].join(' '), presentation, content, ratio };
  }

  #enter({ name, attributes }: Tag, offset: number): void {
    if (this.mistakes.length >= MAX_MISTAKES) throw new Unreadable();
    if (this.#root && this.#open.length === 0 && this.#ignored === 0) {
      this.#rejectAt(offset, `has <${shortened(name)}> after the end of its <svg>: keep one picture`);
      throw new Unreadable();
    }
    if (this.#ignored > 0 || (isIgnoredElement(name) && this.#open.length > 0)) {
      this.#ignored += 1;
      return;
    }
    const parent = this.#open.at(-1);
    if (parent ? name === 'svg' || !ELEMENTS.has(name) : name !== 'svg') {
      const remedy = (Object.hasOwn(REMEDIES, name) && REMEDIES[name]) || 'remove it';
      this.#rejectAt(
        offset,
        `has <${shortened(name)}>, which a logo may not have${parent ? '' : ' as its first element'}: ${remedy}`,
      );
      this.#ignored += 1;
      return;
    }
    if (this.#open.length >= MAX_DEPTH) {
      this.#rejectAt(offset, `has more than ${MAX_DEPTH} elements inside each other: simplify it`);
      throw new Unreadable();
    }
    const element = { name, attributes: this.#allowed(attributes, offset), children: [], offset };
    this.#open.push(element);
    this.#rejectNestedMasks(element);
    if (parent) parent.children.push(element);
    else this.#root = element;
  }

  #rejectNestedMasks({ attributes, offset }: Element): void {
    const outer = this.#open.find(({ name }) => MASKING_ELEMENTS.includes(name));
    if (!outer) return;
    for (const attribute of MASKING_ATTRIBUTES) {
      const { [attribute]: value = 'none' } = attributes;
      if (value === 'none') continue;
      this.#rejectAt(
        offset,
        `has ${attribute}=${quoted(value)} in a <${outer.name}>: simplify it, because masks inside each other take too long to draw`,
      );
    }
  }

  /** The attributes to keep; those of `style` as attributes of their own, which the pages' policy allows. */
  #allowed(attributes: Record<string, string>, offset: number): Record<string, string> {
    const kept: Record<string, string> = {};
    for (const [name, value] of Object.entries(attributes)) {
      if (isIgnoredAttribute(name)) continue;
      const at = this.#offsetOf(name, offset);
      if (name === 'style') this.#keepStyles(kept, value, at);
      else this.#keep(kept, name === 'xlink:href' ? 'href' : name, value, at, name);
    }
    return kept;
  }

  #keepStyles(kept: Record<string, string>, style: string, at: number): void {
    for (const declaration of style.split(';')) {
      const [, name = '', value = ''] = /^\s*([^:]*?)\s*:\s*(.*?)\s*$/s.exec(declaration) ?? [];
      if (declaration.trim() === '' || IGNORED_PROPERTY.test(name)) continue;
      if (name === 'href' || name === 'id')
        this.#rejectAt(at, `has the style ${quoted(declaration)}: remove it`);
      else this.#keep(kept, name, value, at, `style ${name}`);
    }
  }

  #keep(kept: Record<string, string>, name: string, value: string, at: number, shown: string): void {
    const allowed = VALUES.get(name);
    if (/^on/i.test(name)) this.#rejectAt(at, `has the script ${shortened(shown)}: remove it`);
    else if (!allowed) this.#rejectAt(at, `has ${shortened(shown)}, which a logo may not have: remove it`);
    else if (!allowed.test(value.trim())) {
      const isLink = /url\(|:\/\/|^\s*data:|^\s*javascript:/i.test(value);
      const remedy = isLink
        ? 'a logo may load nothing: name a part of it, such as #gradient, or remove it'
        : 'write another value, or remove it';
      this.#rejectAt(at, `has ${shown}=${quoted(value)}: ${remedy}`);
    } else kept[name] = value.trim().replace(/\s+/g, ' ');
  }

  #collectPart(element: Element): void {
    const { id } = element.attributes;
    if (id === undefined) return;
    if (this.#parts.has(id)) {
      this.#rejectAt(
        this.#offsetOf('id', element.offset),
        `has the id ${quoted(id)} twice: give one of the two another, and correct what refers to it`,
      );
    } else this.#parts.set(id, { element, name: ID_PREFIX + (this.#parts.size + 1).toString(36) });
  }

  /** Rejects parts that refer to themselves, by way of others or not: browsers may never end drawing them. */
  #rejectCycles(): void {
    const states = new Map<string, 'open' | 'done'>();
    const visit = (id: string) => {
      const part = this.#parts.get(id)?.element;
      if (!part || states.get(id) === 'done') return;
      if (states.get(id) === 'open') {
        this.#rejectAt(part.offset, `has a part that refers to itself by its id ${quoted(id)}: remove that`);
        return;
      }
      states.set(id, 'open');
      withDescendants(part).flatMap(referencesOf).forEach(visit);
      states.set(id, 'done');
    };
    for (const id of this.#parts.keys()) visit(id);
  }

  #rejectManyMasks(elements: readonly Element[], offset: number): void {
    const uses = elements.flatMap(({ attributes }) =>
      MASKING_ATTRIBUTES.flatMap((name) => referenceIn(name, attributes[name] ?? '') ?? []),
    );
    let total = 0;
    for (const [id, { length }] of Map.groupBy(uses, (id) => id)) {
      const part = this.#parts.get(id)?.element;
      if (part) total += length * charactersOf(part);
    }
    if (total > MAX_MASK_CHARACTERS)
      this.#rejectAt(offset, 'uses large masks or clip paths too often to be drawn quickly: simplify it');
  }

  #serialize(element: Element): string {
    const { name, children } = element;
    const inside = children.map((child) => this.#serialize(child)).join('');
    if (inside === '' && ['g', 'defs'].includes(name)) return '';
    const start = `<${name}${this.#attributesOf(element)}`;
    return inside === '' ? `${start}/>` : `${start}>${inside}</${name}>`;
  }

  #attributesOf({ attributes, offset }: Element): string {
    return Object.entries(attributes)
      .map(([name, value]) => {
        if (name === 'id') return this.#used.has(value) ? ` id="${this.#parts.get(value)?.name}"` : '';
        const reference = referenceIn(name, value);
        if (reference === undefined) return ` ${name}="${escapeMarkup(value)}"`;
        const part = this.#parts.get(reference);
        if (!part) this.#rejectAt(offset, `has ${name}=${quoted(value)}, and no part of that id: remove it`);
        return ` ${name}="${name === 'href' ? `#${part?.name}` : `url(#${part?.name})`}"`;
      })
      .join('');
  }

  /** Offset of an attribute in its element. */
  #offsetOf(name: string, from: number): number {
    const found = this.#text.slice(from).search(new RegExp(`\\s${name.replace(/[^\w-]/g, '.')}\\s*=`));
    return found < 0 ? from : from + found + 1;
  }

  /** Notes a mistake, unless there are enough. */
  #rejectAt(offset: number, what: string): void {
    if (this.mistakes.length >= MAX_MISTAKES) return;
    const before = this.#text.slice(0, Math.max(offset, 0)).split('\n');
    this.mistakes.push({ what, at: { line: before.length, col: (before.at(-1)?.length ?? 0) + 1 } });
  }
}

/** Ends the parsing; the mistake has been noted. */
class Unreadable extends Error {}

const REMEDIES: Record<string, string> = {
  script: 'remove it, because a logo may run nothing',
  style: 'export the picture with “presentation attributes” instead',
  text: 'turn it into paths in your drawing program',
  image: 'draw it as shapes, because a logo may load nothing',
  use: 'put the shape itself in its place',
  html: 'save the picture as SVG',
};

/** The id that an attribute refers to. */
function referenceIn(name: string, value: string): string | undefined {
  return name === 'href' ? value.slice(1) : REFERENCE.exec(value)?.[1];
}

/** The ids that an element itself refers to. */
function referencesOf({ attributes }: Element): string[] {
  return Object.entries(attributes).flatMap(([name, value]) =>
    name === 'id' ? [] : (referenceIn(name, value) ?? []),
  );
}

/** An element and those inside it. */
function withDescendants(element: Element): Element[] {
  return [element, ...element.children.flatMap(withDescendants)];
}

/** Roughly as many as the element has in its file. */
function charactersOf(element: Element): number {
  const texts = withDescendants(element).map(
    ({ name, attributes }) => name + Object.entries(attributes).flat().join(' '),
  );
  return texts.join('').length;
}

/**
 * Reads `logo.svg`. The file is parsed as XML, checked against an allow-list, and written anew from what was allowed.
 */
import sax, { type Tag } from 'sax';
import type { Mistake } from '../catalogue/describe-mistakes.ts';
import type { Logo } from './look.ts';
import {
  ELEMENTS,
  isAllowedValue,
  isIgnoredAttribute,
  isIgnoredElement,
  isKnownAttribute,
} from './svg-attributes.ts';

export type LogoFile = { readonly logo: Logo } | { readonly mistakes: readonly Mistake[] };

/** Elements inside each other. */
const MAX_DEPTH = 30;
/** Width divided by height. */
const MIN_RATIO = 0.25;
const MAX_RATIO = 8;
/** Names of the logo's own gradients and masks in a page begin with it. */
const ID_PREFIX = 'logo-';
const REFERENCE = /^(?:url\(\s*["']?)?#([^\s"'()<>]+?)["']?\s*\)?$/;

export function readLogo(text: string): LogoFile {
  const reader = new LogoReader(text);
  reader.read();
  const { root, mistakes } = reader;
  if (!root || mistakes.length > 0) {
    return { mistakes: mistakes.length > 0 ? mistakes : [{ what: 'is empty: put an SVG picture there' }] };
  }
  return reader.logoOf(root);
}

interface Element {
  readonly name: string;
  readonly attributes: Record<string, string>;
  readonly children: Element[];
  readonly offset: number;
}

class LogoReader {
  readonly mistakes: Mistake[] = [];
  root: Element | undefined;
  readonly #text: string;
  readonly #open: Element[] = [];
  /** Number of open elements that are left out. */
  #ignored = 0;
  readonly #ids = new Map<string, string>();

  constructor(text: string) {
    this.#text = text.replace(/^\uFEFF/, '');
  }

  read(): void {
    const parser = sax.parser(true, { strictEntities: true });
    parser.onerror = ({ message }) => {
      this.#rejectAt(parser.position - 1, `is not readable as SVG: ${message.split('\n')[0]}`);
      throw new Unreadable();
    };
    parser.onopentag = (tag) => this.#enter(tag, parser.startTagPosition - 1);
    parser.onclosetag = () => this.#leave();
    const onText = (text: string) => {
      const isVisible = this.#ignored === 0 && text.trim() !== '';
      if (isVisible) {
        this.#rejectAt(
          parser.position - 1,
          `has the text ${quoted(text)}: turn it into paths in your drawing program`,
        );
      }
    };
    parser.ontext = onText;
    parser.oncdata = onText;
    parser.ondoctype = (doctype) => {
      if (doctype.includes('['))
        this.#rejectAt(parser.position - 1, 'has a DOCTYPE with entities: remove it');
    };
    parser.onprocessinginstruction = ({ name }) => {
      if (name !== 'xml')
        this.#rejectAt(parser.position - 1, `has <?${name}, which a logo may not have: remove it`);
    };
    try {
      parser.write(this.#text).close();
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
    }
  }

  /** The logo, unless its size or its references are wrong. */
  logoOf(root: Element): LogoFile {
    const { viewBox, width, height, ...others } = root.attributes;
    const box =
      viewBox ?? (width && height ? `0 0 ${Number.parseFloat(width)} ${Number.parseFloat(height)}` : '');
    const [x = 0, y = 0, w = 0, h = 0] = box
      .trim()
      .split(/[\s,]+/)
      .map(Number);
    const isBox = [x, y, w, h].every(Number.isFinite) && w > 0 && h > 0;
    const ratio = w / h;
    if (!isBox) this.#rejectAt(root.offset, 'has no size: write viewBox="0 0 WIDTH HEIGHT" into its <svg>');
    else if (ratio < MIN_RATIO || ratio > MAX_RATIO) {
      this.#rejectAt(
        root.offset,
        `is ${w} wide and ${h} high: make it at most ${MAX_RATIO} times as wide as high, and ${1 / MIN_RATIO} times as high as wide`,
      );
    }
    this.#collectIds(root);
    const presentation = this.#attributesOf({ ...root, attributes: others });
    const content = root.children.map((child) => this.#serialize(child)).join('');
    if (content === '') this.#rejectAt(root.offset, 'is empty: put shapes into it');
    if (this.mistakes.length > 0) return { mistakes: this.mistakes };
    return { logo: { viewBox: [x, y, w, h].join(' '), presentation, content, ratio } };
  }

  #enter({ name, attributes }: Tag, offset: number): void {
    if (this.#ignored > 0 || (isIgnoredElement(name) && this.#open.length > 0)) {
      this.#ignored += 1;
      return;
    }
    const parent = this.#open.at(-1);
    if (parent ? name === 'svg' || !ELEMENTS.has(name) : name !== 'svg') {
      const remedy = REMEDIES[name] ?? 'remove it';
      this.#rejectAt(
        offset,
        `has <${name}>, which a logo may not have${parent ? '' : ' as its first element'}: ${remedy}`,
      );
      this.#ignored += 1;
      return;
    }
    if (this.#open.length >= MAX_DEPTH) {
      this.#rejectAt(offset, `has more than ${MAX_DEPTH} elements inside each other: simplify it`);
      throw new Unreadable();
    }
    const element = { name, attributes: this.#allowed(attributes, offset), children: [], offset };
    if (parent) parent.children.push(element);
    else this.root = element;
    this.#open.push(element);
  }

  #leave(): void {
    if (this.#ignored > 0) this.#ignored -= 1;
    else this.#open.pop();
  }

  /** The attributes to keep; those of `style` as attributes of their own, which the pages' policy allows. */
  #allowed(attributes: Record<string, string>, offset: number): Record<string, string> {
    const kept: Record<string, string> = {};
    for (const [name, value] of Object.entries(attributes)) {
      if (isIgnoredAttribute(name)) continue;
      const at = this.#offsetOf(name, offset);
      if (name === 'style') Object.assign(kept, this.#styles(value, at));
      else this.#keep(kept, name === 'xlink:href' ? 'href' : name, value, at, name);
    }
    return kept;
  }

  #styles(style: string, at: number): Record<string, string> {
    const kept: Record<string, string> = {};
    for (const declaration of style.split(';')) {
      const [, name = '', value = ''] = /^\s*([^:]*?)\s*:\s*(.*?)\s*$/s.exec(declaration) ?? [];
      // Properties that drawing programs write for themselves or for text.
      if (
        declaration.trim() === '' ||
        /^(?:-|font|text|line-height|writing|isolation|mix-blend-mode$)/.test(name)
      )
        continue;
      if (name === 'href' || name === 'id')
        this.#rejectAt(at, `has the style ${quoted(declaration)}: remove it`);
      else this.#keep(kept, name, value, at, `style ${name}`);
    }
    return kept;
  }

  #keep(kept: Record<string, string>, name: string, value: string, at: number, shown: string): void {
    if (/^on/i.test(name)) this.#rejectAt(at, `has the script ${shown}: remove it`);
    else if (!isKnownAttribute(name))
      this.#rejectAt(at, `has ${shown}, which a logo may not have: remove it`);
    else if (!isAllowedValue(name, value.trim())) {
      const isLink = /url\(|:\/\/|^\s*data:|^\s*javascript:/i.test(value);
      const remedy = isLink
        ? 'a logo may load nothing: name a part of it, such as #gradient, or remove it'
        : 'write another value, or remove it';
      this.#rejectAt(at, `has ${shown}=${quoted(value)}: ${remedy}`);
    } else kept[name] = value.trim().replace(/\s+/g, ' ');
  }

  /** Names of the parts that others refer to. */
  #collectIds(element: Element): void {
    const { id } = element.attributes;
    if (id !== undefined && !this.#ids.has(id))
      this.#ids.set(id, ID_PREFIX + (this.#ids.size + 1).toString(36));
    for (const child of element.children) this.#collectIds(child);
  }

  #serialize(element: Element): string {
    const inside = element.children.map((child) => this.#serialize(child)).join('');
    const isEmptyGroup = inside === '' && ['g', 'defs'].includes(element.name);
    if (isEmptyGroup) return '';
    const attributes = this.#attributesOf(element);
    return inside === ''
      ? `<${element.name}${attributes}/>`
      : `<${element.name}${attributes}>${inside}</${element.name}>`;
  }

  #attributesOf({ attributes, offset }: Element): string {
    return Object.entries(attributes)
      .map(([name, value]) => {
        if (name === 'id') return this.#isUsed(value) ? ` id="${this.#ids.get(value)}"` : '';
        const reference =
          value.includes('#') && !/^#[0-9a-f]{3,8}$/i.test(value) ? REFERENCE.exec(value)?.[1] : undefined;
        const isReference = reference !== undefined || name === 'href';
        if (!isReference) return ` ${name}="${escapeAttribute(value)}"`;
        const id = this.#ids.get(reference ?? value.slice(1));
        if (!id) this.#rejectAt(offset, `has ${name}=${quoted(value)}, and no part of that id: remove it`);
        return ` ${name}="${name === 'href' ? `#${id}` : `url(#${id})`}"`;
      })
      .join('');
  }

  #isUsed(id: string): boolean {
    return this.#text.includes(`#${id}`);
  }

  /** Offset of an attribute in its element. */
  #offsetOf(name: string, from: number): number {
    const found = this.#text.slice(from).search(new RegExp(`\\s${name.replace(/[^\w-]/g, '.')}\\s*=`));
    return found < 0 ? from : from + found + 1;
  }

  #rejectAt(offset: number, what: string): void {
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

function quoted(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ');
  return JSON.stringify(line.length > 60 ? `${line.slice(0, 60)}…` : line);
}

function escapeAttribute(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

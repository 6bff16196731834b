/** The elements and attributes that a logo may have; all that can load, run or animate something is absent. */

/** Elements that are drawn, or that paint others. */
export const ELEMENTS: ReadonlySet<string> = new Set(
  'svg g defs path rect circle ellipse line polyline polygon linearGradient radialGradient stop clipPath mask'.split(
    ' ',
  ),
);

/** Elements that are left out with all inside them: descriptions, and what drawing programs add for themselves. */
export function isIgnoredElement(name: string): boolean {
  return name.includes(':') || ['title', 'desc', 'metadata'].includes(name);
}

/** Attributes that are left out: without style sheets, scripts and an accessible name they mean nothing. */
export function isIgnoredAttribute(name: string): boolean {
  if (name === 'xlink:href' || /^on/i.test(name)) return false;
  return /^(?:xmlns|class|role|version|baseProfile|overflow|enable-background|data-.*|aria-.*)$|:/.test(name);
}

const NUMBERS = /^[\d\s.,+\-eE%]*(?:px|pt|mm|cm|in|em|rem)?$/;
const PAINT =
  /^(?:[a-z]+|#[0-9a-f]{3,8}|(?:rgb|hsl)a?\([\d\s.,%/deg-]+\)|url\(\s*(["']?)#[^\s"'()<>]+\1\s*\))$/i;
const REFERENCE = /^(?:none|url\(\s*(["']?)#[^\s"'()<>]+\1\s*\))$/;
const TRANSFORM = /^(?:(?:matrix|translate|scale|rotate|skewX|skewY)\([\d\s.,+\-e]*\)[\s,]*)*$/i;
const WORD = /^[a-z-]+$/i;

/** The attributes that a logo may have, with what their values must look like. */
export const VALUES: ReadonlyMap<string, RegExp> = new Map([
  ...of(
    NUMBERS,
    'viewBox width height x y x1 y1 x2 y2 cx cy r rx ry fx fy fr points offset pathLength opacity fill-opacity stroke-opacity stop-opacity stroke-width stroke-miterlimit stroke-dasharray stroke-dashoffset',
  ),
  ...of(PAINT, 'fill stroke stop-color color'),
  ...of(REFERENCE, 'clip-path mask'),
  ...of(
    WORD,
    'fill-rule clip-rule stroke-linecap stroke-linejoin gradientUnits spreadMethod clipPathUnits maskUnits maskContentUnits shape-rendering paint-order vector-effect visibility display mask-type',
  ),
  ['d', /^[\d\s.,+\-a-z]*$/i],
  ...of(TRANSFORM, 'transform gradientTransform'),
  ['preserveAspectRatio', /^[a-z ]+$/i],
  ['href', /^#[^\s"'()<>]+$/],
  ['id', /^[^\s"'()<>]+$/],
]);

function of(value: RegExp, names: string): [string, RegExp][] {
  return names.split(' ').map((name) => [name, value]);
}

/** Generates a catalogue of any size, always the same: as the product's file and as bare Astro's data. */
import { writeFileSync } from 'node:fs';

const FIRST = ['sun', 'blue', 'north', 'quick', 'silver', 'open', 'true', 'wild', 'calm', 'bright'];
const SECOND = ['river', 'stone', 'harbor', 'field', 'cloud', 'garden', 'bridge', 'forest', 'lamp', 'wave'];
const ENDINGS = ['app', 'example', 'dev', 'shop'];

export interface Entry {
  readonly name: string;
  readonly price: string;
  readonly description: string;
  readonly hasBroker: boolean;
}

export function makeCatalogue(count: number): Entry[] {
  return Array.from({ length: count }, (_, at) => {
    const [first, second] = [FIRST[at % 10], SECOND[Math.floor(at / 10) % 10]];
    return {
      name: `${first}${second}${at}.${ENDINGS[at % ENDINGS.length]}`,
      price: `$${(at + 1) * 10}`,
      description: `Number ${at} of a long list: ${first} and ${second} in one word that everyone can spell. A ready home for your next idea.`,
      hasBroker: at % 4 !== 3,
    };
  });
}

/** In the format of src/content/catalogue.yaml. */
export function writeYaml(file: string, entries: readonly Entry[]): void {
  const lines = entries.map(
    ({ name, price, description, hasBroker }) =>
      `  - name: ${name}\n    price: ${price}\n    description: ${JSON.stringify(description)}\n    hasBroker: ${hasBroker}\n`,
  );
  const settings = 'settings:\n  brokerUrl: https://broker.example/domains/{domain}\n';
  writeFileSync(file, `${settings}\ndomains:\n${lines.join('\n')}`);
}

/** For bare Astro, which reads it from BENCH_CATALOGUE. */
export function writeJson(file: string, entries: readonly Entry[]): void {
  writeFileSync(file, JSON.stringify(entries));
}

/** `init`: the owner's catalogue as a copy of the sample. */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UserError } from '../../process/user-error.ts';
import { writeDurably } from '../../process/write-file-atomic.ts';
import {
  catalogueFile,
  isSample,
  ownCatalogue,
  type Place,
  SAMPLE_CATALOGUE,
} from '../../src/catalogue/catalogue-file.ts';
import { shownPath } from '../../src/catalogue/describe-problems.ts';
import { parseCatalogue } from '../../src/catalogue/load.ts';

const HEAD = `# Your catalogue. No update changes it. Edit it here, or by command: npm run catalogue
# Then run: npm run build
# A text with ": " or " #" in it, or a sign such as { * @ % before it, goes in quotes: "Short: the #1 name."
`;

/** Says in place of the sample's `brokerUrl` what a broker needs: most owners have none. */
const BROKER = `  # With a broker: hasBroker: true in an entry links to this address, where {domain} becomes the domain's name;
  # hasBroker: false says that your broker will contact the visitor. Without hasBroker pages mention no broker.
  # brokerUrl:`;

/**
 * Writes the owner's catalogue.
 * @returns its path, for messages
 * @throws UserError where it is there already, or CATALOGUE names another file
 */
export function createCatalogue(place: Place): string {
  const file = ownCatalogue(place);
  const shown = shownPath(file, place.cwd());
  if (existsSync(file)) throw new UserError(`${shown} is there already, and is not written over. Edit it.`);
  const current = catalogueFile(place);
  if (current !== file && !isSample(current, place)) {
    throw new UserError(
      `CATALOGUE is set: the catalogue is ${shownPath(current, place.cwd())}. Remove that setting to begin with a copy of the sample.`,
    );
  }
  const text = fromSample(readFileSync(join(place.cwd(), SAMPLE_CATALOGUE), 'utf8'));
  parseCatalogue(file, text, place.cwd());
  mkdirSync(dirname(file), { recursive: true });
  writeDurably(file, text, 0o644);
  return shown;
}

/** Replaces the comment at the top of the sample, and takes its broker out. */
function fromSample(sample: string): string {
  const sections = sample
    .replace(/^(?:#.*\n)+/, '')
    .replace(/^ +hasBroker: .*\n/gm, '')
    .replace(/^ {2}#.*\n {2}brokerUrl:/m, () => BROKER);
  return HEAD + sections;
}

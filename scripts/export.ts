/** `npm run export -- FILE.csv` or `FILE.json`: writes every offer, newest first. */
import type { Offer } from '#contract/offer.ts';
import { ask, linesOf, withDatabase } from '../supabase/local/running.ts';
import { SettingError } from '../supabase/local/setting-error.ts';
import { countOffers } from './count-offers.ts';
import { csvHead, csvLine } from './csv.ts';
import { embeddedDataDir } from './embedded-data-dir.ts';
import { fileArgument, mustNotExist } from './file-argument.ts';
import { sayAndExit } from './say-and-exit.ts';
import { writeNewFile } from './write-new-file.ts';

try {
  const file = fileArgument('npm run export -- offers.csv');
  mustNotExist(file);
  const write = file.endsWith('.csv') ? asCsv : file.endsWith('.json') ? asJson : undefined;
  if (!write)
    throw new SettingError('The file’s name must end in .csv or .json, which says what is written.');
  let count = 0;
  await withDatabase(embeddedDataDir(), async (control) => {
    const response = await ask(control, 'offers');
    const counted = async function* () {
      for await (const line of linesOf(response)) {
        count += 1;
        yield JSON.parse(line) as Offer;
      }
    };
    await writeNewFile(file, write(counted()));
  });
  console.log(`Wrote ${countOffers(count)} to ${file}. It holds personal data.`);
} catch (error) {
  sayAndExit(error);
}

async function* asCsv(offers: AsyncIterable<Offer>): AsyncGenerator<string> {
  yield csvHead();
  for await (const offer of offers) yield csvLine(offer);
}

async function* asJson(offers: AsyncIterable<Offer>): AsyncGenerator<string> {
  let separator = '[\n';
  for await (const offer of offers) {
    yield separator + JSON.stringify(offer);
    separator = ',\n';
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}

/** The names that are listed, as a CSV file that the browser writes and `npm run catalogue -- import` reads. */
import { mutationOptions } from '@tanstack/react-query';
import { csvCell } from '#contract/csv-cell.ts';
import type { createChosenNames } from './chosen-names.ts';
import { FOR_SALE } from './name-values.ts';
import { saveFile } from './save-file.ts';

const COLUMNS = ['name', 'price', 'description', 'state', 'minimum'];

/** @param save is replaced by tests */
export function createNamesExport(
  { readNames, readValues }: Pick<ReturnType<typeof createChosenNames>, 'readNames' | 'readValues'>,
  save = saveFile,
) {
  return {
    exportNames: mutationOptions({
      meta: { failure: 'Failed to export the names' },
      /** @param language the site's first */
      mutationFn: async (language: string) => {
        const names = await readNames();
        const values = await readValues(names.map(({ name }) => name));
        const lines = names.map(({ name, state, price }) => {
          const file = values.get(name);
          const cells = [
            name,
            file ? file.price.value : price,
            file?.description[language]?.value,
            file ? (file.state.value ?? FOR_SALE) : state,
            file?.minimum.value,
          ];
          return `${cells.map((cell) => csvCell(cell ?? '')).join(',')}\r\n`;
        });
        // After a mark by which spreadsheets know UTF-8.
        save('names.csv', [`\uFEFF${COLUMNS.join(',')}\r\n`, ...lines]);
      },
    }),
  };
}

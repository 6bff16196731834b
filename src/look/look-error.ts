/** What is wrong with the files of the look, for the person who edits them: one mistake a line, with file and line. */
export class LookError extends Error {
  override name = 'LookError';

  constructor(lines: readonly string[]) {
    super(['Please correct the files of the site’s look:', ...lines].join('\n'));
  }
}

/** Reads the instructions of a Dockerfile, as far as this project's uses them. */

export interface Instruction {
  readonly name: string;
  /** Everything behind the name. */
  readonly text: string;
}

export interface Stage {
  /** The image that it begins with. */
  readonly image: string;
  readonly name: string;
  readonly instructions: readonly Instruction[];
}

const KNOWN = new Set(['WORKDIR', 'ENV', 'COPY', 'RUN', 'USER', 'VOLUME', 'EXPOSE', 'HEALTHCHECK', 'CMD']);

/** @throws at an instruction that the test does not know, so that nothing is left out of it silently */
export function readDockerfile(text: string): Stage[] {
  const stages: { image: string; name: string; instructions: Instruction[] }[] = [];
  for (const line of text.split('\n').filter((one) => one !== '' && !one.startsWith('#'))) {
    const [, name = '', rest = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    if (name === 'FROM') {
      const [image = '', , stage = ''] = rest.split(' ');
      stages.push({ image, name: stage, instructions: [] });
    } else if (KNOWN.has(name) && stages.length > 0) {
      stages.at(-1)?.instructions.push({ name, text: rest });
    } else {
      throw new Error(`The Dockerfile has an instruction that the test does not know: ${line}`);
    }
  }
  return stages;
}

/** The program and arguments of an instruction in JSON form, behind its options. */
export function commandOf({ text }: Instruction): string[] {
  return JSON.parse(text.slice(text.indexOf('['))) as string[];
}

/**
 * Whether a file is sent to the build, by a `.dockerignore` of `*`, `!path` and `** /*.ending` (without the space).
 * @param path relative to the clone's folder
 */
export function createContextFilter(text: string): (path: string) => boolean {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  if (lines.shift() !== '*') throw new Error('.dockerignore has to begin with *.');
  const sent = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
  const ignored = lines.filter((line) => !line.startsWith('!'));
  const wrong = ignored.find((line) => !/^\*\*\/\*(?:\.\w+)+$/.test(line));
  if (wrong !== undefined) throw new Error(`.dockerignore has a line that the test does not know: ${wrong}`);
  return (path) =>
    sent.some((one) => path === one || path.startsWith(`${one}/`) || one.startsWith(`${path}/`)) &&
    !ignored.some((line) => path.endsWith(line.slice('**/*'.length)));
}

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { brotliCompressSync, brotliDecompressSync, constants, gunzipSync, gzipSync } from 'node:zlib';
import { compressFiles } from './compress.ts';

describe('compressing a folder', () => {
  const folder = mkdtempSync(join(tmpdir(), 'compress-'));
  after(() => rmSync(folder, { recursive: true }));
  const [last, next] = [join(folder, 'last'), join(folder, 'next')];
  const script = Buffer.from('export const answer = 42;\n'.repeat(100));
  // Told from what would be made anew by their poor quality.
  const br = brotliCompressSync(script, { params: { [constants.BROTLI_PARAM_QUALITY]: 0 } });
  const gz = gzipSync(script, { level: 1 });

  const compress = (before: { br: Buffer; gz: Buffer }, body = script) => {
    for (const root of [last, next]) {
      rmSync(root, { recursive: true, force: true });
      mkdirSync(join(root, '_astro'), { recursive: true });
    }
    writeFileSync(join(last, '_astro/a.js.br'), before.br);
    writeFileSync(join(last, '_astro/a.js.gz'), before.gz);
    writeFileSync(join(next, '_astro/a.js'), body);
    compressFiles(next, 1, last);
    const made = {
      br: readFileSync(join(next, '_astro/a.js.br')),
      gz: readFileSync(join(next, '_astro/a.js.gz')),
    };
    assert.deepEqual(brotliDecompressSync(made.br), body);
    assert.deepEqual(gunzipSync(made.gz), body);
    return made;
  };

  test('compressed copies of unchanged files are reused', () => {
    assert.deepEqual(compress({ br, gz }), { br, gz });
  });

  test('compressed copies of changed files are not reused', () => {
    assert.notDeepEqual(compress({ br, gz }, Buffer.concat([script, script])).br, br);
  });

  test('damaged compressed copies are not reused', () => {
    const half = (bytes: Buffer) => bytes.subarray(0, bytes.byteLength / 2);
    const damaged: [Buffer, Buffer][] = [
      [half(br), gz],
      [br, half(gz)],
      [Buffer.alloc(0), gz],
    ];
    for (const [badBr, badGz] of damaged) {
      const made = compress({ br: badBr, gz: badGz });
      if (badBr !== br) assert.notDeepEqual(made.br, badBr);
      if (badGz !== gz) assert.notDeepEqual(made.gz, badGz);
    }
  });
});

test('the pages of a large site stay as they are, other files have both forms', () => {
  const root = mkdtempSync(join(tmpdir(), 'compress-'));
  const texts = ['a.css', 'a.js', 'a.json', 'a.svg', 'a.txt', 'a.xml'];
  for (const file of ['index.html', 'a.png', ...texts])
    writeFileSync(join(root, file), 'a page or a script, '.repeat(100));
  const { compressed, others } = compressFiles(root, 501);
  assert.deepEqual(
    [compressed.toSorted(), others.toSorted()],
    [texts.map((file) => `/${file}`), ['/', '/a.png']],
  );
  const forms = texts.flatMap((file) => [file, `${file}.br`, `${file}.gz`]);
  assert.deepEqual(readdirSync(root).sort(), [...forms, 'a.png', 'index.html'].sort());
  rmSync(root, { recursive: true });
});

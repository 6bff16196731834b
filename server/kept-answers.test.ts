import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { KeptAnswers } from './kept-answers.ts';

const PIECE = 4096;
/** With what goes before it, three of these fill a piece, and four do not go into one. */
const BODY = 1000;

describe('a memory of two pieces and their answers', () => {
  function filledWith(...addresses: string[]) {
    const kept = new KeptAnswers(2 * PIECE + 6 * 1024, PIECE);
    const add = (address: string, size = BODY) =>
      kept.add(address, 'br', ['etag', `"${address}"`], Buffer.alloc(size, address));
    for (const address of addresses) add(address);
    const names = () => [...'abcdefghijk'].filter((address) => kept.get(address, 'br')).join('');
    return { kept, add, names };
  }

  test('answers what was kept, each with its own bytes', () => {
    const { kept } = filledWith('a', 'b', 'c', 'd');
    for (const address of 'abcd') {
      const answer = kept.get(address, 'br');
      assert.equal(answer?.etag, `"${address}"`);
      assert.deepEqual(answer.body, Buffer.alloc(BODY, address));
      assert.equal(String(answer.dated()).slice(-BODY), address.repeat(BODY));
    }
  });

  test('tells the encodings apart', () => {
    const { kept } = filledWith('a');
    assert.equal(kept.get('a', 'gzip'), undefined);
    kept.add('a', 'gzip', [], Buffer.from('other'));
    assert.equal(String(kept.get('a', 'gzip')?.body), 'other');
    assert.equal(kept.get('a', 'br')?.body.byteLength, BODY);
  });

  test('gives back the piece that was filled first, with all that is in it', () => {
    assert.equal(filledWith(...'abcdef').names(), 'abcdef');
    assert.equal(filledWith(...'abcdefg').names(), 'defg');
    const { add, names } = filledWith(...'abcdefgh');
    add('a');
    assert.equal(names(), 'adefgh');
    add('i');
    assert.equal(names(), 'aghi');
  });

  test('gives back a piece of one encoding for another, and begins anew where it was', () => {
    const { kept, add } = filledWith();
    const addGzip = (address: string) => kept.add(address, 'gzip', [], Buffer.alloc(BODY, address));
    addGzip('x');
    for (const address of 'abcdef') add(address);
    assert.equal(kept.get('x', 'gzip'), undefined);
    addGzip('y');
    assert.equal(String(kept.get('y', 'gzip')?.body), 'y'.repeat(BODY));
    // Were it kept in the piece that was given back, nothing would ever make room of it.
    for (const address of 'ghijkl') add(address);
    assert.equal(kept.get('y', 'gzip'), undefined);
  });

  test('leaves alone what is still on its way to a visitor', () => {
    const { kept, add } = filledWith('a');
    const answer = kept.get('a', 'br')?.dated();
    for (const address of 'bcdefg') add(address);
    assert.equal(kept.get('a', 'br'), undefined);
    assert.equal(String(answer).slice(-BODY), 'a'.repeat(BODY));
  });

  test('makes room for a large one, and keeps one that is larger than all of it until the next', () => {
    const { add, names } = filledWith('a', 'b', 'c');
    add('d', PIECE);
    assert.equal(names(), 'abcd');
    add('e', 5 * PIECE);
    assert.equal(names(), 'e');
    add('f');
    assert.equal(names(), 'f');
  });
});

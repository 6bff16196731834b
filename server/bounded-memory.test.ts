import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BoundedMemory, type Remembered } from './bounded-memory.ts';

describe('a memory of three bytes', () => {
  function filledWith(...names: string[]) {
    const memory = new BoundedMemory<Remembered>(3);
    const kept = new Map<string, Remembered>();
    const add = (name: string, size = 1) => {
      const item = { size, asked: false, forget: () => kept.delete(name) };
      kept.set(name, item);
      memory.add(item);
    };
    for (const name of names) add(name);
    const ask = (name: string) => {
      const item = kept.get(name);
      assert.ok(item, name);
      item.asked = true;
    };
    return { add, ask, kept: () => [...kept.keys()].join('') };
  }

  test('forgets the oldest', () => {
    assert.equal(filledWith('a', 'b', 'c', 'd', 'e').kept(), 'cde');
  });

  test('keeps what was asked for, once', () => {
    const { add, ask, kept } = filledWith('a', 'b', 'c');
    ask('a');
    add('d');
    assert.equal(kept(), 'acd');
    add('e');
    add('f');
    assert.equal(kept(), 'aef');
    add('g');
    assert.equal(kept(), 'efg');
  });

  test('makes room for a large one, and keeps none that is larger than itself', () => {
    const { add, ask, kept } = filledWith('a', 'b', 'c');
    ask('a');
    add('d', 2);
    assert.equal(kept(), 'ad');
    add('e', 4);
    assert.equal(kept(), '');
  });
});

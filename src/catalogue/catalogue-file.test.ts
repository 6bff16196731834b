import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { catalogueFile, isSample, ownFolder } from './catalogue-file.ts';

const root = process.cwd();
let project = '';

beforeEach(() => {
  project = realpathSync(mkdtempSync(join(tmpdir(), 'project-')));
  process.chdir(project);
});
afterEach(() => {
  process.chdir(root);
  rmSync(project, { recursive: true });
  delete process.env.CATALOGUE;
  delete process.env.OWN_DIR;
});

test('the sample is the catalogue until the owner has one', () => {
  assert.equal(catalogueFile(), join(project, 'src/content/catalogue.yaml'));
  assert.ok(isSample(catalogueFile()));
  mkdirSync('own');
  writeFileSync('own/catalogue.yaml', '');
  assert.equal(catalogueFile(), join(project, 'own/catalogue.yaml'));
  assert.ok(!isSample(catalogueFile()));
});

test('a folder that OWN_DIR names is never replaced by the sample', () => {
  process.env.OWN_DIR = 'missing';
  assert.equal(catalogueFile(), join(project, 'missing/catalogue.yaml'));
});

test('OWN_DIR names another folder, and CATALOGUE a file that wins over it', () => {
  mkdirSync('mine');
  writeFileSync('mine/catalogue.yaml', '');
  writeFileSync('.env', '\uFEFFOWN_DIR=mine\n');
  assert.equal(ownFolder(), join(project, 'mine'));
  assert.equal(catalogueFile(), join(project, 'mine/catalogue.yaml'));
  process.env.CATALOGUE = 'other.yaml';
  assert.equal(catalogueFile(), join(project, 'other.yaml'));
});

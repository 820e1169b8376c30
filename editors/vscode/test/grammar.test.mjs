// Every spelling of every operator is coloured as one; names, labels and comments are not.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';

const require = createRequire(import.meta.url);
const oniguruma = require('vscode-oniguruma');
const { Registry, parseRawGrammar, INITIAL } = require('vscode-textmate');

const file = (name) => new URL(`../${name}`, import.meta.url);
await oniguruma.loadWASM(readFileSync(require.resolve('vscode-oniguruma/release/onig.wasm')).buffer);
const registry = new Registry({
  onigLib: Promise.resolve({ createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns), createOnigString: (text) => new oniguruma.OnigString(text) }),
  loadGrammar: async () => parseRawGrammar(readFileSync(file('syntaxes/eventb.tmLanguage.json'), 'utf8'), 'eventb.json'),
});
const grammar = await registry.loadGrammar('source.eventb');

const scopes = (line, at) => grammar.tokenizeLine(line, INITIAL).tokens.find((token) => token.startIndex <= at && at < token.endIndex).scopes;

test('operators', () => {
  const { spellings } = JSON.parse(readFileSync(file('syntaxes/operators.json'), 'utf8'));
  assert.ok(spellings.length > 100);
  for (const spelling of spellings) {
    const line = `    @inv x ${spelling} y`;
    for (const at of [11, 11 + spelling.length - 1]) {
      assert.match(scopes(line, at).at(-1), /operator|constant|support/, `${spelling}: ${scopes(line, at)}`);
    }
  }
});

test('everything else', () => {
  for (const [line, at, scope] of [
    ['machine counter', 0, 'keyword.control.eventb'],
    ['machine counter', 9, 'source.eventb'],
    ['    @a=>b x', 5, 'entity.name.tag.eventb'],
    ['    @a=>b x', 7, 'entity.name.tag.eventb'],
    ['x // end', 5, 'comment.line.double-slash.eventb'],
    ['x /* end */ y', 6, 'comment.block.eventb'],
    ['`end`', 2, 'variable.other.quoted.eventb'],
    ['ending', 1, 'source.eventb'],
    ['or1', 1, 'source.eventb'],
    ['12', 0, 'constant.numeric.eventb'],
  ]) {
    assert.equal(scopes(line, at).at(-1), scope, `${line} at ${at}`);
  }
});

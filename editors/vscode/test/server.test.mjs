// Every feature, one session each, on the GPU development. $GRADINE is the program; go
// test ./internal/cli -run Extension sets it.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { Client, edited } from './client.mjs';

const { CancellationTokenSource } = createRequire(import.meta.url)('vscode-languageserver-protocol/node');
const program = process.env.GRADINE;
const kernel = 'machines/gpu/kernel.eventb';
const scheduling = 'machines/gpu/block_scheduling.eventb';

let client, capabilities, root;

before(async () => {
  if (!program) {
    return;
  }
  root = mkdtempSync(join(tmpdir(), 'gradine-'));
  execFileSync(program, ['init', '--gpu', root]);
  client = new Client(program, root);
  ({ capabilities } = await client.start());
  await client.open(kernel);
  await client.open(scheduling);
});

after(async () => {
  if (!program) {
    return;
  }
  assert.equal(await client.stop(), 0);
  rmSync(root, { recursive: true, force: true, maxRetries: 5 });
});

// A session ends with the texts that it began with.
const session = (name, run) =>
  test(name, { skip: !program && 'no $GRADINE' }, async () => {
    try {
      await run();
    } finally {
      await client.restore();
    }
  });
const document = (name) => ({ textDocument: { uri: client.uri(name) } });
const whole = (name) => ({ ...document(name), range: { start: { line: 0, character: 0 }, end: { line: client.texts.get(name).split('\n').length, character: 0 } } });
const lineOf = (name, { line }) => client.texts.get(name).split('\n')[line].trim();

session('what is offered', () => {
  for (const provider of ['hover', 'definition', 'references', 'documentHighlight', 'documentSymbol', 'workspaceSymbol', 'callHierarchy', 'documentFormatting', 'documentRangeFormatting', 'foldingRange', 'selectionRange', 'inlayHint']) {
    assert.equal(capabilities[`${provider}Provider`], true, provider);
  }
  // What the extension contributes it registers itself: the client registers what the server runs.
  const { contributes } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const source = readFileSync(new URL('../src/extension.ts', import.meta.url), 'utf8');
  const made = [...source.matchAll(/\[([^\]]*)\]\.map\(\(name\) => vscode\.commands\.registerCommand\(`gradine\.\$\{name\}Project`/g)].flatMap(([, list]) => [...list.matchAll(/'(\w+)'/g)].map(([, name]) => `gradine.${name}Project`));
  const registered = [...source.matchAll(/registerCommand\('([^']+)'/g)].map(([, name]) => name).concat(made);
  for (const { command } of contributes.commands) {
    assert.ok(registered.includes(command), `${command} is registered`);
  }
  for (const command of registered) {
    assert.ok(!capabilities.executeCommandProvider.commands.includes(command), `${command} is registered once`);
  }
});

session('inlay hints and proved obligations', async () => {
  const obligations = await client.settled(kernel);
  assert.ok(obligations.every(({ verdict, accurate, status }) => verdict === 'proved' && accurate && status === 'discharged'));
  const hints = await client.ask('textDocument/inlayHint', whole(kernel));
  const at = hints.find(({ position }) => lineOf(kernel, position).startsWith('@taken_once'));
  assert.match(at.label, /^(\d+)\/\1$/);
});

session('a mistake is a diagnostic, and gone when it is mended', async () => {
  await client.change(kernel, '@active launched = finished + 1', '@active launchd = finished + 1');
  const [problem] = await client.until(kernel, 'a problem', (diagnostics) => diagnostics.some(({ severity }) => severity === 1) && diagnostics);
  assert.match(problem.message, /launchd/);
  assert.equal(lineOf(kernel, problem.range.start), '@active launchd = finished + 1');
  const hints = await client.ask('textDocument/inlayHint', whole(kernel));
  assert.ok(hints.every(({ label }) => label.includes('inaccurate')), 'nothing is shown as proved of a text with an error');
  await client.restore();
  await client.until(kernel, 'no problem', (diagnostics, obligations) => diagnostics.length === 0 && obligations.length > 0);
});

session('a refuted obligation: diagnostic, states, lens, hover, why, panel', async () => {
  await client.change(kernel, '@free launched = finished\n', '@free launched ≥ finished\n');
  const refuted = await client.until(kernel, 'a counterexample', (_, obligations) => obligations.every(({ verdict }) => verdict) && obligations.find(({ name }) => name === 'start/taken_once/INV' ));
  assert.equal(refuted.verdict, 'refuted');
  const { diagnostics } = client.shown.get(client.uri(kernel));
  const shown = diagnostics.find(({ message }) => message.startsWith('start/taken_once/INV'));
  assert.equal(shown.severity, 1);
  assert.ok(shown.relatedInformation.some(({ message }) => message.startsWith('before: ')) && shown.relatedInformation.some(({ message }) => message.startsWith('after: ')));
  const lenses = await client.ask('textDocument/codeLens', document(kernel));
  const why = lenses.find(({ command }) => command.title === 'why start/taken_once/INV');
  const answer = await client.ask('workspace/executeCommand', why.command);
  assert.match(answer.text, /refuted[^]*false/);
  const hover = await client.ask('textDocument/hover', client.at(kernel, 'event start', 7));
  assert.match(hover.contents.value, /\| launched \| \d+ \| \d+ \|/);
  const { counterexamples, page, refinements } = await import('../out/panels.mjs');
  const panel = page('Counterexamples', counterexamples(client.uri(kernel), client.statuses.get(client.uri(kernel)).obligations));
  assert.match(panel, /kernel\/start\/taken_once\/INV<\/a>[^]*launched ≤ finished \+ 1|launched \+ 1 ≤ finished \+ 1/);
  assert.match(panel, /<tr class="changed"><td>launched<\/td>/);
  const tree = page('Refinements', refinements(await client.ask('gradine/refinements', document(kernel))));
  assert.match(tree, />kernel<\/a><\/b> <span class="badge refuted">/);
  await client.settled(kernel);
});

session('hover: type, comment, obligations', async () => {
  await client.settled(kernel);
  const of = async (what, offset) => (await client.ask('textDocument/hover', client.at(kernel, what, offset))).contents.value;
  assert.match(await of('launched // launches', 0), /variable launched ⦂ ℤ/);
  assert.match(await of('@taken_once', 2), /K3: the GPU is never taken twice[^]*start\/taken_once\/INV \| proved/);
  assert.match(await of('2 ∗ launches', 2), /in ASCII/);
});

session('definition, references and highlights through the chain', async () => {
  const definition = await client.ask('textDocument/definition', client.at(scheduling, '@idle launched', '@idle '.length));
  assert.deepEqual([definition.uri, lineOf(scheduling, definition.range.start)], [client.uri(scheduling), 'launched']);
  const context = await client.ask('textDocument/definition', client.at(scheduling, 'sees Grid', 'sees '.length));
  assert.equal(context.uri, client.uri('contexts/gpu/grid.eventb'));
  const references = await client.ask('textDocument/references', { ...client.at(kernel, 'launched // launches'), context: { includeDeclaration: true } });
  assert.ok(new Set(references.map(({ uri }) => uri)).size > 5);
  const highlights = await client.ask('textDocument/documentHighlight', client.at(kernel, 'launched // launches'));
  assert.equal(highlights.length, references.filter(({ uri }) => uri === client.uri(kernel)).length);
});

session('symbols of a document and of the workspace', async () => {
  const [machine] = await client.ask('textDocument/documentSymbol', document(kernel));
  assert.equal(machine.name, 'kernel');
  assert.ok(machine.children.some(({ name, children }) => name === 'start' && children.length === 4));
  const found = await client.ask('workspace/symbol', { query: 'taken_on' });
  assert.deepEqual(found.map(({ name, containerName }) => [name, containerName]), [['taken_once', 'kernel']]);
});

session('the tree of refinements', async () => {
  const [item] = await client.ask('textDocument/prepareCallHierarchy', client.at(kernel, 'event start', 7));
  const incoming = await client.ask('callHierarchy/incomingCalls', { item });
  const refining = incoming.find(({ from }) => from.detail === 'block_scheduling').from;
  const [outgoing] = await client.ask('callHierarchy/outgoingCalls', { item: refining });
  assert.deepEqual([outgoing.to.name, outgoing.to.detail], ['start', 'kernel']);
  const tree = await client.ask('gradine/refinements', document(kernel));
  const start = tree.find(({ name }) => name === 'block_scheduling').events.find(({ name }) => name === 'start');
  assert.deepEqual(start.refines, ['start']);
});

session('rename through the chain, gradine.toml and the lock', async () => {
  assert.equal((await client.ask('textDocument/prepareRename', client.at(kernel, 'launched // launches'))).placeholder, 'launched');
  const { documentChanges } = await client.ask('textDocument/rename', { ...client.at(kernel, 'T_ev // the time'), newName: 'ended_at' });
  const changed = documentChanges.map(({ textDocument }) => textDocument.uri.replace(client.uri(''), '').replace(/^\//, ''));
  for (const name of [kernel, scheduling, 'machines/gpu/tiling.eventb', 'gradine.toml']) {
    assert.ok(changed.includes(name), `${name} of ${changed}`);
  }
  const text = edited(client.texts.get(kernel), documentChanges[changed.indexOf(kernel)].edits);
  assert.ok(!/(?<![@\w])T_ev(?!\w)/.test(text.replace(/\/\/.*|\/\*[^]*?\*\//g, '')));
  await assert.rejects(client.ask('textDocument/rename', { ...client.at(kernel, 'T_ev // the time'), newName: 'launched' }), /renamed/);
});

session('completion: names, events, components, operators', async () => {
  const labels = async (name, what, offset) => (await client.ask('textDocument/completion', client.at(name, what, offset))).items.map(({ label }) => label);
  assert.ok((await labels(kernel, '@waiting launched', 12)).includes('launched'));
  assert.ok((await labels(scheduling, 'extends finish', 9)).includes('progress'));
  assert.ok((await labels(scheduling, 'refines kernel', 9)).includes('kernel'));
  assert.ok((await labels(scheduling, 'sees Grid', 6)).includes('Launches'));
  await client.change(kernel, '@waiting launched < launches', '@waiting launched < launches \\in');
  const { items } = await client.ask('textDocument/completion', client.at(kernel, '\\in', 3));
  assert.equal(items.find(({ filterText }) => filterText === '\\in').textEdit.newText, '∈');
});

session('completion of missing witnesses', async () => {
  const name = 'machines/gpu/new.eventb';
  await client.open(name, 'machine new_kernel\nrefines kernel\nsees Launches\nvariables launched finished T_ev launch_start launch_end\nevents\n    event progress refines progress\n        with\n            @\n        then\n            @T T_ev :∣ T_ev\' ≥ T_ev + 1\n    end\nend\n');
  const { items } = await client.ask('textDocument/completion', client.at(name, '@\n', 1));
  assert.ok(Array.isArray(items)); // T_ev is kept: it needs none
  await client.tell('textDocument/didClose', document(name));
});

session('signature of an operator', async () => {
  await client.change(kernel, '@waiting launched < launches', '@waiting launched < max({launches, ');
  const help = await client.ask('textDocument/signatureHelp', client.at(kernel, '< max(', 6));
  assert.equal(help.signatures[0].label, 'max(S)');
});

session('formatting: file, range, on type', async () => {
  assert.deepEqual(await client.ask('textDocument/formatting', { ...document(kernel), options: {} }), [], 'the development is formatted');
  await client.change(kernel, '@waiting launched < launches', '@waiting   launched+0 <= launches');
  const edits = await client.ask('textDocument/rangeFormatting', { ...client.range(kernel, '@waiting'), options: {} });
  assert.match(edited(client.texts.get(kernel), edits), /\n {12}@waiting launched \+ 0 ≤ launches\n/);
  const typed = await client.ask('textDocument/onTypeFormatting', { ...client.at(kernel, '<= ', 3), ch: ' ', options: {} });
  assert.deepEqual(typed.map(({ newText }) => newText), ['≤']);
});

session('semantic tokens', async () => {
  const { data } = await client.ask('textDocument/semanticTokens/full', document(kernel));
  const { tokenTypes } = capabilities.semanticTokensProvider.legend;
  const kinds = new Set(data.filter((_, i) => i % 5 === 3).map((type) => tokenTypes[type]));
  for (const kind of ['keyword', 'variable', 'property', 'operator', 'number', 'comment', 'function', 'class']) {
    assert.ok(kinds.has(kind), kind);
  }
  const some = await client.ask('textDocument/semanticTokens/range', client.range(kernel, '@waiting'));
  assert.ok(some.data.length > 0 && some.data.length < data.length);
});

session('folding and selection', async () => {
  const folds = await client.ask('textDocument/foldingRange', document(kernel));
  assert.ok(folds.some(({ startLine }) => lineOf(kernel, { line: startLine }).includes('event start')));
  let [range] = await client.ask('textDocument/selectionRange', { ...document(kernel), positions: [client.position(kernel, 'finished + 1\n    // K4')] });
  const texts = [];
  for (; range; range = range.parent) {
    texts.push(range.range.end.line - range.range.start.line);
  }
  assert.ok(texts.length >= 4 && texts.every((lines, i) => i === 0 || lines >= texts[i - 1]));
});

session('actions on a problem', async () => {
  const titles = async (what) => (await client.ask('textDocument/codeAction', { ...client.range(kernel, what), context: { diagnostics: [] } })).map(({ title }) => title);
  await client.change(kernel, '@waiting launched < launches', '@waiting launched < lnches');
  const offered = await titles('lnches');
  assert.ok(offered.includes('Declare lnches as a parameter of start') && offered.includes('Declare lnches as a variable'), offered.join());
});

session('an action that infers an invariant', async () => {
  await client.change(kernel, '    @idle_time launched = finished ⇒ T_ev = launch_end\n', '');
  const open = await client.until(kernel, 'something is refuted or open', (_, obligations) => obligations.length > 0 && obligations.every(({ verdict }) => verdict) && obligations.filter(({ verdict }) => verdict !== 'proved'));
  assert.deepEqual(open.map(({ name, verdict }) => [name, verdict]), [['start/launches_apart/INV', 'refuted']]);
  for (const { name, range } of open) {
    const actions = await client.ask('textDocument/codeAction', { ...document(kernel), range, context: { diagnostics: [] } });
    const action = actions.find(({ title }) => title === `Add an invariant that closes ${name}`);
    assert.ok(action && !action.edit, name);
    const { edit } = await client.ask('codeAction/resolve', action);
    assert.match(edit.documentChanges[0].edits[0].newText, /@inferred1 .*launch_end .*T_ev/);
  }
});

session('obligations, a sequent and the operators, as rossi names them', async () => {
  const { obligations } = await client.ask('rossi/proofObligations', document(kernel));
  assert.ok(obligations.some(({ name }) => name === 'start/taken_once/INV'));
  const state = await client.ask('rossi/proofState', { ...document(kernel), name: 'start/taken_once/INV', component: 'kernel' });
  assert.ok(state.goal.includes('launched+1') && state.hypotheses.length > 10 && state.text.includes('⊢'));
  const table = await client.ask('rossi/operatorTable');
  assert.ok(table.some(({ unicode, ascii }) => unicode === '∈' && ascii === ':'));
});

session('commands of the program', async () => {
  const run = (command, ...args) => client.ask('workspace/executeCommand', { command, arguments: [client.uri(kernel), ...args] });
  assert.match((await run('gradine.explore', 'kernel')).text, /no bound for launches[^]*--const launches=/); // and says what to do
  assert.equal((await run('gradine.check')).code, 0);
  await assert.rejects(run('gradine.explore', '--lock'), /no flags/);
});

session('tuning, which takes long, can be cancelled', async () => {
  const source = new CancellationTokenSource();
  const asked = client.ask('workspace/executeCommand', { command: 'gradine.tune', arguments: [client.uri(kernel)] }, source.token);
  setTimeout(() => source.cancel(), 50);
  await assert.rejects(asked, ({ code }) => code === -32800);
  assert.ok(await client.ask('textDocument/documentSymbol', document(kernel)));
});

session('a file that another program writes', async () => {
  await client.settled(kernel);
  await client.tell('workspace/didChangeWatchedFiles', { changes: [{ uri: client.uri('gradine.toml'), type: 2 }] });
  await client.settled(kernel);
});

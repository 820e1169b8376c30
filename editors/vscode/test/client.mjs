// An editor that follows a script: a server in a process of its own, spoken to by the
// library that editors use.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const { createProtocolConnection, StreamMessageReader, StreamMessageWriter } = createRequire(import.meta.url)('vscode-languageserver-protocol/node');

export class Client {
  constructor(program, root) {
    this.root = root;
    this.process = spawn(program, ['lsp', '--stdio'], { cwd: root, stdio: ['pipe', 'pipe', 'inherit'] });
    this.connection = createProtocolConnection(new StreamMessageReader(this.process.stdout), new StreamMessageWriter(this.process.stdin));
    this.shown = new Map(); // diagnostics by URI
    this.statuses = new Map();
    this.texts = new Map();
    this.saved = new Map();
    this.versions = new Map();
    this.waiting = new Set();
    const heard = () => this.waiting.forEach((look) => look());
    this.connection.onNotification('textDocument/publishDiagnostics', (params) => (this.shown.set(params.uri, params), heard()));
    this.connection.onNotification('$/rossi/proofStatus', (params) => (this.statuses.set(params.uri, params), heard()));
    this.connection.onRequest('workspace/inlayHint/refresh', () => null);
    this.connection.onRequest('workspace/codeLens/refresh', () => null);
    this.connection.listen();
  }

  async start() {
    const result = await this.ask('initialize', {
      processId: process.pid,
      rootUri: pathToFileURL(this.root).href,
      capabilities: {
        textDocument: { codeAction: { resolveSupport: { properties: ['edit'] } } },
        workspace: { inlayHint: { refreshSupport: true }, codeLens: { refreshSupport: true }, workspaceEdit: { documentChanges: true, resourceOperations: ['create'] } },
      },
    });
    await this.tell('initialized', {});
    return result;
  }

  async stop() {
    try {
      await this.ask('shutdown');
      const code = new Promise((resolve) => this.process.on('exit', resolve));
      await this.tell('exit');
      return await code;
    } finally {
      this.connection.dispose();
      this.process.kill();
    }
  }

  ask(method, ...params) {
    return this.connection.sendRequest(method, ...params);
  }

  tell(method, ...params) {
    return this.connection.sendNotification(method, ...params);
  }

  uri(name) {
    return pathToFileURL(join(this.root, name)).href;
  }

  async open(name, text = readFileSync(join(this.root, name), 'utf8')) {
    const version = (this.versions.get(name) ?? 0) + 1;
    this.versions.set(name, version);
    this.texts.set(name, text);
    this.saved.set(name, text);
    await this.tell('textDocument/didOpen', { textDocument: { uri: this.uri(name), languageId: 'eventb', version, text } });
    return { textDocument: { uri: this.uri(name) } };
  }

  // change replaces the only place where old stands.
  async change(name, old, now) {
    const text = this.texts.get(name);
    assert.equal(text.split(old).length, 2, `${old} stands in ${name} once`);
    const range = { start: this.position(name, old), end: this.position(name, old, old.length) };
    await this.changed(name, text.replace(old, () => now), { range, text: now });
  }

  async changed(name, text, change) {
    const version = this.versions.get(name) + 1;
    this.versions.set(name, version);
    this.texts.set(name, text);
    await this.tell('textDocument/didChange', { textDocument: { uri: this.uri(name), version }, contentChanges: [change] });
  }

  // restore brings the open texts back to what is saved.
  async restore() {
    for (const [name, text] of this.saved) {
      if (this.texts.get(name) !== text) {
        await this.changed(name, text, { text });
      }
    }
  }

  position(name, what, offset = 0) {
    const text = this.texts.get(name);
    const at = text.indexOf(what);
    assert.ok(at >= 0, `${what} stands in ${name}`);
    const lines = text.slice(0, at + offset).split('\n');
    return { line: lines.length - 1, character: lines.at(-1).length };
  }

  at(name, what, offset = 0) {
    return { textDocument: { uri: this.uri(name) }, position: this.position(name, what, offset) };
  }

  range(name, what) {
    return { textDocument: { uri: this.uri(name) }, range: { start: this.position(name, what), end: this.position(name, what) } };
  }

  // until waits until something of the present text of a document has been said.
  until(name, what, holds) {
    return new Promise((resolve, reject) => {
      const look = () => {
        const [shown, status] = [this.shown.get(this.uri(name)), this.statuses.get(this.uri(name))];
        const version = this.versions.get(name);
        const answer = holds(shown?.version === version ? shown.diagnostics : [], status?.version === version ? status.obligations : []);
        if (answer) {
          clearTimeout(timer);
          this.waiting.delete(look);
          resolve(answer);
        }
      };
      const timer = setTimeout(() => {
        this.waiting.delete(look);
        reject(new Error(`${what}: not after 60 seconds`));
      }, 60_000);
      this.waiting.add(look);
      look();
    });
  }

  settled(name) {
    return this.until(name, `${name} is settled`, (_, obligations) => obligations.length > 0 && obligations.every(({ verdict }) => verdict) && obligations);
  }
}

// edited is a text after edits.
export function edited(text, edits) {
  const lines = text.split('\n');
  const offset = ({ line, character }) => lines.slice(0, line).reduce((sum, each) => sum + each.length + 1, 0) + character;
  return [...edits]
    .sort((a, b) => offset(b.range.start) - offset(a.range.start))
    .reduce((now, { range, newText }) => now.slice(0, offset(range.start)) + newText + now.slice(offset(range.end)), text);
}

import * as vscode from 'vscode';
import { LanguageClient, TransportKind } from 'vscode-languageclient/node';

import { checking, counterexamples, page, refinements } from './panels';
import type { Obligation, Place, ProofStatus, RefinedComponent } from './protocol';

let client: LanguageClient | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const program = vscode.workspace.getConfiguration('gradine').get<string>('path') || 'gradine';
  const pages = new Pages();
  client = new LanguageClient(
    'gradine',
    'Gradine',
    { command: program, args: ['lsp'], transport: TransportKind.stdio },
    {
      // What stands beside models counts as it is on the screen, too.
      documentSelector: [
        { scheme: 'file', language: 'eventb' },
        ...['**/gradine.toml', '**/*.hints', '**/*.{cl,cu}', '**/*proofs.{lock,certs}'].map((pattern) => ({ scheme: 'file', pattern })),
      ],
      synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher('**/{*.eventb,*.hints,*.cl,*.cu,gradine.toml,*proofs.lock,*proofs.certs}') },
      middleware: { executeCommand: (command, args) => run(pages, command, args) },
    },
  );
  const server = client;
  const panels = new Panels(server);
  context.subscriptions.push(
    vscode.workspace.registerTextDocumentContentProvider(Pages.scheme, pages),
    new Obligations(server, pages, panels).controller,
    vscode.commands.registerCommand('gradine.obligations', () => vscode.commands.executeCommand('workbench.view.testing.focus')),
    vscode.commands.registerCommand('gradine.refinement', () => vscode.commands.executeCommand('editor.showCallHierarchy')),
    vscode.commands.registerCommand('gradine.refinementTree', () => panels.tree.show()),
    vscode.commands.registerCommand('gradine.counterexamples', () => panels.counterexamples.show()),
    vscode.commands.registerCommand('gradine.reveal', reveal),
    vscode.commands.registerCommand('gradine.showReport', () => reportPage(server)),
    ...['tune', 'report', 'check', 'prove'].map((name) => vscode.commands.registerCommand(`gradine.${name}Project`, () => ofEditor((uri) => run(pages, `gradine.${name}`, [uri])))),
    ...['explore', 'infer', 'animate'].map((name) => vscode.commands.registerCommand(`gradine.${name}Project`, () => ofEditor((uri) => ofMachine(server, pages, `gradine.${name}`, uri)))),
  );
  await client.start();
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}

// ofEditor does something with the document that the user looks at.
async function ofEditor(use: (uri: string) => Promise<void>): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  if (document?.languageId !== 'eventb') {
    void vscode.window.showInformationMessage('Open an Event-B model first: the command is about its project.');
    return;
  }
  await use(document.uri.toString());
}

// ofMachine runs a command on a machine that the user picks.
async function ofMachine(server: LanguageClient, pages: Pages, command: string, uri: string): Promise<void> {
  const components = await server.sendRequest<RefinedComponent[]>('gradine/refinements', { textDocument: { uri } });
  const machines = components.filter(({ kind }) => kind === 'machine').map(({ name }) => name);
  const machine = machines.length > 1 ? await vscode.window.showQuickPick(machines, { placeHolder: 'machine' }) : machines[0];
  if (machine) {
    await run(pages, command, [uri, machine]);
  }
}

async function reveal({ uri, range: { start, end } }: Place): Promise<void> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri));
  await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.One, selection: new vscode.Range(start.line, start.character, end.line, end.character) });
}

// reportPage shows the report of the project as its page.
function reportPage(server: LanguageClient): Promise<void> {
  return ofEditor(async (uri) => {
    const result = await server.sendRequest<{ text: string }>('workspace/executeCommand', { command: 'gradine.reportPage', arguments: [uri] });
    const panel = vscode.window.createWebviewPanel('gradine.report', 'Report', vscode.ViewColumn.Beside, { enableScripts: true, localResourceRoots: [] });
    panel.webview.html = result.text;
  });
}

// run asks the server to run a command of the program, and shows what it prints. The page of an animation is not text: the server
// has the editor open its URL, and the page follows the open texts.
async function run(pages: Pages, command: string, args: unknown[]): Promise<void> {
  if (command === 'gradine.animate') {
    await client?.sendRequest('workspace/executeCommand', { command, arguments: args });
    return;
  }
  const title = [command.replace('gradine.', ''), ...args.slice(1)].join(' ');
  await vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title }, async () => {
    const result = await client?.sendRequest<{ text: string }>('workspace/executeCommand', { command, arguments: args });
    await pages.show(title, result?.text ?? '');
  });
}

// Pages are documents that nobody writes: sequents, explanations, answers of commands.
class Pages implements vscode.TextDocumentContentProvider {
  static readonly scheme = 'gradine';
  private readonly texts = new Map<string, string>();
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.path) ?? '';
  }

  async show(title: string, text: string): Promise<void> {
    const uri = vscode.Uri.from({ scheme: Pages.scheme, path: '/' + title });
    this.texts.set(uri.path, text);
    this.changed.fire(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { preview: true, preserveFocus: true, viewColumn: vscode.ViewColumn.Beside });
  }
}

// Panel is a page beside the text. It is of the present texts: while these are being
// checked it says so, and shows nothing else.
class Panel {
  private view: vscode.WebviewPanel | undefined;

  constructor(
    private readonly id: string,
    private readonly title: string,
    private readonly body: () => Promise<string>,
  ) {}

  async show(): Promise<void> {
    if (!this.view) {
      this.view = vscode.window.createWebviewPanel(this.id, this.title, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true }, { enableCommandUris: ['gradine.reveal'], localResourceRoots: [] });
      this.view.onDidDispose(() => (this.view = undefined));
    }
    this.view.reveal(undefined, true);
    await this.refresh();
  }

  async refresh(): Promise<void> {
    const view = this.view;
    if (view) {
      const body = await this.body();
      view.webview.html = page(this.title, body);
    }
  }

  outdated(): void {
    if (this.view) {
      this.view.webview.html = page(this.title, checking);
    }
  }
}

// Panels are about the document that the user looked at last.
class Panels {
  private uri: string | undefined;
  private readonly statuses = new Map<string, ProofStatus>();

  readonly counterexamples = new Panel('gradine.counterexamples', 'Counterexamples', async () => {
    const status = this.uri === undefined ? undefined : this.statuses.get(this.uri);
    return status ? counterexamples(status.uri, status.obligations) : checking;
  });

  readonly tree = new Panel('gradine.refinementTree', 'Refinements', async () => {
    if (this.uri === undefined) {
      return checking;
    }
    const components = await this.server.sendRequest<RefinedComponent[] | null>('gradine/refinements', { textDocument: { uri: this.uri } });
    return refinements(components ?? []);
  });

  constructor(private readonly server: LanguageClient) {
    this.look(vscode.window.activeTextEditor);
    vscode.window.onDidChangeActiveTextEditor((editor) => this.look(editor));
  }

  private look(editor: vscode.TextEditor | undefined): void {
    if (editor?.document.languageId === 'eventb' && editor.document.uri.toString() !== this.uri) {
      this.uri = editor.document.uri.toString();
      void this.counterexamples.refresh();
      void this.tree.refresh();
    }
  }

  // changed: what was said of a text is no longer true of it, and perhaps not of others.
  changed(): void {
    this.statuses.clear();
    this.counterexamples.outdated();
    this.tree.outdated();
  }

  update(uri: string, status: ProofStatus): void {
    this.statuses.set(uri, status);
    if (uri === this.uri) {
      void this.counterexamples.refresh();
      void this.tree.refresh();
    }
  }
}

// Obligations are shown as tests. One is passed only if the server says of the present
// text that it is proved, and its component has no errors.
class Obligations {
  readonly controller = vscode.tests.createTestController('gradine', 'Proof obligations');

  constructor(
    private readonly server: LanguageClient,
    private readonly pages: Pages,
    private readonly panels: Panels,
  ) {
    server.onNotification('$/rossi/proofStatus', (status: ProofStatus) => this.update(status));
    this.controller.createRunProfile('Show', vscode.TestRunProfileKind.Run, (request) => this.show(request), true);
    // What stands there is about a text that is no more: until the server has spoken of
    // the new one, nothing is shown of it.
    vscode.workspace.onDidChangeTextDocument((change) => {
      if (change.document.languageId === 'eventb' && change.contentChanges.length > 0) {
        this.controller.items.get(change.document.uri.toString())?.children.replace([]);
        this.panels.changed();
      }
    });
  }

  private update(status: ProofStatus): void {
    const uri = vscode.Uri.parse(status.uri);
    const document = vscode.workspace.textDocuments.find((open) => open.uri.toString() === uri.toString());
    if (document && document.version !== status.version) {
      return; // of an older text
    }
    const id = uri.toString();
    this.panels.update(id, status);
    const file = this.controller.items.get(id) ?? this.controller.createTestItem(id, vscode.workspace.asRelativePath(uri), uri);
    this.controller.items.add(file);
    const items = status.obligations.map((obligation) => {
      const name = `${obligation.component}/${obligation.name}`;
      const item = this.controller.createTestItem(`${id}#${name}`, name, uri);
      const { start, end } = obligation.range;
      item.range = new vscode.Range(start.line, start.character, end.line, end.character);
      item.description = obligation.expected ? `${obligation.verdict}, as expected` : obligation.verdict;
      return item;
    });
    file.children.replace(items);
    const run = this.controller.createTestRun(new vscode.TestRunRequest(), undefined, false);
    status.obligations.forEach((obligation, i) => this.mark(run, items[i]!, obligation));
    run.end();
  }

  private mark(run: vscode.TestRun, item: vscode.TestItem, obligation: Obligation): void {
    switch (obligation.verdict) {
      case undefined:
        return run.enqueued(item);
      case 'proved':
        return obligation.accurate ? run.passed(item) : run.skipped(item);
      case 'open':
        return run.skipped(item);
      default:
        return obligation.expected ? run.skipped(item) : run.failed(item, new vscode.TestMessage(`${obligation.verdict}: ${obligation.description}`));
    }
  }

  private async show(request: vscode.TestRunRequest): Promise<void> {
    for (const item of request.include ?? []) {
      const [component, ...name] = item.label.split('/');
      const state = await this.server.sendRequest<{ text: string } | null>('rossi/proofState', { textDocument: { uri: item.uri?.toString() }, component, name: name.join('/') });
      if (state) {
        await this.pages.show(item.label, state.text);
      }
    }
  }
}

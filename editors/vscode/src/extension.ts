import * as vscode from 'vscode';
import { LanguageClient, TransportKind } from 'vscode-languageclient/node';

// What the server says of one obligation.
interface Obligation {
  name: string;
  component: string;
  description: string;
  range: { start: { line: number; character: number }; end: { line: number; character: number } };
  verdict?: 'proved' | 'vacuous' | 'refuted' | 'open';
  expected?: string;
  accurate: boolean;
}

interface ProofStatus {
  uri: string;
  version: number;
  obligations: Obligation[];
}

let client: LanguageClient | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const program = vscode.workspace.getConfiguration('gradine').get<string>('path') || 'gradine';
  const pages = new Pages();
  client = new LanguageClient(
    'gradine',
    'Gradine',
    { command: program, args: ['lsp'], transport: TransportKind.stdio },
    {
      documentSelector: [{ scheme: 'file', language: 'eventb' }],
      synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher('**/{*.eventb,*.hints,gradine.toml,*proofs.lock,*proofs.certs}') },
      middleware: { executeCommand: (command, args) => run(pages, command, args) },
    },
  );
  context.subscriptions.push(
    vscode.workspace.registerTextDocumentContentProvider(Pages.scheme, pages),
    new Obligations(client, pages).controller,
    vscode.commands.registerCommand('gradine.obligations', () => vscode.commands.executeCommand('workbench.view.testing.focus')),
    vscode.commands.registerCommand('gradine.refinement', () => vscode.commands.executeCommand('editor.showCallHierarchy')),
    ...['tune', 'report', 'check', 'prove'].map((name) =>
      vscode.commands.registerCommand(`gradine.${name}Project`, () => {
        const uri = vscode.window.activeTextEditor?.document.uri;
        return uri && run(pages, `gradine.${name}`, [uri.toString()]);
      }),
    ),
  );
  await client.start();
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}

// run asks the server to run a command of the program, and shows what it prints.
async function run(pages: Pages, command: string, args: unknown[]): Promise<void> {
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

// Obligations are shown as tests. One is passed only if the server says of the present
// text that it is proved, and its component has no errors.
class Obligations {
  readonly controller = vscode.tests.createTestController('gradine', 'Proof obligations');

  constructor(
    private readonly server: LanguageClient,
    private readonly pages: Pages,
  ) {
    server.onNotification('$/rossi/proofStatus', (status: ProofStatus) => this.update(status));
    this.controller.createRunProfile('Show', vscode.TestRunProfileKind.Run, (request) => this.show(request), true);
    // What stands there is about a text that is no more: until the server has spoken of
    // the new one, nothing is shown of it.
    vscode.workspace.onDidChangeTextDocument((change) => {
      if (change.document.languageId === 'eventb' && change.contentChanges.length > 0) {
        this.controller.items.get(change.document.uri.toString())?.children.replace([]);
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

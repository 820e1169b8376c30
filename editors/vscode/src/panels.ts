// What panels show, as pages without scripts: the editor's colours, and links that are
// commands of the extension.
import type { Binding, Counterexample, Obligation, Place, RefinedComponent, RefinedEvent } from './protocol';

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => escapes[sign]!);
}

const style = `
body { font-family: var(--vscode-font-family, sans-serif); color: var(--vscode-foreground, #333); background: var(--vscode-editor-background, #fff); padding: 0 1em 1em; }
h1 { font-size: 1.2em; } h2 { font-size: 1em; margin: 1.4em 0 .3em; }
code, td { font-family: var(--vscode-editor-font-family, monospace); }
a { color: var(--vscode-textLink-foreground, #06c); text-decoration: none; }
table { border-collapse: collapse; } td, th { text-align: left; padding: .1em .8em .1em 0; border-bottom: 1px solid var(--vscode-widget-border, #ddd); }
.changed { font-weight: bold; } .note { opacity: .75; }
ul { list-style: none; padding-left: 1.4em; border-left: 1px solid var(--vscode-widget-border, #ddd); margin: .2em 0 .2em .3em; }
.badge { font-size: .85em; border-radius: .6em; padding: 0 .5em; border: 1px solid currentColor; }
.proved { color: var(--vscode-testing-iconPassed, #388a34); } .refuted, .vacuous { color: var(--vscode-testing-iconFailed, #c72e2e); }
.open, .inaccurate, .pending, .expected { color: var(--vscode-testing-iconQueued, #b8860b); }
`;

// page is a whole page. Nothing is loaded into it and nothing runs in it.
export function page(title: string, body: string): string {
  return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>${escaped(title)}</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<style>${style}</style></head>
<body><h1>${escaped(title)}</h1>
${body}
</body></html>
`;
}

function link(place: Place, text: string): string {
  return `<a href="command:gradine.reveal?${escaped(encodeURIComponent(JSON.stringify([place])))}">${escaped(text)}</a>`;
}

function badge(verdict: string, status: string): string {
  return verdict && `<span class="badge ${escaped(verdict)}">${escaped(status)}</span>`;
}

// checking is shown from a change on until the server has spoken of the new text.
export const checking = '<p class="note">A text has changed and is being checked.</p>';

// counterexamples shows those of one document: what the state was before and after.
export function counterexamples(uri: string, obligations: Obligation[]): string {
  const refuted = obligations.filter((obligation) => obligation.counterexample);
  const waiting = obligations.filter((obligation) => !obligation.verdict).length;
  const parts = refuted.map((obligation) => {
    const { constants = [], params = [], failing } = obligation.counterexample!;
    return `<h2>${link({ uri, range: obligation.range }, `${obligation.component}/${obligation.name}`)}</h2>
<p>${escaped(obligation.description)}: <code>${escaped(failing)}</code> is false${obligation.expected ? `<br><span class="note">as expected: ${escaped(obligation.expected)}</span>` : ''}</p>
${equations('constants', constants)}${equations('parameters', params)}${states(obligation.counterexample!)}`;
  });
  if (refuted.length === 0) {
    parts.push('<p class="note">No obligation is refuted.</p>');
  }
  if (waiting > 0) {
    parts.push(`<p class="note">${waiting} of ${obligations.length} obligations are not decided yet.</p>`);
  }
  return parts.join('\n');
}

function equations(what: string, bindings: Binding[]): string {
  return bindings.length === 0 ? '' : `<p>${what}: ${bindings.map(({ name, value }) => `<code>${escaped(`${name} = ${value}`)}</code>`).join(', ')}</p>\n`;
}

function states({ before = [], after = [] }: Counterexample): string {
  const names = [...new Set([...before, ...after].map(({ name }) => name))];
  if (names.length === 0) {
    return '';
  }
  const value = (bindings: Binding[], name: string) => bindings.find((binding) => binding.name === name)?.value ?? '';
  const rows = names.map((name) => {
    const [was, is] = [value(before, name), value(after, name)];
    const changed = before.length > 0 && after.length > 0 && was !== is;
    return `<tr${changed ? ' class="changed"' : ''}><td>${escaped(name)}</td><td>${escaped(was)}</td><td>${escaped(is)}</td></tr>`;
  });
  return `<table><tr><th>variable</th><th>before</th><th>after</th></tr>\n${rows.join('\n')}</table>\n`;
}

// refinements shows the components of a project as a tree: below each stands what refines
// or extends it, and at each event which events it refines.
export function refinements(components: RefinedComponent[]): string {
  const kinds = ['machine', 'context'] as const;
  return kinds
    .map((kind) => {
      const some = components.filter((component) => component.kind === kind);
      const names = new Set(some.map(({ name }) => name));
      const shown = new Set<string>();
      const below = (parent: string | undefined): RefinedComponent[] =>
        some.filter(({ above = [] }) => (parent === undefined ? !above.some((name) => names.has(name)) : above.includes(parent)));
      const branch = (component: RefinedComponent): string => {
        const again = shown.has(component.name); // a context may extend several
        shown.add(component.name);
        const inner = again ? '' : list([...(component.events ?? []).map((event) => eventLine(component, event)), ...below(component.name).map(branch)]);
        const sees = component.sees?.length ? ` <span class="note">sees ${escaped(component.sees.join(', '))}</span>` : '';
        return `<b>${link(component.location, component.name)}</b> ${badge(component.verdict, component.status)}${sees}${again ? ' <span class="note">see above</span>' : ''}${inner}`;
      };
      const roots = below(undefined).map(branch);
      return roots.length === 0 ? '' : `<h2>${kind === 'machine' ? 'Machines' : 'Contexts'}</h2>${list(roots)}`;
    })
    .join('\n');
}

function eventLine({ above = [] }: RefinedComponent, { name, refines = [], location, status, verdict }: RefinedEvent): string {
  const from = refines.length > 0 ? ` <span class="note">refines ${escaped(refines.map((event) => `${above[0] ?? ''}/${event}`).join(', '))}</span>` : above.length > 0 && name !== 'INITIALISATION' ? ' <span class="note">new</span>' : '';
  return `${link(location, name)} ${badge(verdict, status)}${from}`;
}

function list(items: string[]): string {
  return items.length === 0 ? '' : `<ul>\n${items.map((item) => `<li>${item}</li>`).join('\n')}\n</ul>`;
}

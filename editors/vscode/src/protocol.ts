// What the server says of its own, besides the Language Server Protocol.

export interface Range {
  start: { line: number; character: number };
  end: { line: number; character: number };
}

export interface Place {
  uri: string;
  range: Range;
}

export interface Binding {
  name: string;
  value: string;
}

export interface Counterexample {
  constants?: Binding[];
  params?: Binding[];
  before?: Binding[];
  after?: Binding[];
  failing: string;
}

export interface Obligation {
  name: string;
  component: string;
  description: string;
  range: Range;
  verdict?: 'proved' | 'vacuous' | 'refuted' | 'open';
  expected?: string;
  accurate: boolean;
  counterexample?: Counterexample;
}

// The message $/rossi/proofStatus.
export interface ProofStatus {
  uri: string;
  version: number;
  obligations: Obligation[];
}

export interface RefinedEvent {
  name: string;
  refines?: string[];
  location: Place;
  status: string;
  verdict: string;
}

// The answer to gradine/refinements has one of these for each component.
export interface RefinedComponent {
  name: string;
  kind: 'context' | 'machine';
  above?: string[];
  sees?: string[];
  location: Place;
  status: string;
  verdict: string;
  events?: RefinedEvent[];
}

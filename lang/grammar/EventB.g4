// The text language of Event-B: contexts and machines in files.
//
// Formulas are flat here: a sequence of names, literals, operators and brackets
// that ends at the next label or keyword. Event-B has no precedence ladder; the
// operators are grouped afterwards, by the partial order of logic/notation. The
// spellings below are those of that table; a test compares them.
//
// Keywords are contextual: a keyword ends a formula or a list of names only
// where its clause could begin. Elsewhere it is a name. Any name and label may
// be quoted.
grammar EventB;

// The last component need not be closed.
file : (component (END component)* END?)? EOF ;

component : context | machine ;

// ---- contexts ----

context : CONTEXT contextRef contextClause* ;

contextClause
    : EXTENDS contextRef*
    | SETS contextName*
    | CONSTANTS contextName*
    | AXIOMS contextItems
    | THEOREMS contextItems
    ;

contextItems : contextFormula? (mark contextFormula?)* ;

contextFormula : ~(EXTENDS | SETS | CONSTANTS | AXIOMS | THEOREMS | THEOREM | LABEL | END)+ ;

contextRef : contextName (MINUS hyphenated)* ;

contextName
    : NAME | QUOTED | CONTEXT | MACHINE
    | REFINES | SEES | VARIABLES | INVARIANTS | VARIANT | EVENTS | EVENT
    | STATUS | ORDINARY | CONVERGENT | ANTICIPATED
    | ANY | WHERE | WHEN | WITH | WITNESS | THEN | BEGIN
    ;

// ---- machines ----

machine : MACHINE machineRef machineClause* ;

machineClause
    : REFINES machineRef*
    | SEES machineRef*
    | VARIABLES machineName*
    | INVARIANTS machineItems
    | THEOREMS machineItems
    | VARIANT machineItems
    | EVENTS
    | event
    ;

machineItems : machineFormula? (mark machineFormula?)* ;

machineFormula
    : ~( REFINES | SEES | VARIABLES | INVARIANTS | THEOREMS | THEOREM | VARIANT | EVENTS | EVENT
       | ORDINARY | CONVERGENT | ANTICIPATED | LABEL | END )+
    ;

machineRef : machineName (MINUS hyphenated)* ;

machineName
    : NAME | QUOTED | CONTEXT | MACHINE
    | EXTENDS | SETS | CONSTANTS | AXIOMS
    | STATUS | ANY | WHERE | WHEN | WITH | WITNESS | THEN | BEGIN
    ;

// ---- events ----

event : anyStatus? EVENT eventRef eventClause* END ;

eventClause
    : REFINES eventRef*
    | EXTENDS eventRef*
    | STATUS anyStatus
    | ANY eventName*
    | (WHERE | WHEN) eventItems
    | (WITH | WITNESS) eventItems
    | (THEN | BEGIN) eventItems
    ;

eventItems : eventFormula? (mark eventFormula?)* ;

eventFormula
    : ~( REFINES | EXTENDS | STATUS | ANY | WHERE | WHEN | WITH | WITNESS | THEN | BEGIN
       | THEOREM | EVENT | LABEL | END )+
    ;

eventRef : eventName (MINUS hyphenated)* ;

eventName
    : NAME | QUOTED | CONTEXT | MACHINE
    | SETS | CONSTANTS | AXIOMS | THEOREMS
    | SEES | VARIABLES | INVARIANTS | VARIANT | EVENTS
    | ORDINARY | CONVERGENT | ANTICIPATED
    ;

// What stands before a formula: a label, theorem, or both in either order.
mark : LABEL | THEOREM ;

// Hyphens join the parts of component and event names: C-1, end-to-end.
hyphenated : NAME | NUMBER | ALNUM ;

anyStatus : ORDINARY | CONVERGENT | ANTICIPATED ;

// ---- tokens ----

CONTEXT     options { caseInsensitive = true; } : 'context' ;
EXTENDS     options { caseInsensitive = true; } : 'extends' ;
SETS        options { caseInsensitive = true; } : 'sets' ;
CONSTANTS   options { caseInsensitive = true; } : 'constants' ;
AXIOMS      options { caseInsensitive = true; } : 'axioms' ;
THEOREMS    options { caseInsensitive = true; } : 'theorems' ;
THEOREM     options { caseInsensitive = true; } : 'theorem' ;
MACHINE     options { caseInsensitive = true; } : 'machine' ;
REFINES     options { caseInsensitive = true; } : 'refines' ;
SEES        options { caseInsensitive = true; } : 'sees' ;
VARIABLES   options { caseInsensitive = true; } : 'variables' | 'vars' ;
INVARIANTS  options { caseInsensitive = true; } : 'invariants' | 'invariant' | 'invs' ;
VARIANT     options { caseInsensitive = true; } : 'variant' ;
EVENTS      options { caseInsensitive = true; } : 'events' ;
EVENT       options { caseInsensitive = true; } : 'event' ;
STATUS      options { caseInsensitive = true; } : 'status' ;
ORDINARY    options { caseInsensitive = true; } : 'ordinary' ;
CONVERGENT  options { caseInsensitive = true; } : 'convergent' ;
ANTICIPATED options { caseInsensitive = true; } : 'anticipated' ;
ANY         options { caseInsensitive = true; } : 'any' ;
WHERE       options { caseInsensitive = true; } : 'where' ;
WHEN        options { caseInsensitive = true; } : 'when' ;
WITH        options { caseInsensitive = true; } : 'with' ;
WITNESS     options { caseInsensitive = true; } : 'witness' ;
THEN        options { caseInsensitive = true; } : 'then' ;
BEGIN       options { caseInsensitive = true; } : 'begin' ;
END         options { caseInsensitive = true; } : 'end' ;

WORD
    : 'ℤ' | 'INT' | 'ℕ' | 'NAT' | 'ℕ1' | 'NAT1' | 'BOOL' | 'TRUE' | 'FALSE'
    | 'ℙ' | 'POW' | 'ℙ1' | 'POW1' | 'card' | 'dom' | 'ran' | 'min' | 'max' | 'bool'
    | 'id' | 'prj1' | 'prj2' | 'pred' | 'succ' | 'union' | 'inter' | 'finite' | 'partition'
    | 'not' | 'or' | 'true' | 'false' | 'mod' | 'circ' | 'oftype' | 'UNION' | 'INTER'
    ;

OPERATOR
    : '⊤' | '⊥' | '∅' | '{}'
    // predicates
    | '¬' | '∧' | '&' | '∨' | '⇒' | '=>' | '⇔' | '<=>' | '∀' | '!' | '∃' | '#'
    // relations between expressions
    | '=' | '≠' | '/=' | '<' | '≤' | '<=' | '>' | '≥' | '>=' | '∈' | ':' | '∉' | '/:'
    | '⊂' | '<<:' | '⊄' | '/<<:' | '⊆' | '<:' | '⊈' | '/<:'
    // pairs, types, arrows
    | '↦' | '|->' | ',,' | '⦂'
    | '↔' | '<->' | '\uE100' | '<<->' | '\uE101' | '<->>' | '\uE102' | '<<->>'
    | '⇸' | '+->' | '→' | '-->' | '⤔' | '>+>' | '↣' | '>->' | '⤀' | '+>>' | '+->>' | '↠' | '->>' | '-->>' | '⤖' | '>->>'
    // sets and relations
    | '∪' | '\\/' | '∩' | '/\\' | '∖' | '\\' | '×' | '**' | '⊗' | '><' | '∥' | '||' | '∘' | ';' | '\uE103' | '<+'
    | '◁' | '<|' | '⩤' | '<<|' | '▷' | '|>' | '⩥' | '|>>' | '∼' | '~'
    // numbers
    | '‥' | '..' | '+' | '∗' | '*' | '÷' | '/' | '^'
    // binders
    | 'λ' | '%' | '⋃' | '⋂' | '·' | '.' | '∣' | '|'
    ;

MINUS : '−' | '-' ;

ASSIGN : '≔' | ':=' | ':∈' | '::' | ':∣' | ':|' ;

PUNCTUATION : '(' | ')' | '[' | ']' | '{' | '}' | ',' ;

NAME : START PART* '\''? ;
QUOTED : QUOTE '\''? ;
NUMBER : [\p{Nd}]+ ;
ALNUM : [0-9]+ [A-Za-z_] [0-9A-Za-z_]* ; // in names such as C-1a only
PREDVAR : '$' START PART* ;
LABEL : '@' (QUOTE | LABELCHAR+) ':'? ;

COMMENT : ('//' ~[\n]* | '/*' .*? ('*/' | EOF) | '"' ~["\n]* '"') -> channel(HIDDEN) ;
BLANK : [\p{Z}\u0009-\u000D\u001C-\u001F\uFEFF]+ -> skip ;
UNKNOWN : . ;

fragment QUOTE : '`' (~'`' | '``')* '`' ;
fragment LABELCHAR : ~[`:@\p{Z}\u0009-\u000D\u001C-\u001F] ;

// Java's identifiers, but for λ and $.
fragment START
    : ~[λ\p{M}\p{N}\p{P}\p{S}\p{Z}\p{C}]
    | [\p{Nl}\p{Pc}\u00A2-\u00A5\u058F\u060B\u09F2\u09F3\u09FB\u0AF1\u0BF9\u0E3F\u17DB\u20A0-\u20C0\uA838\uFDFC\uFE69\uFF04\uFFE0\uFFE1\uFFE5\uFFE6]
    ;
fragment PART : START | [\p{Nd}\p{Mn}\p{Mc}\p{Cf}] ;

package clang

// span is a range of tokens, both ends within.
type span struct{ first, last int }

// failing is what to blank of a function body for an error at a place: the smallest
// statement around it that stands in no lambda and no local class. Of an if or a loop whose
// head fails, the head goes and the body stays.
func (f *file) failing(open, offset int) []span {
	return f.inBlock(open+1, f.tokens[open].match, offset)
}

// inBlock looks among the statements between two tokens.
func (f *file) inBlock(from, to, offset int) []span {
	for i := from; i < to; {
		end := f.statement(i, to)
		if end < i {
			return nil
		}
		if offset < f.tokens[end].end {
			return f.within(i, end, to, offset)
		}
		i = end + 1
	}
	return nil
}

// statement is the last token of the one that begins at a token.
func (f *file) statement(i, to int) int {
	if i >= to {
		return to - 1
	}
	switch {
	case f.is(i, "{"):
		return f.tokens[i].match
	// if, while, for and switch have a statement behind their head, which may have one itself.
	case f.head(i) > 0:
		end := f.statement(f.head(i)+1, to)
		if f.is(i, "if") && f.is(end+1, "else") && end+1 < to {
			end = f.statement(end+2, to)
		}
		return end
	case f.is(i, "else"):
		return f.statement(i+1, to)
	case f.is(i, "do"):
		end := f.statement(i+1, to)
		for end+1 < to && !f.is(end, ";") {
			end++
			if f.tokens[end].kind == '(' {
				end = f.tokens[end].match
			}
		}
		return end
	case f.is(i, "try"):
		end := f.statement(i+1, to)
		for f.is(end+1, "catch") && f.is(end+2, "(") {
			end = f.statement(f.tokens[end+2].match+1, to)
		}
		return end
	case f.is(i, "case") || f.is(i, "default"):
		for ; i < to; i++ {
			if f.is(i, ":") {
				return i
			}
		}
		return to - 1
	}
	// Anything else ends at the first semicolon outside brackets.
	for ; i < to; i++ {
		switch f.tokens[i].kind {
		case '(', '[', '{':
			i = f.tokens[i].match
		case ';':
			return i
		}
	}
	return to - 1
}

// head is the token that closes the head of an if, for, while or switch, 0 if there is none.
func (f *file) head(i int) int {
	switch f.text(i) {
	case "if", "for", "while", "switch":
		at := i + 1
		if f.is(at, "constexpr") {
			at++
		}
		if f.is(at, "(") {
			return f.tokens[at].match
		}
	}
	return 0
}

// within is what to blank of a statement.
func (f *file) within(first, last, to, offset int) []span {
	switch head := f.head(first); {
	case f.is(first, "{"):
		return f.inBlock(first+1, last, offset)
	case f.is(first, "else"):
		return f.within(first+1, last, to, offset)
	case f.is(first, "try") && offset < f.tokens[f.tokens[first+1].match].end:
		return f.inBlock(first+2, f.tokens[first+1].match, offset)
	case head > 0 && !f.is(first, "switch"):
		body := head + 1
		end := f.statement(body, to)
		switch {
		case offset >= f.tokens[body].start && offset < f.tokens[end].end:
			return f.inBody(body, end, to, offset)
		case offset >= f.tokens[end].end && end+2 <= last: // behind else
			return f.inBody(end+2, last, to, offset)
		case f.is(first, "if") && f.is(end+1, "else") && end < last:
			return []span{{first, head}, {end + 1, end + 1}}
		}
		return []span{{first, head}}
	}
	return []span{{first, last}}
}

// inBody is what to blank of the statement that an if or a loop governs: where that is a
// single one, a semicolon stays.
func (f *file) inBody(first, last, to, offset int) []span {
	out := f.within(first, last, to, offset)
	if len(out) == 1 && out[0] == (span{first, last}) && f.is(last, ";") && last > first {
		return []span{{first, last - 1}}
	}
	return out
}

package space

// Values reads the values of a parameter, in the part of Python that tuners use for lists: [1, 2], list(range(1, 9)),
// [2**i for i in range(6) if i != 3], and sums of these.
func Values(text string) (out []int64, err error) {
	err = reading(text, func(p *parser) {
		out = p.values()
		for p.eat("+") != "" {
			out = append(out, p.values()...)
		}
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// mostValues bounds how many values a parameter has.
const mostValues = MostConfigurations

// values reads one list.
func (p *parser) values() (out []int64) {
	switch {
	case p.eat("list") != "":
		p.expect("(")
		out = p.values()
		p.expect(")")
		return out
	case p.eat("range") != "":
		return p.bounds()
	}
	// A list is written with brackets or parentheses, and may end with a comma.
	end := "]"
	if p.eat("(") != "" {
		end = ")"
	} else {
		p.expect("[")
	}
	if p.eat(end) != "" {
		return nil
	}
	first := &Expression{Text: p.text, eval: p.or()}
	if p.eat("for") != "" {
		out = p.comprehension(first)
		p.expect(end)
		return out
	}
	out = append(out, p.number(first, nil))
	for p.eat(",") != "" {
		if p.eat(end) != "" {
			return out
		}
		out = append(out, p.number(&Expression{Text: p.text, eval: p.or()}, nil))
	}
	p.expect(end)
	return out
}

// comprehension is what an expression is for the values of a name, behind for.
func (p *parser) comprehension(e *Expression) (out []int64) {
	if len(p.tokens) == 0 || !macro.MatchString(p.tokens[0]) {
		p.fail("its name behind for")
	}
	name := p.tokens[0]
	p.tokens = p.tokens[1:]
	p.expect("in")
	list := p.values()
	var when []*Expression
	for p.eat("if") != "" {
		when = append(when, &Expression{Text: p.text, eval: p.or()})
	}
	for _, v := range list {
		of := map[string]int64{name: v}
		ok := true
		for _, w := range when {
			holds, err := w.Holds(of)
			if err != nil {
				p.fail("its condition: %v", err)
			}
			ok = ok && holds
		}
		if ok {
			out = append(out, p.number(e, of))
		}
	}
	return out
}

// number is the value of an expression.
func (p *parser) number(e *Expression, of map[string]int64) int64 {
	v, err := e.Value(of)
	if err != nil {
		p.fail("a value: %v", err)
	}
	return v
}

// bounds are the values of range(…).
func (p *parser) bounds() (out []int64) {
	p.expect("(")
	var at []int64
	for {
		at = append(at, p.number(&Expression{Text: p.text, eval: p.or()}, nil))
		if p.eat(",") == "" {
			break
		}
	}
	p.expect(")")
	from, to, step := int64(0), at[0], int64(1)
	switch len(at) {
	case 1:
	case 2:
		from, to = at[0], at[1]
	case 3:
		from, to, step = at[0], at[1], at[2]
	default:
		p.fail("a range of %d numbers", len(at))
	}
	if step == 0 {
		p.fail("a range whose step is 0")
	}
	for v := from; step > 0 && v < to || step < 0 && v > to; v += step {
		if out = append(out, v); len(out) > mostValues {
			p.fail("a range of more than %d numbers", mostValues)
		}
	}
	return out
}

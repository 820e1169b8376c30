package analysis

import (
	"encoding/json"
	"testing"

	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/check"
)

// TestAnswer asks one question of each kind, and those that have no answer.
func TestAnswer(t *testing.T) {
	env := map[string]string{"S": "ℙ(S)", "x": "ℤ", "f": "ℙ(ℤ×S)"}
	for _, c := range []struct {
		q    Question
		want string
	}{
		{Question{Kind: "Predicate", In: "x÷2>0∧x∈ℕ", Env: env},
			`{"ok":true,"paren":"(((x) ÷ (2))\u003e(0))∧((x)∈(ℕ))","typed":"x ÷ 2\u003e0∧x∈ℕ","wd":"2≠0","problems":null}`},
		{Question{Kind: "Predicate", In: "x=1"}, `{"ok":true,"paren":"(x)=(1)","typed":"x=1","inferred":{"x":"ℤ"},"wd":"⊤","problems":null}`},
		{Question{Kind: "Predicate", In: "x=y"}, "{\"ok\":true,\"paren\":\"(x)=(y)\",\"problems\":[{\"code\":\"GR0101\",\"from\":0,\"to\":1,\"message\":\"cannot determine the type of `x`\"},{\"code\":\"GR0101\",\"from\":2,\"to\":3,\"message\":\"cannot determine the type of `y`\"}]}"},
		{Question{Kind: "Predicate", In: "x=y", Env: env}, `{"ok":true,"paren":"(x)=(y)","typed":"x=y","inferred":{"y":"ℤ"},"wd":"⊤","problems":null}`},
		{Question{Kind: "Expression", In: "f(x)", Env: env}, `{"ok":true,"paren":"(f)(x)","typed":"f(x)","type":"S","wd":"x∈dom(f)∧f∈ℤ ⇸ S","problems":null}`},
		{Question{Kind: "Expression", In: "f(", Env: env}, `{"ok":false,"problems":[{"code":"GR0015","from":2,"to":2,"message":"the formula ends where an operand should follow"}]}`},
		{Question{Kind: "Assignment", In: "x :∣ x'÷x>0", Env: env}, `{"ok":true,"paren":"x :∣ ((x') ÷ (x))\u003e(0)","typed":"x :∣ x' ÷ x\u003e0","wd":"x≠0","problems":null}`},
		{Question{Kind: "Assignment", In: "f(x) ≔ f(x)", Env: env}, "{\"ok\":true,\"paren\":\"f ≔ (f)\ue103({(x) ↦ ((f)(x))})\",\"typed\":\"f ≔ f\ue103{x ↦ f(x)}\",\"wd\":\"x∈dom(f)∧f∈ℤ ⇸ S\",\"problems\":null}"},
		{Question{Kind: "Assignment", In: "x ≔ S", Env: env}, `{"ok":false,"paren":"x ≔ S","problems":[{"code":"GR0100","from":6,"to":7,"message":"types ℤ and ℙ(S) do not match"}]}`},
		{Question{Kind: "Type", In: "ℙ(S×ℤ)", Env: env}, `{"ok":true,"paren":"ℙ(S×ℤ)","type":"ℙ(S×ℤ)","problems":null}`},
		{Question{Kind: "Type", In: "1", Env: env}, `{"ok":false,"problems":[{"code":"GR0019","from":0,"to":1,"message":"‘1’ is not a type"}]}`},
		{Question{Kind: "Clause", In: "x"}, `{"ok":false,"problems":[{"code":"","from":0,"to":0,"message":"kind \"Clause\"; use one of Predicate, Expression, Assignment, Type"}]}`},
		{Question{Kind: "Predicate", In: "x=1", Env: map[string]string{"x": "nonsense("}}, "{\"ok\":false,\"problems\":[{\"code\":\"\",\"from\":0,\"to\":0,\"message\":\"type of `x`: the formula ends where an operand should follow [GR0015] in \\\"nonsense(\\\"\"}]}"},
	} {
		got, err := json.Marshal(Answer(&check.Reader{}, lang.Text, c.q))
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != c.want {
			t.Errorf("%s %s\n%s", c.q.Kind, c.q.In, got)
		}
	}
}

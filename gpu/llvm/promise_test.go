package llvm

import "testing"

// TestPromise: what a source says of launches is read as each version of clang writes it.
func TestPromise(t *testing.T) {
	for text, want := range map[string]Promise{
		`define void @k() {
  ret void
}
!nvvm.annotations = !{!0, !1, !2}
!0 = !{ptr @k, !"kernel", i32 1}
!1 = !{ptr @k, !"maxntidx", i32 64, !"maxntidy", i32 2}
!2 = !{ptr @k, !"minctasm", i32 3}`: {128, 3},
		`define void @k() #0 {
  ret void
}
attributes #0 = { "nvvm.maxntid"="64,2" "nvvm.minctasm"="3" }`: {128, 3},
		`define void @k() #0 {
  ret void
}
attributes #0 = { "nvvm.maxntid"="many" }`: {},
		`define void @k() #0 {
  ret void
}
attributes #0 = { "amdgpu-flat-work-group-size"="1,256" }`: {256, 0},
		`define void @other() {
  ret void
}
define void @k() {
  ret void
}
!nvvm.annotations = !{!0}
!0 = !{ptr @other, !"maxntidx", i32 64}`: {},
	} {
		m, problem := Parse("k.ll", []byte("target triple = \"nvptx64\"\n"+text))
		if problem != nil {
			t.Fatalf("%s\n%v", text, problem)
		}
		for _, f := range m.Functions {
			if f.Name == "k" {
				if got := m.Promise(f); got != want {
					t.Errorf("%+v, not %+v:\n%s", got, want, text)
				}
			}
		}
	}
}

package lang

import (
	"context"
	"fmt"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/internal/seam"
)

// FaultCode is the code of the problem that stands for what a fault has left unread.
const FaultCode = "GR0007"

// Understand runs read, which makes something of the text of one file, and adds the problems that
// it found. A fault costs what this file says: read counts for nothing, and one problem says so, an
// error, so that nothing that needs the file is taken for whole.
func Understand(file string, problems *diag.List, read func(*diag.List)) (whole bool) {
	var found diag.List
	fault := seam.Contain(context.Background(), seam.Text, file, func(context.Context) { read(&found) })
	if fault != nil {
		found = diag.List{}
		found.Add(diag.Diagnostic{
			Code: FaultCode, Span: diag.Span{File: file}, Message: fmt.Sprintf("internal error, so this file was not read: %v", fault),
			Help: "please report this internal error with the file",
		})
	}
	problems.Append(&found)
	return fault == nil
}

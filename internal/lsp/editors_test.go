package lsp

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gradine/gradine/discharge"
)

const serving = "GRADINE_LSP_SERVES"

// TestMain makes the test binary a server for the editors that tests start.
func TestMain(m *testing.M) {
	if dir := os.Getenv(serving); dir != "" {
		if err := Serve(context.Background(), os.Stdin, os.Stdout, Options{Store: discharge.OpenStore(dir)}); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// inEditor runs an editor on a project with a mistake, and returns what its script says.
func inEditor(t *testing.T, program string, args func(dir, config, script string) []string, script string) string {
	t.Helper()
	path, err := exec.LookPath(program)
	if err != nil {
		t.Skip("no " + program)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	config, err := filepath.Abs("../../editors")
	if err != nil {
		t.Fatal(err)
	}
	dir, bin := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{
		filepath.Join(dir, file):           strings.Replace(counter, "n > 0", "n ≥ 0", 1),
		filepath.Join(dir, "gradine.toml"): "[project.c]\nsources = [\".\"]\n",
		filepath.Join(bin, "gradine"):      fmt.Sprintf("#!/bin/sh\n%s=%s exec %s\n", serving, t.TempDir(), self),
		filepath.Join(bin, "script"):       script,
	} {
		if err := os.WriteFile(name, []byte(text), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 180*time.Second)
	defer cancel()
	c := exec.CommandContext(ctx, path, args(dir, config, filepath.Join(bin, "script"))...)
	c.Dir = dir
	c.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "HOME="+bin)
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", program, err, out)
	}
	return string(out)
}

func TestNeovim(t *testing.T) {
	out := inEditor(t, "nvim", func(dir, config, script string) []string {
		return []string{"--headless", "-u", "NONE", "-c", "luafile " + config + "/nvim/gradine.lua", "-c", "edit " + filepath.Join(dir, file), "-c", "luafile " + script}
	}, `
local function say(what) io.stdout:write(what .. "\n") end
local function ask(method, params)
  local answers = vim.lsp.buf_request_sync(0, method, params, 10000)
  for _, answer in pairs(answers or {}) do return answer.result end
end
vim.wait(20000, function() return #vim.diagnostic.get(0) > 0 end)
say(vim.diagnostic.get(0)[1].message)
local place = { textDocument = vim.lsp.util.make_text_document_params(), position = { line = 24, character = 22 } }
say(ask("textDocument/hover", place).contents.value)
say(vim.inspect(ask("textDocument/definition", place).range.start.line))
vim.lsp.util.apply_workspace_edit(ask("textDocument/rename", vim.tbl_extend("error", { newName = "level" }, place)), "utf-16")
say(vim.api.nvim_buf_get_lines(0, 8, 9, false)[1])
vim.api.nvim_buf_set_lines(0, 24, 25, false, { "            @positive   level > 0" })
vim.wait(20000, function() return #vim.diagnostic.get(0) == 0 end)
say(tostring(#vim.diagnostic.get(0)) .. " diagnostics")
vim.lsp.util.apply_text_edits(ask("textDocument/formatting", { textDocument = place.textDocument, options = {} }), 0, "utf-16")
say(vim.api.nvim_buf_get_lines(0, 24, 25, false)[1])
vim.cmd("qa!")
`)
	for _, want := range []string{"down/type/INV is refuted: n − 1 ∈ ℕ is false", "variable n ⦂ ℤ", "\n8\n", "variables level", "0 diagnostics", "            @positive level > 0"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
}

func TestEmacs(t *testing.T) {
	out := inEditor(t, "emacs", func(dir, config, script string) []string {
		return []string{"--batch", "-l", "package", "--eval", "(package-initialize)", "-l", config + "/emacs/gradine.el", "--eval", `(setq eglot-sync-connect 10)`, filepath.Join(dir, file), "-l", script}
	}, `
(require 'flymake)
(defun shown () (mapcar #'flymake-diagnostic-text (flymake-diagnostics)))
(defun wait-for (ok) (with-timeout (20 nil) (while (not (funcall ok)) (accept-process-output nil 0.1))))
(eglot--connect '(eventb-mode) (cons 'transient default-directory) 'eglot-lsp-server '("gradine" "lsp") "eventb")
(eglot--maybe-activate-editing-mode)
(flymake-start)
(wait-for (lambda () (flymake-start) (shown)))
(message "%s" (shown))
(goto-char (point-min))
(search-forward "@positive n")
(backward-char)
(message "%s" (plist-get (plist-get (jsonrpc-request (eglot--current-server-or-lose) :textDocument/hover (eglot--TextDocumentPositionParams)) :contents) :value))
(eglot-rename "level")
(goto-char (point-min))
(search-forward "variables ")
(message "%s" (thing-at-point 'line t))
`)
	for _, want := range []string{"down/type/INV is refuted", "variable n ⦂ ℤ", "variables level"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
}

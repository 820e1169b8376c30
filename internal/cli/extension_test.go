package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestExtension runs the tests of the extension of VS Code, where Node and what npm ci
// installs are present: every spelling of every operator is coloured as an editor does it,
// and a client made of the libraries that editors use asks this program for everything
// that it offers, on the GPU development. CI also checks the types and packs the extension.
func TestExtension(t *testing.T) {
	const extension = "../../editors/vscode"
	if _, err := exec.LookPath("npm"); err != nil {
		t.Skip("no Node")
	}
	if _, err := os.Stat(filepath.Join(extension, "node_modules")); err != nil {
		t.Skip("npm ci has not been run in editors/vscode")
	}
	program, err := exec.LookPath("gradine") // what TestMain puts on the path
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command("npm", "run", "--silent", "test")
	c.Dir, c.Env = extension, append(os.Environ(), "GRADINE="+program)
	if out, err := c.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestPicturesOfEditors draws the panels of the tutorial, if GRADINE_PICTURES is set.
func TestPicturesOfEditors(t *testing.T) {
	if os.Getenv("GRADINE_PICTURES") == "" {
		t.Skip("GRADINE_PICTURES is not set")
	}
	program, err := exec.LookPath("gradine")
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command("node", "pictures.mjs")
	c.Dir, c.Env = "../../editors/vscode", append(os.Environ(), "GRADINE="+program)
	if out, err := c.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestWorkbench drives the packaged extension in VS Code itself, where $CODE_SERVER and
// $PUPPETEER say where these are; see editors/vscode/workbench.mjs.
func TestWorkbench(t *testing.T) {
	if os.Getenv("CODE_SERVER") == "" || os.Getenv("PUPPETEER") == "" {
		t.Skip("no $CODE_SERVER, or no $PUPPETEER")
	}
	program, err := exec.LookPath("gradine")
	if err != nil {
		t.Fatal(err)
	}
	extension := filepath.Join(t.TempDir(), "gradine.vsix")
	for _, line := range [][]string{{"npx", "vsce", "package", "-o", extension}, {"node", "workbench.mjs", extension}} {
		c := exec.Command(line[0], line[1:]...)
		c.Dir, c.Env = "../../editors/vscode", append(os.Environ(), "GRADINE="+program)
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
}

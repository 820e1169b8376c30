package cli

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// TestFirstLineOfProgress: a terminal shows what runs before any of the work is done, however long that takes.
func TestFirstLineOfProgress(t *testing.T) {
	ours, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip("there are no terminals here: ", err)
	}
	defer ours.Close()
	number, err := unix.IoctlGetInt(int(ours.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.IoctlSetPointerInt(int(ours.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	theirs, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip("there are no terminals here: ", err)
	}
	r := &run{ctx: t.Context(), err: theirs}
	r.progress(-1, "exploring m")
	// Without a line the terminal ends here, and so does what is read.
	if err := theirs.Close(); err != nil {
		t.Fatal(err)
	}
	shown := ""
	for part := make([]byte, 4096); ; {
		n, err := ours.Read(part)
		shown += string(part[:n])
		if err != nil {
			break
		}
	}
	if !strings.Contains(shown, "exploring m") {
		t.Errorf("the terminal shows %q", shown)
	}
}

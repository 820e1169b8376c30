package worker_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	mathrand "math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/answer"
)

// network is a bridge of this machine and network namespaces on it, each with an address of its own.
type network struct {
	t      *testing.T
	name   string // of the bridge, and what the names of all others begin with
	subnet string // 10.X.Y
}

// newNetwork makes a network of n namespaces. Where that is not permitted, the test is skipped.
func newNetwork(t *testing.T, n int) *network {
	t.Helper()
	id := os.Getpid() % 10_000
	w := &network{t: t, name: fmt.Sprintf("gr%d", id), subnet: fmt.Sprintf("10.%d.%d", 100+id/100%100, id%100)}
	t.Cleanup(w.close)
	lines := []string{fmt.Sprintf("link add %s type bridge", w.name), fmt.Sprintf("addr add %s.254/24 dev %[2]s", w.subnet, w.name), fmt.Sprintf("link set %s up", w.name)}
	for i := range n {
		lines = append(lines,
			fmt.Sprintf("netns add %s", w.namespace(i)),
			fmt.Sprintf("link add %s type veth peer name eth0 netns %s", w.link(i), w.namespace(i)),
			fmt.Sprintf("link set %s master %s up", w.link(i), w.name),
			fmt.Sprintf("-n %s addr add %s/24 dev eth0", w.namespace(i), w.address(i)),
			fmt.Sprintf("-n %s link set eth0 up", w.namespace(i)),
			fmt.Sprintf("-n %s link set lo up", w.namespace(i)))
	}
	for _, line := range lines {
		if out, err := exec.Command("ip", strings.Fields(line)...).CombinedOutput(); err != nil {
			t.Skipf("network namespaces are not permitted here: ip %s: %v: %s", line, err, out)
		}
	}
	return w
}

func (w *network) namespace(i int) string { return fmt.Sprintf("%sn%d", w.name, i) }
func (w *network) link(i int) string      { return fmt.Sprintf("%sv%d", w.name, i) }
func (w *network) address(i int) string   { return fmt.Sprintf("%s.%d", w.subnet, i+1) }

// set puts a link up or down: down is a partition.
func (w *network) set(i int, state string) {
	if out, err := exec.Command("ip", "link", "set", w.link(i), state).CombinedOutput(); err != nil {
		w.t.Errorf("link %d %s: %v: %s", i, state, err, out)
	}
}

func (w *network) close() {
	for i := range 16 {
		_ = exec.Command("ip", "netns", "del", w.namespace(i)).Run()
	}
	_ = exec.Command("ip", "link", "del", w.name).Run()
}

// within starts this program as something else in a namespace. The process is this program: ip replaces itself.
func (w *network) within(i int, variables ...string) *exec.Cmd {
	c := exec.Command("ip", "netns", "exec", w.namespace(i), os.Args[0])
	c.Env = append(os.Environ(), variables...)
	if err := c.Start(); err != nil {
		w.t.Fatal(err)
	}
	return c
}

// certify writes a certificate for an address, and its key, and has clients accept it.
func certify(t *testing.T, address string) {
	t.Helper()
	secret, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	is := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test"}, NotAfter: time.Now().Add(24 * time.Hour), IPAddresses: []net.IP{net.ParseIP(address)}, IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, is, is, &secret.PublicKey, secret)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalECPrivateKey(secret)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, block := range map[string]*pem.Block{"cert.pem": {Type: "CERTIFICATE", Bytes: der}, "key.pem": {Type: "EC PRIVATE KEY", Bytes: private}} {
		if err := os.WriteFile(filepath.Join(dir, name), pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("NATS_CA", filepath.Join(dir, "cert.pem"))
	t.Setenv(serverCertificate, filepath.Join(dir, "cert.pem"))
	t.Setenv(serverSecret, filepath.Join(dir, "key.pem"))
}

// TestNamespaces has workers at addresses of their own: a server in one namespace, 1 to 8 workers in others, the run
// outside. Every moment a worker is killed, or cut off for a while, and now and then the server is; answers come
// twice and late, and a worker forges. What is found is the same to the byte; where no worker has the key, the same but for
// steps. GRADINE_STORM=10000 makes it as many obligations.
func TestNamespaces(t *testing.T) {
	n, every := 40, 200*time.Millisecond
	if text := os.Getenv("GRADINE_STORM"); text != "" {
		var err error
		if n, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
		every = time.Second
	}
	counts := []int{1, 2, 4, 8}
	if testing.Short() {
		counts = []int{2}
	}
	list, k := sequents(n), key(t, "a")
	want := collect(t.Context(), list, discharge.Options{Steps: steps, RefuteSteps: steps, Workers: 1, Key: k})
	w := newNetwork(t, 1+slices.Max(counts))
	certify(t, w.address(0))
	at := "gradine:secret@" + w.address(0) + ":4222"
	url := "nats://" + at
	startServer := func() *exec.Cmd { return w.within(0, serverAt+"=embedded://"+at) }
	type round struct {
		workers int
		holds   bool // the workers have the key of the run
	}
	var rounds []round
	for _, workers := range counts {
		rounds = append(rounds, round{workers, true})
	}
	for _, round := range append(rounds, round{2, false}) {
		workers, letter, only := round.workers, "a", k
		if !round.holds {
			letter, only = "c", nil
		}
		ctx, cancel := context.WithCancel(t.Context())
		server := startServer()
		processes := make([]*exec.Cmd, workers)
		startWorker := func(i int) {
			processes[i] = w.within(i+1, workerAt+"="+url, answer.KeyVariable+"="+strings.Repeat(letter, answer.MinKey))
		}
		for i := range processes {
			startWorker(i)
		}
		var raging sync.WaitGroup
		forging := make(chan struct{})
		raging.Go(func() { repeat(ctx, url) })
		raging.Go(func() { forge(ctx, url, func() { close(forging) }) })
		<-forging
		kills, cuts := 0, 0
		raging.Go(func() {
			r := mathrand.New(mathrand.NewPCG(uint64(workers), 1))
			for ctx.Err() == nil {
				select {
				case <-time.After(every):
				case <-ctx.Done():
					return
				}
				i := r.IntN(workers)
				switch turn := kills + cuts; {
				case turn == 2 || turn == 6:
					kill(server)
					server = startServer()
					kills++
				case turn == 9: // the server is cut off
					w.set(0, "down")
					time.Sleep(every)
					w.set(0, "up")
					cuts++
				case turn%2 == 0:
					kill(processes[i])
					startWorker(i)
					kills++
				default:
					w.set(i+1, "down")
					time.Sleep(every)
					w.set(i+1, "up")
					cuts++
				}
			}
		})
		began := time.Now()
		got := stormed(t, list, steps, url, k, only, short)
		took := time.Since(began)
		cancel()
		raging.Wait()
		for _, c := range append(processes, server) {
			kill(c)
		}
		t.Logf("%d workers, key %t: %d obligations in %v; %d killed, %d cut off; %v; %q", workers, round.holds, n, took.Round(time.Millisecond), kills, cuts, got.counts, got.notes)
		if unknown := compare(t, got, want, round.holds); !round.holds && unknown == 0 {
			t.Error("all steps are known, though nobody counted them under the key")
		}
		if got.counts.Done == 0 {
			t.Errorf("%d workers: %v: none answered", workers, got.counts)
		}
	}
}
